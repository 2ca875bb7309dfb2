/* Worlds of a ball on a plane that go side by side in lanes (moreau, cone) end with the bits that each has alone: state, events, snapshot,
 * solver totals. */
#include "check.h"
#include "worlds.h"

#include "lanes/isa.h"
#include "math/quat.h"
#include "steppers/worlds/ball_rows.h"

#include <trundle/plugin.h>

enum { MOST = 24 };

/* What a family of scenes has in common; drawn numbers differ from lane to lane. */
typedef struct family {
    const char *stepper;
    double slide, roll, spin; /* [-], [m] [m]: middle of the drawn coefficients; 0: none */
    double speed, rate;       /* [m/s], [rad/s]: largest start velocities */
    double step;              /* [s] */
    double drop;              /* [m] largest gap at the start */
    double scale;             /* [m] radius */
    bool tilted, slope, e;    /* the plane is turned; gravity leans; pairs have restitution */
} family;

static double pick(uint64_t seed, uint64_t id, uint64_t k, double lo, double hi) {
    return lo + (hi - lo) * tru_random(seed, id, k);
}

static void set_stepper(tru_world *w, const family *f) {
    tru_error err;
    tru_moreau m = tru_default_moreau();
    tru_cone c = tru_default_cone();
    m.step = c.step = f->step;
    const bool moreau = strcmp(f->stepper, "moreau") == 0;
    MUST(tru_stepper_set(w, f->stepper, moreau ? (const void *)&m : (const void *)&c, &err));
}

static void set_laws(tru_world *w, const family *f, uint64_t seed, uint64_t id) {
    tru_rolling roll = tru_default_rolling();
    tru_coulomb slide = tru_default_coulomb();
    slide.slide = f->slide * pick(seed, id, 0, 0.5, 1.5);
    roll.roll.length = f->roll * f->scale * pick(seed, id, 1, 0.5, 1.5);
    roll.spin.length = f->spin * f->scale * pick(seed, id, 2, 0.5, 1.5);
    const tru_use use[2] = {{"coulomb", &slide}, {"rolling", &roll}};
    const double e = f->e ? pick(seed, id, 3, 0.1, 0.9) : 0.0;
    if (f->roll + f->spin > 0.0)
        kit_set_pair(w, TRU_NONE, TRU_NONE, f->slide > 0.0 ? use : use + 1, f->slide > 0.0 ? 2 : 1, e);
    else
        kit_set_pair(w, TRU_NONE, TRU_NONE, use, 1, e);
}

static tru_world *ball(const family *f, uint64_t seed, uint64_t id) {
    tru_error err;
    const tru_quat lean = f->tilted ? quat_exp(v3(0.3, -0.2, 0.4)) : quat_identity();
    const tru_vec3 up = quat_rotate(lean, v3(0.0, 0.0, 1.0)), side = quat_rotate(lean, v3(1.0, 0.0, 0.0));
    const double tilt = f->slope ? pick(seed, id, 4, 0.0, 0.5) : 0.0, radius = f->scale * pick(seed, id, 5, 0.5, 1.5);
    tru_world *w = kit_create_world(v3_madd(v3_scale(-9.8 * cos(tilt), up), -9.8 * sin(tilt), side));
    set_laws(w, f, seed, id);
    tru_shape_def plane = tru_default_shape_def(), round = tru_default_shape_def();
    tru_body_def ground = tru_default_body_def(), b = tru_default_body_def();
    plane.shape.name = "plane";
    ground.kind = TRU_FIXED;
    ground.shapes = &plane;
    ground.shape_count = 1;
    ground.orientation = lean;
    MUST(tru_body_add(w, &ground, NULL, &err));
    const tru_sphere sphere = {radius};
    round.shape = (tru_use){"sphere", &sphere};
    b.name = "ball";
    b.mass = pick(seed, id, 6, 0.1, 5.0);
    b.shapes = &round;
    b.shape_count = 1;
    b.position = v3_scale(radius + f->drop * tru_random(seed, id, 7), up);
    b.velocity = v3_madd(v3_scale(pick(seed, id, 8, -f->speed, f->speed), side), pick(seed, id, 9, -f->speed, f->speed),
                         v3_cross(up, side));
    b.angular_velocity = v3(pick(seed, id, 10, -f->rate, f->rate), pick(seed, id, 11, -f->rate, f->rate),
                            pick(seed, id, 12, -f->rate, f->rate));
    MUST(tru_body_add(w, &b, NULL, &err));
    set_stepper(w, f);
    return w;
}

/* Everything that a snapshot has, as one number. */
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

static bool same_totals(tru_world *a, tru_world *b) {
    const tru_solve_totals p = tru_world_solve_take(a), q = tru_world_solve_take(b);
    for (int k = 0; k < TRU_KINDS; k++)
        if (p.residual[k] != q.residual[k]) return false;
    return p.steps == q.steps && p.unconverged == q.unconverged && p.iterations == q.iterations &&
           p.most_iterations == q.most_iterations && p.worst_relative == q.worst_relative &&
           p.worst_time == q.worst_time && p.worst_speed == q.worst_speed && p.worst_a == q.worst_a &&
           p.worst_b == q.worst_b && p.lift == q.lift && p.hop == q.hop;
}

static bool same_verdict(const tru_world *a, const tru_world *b) {
    tru_verdict p, q;
    tru_error err;
    MUST(tru_judge(a, &p, &err));
    MUST(tru_judge(b, &q, &err));
    return memcmp(&p, &q, sizeof p) == 0;
}

/* Compares `count` worlds. At least the part `least` of their steps must be done in lanes. */
static void compare(const family *f, size_t count, int parts, uint64_t steps, double least) {
    uint64_t in_lanes = 0;
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
        check(saved_sum(alone[i]) == saved_sum(together[i])); /* events and the step before, too */
        check(same_verdict(alone[i], together[i]));
        check(same_totals(alone[i], together[i]));
        in_lanes += tru_profile_get(together[i]).lanes;
        tru_world_destroy(alone[i]);
        tru_world_destroy(together[i]);
    }
    const double part = (double)in_lanes / ((double)count * (double)parts * (double)steps);
    if (!check(part >= least)) printf("%s: only %.3g of the steps were done in lanes\n", f->stepper, part);
}

/* One family with each of both steppers. */
static void compare_both(family f, size_t count, int parts, uint64_t steps) {
    /* not in a lane are balls in flight, and those that turn by more than 1/2 rad in a step */
    const double least = f.drop > 0.0 || f.rate * f.step > 0.4 ? 0.2 : 0.8;
    f.stepper = "moreau";
    compare(&f, count, parts, steps, least);
    f.stepper = "cone";
    compare(&f, count, parts, steps, least);
}

TEST(slide_then_roll) {
    compare_both((family){.slide = 0.2, .speed = 2.0, .rate = 5.0, .step = 1e-3, .scale = 0.1}, 13, 1, 3000);
}
TEST(slide_and_roll) {
    compare_both((family){.slide = 0.3, .roll = 0.01, .speed = 1.0, .rate = 10.0, .step = 1e-3, .scale = 0.1}, 16, 1,
                 3000);
}
TEST(all_kinds_in_parts) {
    compare_both(
        (family){.slide = 0.3, .roll = 0.02, .spin = 0.02, .speed = 1.0, .rate = 10.0, .step = 5e-4, .scale = 0.05}, 9,
        7, 431);
}
TEST(slopes) {
    compare_both(
        (family){.slide = 0.2, .roll = 0.1, .spin = 0.02, .speed = 1.0, .step = 1e-3, .scale = 0.3, .slope = true}, 24,
        1, 2500);
}
TEST(tilted_planes) {
    compare_both(
        (family){.slide = 0.2, .roll = 0.02, .speed = 1.0, .rate = 3.0, .step = 1e-3, .scale = 1.0, .tilted = true}, 11,
        1, 2500);
}
TEST(balls_that_fall_and_bounce) {
    compare_both(
        (family){
            .slide = 0.3, .roll = 0.01, .speed = 1.0, .rate = 9.0, .step = 1e-3, .scale = 0.1, .drop = 0.05, .e = true},
        11, 1, 3000);
}
TEST(rolling_friction_alone) {
    compare_both((family){.roll = 0.02, .speed = 1.0, .rate = 9.0, .step = 1e-3, .scale = 0.1}, 8, 1, 1500);
}
TEST(spin_and_slide) {
    compare_both((family){.slide = 0.3, .spin = 0.02, .speed = 1.0, .rate = 9.0, .step = 1e-3, .scale = 0.1}, 8, 1,
                 1500);
}
TEST(one_world_alone) { compare_both((family){.slide = 0.2, .speed = 2.0, .step = 1e-3, .scale = 0.1}, 1, 3, 700); }
TEST(millimetres) {
    compare_both((family){.slide = 0.2, .roll = 0.05, .speed = 0.1, .step = 1e-4, .scale = 1e-3}, 8, 1, 4000);
}
TEST(long_steps) {
    compare_both((family){.slide = 0.2, .speed = 5.0, .rate = 30.0, .step = 2e-2, .scale = 2.0}, 8, 1, 800);
}

/* Worlds of several forms, and shapes that the lanes do not know, in one call. */
TEST(mixed_worlds) {
    const family f[3] = {{.stepper = "moreau", .slide = 0.2, .speed = 1.0, .step = 1e-3, .scale = 0.1},
                         {.stepper = "moreau", .slide = 0.2, .roll = 0.02, .speed = 1.0, .step = 1e-3, .scale = 0.1},
                         {.stepper = "cone", .slide = 0.2, .speed = 1.0, .step = 1e-3, .scale = 0.1}};
    const uint64_t seed = check_seed();
    tru_world *alone[9], *together[9];
    tru_status status[9];
    tru_error err, errs[9];
    for (uint64_t i = 0; i < 9; i++) {
        alone[i] = ball(&f[i % 3], seed, i);
        together[i] = ball(&f[i % 3], seed, i);
        MUST(tru_run(alone[i], 900, &err));
    }
    tru_run_many(together, 9, 900, status, errs);
    for (size_t i = 0; i < 9; i++) {
        check_status(status[i], TRU_OK);
        check(tru_state_hash(alone[i]) == tru_state_hash(together[i]));
        tru_world_destroy(alone[i]);
        tru_world_destroy(together[i]);
    }
}

/* The kernels of all instruction sets that the machine has, on the same lanes. */
TEST(kernels_agree) {
    lane_kernel *const kernels[] = {SIMD_VARIANTS(trui_ball_kernel)};
    static _Alignas(64) double first[BL_ROWS][WORLD_LANES], lanes[BL_ROWS][WORLD_LANES], other[BL_ROWS][WORLD_LANES];
    const uint64_t seed = check_seed();
    uint64_t done;
    for (uint32_t cone = 0; cone < 2; cone++) {
        const ball_form form = {TRU_KIND_BIT(TRU_KIND_SLIDE) | TRU_KIND_BIT(TRU_KIND_ROLL), cone};
        for (int row = 0; row < BL_ROWS; row++)
            for (int i = 0; i < WORLD_LANES; i++) first[row][i] = pick(seed, (uint64_t)row, (uint64_t)i, 0.1, 1.0);
        memcpy(lanes, first, sizeof lanes);
        const unsigned bad = trui_ball_kernel_generic(lanes, &form, 1, &done);
        for (int isa = SIMD_AVX2; isa <= SIMD_AVX512; isa++) {
            memcpy(other, first, sizeof other);
            if (!simd_supported(isa)) continue;
            check(kernels[isa](other, &form, 1, &done) == bad);
            check(memcmp(other, lanes, sizeof lanes) == 0);
        }
        check(bad == 0xffu && memcmp(first, lanes, BL_STATE * sizeof *lanes) == 0); /* nonsense is not done */
    }
}
