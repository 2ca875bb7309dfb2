/* test_hertz.c: Hertz's contact against its closed formula, and bad values. */
#define _GNU_SOURCE
#include "check.h"
#include "draw.h"
#include "worlds.h"

#include <trundle/analysis.h>

#include <math.h>

/* N(d) = 4/3 E sqrt(R) d^1.5 with 1/E and 1/R sums over the two bodies. */
static double force(const tru_hertz_body *a, const tru_hertz_body *b, double d) {
    const double e =
        1.0 / ((1.0 - a->poisson * a->poisson) / a->modulus + (1.0 - b->poisson * b->poisson) / b->modulus);
    const double r = b->radius > 0.0 ? a->radius * b->radius / (a->radius + b->radius) : a->radius;
    return 4.0 / 3.0 * e * sqrt(r) * pow(d, 1.5);
}

TEST(closed_formula) {
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 1000; i++) {
        tru_error err;
        tru_hertz h;
        const tru_hertz_body a = {exp(draw_in(&d, 10.0, 27.0)), draw_in(&d, -0.9, 0.5), exp(draw_in(&d, -8.0, 2.0))};
        const tru_hertz_body b = {exp(draw_in(&d, 10.0, 27.0)), draw_in(&d, -0.9, 0.5), i % 3 ? 0.3 * a.radius : 0.0};
        const double load = exp(draw_in(&d, -5.0, 10.0));
        MUST(tru_hertz_contact(&a, &b, load, &h, &err));
        check_close(force(&a, &b, h.approach), load, 1e-13, 0.0);
        check_close(h.compliance * load, h.approach, 1e-15, 0.0);
        const double step = 1e-4 * h.approach; /* of the difference: error 1e-8 */
        check_close((force(&a, &b, h.approach + step) - force(&a, &b, h.approach - step)) / (2.0 * step), h.stiffness,
                    1e-7, 0.0);
        check_close(h.stiffness * h.compliance, 1.5, 1e-13, 0.0);
        const double r = b.radius > 0.0 ? a.radius * b.radius / (a.radius + b.radius) : a.radius;
        check_close(h.patch * h.patch, r * h.approach, 1e-13, 0.0);
    }
}

/* A steel ball of the guideway, 3.2 mm, under 38.5 N on a flat rail: 2.1e7 N/m [cone-equations 8.2]. */
TEST(ball_of_the_guideway) {
    tru_error err;
    tru_hertz h;
    const tru_hertz_body ball = {210e9, 0.3, 3.2e-3}, rail = {210e9, 0.3, 0.0};
    MUST(tru_hertz_contact(&ball, &rail, 38.498, &h, &err));
    check_close(h.stiffness, 2.1e7, 0.025, 0.0);
}

TEST(bad_values) {
    const tru_hertz_body good = {1e9, 0.3, 0.1}, flat = {1e9, 0.3, 0.0}, limp = {0.0, 0.3, 0.1}, wide = {1e9, 0.6, 0.1},
                         hollow = {1e9, 0.3, -0.1};
    const struct {
        const tru_hertz_body *a, *b;
        double load;
        const char *sentence;
    } bad[] = {{&limp, &good, 1.0, "Hertz contact: modulus of body a is 0 Pa, must be > 0"},
               {&good, &wide, 1.0, "Hertz contact: Poisson's ratio of body b is 0.6, must be > -1 and <= 0.5"},
               {&good, &hollow, 1.0, "Hertz contact: radius of body b is -0.1 m, must be >= 0 (0: flat)"},
               {&flat, &flat, 1.0, "Hertz contact: both bodies are flat; one needs a radius"},
               {&good, &good, 0.0, "Hertz contact: load is 0 N, must be > 0"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tru_error err;
        tru_hertz h;
        check(tru_hertz_contact(bad[i].a, bad[i].b, bad[i].load, &h, &err) < 0);
        check_str(err.text, bad[i].sentence);
    }
}
