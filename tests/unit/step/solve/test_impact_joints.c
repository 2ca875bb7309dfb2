/* test_impact_joints.c: Poisson's impact law through joints, against the classical impulses of struck linkages. */
#define _GNU_SOURCE
#include "draw.h"
#include "check.h"
#include "zoo.h"

#include <math.h>

static const tru_vec3 zero = {0.0, 0.0, 0.0}, along_y = {0.0, 1.0, 0.0};
static const tru_quat one = {1.0, 0.0, 0.0, 0.0};

#define H    1e-3 /* [s] */
#define L    0.5  /* [m] of a rod */
#define M    1.3  /* [kg] of a rod */
#define J    0.04 /* [kg m^2] of a rod about its centre */
#define BALL 0.7  /* [kg] */
#define FAST 2.0  /* [m/s] of the ball */

static tru_world *space(double slide, double e, double g) {
    tru_world *w = kit_create_world((tru_vec3){0.0, 0.0, -g});
    if (slide > 0.0)
        kit_set_dry_pair(w, slide, 0.0, 0.0, e);
    else
        kit_set_pair(w, TRU_NONE, TRU_NONE, NULL, 0, e);
    return w;
}

/* A rod along x, all of whose moments about its centre are J. */
static tru_id add_rod(tru_world *w, const char *name, double x) {
    const tru_box box = {{L, 0.02, 0.02}};
    return kit_add_body(w, {.name = name, .shape = {"box", &box}, .mass = M, .inertia = {J, J, J}, .position.x = x});
}

/* A ball that strikes the rod below it at x. */
static tru_id add_ball(tru_world *w, double x) {
    const tru_sphere s = {0.02};
    return kit_add_body(
        w, {.name = "ball", .shape = {"sphere", &s}, .mass = BALL, .position = {x, 0.0, 0.03}, .velocity.z = -FAST});
}

static double kinetic(const tru_world *w) { return tru_world_ledger(w).kinetic; }

static void check_books(const tru_world *w, double scale) {
    const tru_ledger l = tru_world_ledger(w);
    if (!check(fabs(tru_ledger_gap(&l)) < 1e-13 * scale)) printf("gap %g J\n", tru_ledger_gap(&l));
    check(l.theta_shift == 0.0 || fabs(l.theta_shift) < 1e-13 * scale);
}

/* [N s] What the ball loses to a linkage whose struck point answers an impulse P with the speed P/m. */
static double strike(double e, double m) { return (1.0 + e) * FAST / (1.0 / BALL + 1.0 / m); }

/* A rod that hangs on a fixed hinge at its end, struck at distance d from it: w = P d/(J + M L^2/4), and the hinge adds
 * M w L/2 - P. At the centre of percussion that is nothing. */
static void struck_rod(double d, double e) {
    tru_error err;
    tru_joint_info hinge;
    tru_world *w = space(0.0, e, 0.0);
    const tru_box small = {{0.01, 0.01, 0.01}};
    const tru_id post = kit_add_solid(w, "post", TRU_FIXED, "box", &small, (tru_vec3){-1.0, 0.0, 0.0}, one, zero, zero);
    const tru_id rod = add_rod(w, "rod", 0.5 * L), ball = add_ball(w, d);
    const tru_id pivot = kit_add_joint(w, "pivot", "hinge", NULL, rod, post, zero, along_y);
    kit_set_cone(w, H, TRU_EXACT, TRU_POISSON_IMPACT, (tru_use){0});
    const double before = kinetic(w), inertia = J + 0.25 * M * L * L, p = strike(e, inertia / (d * d));
    MUST(tru_run(w, 1, &err));
    const tru_body_state s = kit_get_state(w, rod);
    check_close(kit_get_state(w, ball).velocity.z, -FAST + p / BALL, 0.0, 1e-12);
    check_close(s.angular_velocity.y, p * d / inertia, 1e-12, 0.0);
    MUST(tru_joint_get(w, pivot, &hinge, &err));
    check_close(hinge.force.z * H, p - M * s.angular_velocity.y * 0.5 * L, 0.0, 1e-11);
    check_close(hinge.force.x, 0.0, 0.0, 1e-9);
    check_close(kinetic(w) / before, 1.0 - (1.0 - e * e) * 0.5 * p / (1.0 + e) * FAST / before, 1e-12, 0.0);
    check_close(tru_world_ledger(w).impact, before - kinetic(w), 0.0, 1e-13 * before);
    check_books(w, before);
    tru_world_destroy(w);
}

/* ---- one impact on a linkage: impulses of closed form ---- */

TEST(rod_on_a_hinge) {
    const double percussion = (J + 0.25 * M * L * L) / (0.5 * M * L);
    for (int i = 0; i <= 4; i++) {
        struck_rod(0.9 * L, 0.25 * i);
        struck_rod(percussion, 0.25 * i);
        struck_rod(0.3 * L, 0.25 * i);
    }
}

/* n rods in a row, hinged to each other, struck across at the left end. With F_k the impulse of hinge k on the rod right of it
 * and c = M L^2/4J, hinges that stay closed ask for (1 - c) F_(k-1) - 2 (1 + c) F_k + (1 - c) F_(k+1) = 0 with F_1 = P and F at
 * the end 0 (Routh's chain: c = 3 and ratios near -2 + sqrt(3)). F_k = P f_k, by recursion from the end. */
static void chain_ratios(int n, double *f) {
    const double c = 0.25 * M * L * L / J;
    f[n] = 0.0;
    for (int k = n - 1; k >= 1; k--) f[k] = (1.0 - c) / (2.0 * (1.0 + c) - (1.0 - c) * f[k + 1]); /* F_k/F_(k-1) */
    f[0] = 1.0;
    for (int k = 1; k <= n; k++) f[k] *= f[k - 1];
}

static void struck_chain(int n, double e) {
    tru_error err;
    tru_id rods[60];
    double f[61];
    const double c = 0.25 * M * L * L / J;
    tru_world *w = space(0.0, e, 0.0);
    for (int k = 0; k < n; k++) {
        char name[16];
        snprintf(name, sizeof name, "rod %d", k);
        rods[k] = add_rod(w, name, (0.5 + k) * L);
        snprintf(name, sizeof name, "pin %d", k);
        if (k > 0) kit_add_joint(w, name, "hinge", NULL, rods[k], rods[k - 1], (tru_vec3){k * L, 0.0, 0.0}, along_y);
    }
    const tru_id ball = add_ball(w, 0.0);
    kit_set_cone(w, H, TRU_EXACT, TRU_POISSON_IMPACT, (tru_use){0});
    const double before = kinetic(w);
    MUST(tru_run(w, 1, &err));
    chain_ratios(n, f);
    const double p = strike(e, M / ((1.0 - f[1]) + c * (1.0 + f[1])));
    bool good = check_close(kit_get_state(w, ball).velocity.z, -FAST + p / BALL, 0.0, 1e-10);
    for (int k = 0; k < n; k++) {
        const tru_body_state s = kit_get_state(w, rods[k]);
        good &= check_close(s.velocity.z, -p * (f[k] - f[k + 1]) / M, 0.0, 1e-10);
        good &= check_close(s.angular_velocity.y, -0.5 * L * p * (f[k] + f[k + 1]) / J, 0.0, 1e-9);
    }
    if (!good) printf("chain of %d, e %g\n", n, e);
    check_close(kinetic(w) / before, 1.0 - (1.0 - e * e) * 0.5 * p / (1.0 + e) * FAST / before, 1e-10, 0.0);
    check_books(w, before);
    tru_world_destroy(w);
}

/* Few hinges are held by a matrix, many by proxnewton. */
TEST(end_of_a_chain) {
    for (int i = 0; i <= 2; i++) {
        struck_chain(2, 0.5 * i);
        struck_chain(7, 0.5 * i);
        struck_chain(40, 0.5 * i);
    }
}

/* Motors: one without a limit keeps its speed through the impact, as if its rod could not be turned; one with a limit, and a
 * seal, have no say in it, and act in the rest of the step, h times their limit, while the ball keeps its speed from the rod. */
TEST(motors_and_seals) {
    for (int kind = 0; kind < 3; kind++) {
        tru_error err;
        tru_world *w = space(0.0, 0.5, 0.0);
        tru_motor motor = tru_default_motor();
        const tru_seal seal = {.force = TRU_DERIVED, .torque = 3.0};
        const tru_box small = {{0.01, 0.01, 0.01}};
        const tru_id post =
            kit_add_solid(w, "post", TRU_FIXED, "box", &small, (tru_vec3){-1.0, 0.0, 0.0}, one, zero, zero);
        const tru_id rod = add_rod(w, "rod", 0.5 * L), ball = add_ball(w, 0.4);
        motor.speed = 0.0;
        if (kind == 1) motor.torque = 3.0;
        kit_add_joint(w, "pivot", "hinge", NULL, rod, post, zero, along_y);
        kit_add_joint(w, "drive", kind == 2 ? "seal" : "motor", kind == 2 ? (const void *)&seal : &motor, rod, post,
                      zero, along_y);
        kit_set_cone(w, H, TRU_EXACT, TRU_POISSON_IMPACT, (tru_use){0});
        const double before = kinetic(w), inertia = J + 0.25 * M * L * L;
        MUST(tru_run(w, 1, &err));
        const double slows = kind == 0 ? 0.0 : H * 3.0, follows = 0.4 * slows / inertia / (1.0 / BALL + 0.16 / inertia);
        const double p = (kind == 0 ? 1.5 * FAST * BALL : strike(0.5, inertia / 0.16)) + follows;
        check_close(kit_get_state(w, ball).velocity.z, -FAST + p / BALL, 0.0, 1e-12);
        check_close(kit_get_state(w, rod).angular_velocity.y, kind == 0 ? 0.0 : (p * 0.4 - slows) / inertia, 0.0,
                    1e-11);
        const tru_ledger l = tru_world_ledger(w);
        check(fabs(tru_ledger_gap(&l)) < 1e-13 * before);
        tru_world_destroy(w);
    }
}

/* ---- what an impact leaves alone ---- */

/* A mechanism that nothing strikes takes no part, nor do stones on the floor beside it: e = 0 there and here is the plain step. */
TEST(what_is_not_struck_goes_its_way) {
    tru_body_state s[2][2];
    for (int k = 0; k < 2; k++) {
        tru_error err;
        tru_world *w = space(0.3, 0.5, 9.81);
        const tru_box small = {{0.01, 0.01, 0.01}}, arm = {{0.3, 0.05, 0.04}};
        kit_add_floor(w);
        const tru_id post =
            kit_add_solid(w, "post", TRU_FIXED, "box", &small, (tru_vec3){0.0, 0.0, 3.0}, one, zero, zero);
        const tru_id rod = kit_add_solid(w, "rod", TRU_FREE, "box", &arm, (tru_vec3){0.15, 0.0, 2.0}, one, zero, zero);
        const tru_id stone =
            kit_add_solid_ball(w, "stone", 0.1, (tru_vec3){4.0, 0.0, 0.1}, (tru_vec3){0.2, 0.0, 0.0}, zero);
        kit_add_joint(w, "pivot", "ball", NULL, rod, post, (tru_vec3){0.0, 0.0, 2.0}, along_y);
        if (k == 1) kit_add_solid_ball(w, "drop", 0.1, (tru_vec3){8.0, 0.0, 0.3}, zero, zero);
        kit_set_cone(w, H, TRU_EXACT, TRU_POISSON_IMPACT, (tru_use){0});
        MUST(tru_run(w, 400, &err));
        s[k][0] = kit_get_state(w, rod);
        s[k][1] = kit_get_state(w, stone);
        tru_world_destroy(w);
    }
    check(memcmp(&s[0][0].velocity, &s[1][0].velocity, sizeof s[0][0].velocity) == 0);
    check(memcmp(&s[0][0].angular_velocity, &s[1][0].angular_velocity, sizeof s[0][0].velocity) == 0);
    check_close(s[1][1].velocity.x, s[0][1].velocity.x, 1e-12, 0.0);
}

/* e = 0: both laws are the plain inelastic step; a trace of e changes it by a trace. */
TEST(no_restitution_is_the_inelastic_step) {
    double v[3];
    for (int k = 0; k < 3; k++) {
        tru_error err;
        tru_world *w = space(0.3, k == 2 ? 1e-9 : 0.0, 0.0);
        const tru_id a = add_rod(w, "a", 0.5 * L), b = add_rod(w, "b", 1.5 * L);
        kit_add_joint(w, "pin", "hinge", NULL, a, b, (tru_vec3){L, 0.0, 0.0}, along_y);
        add_ball(w, 0.02);
        kit_set_cone(w, H, TRU_EXACT, k == 0 ? TRU_NEWTON_IMPACT : TRU_POISSON_IMPACT, (tru_use){0});
        MUST(tru_run(w, 1, &err));
        v[k] = kit_get_state(w, b).velocity.z;
        tru_world_destroy(w);
    }
    check(v[0] == v[1]);
    check_close(v[2], v[0], 1e-7, 0.0);
}

/* ---- random linkages: energy and books ---- */

/* A linkage of boxes and balls by random joints, over a rough floor that its first and last member touch, thrown as one: with a
 * velocity and a rate about the origin that no joint objects to. All members have isotropic inertia. */
static tru_world *thrown(int form, double slide, double e, draw *d) {
    static const char *const kinds[] = {"ball", "hinge", "distance", "slider", "fixed"};
    const tru_box box = {{0.2, 0.1, 0.08}};
    const tru_sphere ball = {0.04};
    tru_error err;
    tru_world *w = space(slide, e, 0.0);
    tru_id last = 0;
    kit_add_floor(w);
    const tru_vec3 v = {draw_in(d, -2.0, 2.0), draw_in(d, -2.0, 2.0), -2.0}, rate = v3_scale(0.5, draw_vec(d));
    for (int i = 0; i < 6; i++) {
        char name[16];
        tru_shape_def shape = tru_default_shape_def();
        tru_body_def b = tru_default_body_def();
        shape.shape = i % 2 ? (tru_use){"sphere", &ball} : (tru_use){"box", &box};
        snprintf(name, sizeof name, "link %d", i);
        b.name = name;
        b.mass = draw_in(d, 0.5, 2.0);
        const double j = 2e-3 * b.mass;
        b.inertia = (tru_vec3){j, j, j};
        b.position = (tru_vec3){0.15 * i - 0.375, 0.02 * i, 0.04};
        b.angular_velocity = rate;
        b.velocity = v3_add(v, v3_cross(rate, b.position));
        b.shapes = &shape;
        b.shape_count = 1;
        tru_id id;
        MUST(tru_body_add(w, &b, &id, &err));
        const char *kind = kinds[(int)draw_in(d, 0.0, 4.999)];
        const double apart = strcmp(kind, "distance") == 0 ? 0.03 : 0.0;
        const tru_vec3 at = {b.position.x - 0.06, b.position.y, draw_in(d, 0.02, 0.06)};
        snprintf(name, sizeof name, "joint %d", i);
        if (i > 0)
            kit_add_joint_between(w, name, kind, NULL, id, last, at, (tru_vec3){at.x - apart, at.y, at.z},
                                  (tru_vec3){0.3, 1.0, draw_in(d, -1.0, 1.0)});
        last = id;
    }
    kit_set_cone(w, H, form, TRU_POISSON_IMPACT, (tru_use){0});
    return w;
}

/* The same e everywhere: the impact gains nothing; without friction e = 1 keeps all. */
TEST(thrown_linkages_gain_nothing) {
    const uint64_t seed = check_seed();
    for (uint64_t i = 0; i < 60; i++) {
        const int form = i % 3 == 2 ? TRU_RELAXED : TRU_EXACT;
        const bool rough = i % 2;
        const double e = i % 4 < 2 ? 1.0 : 0.6;
        tru_error err;
        draw d = {seed + i, 5, 0};
        tru_world *w = thrown(form, rough ? 0.5 : 0.0, e, &d);
        const double before = kinetic(w);
        const tru_status status = tru_run(w, 1, &err);
        must(status, &err, "thrown");
        const double gain = kinetic(w) / before - 1.0;
        bool good = check(status == TRU_OK) & check(gain < 1e-12);
        if (e == 1.0 && !rough) good &= check(fabs(gain) < 1e-12);
        if (e < 1.0) good &= check(gain < -1e-3);
        if (!good)
            printf("seed %llu + %llu: gain %g, %s\n", (unsigned long long)seed, (unsigned long long)i, gain, err.text);
        tru_world_destroy(w);
    }
}

/* On through more impacts: books close and the judge finds every step good. */
TEST(thrown_linkages_are_booked) {
    const uint64_t seed = check_seed();
    for (uint64_t i = 0; i < 4; i++) {
        tru_error err;
        draw d = {seed + i, 6, 0};
        tru_world *w = thrown(i % 2 ? TRU_RELAXED : TRU_EXACT, 0.4, 0.3 * (double)i, &d);
        const double start = kinetic(w);
        double balance = 0.0, motion = 0.0, law = 0.0, joint = 0.0;
        for (int k = 0; k < 300; k++) {
            tru_verdict v;
            const tru_status status = tru_run(w, 1, &err);
            must(status, &err, "thrown");
            MUST(tru_judge(w, &v, &err));
            const tru_ledger l = tru_world_ledger(w);
            balance = fmax(balance, fabs(tru_ledger_gap(&l)) / start);
            motion = fmax(motion, fmax(v.momentum, 0.1 * v.spin));
            joint = fmax(joint, fmax(v.joint, 0.1 * v.joint_turn));
            if (status == TRU_OK) law = fmax(law, v.law[0]);
        }
        if (!(check(balance < 1e-12) & check(motion < 1e-11) & check(law < 1e-7) & check(joint < 1e-9)))
            printf("seed %llu + %llu: balance %.3g, motion %.3g, law %.3g, joint %.3g\n", (unsigned long long)seed,
                   (unsigned long long)i, balance, motion, law, joint);
        tru_world_destroy(w);
    }
}
