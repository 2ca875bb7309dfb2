/* test_event.c: the event-driven stepper against its reference runs, elementary mechanics and limit directions. */
#define _GNU_SOURCE
#include "check.h"

#include "unit/analysis/limit_runs.h"
#include "draw.h"

#include <trundle/analysis.h>

#include <string.h>

#define G 9.81

static void set_event(tru_world *w, double step) {
    tru_error err;
    tru_event_driven e = tru_default_event_driven();
    e.step = step;
    MUST(tru_stepper_set(w, "event", &e, &err));
}

/* Events of the given kind so far; takes them all out. */
typedef struct happened {
    tru_event events[256];
    size_t count;
} happened;

static happened take(tru_world *w) {
    happened h;
    h.count = tru_events_take(w, h.events, 256, NULL);
    return h;
}

static int count_kind(const happened *h, int kind) {
    int n = 0;
    for (size_t i = 0; i < h->count; i++) n += h->events[i].kind == kind;
    return n;
}

static const tru_event *first_kind(const happened *h, int kind) {
    for (size_t i = 0; i < h->count; i++)
        if (h->events[i].kind == kind) return &h->events[i];
    return NULL;
}

static double ledger_gap(const tru_world *w) {
    const tru_ledger l = tru_world_ledger(w);
    return tru_ledger_gap(&l);
}

/* ---- the reference runs of [slip-roll-equations 6.1] */

typedef struct reference {
    const char *name;
    limit_run run;
    double until;
    int changes; /* slips and sticks after the start, in turn */
    double at[8];
    double p[2], u[2];
    tru_quat q;
    tru_vec3 w;
    double energy; /* 0: not printed */
} reference;

static void check_reference(const reference *r, int steps) {
    tru_error err;
    tru_id id;
    tru_contact_info c;
    tru_world *w = run_world(&r->run, &id);
    set_event(w, r->until / steps);
    MUST(tru_run(w, (uint64_t)steps, &err));
    const happened h = take(w);
    const tru_body_state s = kit_get_state(w, id);
    int change = 0;
    for (size_t i = 0; i < h.count; i++) {
        const tru_event *e = &h.events[i];
        if (e->time == 0.0) continue;
        if (!check(change < r->changes) || !check(e->kind == TRU_EVENT_STICK || e->kind == TRU_EVENT_SLIP)) break;
        check_close(e->time, r->at[change++], 0.0, 1e-8);
    }
    check_status(change, r->changes);
    MUST(tru_contact_get(w, 0, &c, &err));
    check_close(c.point.x, r->p[0], 0.0, 1e-7);
    check_close(c.point.y, r->p[1], 0.0, 1e-7);
    check_close(c.velocity[TRU_ROW_SLIDE1], r->u[0], 0.0, r->u[0] == 0.0 ? 1e-14 : 5e-5);
    check_close(c.velocity[TRU_ROW_SLIDE2], r->u[1], 0.0, r->u[1] == 0.0 ? 1e-14 : 5e-5);
    check_close(s.orientation.w, r->q.w, 0.0, 1e-7);
    check_close(s.orientation.x, r->q.x, 0.0, 1e-7);
    check_close(s.orientation.y, r->q.y, 0.0, 1e-7);
    check_close(s.orientation.z, r->q.z, 0.0, 1e-7);
    check_close(v3_norm(v3_sub(s.angular_velocity, r->w)), 0.0, 0.0, 1e-7);
    const tru_ledger l = tru_world_ledger(w);
    if (r->energy > 0.0) check_close(l.kinetic + l.potential, r->energy, 0.0, 1e-9);
    check_close(tru_ledger_gap(&l), 0.0, 0.0, 1e-12);
    check_close(c.gap, 0.0, 0.0, 1e-15);
    tru_world_destroy(w);
}

TEST(reference_runs) {
    const reference runs[] = {
        {.name = "E2",
         .run = run_e2(),
         .until = 0.6,
         .changes = 1,
         .at = {0.26878357682},
         .p = {-0.033959723, -0.079978389},
         .q = {0.548462576, -0.089187903, -0.076923050, 0.827838852},
         .w = {-0.900629076, -0.754932753, 3.027041907},
         .energy = 0.5246851209},
        {.name = "E3",
         .run = run_e3(),
         .until = 0.6,
         .changes = 8,
         .at = {0.0723258060, 0.1187346126, 0.1650363033, 0.277378491, 0.3181665866, 0.435742415, 0.472520244,
                0.593888368},
         .p = {-0.659584439, 0.407223303},
         .u = {-8.555e-4, -3.948e-4},
         .q = {0.07555822, -0.52517230, -0.32096322, 0.78451745},
         .w = {-22.08463209, -11.63025927, 9.89156604},
         .energy = 0.5422825827},
        {.name = "E4",
         .run = run_e4(0.2),
         .until = 1.0,
         .changes = 4,
         .at = {0.0721514746, 0.2560152116, 0.7318177215, 0.832572983},
         .p = {0.015608368, 0.170127087},
         .u = {0.0563, -0.0826},
         .q = {0.901701869, 0.356113836, 0.181313216, 0.165052092},
         .w = {-2.43725382, -1.05499504, 2.00885019},
         .energy = 0.742557566},
    };
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        check_reference(&runs[k], 1);
        check_reference(&runs[k], 100);
        check_reference(&runs[k], 997);
    }
}

/* With more friction the ball of E4 rolls all the time: nothing happens and no energy goes. */
TEST(rolls_for_a_second) {
    tru_error err;
    tru_id id;
    const limit_run r = run_e4(0.3);
    tru_world *w = run_world(&r, &id);
    set_event(w, 0.01);
    const tru_ledger start = tru_world_ledger(w);
    MUST(tru_run(w, 100, &err));
    const happened h = take(w);
    check_status(count_kind(&h, TRU_EVENT_SLIP) + count_kind(&h, TRU_EVENT_STICK), 0);
    const tru_ledger end = tru_world_ledger(w);
    check_close(end.kinetic + end.potential, start.kinetic + start.potential, 0.0, 1e-12);
    check(end.slide == 0.0);
    tru_world_destroy(w);
}

/* E1: any ball slides for |u|/(mu g (1 + 1/kappa)) and then rolls with (v + kappa R omega x n)/(1 + kappa). */
TEST(balls_of_any_inertia) {
    for (double kappa = 0.1; kappa < 0.7; kappa += 0.15) {
        tru_error err;
        tru_id id;
        limit_run r = run_e1();
        const double j = kappa * r.mass * 0.01, ux = 2.0 + 0.4, uy = 0.5 + 0.3;
        r.inertia = v3(j, j, j);
        tru_world *w = run_world(&r, &id);
        set_event(w, 0.0137);
        MUST(tru_run(w, 100, &err));
        const happened h = take(w);
        const tru_event *stick = first_kind(&h, TRU_EVENT_STICK);
        if (!check(stick != NULL)) return;
        check_close(stick->time, hypot(ux, uy) / (0.2 * G * (1.0 + 1.0 / kappa)), 1e-12, 0.0);
        check_status(stick->limit_case, TRU_CASE_EVERY);
        const tru_vec3 v = kit_get_state(w, id).velocity;
        check_close(v.x, (2.0 + kappa * 0.1 * -4.0) / (1.0 + kappa), 1e-12, 0.0); /* omega x n = (wy, -wx) */
        check_close(v.y, (0.5 - kappa * 0.1 * 3.0) / (1.0 + kappa), 1e-12, 0.0);
        check_close(stick->velocity.x, v.x, 1e-12, 0.0);
        tru_world_destroy(w);
    }
}

/* ---- slopes and loads */

TEST(ball_on_a_slope) {
    for (double slope = 0.1; slope < 1.2; slope += 0.2) {
        tru_error err;
        tru_id id;
        limit_run r = run_e1();
        r.slope = slope;
        r.rate = r.velocity = v3_zero();
        tru_world *w = run_world(&r, &id);
        set_event(w, 0.1);
        MUST(tru_run(w, 10, &err));
        const bool rolls = tan(slope) <= 3.5 * 0.2;
        const double a = rolls ? 5.0 / 7.0 * G * sin(slope) : G * (sin(slope) - 0.2 * cos(slope));
        const tru_body_state s = kit_get_state(w, id);
        const tru_vec3 down = v3(cos(slope), 0.0, -sin(slope));
        check_close(v3_dot(s.velocity, down), a, 1e-12, 0.0);
        check_close(v3_norm(v3_reject(s.velocity, down)), 0.0, 0.0, 1e-13);
        check_close(s.angular_velocity.y, rolls ? a / 0.1 : 2.5 * 0.2 * G * cos(slope) / 0.1, 1e-12, 0.0);
        check_close(ledger_gap(w), 0.0, 0.0, 1e-12 * a * a);
        tru_world_destroy(w);
    }
}

/* A rolling ball under a force that ramps up, holds and ramps down: v = integral of F / (7/5 m), whatever the steps. */
TEST(loads_with_knots) {
    for (int steps = 1; steps < 200; steps = 3 * steps + 1) {
        tru_error err;
        tru_id id;
        limit_run r = run_e1();
        r.rate = r.velocity = v3_zero();
        tru_world *w = run_world(&r, &id);
        const tru_knot knots[] = {{0.1, 0.0}, {0.3, 1.0}, {0.5, 1.0}, {0.55, 0.0}};
        tru_load_def load = tru_default_load_def();
        load.body = id;
        load.force = v3(0.6, 0.3, 0.0);
        load.knots = knots;
        load.knot_count = 4;
        MUST(tru_load_add(w, &load, NULL, &err));
        set_event(w, 1.0 / steps);
        MUST(tru_run(w, (uint64_t)steps, &err));
        const double impulse = 0.5 * 0.2 + 0.2 + 0.5 * 0.05, v = 0.6 * impulse / (1.4 * 0.5);
        const tru_body_state s = kit_get_state(w, id);
        check_close(s.velocity.x, v, 1e-12, 0.0);
        check_close(s.velocity.y, 0.5 * v, 1e-12, 0.0);
        check_close(tru_world_ledger(w).loads, 0.7 * 0.5 * (v * v + 0.25 * v * v), 1e-11, 0.0);
        check_close(ledger_gap(w), 0.0, 0.0, 1e-13);
        tru_world_destroy(w);
    }
}

/* A torque that turns with the body spins a ball about its own axis while the axis turns: w = T t / J in body axes. */
TEST(torque_in_body_axes) {
    tru_error err;
    tru_id id;
    limit_run r = run_e1();
    r.velocity = v3_zero();
    r.rate = v3_zero();
    tru_world *w = run_world(&r, &id);
    tru_load_def load = tru_default_load_def();
    load.body = id;
    load.body_axes = true;
    load.torque = v3(0.0, 0.0, 1e-3);
    MUST(tru_load_add(w, &load, NULL, &err));
    set_event(w, 0.05);
    MUST(tru_run(w, 40, &err));
    check_close(kit_get_state(w, id).angular_velocity.z, 1e-3 * 2.0 / 2e-3, 1e-12, 0.0);
    check_close(tru_world_ledger(w).loads, 0.5 * 2e-3, 1e-11, 0.0);
    tru_world_destroy(w);
}

/* ---- flight and impacts */

static tru_world *thrown(double height, double restitution, double mu, tru_vec3 v, tru_vec3 rate, tru_id *id) {
    tru_error err;
    const tru_coulomb friction = run_friction(mu);
    const tru_use law = {"coulomb", &friction};
    tru_world *w = kit_create_floor(&law, 1, restitution);
    *id = kit_add_ball(w, 0.1, 0.5, v, rate);
    tru_body_state s = kit_get_state(w, *id);
    s.position.z += height;
    MUST(tru_body_set(w, *id, &s, &err));
    return w;
}

TEST(bouncing_ball) {
    tru_error err;
    tru_id id;
    const double height = 0.7, e = 0.6;
    tru_world *w = thrown(height, e, 0.2, v3_zero(), v3_zero(), &id);
    set_event(w, 0.01);
    MUST(tru_run(w, 500, &err));
    const happened h = take(w);
    double fall = sqrt(2.0 * height / G), speed = sqrt(2.0 * G * height), time = fall;
    int touches = 0;
    for (size_t i = 0; i < h.count; i++) {
        if (h.events[i].kind != TRU_EVENT_TOUCH) continue;
        check_close(h.events[i].time, time, 1e-9, 0.0);
        check_close(h.events[i].speed, speed, 1e-6, 1e-9);
        speed *= e;
        time += 2.0 * speed / G;
        touches++;
    }
    check(touches > 20 && touches < 40); /* down to a millionth of the speed scale */
    const tru_body_state s = kit_get_state(w, id);
    check_close(s.position.z, 0.1, 0.0, 1e-11);
    check(v3_norm(s.velocity) == 0.0 && v3_norm(s.angular_velocity) == 0.0);
    check_status(first_kind(&h, TRU_EVENT_REST) != NULL, true);
    check_close(tru_world_ledger(w).impact, 0.5 * G * height, 1e-10, 0.0);
    check_close(ledger_gap(w), 0.0, 0.0, 1e-12);
    tru_world_destroy(w);
}

/* A ball meets the floor with slip (u, v_z): it sticks when 2/7 |u| <= mu |v_z| (1 + e), else loses mu |v_z| (1 + e). */
TEST(impact_with_friction) {
    const double height = 0.2, down = sqrt(2.0 * G * height), e = 0.5;
    for (double mu = 0.02; mu < 0.4; mu += 0.05) {
        tru_error err;
        tru_id id;
        const tru_vec3 v = v3(1.0, -0.5, 0.0), rate = v3(4.0, 2.0, 3.0), u = v3(1.0 - 0.2, -0.5 + 0.4, 0.0);
        tru_world *w = thrown(height, e, mu, v, rate, &id);
        set_event(w, 0.25); /* one impact at 0.2019 s */
        MUST(tru_run(w, 1, &err));
        const double slip = v3_norm(u), most = mu * down * (1.0 + e);
        const bool sticks = 2.0 / 7.0 * slip <= most;
        const tru_vec3 lost = v3_scale(sticks ? 2.0 / 7.0 : most / slip, u);
        const tru_body_state s = kit_get_state(w, id);
        check_close(s.velocity.x, v.x - lost.x, 1e-12, 0.0);
        check_close(s.velocity.y, v.y - lost.y, 1e-12, 0.0);
        check_close(s.velocity.z, e * down - G * (0.25 - down / G), 1e-10, 0.0);
        /* n x p R / J: torque about the centre of -m lost at (0, 0, -R) */
        check_close(s.angular_velocity.x, rate.x - 2.5 * lost.y / 0.1, 1e-12, 0.0);
        check_close(s.angular_velocity.y, rate.y + 2.5 * lost.x / 0.1, 1e-12, 0.0);
        const tru_ledger l = tru_world_ledger(w);
        check_close(l.impact, 0.25 * down * down * (1.0 - e * e), 1e-10, 0.0);
        const double before = 0.25 * 1.25 + 1e-3 * 20.0;
        const double after =
            0.25 * (s.velocity.x * s.velocity.x + s.velocity.y * s.velocity.y) +
            1e-3 * (s.angular_velocity.x * s.angular_velocity.x + s.angular_velocity.y * s.angular_velocity.y);
        check_close(l.slide, before - after, 1e-11, 0.0);
        tru_world_destroy(w);
    }
}

/* A fast off-centre ball leaves the floor where its normal force vanishes, flies with constant spin momentum, and comes
 * down again. */
TEST(lifts_off_where_nothing_pushes) {
    tru_error err;
    tru_id id;
    limit_run r = run_e4(0.5);
    r.rate = v3(-22.0, 0.0, 0.0);
    tru_world *w = run_world(&r, &id);
    set_event(w, 2e-3);
    happened h = {.count = 0};
    const tru_event *lift = NULL;
    for (int i = 0; i < 500 && !lift; i++) {
        MUST(tru_run(w, 1, &err));
        h = take(w);
        lift = first_kind(&h, TRU_EVENT_LIFT);
    }
    if (!check(lift != NULL)) return;
    check_status(lift->limit_case, TRU_CASE_LIFT);
    check(tru_contact_count(w) == 0);
    const tru_body_state now = kit_get_state(w, id);
    const tru_body_state state = {lift->position, lift->orientation, lift->velocity, lift->angular_velocity};
    tru_limit_contact c;
    tru_limit_problem p;
    tru_limit l;
    MUST(tru_body_set(w, id, &state, &err));
    MUST(tru_limit_of_body(w, id, &c, &err));
    MUST(tru_limit_problem_of(&c.body, &p, &err));
    MUST(tru_limit_directions(&p, &l, &err));
    check_close(l.normal0, 0.0, 0.0, 1e-9);
    /* flight: the centre falls freely, energy and spin momentum stay */
    const double t = tru_time(w) - lift->time;
    check_close(now.velocity.z, lift->velocity.z - G * t, 1e-12, 0.0);
    check_close(now.position.x, lift->position.x + t * lift->velocity.x, 1e-12, 1e-15);
    const tru_vec3 wb0 = quat_unrotate(lift->orientation, lift->angular_velocity);
    const tru_vec3 wb = quat_unrotate(now.orientation, now.angular_velocity);
    const tru_vec3 l0 = quat_rotate(lift->orientation, v3_mul(r.inertia, wb0));
    const tru_vec3 l1 = quat_rotate(now.orientation, v3_mul(r.inertia, wb));
    check_close(v3_norm(v3_sub(l0, l1)), 0.0, 0.0, 1e-13 * v3_norm(l0));
    MUST(tru_body_set(w, id, &now, &err));
    const tru_event *touch = NULL;
    for (int i = 0; i < 500 && !touch; i++) {
        MUST(tru_run(w, 1, &err));
        h = take(w);
        touch = first_kind(&h, TRU_EVENT_TOUCH);
    }
    check(touch != NULL);
    check_close(ledger_gap(w), 0.0, 0.0, 1e-11);
    tru_world_destroy(w);
}

/* ---- where moreau takes over */

static tru_id free_body(tru_world *w, const char *shape_name, const void *params, double mass, tru_vec3 inertia,
                        const tru_body_state *s) {
    return kit_add_body(w, {.name = "body",
                            .shape = {shape_name, params},
                            .mass = mass,
                            .inertia = inertia,
                            .position = s->position,
                            .orientation = s->orientation,
                            .velocity = s->velocity,
                            .angular_velocity = s->angular_velocity});
}

/* A box falls on a corner, tumbles onto a face and rests there, flat. */
TEST(box_comes_to_rest) {
    tru_error err;
    const tru_coulomb friction = run_friction(0.4);
    const tru_use law = {"coulomb", &friction};
    const tru_box box = {{0.3, 0.2, 0.1}};
    const tru_body_state start = {{0, 0, 0.4}, {0.9, 0.2, 0.3, 0.1}, {0.4, 0, 0}, {1, 2, -1}};
    tru_world *w = kit_create_floor(&law, 1, 0.0);
    const tru_id id = free_body(w, "box", &box, 4.0, v3(0.05 / 3.0, 0.1 / 3.0, 0.13 / 3.0), &start);
    set_event(w, 0.01);
    int touched = 0, handed = 0, rests = 0;
    for (int i = 0; i < 300; i++) {
        MUST(tru_run(w, 1, &err));
        const happened h = take(w);
        touched += count_kind(&h, TRU_EVENT_TOUCH);
        handed += count_kind(&h, TRU_EVENT_HANDOVER);
        rests += count_kind(&h, TRU_EVENT_REST);
    }
    check(touched > 0 && handed > 0 && handed < 30);
    check_status(rests, 1);
    const tru_body_state s = kit_get_state(w, id);
    check(v3_norm(s.velocity) < 1e-12 && v3_norm(s.angular_velocity) < 1e-12);
    check_close(fmin(fmin(fabs(s.position.z - 0.05), fabs(s.position.z - 0.1)), fabs(s.position.z - 0.15)), 0.0, 0.0,
                1e-6); /* within moreau's activation */
    check_close(ledger_gap(w), 0.0, 0.0, 1e-11);
    check_status((long long)tru_steps_done(w), 300);
    check_close(tru_time(w), 3.0, 1e-15, 0.0);
    tru_world_destroy(w);
}

/* A disk in steady spinning: in one step its contact point goes round the rim by any angle, and nothing comes of it. */
TEST(steps_of_many_turns) {
    tru_error err;
    const double r = 0.0375, mass = 0.3048, tilt = 0.1, across = mass * r * r / 4.0;
    const double rate = sqrt(mass * 9.81 * r * sin(tilt) / across);
    const tru_coulomb friction = run_friction(0.3);
    const tru_use law = {"coulomb", &friction};
    const tru_disk disk = {r, 0.0};
    const tru_body_state start = {{0, 0, r * sin(tilt)},
                                  {cos(tilt / 2.0), sin(tilt / 2.0), 0, 0},
                                  {0, 0, 0},
                                  {0, rate * cos(tilt), rate * sin(tilt)}};
    static const int steps[] = {200, 50, 12, 10, 3};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        tru_world *w = kit_create_floor(&law, 1, 0.0);
        const tru_id id = free_body(w, "disk", &disk, mass, v3(across, across, 2.0 * across), &start);
        set_event(w, 1.0 / steps[k]);
        const tru_ledger before = tru_world_ledger(w);
        int changes = 0;
        for (int i = 0; i < steps[k]; i++) {
            MUST(tru_run(w, 1, &err));
            const happened h = take(w);
            changes += count_kind(&h, TRU_EVENT_HANDOVER) + count_kind(&h, TRU_EVENT_FLAT);
        }
        check_status(changes, 0);
        const tru_ledger after = tru_world_ledger(w);
        check_close(after.kinetic + after.potential, before.kinetic + before.potential, 1e-9, 0.0);
        check_close(kit_get_state(w, id).position.z, r * sin(tilt), 1e-8, 0.0);
        tru_world_destroy(w);
    }
}

/* A long thin body that leans and slides away from under its lean meets Painleve's paradox; the run continues. Slid to the other
 * side it meets none, though slip to the first side would. */
TEST(painleve_state_is_handed_over) {
    tru_error err;
    const tru_coulomb friction = run_friction(1.8);
    const tru_use law = {"coulomb", &friction};
    const tru_ellipsoid rod = {{0.01, 0.01, 0.3}};
    const double m = 0.4, j = 0.2 * m * (0.3 * 0.3 + 0.01 * 0.01), beta = 0.4;
    for (int side = -1; side <= 1; side += 2) {
        tru_world *w = kit_create_floor(&law, 1, 0.0);
        tru_body_state start = {{0, 0, 0}, {cos(0.5 * beta), 0, sin(0.5 * beta), 0}, {0, 0, 0}, {0, 0.5, 0}};
        const tru_vec3 d = quat_unrotate(start.orientation, v3(0, 0, -1)), a = rod.semi_axes, ad = v3_mul(a, d);
        const tru_vec3 low = quat_rotate(start.orientation, v3_scale(1.0 / v3_norm(ad), v3_mul(a, ad)));
        start.position.z = -low.z;
        start.velocity = v3_sub(v3(3.0 * side, 0, 0), v3_cross(start.angular_velocity, low)); /* -1: against the lean */
        const tru_id id = free_body(w, "ellipsoid", &rod, m, v3(j, j, 0.2 * m * 2e-4), &start);
        set_event(w, 5e-3);
        MUST(tru_run(w, side < 0 ? 200 : 10, &err));
        const happened h = take(w);
        const tru_event *handed = first_kind(&h, TRU_EVENT_HANDOVER);
        if (side > 0)
            check(handed == NULL);
        else if (check(handed != NULL))
            check_status(handed->limit_case, TRU_CASE_PAINLEVE);
        check(v3_is_finite(kit_get_state(w, id).position));
        check_close(ledger_gap(w), 0.0, 0.0, 1e-11);
        tru_world_destroy(w);
    }
}

/* A rod that stands upright and turns fast about a level axis: its lowest point rises at once, N0 = m (g - (c - a^2/c) w^2)
 * < 0. The centre falls freely from t = 0 on and the rod turns on, whether its point rolled or slipped. */
TEST(lifts_off_at_once) {
    tru_error err;
    const tru_coulomb friction = run_friction(0.3);
    const tru_use law = {"coulomb", &friction};
    for (double size = 1e-4; size < 200.0; size *= 10.0)
        for (int k = 0; k < 6; k++) {
            const tru_ellipsoid rod = {{size, size, 2.0 * size}};
            const double c = 2.0 * size, over = 1.5 * size, rate = sqrt((1.0 + 0.5 * (1 + k)) * G / over);
            const double j = 0.2 * (c * c + size * size), gap = k % 3 == 0   ? 0.0
                                                                : k % 3 == 1 ? 1e-12 * size
                                                                             : 1e-9 * size;
            const double t = 0.3 / rate, slip = k < 3 ? 0.0 : 0.5 * rate * c;
            const tru_body_state start = {{0, 0, c + gap}, {1, 0, 0, 0}, {rate * c + slip, 0, 0}, {0, rate, 0}};
            tru_world *w = kit_create_floor(&law, 1, 0.0);
            const tru_id id = free_body(w, "ellipsoid", &rod, 1.0, v3(j, j, 0.4 * size * size), &start);
            set_event(w, 0.1 * t);
            MUST(tru_check(w, &err));
            MUST(tru_run(w, 10, &err));
            const happened h = take(w);
            const tru_event *lift = first_kind(&h, TRU_EVENT_LIFT);
            if (check(lift != NULL)) check(lift->time == 0.0);
            check_status(count_kind(&h, TRU_EVENT_TOUCH), 1);
            check_status(count_kind(&h, TRU_EVENT_HANDOVER), 0);
            const tru_body_state s = kit_get_state(w, id);
            check_close(s.position.z, c - 0.5 * G * t * t, 1e-9, 0.0);
            check_close(s.position.x, start.velocity.x * t, 1e-9, 0.0);
            check_close(s.angular_velocity.y, rate, 1e-9, 0.0);
            check_close(ledger_gap(w) / tru_world_ledger(w).kinetic, 0.0, 0.0, 1e-12);
            tru_world_destroy(w);
        }
}

/* A disk on a rough floor: slip in some directions would be a Painleve paradox, but it rolls inside its cone, so event
 * continues by itself, to where Runge-Kutta on the rolling equations gets. */
TEST(rolling_in_a_painleve_state_goes_on) {
    tru_error err;
    const tru_coulomb friction = run_friction(8.0);
    const tru_use law = {"coulomb", &friction};
    double most = 0.0;
    for (int k = 0; k < 8; k++) {
        const double r = 0.05, mass = 0.3, tilt = 0.2 + 0.02 * k, across = mass * r * r / 4.0;
        const double spin = (1.0 + 0.01 * k) * sqrt(mass * G * r * sin(tilt) / across); /* near its steady spinning */
        const tru_disk disk = {r, 0.0};
        const tru_vec3 arm = {0, r * cos(tilt), r * sin(tilt)}, rate = {0.1 * k, spin * cos(tilt), spin * sin(tilt)};
        const tru_body_state start = {arm, {cos(tilt / 2.0), sin(tilt / 2.0), 0, 0}, v3_cross(rate, arm), rate};
        tru_body_state end[2];
        for (int by = 0; by < 2; by++) {
            tru_world *w = kit_create_floor(&law, 1, 0.0);
            const tru_id id = free_body(w, "disk", &disk, mass, v3(across, across, 2.0 * across), &start);
            if (by == 0) {
                tru_limit_contact at;
                tru_limit_problem p;
                tru_limit l;
                MUST(tru_limit_of_body(w, id, &at, &err));
                MUST(tru_limit_problem_of(&at.body, &p, &err));
                MUST(tru_limit_directions(&p, &l, &err));
                most = fmax(most, l.wedge);
                check(l.rolls);
                set_event(w, 1e-2);
                MUST(tru_run(w, 20, &err));
                const happened h = take(w);
                check_status(count_kind(&h, TRU_EVENT_HANDOVER), 0);
                check_status(count_kind(&h, TRU_EVENT_LIFT), 0);
            } else {
                tru_variational v = tru_default_variational();
                v.step = 1e-4;
                v.scheme = TRU_RK4;
                v.when_not_rolling = TRU_IDEAL;
                v.project = true;
                MUST(tru_stepper_set(w, "variational", &v, &err));
                MUST(tru_run(w, 2000, &err));
            }
            end[by] = kit_get_state(w, id);
            tru_world_destroy(w);
        }
        check_close(v3_norm(v3_sub(end[0].position, end[1].position)) / r, 0.0, 0.0, 1e-7);
        check_close(v3_norm(v3_sub(end[0].angular_velocity, end[1].angular_velocity)) / 20.0, 0.0, 0.0, 1e-7);
    }
    check(most > 1.0); /* there are such states among them */
}

/* A ball that spins fast bounces until its rebounds are nothing in the measure of its speeds, then it stays down: flights
 * lower than round-off of its height would never end. */
TEST(bounces_of_a_spinning_ball_end) {
    tru_error err;
    const tru_coulomb friction = run_friction(0.0);
    const tru_use law = {"coulomb", &friction};
    for (int k = 0; k < 30; k++) {
        const double r = 0.05, e = 0.02 + 0.02 * k;
        const tru_vec3 v = {-0.15, 0.37, 0.02}, spin = {75.0, -91.0, 45.0};
        tru_world *w = kit_create_floor(&law, 1, e);
        const tru_id id = kit_add_ball(w, r, 1.0, v, spin);
        tru_body_state s = kit_get_state(w, id);
        s.position.z = r + 0.01 + 1e-3 * k;
        MUST(tru_body_set(w, id, &s, &err));
        set_event(w, 2e-3);
        int handed = 0;
        double least = 1.0;
        for (int i = 0; i < 250; i++) {
            MUST(tru_run(w, 1, &err));
            const happened h = take(w);
            handed += count_kind(&h, TRU_EVENT_HANDOVER);
            for (size_t j = 0; j < h.count; j++)
                if (h.events[j].kind == TRU_EVENT_LIFT) least = fmin(least, h.events[j].speed);
        }
        check_status(handed, 0);
        check(least > 1e-6 * r * v3_norm(spin) && least < 1.0);
        check_close(kit_get_state(w, id).position.z, r, 1e-9, 0.0);
        tru_world_destroy(w);
    }
}

/* A ball rolls into a wall: two contacts for a moment, then one again. */
TEST(wall_and_floor) {
    tru_error err;
    tru_id id;
    limit_run r = run_e1();
    r.velocity = v3(1.0, 0.0, 0.0);
    r.rate = v3(0.0, 10.0, 0.0); /* rolls */
    tru_world *w = run_world(&r, &id);
    tru_shape_def plane = tru_default_shape_def();
    tru_body_def wall = tru_default_body_def();
    plane.shape.name = "plane";
    wall.name = "wall";
    wall.kind = TRU_FIXED;
    wall.position = v3(0.6, 0.0, 0.0);
    wall.orientation = (tru_quat){sqrt(0.5), 0.0, -sqrt(0.5), 0.0}; /* z to -x */
    wall.shapes = &plane;
    wall.shape_count = 1;
    MUST(tru_body_add(w, &wall, NULL, &err));
    set_event(w, 0.01);
    MUST(tru_run(w, 49, &err));
    check_close(kit_get_state(w, id).position.x, 0.49, 1e-12, 0.0);
    MUST(tru_run(w, 51, &err));
    const happened h = take(w);
    const tru_event *handed = first_kind(&h, TRU_EVENT_HANDOVER);
    if (check(handed != NULL)) check_close(handed->time, 0.5, 1e-6, 0.0);
    check(kit_get_state(w, id).position.x <= 0.5 + 1e-9);
    check_close(ledger_gap(w), 0.0, 0.0, 1e-11);
    tru_world_destroy(w);
}

/* ---- a wheel in a frame */

/* Upright, its axle along y and kept level, heading along x; the contact point slips with u, a torque acts about the axle. */
static tru_world *wheel_world(double mu, double height, tru_vec3 u, double w2, double w3, double torque, tru_id *id) {
    tru_error err;
    const double m = 1.0, rho = 0.3;
    const tru_coulomb friction = run_friction(mu);
    const tru_use law = {"coulomb", &friction};
    const tru_disk disk = {rho, 0.0};
    tru_world *w = kit_create_floor(&law, 1, 0.0);
    tru_load_def load = tru_default_load_def();
    *id = kit_add_body(w, {.name = "wheel",
                           .shape = {"disk", &disk},
                           .mass = m,
                           .inertia = v3(0.25 * m * rho * rho, 0.25 * m * rho * rho, 0.5 * m * rho * rho),
                           .position = v3(0.0, 0.0, rho + height),
                           .orientation = {sqrt(0.5), -sqrt(0.5), 0.0, 0.0},
                           .velocity = v3(rho * w2 + u.x, u.y, 0.0),
                           .angular_velocity = v3(0.0, w2, w3),
                           .level = v3(0.0, 0.0, 2.0)});
    load.body = *id;
    load.torque = v3(0.0, 0.0, torque);
    load.body_axes = true;
    if (torque != 0.0) MUST(tru_load_add(w, &load, NULL, &err));
    return w;
}

static double spin_of(const tru_world *w, tru_id id) {
    const tru_body_state s = kit_get_state(w, id);
    return quat_unrotate(s.orientation, s.angular_velocity).z;
}

/* The crossing test of [slip-roll-equations 5]: of two slips of equal size one reaches zero and leaves again, one does
 * not. */
TEST(wheel_crosses_zero_slip) {
    const double moment = 0.1 * 0.5 * G * 0.3, phi[2] = {1.9, 0.3}, spin[2] = {6.6006124, 6.7383210};
    const double u1[2] = {-0.0076099, -0.0092694}, u2[2] = {-0.0955490, -0.1130056};
    for (int i = 0; i < 2; i++) {
        tru_error err;
        tru_id id;
        tru_contact_info c;
        tru_world *w = wheel_world(0.5, 0.0, v3(0.05 * cos(phi[i]), 0.05 * sin(phi[i]), 0.0), 6.54, 3.0, moment, &id);
        set_event(w, 1e-3);
        MUST(tru_run(w, 100, &err));
        const happened h = take(w);
        const tru_event *cross = first_kind(&h, TRU_EVENT_CROSS);
        check_status(count_kind(&h, TRU_EVENT_CROSS), i == 0);
        if (i == 0 && check(cross != NULL)) {
            check_close(cross->time, 0.00449858, 0.0, 5.1e-9);
            check_status(cross->limit_case, TRU_CASE_IV);
        }
        MUST(tru_contact_get(w, 0, &c, &err));
        const double a = 0.3, x = c.velocity[TRU_ROW_SLIDE1], y = c.velocity[TRU_ROW_SLIDE2]; /* turned by w3 t */
        check_close(x * cos(a) + y * sin(a), u1[i], 0.0, 5.1e-8);
        check_close(y * cos(a) - x * sin(a), u2[i], 0.0, 5.1e-8);
        check_close(spin_of(w, id), spin[i], 0.0, 5.1e-8);
        check_close(kit_get_state(w, id).angular_velocity.z, 3.0, 1e-12, 0.0);
        check_close(ledger_gap(w), 0.0, 0.0, 1e-11);
        tru_world_destroy(w);
    }
}

/* Rolling, it goes round a circle of radius rho w2/w3 for ever; a free disk would fall over. */
TEST(wheel_rolls_in_a_circle) {
    tru_error err;
    tru_id id;
    tru_world *w = wheel_world(0.5, 0.0, v3_zero(), 2.0, 1.5, 0.0, &id);
    const double r = 0.3 * 2.0 / 1.5;
    set_event(w, 0.01);
    MUST(tru_run(w, 700, &err));
    const tru_body_state s = kit_get_state(w, id);
    check_close(s.position.x, r * sin(1.5 * 7.0), 0.0, 1e-10);
    check_close(s.position.y, r * (1.0 - cos(1.5 * 7.0)), 0.0, 1e-10);
    check_close(spin_of(w, id), 2.0, 1e-11, 0.0);
    check_close(quat_rotate(s.orientation, v3(0, 0, 1)).z, 0.0, 0.0, 1e-11);
    const happened h = take(w);
    check_status(count_kind(&h, TRU_EVENT_SLIP), 0);
    tru_world_destroy(w);
}

/* In the air too: the axle stays level, both rates stay, and the heading turns with w3. Saved and loaded, to the bit. */
TEST(wheel_in_the_air) {
    tru_error err;
    tru_id id, other_id;
    tru_world *w = wheel_world(0.5, 0.2, v3_zero(), 9.0, 4.0, 0.0, &id);
    tru_world *other = wheel_world(0.5, 0.2, v3_zero(), 1.0, 0.0, 0.0, &other_id);
    set_event(w, 0.01);
    set_event(other, 0.01);
    MUST(tru_run(w, 10, &err));
    const tru_body_state s = kit_get_state(w, id);
    const tru_vec3 axle = quat_rotate(s.orientation, v3(0, 0, 1));
    check_close(axle.x, -sin(0.4), 0.0, 1e-12);
    check_close(axle.z, 0.0, 0.0, 1e-12);
    check_close(s.angular_velocity.z, 4.0, 1e-12, 0.0);
    check_close(spin_of(w, id), 9.0, 1e-12, 0.0);
    const size_t bytes = tru_snapshot_size(w);
    void *saved = malloc(bytes);
    if (!saved) exit(1);
    MUST(tru_snapshot_save(w, saved, bytes, &err));
    MUST(tru_snapshot_load(other, saved, bytes, &err));
    free(saved);
    MUST(tru_run(w, 60, &err)); /* it lands, slips and rolls */
    MUST(tru_run(other, 60, &err));
    check(tru_state_hash(w) == tru_state_hash(other));
    check_close(quat_rotate(kit_get_state(other, id).orientation, v3(0, 0, 1)).z, 0.0, 0.0, 1e-11);
    check_close(ledger_gap(w), 0.0, 0.0, 1e-11);
    tru_world_destroy(w);
    tru_world_destroy(other);
}

TEST(guides_that_cannot_be) {
    tru_error err;
    tru_id id;
    tru_world *w = wheel_world(0.5, 0.0, v3_zero(), 2.0, 1.5, 0.0, &id);
    kit_set_moreau(w, 1e-3, TRU_MIDPOINT);
    check_status(tru_check(w, &err), TRU_REFUSED);
    check_str(err.text, "stepper moreau cannot keep an axis of body 'wheel' level");
    set_event(w, 0.01);
    tru_body_state s = kit_get_state(w, id);
    const tru_body_state good = s;
    s.angular_velocity.x = 0.5;
    s.velocity.y = -0.15;
    MUST(tru_body_set(w, id, &s, &err));
    check_status(tru_check(w, &err), TRU_REFUSED);
    check_str(err.text, "stepper event: the axis of body 'wheel' that is to stay level turns out of it at 0.5 rad/s");
    s = good;
    s.orientation = (tru_quat){cos(0.7), -sin(0.7), 0.0, 0.0};
    s.position.z = 0.5;
    MUST(tru_body_set(w, id, &s, &err));
    check_status(tru_check(w, &err), TRU_REFUSED);
    check_str(err.text, "stepper event: the axis of body 'wheel' that is to stay level leans by 0.170796 rad");
    tru_shape_def plane = tru_default_shape_def();
    tru_body_def wall = tru_default_body_def();
    plane.shape.name = "plane";
    wall.name = "wall";
    wall.kind = TRU_FIXED;
    wall.shapes = &plane;
    wall.shape_count = 1;
    wall.level = v3(1, 0, 0);
    check_status(tru_body_add(w, &wall, NULL, &err), TRU_CONFLICT);
    check_str(err.text, "body 'wall': level is for free bodies");
    wall.level = v3_zero();
    wall.position = v3(0.9, 0.0, 0.0);
    wall.orientation = (tru_quat){sqrt(0.5), 0.0, -sqrt(0.5), 0.0}; /* z to -x */
    MUST(tru_body_add(w, &wall, NULL, &err));
    s = good;
    s.angular_velocity.z = 0.0;
    MUST(tru_body_set(w, id, &s, &err));
    check_status(tru_run(w, 200, &err), TRU_NO_SOLUTION);
    check_str(err.text, "stepper event: body 'wheel' would be handed over to moreau at 1 s, which cannot keep its axis "
                        "level");
    check_close(tru_time(w), 0.99, 1e-12, 0.0); /* as before the step that failed */
    check_close(kit_get_state(w, id).position.x, 0.6 * 0.99, 1e-12, 0.0);
    tru_world_destroy(w);
}

/* ---- small slips */

/* The frozen field at angle phi: radial and angular part, times D. */
static void frozen(const tru_limit *l, double phi, double *radial, double *angular) {
    const double c = cos(phi), s = sin(phi);
    const double d1 = l->field_cos[0] * c + l->field_sin[0] * s + l->field_free[0];
    const double d2 = l->field_cos[1] * c + l->field_sin[1] * s + l->field_free[1];
    *radial = c * d1 + s * d2;
    *angular = c * d2 - s * d1;
}

/* Where the frozen field turns a slip at angle phi: to the next stable direction. `shrinks`: least ln(u/u0) on the way,
 * d ln u / dphi = R/V; near a fold or an unstable direction it can be as little as one likes. */
static const tru_limit_direction *goal(const tru_limit *l, double phi, double *shrinks) {
    const tru_limit_direction *best = NULL;
    double r, v, least = 10.0, sigma = 0.0;
    frozen(l, phi, &r, &v);
    const double sign = v > 0.0 ? 1.0 : -1.0;
    for (int i = 0; i < l->count; i++) {
        const double way = fmod(sign * (l->directions[i].angle - phi) + 4.0 * M_PI, 2.0 * M_PI);
        if (way < least) least = way, best = &l->directions[i];
    }
    const double step = (least - 0.01) / 4000.0;
    *shrinks = 0.0;
    for (int i = 0; i < 4000; i++) {
        frozen(l, phi + sign * step * (i + 0.5), &r, &v);
        sigma += r / fabs(v) * step;
        *shrinks = fmin(*shrinks, sigma);
    }
    return best;
}

/* Limit directions foretell how slips of a millionth end in full simulations: stick, cross, or grow. */
TEST(small_slips_end_as_foretold) {
    draw d = {check_seed(), 5, 0};
    int seen[TRU_CASES] = {0}, crossed = 0;
    for (int done = 0; done < 500 || seen[TRU_CASE_IV] == 0;) {
        tru_error err;
        tru_id id;
        limit_run r = run_e2();
        const double slip = 1e-6, phi = draw_in(&d, 0.0, 2.0 * M_PI);
        r.q = tru_random_attitude(d.seed, 6, d.index++);
        r.offset = v3_scale(0.04, draw_vec(&d));
        r.inertia = v3(draw_in(&d, 1e-3, 4e-3), draw_in(&d, 1e-3, 4e-3), 0.0);
        r.inertia.z = draw_in(&d, fabs(r.inertia.x - r.inertia.y), r.inertia.x + r.inertia.y);
        r.rate = v3_scale(draw_in(&d, 0.0, 9.0), draw_vec(&d));
        r.law = run_friction(draw_in(&d, 0.05, 0.8));
        r.velocity = v3(slip * cos(phi), slip * sin(phi), 0.0);
        tru_world *w = run_world(&r, &id);
        tru_limit_contact c;
        tru_limit_problem p;
        tru_limit l;
        MUST(tru_limit_of_body(w, id, &c, &err));
        MUST(tru_limit_problem_of(&c.body, &p, &err));
        MUST(tru_limit_directions(&p, &l, &err));
        const bool counts = l.which >= TRU_CASE_I && l.which <= TRU_CASE_VI && !l.near_fold && l.normal0 > 0.1;
        double shrinks = 0.0;
        const tru_limit_direction *to = counts ? goal(&l, phi, &shrinks) : NULL;
        bool clear = to && fabs(to->radial) > 0.05 && fabs(to->angular) > 0.05;
        if (clear && to->repelling) clear = shrinks > log(1e-5); /* else it passes below what counts as none */
        if (clear) {
            set_event(w, 1e-3);
            MUST(tru_run(w, 1, &err));
            const happened h = take(w);
            const bool stuck = count_kind(&h, TRU_EVENT_STICK) > 0, cross = count_kind(&h, TRU_EVENT_CROSS) > 0;
            if (!check(stuck == (!to->repelling && l.rolls)) || !check(cross == (!to->repelling && !l.rolls)))
                printf("case %s, phi %.3f\n", tru_limit_case_name(l.which), phi);
            seen[l.which]++;
            crossed += cross;
            done++;
        }
        tru_world_destroy(w);
    }
    printf("I %d, II %d, III %d, IV %d (%d crossed)\n", seen[TRU_CASE_I], seen[TRU_CASE_II], seen[TRU_CASE_III],
           seen[TRU_CASE_IV], crossed);
    check(seen[TRU_CASE_I] > 0 && seen[TRU_CASE_II] > 0 && seen[TRU_CASE_III] > 0);
}

/* ---- static friction and Stribeck */

/* A ball on a slope that steepens (a load grows along it): it holds to the static limit, then slips with the kinetic. */
TEST(static_friction_holds_longer) {
    for (int stribeck = 0; stribeck < 2; stribeck++) {
        tru_error err;
        tru_id id;
        limit_run r = run_e1();
        r.rate = r.velocity = v3_zero();
        r.law.slide_static = 0.4;
        r.law.stribeck = stribeck ? 0.05 : 0.0;
        tru_world *w = run_world(&r, &id);
        const tru_knot knots[] = {{0.0, 0.0}, {2.0, 2.0}};
        tru_load_def load = tru_default_load_def();
        load.body = id;
        load.force = v3(7.0, 0.0, 0.0);
        load.knots = knots;
        load.knot_count = 2;
        MUST(tru_load_add(w, &load, NULL, &err));
        set_event(w, 0.05);
        MUST(tru_run(w, 40, &err));
        const happened h = take(w);
        const tru_event *slip = first_kind(&h, TRU_EVENT_SLIP);
        if (!check(slip != NULL)) return;
        /* rolling needs 2/7 F, the floor gives 0.4 m g: F = 7 t */
        const double t0 = 0.4 * 0.5 * G / 2.0;
        check_close(slip->time, t0, 1e-10, 0.0);
        check_status(count_kind(&h, TRU_EVENT_STICK), 0);
        if (!stribeck) { /* v = v0 + integral of F/m - mu g */
            const double v0 = 5.0 / 7.0 * 7.0 * t0 * t0 / 2.0 / 0.5, t = 2.0;
            const double v = v0 + 7.0 * (t * t - t0 * t0) / 2.0 / 0.5 - 0.2 * G * (t - t0);
            check_close(kit_get_state(w, id).velocity.x, v, 1e-10, 0.0);
        }
        check_close(ledger_gap(w), 0.0, 0.0, 1e-11);
        tru_world_destroy(w);
    }
}

/* Sliding to rest with Stribeck friction: m dv = -mu(u) m g dt with u = 7/2 of the speed lost; by quadrature. */
TEST(stribeck_slide) {
    tru_error err;
    tru_id id;
    limit_run r = run_e1();
    r.rate = v3_zero();
    r.velocity = v3(1.0, 0.0, 0.0);
    r.law = (tru_coulomb){0.1, 0.3, 0.2};
    tru_world *w = run_world(&r, &id);
    set_event(w, 0.1);
    MUST(tru_run(w, 10, &err));
    const happened h = take(w);
    const tru_event *stick = first_kind(&h, TRU_EVENT_STICK);
    /* du/dt = -3.5 g (a + b exp(-u/s)): t = integral of du / (3.5 g mu), in closed form */
    const double a = 0.1, b = 0.2, s = 0.2;
    const double t = s / a * log((a * exp(1.0 / s) + b) / (a + b)) / (3.5 * G);
    if (check(stick != NULL)) check_close(stick->time, t, 1e-11, 0.0);
    check_close(kit_get_state(w, id).velocity.x, 5.0 / 7.0, 1e-12, 0.0);
    tru_world_destroy(w);
}

/* ---- refusals */

TEST(refusals_get_a_sentence) {
    tru_error err;
    tru_id id;
    limit_run r = run_e1();
    tru_world *w = run_world(&r, &id);
    set_event(w, 0.01);
    tru_body_state s = kit_get_state(w, id);
    s.velocity.z = -0.5;
    MUST(tru_body_set(w, id, &s, &err));
    check_status(tru_check(w, &err), TRU_REFUSED);
    check(strstr(err.text, "moves into the plane at 0.5 m/s") != NULL);
    s.velocity.z = 0.0;
    MUST(tru_body_set(w, id, &s, &err));
    MUST(tru_check(w, &err));
    tru_load_def load = tru_default_load_def();
    load.body = id;
    load.force = v3(0, 0, 10.0);
    MUST(tru_load_add(w, &load, NULL, &err));
    s.velocity.x += 1e-3;
    MUST(tru_body_set(w, id, &s, &err));
    MUST(tru_check(w, &err)); /* it will lift off at once */
    const tru_id second = kit_add_ball(w, 0.05, 1.0, v3(0, 0, 0), v3_zero());
    check_status(tru_check(w, &err), TRU_REFUSED);
    check_str(err.text, "stepper event moves exactly one free body, the world has 2");
    MUST(tru_body_remove(w, second, &err));
    MUST(tru_body_remove(w, tru_body_find(w, "floor"), &err));
    check_status(tru_check(w, &err), TRU_REFUSED);
    check_str(err.text, "stepper event needs a fixed plane; the world has none");
    tru_world_destroy(w);

    tru_rolling rolling = tru_default_rolling();
    rolling.roll.length = 1e-3;
    const tru_use laws[] = {{"rolling", &rolling}};
    w = kit_create_floor(laws, 1, 0.0);
    kit_add_ball(w, 0.1, 1.0, v3_zero(), v3_zero());
    set_event(w, 0.01);
    check_status(tru_check(w, &err), TRU_REFUSED);
    check_str(err.text, "stepper event cannot use law rolling: sliding friction only");
    tru_world_destroy(w);
}
