/* step_variational_rk.c: explicit Runge-Kutta on the equations of any convex body that rolls on a plane, for comparison.
 *
 * Unknowns: attitude q, angular velocity w in world axes, path of the contact point. With r from the contact point to the
 * centre, H the second derivative of the support function and P the contact point [slip-roll-equations 2]:
 *   q' = (0, w) q/2,   P' = w_P = H (w x n),   r' = w x r - w_P   (fixed axes)
 *   (J + m (|r|^2 - r r^T)) w' = T - w x J w + r x (m g + F - m w x r')
 * which is the balance of angular momentum about the contact point of a body whose centre has the velocity w x r. */
#include "steppers/variational/scheme/step_variational_rk.h"

#include "base/error.h"
#include "math/quat.h"
#include "steppers/variational/scheme/step_variational_reduced.h"
#include "steppers/variational/scheme/step_variational_view.h"

enum { Q, W = 4, PATH = 7, MEAN = 10, LOADS = 13, SPIN, ROLL, COUNT };

/* Work of loads and of resistance, and the mean angular velocity (world axes) are integrated along. */
typedef struct stage {
    double y[COUNT];
} stage;

static void put(double *at, tru_vec3 a) {
    at[0] = a.x;
    at[1] = a.y;
    at[2] = a.z;
}
static tru_vec3 get(const double *at) { return v3(at[0], at[1], at[2]); }
static tru_quat attitude(const stage *s) {
    return quat_renormalise((tru_quat){s->y[Q], s->y[Q + 1], s->y[Q + 2], s->y[Q + 3]});
}

/* False: an inertia that cannot be inverted. */
static bool derivative(const rolling *r, double time, const stage *s, stage *out) {
    const body *b = &r->w->bodies.items[r->body];
    const tru_quat q = attitude(s);
    const tru_mat3 turn = quat_to_matrix(q);
    const tru_vec3 w_world = get(s->y + W), w = m3_apply_t(turn, w_world), n = m3_apply_t(turn, r->n);
    tru_vec3 point, force, torque;
    tru_mat3 bend;
    trui_rolling_surface(r, v3_neg(n), &point, &bend);
    trui_rolling_loads(r, q, time, &force, &torque);
    const tru_vec3 arm = v3_neg(point), path = m3_apply(bend, v3_cross(w, n));
    const tru_vec3 moved = v3_sub(v3_cross(w, arm), path);
    const tru_vec3 push = m3_apply_t(turn, v3_madd(force, b->mass, r->pull));
    const double spin = v3_dot(w, n), c_spin = r->resist.spin_viscosity, c_roll = r->resist.roll_viscosity;
    const tru_vec3 rolls = v3_madd(w, -spin, n), couple = v3_madd(v3_scale(-c_roll, rolls), -c_spin * spin, n);
    tru_vec3 sum = v3_add(m3_apply_t(turn, torque), couple);
    sum = v3_sub(sum, v3_cross(w, m3_apply(body_inertia_of(b), w)));
    sum = v3_add(sum, v3_cross(arm, v3_madd(push, -b->mass, v3_cross(w, moved))));
    tru_mat3 whole = m3_madd(body_inertia_of(b), -b->mass, m3_outer(arm, arm)), inverse;
    for (int i = 0; i < 3; i++) whole.m[i][i] += b->mass * v3_norm2(arm);
    if (!m3_spd_inverse(whole, &inverse)) return false;
    const tru_quat rate = quat_mul(q, (tru_quat){0.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z});
    out->y[Q] = rate.w;
    put(out->y + Q + 1, quat_vec(rate));
    put(out->y + W, m3_apply(turn, m3_apply(inverse, sum)));
    put(out->y + PATH, m3_apply(turn, path));
    put(out->y + MEAN, w_world);
    out->y[LOADS] = v3_dot(force, m3_apply(turn, v3_cross(w, arm))) + v3_dot(torque, w_world);
    out->y[SPIN] = c_spin * spin * spin;
    out->y[ROLL] = c_roll * v3_norm2(rolls);
    return true;
}

/* The state at the end of a step; sums of the quantities that are integrated along are those of the step. */
static bool runge_kutta(const tru_variational *o, const rolling *r, double time, const rolling_node *start,
                        stage *end) {
    const rolling_tableau *t = trui_rolling_tableau_of(o->scheme);
    stage first = {{start->q.w, start->q.x, start->q.y, start->q.z}}, now, slope = {{0.0}};
    put(first.y + W, start->w);
    *end = first;
    for (int k = 0; k < t->stages; k++) {
        for (int i = 0; i < COUNT; i++) now.y[i] = first.y[i] + t->c[k] * r->h * slope.y[i];
        if (!derivative(r, time + t->c[k] * r->h, &now, &slope)) return false;
        for (int i = 0; i < COUNT; i++) end->y[i] += t->b[k] * r->h * slope.y[i];
    }
    return isfinite(end->y[Q]) && isfinite(end->y[W]) && isfinite(end->y[W + 1]) && isfinite(end->y[W + 2]);
}

static void place_end(const rolling *r, const rolling_node *start, const stage *s, rolling_node *end) {
    end->q = attitude(s);
    trui_rolling_support(r, end->q, end);
    end->x = v3_add(v3_add(v3_sub(start->x, start->arm), get(s->y + PATH)), end->arm);
    end->x = v3_madd(end->x, -trui_rolling_gap(r, end), r->n);
    end->w = get(s->y + W);
    end->v = v3_cross(end->w, end->arm);
    end->gain = v3_zero();
}

/* Energy changes by half of end rates times end momenta minus the same of the start; what loads and resistance do not
 * explain of it is the method's. */
static void book(const rolling *r, const rolling_node *start, const stage *s, rolling_result *out) {
    const body *b = &r->w->bodies.items[r->body];
    const rolling_node *end = &out->end;
    const tru_vec3 w0 = quat_unrotate(start->q, start->w), w1 = quat_unrotate(end->q, end->w);
    const double turned =
        0.5 * (v3_dot(w1, m3_apply(body_inertia_of(b), w1)) - v3_dot(w0, m3_apply(body_inertia_of(b), w0)));
    const double moved = 0.5 * b->mass * v3_dot(v3_sub(end->v, start->v), v3_add(end->v, start->v));
    const double raised = -b->mass * v3_dot(r->pull, v3_sub(end->x, start->x));
    out->work.loads = s->y[LOADS];
    out->work.spin = s->y[SPIN];
    out->work.roll = s->y[ROLL];
    out->work.theta_shift = turned + moved + raised + s->y[SPIN] + s->y[ROLL] - s->y[LOADS];
}

/* Contact impulse from the balance of momentum, half of it at either end, and the couple of resistance. */
static void push(const rolling *r, const rolling_node *start, const stage *s, rolling_result *out) {
    const body *b = &r->w->bodies.items[r->body];
    const rolling_node *end = &out->end;
    tru_vec3 force, torque;
    trui_rolling_loads(r, rolling_halfway(start->q, end->q), r->time + 0.5 * r->h, &force, &torque);
    const tru_vec3 sum = v3_scale(b->mass, v3_sub(end->v, start->v));
    out->first = out->last = v3_scale(0.5, v3_madd(sum, -r->h, v3_madd(force, b->mass, r->pull)));
    out->rate = v3_scale(1.0 / r->h, get(s->y + MEAN));
    const tru_vec3 turn = v3_scale(v3_dot(out->rate, r->n), r->n), rolls = v3_sub(out->rate, turn);
    out->couple = v3_scale(-r->h, v3_madd(v3_scale(r->resist.spin_viscosity, turn), r->resist.roll_viscosity, rolls));
}

tru_status trui_rolling_step_rk(const tru_variational *o, const rolling *r, const rolling_node *start,
                                rolling_result *out, tru_error *err) {
    stage s;
    if (!runge_kutta(o, r, r->time, start, &s))
        return tru_fail(
            err, TRU_NO_SOLUTION,
            "step %llu (t = %.9g s): step is %.6g s: Runge-Kutta did not converge for body '%s', which turns by %.3g rad in it; take a shorter step",
            (unsigned long long)r->w->steps_done + 1, r->time + r->h, r->whole, body_name(r->w, r->body),
            r->h * v3_norm(start->w));
    place_end(r, start, &s, &out->end);
    book(r, start, &s, out);
    push(r, start, &s, out);
    out->iterations = trui_rolling_tableau_of(o->scheme)->stages;
    return TRU_OK;
}

void trui_rolling_judge_rk(const tru_variational *o, const rolling *r, const rolling_node *start,
                           const rolling_node *end, tru_verdict *out) {
    stage s;
    rolling_node again;
    if (!runge_kutta(o, r, trui_world_time(r->w) - r->h, start, &s)) {
        out->spin = DBL_MAX;
        return;
    }
    place_end(r, start, &s, &again);
    const tru_quat off = quat_mul(quat_conj(again.q), end->q);
    out->spin = fmax(v3_norm(v3_sub(again.w, end->w)), 2.0 * v3_norm(quat_vec(off)) / r->h);
    out->law[TRU_KIND_SLIDE] = v3_norm(v3_sub(again.x, end->x)) / r->h;
}
