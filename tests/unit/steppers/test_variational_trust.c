/* test_variational_trust.c: a step of the stepper variational that cannot be trusted fails with a sentence that names the
 * step: random disks and ellipsoids under steps that are right, and up to 100 times too long. */
#define _GNU_SOURCE
#include "check.h"
#include "worlds.h"

#include "math/quat.h"
#include "math/random.h"

#include <trundle/plugin.h>

#include <math.h>
#include <string.h>

#define ENERGY_BAND 0.1 /* [-] numerical part of the energy that a run may have, as the stepper documents it */

typedef struct rolling_case {
    bool disk;
    tru_disk shape;
    tru_ellipsoid stone;
    tru_quat q;
    tru_vec3 w;
    double friction;
    tru_variational by;
} rolling_case;

typedef struct draw {
    uint64_t seed, index;
} draw;
static double between(draw *g, double low, double high) {
    return low + (high - low) * tru_random_uniform(g->seed, 1, g->index++);
}

static rolling_case random_case(draw *g, int scheme, int when, double turn) {
    rolling_case c = {.disk = scheme != TRU_SE3 || between(g, 0.0, 1.0) < 0.7, .by = tru_default_variational()};
    const double size = pow(10.0, between(g, -3.0, 1.0)), theta = between(g, 0.15, 1.55);
    const double unit = sqrt(9.81 / size); /* [rad/s] of the body's own pendulum */
    c.shape = (tru_disk){.radius = size, .thickness = between(g, 0.0, 1.0) < 0.3 ? 0.0 : between(g, 0.01, 0.6) * size};
    c.stone.semi_axes = v3(size, between(g, 0.4, 1.0) * size, between(g, 0.3, 1.0) * size);
    c.q = (tru_quat){cos(0.5 * theta), sin(0.5 * theta), 0.0, 0.0};
    c.w = v3_scale(unit, v3(between(g, -1.0, 1.0), between(g, -3.0, 3.0), between(g, -3.0, 3.0)));
    c.friction = between(g, 0.2, 3.0);
    c.by.scheme = scheme;
    c.by.when_not_rolling = when;
    c.by.step = turn / (unit + v3_norm(c.w));
    return c;
}

static tru_world *world_of(const rolling_case *c) {
    tru_error err;
    tru_coulomb friction = tru_default_coulomb();
    const tru_use laws[] = {{"coulomb", &friction}};
    tru_shape_def shape = tru_default_shape_def();
    tru_body_def b = tru_default_body_def();
    tru_surface low;
    friction.slide = c->friction;
    tru_world *w = kit_create_floor(laws, 1, 0.0);
    const char *name = c->disk ? "disk" : "ellipsoid";
    const void *params = c->disk ? (const void *)&c->shape : (const void *)&c->stone;
    for (size_t k = 0; tru_shape_at(k); k++)
        if (strcmp(tru_shape_at(k)->name, name) == 0)
            tru_shape_at(k)->surface(params, quat_unrotate(c->q, v3(0, 0, -1)), &low);
    shape.shape = (tru_use){name, params};
    b.shapes = &shape;
    b.shape_count = 1;
    b.mass = 1.0;
    b.orientation = c->q;
    b.angular_velocity = c->w;
    b.position = v3_neg(quat_rotate(c->q, low.point));
    b.velocity = v3_cross(c->w, b.position);
    MUST(tru_body_add(w, &b, NULL, &err));
    MUST(tru_stepper_set(w, "variational", &c->by, &err));
    MUST(tru_check(w, &err));
    return w;
}

static double energy_of(const tru_world *w) {
    const tru_ledger l = tru_world_ledger(w);
    return l.kinetic + l.potential; /* the floor is at z = 0 */
}

static bool handed_over(tru_world *w) {
    tru_event e[16];
    bool any = false;
    const size_t n = tru_events_take(w, e, 16, NULL);
    for (size_t i = 0; i < n; i++) any |= e[i].kind == TRU_EVENT_HANDOVER;
    return any;
}

typedef struct outcome {
    int failed, good, handed, lifted;
    double gain;
} outcome;

/* Run a case: the energy stays below the band, or the run fails with a sentence that names the step. */
static void run_case(const rolling_case *c, outcome *sum) {
    tru_error err;
    tru_world *w = world_of(c);
    const double start = energy_of(w);
    char step[40];
    snprintf(step, sizeof step, "%.6g s", c->by.step);
    double most = start;
    bool over = false;
    int k = 0;
    for (; k < 400 && !over; k++) {
        const tru_status s = tru_run(w, 1, &err);
        if (s < 0) {
            const bool lifts = strstr(err.text, "lifts off") != NULL;
            sum->failed += !lifts;
            sum->lifted += lifts;
            if (!lifts && !check(strstr(err.text, step) != NULL)) printf("%s\n", err.text);
            break;
        }
        over = handed_over(w);
        if (!over && energy_of(w) > most) most = energy_of(w);
    }
    sum->handed += over;
    sum->good += k == 400;
    if (most / start - 1.0 > sum->gain) sum->gain = most / start - 1.0;
    if (!check(most <= (1.0 + ENERGY_BAND) * start))
        printf("scheme %d, when %d, %s: energy %.6g of the start after %d steps\n", c->by.scheme,
               c->by.when_not_rolling, c->disk ? "disk" : "ellipsoid", most / start, k);
    tru_world_destroy(w);
}

TEST(no_random_body_gains_energy) {
    draw g = {check_seed(), 0};
    static const double turns[] = {0.01, 0.1, 0.3, 0.6, 1.0};
    for (int scheme = TRU_SE3; scheme <= TRU_RK4; scheme++)
        for (int when = TRU_IDEAL; when <= (scheme == TRU_SE3 ? TRU_SLIP : TRU_IDEAL); when++)
            for (int t = 0; t < 5; t++) {
                outcome sum = {0};
                for (int i = 0; i < 64; i++) {
                    const rolling_case c = random_case(&g, scheme, when, turns[t]);
                    run_case(&c, &sum);
                }
                printf(
                    "scheme %d, when %d, %.2f rad per step: %d good, %d failed, %d handed over, %d lifted; gain %.3g\n",
                    scheme, when, turns[t], sum.good, sum.failed, sum.handed, sum.lifted, sum.gain);
                if (t == 0) check(sum.failed <= 8); /* a right step is not refused */
            }
}
