/* test_joints.c: joints against elementary mechanics: pendulums, a crank, motors, seals; what is refused and remarked. */
#define _GNU_SOURCE
#include "check.h"
#include "zoo.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

#define G  9.81
#define PI 3.14159265358979323846

static tru_world *empty_world(tru_vec3 gravity) {
    tru_world *w = kit_create_world(gravity);
    kit_set_pair(w, TRU_NONE, TRU_NONE, NULL, 0, 0.0);
    return w;
}

/* A box, free or fixed, with mass and inertia of its own. */
static tru_id add_box(tru_world *w, const char *name, bool fixed, tru_vec3 x, tru_vec3 size, double mass, tru_quat q) {
    const tru_box box = {size};
    return kit_add_body(w, {.name = name,
                            .kind = fixed ? TRU_FIXED : TRU_FREE,
                            .shape = {"box", &box},
                            .mass = fixed ? 0.0 : mass,
                            .position = x,
                            .orientation = q});
}

static const tru_quat upright = {1.0, 0.0, 0.0, 0.0};

static tru_joint_info info_of(const tru_world *w, tru_id id) {
    tru_error err;
    tru_joint_info i;
    MUST(tru_joint_get(w, id, &i, &err));
    return i;
}

enum { MIDPOINT, PAPER, CONE, WAYS };
static const char *const way_names[WAYS] = {"midpoint", "paper", "cone"};

static void set_way(tru_world *w, int way, double h) {
    tru_error err;
    if (way != CONE) {
        tru_moreau m = tru_default_moreau();
        m.step = h;
        m.scheme = way == MIDPOINT ? TRU_MIDPOINT : TRU_PAPER;
        MUST(tru_stepper_set(w, "moreau", &m, &err));
        return;
    }
    tru_cone c = tru_default_cone();
    c.step = h;
    MUST(tru_stepper_set(w, "cone", &c, &err));
}

static double ledger_gap(const tru_world *w) {
    const tru_ledger l = tru_world_ledger(w);
    return tru_ledger_gap(&l);
}

/* K(k) by the arithmetic-geometric mean. */
static double elliptic_k(double k) {
    double a = 1.0, b = sqrt(1.0 - k * k);
    while (a - b > 1e-15) {
        const double c = 0.5 * (a + b);
        b = sqrt(a * b);
        a = c;
    }
    return 0.5 * PI / a;
}

/* A rod that hangs from a pivot at the origin by joint `kind`, turned by `angle` about y. */
static tru_id pendulum(tru_world *w, const char *kind, double angle, tru_id *pivot) {
    const double l = 0.5;
    const tru_id post = add_box(w, "post", true, v3(0, 0, 5.0), v3(0.1, 0.1, 0.1), 0.0, upright);
    const tru_id rod = add_box(w, "rod", false, v3(-l * sin(angle), 0, -l * cos(angle)), v3(0.2, 0.25, 1.0), 2.0,
                               (tru_quat){cos(0.5 * angle), 0, sin(0.5 * angle), 0});
    *pivot = kit_add_joint(w, "pivot", kind, NULL, rod, post, v3(0, 0, 0), v3(0, 1, 0));
    return rod;
}

/* [s] of the physical pendulum released at `angle`: 4 sqrt(J/(m g l)) K(sin(angle/2)). */
static double pendulum_period(double angle) {
    const double m = 2.0, l = 0.5, j = m * (0.2 * 0.2 + 1.0) / 12.0 + m * l * l;
    return 4.0 * sqrt(j / (m * G * l)) * elliptic_k(sin(0.5 * angle));
}

/* [rad] off the vertical after a quarter of a period in n steps, where it should be 0. */
static double quarter_error(int way, const char *kind, double angle, int n) {
    tru_error err;
    tru_id pivot;
    tru_world *w = empty_world(v3(0, 0, -G));
    const tru_id rod = pendulum(w, kind, angle, &pivot);
    set_way(w, way, 0.25 * pendulum_period(angle) / n);
    MUST(tru_run(w, (uint64_t)n, &err));
    const tru_body_state s = kit_get_state(w, rod);
    const double off = atan2(s.position.x, -s.position.z);
    check(fabs(ledger_gap(w)) < 1e-13 * 20.0);
    tru_world_destroy(w);
    return off;
}

/* ---- positional joints: motions and reactions of closed form ---- */

TEST(pendulum_takes_its_time) {
    const char *const kinds[] = {"ball", "hinge"};
    for (int way = 0; way < WAYS; way++)
        for (int k = 0; k < 2; k++) {
            const double e1 = quarter_error(way, kinds[k], 1.0, 100), e2 = quarter_error(way, kinds[k], 1.0, 200),
                         e3 = quarter_error(way, kinds[k], 1.0, 400), order = log2((e1 - e2) / (e2 - e3));
            const int expected = way == CONE ? 1 : 2; /* without friction the paper's scheme is symmetric too */
            if (!check(fabs(order - expected) < 0.1)) printf("%s, %s: order %g\n", way_names[way], kinds[k], order);
            const double limit = (expected == 2 ? e1 - e2 : 2.0 * (e2 - e3)); /* what the order leaves */
            if (!check(fabs(e3) < 1.5 * fabs(limit))) printf("%s: %g rad off\n", way_names[way], e3);
        }
}

/* Hung straight, it stays so, carries its weight, and the joint says so; the first step has it already. */
TEST(reaction_carries_the_weight) {
    for (int way = 0; way < WAYS; way++) {
        tru_error err;
        tru_id pivot;
        tru_world *w = empty_world(v3(0, 0, -G));
        const tru_id rod = pendulum(w, "hinge", 0.0, &pivot);
        set_way(w, way, 1e-3);
        for (int i = 0; i < 50; i++) {
            MUST(tru_run(w, 1, &err));
            const tru_joint_info p = info_of(w, pivot);
            check_close(p.force.z, 2.0 * G, 1e-12, 0.0);
            check_close(v3_norm(p.torque) + fabs(p.force.x) + fabs(p.force.y), 0.0, 0.0, 1e-12);
            check_close(v3_norm(kit_get_state(w, rod).velocity), 0.0, 0.0, 1e-14);
        }
        tru_verdict v;
        MUST(tru_judge(w, &v, &err));
        check(v.joint < 1e-14 && v.joint_turn < 1e-13 && v.momentum < 1e-14);
        tru_world_destroy(w);
    }
}

/* A push at the end of a beam that is built in: force and moment of the clamp. */
TEST(clamp_holds_force_and_moment) {
    for (int way = 0; way < WAYS; way++) {
        tru_error err;
        tru_world *w = empty_world(v3(0, 0, -G));
        const tru_id wall = add_box(w, "wall", true, v3(-0.1, 0, 0), v3(0.2, 1, 1), 0.0, upright);
        const tru_id beam = add_box(w, "beam", false, v3(0.5, 0, 0), v3(1.0, 0.1, 0.1), 3.0, upright);
        const tru_id clamp_id = kit_add_joint(w, "clamp", "fixed", NULL, beam, wall, v3(0, 0, 0), v3(1, 0, 0));
        tru_load_def load = tru_default_load_def();
        load.body = beam;
        load.force = v3(0, 7.0, 0);
        load.torque = v3(0.3, 0, 0);
        MUST(tru_load_add(w, &load, NULL, &err));
        set_way(w, way, 1e-3);
        MUST(tru_run(w, 200, &err));
        const tru_joint_info c = info_of(w, clamp_id);
        check_close(v3_norm(v3_sub(c.force, v3(0, -7.0, 3.0 * G))), 0.0, 0.0, 1e-10);
        /* about the clamp: weight turns it by +y, the push by +z, and the clamp against both */
        check_close(v3_norm(v3_sub(c.torque, v3(-0.3, -0.5 * 3.0 * G, -0.5 * 7.0))), 0.0, 0.0, 1e-10);
        check(c.apart < 1e-14 && c.turned < 1e-14);
        tru_world_destroy(w);
    }
}

/* Two rods, chaotic: the ledger closes, the joints stay closed to O(h^2) or better, the judge agrees. */
static double double_pendulum(int way, double h, double *apart) {
    tru_error err;
    tru_id first;
    tru_world *w = empty_world(v3(0, 0, -G));
    const tru_id upper = pendulum(w, "hinge", 0.5 * PI, &first);
    const tru_id lower = add_box(w, "lower", false, v3(-1.0, 0.1, 0.5), v3(0.2, 0.25, 1.0), 1.5, upright);
    const tru_id elbow = kit_add_joint(w, "elbow", "ball", NULL, lower, upper, v3(-1.0, 0.05, 0.0), v3(0, 1, 0));
    set_way(w, way, h);
    double worst = 0.0;
    *apart = 0.0;
    for (int i = 0; i < (int)lround(2.0 / h); i++) {
        MUST(tru_run(w, 1, &err));
        worst = fmax(worst, fabs(ledger_gap(w)));
        *apart = fmax(*apart, fmax(info_of(w, elbow).apart, info_of(w, first).apart));
    }
    tru_verdict v;
    MUST(tru_judge(w, &v, &err));
    if (!check(v.joint < 1e-12 && v.joint_turn < 1e-11 && v.momentum < 1e-12 &&
               v.spin < (way == MIDPOINT ? 1e-7 : 1e-10)))
        printf("%s: judge %g %g %g %g\n", way_names[way], v.joint, v.joint_turn, v.momentum, v.spin);
    const tru_ledger l = tru_world_ledger(w);
    check(fabs(l.stabilisation) > 1e-12); /* and the balance needs it */
    tru_world_destroy(w);
    return worst;
}

TEST(double_pendulum_balances) {
    for (int way = 0; way < WAYS; way++) {
        double apart1, apart2;
        check(double_pendulum(way, 2e-3, &apart1) < 1e-11);
        check(double_pendulum(way, 1e-3, &apart2) < 1e-11);
        const double order = log2(apart1 / apart2), expected = way == MIDPOINT ? 3.0 : 2.0;
        if (!check(order > expected - 0.3)) printf("%s: joints %g and %g m apart\n", way_names[way], apart1, apart2);
    }
}

/* Midpoint: energy of the double pendulum at fixed time converges with h^2. */
static double energy_drift(double h) {
    tru_error err;
    tru_id first;
    tru_world *w = empty_world(v3(0, 0, -G));
    const tru_id upper = pendulum(w, "hinge", 0.5 * PI, &first);
    const tru_id lower = add_box(w, "lower", false, v3(-1.0, 0.0, 0.5), v3(0.2, 0.25, 1.0), 1.5, upright);
    kit_add_joint(w, "elbow", "hinge", NULL, lower, upper, v3(-1.0, 0.0, 0.0), v3(0, 1, 0));
    set_way(w, MIDPOINT, h);
    MUST(tru_run(w, (uint64_t)lround(0.5 / h), &err));
    const tru_ledger l = tru_world_ledger(w);
    tru_world_destroy(w);
    return l.kinetic + l.potential - l.start;
}

TEST(double_pendulum_keeps_its_energy) {
    const double e1 = energy_drift(2e-3), e2 = energy_drift(1e-3), e3 = energy_drift(5e-4);
    if (!check(log2(fabs(e1 / e2)) > 1.8 && log2(fabs(e2 / e3)) > 1.8)) printf("drift %g %g %g J\n", e1, e2, e3);
}

/* ---- mechanisms, motors and seals: work and torque balance ---- */

/* Crank r, rod l, slider on the x axis: x = r cos(phi) + sqrt(l^2 - r^2 sin^2(phi)); the motor's work is what the bodies
 * gained, and its torque is power over speed. */
TEST(slider_crank_goes_where_it_must) {
    const double r = 0.1, l = 0.3, omega = 12.0, h = 5e-4;
    for (int way = 0; way < WAYS; way++) {
        tru_error err;
        tru_world *w = empty_world(v3(0, 0, -G));
        const tru_vec3 y = {0, 1, 0};
        const tru_id frame = add_box(w, "frame", true, v3(0, 0.5, 0), v3(0.1, 0.1, 0.1), 0.0, upright);
        const tru_id crank = add_box(w, "crank", false, v3(0.5 * r, 0.2, 0), v3(r, 0.02, 0.02), 0.5, upright);
        const tru_id rod = add_box(w, "rod", false, v3(r + 0.5 * l, 0, 0), v3(l, 0.02, 0.02), 0.4, upright);
        const tru_id block_id = add_box(w, "block", false, v3(r + l, -0.2, 0), v3(0.05, 0.05, 0.05), 0.8, upright);
        kit_add_joint(w, "bearing", "hinge", NULL, crank, frame, v3(0, 0.3, 0), y);
        kit_add_joint(w, "pin", "ball", NULL, rod, crank, v3(r, 0.1, 0), y);
        kit_add_joint(w, "wrist", "hinge", NULL, rod, block_id, v3(r + l, -0.1, 0), y);
        const tru_id way_id = kit_add_joint(w, "way", "slider", NULL, block_id, frame, v3(r + l, -0.2, 0), v3(1, 0, 0));
        tru_motor m = tru_default_motor();
        m.speed = omega;
        const tru_id motor = kit_add_joint(w, "motor", "motor", &m, crank, frame, v3(0, 0.3, 0), y);
        set_way(w, way, h);
        double worst = 0.0, speed = 0.0, work = 0.0;
        for (int i = 1; i <= 2000; i++) {
            MUST(tru_run(w, 1, &err));
            const tru_joint_info k = info_of(w, motor), s = info_of(w, way_id);
            const double phi = k.angle, x = r * cos(phi) + sqrt(l * l - r * r * sin(phi) * sin(phi));
            worst = fmax(worst, fabs(s.travel - (x - r - l)));
            if (i > 1) speed = fmax(speed, fabs(k.rate - omega));
            work += h * v3_dot(k.torque, k.axis) * omega;
        }
        const tru_ledger ledger = tru_world_ledger(w);
        check_close(ledger.motors, work, 1e-12, 0.0);
        check(fabs(tru_ledger_gap(&ledger)) < 1e-12);
        if (!check(worst < 0.5 * omega * omega * (r + l) * h * h)) printf("%s: %g m off\n", way_names[way], worst);
        if (!check(speed < 1e-9)) printf("%s: speed off by %g\n", way_names[way], speed);
        check_close(info_of(w, motor).angle, remainder(omega * 2000 * h, 2.0 * PI), 0.0, 2.0 * omega * h);
        tru_world_destroy(w);
    }
}

/* A motor lifts an arm slowly: its torque is the weight times the arm; with less torque than that it sinks. */
TEST(motor_torque_balances_the_weight) {
    for (int way = 0; way < WAYS; way++)
        for (int weak = 0; weak < 2; weak++) {
            tru_error err;
            tru_world *w = empty_world(v3(0, 0, -G));
            const double m = 2.0, arm = 0.5, omega = 0.5, h = 1e-3;
            const tru_id post = add_box(w, "post", true, v3(0, 0.5, 0), v3(0.1, 0.1, 0.1), 0.0, upright);
            const tru_id bar = add_box(w, "bar", false, v3(arm, 0, 0), v3(1.0, 0.04, 0.04), m, upright);
            const tru_vec3 axis = {0, -1, 0}; /* lifts: about -y, x goes to +z */
            tru_motor drive = tru_default_motor();
            drive.speed = omega;
            if (weak) drive.torque = 0.5 * m * G * arm;
            kit_add_joint(w, "hinge", "hinge", NULL, bar, post, v3(0, 0, 0), axis);
            const tru_id motor = kit_add_joint(w, "motor", "motor", &drive, bar, post, v3(0, 0, 0), axis);
            set_way(w, way, h);
            MUST(tru_run(w, 400, &err));
            const tru_joint_info k = info_of(w, motor);
            const tru_ledger l = tru_world_ledger(w);
            check(fabs(tru_ledger_gap(&l)) < 1e-12);
            if (weak) { /* J a = T - m g arm at first */
                const double j = m * (1.0 + 0.04 * 0.04) / 12.0 + m * arm * arm;
                check(k.slips && k.angle < 0.0);
                check_close(v3_dot(k.torque, k.axis), drive.torque, 1e-12, 0.0);
                check_close(k.angle, -0.5 * (m * G * arm - drive.torque) / j * 0.16, 0.12, 0.0);
                check(l.seals > 0.0);
            } else {
                const double middle = omega * (way == CONE ? 399 : 399.5) * h;
                check_close(k.angle, omega * 400 * h, 2e-3, 0.0);
                check_close(v3_dot(k.torque, k.axis), m * G * arm * cos(middle), 1e-4, 0.0);
                check(!k.slips);
            }
            tru_world_destroy(w);
        }
}

/* A block on an inclined way with a seal: it holds up to its force, then slides with g sin - S/m. */
TEST(seal_holds_up_to_its_force) {
    const double m = 3.0, alpha = 0.3, h = 1e-3, pull = m * G * sin(alpha);
    for (int way = 0; way < WAYS; way++)
        for (int slips = 0; slips < 2; slips++) {
            tru_error err;
            tru_world *w = empty_world(v3(G * sin(alpha), 0, -G * cos(alpha)));
            const tru_id bed = add_box(w, "bed", true, v3(0, 0, -0.5), v3(4, 1, 0.2), 0.0, upright);
            const tru_id sledge = add_box(w, "sledge", false, v3(0, 0, 0), v3(0.2, 0.2, 0.2), m, upright);
            tru_seal seal = tru_default_seal();
            seal.force = pull * (slips ? 0.98 : 1.02);
            kit_add_joint(w, "way", "slider", NULL, sledge, bed, v3(0, 0, 0), v3(1, 0, 0));
            const tru_id s = kit_add_joint(w, "seal", "seal", &seal, sledge, bed, v3(0, 0, 0), v3(1, 0, 0));
            set_way(w, way, h);
            MUST(tru_run(w, 500, &err));
            const tru_joint_info i = info_of(w, s);
            const tru_body_state b = kit_get_state(w, sledge);
            check_status(i.slips, slips);
            check_close(-i.force.x, slips ? seal.force : pull, 1e-11, 0.0);
            check_close(b.velocity.x, slips ? 0.02 * pull / m * 500 * h : 0.0, 1e-10, 1e-14);
            const tru_ledger l = tru_world_ledger(w);
            check_close(l.seals, seal.force * b.position.x, way == MIDPOINT ? 1e-10 : 5e-3, 1e-14);
            check(fabs(tru_ledger_gap(&l)) < 1e-12);
            tru_world_destroy(w);
        }
}

/* A stop: a block thrown along the way comes to rest by its seal after v^2 m/(2 S) and stays. */
TEST(seal_stops_and_keeps) {
    for (int way = 0; way < WAYS; way++) {
        tru_error err;
        tru_world *w = empty_world(v3(0, 0, -G));
        const tru_id bed = add_box(w, "bed", true, v3(0, 0, -0.5), v3(4, 1, 0.2), 0.0, upright);
        const tru_id sledge = add_box(w, "sledge", false, v3(0, 0, 0), v3(0.2, 0.2, 0.2), 2.0, upright);
        tru_body_state b = kit_get_state(w, sledge);
        b.velocity.x = 0.5;
        MUST(tru_body_set(w, sledge, &b, &err));
        const tru_seal seal = {.force = 4.0, .torque = TRU_DERIVED};
        kit_add_joint(w, "way", "slider", NULL, sledge, bed, v3(0, 0, 0), v3(1, 0, 0));
        kit_add_joint(w, "seal", "seal", &seal, sledge, bed, v3(0, 0, 0), v3(1, 0, 0));
        set_way(w, way, 1.3e-3);
        MUST(tru_run(w, 400, &err));
        b = kit_get_state(w, sledge);
        check_close(b.position.x, 0.5 * 0.25 * 2.0 / 4.0, way == MIDPOINT ? 1e-4 : 6e-3, 0.0);
        MUST(tru_run(w, 1000, &err));
        check_close(kit_get_state(w, sledge).position.x, b.position.x, 0.0, 1e-13);
        check_close(kit_get_state(w, sledge).velocity.x, 0.0, 0.0, 1e-13);
        tru_world_destroy(w);
    }
}

/* ---- distances, and rows that repeat others ---- */

/* A rod without mass between two points, one of them on a turntable that is driven. */
TEST(distance_is_kept) {
    for (int way = 0; way < WAYS; way++) {
        tru_error err;
        tru_world *w = empty_world(v3(0, 0, -G));
        tru_motion_def turn = tru_default_motion_def();
        tru_joint_def d = tru_default_joint_def();
        tru_id rod;
        const tru_box box = {{1.0, 1.0, 0.1}};
        const tru_id table =
            kit_add_solid(w, "table", TRU_DRIVEN, "box", &box, v3(0, 0, 0), upright, v3_zero(), v3_zero());
        const tru_id bob = add_box(w, "bob", false, v3(0.4, 0, -0.6), v3(0.1, 0.1, 0.1), 1.0, upright);
        turn.body = table;
        turn.angular_velocity = v3(0, 0, 3.0);
        MUST(tru_motion_set(w, &turn, &err));
        d.joint.name = "distance";
        d.a = bob;
        d.b = table;
        d.position = v3(0.4, 0, -0.6);
        d.position_b = v3(0.4, 0, -0.1);
        MUST(tru_joint_add(w, &d, &rod, &err));
        set_way(w, way, 1e-3);
        double worst = 0.0;
        for (int i = 0; i < 1500; i++) {
            MUST(tru_run(w, 1, &err));
            const tru_joint_info k = info_of(w, rod);
            worst = fmax(worst, fabs(v3_norm(v3_sub(k.point_a, k.point_b)) - 0.5));
        }
        const tru_ledger l = tru_world_ledger(w);
        check(fabs(tru_ledger_gap(&l)) < 1e-12 && fabs(l.drives) > 1e-3);
        check(worst < (way == MIDPOINT ? 1e-7 : 1e-5));
        tru_world_destroy(w);
    }
}

/* Four bars in a plane, joined by four hinges: 20 rows hold 3 bodies that have 1 freedom left, so 3 say nothing new. */
TEST(redundant_rows_are_named) {
    for (int way = 0; way < WAYS; way++) {
        tru_error err = {TRU_OK, ""};
        tru_world *w = empty_world(v3(0, 0, -G));
        const tru_vec3 y = {0, 1, 0};
        const tru_id ground = add_box(w, "ground", true, v3(0.5, 1.0, -0.2), v3(0.1, 0.1, 0.1), 0.0, upright);
        const tru_id left = add_box(w, "left", false, v3(0, 0.2, 0.2), v3(0.02, 0.02, 0.4), 1.0, upright);
        const tru_id top = add_box(w, "top", false, v3(0.5, 0, 0.4), v3(1.0, 0.02, 0.02), 2.0, upright);
        const tru_id right = add_box(w, "right", false, v3(1.0, -0.2, 0.2), v3(0.02, 0.02, 0.4), 1.0, upright);
        kit_add_joint(w, "p", "hinge", NULL, left, ground, v3(0, 0.2, 0), y);
        kit_add_joint(w, "q", "hinge", NULL, top, left, v3(0, 0.1, 0.4), y);
        kit_add_joint(w, "r", "hinge", NULL, right, top, v3(1.0, -0.1, 0.4), y);
        const tru_id last = kit_add_joint(w, "s", "hinge", NULL, right, ground, v3(1.0, -0.2, 0), y);
        set_way(w, way, 1e-3);
        check_status(tru_check(w, &err), TRU_REMARK);
        check_str(err.text,
                  "joints 'q' (1 of 5 rows), 's' (2 of 5 rows) repeat what other joints hold already; these rows "
                  "are left out, and how the joints share their reactions is not unique");
        tru_body_state b = kit_get_state(w, left); /* let it go: all bars swing as one */
        const tru_vec3 rate = {0, 1.0, 0};
        b.angular_velocity = rate;
        b.velocity = v3_cross(rate, v3(0, 0, 0.2));
        MUST(tru_body_set(w, left, &b, &err));
        b = kit_get_state(w, right);
        b.angular_velocity = rate;
        b.velocity = v3_cross(rate, v3(0, 0, 0.2));
        MUST(tru_body_set(w, right, &b, &err));
        b = kit_get_state(w, top);
        b.velocity = v3_cross(rate, v3(0, 0, 0.4));
        MUST(tru_body_set(w, top, &b, &err));
        for (int i = 0; i < 600; i++) {
            const tru_status s = tru_run(w, 1, &err);
            if (!check(s >= 0 && s != TRU_UNCONVERGED)) break;
        }
        const tru_joint_info k = info_of(w, last);
        int left_out = 0;
        for (size_t i = 0; i < tru_joint_count(w); i++) left_out += info_of(w, tru_joint_id(w, i)).left_out;
        check_status(left_out, 3);
        check(k.apart < 2e-5 && k.turned < 1e-12);
        check(fabs(ledger_gap(w)) < 1e-12);
        const tru_body_state bl = kit_get_state(w, left), br = kit_get_state(w, right);
        check_close(v3_norm(v3_sub(v3_sub(br.position, bl.position), v3(1.0, -0.4, 0))), 0.0, 0.0, 4e-5);
        tru_world_destroy(w);
    }
}

/* ---- what is refused ---- */

static const char *refused(tru_world *w, const tru_joint_def *d) {
    static tru_error err;
    err = (tru_error){TRU_OK, "accepted"};
    const uint64_t before = tru_state_hash(w);
    check(tru_joint_add(w, d, NULL, &err) < 0);
    check(tru_state_hash(w) == before);
    return err.text;
}

TEST(bad_joints_get_a_sentence) {
    tru_error err;
    tru_world *w = empty_world(v3(0, 0, -G));
    const tru_id wall = add_box(w, "wall", true, v3(-1, 0, 0), v3(0.1, 1, 1), 0.0, upright);
    const tru_id post = add_box(w, "post", true, v3(-2, 0, 0), v3(0.1, 1, 1), 0.0, upright);
    const tru_id bar = add_box(w, "bar", false, v3(0, 0, 0), v3(1.0, 0.1, 0.1), 1.0, upright);
    tru_joint_def d = tru_default_joint_def();
    d.name = "pivot";
    d.joint.name = "hinge";
    d.a = bar;
    d.b = bar;
    check_str(refused(w, &d), "joint 'pivot' is between body 'bar' and itself");
    d.b = 77;
    check_str(refused(w, &d), "joint 'pivot': body 77 does not exist");
    d.a = wall;
    d.b = post;
    check_str(refused(w, &d),
              "joint 'pivot': neither body 'wall' nor body 'post' is free, a joint between them has no effect");
    d.a = bar;
    d.axis = v3_zero();
    check_str(refused(w, &d), "joint 'pivot': axis (0, 0, 0) has no direction");
    d.axis = v3(0, 0, 2);
    d.joint.name = "hing";
    check_str(refused(w, &d), "joint 'pivot': no joint 'hing'; did you mean 'hinge'?");
    tru_motor m = tru_default_motor();
    d.joint = (tru_use){"motor", &m};
    check_str(refused(w, &d), "joint 'pivot': joint motor: give speed (it turns) or velocity (it pushes)");
    m.speed = 1.0;
    m.velocity = 1.0;
    check_str(refused(w, &d), "joint 'pivot': joint motor: give speed (it turns) or velocity (it pushes), not both");
    m.velocity = TRU_DERIVED;
    m.force = 1.0;
    check_str(refused(w, &d), "joint 'pivot': joint motor: force limits a velocity; with speed give torque");
    m.force = TRU_DERIVED;
    m.torque = 0.0;
    check_str(refused(w, &d), "joint 'pivot': joint motor: torque is 0 N m, must be above 0 N m");
    d.joint = (tru_use){"hinge", NULL};
    MUST(tru_joint_add(w, &d, NULL, &err));
    check_str(refused(w, &d), "there is already a joint 'pivot'");
    tru_world_destroy(w);
}

TEST(violated_joints_are_refused_at_the_start) {
    tru_error err = {TRU_OK, ""};
    tru_world *w = empty_world(v3(0, 0, -G));
    const tru_id wall = add_box(w, "wall", true, v3(-1, 0, 0), v3(0.1, 1, 1), 0.0, upright);
    const tru_id bar = add_box(w, "bar", false, v3(0, 0, 0), v3(1.0, 0.1, 0.1), 1.0, upright);
    tru_joint_def d = tru_default_joint_def();
    d.name = "pivot";
    d.joint.name = "ball";
    d.a = bar;
    d.b = wall;
    d.position = v3(-0.5, 0, 0);
    d.position_b = v3(-0.5, 0.01, 0);
    MUST(tru_joint_add(w, &d, NULL, &err));
    set_way(w, CONE, 1e-3);
    check_status(tru_check(w, &err), TRU_CONFLICT);
    check_str(err.text, "joint 'pivot' (ball): bodies 'bar' and 'wall' are 0.01 m away from where it holds them");
    check(tru_steps_done(w) == 0);
    tru_world_destroy(w);
}

/* Rows that repeat others may be left out only if they want the same: a motor is not silently ignored. */
TEST(a_joint_to_a_belt_is_refused) {
    tru_error err = {TRU_OK, ""};
    tru_world *w = empty_world(v3(0, 0, -G));
    const tru_id bar = add_box(w, "bar", false, v3(0, 0, 0), v3(1.0, 0.1, 0.1), 1.0, upright);
    const tru_box box = {v3(0.1, 1, 1)};
    const tru_id belt =
        kit_add_body(w, {.name = "conveyor", .kind = TRU_DRIVEN, .shape = {"box", &box}, .position = v3(-1, 0, 0)});
    tru_motion_def motion = tru_default_motion_def();
    motion.body = belt;
    motion.belt = true;
    motion.velocity = v3(0.5, 0, 0);
    MUST(tru_motion_set(w, &motion, &err));
    tru_joint_def d = tru_default_joint_def();
    d.name = "pivot";
    d.joint.name = "ball";
    d.a = bar;
    d.b = belt;
    d.position = d.position_b = v3(-0.5, 0, 0);
    MUST(tru_joint_add(w, &d, NULL, &err));
    set_way(w, CONE, 1e-3);
    check_status(tru_check(w, &err), TRU_CONFLICT);
    check_str(err.text,
              "joint 'pivot' (ball): body 'conveyor' is a belt, whose surface moves while it stays where it is; "
              "join a fixed body at its place instead");
    motion.belt = false;
    MUST(tru_motion_set(w, &motion, &err));
    MUST(tru_check(w, &err));
    tru_world_destroy(w);
}

TEST(motors_that_contradict_other_joints_are_refused) {
    static const struct {
        const char *pivot;
        double first, second; /* [rad/s] about the same axis, which the second one takes the other way round */
        const char *sentence;
    } cases[] = {
        {"hinge", 1.0, -1.0, NULL},
        {"hinge", 1.0, -2.0,
         "joint 'second' (motor) wants bodies 'bar' and 'wall' to move against each other at -2 rad/s, other joints hold "
         "them at -1 rad/s: they contradict each other"},
        {"fixed", 0.0, 0.0, NULL},
        {"fixed", 3.0, 0.0,
         "joint 'first' (motor) wants bodies 'bar' and 'wall' to move against each other at 3 rad/s, other joints hold "
         "them at 0 rad/s: they contradict each other"},
    };
    for (int i = 0; i < 4; i++)
        for (int way = 0; way < WAYS; way++) {
            tru_error err = {TRU_OK, ""};
            tru_world *w = empty_world(v3(0, 0, -G));
            const tru_id wall = add_box(w, "wall", true, v3(-1, 0, 0), v3(0.1, 1, 1), 0.0, upright);
            const tru_id bar = add_box(w, "bar", false, v3(0, 0, 0), v3(1.0, 0.1, 0.1), 1.0, upright);
            tru_motor m = tru_default_motor();
            kit_add_joint(w, "pivot", cases[i].pivot, NULL, bar, wall, v3(-0.5, 0, 0), v3(0, 0, 1));
            m.speed = cases[i].first;
            kit_add_joint(w, "first", "motor", &m, bar, wall, v3(-0.5, 0, 0), v3(0, 0, 1));
            m.speed = cases[i].second;
            kit_add_joint(w, "second", "motor", &m, bar, wall, v3(-0.5, 0, 0), v3(0, 0, -1));
            set_way(w, way, 1e-3);
            check_status(tru_check(w, &err), cases[i].sentence ? TRU_CONFLICT : TRU_REMARK);
            if (cases[i].sentence) check_str(err.text, cases[i].sentence);
            tru_world_destroy(w);
        }
}

/* A body held by a fixed one and by one that is driven away: what seemed to repeat at the start does not later. */
TEST(joints_that_are_torn_end_the_run) {
    for (int way = 0; way < WAYS; way++) {
        tru_error err = {TRU_OK, ""};
        tru_world *w = empty_world(v3(0, 0, -G));
        const tru_id wall = add_box(w, "wall", true, v3(-1, 0, 0), v3(0.1, 1, 1), 0.0, upright);
        const tru_id bar = add_box(w, "bar", false, v3(0, 0, 0), v3(1.0, 0.1, 0.1), 1.0, upright);
        const tru_box box = {{0.1, 0.1, 0.1}};
        const tru_id cart =
            kit_add_solid(w, "cart", TRU_DRIVEN, "box", &box, v3(1, 0, 0), upright, v3_zero(), v3_zero());
        tru_motion_def away = tru_default_motion_def();
        away.body = cart;
        away.velocity = v3(0.5, 0, 0);
        MUST(tru_motion_set(w, &away, &err));
        kit_add_joint(w, "left", "fixed", NULL, bar, wall, v3(-0.5, 0, 0), v3(0, 0, 1));
        kit_add_joint(w, "right", "fixed", NULL, bar, cart, v3(0.5, 0, 0), v3(0, 0, 1));
        set_way(w, way, 1e-3);
        check_status(tru_check(w, &err), TRU_REMARK);
        check_status(tru_run(w, 1000, &err), TRU_NO_SOLUTION);
        /* a tenth of the bar's size is 0.0505 m: the cart is that far after 0.101 s */
        check(strstr(err.text, "joint 'right' (fixed) is torn at t = 0.1") == err.text);
        check(strstr(err.text, "bodies 'bar' and 'cart' are 0.0") != NULL);
        check(tru_steps_done(w) > 95 && tru_steps_done(w) < 110);
        tru_world_destroy(w);
    }
}

TEST(steppers_that_cannot_carry_joints_say_so) {
    static const char *const steppers[] = {"event", "variational", "track"};
    tru_error err = {TRU_OK, ""};
    for (int i = 0; i < 3; i++) {
        tru_id pivot;
        char sentence[200];
        tru_world *w = empty_world(v3(0, 0, -G));
        pendulum(w, "hinge", 0.3, &pivot);
        tru_event_driven e = tru_default_event_driven();
        tru_variational v = tru_default_variational();
        tru_track t = tru_default_track();
        e.step = v.step = t.step = 1e-3;
        const void *const params[] = {&e, &v, &t};
        MUST(tru_stepper_set(w, steppers[i], params[i], &err));
        check_status(tru_check(w, &err), TRU_REFUSED);
        snprintf(sentence, sizeof sentence, "stepper %s cannot carry joints (joint 'pivot'); moreau and cone can",
                 steppers[i]);
        check_str(err.text, sentence);
        tru_world_destroy(w);
    }
}

/* ---- joints among other bodies and contacts: neither disturbs the other ---- */

/* A removed joint lets go, a removed body takes its joints with it. */
TEST(joints_come_and_go) {
    tru_error err;
    tru_id pivot;
    tru_world *w = empty_world(v3(0, 0, -G));
    const tru_id rod = pendulum(w, "hinge", 0.0, &pivot);
    set_way(w, MIDPOINT, 1e-3);
    check_status((long long)tru_joint_count(w), 1);
    check(tru_joint_id(w, 0) == pivot && tru_joint_find(w, "pivot") == pivot && tru_joint_id(w, 1) == TRU_NONE);
    MUST(tru_run(w, 10, &err));
    MUST(tru_joint_remove(w, pivot, &err));
    check_status(tru_joint_remove(w, pivot, &err), TRU_STALE_ID);
    MUST(tru_run(w, 100, &err));
    check_close(kit_get_state(w, rod).velocity.z, -G * 0.1, 1e-12, 0.0);
    const tru_id post = tru_body_find(w, "post");
    const tru_id again = kit_add_joint(w, "again", "ball", NULL, rod, post, v3(0, 0, 0), v3(0, 0, 1));
    check(again > pivot);
    MUST(tru_body_remove(w, post, &err));
    check_status((long long)tru_joint_count(w), 0);
    MUST(tru_run(w, 10, &err));
    tru_world_destroy(w);
}

/* Shapes without a narrow phase may be joined: a wheel on a cart. Not if they are to touch all the same, or if another two of
 * their kind are free to meet. */
TEST(joined_bodies_need_no_contact) {
    static const char *const sentence =
        "bodies 'cart' and 'wheel': there is no contact between box and disk; box meets plane, sphere, box, capsule, hull; pass: "
        "true in their pair lets them pass through each other";
    tru_error err;
    const tru_disk disk = {.radius = 0.1, .thickness = 0.02};
    tru_shape_def shape = tru_default_shape_def();
    tru_body_def b = tru_default_body_def();
    tru_id wheel;
    tru_world *w = empty_world(v3(0, 0, -G));
    const tru_id cart = add_box(w, "cart", false, v3(0, 0, 0), v3(1.0, 0.4, 0.1), 20.0, upright);
    shape.shape = (tru_use){"disk", &disk};
    b.name = "wheel";
    b.mass = 1.0;
    b.position = v3(0.4, 0.3, 0);
    b.shapes = &shape;
    b.shape_count = 1;
    MUST(tru_body_add(w, &b, &wheel, &err));
    set_way(w, MIDPOINT, 1e-3);
    check_status(tru_check(w, &err), TRU_REFUSED);
    check_str(err.text, sentence);
    tru_joint_def axle = tru_default_joint_def();
    axle.joint = (tru_use){"hinge", NULL};
    axle.a = wheel;
    axle.b = cart;
    axle.position = axle.position_b = b.position;
    axle.collide = true;
    tru_id id;
    MUST(tru_joint_add(w, &axle, &id, &err));
    check_status(tru_check(w, &err), TRU_REFUSED);
    check_str(err.text, sentence);
    MUST(tru_joint_remove(w, id, &err));
    axle.collide = false;
    MUST(tru_joint_add(w, &axle, &id, &err));
    MUST(tru_check(w, &err));
    MUST(tru_run(w, 10, &err));
    add_box(w, "crate", false, v3(5, 0, 0), v3(1, 1, 1), 1.0, upright);
    check_status(tru_check(w, &err), TRU_REFUSED);
    check(strstr(err.text, "bodies 'crate' and 'wheel': there is no contact between box and disk") != NULL);
    tru_world_destroy(w);
}

/* A hammer on a hinge, pressed on the floor by its motor, cannot give way in most rows of its contact: friction there creeps
 * to its limit over thousands of sweeps, and rates are the rounding of the hinge's. Every step ends with a solution. */
TEST(contacts_that_joints_lock_are_solved) {
    for (int scheme = TRU_MIDPOINT; scheme <= TRU_PAPER; scheme++) {
        tru_error err;
        tru_world *w = kit_create_zoo_world(&zoo[ZOO_MECHANISM], NULL, 1);
        tru_moreau m = tru_default_moreau();
        m.step = zoo[ZOO_MECHANISM].step;
        m.scheme = scheme;
        MUST(tru_stepper_set(w, "moreau", &m, &err));
        MUST(tru_run(w, 1500, &err));
        const tru_solve_totals t = tru_world_solve_take(w);
        check_status((long long)t.steps, 1500);
        check_status((long long)t.unconverged, 0);
        tru_world_destroy(w);
    }
}

/* Five cubes, each a little off the one below, on the ground; and a pendulum that does not touch them. */
static void add_stack(tru_world *w, tru_id box[5]) {
    const tru_vec3 side = {0.1, 0.1, 0.1};
    add_box(w, "ground", true, v3(0, 0, -1.05), v3(2, 2, 2), 0.0, upright);
    for (int i = 0; i < 5; i++) {
        const char *const names[5] = {"first", "second", "third", "fourth", "fifth"};
        box[i] = add_box(w, names[i], false, v3(0.01 * (i % 2), 0.004 * i, 0.1 * i), side, 2.0, upright);
    }
}

enum { STACK = 1, SWING = 2 };

static tru_world *stack_and_swing(int parts, tru_id box[5], tru_id *rod) {
    tru_world *w = empty_world(v3(0, 0, -G));
    zoo_slide_defs(w);
    if (parts & STACK) add_stack(w, box);
    if (parts & SWING) {
        const tru_id post = add_box(w, "post", true, v3(5, 0, 3), v3(0.1, 0.1, 0.1), 0.0, upright);
        *rod = add_box(w, "rod", false, v3(5.5, 0, 3), v3(1, 0.1, 0.1), 3.0, upright);
        kit_add_joint(w, "pivot", "hinge", NULL, *rod, post, v3(5, 0, 3), v3(0, 1, 0));
    }
    set_way(w, CONE, 2e-3);
    return w;
}

/* What a joint does not reach is solved as if it were not there, with the same bits, and the energy adds up. */
TEST(joints_leave_the_rest_of_the_world_alone) {
    tru_error err;
    tru_id box[5], alone[5], none[5], rod = TRU_NONE, swing = TRU_NONE;
    tru_world *both = stack_and_swing(STACK | SWING, box, &rod);
    tru_world *stack = stack_and_swing(STACK, alone, &swing), *other = stack_and_swing(SWING, none, &swing);
    MUST(tru_run(both, 200, &err));
    MUST(tru_run(stack, 200, &err));
    MUST(tru_run(other, 200, &err));
    for (int i = 0; i < 5; i++) {
        const tru_body_state a = kit_get_state(both, box[i]), b = kit_get_state(stack, alone[i]);
        check(memcmp(&a, &b, sizeof a) == 0);
    }
    const tru_body_state a = kit_get_state(both, rod), b = kit_get_state(other, swing);
    check(memcmp(&a, &b, sizeof a) == 0);
    check(v3_norm(a.velocity) > 1.0);
    const tru_solve_info info = tru_world_solve_info(both), least = tru_world_solve_info(stack);
    check(info.converged && least.converged && info.iterations >= least.iterations);
    check_close(info.max, least.max, 0.0, 0.0);
    tru_verdict verdict;
    MUST(tru_judge(both, &verdict, &err));
    check(verdict.joint < 1e-9);
    const tru_ledger end = tru_world_ledger(both), first = tru_world_ledger(stack), second = tru_world_ledger(other);
    check_close(end.theta_shift, first.theta_shift + second.theta_shift, 1e-12, 0.0);
    check_close(end.stabilisation, first.stabilisation + second.stabilisation, 1e-12, 1e-15);
    tru_world_destroy(both);
    tru_world_destroy(stack);
    tru_world_destroy(other);
}
