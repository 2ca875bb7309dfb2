/* test_jolt.c: start velocities that contradict a joint are an impact: velocities after it are the projection in the metric of
 * the masses, the loss is booked under impact, and the joint stays closed. */
#include "check.h"
#include "zoo.h"

#include "math/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMES = 2 };
static const int schemes[SCHEMES] = {TRU_MIDPOINT, TRU_PAPER};

static tru_world *empty_world(void) {
    tru_world *w = kit_create_world(v3(0, 0, 0));
    kit_set_pair(w, TRU_NONE, TRU_NONE, NULL, 0, 0.0);
    return w;
}

static tru_id add_ball(tru_world *w, const char *name, bool fixed, double radius, double mass, tru_vec3 x, tru_vec3 v,
                       tru_vec3 rate) {
    const tru_sphere ball = {radius};
    kit_body b = {.name = name, .kind = fixed ? TRU_FIXED : TRU_FREE, .shape = {"sphere", &ball}, .position = x};
    if (!fixed) b.mass = mass, b.velocity = v, b.angular_velocity = rate;
    return kit_add_body_of(w, &b);
}

/* A ball on a rod without mass, at `arm` from a pivot at the origin, which holds all its rows (ball joint). */
typedef struct swing {
    double radius, mass;
    tru_vec3 arm, v, rate;
} swing;

/* Partly along the rod, partly across it, and spinning. */
static swing swing_of(double radius, double mass, double speed) {
    return (swing){.radius = radius,
                   .mass = mass,
                   .arm = {1.2 * radius, 0.0, -1.6 * radius},
                   .v = {0.9 * speed, 0.4 * speed, -0.3 * speed},
                   .rate = {0.2 * speed / radius, -0.5 * speed / radius, 0.1 * speed / radius}};
}

static tru_world *swing_world(const swing *s, tru_id *ball, tru_id *post) {
    tru_world *w = empty_world();
    *post = add_ball(w, "post", true, s->radius, 0.0, v3(0, 0, 5.0 * s->radius), v3_zero(), v3_zero());
    *ball = add_ball(w, "ball", false, s->radius, s->mass, s->arm, s->v, s->rate);
    return w;
}

static double kinetic(const swing *s, tru_vec3 v, tru_vec3 rate) {
    return 0.5 * s->mass * v3_norm2(v) + 0.2 * s->mass * s->radius * s->radius * v3_norm2(rate);
}

/* Angular momentum about the pivot, H = J w + d x m v, is kept; afterwards v = w x d, so that along d H = J w and across it
 * H = (J + m d^2) w. */
static tru_vec3 rate_after(const swing *s) {
    const double moment = 0.4 * s->mass * s->radius * s->radius, d2 = v3_norm2(s->arm);
    const tru_vec3 h = v3_madd(v3_scale(moment, s->rate), s->mass, v3_cross(s->arm, s->v));
    const tru_vec3 along = v3_scale(v3_dot(h, s->arm) / d2, s->arm);
    return v3_madd(v3_scale(1.0 / moment, along), 1.0 / (moment + s->mass * d2), v3_sub(h, along));
}

static void check_swing(const swing *s, int scheme, double turn) {
    tru_error err;
    tru_id ball, post;
    const tru_vec3 rate = rate_after(s), v = v3_cross(rate, s->arm);
    const double h = turn / v3_norm(rate), before = kinetic(s, s->v, s->rate), after = kinetic(s, v, rate);
    tru_world *w = swing_world(s, &ball, &post);
    kit_add_joint(w, "pivot", "ball", NULL, ball, post, v3_zero(), v3(0, 0, 1));
    kit_set_moreau(w, h, schemes[scheme]);
    MUST(tru_run(w, 1, &err));
    const tru_body_state b = kit_get_state(w, ball);
    tru_ledger l = tru_world_ledger(w);
    const double order = turn * turn + 1e-12; /* what a step adds to it: the scheme's own error */
    bool good = check(fabs(l.impact - (before - after)) <= order * before);
    good &= check(v3_norm(v3_sub(b.angular_velocity, rate)) <= (turn + 1e-12) * v3_norm(rate));
    MUST(tru_run(w, 20, &err));
    l = tru_world_ledger(w);
    good &= check(fabs(l.stabilisation) <= 20.0 * order * before);
    good &= check(fabs(l.kinetic - after) <= 40.0 * order * before);
    good &= check(fabs(tru_ledger_gap(&l)) <= 1e-12 * before);
    if (!good)
        printf(
            "radius %g m, mass %g kg, scheme %d, %g rad per step: impact %.6g J, should be %.6g; stabilisation %.6g J\n",
            s->radius, s->mass, scheme, turn, l.impact, before - after, l.stabilisation);
    tru_world_destroy(w);
}

TEST(a_pendulum_loses_what_the_projection_loses) {
    for (int scheme = 0; scheme < SCHEMES; scheme++)
        for (double radius = 1e-4; radius < 2e2; radius *= 10.0)
            for (double mass = 1e-3; mass < 2e3; mass *= 1e3)
                for (double turn = 1e-6; turn < 2e-2; turn *= 10.0) {
                    const swing s = swing_of(radius, mass, 10.0);
                    check_swing(&s, scheme, turn);
                }
}

/* Two balls that are joined at different speeds: in the direction of a rod between them the impact is plastic, and loses
 * m1 m2/(m1 + m2) u^2/2; across it nothing happens. */
TEST(a_rod_takes_what_it_closes_by) {
    for (int scheme = 0; scheme < SCHEMES; scheme++)
        for (double ratio = 1.0; ratio < 2e6; ratio *= 10.0) {
            tru_error err;
            tru_world *w = empty_world();
            const tru_distance rod = {.length = 3.0};
            const tru_id a = add_ball(w, "a", false, 1.0, 1.0, v3(0, 0, 0), v3(3, 0, 0), v3_zero());
            const tru_id b = add_ball(w, "b", false, 1.0, ratio, v3(3, 0, 0), v3(-1, 0, 0), v3_zero());
            tru_joint_def d = tru_default_joint_def();
            tru_id id;
            d.name = "rod";
            d.joint = (tru_use){"distance", &rod};
            d.a = a;
            d.b = b;
            d.position = v3(0, 0, 0);
            d.position_b = v3(3, 0, 0);
            MUST(tru_joint_add(w, &d, &id, &err));
            kit_set_moreau(w, 1e-3, schemes[scheme]);
            MUST(tru_run(w, 1, &err));
            const tru_ledger l = tru_world_ledger(w);
            check_close(l.impact, 0.5 * ratio / (1.0 + ratio) * 16.0, 1e-12, 0.0);
            check_close(kit_get_state(w, a).velocity.x, (3.0 - ratio) / (1.0 + ratio), 1e-12, 0.0);
            check_close(kit_get_state(w, b).position.x - kit_get_state(w, a).position.x, 3.0, 1e-14, 0.0);
            tru_world_destroy(w);
        }
}

static bool same_state(const tru_world *v, const tru_world *w, tru_id ball) {
    const tru_body_state a = kit_get_state(v, ball), b = kit_get_state(w, ball);
    const tru_ledger k = tru_world_ledger(v), l = tru_world_ledger(w);
    return memcmp(&a, &b, sizeof a) == 0 && k.impact == l.impact && k.stabilisation == l.stabilisation;
}

/* A velocity that is set later is struck in the next step, once: runs in pieces end in the same bits. */
TEST(a_velocity_set_later_is_struck_once) {
    for (int scheme = 0; scheme < SCHEMES; scheme++) {
        tru_error err;
        tru_id ball, post;
        const swing s = swing_of(0.1, 2.0, 1.0);
        const tru_vec3 rate = rate_after(&s);
        const double lost = kinetic(&s, s.v, s.rate) - kinetic(&s, v3_cross(rate, s.arm), rate);
        const double turn = 1e-4, h = turn / v3_norm(rate);
        swing still = s;
        still.v = still.rate = v3_zero();
        tru_world *worlds[2];
        for (int pieces = 0; pieces < 2; pieces++) {
            tru_world *w = worlds[pieces] = swing_world(&still, &ball, &post);
            kit_add_joint(w, "pivot", "ball", NULL, ball, post, v3_zero(), v3(0, 0, 1));
            kit_set_moreau(w, h, schemes[scheme]);
            MUST(tru_run(w, 3, &err));
            check_close(tru_world_ledger(w).impact, 0.0, 0.0, 0.0);
            tru_body_state now = kit_get_state(w, ball);
            now.velocity = s.v;
            now.angular_velocity = s.rate;
            MUST(tru_body_set(w, ball, &now, &err));
            for (int left = 6; left > 0; left -= pieces ? 1 : 6) {
                MUST(tru_run(w, pieces ? 1 : 6, &err));
                if (!pieces) continue;
                const size_t count = tru_snapshot_size(w);
                void *bytes = malloc(count);
                if (!bytes) exit(1);
                MUST(tru_snapshot_save(w, bytes, count, &err));
                MUST(tru_snapshot_load(w, bytes, count, &err));
                free(bytes);
            }
            const tru_ledger l = tru_world_ledger(w);
            check_close(l.impact, lost, 1e-6, 0.0);
            check(fabs(l.stabilisation) <= 20.0 * turn * turn * lost);
        }
        check(same_state(worlds[0], worlds[1], ball));
        for (int k = 0; k < 2; k++) tru_world_destroy(worlds[k]);
    }
}

/* A post that a motion drives does work on what it jerks along: the ball ends at its speed, half of that work is lost. */
TEST(a_driven_body_works_on_what_it_jerks) {
    for (int scheme = 0; scheme < SCHEMES; scheme++) {
        tru_error err;
        tru_world *w = empty_world();
        const tru_sphere ball = {0.1};
        const tru_id cart = kit_add_body(w, {.name = "cart", .kind = TRU_DRIVEN, .shape = {"sphere", &ball}});
        tru_motion_def m = tru_default_motion_def();
        m.body = cart;
        m.velocity = v3(2, 0, 0);
        MUST(tru_motion_set(w, &m, &err));
        const tru_id load = add_ball(w, "load", false, 0.1, 3.0, v3(0.5, 0, 0), v3_zero(), v3_zero());
        kit_add_joint(w, "clamp", "fixed", NULL, load, cart, v3_zero(), v3(0, 0, 1));
        kit_set_moreau(w, 1e-3, schemes[scheme]);
        MUST(tru_run(w, 1, &err));
        const tru_ledger l = tru_world_ledger(w);
        check_close(kit_get_state(w, load).velocity.x, 2.0, 1e-13, 0.0);
        check_close(l.impact, 6.0, 1e-13, 0.0);
        check_close(l.drives, 12.0, 1e-13, 0.0);
        check(fabs(tru_ledger_gap(&l)) <= 1e-13);
        tru_world_destroy(w);
    }
}
