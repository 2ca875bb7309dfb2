/* step_event_change.c: what a body on planes does next: roll, slip, lift, bounce, or be handed over.
 *
 * At u = 0 limit directions decide: roll, leave along the repelling stable direction, or lift. At the cone the exit opens with zero
 * speed, so rolling continues for a moment until the slip that it leaves with is above the least one. */
#include "steppers/event/step_event_change.h"

#include "base/assert.h"
#include "math/quat.h"

#define STUCK_SLIP                                                                                                     \
    1e-9 /* [-] slip of a contact that stuck, from other causes, that counts as none, relative to the speed scale */
#define FAST_EXIT 1e-6 /* [view units] acceleration out of u = 0 that needs no continued rolling */
#define FAR_EXIT  16.0 /* [-] slip behind the cone, in parts of the least: above it the body has rolled on too far */
#define SHORT_EXIT                                                                                                     \
    1e-13 /* [-] time of continued rolling, relative to the end of the step, below which it is not shortened */

/* Adds an event of a given state to the world. */
static void announce_at(event_machine *m, const event_state *at, int kind, int row_kind, double speed) {
    tru_world *w = m->v.w;
    trui_event_write(&m->v, at);
    tru_event e = trui_body_event(m->v.b, m->v.start + m->v.time * at->t, kind);
    e.row_kind = row_kind;
    e.body_b = m->v.at.plane == SIZE_MAX ? TRU_NONE : w->bodies.items[w->solids.items[m->v.at.plane].body].id;
    e.speed = speed * (m->v.length / m->v.time);
    e.limit_case = m->limit_case;
    trui_world_event(w, &e);
}

void trui_event_announce(event_machine *m, int kind, int row_kind, double speed) {
    announce_at(m, &m->s, kind, row_kind, speed);
}

void trui_event_hand_over(event_machine *m, int limit_case) {
    m->mode = MODE_HANDOVER;
    m->limit_case = limit_case;
}

/* ---- at u = 0 */

/* Computes the limit directions of the present state. Returns false after a handover if they cannot be had. */
static bool limits_now(event_machine *m, event_dynamics *d, tru_limit *l) {
    event_dynamics_now(m, d);
    if (tru_limit_directions(&d->problem, l, NULL) < 0) {
        trui_event_hand_over(m, -1);
        return false;
    }
    m->limit_case = l->which;
    return true;
}

/* Opens the contact with this normal speed. `known`: it was announced before. */
static void fly(event_machine *m, double speed, bool known) {
    m->mode = MODE_FLIGHT;
    m->rebound = speed;
    if (known) trui_event_announce(m, TRU_EVENT_LIFT, TRU_KIND_NORMAL, speed);
    m->v.at.solid = m->v.at.plane = SIZE_MAX;
}

/* Opens the contact without speed. */
static void lift(event_machine *m) {
    m->limit_case = TRU_CASE_LIFT;
    fly(m, 0.0, true);
}

/* Begins to slip in a direction with speed u. */
static void leave_along(event_machine *m, const event_dynamics *d, double cosine, double sine, double u) {
    TRU_ASSERT(u > 0.0 && fabs(cosine * cosine + sine * sine - 1.0) < 1e-9);
    m->mode = MODE_SLIP;
    m->rising = false;
    m->sigma = tru_log(u);
    m->phi = tru_atan2(sine, cosine);
    event_set_point_velocity(m, d, v3(u * cosine, u * sine, 0.0));
}

/* Rolls on from a state for dt, without regard to the cone. Returns false if the integrator fails. */
static bool roll_on(event_machine *m, const event_state *from, double dt) {
    m->s = *from;
    m->mode = MODE_ROLL;
    m->flow.clock = CLOCK_TIME;
    trui_event_begin_leg(m);
    if (!tru_radau_try(&m->r, dt)) return false;
    tru_radau_accept(&m->r);
    trui_event_end_leg(m, v2(m->r.gained[GAIN_PATH1], m->r.gained[GAIN_PATH2]));
    return true;
}

/* Rolls on from the cone for dt. Returns the slip that the body has there if it leaves, 0 if it cannot: half of what the acceleration
 * along the exit, which grows from zero at the cone, gains in dt. */
static double slip_after(event_machine *m, const event_state *cone, double dt, event_dynamics *d, tru_limit *l) {
    if (!roll_on(m, cone, dt) || !limits_now(m, d, l) || l->exit < 0 || l->rolls) return 0.0;
    return 0.5 * l->directions[l->exit].radial * dt;
}

/* Leaves from just behind the cone, with a slip between the least one and FAR_EXIT of it. Under a disk that is about to lie flat the
 * exit opens within a short time, so dt is shortened first, then lengthened. Stores dt; returns false if no exit is found. */
static bool leave_behind(event_machine *m, const event_state *cone, double left, double *dt) {
    event_dynamics d;
    tru_limit l;
    if (!(*dt < left)) return false;
    double u = slip_after(m, cone, *dt, &d, &l);
    while (u > FAR_EXIT * m->least && *dt > SHORT_EXIT * m->end) u = slip_after(m, cone, *dt *= 0.5, &d, &l);
    while (!(u > m->least)) {
        *dt *= 1.5;
        if (m->mode == MODE_HANDOVER || !(*dt < 1e-2 && *dt < left)) return false;
        u = slip_after(m, cone, *dt, &d, &l);
    }
    for (int i = 0; i < GAINS; i++) m->gained[i] += m->r.gained[i];
    leave_along(m, &d, l.directions[l.exit].cosine, l.directions[l.exit].sine, u);
    m->rising = true;
    return true;
}

/* Leaves u = 0 where rolling is no longer possible. If no exit is found, the cone was only touched, and the body rolls on. */
static void leave(event_machine *m, const event_dynamics *d, const tru_limit *l) {
    const event_state cone = m->s;
    const double left = m->end - cone.t;
    if (l->exit >= 0 && l->directions[l->exit].radial > FAST_EXIT) {
        const tru_limit_direction *e = &l->directions[l->exit];
        leave_along(m, d, e->cosine, e->sine, 2.0 * m->least);
        return;
    }
    double dt = sqrt(m->least);
    if (leave_behind(m, &cone, left, &dt) || m->mode == MODE_HANDOVER) return;
    if (l->which == TRU_CASE_PAINLEVE && dt < left) { /* rolling ends, but no slip can follow it */
        m->s = cone;
        trui_event_hand_over(m, TRU_CASE_PAINLEVE);
        return;
    }
    m->s = cone;
    m->mode = MODE_ROLL;
    if (dt < left || !roll_on(m, &cone, left)) return;
    m->s.t = m->end; /* the step ends first; the next step leaves */
    for (int i = 0; i < GAINS; i++) m->gained[i] += m->r.gained[i];
}

/* Decides at u = 0: roll, leave or lift. `before` is the mode it came from; `cone`: it has just reached the cone. */
static void decide(event_machine *m, event_mode before, bool cone) {
    event_dynamics d;
    tru_limit l;
    if (!limits_now(m, &d, &l)) return;
    event_set_point_velocity(m, &d, v3_zero());
    if (!(l.normal0 > 0.0)) { /* it lifts; if it could roll as well, it keeps rolling if it rolled */
        if (!l.rolls)
            lift(m);
        else if (cone || before != MODE_ROLL)
            trui_event_hand_over(m, TRU_CASE_PAINLEVE);
        else
            m->mode = MODE_ROLL;
        return;
    }
    if (l.rolls && !cone && !(m->slipping && l.needed > m->v.friction.slide)) {
        m->mode = MODE_ROLL;
        if (before == MODE_SLIP) trui_event_announce(m, TRU_EVENT_STICK, TRU_KIND_SLIDE, 0.0);
        return;
    }
    const event_state here = m->s;
    if (before == MODE_SLIP) trui_event_announce(m, TRU_EVENT_CROSS, TRU_KIND_SLIDE, 0.0);
    leave(m, &d, &l);
    if (m->mode == MODE_SLIP && before != MODE_SLIP) announce_at(m, &here, TRU_EVENT_SLIP, TRU_KIND_SLIDE, 0.0);
}

/* Ends a slip that has become small. The rest takes u/|du/dt|, in which the body moves on as before. */
static void arrive(event_machine *m) {
    event_dynamics d;
    vec2 e;
    event_dynamics_now(m, &d);
    tru_sincos(m->phi, &e.y, &e.x);
    const double u = tru_exp(m->sigma), mu = trui_coulomb_friction(&m->v.friction, u);
    const double normal = d.n0 / (1.0 - mu * (d.a1 * e.x + d.a2 * e.y));
    const vec2 rate = v2_madd(d.c, -mu * normal, s2_apply(d.s, e));
    const double falling = -v2_dot(e, rate), dt = falling > 0.0 ? fmin(u / falling, m->end - m->s.t) : 0.0;
    const tru_vec3 w = event_in_contact(m, m->s.w);
    const tru_vec3 turning = trui_event_turning(&d, v3(-mu * normal * e.x, -mu * normal * e.y, normal));
    TRU_ASSERT(dt >= 0.0 && u <= m->least * (1.0 + 1e-9));
    m->s.t += dt;
    m->s.w = event_in_world(m, v3_madd(w, dt, turning));
    m->s.q = quat_integrate(m->s.q, m->s.w, dt);
    m->s.x = v3_madd(m->s.x, dt, m->s.v);
    decide(m, MODE_SLIP, false);
}

/* Begins to slip, or decides at u = 0, after an impact or at the start of a step. `before` as for decide. */
static void enter_contact(event_machine *m, event_mode before, bool stuck) {
    event_dynamics d;
    event_dynamics_now(m, &d);
    const tru_vec3 u = event_point_velocity(m, &d);
    const double slip = sqrt(u.x * u.x + u.y * u.y);
    if (slip <= m->least || (stuck && slip <= STUCK_SLIP * event_speed_scale(m))) {
        decide(m, before, false);
        return;
    }
    tru_limit l;
    if (!limits_now(m, &d, &l)) return;
    const double mu = trui_coulomb_friction(&m->v.friction, slip);
    if (mu * (d.a1 * u.x + d.a2 * u.y) >= (1.0 - EVENT_WEDGE) * slip) {
        trui_event_hand_over(m, TRU_CASE_PAINLEVE);
    } else if (!(d.n0 > 0.0)) {
        lift(m);
    } else {
        leave_along(m, &d, u.x / slip, u.y / slip, slip);
        if (before != MODE_SLIP) trui_event_announce(m, TRU_EVENT_SLIP, TRU_KIND_SLIDE, slip);
    }
}

/* ---- impacts */

/* Applies an impulse p in contact axes, and books its work as impact and sliding. */
static void apply_impulse(event_machine *m, const event_dynamics *d, tru_vec3 p) {
    const tru_vec3 u0 = event_point_velocity(m, d);
    const tru_vec3 turn = v3_madd(v3_madd(v3_scale(p.x, d->turn[0]), p.y, d->turn[1]), p.z, d->turn[2]);
    m->s.v = v3_madd(m->s.v, m->v.inv_mass, event_in_world(m, p));
    m->s.w = v3_add(m->s.w, event_in_world(m, m3_apply(d->body_axes, turn)));
    const tru_vec3 u = v3_scale(0.5, v3_add(u0, event_point_velocity(m, d)));
    m->impact -= p.z * u.z;
    m->gained[GAIN_SLIDE] -= p.x * u.x + p.y * u.y;
    m->gained[GAIN_PUSH1] += p.x;
    m->gained[GAIN_PUSH2] += p.y;
    m->gained[GAIN_PUSH3] += p.z;
}

/* Solves an impact by Newton's law along the normal and Coulomb's across it. u+ = u- + G p is the contact's equation of motion with
 * velocities instead of accelerations, so its limit directions tell whether the point sticks or where it slips. Returns false for a
 * Painleve paradox. */
static bool impact(event_machine *m, double rebound) {
    event_dynamics d;
    tru_limit l;
    double slip = 0.0;
    TRU_ASSERT(rebound >= 0.0);
    event_dynamics_now(m, &d);
    const tru_vec3 u = event_point_velocity(m, &d);
    tru_limit_problem p = d.problem;
    p.free_point = v3(u.x, u.y, u.z - rebound);
    p.stribeck = 0.0;
    for (int i = 0; i < 20; i++) { /* Stribeck: the coefficient depends on the slip after the impact */
        p.slide = trui_coulomb_friction(&m->v.friction, slip);
        if (tru_limit_directions(&p, &l, NULL) < 0) return false;
        if (l.rolls || l.exit < 0) break;
        const double next = l.directions[l.exit].radial;
        if (fabs(next - slip) <= 1e-14 * next) break;
        slip = next;
    }
    if (!l.rolls && l.exit < 0) return false;
    const tru_limit_direction *e = &l.directions[l.rolls ? 0 : l.exit];
    const double sliding = p.slide * e->normal;
    apply_impulse(m, &d,
                  l.rolls ? v3(l.roll_force[0], l.roll_force[1], l.roll_normal)
                          : v3(-sliding * e->cosine, -sliding * e->sine, e->normal));
    return true;
}

void trui_event_touch_down(event_machine *m, const event_touch *at, bool lasting, bool stuck) {
    event_dynamics d;
    trui_event_set_contact(&m->v, at);
    m->limit_case = -1;
    TRU_ASSERT(m->v.restitution >= 0.0 && m->v.restitution <= 1.0);
    event_dynamics_now(m, &d);
    const double speed = event_point_velocity(m, &d).z, scale = event_speed_scale(m);
    const double bound = 1e-14 * scale; /* round-off */
    if (speed > (lasting ? EVENT_SMALL_LIFT * scale : bound)) {
        fly(m, speed, lasting);
        return;
    }
    const double back = -speed * m->v.restitution; /* a rebound below the limit counts as none */
    const double rebound = back > EVENT_SMALL_LIFT * scale ? back : 0.0;
    if (fabs(speed) > bound && lasting && fabs(speed) <= EVENT_SMALL_LIFT * scale) {
        apply_impulse(m, &d, v3(0.0, 0.0, -speed / d.problem.response.m[2][2]));
    } else if (speed < -bound && !impact(m, rebound)) {
        trui_event_hand_over(m, TRU_CASE_PAINLEVE);
        return;
    }
    tru_limit l;
    if (!lasting && !limits_now(m, &d, &l)) return;
    if (!lasting) {
        trui_event_announce(m, TRU_EVENT_TOUCH, TRU_KIND_NORMAL, fmax(0.0, -speed));
        m->v.w->start_told = true; /* if moreau takes over in the first step */
    }
    if (rebound > 0.0)
        fly(m, rebound, true);
    else
        enter_contact(m, lasting ? (stuck ? MODE_ROLL : MODE_SLIP) : MODE_FLIGHT, stuck);
}

/* ---- after a leg */

void trui_event_next_mode(event_machine *m) {
    int touching = 0;
    if (m->mode == MODE_FLIGHT) {
        if (m->stopped != WATCH_TOUCH) return;
        const event_touch at = trui_event_lowest(&m->v, m->s.q, m->s.x, &touching);
        if (touching > 1)
            trui_event_hand_over(m, -1);
        else
            trui_event_touch_down(m, &at, false, false);
        return;
    }
    if (m->stopped == WATCH_TOUCH)
        trui_event_hand_over(m, -1);
    else if (m->stopped == WATCH_WEDGE)
        trui_event_hand_over(m, TRU_CASE_PAINLEVE);
    else if (m->stopped == WATCH_NORMAL)
        lift(m);
    else if (m->stopped == WATCH_CONE)
        decide(m, MODE_ROLL, true);
    else if (m->mode == MODE_SLIP && m->sigma <= tru_log(m->least))
        arrive(m);
}
