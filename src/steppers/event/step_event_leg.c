/* step_event_leg.c: smooth motion of a body between two events, and the landing on the second one. */
#include "steppers/event/step_event_leg.h"

#include "base/assert.h"
#include "math/quat.h"
#include "math/root.h"

#define MOST_STEPS 100000 /* [steps] of one leg; a leg that needs more fails */

/* Writes the state as unknowns of the integrator and returns their number. */
static int pack(const event_machine *m, double *y) {
    const bool flight = m->mode == MODE_FLIGHT;
    const tru_vec3 w = flight ? m->s.w : event_in_contact(m, m->s.w);
    y[Y_Q] = m->s.q.w;
    y[Y_Q + 1] = m->s.q.x;
    y[Y_Q + 2] = m->s.q.y;
    y[Y_Q + 3] = m->s.q.z;
    v3_store(y + Y_W, w);
    y[Y_T] = m->s.t;
    int n = Y_T + 1;
    if (flight) {
        v3_store(y + Y_V, m->s.v);
        v3_store(y + Y_X, m->s.x);
        return FLIGHT_UNKNOWNS;
    }
    if (m->mode == MODE_SLIP) {
        y[n++] = m->sigma;
        y[n++] = m->phi;
    }
    if (m->v.plane_count > 1) {
        y[n++] = 0.0;
        y[n++] = 0.0;
    }
    return n;
}

void trui_event_end_leg(event_machine *m, vec2 path) {
    const double *y = m->r.y;
    quat_unit((tru_quat){y[Y_Q], y[Y_Q + 1], y[Y_Q + 2], y[Y_Q + 3]}, &m->s.q);
    m->s.t = y[Y_T];
    if (m->mode == MODE_FLIGHT) {
        m->s.w = v3_from(y + Y_W);
        m->s.v = v3_from(y + Y_V);
        m->s.x = v3_from(y + Y_X);
        return;
    }
    event_dynamics d;
    tru_vec3 u = {0, 0, 0};
    m->s.w = event_in_world(m, v3_from(y + Y_W));
    event_dynamics_now(m, &d);
    if (m->mode == MODE_SLIP) {
        m->sigma = y[Y_SIGMA];
        m->phi = y[Y_PHI];
        tru_sincos(m->phi, &u.y, &u.x);
        u = v3_scale(tru_exp(m->sigma), u);
    }
    event_set_point_velocity(m, &d, u);
    m->s.x = v3_add(m->flow.point, event_in_world(m, v3_add(v3(path.x, path.y, 0.0), d.arm)));
}

void trui_event_begin_leg(event_machine *m) {
    double y[RADAU_MOST] = {0};
    event_dynamics d;
    radau *r = &m->r;
    m->flow.view = &m->v;
    m->flow.others = m->mode == MODE_FLIGHT || trui_event_lowest(&m->v, m->s.q, m->s.x, NULL).gap < DBL_MAX;
    if (m->mode != MODE_FLIGHT) {
        event_dynamics_now(m, &d);
        m->flow.point = v3_sub(m->s.x, event_in_world(m, d.arm));
    }
    r->n = pack(m, y);
    TRU_ASSERT(r->n > Y_T && r->n <= RADAU_MOST && m->mode != MODE_HANDOVER);
    TRU_ASSERT(fabs(quat_norm2(m->s.q) - 1.0) < 1e-9);
    r->rate = m->mode == MODE_SLIP   ? trui_event_slip_rate
              : m->mode == MODE_ROLL ? trui_event_roll_rate
                                     : trui_event_flight_rate;
    r->context = &m->flow;
    r->extras = WATCHES_END;
    r->tolerance = m->tolerance;
    for (int i = 0; i < r->n; i++) r->scale[i] = 1.0;
    tru_radau_start(r, y);
}

/* Chooses time as the independent variable if u changes little until `stop`, so that the last step ends there. */
static int wanted_clock(const event_machine *m, double stop) {
    const double *dy = m->r.dy, here = trui_event_clock_rate(m->flow.clock, m->r.y[Y_SIGMA]);
    const double rate = sqrt(dy[Y_SIGMA] * dy[Y_SIGMA] + dy[Y_PHI] * dy[Y_PHI]) / here;
    if ((stop - m->r.y[Y_T]) * rate < 0.3) return CLOCK_TIME;
    return m->rising && dy[Y_SIGMA] > 0.0 ? CLOCK_ROOT : CLOCK_SLIP;
}

/* Returns dtau per time at the present point: 1 unless it slips. */
static double tau_rate(const event_machine *m) {
    return m->mode == MODE_SLIP ? 1.0 / trui_event_clock_rate(m->flow.clock, m->r.y[Y_SIGMA]) : 1.0;
}

/* Returns the first step: a tenth of the time in which the body turns by a radian or falls its size, the time in which slip changes
 * by a fifth, or half of the time in which a rebound rises. */
static double first_step(const event_machine *m) {
    const double w = v3_norm(m->s.w), still = 0.1 / (1.0 + w) * tau_rate(m), *dy = m->r.dy;
    if (m->mode == MODE_SLIP) return fmin(still, 0.2 / (fabs(dy[Y_SIGMA]) + fabs(dy[Y_PHI])));
    return m->mode == MODE_FLIGHT && m->rebound > 0.0 ? fmin(still, 0.5 * m->rebound / (1.0 + w * w)) : still;
}

/* Returns the longest step: the body turns by a radian, so that stages see the motion of its points. */
static double longest_step(const event_machine *m) {
    return 1.0 / (0.1 + v3_norm(v3_from(m->r.y + Y_W))) * tau_rate(m);
}

/* Returns the first watch that falls below zero within the trial and stores at which stage; -1 if none does. Watches whose bit is in
 * `found` do not count. */
static int first_fall(const radau *r, unsigned found, int *stage) {
    for (int k = 0; k < RADAU_STAGES; k++)
        for (int i = GAINS; i < WATCHES_END; i++) {
            const double before = k == 0 ? r->extra[i] : r->extra_at[k - 1][i];
            if ((found >> i & 1u) || !(before >= 0.0 && r->extra_at[k][i] < 0.0)) continue;
            *stage = k;
            return i;
        }
    return -1;
}

/* Context of watched. */
typedef struct locate {
    radau *r;
    int watch;
} locate;

/* Returns the watch at the end of a trial of length h; NaN if the trial fails. */
static double watched(double h, void *context) {
    const locate *l = context;
    if (h == 0.0) return l->r->extra[l->watch];
    return tru_radau_try(l->r, h) ? l->r->extra_at[RADAU_STAGES - 1][l->watch] : NAN;
}

/* Shortens the trial so that it ends where the watch is zero. Stages are less accurate than ends: returns false if the watch has not
 * fallen at the stage's place, where the trial then ends. */
static bool land_on(event_machine *m, int watch, int stage) {
    locate l = {&m->r, watch};
    const double whole = m->r.h, lo = stage == 0 ? 0.0 : whole * tru_radau_node[stage - 1];
    const double hi = whole * tru_radau_node[stage];
    TRU_ASSERT(watch >= GAINS && watch < WATCHES_END && stage >= 0 && stage < RADAU_STAGES && lo < hi);
    double h = hi;
    if (watched(hi, &l) >= 0.0) return false;
    if (!tru_root_bracket(watched, &l, lo, hi, 1e-13 * whole, &h) &&
        !tru_root_bracket(watched, &l, 0.0, hi, 1e-13 * whole, &h))
        h = hi;
    tru_radau_try(&m->r, fmax(h, 1e-13 * whole));
    return true;
}

/* Shortens the trial so that it ends where the first of all watches falls. Two may fall between the same stages: a box that tips onto
 * another corner changes its normal force there, and a body that rolls leaves its cone before the normal force ends. Returns the
 * watch, or -1 if none has fallen; stores in *landed whether the trial ends on it. */
static int land_on_first(event_machine *m, bool *landed) {
    unsigned found = 0;
    int stage = 0, watch = -1;
    *landed = false;
    for (int next; (next = first_fall(&m->r, found, &stage)) >= 0;) {
        watch = next;
        found |= 1u << watch;
        *landed = land_on(m, watch, stage);
        if (!*landed) break;
    }
    return watch;
}

/* Accepts the trial and adds its gains. */
static void take_gains(event_machine *m, vec2 *path) {
    const double *g = m->r.gained;
    for (int i = 0; i < GAINS; i++) m->gained[i] += g[i];
    *path = v2_add(*path, v2(g[GAIN_PATH1], g[GAIN_PATH2]));
    tru_radau_accept(&m->r);
}

/* Changes the independent variable of slip, which is another system: the integrator starts again from the present point. */
static void set_clock(event_machine *m, int clock, vec2 *path) {
    trui_event_end_leg(m, *path);
    *path = v2(0.0, 0.0);
    m->flow.clock = clock;
    m->trials += m->r.trials;
    trui_event_begin_leg(m);
}

/* Returns the length of the next trial if this one cannot be accepted, else 0. */
static double shorter(const event_machine *m, double length, bool solved, double left) {
    const radau *r = &m->r;
    if (!solved) return 0.25 * length;
    if (!(r->error <= 1.0)) return fmin(tru_radau_next(r), 0.9 * length);
    const double gone = r->end[Y_T] - r->y[Y_T];
    TRU_ASSERT(length > 0.0);
    return m->flow.clock != CLOCK_TIME && gone > left ? 0.8 * length * left / gone : 0.0;
}

bool trui_event_leg(event_machine *m, double stop) {
    radau *r = &m->r;
    vec2 path = {0.0, 0.0};
    double h = 0.0;
    bool done = false;
    TRU_ASSERT(stop >= m->s.t && stop <= m->end);
    m->stopped = -1;
    m->flow.clock = CLOCK_TIME;
    trui_event_begin_leg(m);
    if (r->extra[WATCH_TOUCH] < 0.0 && m->mode != MODE_FLIGHT) { /* another point touches already */
        m->stopped = WATCH_TOUCH;
        return true;
    }
    for (int i = 0; i < MOST_STEPS && !done; i++) {
        const int clock = m->mode == MODE_SLIP ? wanted_clock(m, stop) : CLOCK_TIME;
        if (clock != m->flow.clock) {
            set_clock(m, clock, &path);
            h = 0.0;
        }
        const double left = stop - r->y[Y_T];
        h = fmin(h > 0.0 ? h : first_step(m), longest_step(m));
        const bool last = clock == CLOCK_TIME && h >= 0.99 * left;
        const double length = last ? left : h;
        const bool solved = tru_radau_try(r, length);
        const double again = shorter(m, length, solved, left);
        if (again > 0.0) {
            h = again;
            if (!(h > 1e-14 * tau_rate(m))) break;
            continue;
        }
        bool landed;
        const double next = tru_radau_next(r);
        const int watch = land_on_first(m, &landed);
        h = watch >= 0 ? fmin(next, r->h) : next;
        take_gains(m, &path);
        if (landed) m->stopped = watch;
        if (last && watch < 0) r->y[Y_T] = stop;
        done = landed || (last && watch < 0) || (clock != CLOCK_TIME && r->y[Y_SIGMA] <= tru_log(m->least));
    }
    trui_event_end_leg(m, path);
    m->trials += r->trials;
    return done;
}
