/* The largest stable step of track and the stiffness that follows the step come from what the bodies are, never from where
 * they are: a run that is resumed must find the bits of the run that went on. */
#include "check.h"
#include "worlds.h"

#include "math/quat.h"
#include "steppers/springs/springs_limit.h"
#include "steppers/springs/springs.h"
#include "draw.h"

enum { WORLDS = 60, POSES = 8 };

/* A body of a random shape of about `length`, far from the one before; `round`: no box and no capsule, which do not meet
 * ellipsoids. */
static void add_body(tru_world *w, draw *d, bool round, double length, double mass, int place) {
    const double p = draw_in(d, 0.2, 1.0), q = draw_in(d, 0.2, 1.0);
    const tru_ellipsoid egg = {v3(length, p * length, q * length)};
    const tru_box box = {v3(length, p * length, q * length)};
    const tru_capsule capsule = {.radius = p * length, .length = q * length};
    const tru_sphere sphere = {length};
    const tru_use uses[] = {{"ellipsoid", &egg}, {"sphere", &sphere}, {"box", &box}, {"capsule", &capsule}};
    kit_add_body(w, {.shape = uses[round ? draw_int(d, 2) : 1 + draw_int(d, 3)],
                     .mass = mass,
                     .position = v3(100.0 * length * place, 0.0, 50.0 * length)});
}

static void turn_bodies(tru_world *w, draw *d) {
    for (size_t k = 1; k < tru_body_count(w); k++) {
        tru_error err;
        tru_body_state s = kit_get_state(w, tru_body_at(w, k));
        s.orientation = quat_exp(v3_scale(3.0, draw_unit(d)));
        MUST(tru_body_set(w, tru_body_at(w, k), &s, &err));
    }
}

TEST(limits_do_not_depend_on_poses) {
    draw d = {check_seed(), 1, 0};
    int softened = 0;
    for (int i = 0; i < WORLDS; i++) {
        tru_error err;
        tru_coulomb slide = tru_default_coulomb();
        tru_rolling roll = tru_default_rolling();
        const double length = exp(draw_in(&d, log(1e-4), log(1e2)));
        slide.slide = 0.3;
        roll.roll.length = roll.spin.length = 0.1 * length;
        const tru_use laws[] = {{"coulomb", &slide}, {"rolling", &roll}};
        tru_world *w = kit_create_floor(laws, 2, 0.2);
        tru_track o = tru_default_track();
        o.step = exp(draw_in(&d, log(1e-7), log(1e-2)));
        MUST(tru_stepper_set(w, "track", &o, &err));
        for (int k = 0; k < 3; k++) add_body(w, &d, i % 2 == 0, length, exp(draw_in(&d, 0.0, log(1e6))), k);
        double rate = 0.0, limit = 0.0;
        for (int k = 0; k < POSES; k++) {
            turn_bodies(w, &d);
            if (!check(tru_check(w, &err) >= 0)) printf("%s\n", err.text);
            const double now = trui_springs_limit_of_bodies(&o, w);
            if (k > 0 && !check(now == limit && w->spring_rate == rate))
                printf("limit %.17g s, then %.17g s; rate %.17g, then %.17g\n", limit, now, rate, w->spring_rate);
            limit = now;
            rate = w->spring_rate;
        }
        softened += limit < DBL_MAX;
        tru_world_destroy(w);
    }
    check(softened > WORLDS / 4); /* the limit is near enough to be computed */
}
