/* motion.h: how bodies move in a step: drift, inertia, kick, place, and gyroscopic torques; for one body and for all. */
#ifndef TRUNDLE_STEP_MOTION_H
#define TRUNDLE_STEP_MOTION_H

#include "base/assert.h"
#include "math/quat.h"
#include "world/rotation/gyro.h"
#include "step/step.h"

/* ---- gyroscopic torque */

/* [N m] Gyroscopic torque at gyro_rate or, where linear, that part of it which the start of the step decides. */
static inline tru_vec3 gyro_torque(const body_step *m) {
    const tru_vec3 w = m->dynamics->gyro_rate, spin = m3_apply(m->dynamics->inertia, w), torque = v3_cross(w, spin);
    if (!m->dynamics->linear) return torque;
    const tru_vec3 d = v3_sub(m->start.w, w);
    return v3_add(torque, v3_add(v3_cross(d, spin), v3_cross(w, m3_apply(m->dynamics->inertia, d))));
}

/* [W] Power of the torque that acted on a body with this mean rate: that of an error. */
static inline double gyro_work(const body_step *m, tru_vec3 mean) {
    if (!m->dynamics->linear)
        return v3_dot(mean, v3_cross(m->dynamics->gyro_rate, m3_apply(m->dynamics->inertia, m->dynamics->gyro_rate)));
    const tru_vec3 d = v3_sub(mean, m->dynamics->gyro_rate);
    return -v3_dot(mean, v3_cross(d, m3_apply(m->dynamics->inertia, d)));
}

/* Sets gyro_rate to the mean rate of the step if its gain changes as it did in the last two steps; the body has gains. */
static inline void gyro_expect(const body *b, body_step *m) {
    TRU_ASSERT(b->gain != NULL);
    m->dynamics->gyro_rate = v3_madd(m->start.w, 0.5, v3_add(b->gain->last, v3_sub(b->gain->last, b->gain->before)));
}

static inline tru_vec3 mean_rate(const body *b, const body_step *m) { return v3_scale(0.5, v3_add(m->start.w, b->w)); }

/* Makes (I + h/2 J)^-1 the body's answer to impulses (mean_rate.c). */
static inline void gyro_lean(body_step *m, problem_body *inverse, double h) {
    const tru_vec3 w = v3_scale(0.5 * h, m->dynamics->gyro_rate), spin = m3_apply(m->dynamics->inertia, w);
    const tru_mat3 j = m3_sub(m3_mul(m3_skew(w), m->dynamics->inertia), m3_skew(spin));
    m->dynamics->linear = m3_inverse(m3_add(m->dynamics->inertia, j), &inverse->inverse);
}

#define GYRO_NEAR 1e-12 /* [-] largest d^2 / rate^2: what is left of the torque in parts of it */

/* True if the gyroscopic torque of a body is that of its mean rate, up to GYRO_NEAR. */
static inline bool gyro_at_mean(const body *b, const body_step *m) {
    const tru_vec3 mean = mean_rate(b, m);
    return !(v3_norm2(v3_sub(mean, m->dynamics->gyro_rate)) >
             (m->dynamics->linear ? GYRO_NEAR : 1e-20) * v3_norm2(mean));
}

#define GYRO_STEPS 20 /* most of Newton's method on the mean rate of a free body */

/* Sets gyro_rate to the mean rate u that the body has if no contact acts: u + h/2 I^-1 (u x I u - torque) = rate at the start. Energy and
 * angular momentum of a free body are then kept whatever the step [quadratic invariants of the midpoint rule]. Full Newton steps get
 * there up to about 1 rad per step, beyond that trui_gyro_search is tried; zero: neither did, and the step fails (trui_gyro_check). */
static inline void gyro_free(const step *s, const body_step *m, const problem_body *inverse, tru_vec3 torque) {
    const tru_mat3 inertia = m->dynamics->inertia;
    const tru_vec3 start = v3_madd(m->start.w, 0.5 * s->h, problem_turn(inverse, torque));
    const tru_vec3 aim = m3_apply(inertia, start);
    tru_vec3 u = start;
    for (int i = 0; i < GYRO_STEPS; i++) {
        const tru_vec3 spin = m3_apply(inertia, u), half = v3_scale(0.5 * s->h, u);
        const tru_vec3 miss = v3_sub(v3_add(spin, v3_cross(half, spin)), aim);
        const tru_mat3 turn = m3_sub(m3_mul(m3_skew(half), inertia), m3_skew(v3_scale(0.5 * s->h, spin)));
        tru_mat3 answer;
        if (!m3_inverse(m3_add(inertia, turn), &answer)) break;
        const tru_vec3 change = m3_apply(answer, miss);
        u = v3_sub(u, change);
        if (v3_norm2(change) > GYRO_DONE * v3_norm2(u)) continue;
        m->dynamics->gyro_rate = u;
        return;
    }
    u = start;
    m->dynamics->gyro_rate = trui_gyro_search(&inertia, aim, s->h, &u) ? u : v3_zero();
}

/* True if gyro_free found the mean rate of a turning body. */
static inline bool gyro_found(const body *b, const body_step *m) {
    return !body_is_free(b) || b->isotropic || v3_norm2(m->start.w) == 0.0 || v3_norm2(m->dynamics->gyro_rate) > 0.0;
}

#define GYRO_TURN 1e-6 /* [rad] in a step: the torque of a slower body changes its rate by at most this part of it */

/* [-] Part of its energy of turning that a body gains or loses in the step because its gyroscopic torque is not that of the
 * mean rate, which would do no work. 0 below GYRO_TURN: at rest, rates are what the solver's tolerance left. */
static inline double gyro_error(const body *b, const body_step *m, double h) {
    const tru_mat3 *inertia = &m->dynamics->inertia;
    const double turn = h * fmax(v3_max_abs(m->dynamics->gyro_rate), v3_max_abs(mean_rate(b, m)));
    if (turn < GYRO_TURN) return 0.0;
    const double before = v3_dot(m->start.w, m3_apply(*inertia, m->start.w)),
                 after = v3_dot(b->w, m3_apply(*inertia, b->w));
    const double energy = 0.5 * (before > after ? before : after);
    return energy > 0.0 ? fabs(h * gyro_work(m, mean_rate(b, m))) / energy : 0.0;
}

#define GYRO_TRUST 1e-3 /* [-] largest gyro_error of a step: 1000 such steps multiply the energy by less than 3 */

/* ---- motion */

/* q + h/2 (0, w) q, back on the unit sphere: a rotation about w by 2 atan(h |w| / 2) [LSLG05 (3.1)]. */
static inline tru_quat additive_step(tru_quat q, tru_vec3 w, double h) {
    const tru_quat rate = quat_mul((tru_quat){0.0, w.x, w.y, w.z}, q);
    tru_quat next = {q.w + 0.5 * h * rate.w, q.x + 0.5 * h * rate.x, q.y + 0.5 * h * rate.y, q.z + 0.5 * h * rate.z};
    const double size = sqrt(quat_norm2(next));
    return quat_scale(1.0 / size, next);
}

LOT_TEXT void body_drift(body *b, double h, bool additive) {
    b->x = v3_madd(b->x, h, b->v);
    b->q = additive ? additive_step(b->q, b->w, h) : quat_integrate(b->q, b->w, h);
}

/* Computes inertia and its inverse of a free body at its present pose. */
static inline void body_inertia(const body *b, body_step *m, problem_body *inverse) {
    TRU_ASSERT(body_is_free(b));
    if (m->dynamics) m->dynamics->inertia = b->isotropic ? body_inertia_of(b) : body_turned(b, body_inertia_of(b));
    inverse->inverse = b->isotropic ? body_inverse_of(b) : body_turned(b, body_inverse_of(b));
}

/* Computes the velocities of a free body without contacts. */
static inline void body_kick(const step *s, const body *b, const body_step *m, const problem_body *inverse,
                             twist *free) {
    TRU_ASSERT(body_is_free(b) && (b->isotropic || m->dynamics));
    const tru_vec3 force = m->dynamics ? m->dynamics->force : v3_zero();
    tru_vec3 torque = m->dynamics ? m->dynamics->torque : v3_zero();
    free->v = v3_madd(v3_madd(m->start.v, s->h, s->w->gravity), s->h * b->inv_mass, force);
    if (!b->isotropic) {
        if (s->spins_free) gyro_free(s, m, inverse, torque);
        torque = v3_sub(torque, gyro_torque(m));
    }
    free->w = v3_madd(m->start.w, s->h, problem_turn(inverse, torque));
}

/* From pose (x, q) by h with the mean of start and end velocities; the body has gains. `middle`: where its rate, if anisotropic, is held in body
 * axes from. */
LOT_TEXT void body_place(body *b, const body_step *m, tru_vec3 x, tru_quat q, tru_quat middle, double h, bool hold) {
    TRU_ASSERT(b->gain != NULL);
    const tru_vec3 v = v3_scale(0.5, v3_add(m->start.v, b->v)), rate = v3_scale(0.5, v3_add(m->start.w, b->w));
    b->x = v3_madd(x, h, v);
    b->gain->before = b->gain->last;
    b->gain->last = v3_sub(b->w, m->start.w);
    b->q = quat_integrate(q, rate, h);
    if (hold && body_is_free(b) && !b->isotropic) b->w = m3_apply(body_axes(b), quat_unrotate(middle, b->w));
}

/* Velocities of a body after the impulses of a contact: with sign 1 of its A, with -1 of its B. */
LOT_TEXT twist contact_push(const contact *k, tru_vec3 arm, double sign, double inv_mass, const problem_body *o,
                            const twist *t) {
    TRU_ASSERT((sign == 1.0 || sign == -1.0) && inv_mass >= 0.0);
    const contact_frame *c = &k->c;
    const double *p = k->impulse;
    const tru_vec3 force = v3_madd(v3_madd(v3_scale(p[0], c->normal), p[1], c->t1), p[2], c->t2);
    tru_vec3 couple = v3_cross(arm, force);
    if (k->pair->claims & PAIR_COUPLES)
        couple = v3_add(v3_madd(v3_madd(v3_scale(p[3], c->normal), p[4], c->t1), p[5], c->t2), couple);
    return (twist){v3_madd(t->v, sign * inv_mass, force), v3_madd(t->w, sign, problem_turn(o, couple))};
}

/* Adds a contact's impulses to the velocities of its bodies. */
static inline void push_bodies(const step *s, const contact *k) {
    body *a = &s->w->bodies.items[k->a], *b = &s->w->bodies.items[k->b];
    const twist ta = contact_push(k, k->c.arm_a, 1.0, a->inv_mass, &s->inverse[k->a], &(twist){a->v, a->w});
    a->v = ta.v;
    a->w = ta.w;
    if (!body_is_free(b)) return;
    const twist tb = contact_push(k, k->c.arm_b, -1.0, b->inv_mass, &s->inverse[k->b], &(twist){b->v, b->w});
    b->v = tb.v;
    b->w = tb.w;
}

/* True if pose and velocities are finite. */
LOT_TEXT bool body_is_finite(const body *b) {
    return v3_is_finite(b->x) && v3_is_finite(b->v) && v3_is_finite(b->w) && quat_is_finite(b->q);
}

/* Returns the mean of a body's velocities at the start and at the end of the step. */
LOT_TEXT twist mean_twist(const step *s, size_t i) {
    const twist *t = &s->body_steps[i].start;
    const body *b = &s->w->bodies.items[i];
    return (twist){v3_scale(0.5, v3_add(t->v, b->v)), v3_scale(0.5, v3_add(t->w, b->w))};
}

/* ---- all bodies */

/* Moves poses by h with the velocities of the bodies: rotation by the exponential map, or (additive) by the paper's q + h/2 w q,
 * scaled to unit length. */
void trui_drift(tru_world *w, double h, bool additive);
/* Computes inertia and loads at the present pose, for kick and problem. */
void trui_inertia_here(step *s);

/* Computes free velocities: gravity, loads, gyroscopic torque at gyro_rate. */
void trui_kick(step *s);
/* Does both in one pass over the bodies, unless loads have to be added in between. */
void trui_inertia_and_kick(step *s);

/* Moves bodies from the start pose by h with the mean of start and end velocities. */
void trui_place_bodies(step *s, bool hold_spin_in_body);

#endif
