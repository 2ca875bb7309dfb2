/* step_event_flow.c: rates of a body that slips, rolls or flies, with work and impulses.
 *
 * | [slip-roll-equations 6] | name |
 * |---|---|
 * | sigma = ln u, phi | y[Y_SIGMA], y[Y_PHI]: size and direction of the slip |
 * | dt = u dtau | CLOCK_SLIP |
 * | D, N = N0/D | margin, normal |
 *
 * In that tau the slip equations are smooth down to u = 0, which is reached as tau goes to infinity, in finite time. */
#include "steppers/event/step_event_flow.h"

#include "base/assert.h"
#include "math/quat.h"

/* Returns the attitude in y as a unit quaternion. Its length drifts by less than the tolerance within a leg. */
static tru_quat attitude(const double *y) {
    const tru_quat q = {y[Y_Q], y[Y_Q + 1], y[Y_Q + 2], y[Y_Q + 3]};
    return quat_scale(1.0 / sqrt(quat_norm2(q)), q);
}

/* Computes dq/dt = (0, w) q / 2 times the clock, w in world axes. */
static void turn_rate(const double *y, tru_vec3 w, double clock, double *dy) {
    const tru_quat q = {y[Y_Q], y[Y_Q + 1], y[Y_Q + 2], y[Y_Q + 3]};
    const tru_quat d = quat_scale(0.5 * clock, quat_mul((tru_quat){0.0, w.x, w.y, w.z}, q));
    dy[Y_Q] = d.w;
    dy[Y_Q + 1] = d.x;
    dy[Y_Q + 2] = d.y;
    dy[Y_Q + 3] = d.z;
}

/* Returns the height of the lowest other point above touching. With one plane, the place of the body on it does not matter. */
static double others(const event_flow *f, const double *y, const event_dynamics *d, int at) {
    const event_view *v = f->view;
    tru_vec3 from_point = d->arm;
    if (!f->others) return 1.0;
    if (v->plane_count > 1) from_point = v3_add(from_point, v3(y[at], y[at + 1], 0.0));
    const tru_vec3 x = v3_add(f->point, m3_apply_t(v->axes, from_point));
    return trui_event_lowest(v, attitude(y), x, NULL).gap - EVENT_TOUCHING * v->reach;
}

/* Computes the rates common to slip and roll under the contact force. `at` is the index of the path among the unknowns. */
static void contact_rate(const event_flow *f, const double *y, const event_dynamics *d, tru_vec3 force, vec2 slip,
                         double clock, int at, double *dy, double *extra) {
    const event_view *v = f->view;
    const tru_vec3 w = v3_from(y + Y_W), turning = trui_event_turning(d, force);
    const vec2 path = v2_add(slip, d->path);
    TRU_ASSERT(at > Y_T && at + 1 < RADAU_MOST && !(clock < 0.0)); /* NaN in a trial of Radau, which it then refuses */
    turn_rate(y, m3_apply_t(v->axes, w), clock, dy);
    v3_store(dy + Y_W, v3_scale(clock, turning));
    dy[Y_T] = clock;
    if (v->plane_count > 1) {
        dy[at] = clock * path.x;
        dy[at + 1] = clock * path.y;
    }
    if (!extra) return;
    const tru_vec3 velocity = v3_add(v3(slip.x, slip.y, 0.0), v3_cross(w, d->arm));
    extra[GAIN_PATH1] = clock * path.x;
    extra[GAIN_PATH2] = clock * path.y;
    extra[GAIN_SLIDE] = -clock * (force.x * slip.x + force.y * slip.y);
    extra[GAIN_LOADS] = clock * (v3_dot(d->force, velocity) + v3_dot(d->torque, w));
    extra[GAIN_PUSH1] = clock * force.x;
    extra[GAIN_PUSH2] = clock * force.y;
    extra[GAIN_PUSH3] = clock * force.z;
    extra[WATCH_TOUCH] = others(f, y, d, at);
}

double trui_event_clock_rate(int clock, double sigma) {
    TRU_ASSERT(clock >= CLOCK_TIME && clock <= CLOCK_SLIP);
    if (clock == CLOCK_TIME) return 1.0;
    return tru_exp(clock == CLOCK_ROOT ? 0.5 * sigma : sigma);
}

void trui_event_slip_rate(void *context, const double *y, double *dy, double *extra) {
    const event_flow *f = context;
    const event_view *v = f->view;
    event_dynamics d;
    vec2 e;
    trui_event_dynamics_at(v, attitude(y), v3_from(y + Y_W), y[Y_T], &d);
    tru_sincos(y[Y_PHI], &e.y, &e.x);
    const double u = tru_exp(y[Y_SIGMA]), mu = trui_coulomb_friction(&v->friction, u);
    const double clock = f->clock == CLOCK_SLIP ? u : f->clock == CLOCK_ROOT ? sqrt(u) : 1.0;
    const double margin = 1.0 - mu * (d.a1 * e.x + d.a2 * e.y), normal = d.n0 / margin;
    const vec2 rate = v2_madd(d.c, -mu * normal, s2_apply(d.s, e)); /* du/dt = C - mu N S e */
    contact_rate(f, y, &d, v3(-mu * normal * e.x, -mu * normal * e.y, normal), v2_scale(u, e), clock, Y_PHI + 1, dy,
                 extra);
    dy[Y_SIGMA] = clock / u * v2_dot(e, rate);
    dy[Y_PHI] = clock / u * v2_cross(e, rate);
    if (!extra) return;
    extra[WATCH_NORMAL] = d.n0;
    extra[WATCH_WEDGE] = margin - EVENT_WEDGE;
    extra[WATCH_CONE] = 1.0;
}

void trui_event_roll_rate(void *context, const double *y, double *dy, double *extra) {
    const event_flow *f = context;
    const event_view *v = f->view;
    event_dynamics d;
    sym2 inverse = {0};
    trui_event_dynamics_at(v, attitude(y), v3_from(y + Y_W), y[Y_T], &d);
    s2_inverse(d.s, &inverse);
    const vec2 friction = v2_scale(-1.0, s2_apply(inverse, d.c)); /* F_t = -S^-1 C */
    const double normal = d.n0 - (d.a1 * friction.x + d.a2 * friction.y);
    contact_rate(f, y, &d, v3(friction.x, friction.y, normal), v2(0.0, 0.0), 1.0, Y_T + 1, dy, extra);
    if (!extra) return;
    extra[WATCH_NORMAL] = normal;
    extra[WATCH_WEDGE] = 1.0; /* a body that rolls keeps rolling until it leaves its cone */
    extra[WATCH_CONE] = v->friction.slide_static * normal - v2_norm(friction);
}

void trui_event_flight_rate(void *context, const double *y, double *dy, double *extra) {
    const event_flow *f = context;
    const event_view *v = f->view;
    const tru_quat q = attitude(y);
    const tru_mat3 r = quat_to_matrix(q);
    const tru_vec3 w = v3_from(y + Y_W), velocity = v3_from(y + Y_V), wb = m3_apply_t(r, w);
    tru_vec3 force, torque;
    trui_event_loads_at(v, &r, y[Y_T], &force, &torque);
    const tru_vec3 twist_b = v3_sub(m3_apply_t(r, torque), v3_cross(wb, m3_apply(v->inertia, wb)));
    turn_rate(y, w, 1.0, dy);
    const event_guide guide = trui_event_guide_at(v, &r, wb);
    v3_store(dy + Y_W, m3_apply(r, event_guided(&guide, guide.asked, m3_apply(v->inverse, twist_b))));
    dy[Y_T] = 1.0;
    v3_store(dy + Y_V, v3_madd(v->gravity, v->inv_mass, force));
    v3_store(dy + Y_X, velocity);
    if (!extra) return;
    for (int i = 0; i < WATCHES_END; i++) extra[i] = i < GAINS ? 0.0 : 1.0;
    extra[GAIN_LOADS] = v3_dot(force, velocity) + v3_dot(torque, w);
    /* slightly below the plane, so that a flight that begins on the plane begins above the limit */
    extra[WATCH_TOUCH] = trui_event_lowest(v, q, v3_from(y + Y_X), NULL).gap + 1e-12 * v->reach;
}
