/* Stepper track: forces, restitution, friction and books of single contacts, over ranges of size, mass, stiffness and speed. */
#include "check.h"
#include "scene.h"

#include "math/quat.h"
#include "unit/math/draw.h"

#include <trundle/plugin.h>

/* [-] log-uniform between a and b. */
static double draw_log(draw *d, double a, double b) { return exp(draw_in(d, log(a), log(b))); }

static const tru_body_state still = {.orientation = {1.0, 0.0, 0.0, 0.0}};

static tru_world *empty_world(tru_vec3 gravity, double slide, double modulus, double restitution) {
    tru_error err;
    tru_world *w;
    tru_track_law law = tru_default_track_law();
    tru_coulomb coulomb = tru_default_coulomb();
    law.slide = coulomb.slide = slide;
    law.modulus = modulus;
    const tru_use use = modulus > 0.0 ? (tru_use){"track", &law} : (tru_use){"coulomb", &coulomb};
    tru_world_def wd = tru_default_world_def();
    tru_pair_def pair = tru_default_pair_def();
    wd.gravity = gravity;
    MUST(tru_world_create(&wd, &w, &err));
    pair.laws = &use;
    pair.law_count = 1;
    pair.restitution = restitution;
    MUST(tru_pair_set(w, &pair, &err));
    return w;
}

static tru_id add_body(tru_world *w, int kind, const char *shape, const void *params, double density,
                       const tru_body_state *at) {
    tru_error err;
    tru_id id;
    tru_shape_def sd = tru_default_shape_def();
    tru_body_def b = tru_default_body_def();
    sd.shape = (tru_use){shape, params};
    sd.density = density;
    b.kind = kind;
    b.position = at->position;
    b.orientation = at->orientation;
    b.velocity = at->velocity;
    b.angular_velocity = at->angular_velocity;
    b.shapes = &sd;
    b.shape_count = 1;
    MUST(tru_body_add(w, &b, &id, &err));
    return id;
}

/* ---- Hertz's force ---- */

/* 4/3 E sqrt(R) d^(3/2), 1/R the sum of the curvatures, of two balls and of a ball and a wall. */
TEST(force_is_hertz) {
    draw d = {check_seed(), 1, 0};
    double worst = 0.0;
    for (int i = 0; i < 400; i++) {
        tru_error err;
        const bool wall = i % 2;
        const double modulus = draw_log(&d, 1e4, 1e11);
        const tru_sphere a = {draw_log(&d, 1e-4, 1e2)}, b = {wall ? a.radius : a.radius * draw_log(&d, 1e-2, 1e2)};
        const double least = fmin(a.radius, b.radius), deep = least * draw_log(&d, 1e-5, 1e-2);
        tru_world *w = empty_world(v3_zero(), 0.2, modulus, 0.5);
        tru_body_state at = still;
        add_body(w, wall ? TRU_FIXED : TRU_FREE, wall ? "plane" : "sphere", wall ? NULL : (const void *)&b, 1000.0,
                 &at);
        at.position = v3_scale(a.radius + (wall ? 0.0 : b.radius) - deep, wall ? v3(0, 0, 1) : draw_unit(&d));
        add_body(w, TRU_FREE, "sphere", &a, 1000.0, &at);
        tru_track t = tru_default_track();
        tru_contact_info c;
        t.normal = TRU_HERTZ;
        t.step = 1e-3 * least * sqrt(1000.0 / modulus);
        MUST(tru_stepper_set(w, "track", &t, &err));
        MUST(tru_run(w, 1, &err));
        MUST(tru_contact_get(w, 0, &c, &err));
        const double radius = wall ? a.radius : a.radius * b.radius / (a.radius + b.radius);
        const double want = 4.0 / 3.0 * modulus * sqrt(radius * deep) * deep, force = c.impulse[0] / t.step;
        const double round_off = 1e-15 * (a.radius + b.radius) / deep; /* of the gap */
        worst = fmax(worst, (fabs(force / want - 1.0) - 2.0 * round_off) / 1e-6);
        tru_world_destroy(w);
    }
    printf("force: off by %.2g of what is allowed\n", worst);
    check(worst < 1.0);
}
