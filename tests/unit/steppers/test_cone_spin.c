/* test_cone_spin.c: free rotation under cone: energy and angular momentum stay for any step up to 1 rad, the judge agrees, the motion
 * converges to Euler's equations. */
#define _GNU_SOURCE
#include "check.h"
#include "zoo.h"

#include "math/quat.h"

#include <string.h>

/* A number in [lo, hi], logarithmically. */
static double pick(uint64_t *seed, double lo, double hi) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return lo * pow(hi / lo, (double)(*seed >> 11) * 0x1p-53);
}

/* A box without gravity and contacts. */
static tru_world *free_box(tru_vec3 sides, tru_vec3 rate, double h, tru_id *id) {
    const tru_box box = {sides};
    tru_world *w = kit_create_world(v3_zero());
    kit_set_dry_pair(w, 0.3, 0.0, 0.0, 0.0);
    *id = kit_add_solid(w, "box", TRU_FREE, "box", &box, v3_zero(), (tru_quat){1.0, 0.0, 0.0, 0.0}, v3_zero(), rate);
    kit_set_cone(w, h, TRU_EXACT, TRU_NEWTON_IMPACT, (tru_use){0});
    return w;
}

static double momentum(const tru_world *w, tru_id id) {
    tru_error err;
    tru_body_info info;
    MUST(tru_body_describe(w, id, &info, &err));
    const tru_body_state s = kit_get_state(w, id);
    const tru_vec3 u = quat_unrotate(s.orientation, s.angular_velocity);
    return v3_norm(v3(info.inertia.x * u.x, info.inertia.y * u.y, info.inertia.z * u.z));
}

/* Needles, plates and blocks of any size, up to 1 rad per step: both integrals stay to round-off. */
TEST(free_rotation_is_bounded) {
    uint64_t seed = check_seed();
    for (int i = 0; i < 60; i++) {
        tru_error err;
        tru_id id;
        tru_verdict verdict;
        const double size = pick(&seed, 1e-4, 1e2), h = pick(&seed, 1e-7, 1e-2),
                     turn = i < 5 ? 1.0 : pick(&seed, 1e-3, 1.0);
        const tru_vec3 sides = {size, size * pick(&seed, 0.02, 1.0), size * pick(&seed, 0.02, 1.0)};
        tru_vec3 axis = {pick(&seed, 1e-3, 1.0), pick(&seed, 1e-3, 1.0), pick(&seed, 1e-3, 1.0)};
        v3_unit(axis, &axis);
        tru_world *w = free_box(sides, v3_scale(turn / h, axis), h, &id);
        const double energy = tru_world_ledger(w).kinetic, spin = momentum(w, id);
        for (int k = 0; k < 20; k++) {
            MUST(tru_run(w, 100, &err));
            MUST(tru_judge(w, &verdict, &err));
            const tru_ledger l = tru_world_ledger(w);
            bool good = check_close(l.kinetic, energy, 1e-10, 0.0);
            good &= check_close(momentum(w, id), spin, 1e-10, 0.0);
            good &= check_close(verdict.spin, 0.0, 0.0, 1e-10 * turn / h);
            good &= check_close(tru_ledger_gap(&l), 0.0, 0.0, 1e-11 * energy);
            if (!good) {
                printf("box %g x %g x %g m, %g rad per step of %g s\n", sides.x, sides.y, sides.z, turn, h);
                break;
            }
        }
        tru_world_destroy(w);
    }
}

/* Beyond 1 rad per step both integrals are kept too, and the judge sees the torque of the mean rate; or it was not found, and the
 * step fails instead of leaving the torque out. */
TEST(long_steps_keep_both_integrals_or_fail) {
    uint64_t seed = check_seed();
    for (int i = 0; i < 300; i++) {
        tru_error err;
        tru_id id;
        tru_verdict verdict;
        const double size = pick(&seed, 1e-4, 1e2), h = pick(&seed, 1e-7, 1e-2), turn = pick(&seed, 1.0, 100.0);
        const tru_vec3 sides = {size, size * pick(&seed, 0.02, 1.0), size * pick(&seed, 0.02, 1.0)};
        tru_vec3 axis = {pick(&seed, 1e-3, 1.0), pick(&seed, 1e-3, 1.0), pick(&seed, 1e-3, 1.0)};
        v3_unit(axis, &axis);
        tru_world *w = free_box(sides, v3_scale(turn / h, axis), h, &id);
        const double energy = tru_world_ledger(w).kinetic;
        bool good = true;
        for (int k = 0; k < 20 && good; k++) {
            if (tru_run(w, 1, &err) < 0) {
                if (!check(strstr(err.text, "gyroscopic torque was not found; take a shorter step")))
                    printf("%s\n", err.text);
                break;
            }
            MUST(tru_judge(w, &verdict, &err));
            good = check_close(tru_world_ledger(w).kinetic, energy, 1e-10, 0.0);
            good &= check_close(verdict.spin, 0.0, 0.0, 1e-9 * turn / h);
        }
        if (!good) printf("box %g x %g x %g m, %g rad per step of %g s\n", sides.x, sides.y, sides.z, turn, h);
        tru_world_destroy(w);
    }
}

/* The example of the finding: 1 x 3 x 6 cm at 60 rad/s. */
TEST(box_tumbles_for_a_minute) {
    const double steps[] = {1e-2, 5e-3, 1e-3};
    for (int k = 0; k < 3; k++) {
        tru_error err;
        tru_id id;
        tru_world *w = free_box(v3(0.01, 0.03, 0.06), v3(1.0, 60.0, 2.0), steps[k], &id);
        const double energy = tru_world_ledger(w).kinetic;
        MUST(tru_run(w, (uint64_t)(60.0 / steps[k]), &err));
        check_close(tru_world_ledger(w).kinetic, energy, 1e-9, 0.0);
        tru_world_destroy(w);
    }
}

/* One turn against moreau's midpoint rule with a fine step: first order. */
TEST(rotation_converges) {
    tru_error err;
    tru_id id;
    const tru_vec3 sides = {0.1, 0.3, 0.6}, rate = {0.1, 4.0, 0.2};
    const double end = 1.0;
    tru_world *w = free_box(sides, rate, 1e-3, &id);
    kit_set_moreau(w, 1e-4, TRU_MIDPOINT);
    MUST(tru_run(w, 10000, &err));
    const tru_quat exact = kit_get_state(w, id).orientation;
    double error[3];
    tru_world_destroy(w);
    for (int k = 0; k < 3; k++) {
        const double h = 4e-3 / (1 << 2 * k);
        w = free_box(sides, rate, h, &id);
        MUST(tru_run(w, (uint64_t)floor(end / h + 0.5), &err));
        error[k] = v3_norm(quat_vec(quat_mul(quat_conj(exact), kit_get_state(w, id).orientation)));
        tru_world_destroy(w);
    }
    const double order = log(error[0] / error[2]) / log(16.0);
    printf("attitude after 1 s: %.2e, %.2e, %.2e, order %.2f\n", error[0], error[1], error[2], order);
    check(order > 0.9 && order < 1.2);
}

/* A box that tumbles with loads and contacts: the judge explains every step. */
TEST(judge_explains_spinning_contacts) {
    uint64_t seed = check_seed();
    for (int i = 0; i < 10; i++) {
        tru_error err;
        tru_verdict verdict;
        const tru_box box = {{0.1, 0.3, 0.5}};
        tru_world *w = kit_create_world(tru_default_world_def().gravity);
        kit_set_dry_pair(w, 0.4, 0.0, 0.0, 0.0);
        kit_add_floor(w);
        const tru_vec3 rate = {pick(&seed, 1.0, 30.0), pick(&seed, 1.0, 30.0), pick(&seed, 1.0, 30.0)};
        kit_add_solid(w, "box", TRU_FREE, "box", &box, v3(0.0, 0.0, 0.35), (tru_quat){1.0, 0.0, 0.0, 0.0}, v3_zero(),
                      rate);
        kit_set_cone(w, 1e-3, TRU_EXACT, TRU_NEWTON_IMPACT, (tru_use){0});
        for (int k = 0; k < 400; k++) {
            MUST(tru_run(w, 1, &err));
            MUST(tru_judge(w, &verdict, &err));
            check_close(verdict.spin, 0.0, 0.0, 1e-10 * v3_norm(rate));
        }
        tru_world_destroy(w);
    }
}
