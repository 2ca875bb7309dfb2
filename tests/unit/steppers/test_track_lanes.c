/* Worlds that go side by side in SIMD lanes end with the bits that each has alone: state, events, snapshot. */
#include "check.h"
#include "worlds.h"

#include "math/quat.h"
#include "lanes/isa.h"
#include "steppers/track/track_kernel.h"
#include "steppers/track/track_lanes.h"

#include <trundle/plugin.h>

/* What a family of scenes has in common; drawn numbers differ from lane to lane. */
typedef struct family {
    double eta_r, eta_psi, closure, roll, spin; /* [-], [-], [1/m], [m], [m] */
    bool prescribed, limited, tilted, given, frictionless;
} family;

static double pick(uint64_t seed, uint64_t id, uint64_t k, double lo, double hi) {
    return lo + (hi - lo) * tru_random(seed, id, k);
}

static tru_world *ball(const family *f, uint64_t seed, uint64_t id) {
    tru_error err;
    tru_track_law law = tru_default_track_law();
    if (!f->frictionless) {
        law.slide = pick(seed, id, 0, 0.1, 0.3);
        law.slide_static = 1.25 * law.slide;
    }
    law.eta_r = f->eta_r * pick(seed, id, 1, 0.5, 1.5);
    law.eta_psi = f->eta_psi * pick(seed, id, 2, 0.5, 1.5);
    if (f->closure > 0.0) law.spin_curvature = f->closure;
    law.roll.length = f->roll * pick(seed, id, 3, 0.5, 1.5);
    law.spin.length = f->spin * pick(seed, id, 4, 0.5, 1.5);
    const tru_use use = {"track", &law};
    const double tilt = pick(seed, id, 5, 0.0, 0.6), radius = pick(seed, id, 6, 0.1, 0.3),
                 mass = pick(seed, id, 7, 1, 5);
    tru_shape_def plane = tru_default_shape_def(), round = tru_default_shape_def();
    tru_body_def floor_body = tru_default_body_def(), b = tru_default_body_def();
    const tru_quat lean = f->tilted ? quat_exp(v3(0.3, -0.2, 0.4)) : quat_identity();
    const tru_vec3 up = quat_rotate(lean, v3(0.0, 0.0, 1.0)), along = quat_rotate(lean, v3(1.0, 0.0, 0.0));
    tru_world *w = kit_create_world(v3_madd(v3_scale(-9.8 * cos(tilt), up), -9.8 * sin(tilt), along));
    kit_set_pair(w, TRU_NONE, TRU_NONE, &use, 1, f->prescribed ? 0.0 : 0.5);
    plane.shape.name = "plane";
    floor_body.kind = TRU_FIXED;
    floor_body.shapes = &plane;
    floor_body.shape_count = 1;
    floor_body.orientation = lean;
    MUST(tru_body_add(w, &floor_body, NULL, &err));
    const tru_sphere sphere = {radius};
    round.shape = (tru_use){"sphere", &sphere};
    b.name = "ball";
    b.mass = mass;
    b.shapes = &round;
    b.shape_count = 1;
    b.position = v3_scale(f->prescribed ? radius : radius * pick(seed, id, 8, 0.9999, 1.01), up);
    b.velocity = v3_scale(pick(seed, id, 9, -0.3, 0.7), along);
    b.angular_velocity = v3(pick(seed, id, 10, -1, 1), pick(seed, id, 11, -1, 1), pick(seed, id, 12, -3, 3));
    MUST(tru_body_add(w, &b, NULL, &err));
    tru_track t = tru_default_track();
    t.step = 1e-4;
    if (!f->limited) t.stiffness = pick(seed, id, 13, 5e4, 2e5);
    t.damping = t.roll_damping = pick(seed, id, 14, 0.3, 1.0);
    if (f->given) t.roll_stiffness = 1600.0;
    if (f->prescribed) {
        t.normal = TRU_PRESCRIBED;
        t.normal_force = mass * 9.8 * cos(tilt);
    }
    MUST(tru_stepper_set(w, "track", &t, &err));
    return w;
}

/* Everything a snapshot has, as one number. */
static uint64_t saved_sum(const tru_world *w) {
    const size_t bytes = tru_snapshot_size(w);
    unsigned char *buffer = malloc(bytes);
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    tru_error err;
    MUST(tru_snapshot_save(w, buffer, bytes, &err));
    for (size_t i = 0; i < bytes; i++) h = (h ^ buffer[i]) * UINT64_C(0x100000001b3);
    free(buffer);
    return h;
}

static void compare(const family *f, size_t count, int parts, uint64_t steps) {
    enum { MOST = 24 };
    const uint64_t seed = check_seed();
    tru_world *alone[MOST], *together[MOST];
    tru_status status[MOST];
    tru_error err, errs[MOST];
    for (size_t i = 0; i < count; i++) {
        alone[i] = ball(f, seed, i);
        together[i] = ball(f, seed, i);
        MUST(tru_run(alone[i], (uint64_t)parts * steps, &err));
    }
    for (int part = 0; part < parts; part++) {
        tru_run_many(together, count, steps, status, errs);
        for (size_t i = 0; i < count; i++) check_status(status[i], TRU_OK);
    }
    for (size_t i = 0; i < count; i++) {
        check(tru_state_hash(alone[i]) == tru_state_hash(together[i]));
        check(saved_sum(alone[i]) == saved_sum(together[i])); /* events, totals and the step before, too */
        const tru_ledger l = tru_world_ledger(together[i]);
        check(fabs(tru_ledger_gap(&l)) < 1e-11 * (l.slide + l.roll + l.spin + l.kinetic + fabs(l.start)));
        tru_world_destroy(alone[i]);
        tru_world_destroy(together[i]);
    }
}

TEST(prescribed_force_and_eta) { compare(&(family){.eta_r = 0.3, .prescribed = true}, 13, 1, 6000); }
TEST(all_springs_in_parts) { compare(&(family){.eta_r = 0.3, .eta_psi = 0.01, .prescribed = true}, 9, 7, 431); }
TEST(closure_and_own_stiffness) {
    compare(&(family){.eta_r = 0.2, .eta_psi = 0.01, .closure = 5.0, .given = true, .prescribed = true}, 8, 1, 3000);
}
TEST(lengths_instead_of_eta) { compare(&(family){.roll = 0.02, .spin = 0.005, .prescribed = true}, 5, 2, 1500); }
TEST(springs_that_bounce) { compare(&(family){.eta_r = 0.2}, 11, 1, 4000); }
TEST(springs_of_the_step) { compare(&(family){.eta_r = 0.2, .limited = true}, 8, 1, 3000); }
TEST(tilted_plane) { compare(&(family){.eta_r = 0.3, .eta_psi = 0.02, .tilted = true}, 16, 1, 3000); }
TEST(no_friction) { compare(&(family){.frictionless = true, .prescribed = true}, 8, 1, 500); }
TEST(one_world_alone) { compare(&(family){.eta_r = 0.3, .prescribed = true}, 1, 3, 700); }

/* A run of a ball ends in the same step with the same sentence, in lanes or alone, once steps made more energy than there was. The ledgers
 * are told that steps made 0.49 of all energy, so that balls that roll uphill cross the bound of 0.5 while they are in lanes. */
TEST(made_energy_ends_a_run_in_lanes_too) {
    enum { BALLS = 16 };
    const family f = {.eta_r = 0.3, .prescribed = true};
    const uint64_t seed = check_seed();
    tru_world *alone[BALLS], *together[BALLS];
    tru_status status[BALLS];
    tru_error err, errs[BALLS];
    int ended = 0;
    for (uint64_t i = 0; i < BALLS; i++) {
        alone[i] = ball(&f, seed, i);
        together[i] = ball(&f, seed, i);
        MUST(tru_run(alone[i], 100, &err));
    }
    tru_run_many(together, BALLS, 100, status, errs);
    for (int i = 0; i < BALLS; i++) {
        const tru_ledger l = tru_world_ledger(alone[i]);
        const double all = l.kinetic + l.stored + l.impact + l.slide + l.spin + l.roll;
        alone[i]->ledger.theta_shift = together[i]->ledger.theta_shift = 0.49 * all;
    }
    tru_run_many(together, BALLS, 300, status, errs);
    for (int i = 0; i < BALLS; i++) {
        const tru_status single = tru_run(alone[i], 300, &err);
        ended += single == TRU_NO_SOLUTION && strstr(err.text, "have made") && tru_steps_done(alone[i]) > 110;
        check_status(status[i], single);
        if (single < 0) check_str(errs[i].text, err.text);
        check(tru_steps_done(alone[i]) == tru_steps_done(together[i]));
        check(tru_state_hash(alone[i]) == tru_state_hash(together[i]));
        tru_world_destroy(alone[i]);
        tru_world_destroy(together[i]);
    }
    check(ended > 0);
}

/* Worlds of several forms, and one that the lanes do not know, in one call. */
TEST(mixed_worlds) {
    const family f[3] = {{.eta_r = 0.3, .prescribed = true}, {.eta_r = 0.3}, {.roll = 0.02, .prescribed = true}};
    const uint64_t seed = check_seed();
    tru_world *alone[9], *together[9];
    tru_status status[9];
    tru_error err, errs[9];
    for (uint64_t i = 0; i < 9; i++) {
        alone[i] = ball(&f[i % 3], seed, i);
        together[i] = ball(&f[i % 3], seed, i);
        if (i == 4) { /* moreau cannot use its law: refused, and the others go on */
            tru_moreau m = tru_default_moreau();
            m.step = 1e-4;
            MUST(tru_stepper_set(together[i], "moreau", &m, &err));
        }
        MUST(tru_run(alone[i], 900, &err));
    }
    tru_run_many(together, 9, 900, status, errs);
    for (size_t i = 0; i < 9; i++) {
        check_status(status[i], i == 4 ? TRU_REFUSED : TRU_OK);
        check(i == 4 || tru_state_hash(alone[i]) == tru_state_hash(together[i]));
        tru_world_destroy(alone[i]);
        tru_world_destroy(together[i]);
    }
}

/* The kernels of all instruction sets that the machine has, on the same lanes. */
TEST(kernels_agree) {
    lane_kernel *const kernels[] = {SIMD_VARIANTS(trui_track_kernel)};
    const track_form form = {.claims = TRU_KIND_BIT(TRU_KIND_SLIDE) | TRU_KIND_BIT(TRU_KIND_ROLL)};
    static _Alignas(64) double first[TL_ROWS][WORLD_LANES], lanes[TL_ROWS][WORLD_LANES], other[TL_ROWS][WORLD_LANES];
    const uint64_t seed = check_seed();
    uint64_t done;
    for (int row = 0; row < TL_ROWS; row++)
        for (int i = 0; i < WORLD_LANES; i++) first[row][i] = pick(seed, (uint64_t)row, (uint64_t)i, 0.1, 1.0);
    memcpy(lanes, first, sizeof lanes);
    const unsigned bad = trui_track_kernel_generic(lanes, &form, 1, &done);
    for (int isa = SIMD_AVX2; isa <= SIMD_AVX512; isa++) {
        memcpy(other, first, sizeof other);
        if (!simd_supported(isa)) continue;
        check(kernels[isa](other, &form, 1, &done) == bad);
        check(memcmp(other, lanes, sizeof lanes) == 0);
    }
    check(bad == 0xffu && memcmp(first, lanes, TL_STATE * sizeof *lanes) == 0); /* nonsense is not done */
}
