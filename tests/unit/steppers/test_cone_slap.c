/* test_cone_slap.c: a rod that lies down along an edge: the contact point runs from one end of the rod to the other. Where a step does
 * not resolve that, the end that arrives strikes; where it does, nothing strikes and the error of the step falls with it. */
#include "check.h"
#include "zoo.h"

#include "math/quat.h"
#include "math/vec.h"

#include <math.h>

enum { SIZES = 3 };
static const double radii[SIZES] = {1e-4, 0.02, 100.0}; /* [m] */

/* What became of the energy of the fall, in parts of it. */
typedef struct slap_books {
    double impact, shift;
} slap_books;

/* A smooth capsule stands with its lower end on the upper edge of a fixed box, tilted by 0.3 rad, and falls onto it from rest; seen
 * from above its axis crosses the edge at the angle `skew`. */
static slap_books slap(double radius, double skew, int steps) {
    tru_error err;
    tru_world *w;
    tru_world_def def = tru_default_world_def();
    MUST(tru_world_create(&def, &w, &err));
    kit_set_pair(w, TRU_NONE, TRU_NONE, NULL, 0, 0.0);
    const double arm = 3.0 * radius, tilt = 0.3, until = 2.1924 * sqrt(radius / 9.81),
                 quarter = 0.25 * 3.14159265358979;
    const tru_capsule rod = {.radius = radius, .length = 2.0 * arm};
    const tru_box rail = {{20.0 * radius, 2.0 * radius, 2.0 * radius}};
    kit_add_solid(w, "rail", TRU_FIXED, "box", &rail, v3(0, 0, -sqrt(2.0) * radius), kit_turn_about(quarter, 1, 0, 0),
                  v3_zero(), v3_zero());
    const tru_id id = kit_add_solid(
        w, "rod", TRU_FREE, "capsule", &rod, v3(0, arm * cos(tilt) * sin(skew), radius + arm * sin(tilt)),
        quat_mul(kit_turn_about(skew, 0, 0, 1), kit_turn_about(2.0 * quarter - tilt, 0, 1, 0)), v3_zero(), v3_zero());
    kit_set_cone(w, until / steps, TRU_EXACT, TRU_NEWTON_IMPACT, (tru_use){NULL, NULL});
    tru_body_info info;
    MUST(tru_body_describe(w, id, &info, &err));
    MUST(tru_run(w, (uint64_t)steps, &err));
    const double energy = info.mass * v3_norm(def.gravity) * arm * sin(tilt);
    const tru_ledger l = tru_world_ledger(w);
    tru_world_destroy(w);
    return (slap_books){l.impact / energy, fabs(l.theta_shift) / energy};
}

/* The point jumps within a step: the energy of the fall is lost in an impact, and the ledger says so. */
TEST(a_rod_that_lies_down_within_a_step_strikes) {
    for (int k = 0; k < SIZES; k++) {
        const slap_books b = slap(radii[k], 0.01, 1000);
        printf("radius %g m: impact %.4f, theta_shift %.2e of the energy\n", radii[k], b.impact, b.shift);
        check_close(b.impact, 1.0, 5e-3, 0.0);
        check(b.shift <= 2e-3);
    }
}

/* The point takes many steps for its way: nothing strikes, and what the steps lose falls with them. */
TEST(a_rod_that_rocks_over_does_not_strike) {
    for (int k = 0; k < SIZES; k++) {
        const slap_books coarse = slap(radii[k], 0.03, 5000), fine = slap(radii[k], 0.03, 45000);
        printf("radius %g m: theta_shift %.2e, %.2e of the energy\n", radii[k], coarse.shift, fine.shift);
        check(fabs(coarse.impact) <= 1e-12 && fabs(fine.impact) <= 1e-12);
        check(fine.shift <= coarse.shift / 7.0 && fine.shift <= 0.02); /* 9 at first order */
    }
}
