/* test_variational_se3.c: the scheme se3 of the stepper variational: rolling ellipsoid and rattleback, slip and stick, dry
 * resistance, the other rim; against [variational-equations 6, 7, 8] and elementary mechanics. */
#define _GNU_SOURCE
#include "check.h"
#include "worlds.h"

#include "math/quat.h"

#include <trundle/analysis.h>
#include <trundle/plugin.h>

#include <math.h>
#include <string.h>

/* A body on a floor, with the slip of its contact point. */
typedef struct setting {
    const char *shape;
    const void *params;
    double mass;
    tru_vec3 inertia, products; /* inertia.x TRU_DERIVED: of the shape */
    tru_quat q;
    tru_vec3 w, slip;
    double g;
    tru_coulomb friction;
    tru_rolling resist;
    tru_variational by;
} setting;

/* A number in [0, 1). */
static double fraction(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) * 0x1p-53;
}

static setting setting_of(const char *shape, const void *params, double mass) {
    setting s = {.shape = shape, .params = params, .mass = mass, .g = 9.81, .q = {1.0, 0.0, 0.0, 0.0}};
    s.inertia.x = TRU_DERIVED;
    s.friction = tru_default_coulomb();
    s.friction.slide = 5.0;
    s.resist = tru_default_rolling();
    s.by = tru_default_variational();
    s.by.step = 1e-3;
    return s;
}

static tru_world *world_of(const setting *s) {
    tru_error err;
    const tru_use laws[] = {{"coulomb", &s->friction}, {"rolling", &s->resist}};
    tru_shape_def plane = tru_default_shape_def(), shape = plane;
    tru_body_def ground = tru_default_body_def(), b = ground;
    tru_surface low;
    const tru_shape *kind = NULL;
    for (size_t k = 0; tru_shape_at(k); k++)
        if (strcmp(tru_shape_at(k)->name, s->shape) == 0) kind = tru_shape_at(k);
    tru_world *w = kit_create_world(v3(0.0, 0.0, -s->g));
    kit_set_pair(w, TRU_NONE, TRU_NONE, laws, 2, 0.0);
    plane.shape.name = "plane";
    ground.kind = TRU_FIXED;
    ground.shapes = &plane;
    ground.shape_count = b.shape_count = 1;
    MUST(tru_body_add(w, &ground, NULL, &err));
    shape.shape = (tru_use){s->shape, s->params};
    b.shapes = &shape;
    b.mass = s->mass;
    b.inertia = s->inertia;
    b.products = s->products;
    b.orientation = s->q;
    b.angular_velocity = s->w;
    kind->surface(s->params, quat_unrotate(s->q, v3(0, 0, -1)), &low);
    b.position = v3_neg(quat_rotate(s->q, low.point));
    b.velocity = v3_add(v3_cross(s->w, b.position), s->slip);
    MUST(tru_body_add(w, &b, NULL, &err));
    MUST(tru_stepper_set(w, "variational", &s->by, &err));
    MUST(tru_check(w, &err));
    return w;
}

static const tru_ellipsoid stone = {{0.1, 0.07, 0.05}};

static setting rolling_stone(double step) {
    setting s = setting_of("ellipsoid", &stone, 1.0);
    s.q = (tru_quat){cos(0.25), 0.8 * sin(0.25), 0.6 * sin(0.25), 0.0};
    s.w = v3(3.0, 2.0, 4.0);
    s.by.step = step;
    return s;
}

static double drifted(const tru_world *w) {
    const tru_ledger l = tru_world_ledger(w);
    return fabs(tru_ledger_gap(&l)) / (fabs(l.start) + l.kinetic);
}

/* [variational-equations 7]: errors of omega_2 at t = 1, order 2; the contact point at h = 1e-3. */
TEST(rolling_ellipsoid) {
    tru_error err;
    static const double error[] = {1.44e-3, 3.6e-4, 9.0e-5, 2.2e-5};
    for (int i = 0; i < 4; i++) {
        const setting s = rolling_stone(4e-3 / (1 << i));
        tru_world *w = world_of(&s);
        tru_contact_info c;
        for (int k = 0; k < 250 << i; k++) {
            MUST(tru_run(w, 1, &err));
            if (k > 2) check(tru_world_solve_info(w).iterations <= 3); /* Newton with the analytic derivative */
        }
        check_close(fabs(kit_get_state(w, 2).angular_velocity.y - 5.17396633), error[i], 0.03, 0.0);
        MUST(tru_contact_get(w, 0, &c, &err));
        check(fabs(c.gap) < 1e-16);
        if (i == 2) check(hypot(c.point.x + 0.123198182, c.point.y - 0.039688851) < 2.6e-6);
        check(drifted(w) < 1e-12);
        tru_world_destroy(w);
    }
}

/* A rattleback reverses its spin: omega_z from -3 to +1.8869 in 20 s. */
TEST(rattleback) {
    tru_error err;
    const tru_ellipsoid shape = {{0.2, 0.03, 0.02}};
    const double c = cos(0.03), n = sin(0.03), a = 8e-5, b = 1.6e-3;
    setting s = setting_of("ellipsoid", &shape, 0.2);
    s.inertia = v3(c * c * a + n * n * b, n * n * a + c * c * b, 1.65e-3);
    s.products = v3(c * n * (a - b), 0.0, 0.0);
    s.q = (tru_quat){cos(0.005), sin(0.005), 0.0, 0.0};
    s.w = v3(0.0, 0.02, -3.0);
    tru_world *w = world_of(&s);
    MUST(tru_run(w, 20000, &err));
    check_close(kit_get_state(w, 2).angular_velocity.z, 1.8869, 0.0, 5e-3);
    const tru_ledger l = tru_world_ledger(w);
    check_close(l.kinetic + l.potential, 0.04667, 0.0, 7e-6 + 1e-5);
    check(drifted(w) < 2e-11);
    tru_world_destroy(w);
}

/* ---- Runge-Kutta */

/* On the rolling ellipsoid the methods have their orders, towards the values of [variational-equations 7] (eight
 * digits); the ledger closes and the judge finds nothing. */
TEST(runge_kutta_of_any_body) {
    tru_error err;
    static const tru_vec3 there = {1.92410653, 5.17396633, 4.83873759};
    for (int scheme = TRU_RK2_MIDPOINT; scheme <= TRU_RK4; scheme++) {
        const double ratio = scheme == TRU_RK4 ? 16.0 : 4.0;
        tru_vec3 w[3];
        for (int i = 0; i < 3; i++) {
            setting s = rolling_stone(1e-3 / (1 << i));
            s.by.scheme = scheme;
            tru_world *world = world_of(&s);
            check(tru_step_order(world) == (scheme == TRU_RK4 ? 4 : 2));
            MUST(tru_run(world, (uint64_t)(1.0 / s.by.step + 0.5), &err));
            w[i] = kit_get_state(world, 2).angular_velocity;
            check(drifted(world) < 1e-12);
            tru_verdict v;
            MUST(tru_judge(world, &v, &err));
            check(v.spin < 1e-10 && v.momentum < 1e-12 && v.law[TRU_KIND_SLIDE] < 1e-11 &&
                  v.law[TRU_KIND_NORMAL] < 1e-11);
            tru_world_destroy(world);
        }
        const double coarse = v3_norm(v3_sub(w[0], w[1])), fine = v3_norm(v3_sub(w[1], w[2]));
        check_close(coarse / fine, ratio, 0.15, 0.0);
        check(v3_norm(v3_sub(w[2], there)) < fine / (ratio - 1.0) * 1.2 + 1e-8);
    }
}

/* A disk in its angles or in its attitude: the same motion, the difference falls with the fourth power of the step. */
TEST(runge_kutta_of_a_disk_in_two_sets_of_unknowns) {
    tru_error err;
    const tru_disk disk = {1.0, 0.5};
    double off[2];
    for (int i = 0; i < 2; i++) {
        tru_body_state end[2];
        for (int angles = 0; angles < 2; angles++) {
            setting s = setting_of("disk", &disk, 1.0);
            s.q = (tru_quat){cos(0.6), sin(0.6), 0.0, 0.0};
            s.w = v3(0.3, -6.0, 3.0);
            s.resist.roll_viscosity = 0.05;
            s.resist.spin_viscosity = 0.02;
            s.by.scheme = TRU_RK4;
            s.by.angles = angles;
            s.by.rim = TRU_RIM_FIRST;
            s.by.when_not_rolling = TRU_IDEAL;
            s.by.step = 1e-2 / (1 << i);
            tru_world *w = world_of(&s);
            MUST(tru_run(w, 100u << i, &err));
            end[angles] = kit_get_state(w, 2);
            check(drifted(w) < 1e-12);
            tru_world_destroy(w);
        }
        off[i] = v3_norm(v3_sub(end[0].position, end[1].position)) +
                 v3_norm(v3_sub(end[0].angular_velocity, end[1].angular_velocity));
    }
    check(off[0] < 1e-4 && off[0] > 0.0);
    check_close(off[0] / off[1], 16.0, 0.2, 0.0);
}

/* A ball against viscous resistance, by Runge-Kutta: exponentials. A constant torque about its axis spins it up. */
TEST(runge_kutta_with_forces) {
    tru_error err;
    const tru_sphere ball = {0.1};
    setting s = setting_of("sphere", &ball, 0.5);
    s.by.scheme = TRU_RK4;
    s.resist.roll_viscosity = 4e-3;
    s.resist.spin_viscosity = 1e-3;
    s.w = v3(0.0, 3.0, 2.0);
    tru_world *w = world_of(&s);
    tru_load_def load = tru_default_load_def();
    load.body = 2;
    load.torque = v3(0.0, 0.0, 1e-3);
    MUST(tru_load_add(w, &load, NULL, &err));
    MUST(tru_run(w, 1000, &err));
    const tru_vec3 rate = kit_get_state(w, 2).angular_velocity;
    check_close(rate.y, 3.0 * exp(-4e-3 / 7e-3), 1e-12, 0.0);
    check_close(rate.z, 1.0 + 1.0 * exp(-1e-3 / 2e-3), 1e-12, 0.0); /* towards torque over viscosity */
    const tru_ledger l = tru_world_ledger(w);
    check_close(l.loads - l.spin, 0.5 * 2e-3 * (rate.z * rate.z - 4.0), 0.0, 1e-12);
    check(drifted(w) < 1e-12);
    tru_world_destroy(w);
}

/* ---- slip */

static double quat_error(tru_quat a, tru_quat b) {
    return fmax(fmax(fabs(a.w - b.w), fabs(a.x - b.x)), fmax(fabs(a.y - b.y), fabs(a.z - b.z)));
}

/* [s] of the first event of a kind; -1: none. */
static double time_of(tru_world *w, int kind) {
    tru_event e[64];
    const size_t count = tru_events_take(w, e, 64, NULL);
    for (size_t k = 0; k < count; k++)
        if (e[k].kind == kind) return e[k].time;
    return -1.0;
}

/* Run E2: slip, arrival, rolling; errors at 0.6 s as in [variational-equations 8], second order through the
 * transition. */
TEST(ellipsoid_slips_then_rolls) {
    tru_error err;
    static const double error[] = {3.7e-5, 8.9e-6, 2.3e-6, 5.5e-7};
    const tru_quat there = {0.548462576, -0.089187903, -0.076923050, 0.827838852};
    for (int i = 0; i < 4; i++) {
        setting s = setting_of("ellipsoid", &stone, 1.0);
        s.friction.slide = 0.25;
        s.q = (tru_quat){cos(0.2), 0.6 * sin(0.2), 0.8 * sin(0.2), 0.0};
        s.w = v3(2.0, -3.0, 4.0);
        s.slip = v3(0.6, -0.3, 0.0);
        s.by.step = 2e-3 / (1 << i);
        s.by.when_not_rolling = TRU_SLIP;
        tru_world *w = world_of(&s);
        MUST(tru_run(w, 300u << i, &err));
        check_close(quat_error(kit_get_state(w, 2).orientation, there), error[i], 0.04, 0.0);
        check_close(time_of(w, TRU_EVENT_STICK), 0.26878357682, 0.0, 1.5 * s.by.step);
        check(drifted(w) < 1e-12);
        tru_world_destroy(w);
    }
}

/* Run E3: a disk that changes nine times between slip and roll; differences of halved steps fall by four. */
TEST(disk_slips_and_rolls) {
    tru_error err;
    const tru_disk disk = {0.05, 0.0};
    tru_quat q[4];
    for (int i = 0; i < 4; i++) {
        setting s = setting_of("disk", &disk, 0.3);
        s.friction.slide = 0.3;
        s.q = (tru_quat){cos(0.65), sin(0.65), 0.0, 0.0};
        s.w = v3(0.5, -30.0 * sin(1.3), 30.0 * cos(1.3) + 3.0);
        s.slip = v3(0.3, 0.05, 0.0);
        s.by.step = 2e-3 / (1 << i);
        s.by.when_not_rolling = TRU_SLIP;
        tru_world *w = world_of(&s);
        MUST(tru_run(w, 300u << i, &err));
        q[i] = kit_get_state(w, 2).orientation;
        tru_event e[32];
        size_t changes = 0;
        const size_t count = tru_events_take(w, e, 32, NULL);
        for (size_t k = 0; k < count; k++) changes += e[k].kind == TRU_EVENT_SLIP || e[k].kind == TRU_EVENT_STICK;
        check(changes == 9 || changes == 10); /* the first step says that it slips */
        check(drifted(w) < 1e-12);
        tru_world_destroy(w);
    }
    check_close(quat_error(q[0], q[1]), 3.05e-3, 0.03, 0.0);
    check_close(quat_error(q[0], q[1]) / quat_error(q[1], q[2]), 4.0, 0.05, 0.0);
    check_close(quat_error(q[1], q[2]) / quat_error(q[2], q[3]), 4.0, 0.05, 0.0);
}

/* Run E1, a ball: slips for 2 |u|/(7 mu g), then rolls with 5/7 v + 2/7 R omega x n. */
TEST(ball_slips_then_rolls) {
    tru_error err;
    const tru_sphere ball = {0.1};
    setting s = setting_of("sphere", &ball, 0.5);
    s.friction.slide = 0.2;
    s.w = v3(3.0, -4.0, 7.0);
    s.slip = v3_sub(v3(2.0, 0.5, 0.0), v3_cross(s.w, v3(0, 0, 0.1)));
    s.by.when_not_rolling = TRU_SLIP;
    tru_world *w = world_of(&s);
    MUST(tru_run(w, 500, &err));
    const tru_body_state end = kit_get_state(w, 2);
    check_close(end.velocity.x, 1.314285714286, 1e-11, 0.0);
    check_close(end.velocity.y, 0.271428571429, 1e-11, 0.0);
    check_close(time_of(w, TRU_EVENT_STICK), 0.368402814640, 0.0, 1.5e-3);
    tru_world_destroy(w);
}

/* Balls from 0.1 mm to 100 m, in steps from a tenth to a ten-thousandth of the time of slipping: a ball of mass m keeps
 * m r v + J w about its contact, so slip u leaves the velocity v - 2/7 u behind. The height of a small ball changes by less than its
 * own rounding in a short step. */
TEST(balls_slip_in_any_step) {
    uint64_t seed = check_seed();
    for (int i = 0; i < 40; i++) {
        const double radius = 1e-4 * pow(1e6, fraction(&seed)),
                     speed = sqrt(9.81 * radius) * pow(10.0, -fraction(&seed));
        const double mu = 0.1 * pow(15.0, fraction(&seed)), steps = 10.0 * pow(1e3, fraction(&seed));
        const double way = 6.28 * fraction(&seed), spin = 6.28 * fraction(&seed);
        const tru_sphere ball = {radius};
        setting s = setting_of("sphere", &ball, 2000.0 * radius * radius * radius);
        tru_error err = {TRU_OK, ""};
        s.w = v3_scale(speed / radius, v3(cos(spin), sin(spin), 0.7));
        s.slip = v3_scale(speed, v3(cos(way), sin(way), 0.0));
        s.friction.slide = mu;
        s.by.when_not_rolling = TRU_SLIP;
        s.by.step = speed / (3.5 * mu * 9.81) / steps;
        tru_world *w = world_of(&s);
        const tru_id id = 2;
        const tru_vec3 rolls = v3_madd(kit_get_state(w, id).velocity, -2.0 / 7.0, s.slip);
        const bool ran = tru_run(w, (uint64_t)(1.2 * steps) + 2, &err) >= 0;
        const double off = v3_norm(v3_sub(kit_get_state(w, id).velocity, rolls));
        if (!check(ran && off <= 1e-9 * speed))
            printf("radius %g m, step %g s: %g m/s off: %s\n", radius, s.by.step, off, err.text);
        tru_world_destroy(w);
    }
}

/* A contact point that leaves the plane cannot slip on it; slip belongs to this scheme; a lift ends the run. */
TEST(slip_has_limits) {
    tru_error err;
    setting s = rolling_stone(1e-3);
    s.by.when_not_rolling = TRU_SLIP;
    tru_world *w = world_of(&s);
    tru_body_state state = kit_get_state(w, 2);
    state.velocity.z += 0.25;
    MUST(tru_body_set(w, 2, &state, &err));
    check_status(tru_run(w, 1, &err), TRU_REFUSED);
    check_str(err.text,
              "stepper variational: body 'body-2' starts with a contact point that leaves the plane at 0.25 m/s; "
              "project: true takes that away");
    s.by.scheme = TRU_REDUCED;
    check_status(tru_stepper_set(w, "variational", &s.by, &err), TRU_CONFLICT);
    check_str(err.text, "stepper variational: when_not_rolling slip belongs to scheme se3");
    tru_world_destroy(w);
    s = rolling_stone(1e-3);
    s.w = v3(0.0, 40.0, 0.0);
    s.friction.slide = 1e3;
    w = world_of(&s);
    tru_status status = TRU_OK;
    uint64_t before = 0;
    for (int k = 0; k < 200 && status >= 0; k++) {
        before = tru_state_hash(w);
        status = tru_run(w, 1, &err);
    }
    check_status(status, TRU_NO_SOLUTION);
    check(tru_state_hash(w) == before);
    check(strstr(err.text, "body 'body-2' lifts off, rolling needs a normal force of -") != NULL);
    tru_world_destroy(w);
}

/* ---- resistance */

/* A ball that rolls against dry resistance: -5/7 roll g/R until it stops, and then it rests. */
TEST(dry_resistance_stops_a_ball) {
    tru_error err;
    const tru_sphere ball = {0.1};
    const double roll = 2e-3, spin = 1e-3, a = 5.0 / 7.0 * roll * 9.81 / 0.1, v0 = 0.1;
    setting s = setting_of("sphere", &ball, 0.5);
    s.resist.roll.length = roll;
    s.resist.spin.length = spin;
    s.w = v3(0.0, v0 / 0.1, 2.0);
    tru_world *w = world_of(&s);
    MUST(tru_run(w, 500, &err));
    check_close(kit_get_state(w, 2).velocity.x, v0 - 0.5 * a, 1e-10, 0.0);
    check_close(kit_get_state(w, 2).angular_velocity.z, 2.0 - 0.5 * spin * 9.81 / (0.4 * 0.01), 1e-10, 0.0);
    MUST(tru_run(w, 1500, &err));
    const tru_body_state end = kit_get_state(w, 2);
    check(v3_norm(end.velocity) < 1e-15 && v3_norm(end.angular_velocity) < 1e-14);
    check_close(end.position.x, 0.5 * v0 * v0 / a, 1e-5, 0.0);
    const tru_ledger l = tru_world_ledger(w);
    check_close(l.roll, 0.5 * 0.7 * v0 * v0, 1e-5, 0.0);
    check_close(l.spin, 0.5 * 0.4 * 0.5 * 0.01 * 4.0, 1e-5, 0.0);
    check(drifted(w) < 1e-12);
    tru_world_destroy(w);
}

/* Viscous: both rates decay, as exp(-c t/(J + m R^2)) and exp(-c t/J). */
TEST(viscous_resistance_slows_a_ball) {
    tru_error err;
    const tru_sphere ball = {0.1};
    setting s = setting_of("sphere", &ball, 0.5);
    s.resist.roll_viscosity = 4e-3;
    s.resist.spin_viscosity = 1e-3;
    s.w = v3(0.0, 3.0, 2.0);
    tru_world *w = world_of(&s);
    MUST(tru_run(w, 1000, &err));
    const tru_vec3 rate = kit_get_state(w, 2).angular_velocity;
    check_close(rate.y, 3.0 * exp(-4e-3 / 7e-3), 2e-6, 0.0); /* Cayley's rate of the step: (h omega)^2/4 slower */
    check_close(rate.z, 2.0 * exp(-1e-3 / 2e-3), 2e-6, 0.0);
    tru_world_destroy(w);
}

/* ---- friction that the first step needs */

/* A disk that rolls in a circle needs the same friction in every step: with 2 % more it rolls on, with 2 % less it slips in
 * step 1. Steps turn it by up to 0.3 rad, whose square is the error of the scheme. */
TEST(first_step_needs_the_friction_of_the_motion) {
    const double betas[] = {0.2, 0.6, 1.0}, ratios[] = {0.003, 0.03, 0.4}, turns[] = {1e-3, 0.03, 0.1, 0.3};
    const int schemes[] = {TRU_SE3, TRU_REDUCED, TRU_RK4};
    for (int i = 0; i < 3 * 3 * 4 * 3 * 3; i++) {
        tru_error err;
        tru_disk_steady st;
        const double radius = pow(10.0, (i / 36 % 3) * 2.5 - 3.0), turn = turns[i % 4];
        const tru_disk disk = {.radius = radius};
        setting s = setting_of("disk", &disk, radius * radius * radius);
        const tru_disk_body body = tru_disk_homogeneous(radius, s.mass, s.g);
        MUST(tru_disk_circular(&body, betas[i / 4 % 3], ratios[i / 12 % 3], &st, &err));
        const double theta = 0.5 * acos(-1.0) - st.beta;
        s.q = (tru_quat){cos(0.5 * theta), sin(0.5 * theta), 0.0, 0.0};
        s.w = v3_madd(v3(0.0, 0.0, st.alpha_rate), st.gamma_rate, v3(0.0, -sin(theta), cos(theta)));
        s.by.step = turn / v3_norm(s.w);
        s.by.scheme = schemes[i / 108];
        for (int more = 0; more < 2; more++) {
            s.friction.slide = st.demand * (more ? 1.02 + turn * turn : 0.98 - turn * turn);
            tru_world *w = world_of(&s);
            const tru_status status = tru_run(w, 3, &err);
            check(more ? status >= 0 : status == TRU_NO_SOLUTION && tru_steps_done(w) == 0);
            tru_world_destroy(w);
        }
    }
}

/* ---- the other rim */

/* Rates (0.4, 3, 6) of theta, phi, psi become (0.3619048, 2.5384615, 5.0769231) in the old rim's angles. */
TEST(impulse_of_the_other_rim) {
    tru_error err;
    const tru_disk disk = {1.0, 0.5};
    for (int scheme = TRU_SE3; scheme <= TRU_REDUCED; scheme++) {
        const double theta = M_PI / 2 - 1e-7;
        setting s = setting_of("disk", &disk, 1.0);
        s.inertia = v3(0.25, 0.25, 0.5);
        s.g = 9.8;
        s.q = (tru_quat){cos(0.5 * theta), sin(0.5 * theta), 0.0, 0.0};
        s.w = v3_add(v3(0.4, 0.0, 3.0), v3_scale(6.0, v3(0.0, -sin(theta), cos(theta))));
        s.by.step = 1e-6;
        s.by.scheme = scheme;
        s.by.when_not_rolling = TRU_IDEAL;
        tru_world *w = world_of(&s);
        MUST(tru_run(w, 1, &err));
        const tru_vec3 rate = kit_get_state(w, 2).angular_velocity; /* heading x, axis -y: theta', -psi', phi' */
        check_close(rate.x, 0.3619048, 0.0, 1e-5);
        check_close(rate.y, -5.0769231, 0.0, 1e-5);
        check_close(rate.z, 2.5384615, 0.0, 1e-5);
        tru_contact_info c;
        MUST(tru_contact_get(w, 0, &c, &err));
        check(c.feature == 3);
        tru_event e[4];
        const size_t count = tru_events_take(w, e, 4, NULL);
        bool told = false;
        for (size_t k = 0; k < count; k++)
            told |= e[k].kind == TRU_EVENT_TOUCH && fabs(e[k].time - 2.5e-7) < 5e-12 && e[k].speed > 0.1;
        check(told);
        s.by.when_not_rolling = TRU_STOP; /* needs 2.6 of friction in [variational-equations 6], more here */
        s.friction.slide = 1.0;
        tru_world_destroy(w);
        w = world_of(&s);
        check_status(tru_run(w, 1, &err), TRU_NO_SOLUTION);
        check(strstr(err.text, "body 'body-2' begins to slip, rolling needs ") != NULL);
        tru_world_destroy(w);
    }
}

/* Changes of rim accumulate near 5.7 s; the disk then stands on both, with 44.55 of its 45.99 J. */
TEST(changes_of_rim_accumulate) {
    tru_error err;
    const tru_disk disk = {1.0, 0.5};
    setting s = setting_of("disk", &disk, 1.0);
    s.inertia = v3(0.25, 0.25, 0.5);
    s.g = 9.8;
    s.q = (tru_quat){sqrt(0.5), sqrt(0.5), 0.0, 0.0};
    s.w = v3(M_PI / 8, -2 * M_PI, M_PI);
    s.by.when_not_rolling = TRU_IDEAL;
    s.by.project = true;
    tru_world *w = world_of(&s);
    MUST(tru_run(w, 1, &err));
    tru_ledger l = tru_world_ledger(w);
    check_close(l.kinetic + l.potential, 45.98694, 0.0, 1e-4);
    MUST(tru_run(w, 6499, &err));
    l = tru_world_ledger(w);
    check_close(l.kinetic + l.potential, 44.55, 0.0, 5e-3);
    check(tru_contact_count(w) == 2 && drifted(w) < 7e-12);
    tru_event e[128];
    const size_t count = tru_events_take(w, e, 128, NULL);
    double handover = 0.0;
    int touches = 0;
    for (size_t k = 0; k < count; k++) {
        if (e[k].kind == TRU_EVENT_HANDOVER && handover == 0.0) handover = e[k].time;
        touches += e[k].kind == TRU_EVENT_TOUCH;
    }
    check(touches >= 40 && handover > 5.5 && handover < 5.8);
    tru_world_destroy(w);
}

/* ---- many steps at once */

static bool same_ledger(const tru_world *a, const tru_world *b) {
    const tru_ledger x = tru_world_ledger(a), y = tru_world_ledger(b);
    return memcmp(&x, &y, sizeof x) == 0;
}

/* Steps at once are the steps one by one, to the last bit: state, ledger, events, counts, where a run ends. */
static void check_at_once(const setting *s, int steps) {
    tru_error err, other;
    tru_world *singly = world_of(s), *at_once = world_of(s), *in_parts = world_of(s);
    tru_status status = TRU_OK, parts = TRU_OK;
    for (int i = 0; i < steps && status >= 0; i++) status = tru_run(singly, 1, &err);
    const tru_status whole = tru_run(at_once, (uint64_t)steps, &other);
    check(whole == status);
    if (status < 0) check_str(other.text, err.text);
    for (int i = 0; i < steps && parts >= 0; i += 7)
        parts = tru_run(in_parts, i + 7 < steps ? 7 : (uint64_t)(steps - i), &other);
    const tru_world *all[2] = {at_once, in_parts};
    const tru_solve_totals t = tru_world_solve_take(singly);
    tru_event e[256], f[256];
    const size_t count = tru_events_take(singly, e, 256, NULL);
    for (int i = 0; i < 2; i++) {
        tru_world *w = i ? in_parts : at_once;
        check(tru_state_hash(all[i]) == tru_state_hash(singly) && same_ledger(all[i], singly));
        const tru_solve_totals u = tru_world_solve_take(w);
        check(u.steps == t.steps && u.iterations == t.iterations && u.most_iterations == t.most_iterations);
        check(tru_events_take(w, f, 256, NULL) == count && memcmp(e, f, count * sizeof *e) == 0);
        tru_world_destroy(w);
    }
    tru_world_destroy(singly);
}

TEST(steps_at_once) {
    const tru_disk thin = {0.05, 0.0}, thick = {1.0, 0.5};
    const tru_sphere ball = {0.1};
    setting s = rolling_stone(1e-3);
    check_at_once(&s, 500);
    s.w = v3(0.0, 40.0, 0.0); /* lifts off */
    s.friction.slide = 1e3;
    check_at_once(&s, 200);
    s = setting_of("disk", &thin, 0.3); /* E3: slips and rolls */
    s.friction.slide = 0.3;
    s.q = (tru_quat){cos(0.65), sin(0.65), 0.0, 0.0};
    s.w = v3(0.5, -30.0 * sin(1.3), 30.0 * cos(1.3) + 3.0);
    s.slip = v3(0.3, 0.05, 0.0);
    s.by.when_not_rolling = TRU_SLIP;
    check_at_once(&s, 600);
    s = setting_of("sphere", &ball, 0.5); /* comes to rest */
    s.resist.roll.length = 2e-3;
    s.resist.spin.length = 1e-3;
    s.w = v3(0.0, 1.0, 2.0);
    check_at_once(&s, 1000);
    s = rolling_stone(1e-3);
    s.by.scheme = TRU_RK2_HEUN;
    check_at_once(&s, 300);
    for (int scheme = TRU_SE3; scheme <= TRU_RK4; scheme++) { /* changes of rim, and moreau in the end */
        s = setting_of("disk", &thick, 1.0);
        s.inertia = v3(0.25, 0.25, 0.5);
        s.q = (tru_quat){sqrt(0.5), sqrt(0.5), 0.0, 0.0};
        s.w = v3(M_PI / 8, -2 * M_PI, M_PI);
        s.by.when_not_rolling = TRU_IDEAL;
        s.by.project = true;
        s.by.scheme = scheme;
        s.by.step = scheme == TRU_SE3 ? 2e-3 : 1e-2;
        check_at_once(&s, scheme == TRU_SE3 ? 3000 : 200);
        s.by.rim = TRU_RIM_FIRST;
        check_at_once(&s, 300);
    }
}
