/* test_variational.c: the stepper variational in a world: what it refuses, rolling against references, loads, slopes, ends
 * of rolling. */
#define _GNU_SOURCE
#include "check.h"
#include "worlds.h"

#include "math/quat.h"

#include <trundle/analysis.h>
#include <trundle/plugin.h>

#include <math.h>
#include <string.h>

/* What a world for these tests is made of; the body rolls unless `velocity` says otherwise. */
typedef struct setting {
    tru_use shape;
    double mass;
    tru_vec3 inertia; /* x TRU_DERIVED: of the shape */
    tru_quat q;
    tru_vec3 w, slip, gravity;
    double slide, lift; /* [m] above the plane */
    tru_rolling resist;
    int32_t rim;
    tru_variational by;
} setting;

static const tru_disk paper_disk = {1.0, 0.5};

static setting paper_setting(void) {
    setting s = {.shape = {"disk", &paper_disk}, .mass = 1.0, .inertia = {0.25, 0.25, 0.5}, .slide = 0.7};
    s.q = (tru_quat){sqrt(0.5), sqrt(0.5), 0.0, 0.0};
    s.w = v3(M_PI / 8, -2 * M_PI, M_PI);
    s.gravity = v3(0.0, 0.0, -9.8);
    s.by = tru_default_variational();
    s.by.step = 0.01;
    s.by.scheme = TRU_REDUCED;
    s.by.rim = TRU_RIM_FIRST;
    s.by.when_not_rolling = TRU_IDEAL;
    return s;
}

static const tru_shape *shape_named(const char *name) {
    const tru_shape *p;
    for (size_t k = 0; (p = tru_shape_at(k)) != NULL; k++)
        if (strcmp(p->name, name) == 0) return p;
    return NULL;
}

/* [m] from the contact point to the centre. */
static tru_vec3 arm_of(const setting *s) {
    tru_surface low;
    shape_named(s->shape.name)->surface(s->shape.params, quat_unrotate(s->q, v3(0, 0, -1)), &low);
    if (s->by.rim == TRU_RIM_FIRST && strcmp(s->shape.name, "disk") == 0)
        low.point.z = -0.5 * ((const tru_disk *)s->shape.params)->thickness;
    return v3_neg(quat_rotate(s->q, low.point));
}

static tru_world *world_of(const setting *s, tru_error *err) {
    tru_coulomb coulomb = tru_default_coulomb();
    coulomb.slide = s->slide;
    const tru_use laws[] = {{"coulomb", &coulomb}, {"rolling", &s->resist}};
    tru_world *w;
    tru_world_def wd = tru_default_world_def();
    tru_pair_def pair = tru_default_pair_def();
    tru_shape_def plane = tru_default_shape_def(), shape = plane;
    tru_body_def ground = tru_default_body_def(), b = ground;
    wd.gravity = s->gravity;
    must(tru_world_create(&wd, &w, err), err, "world");
    pair.laws = laws;
    pair.law_count = 2;
    must(tru_pair_set(w, &pair, err), err, "pair");
    plane.shape.name = "plane";
    ground.name = "floor";
    ground.kind = TRU_FIXED;
    ground.shapes = &plane;
    ground.shape_count = b.shape_count = 1;
    must(tru_body_add(w, &ground, NULL, err), err, "floor");
    shape.shape = s->shape;
    b.name = "body";
    b.shapes = &shape;
    b.mass = s->mass;
    b.inertia = s->inertia;
    b.orientation = s->q;
    b.angular_velocity = s->w;
    const tru_vec3 arm = arm_of(s);
    b.position = v3_add(arm, v3(0, 0, s->lift));
    b.velocity = v3_add(v3_cross(s->w, arm), s->slip);
    must(tru_body_add(w, &b, NULL, err), err, "body");
    must(tru_stepper_set(w, "variational", &s->by, err), err, "stepper");
    return w;
}

static tru_world *good_world(const setting *s) {
    tru_error err;
    tru_world *w = world_of(s, &err);
    MUST(tru_check(w, &err));
    return w;
}

static void refused(const setting *s, const char *sentence) {
    tru_error err;
    tru_world *w = world_of(s, &err);
    check_status(tru_check(w, &err), TRU_REFUSED);
    check_str(err.text, sentence);
    tru_world_destroy(w);
}

/* ---- what is refused */

TEST(bad_starts) {
    setting s = paper_setting();
    s.slip = v3(0.3, 0.05, 0.0);
    refused(&s,
            "stepper variational: body 'body' starts with slip (0.3, 0.05, 0) m/s, so it does not roll; project: true "
            "starts it with the velocity that its angular velocity belongs to");
    s.by.project = true;
    tru_world *w = good_world(&s);
    tru_error err;
    MUST(tru_run(w, 10, &err));
    const tru_ledger l = tru_world_ledger(w);
    check_close(tru_ledger_gap(&l), 0.0, 0.0, 1e-12 * l.start);
    tru_contact_info c;
    MUST(tru_contact_get(w, 0, &c, &err));
    check(hypot(c.velocity[TRU_ROW_SLIDE1], c.velocity[TRU_ROW_SLIDE2]) < 1e-13);
    tru_world_destroy(w);
    s = paper_setting();
    s.lift = 0.01;
    refused(&s, "stepper variational: body 'body' starts 0.01 m above the plane; it must touch it");
    s = paper_setting();
    s.q = (tru_quat){cos(1.0), sin(1.0), 0.0, 0.0}; /* the second rim is the lower one */
    s.w = v3_zero();
    refused(&s,
            "stepper variational: body 'body' starts with theta = 2 rad, outside the range of its first rim, above 0 "
            "(flat) up to pi/2 (upright)");
    s.q = (tru_quat){1.0, 0.0, 0.0, 0.0};
    refused(&s,
            "stepper variational: body 'body' starts with theta = 0 rad, outside the range of its first rim, above 0 "
            "(flat) up to pi/2 (upright)");
}

TEST(what_cannot_roll) {
    const tru_box box = {{0.1, 0.2, 0.3}};
    const tru_sphere sphere = {0.1};
    setting s = paper_setting();
    s.shape = (tru_use){"box", &box};
    s.w = v3_zero();
    s.q = quat_identity();
    refused(&s, "stepper variational: shape box of body 'body' has no smooth support function");
    s = paper_setting();
    s.slide = 0.0;
    s.by.when_not_rolling = TRU_STOP;
    refused(&s, "stepper variational: no friction can keep body 'body' rolling; give slide of law coulomb, or "
                "when_not_rolling: ideal");
    s.shape = (tru_use){"sphere", &sphere};
    refused(&s, "stepper variational: scheme reduced is for a disk, body 'body' is a sphere");
    s = paper_setting();
    s.inertia.y = 0.3;
    refused(&s, "stepper variational: scheme reduced is for a disk about its centre of mass, with an inertia symmetric "
                "about its axis; body 'body' is not one");
    s = paper_setting();
    s.resist.roll.length = 1e-3;
    refused(&s, "stepper variational: only scheme se3 takes dry resistance; roll and spin of law rolling need it");
}

TEST(other_bodies_are_refused) {
    tru_error err;
    const tru_sphere sphere = {0.1};
    setting s = paper_setting(), ball = s;
    ball.shape = (tru_use){"sphere", &sphere};
    for (int kind = 0; kind < 3; kind++) {
        tru_world *w = world_of(&ball, &err);
        tru_shape_def shape = tru_default_shape_def();
        tru_body_def b = tru_default_body_def();
        shape.shape = (tru_use){kind == 1 ? "plane" : "sphere", kind == 1 ? NULL : &sphere};
        b.name = "other";
        b.kind = kind == 0 ? TRU_FREE : kind == 1 ? TRU_DRIVEN : TRU_FIXED;
        b.mass = 1.0;
        b.position = v3(5, 0, 3);
        if (kind == 1) b.position.z = -3.0;
        b.shapes = &shape;
        b.shape_count = 1;
        MUST(tru_body_add(w, &b, NULL, &err));
        check_status(tru_check(w, &err), TRU_REFUSED);
        check_str(err.text, kind == 0   ? "stepper variational moves exactly one free body, the world has 2"
                            : kind == 1 ? "stepper variational: body 'other' is driven; the plane must stand still"
                                        : "stepper variational: fixed body 'other' is a sphere; it must be a plane");
        tru_world_destroy(w);
    }
    s.by.scheme = TRU_RK4;
    s.by.start = TRU_START_PAPER;
    tru_world *w = good_world(&(setting){.shape = s.shape,
                                         .mass = 1.0,
                                         .inertia = s.inertia,
                                         .q = s.q,
                                         .w = s.w,
                                         .gravity = s.gravity,
                                         .slide = 0.7,
                                         .by = paper_setting().by});
    check_status(tru_stepper_set(w, "variational", &s.by, &err), TRU_CONFLICT);
    check_str(err.text, "stepper variational: start paper belongs to scheme reduced");
    tru_world_destroy(w);
}

/* Too long a step: Newton fails, the world is as before, the sentence says which step. */
TEST(step_too_long) {
    tru_error err;
    const tru_disk disk = {0.05, 0.015};
    setting s = paper_setting();
    s.shape.params = &disk;
    s.inertia = v3(0.2575 * 0.0025, 0.2575 * 0.0025, 0.5 * 0.0025);
    s.gravity.z = -9.81;
    s.q = (tru_quat){cos(0.5), sin(0.5), 0.0, 0.0};
    s.w = v3_add(v3(0, 0, 18.0), v3_scale(6.0, v3(0.0, -sin(1.0), cos(1.0))));
    s.by.step = 2e-3;
    tru_world *w = good_world(&s);
    tru_status status = TRU_OK;
    uint64_t before = 0, steps = 0;
    while (status >= 0 && steps < 5000) {
        before = tru_state_hash(w);
        steps = tru_steps_done(w);
        status = tru_run(w, 1, &err);
    }
    check_status(status, TRU_NO_SOLUTION);
    check(tru_state_hash(w) == before && tru_steps_done(w) == steps);
    char head[40];
    snprintf(head, sizeof head, "step %llu (t = ", (unsigned long long)steps + 1);
    check(strncmp(err.text, head, strlen(head)) == 0);
    check(strstr(err.text, "scheme reduced did not converge at theta = ") != NULL);
    tru_world_destroy(w);
}

/* ---- rolling */

/* Through the world: the reference of [variational-equations 4] at t = 1, and the promise of the ledger and the
 * judge. */
TEST(paper_run_through_the_world) {
    tru_error err;
    static const int schemes[] = {TRU_REDUCED, TRU_RK2_MIDPOINT, TRU_RK4};
    for (int i = 0; i < 3; i++) {
        double error[2];
        for (int level = 0; level < 2; level++) {
            setting s = paper_setting();
            s.by.scheme = schemes[i];
            s.by.step = 0.01 / (1 << level);
            tru_world *w = good_world(&s);
            const uint64_t steps = 100u << level;
            double worst = 0.0;
            for (uint64_t k = 0; k < steps; k++) {
                tru_verdict v;
                MUST(tru_run(w, 1, &err));
                MUST(tru_judge(w, &v, &err));
                worst = fmax(worst, fmax(v.spin, v.momentum));
                for (int kind = 0; kind < TRU_KINDS; kind++) worst = fmax(worst, v.law[kind]);
            }
            check(worst < 1e-11);
            tru_contact_info c;
            MUST(tru_contact_get(w, 0, &c, &err));
            error[level] = hypot(c.point.x + 5.79976629, c.point.y + 0.46300642);
            check(fabs(c.gap) < 1e-15);
            const tru_ledger l = tru_world_ledger(w);
            check_close(tru_ledger_gap(&l), 0.0, 0.0, 1e-12 * l.start);
            tru_world_destroy(w);
        }
        if (i < 2) check_close(error[0] / error[1], 4.0, 0.1, 0.0);
        if (i == 2) check(error[1] < 1e-7);
    }
}

/* Needed friction and normal force of the true motion: 0.668, 0.364 to 1.893 of the weight. */
TEST(forces_of_the_paper_run) {
    tru_error err;
    setting s = paper_setting();
    s.by.step = 1e-3;
    tru_world *w = good_world(&s);
    double low = 1e9, high = 0.0, ratio = 0.0;
    for (int k = 0; k < 10000; k++) {
        tru_contact_info c;
        MUST(tru_run(w, 1, &err));
        MUST(tru_contact_get(w, 0, &c, &err));
        const double n = c.impulse[0] / 1e-3 / 9.8, t = hypot(c.impulse[1], c.impulse[2]) / 1e-3 / 9.8;
        low = fmin(low, n);
        high = fmax(high, n);
        ratio = fmax(ratio, t / n);
    }
    check_close(low, 0.364, 2e-3, 0.0);
    check_close(high, 1.893, 1e-3, 0.0);
    check_close(ratio, 0.668, 2e-3, 0.0);
    tru_world_destroy(w);
}

/* Friction 0.6 is not enough: the run stops where it would be needed, with an event; the world is as before. */
TEST(trui_rolling_ends) {
    tru_error err;
    setting s = paper_setting();
    s.slide = 0.6;
    s.by.when_not_rolling = TRU_STOP;
    s.by.step = 1e-3;
    tru_world *w = good_world(&s);
    tru_status status = TRU_OK;
    uint64_t before = 0;
    while (status >= 0 && tru_time(w) < 2.0) {
        before = tru_state_hash(w);
        status = tru_run(w, 1, &err);
    }
    check_status(status, TRU_NO_SOLUTION);
    check(tru_state_hash(w) == before);
    check(strstr(err.text, "body 'body' begins to slip, rolling needs 0.60") != NULL);
    check(strstr(err.text, " of friction per normal force and slide allows 0.6") != NULL);
    tru_event events[8];
    const size_t count = tru_events_take(w, events, 8, NULL);
    check(count > 0 && events[count - 1].kind == TRU_EVENT_SLIP);
    tru_world_destroy(w);
    s.by.when_not_rolling = TRU_IDEAL;
    w = good_world(&s);
    MUST(tru_run(w, 2000, &err));
    tru_event more[32];
    const size_t n = tru_events_take(w, more, 32, NULL);
    int slips = 0, sticks = 0;
    for (size_t k = 0; k < n; k++) slips += more[k].kind == TRU_EVENT_SLIP, sticks += more[k].kind == TRU_EVENT_STICK;
    check(slips >= 2 && sticks >= 2);
    tru_world_destroy(w);
}

/* Rolling straight down a slope: acceleration g sin a r^2/(r^2 + k^2); pushed on the flat by the same force: the same. */
TEST(slope_and_load) {
    tru_error err;
    const tru_disk thin = {0.1, 0.0};
    const double tilt = 0.3, pull = 9.81 * sin(tilt);
    for (int i = 0; i < 2; i++) {
        setting s = paper_setting();
        s.shape.params = &thin;
        s.mass = 0.4;
        s.inertia = v3(0.25 * 0.4 * 0.01, 0.25 * 0.4 * 0.01, 0.5 * 0.4 * 0.01);
        s.w = v3(0.0, -5.0, 0.0); /* heading x, rolling towards -x */
        s.gravity = i ? v3(0, 0, -9.81) : v3(pull, 0.0, -9.81 * cos(tilt));
        s.by.step = 1e-3;
        tru_world *w = good_world(&s);
        tru_load_def push = tru_default_load_def();
        push.body = 2;
        push.force = v3(0.4 * pull, 0.0, 0.0);
        if (i) MUST(tru_load_add(w, &push, NULL, &err));
        MUST(tru_run(w, 500, &err));
        const tru_body_state end = kit_get_state(w, 2);
        check_close(end.velocity.x, -0.5 + 0.5 * pull / 1.5, 1e-11, 0.0);
        check_close(end.position.x, -0.25 + 0.125 * pull / 1.5, 1e-11, 0.0);
        const tru_ledger l = tru_world_ledger(w);
        check_close(tru_ledger_gap(&l), 0.0, 0.0, 1e-12 * (l.kinetic + fabs(l.start)));
        if (i) check_close(l.loads, 0.4 * pull * end.position.x, 1e-10, 0.0);
        tru_world_destroy(w);
    }
}

/* Viscous resistance upright and straight: psi' decays as exp(-c t/(J + m r^2)). */
TEST(viscous_resistance) {
    tru_error err;
    const tru_disk thin = {0.1, 0.0};
    for (int level = 0; level < 2; level++) {
        setting s = paper_setting();
        s.shape.params = &thin;
        s.mass = 0.4;
        s.inertia = v3(0.25 * 0.4 * 0.01, 0.25 * 0.4 * 0.01, 0.5 * 0.4 * 0.01);
        s.w = v3(0.0, -5.0, 0.0);
        s.gravity = v3(0, 0, -9.81);
        s.resist.roll_viscosity = 0.01;
        s.by.step = 0.01 / (1 << level);
        tru_world *w = good_world(&s);
        MUST(tru_run(w, 100u << level, &err));
        const double ratio = (1.0 - 0.5 * s.by.step * 0.01 / 0.006) / (1.0 + 0.5 * s.by.step * 0.01 / 0.006);
        const double rate = 5.0 * pow(ratio, 100 << level), exact = 5.0 * exp(-0.01 / 0.006); /* trapezoidal rule */
        check_close(-kit_get_state(w, 2).angular_velocity.y, rate, 1e-11, 0.0);
        check_close(rate, exact, 1e-4, 0.0);
        const tru_ledger l = tru_world_ledger(w);
        check_close(l.roll, 0.5 * 0.006 * (25.0 - rate * rate), 1e-4, 0.0);
        check_close(tru_ledger_gap(&l), 0.0, 0.0, 1e-13 * l.start);
        tru_world_destroy(w);
    }
}
