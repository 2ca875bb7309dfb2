/* verbs_one.h: what the verbs do to one body and to one contact; a world is many of them. */
#ifndef TRUNDLE_STEP_VERBS_ONE_H
#define TRUNDLE_STEP_VERBS_ONE_H

#include "math/quat.h"
#include "world/gyro.h"
#include "step/step.h"

/* ---- gyroscopic torque (one_contacts.c) */

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

/* Where the mean rate of the step will be if its gain changes as it did; the body has gains. */
static inline void gyro_expect(const body *b, body_step *m) {
    m->dynamics->gyro_rate = v3_madd(m->start.w, 0.5, v3_add(b->gain->last, v3_sub(b->gain->last, b->gain->before)));
}

static inline tru_vec3 mean_rate(const body *b, const body_step *m) { return v3_scale(0.5, v3_add(m->start.w, b->w)); }

/* (I + h/2 J)^-1 as the body's answer to impulses. */
static inline void gyro_lean(body_step *m, problem_body *inverse, double h) {
    const tru_vec3 w = v3_scale(0.5 * h, m->dynamics->gyro_rate), spin = m3_apply(m->dynamics->inertia, w);
    const tru_mat3 j = m3_sub(m3_mul(m3_skew(w), m->dynamics->inertia), m3_skew(spin));
    m->dynamics->linear = m3_inverse(m3_add(m->dynamics->inertia, j), &inverse->inverse);
}

#define GYRO_NEAR 1e-12 /* [-] largest d^2 / rate^2: what is left of the torque in parts of it */

/* Is the gyroscopic torque of a body that of its mean rate? */
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

/* Was the mean rate of a turning body found? */
static inline bool gyro_found(const body *b, const body_step *m) {
    return !body_is_free(b) || b->isotropic || v3_norm2(m->start.w) == 0.0 || v3_norm2(m->dynamics->gyro_rate) > 0.0;
}

#define GYRO_TURN 1e-6 /* [rad] in a step: the torque of a slower body changes its rate by at most this part of it */

/* [-] Part of its energy of turning that a body gains or loses in the step because its gyroscopic torque is not that of the
 * mean rate, which would do no work. 0 for a body that hardly turns: at rest, rates are what the solver's tolerance left. */
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

/* Inertia of a free body at its present pose. */
static inline void body_inertia(const body *b, body_step *m, problem_body *inverse) {
    if (m->dynamics) m->dynamics->inertia = b->isotropic ? body_inertia_of(b) : body_turned(b, body_inertia_of(b));
    inverse->inverse = b->isotropic ? body_inverse_of(b) : body_turned(b, body_inverse_of(b));
}

/* Its velocities without contacts. */
static inline void body_kick(const step *s, const body *b, const body_step *m, const problem_body *inverse,
                             twist *free) {
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
    const contact_frame *c = &k->c;
    const double *p = k->impulse;
    const tru_vec3 force = v3_madd(v3_madd(v3_scale(p[0], c->normal), p[1], c->t1), p[2], c->t2);
    tru_vec3 couple = v3_cross(arm, force);
    if (k->pair->claims & PAIR_COUPLES)
        couple = v3_add(v3_madd(v3_madd(v3_scale(p[3], c->normal), p[4], c->t1), p[5], c->t2), couple);
    return (twist){v3_madd(t->v, sign * inv_mass, force), v3_madd(t->w, sign, problem_turn(o, couple))};
}

/* Gives a contact's impulses to its bodies. */
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

/* The sums are finite if all their terms are. */
LOT_TEXT bool body_is_finite(const body *b) {
    return v3_is_finite(b->x) && v3_is_finite(b->v) && v3_is_finite(b->w) && quat_is_finite(b->q);
}

/* ---- impacts within the step (cone) */

/* When a contact strikes and how fast it then separates. */
typedef struct rebound {
    double when; /* [s] after the start of the step */
    double hits; /* [m/s] closing speed then */
    double
        speed; /* [m/s] of separation that the rate of the end stands for, restitution times `hits` but for gravity */
} rebound;

/* How a body goes on without the contact: what lies or hangs on a joint is held. */
static inline const twist *twist_until_struck(const step *s, size_t i) {
    const body *b = &s->w->bodies.items[i];
    return b->resting || b->joints > 0 ? &s->body_steps[i].start : &s->kicked[i];
}

/* Rates of the end of a step move poses, so they are those of the step's middle: the gap follows the parabola gap - C t - a t^2/2 with
 * C the mean of the closing speeds at start and end. It is closed at speed sqrt(C^2 + 2 a gap); from there the rate of the end is that of
 * the middle of this step in flight. */
static inline rebound contact_rebound(const step *s, const contact *c) {
    const double h = s->h, gap = larger(0.0, c->c.gap);
    const double start = -middle_rate(c, &s->body_steps[c->a].start, &s->body_steps[c->b].start);
    const double end = -middle_rate(c, twist_until_struck(s, c->a), twist_until_struck(s, c->b));
    const double mean = 0.5 * (start + end), gain = end - start; /* gain: a h */
    const double hits = sqrt(larger(0.0, mean * mean + 2.0 * gain * gap / h));
    const double when = mean + hits > 0.0 ? fmin(h, 2.0 * gap / (mean + hits)) : 0.0;
    return (rebound){when, hits, larger(0.0, c->pair->restitution * hits + gain * (when / h - 0.5))};
}

/* ---- poses after the step */

/* The paper's correction of one overlap, by l = -gap / slope along the normal: dx = l n, rotation = 4 l (arm x n). */
static inline void body_correct_r7(body *a, tru_vec3 n, tru_vec3 lever, double l) {
    const tru_quat r = quat_exp(v3_scale(4.0 * l, lever));
    a->x = v3_madd(a->x, l, n);
    a->q = quat_renormalise(quat_mul(r, a->q));
    if (!a->isotropic) a->w = quat_rotate(r, a->w);
}

/* Close the overlap of a contact, or set down what carried load under midpoint (project.c: lift); returns the gap it closed. */
LOT_TEXT double contact_lift(const step *s, const contact *c) {
    body *a = &s->w->bodies.items[c->a], *b = &s->w->bodies.items[c->b];
    const tru_vec3 moved_a = v3_sub(a->x, s->body_steps[c->a].dynamics->x_placed),
                   moved_b = v3_sub(b->x, s->body_steps[c->b].dynamics->x_placed);
    const double gap = c->end->place.gap + v3_dot(c->end->place.normal, v3_sub(moved_a, moved_b));
    const double weight = a->inv_mass + b->inv_mass;
    const bool carried = c->theta < 1.0 && c->impulse[0] > 0.0 && !(c->flags & CONTACT_IMPACT);
    if (!(gap < 0.0 || (carried && gap > 0.0)) || weight == 0.0) return 0.0;
    a->x = v3_madd(a->x, -gap * a->inv_mass / weight, c->end->place.normal);
    b->x = v3_madd(b->x, gap * b->inv_mass / weight, c->end->place.normal);
    return gap;
}

/* Does a contact end the step overlapped by more than the size of its bodies? */
static inline bool contact_sank(const step *s, const contact *c) {
    const body *a = &s->w->bodies.items[c->a], *b = &s->w->bodies.items[c->b];
    return c->end->place.gap < -a->size && (b->kind != TRU_FREE || c->end->place.gap < -b->size);
}

/* [J] What gravity gave a body for being moved from x_placed. */
LOT_TEXT double placed_work(const tru_world *w, const body *b, const body_step *m) {
    return body_is_free(b) ? -b->mass * v3_dot(w->gravity, v3_sub(b->x, m->dynamics->x_placed)) : 0.0;
}

/* The place of a contact follows its bodies, which were moved from x_placed; and its rates there. */
LOT_TEXT void contact_follow(const step *s, const contact *c) {
    const body *a = &s->w->bodies.items[c->a], *b = &s->w->bodies.items[c->b];
    const tru_vec3 da = v3_sub(a->x, s->body_steps[c->a].dynamics->x_placed),
                   db = v3_sub(b->x, s->body_steps[c->b].dynamics->x_placed);
    contact_place *p = &c->end->place;
    p->gap += v3_dot(p->normal, v3_sub(da, db));
    p->arm_b = v3_add(p->arm_b, v3_sub(da, db));
    rates_of_rows(p->normal, p->t1, p->t2, p->arm_a, p->arm_b, &(twist){a->v, a->w}, &(twist){b->v, b->w},
                  c->end->rate);
}

/* ---- ledger (ledger.c) */

/* Velocities of a body halfway between those at the start and at the end of the step. */
LOT_TEXT twist mean_twist(const step *s, size_t i) {
    const twist *t = &s->body_steps[i].start;
    const body *b = &s->w->bodies.items[i];
    return (twist){v3_scale(0.5, v3_add(t->v, b->v)), v3_scale(0.5, v3_add(t->w, b->w))};
}

/* Work on a free body that is not a contact's, into a ledger. */
LOT_TEXT void ledger_body(const step *s, size_t i, tru_ledger *l) {
    const tru_world *w = s->w;
    const body *b = &w->bodies.items[i];
    const body_step *m = &s->body_steps[i];
    const twist mean = mean_twist(s, i);
    if (s->ends) l->theta_shift -= 0.5 * s->h * b->mass * v3_dot(w->gravity, v3_sub(b->v, m->start.v));
    if (w->loads.count > 0)
        l->loads += s->h * (v3_dot(m->dynamics->force, mean.v) + v3_dot(m->dynamics->torque, mean.w));
    if (!b->isotropic) l->gyroscopic -= s->h * gyro_work(m, mean.w);
}

/* What a contact that yields gave to its bodies: with force F, overlap d at the start and d' = c F at the end, F d - c F^2 is
 * the energy d^2/2c - c F^2/2 of its spring, less (d - d')^2/2c that is lost because F is that of the end. A gap d < 0
 * stores nothing. Returns it all. */
static inline double ledger_spring(tru_ledger *l, const contact *c, double h) {
    const double give = c->pair->compliance, force = contact_rest(c, TRU_ROW_NORMAL) / h, d = -c->c.gap;
    const double left = d - give * force, whole = fmax(d, 0.0);
    const double before = 0.5 * whole * whole / give, after = 0.5 * give * force * force;
    const double lost = d >= 0.0 ? 0.5 * left * left / give : after - force * d;
    l->theta_shift -= lost;
    l->stored += after;
    l->stiffness += before;
    return before - after - lost;
}

/* Did an impact go through what the contact hangs together with? */
static inline bool contact_jolted(const step *s, const contact *c) { return s->jolted && s->jolted[c->a]; }

/* The normal row where the law acts on gamma = u_end + bias, and on what the contact yields; m: its mean rate. */
static inline void ledger_normal(const step *s, const contact *c, double gamma, double m, tru_ledger *l,
                                 tru_solve_info *info) {
    const double p = c->impulse[TRU_ROW_NORMAL], rest = contact_rest(c, TRU_ROW_NORMAL), bias = c->bias;
    const bool impact = (c->flags & (CONTACT_IMPACT | CONTACT_STRUCK)) || contact_jolted(s, c);
    const bool closes = impact || ((c->flags & CONTACT_NEW) && bias > 0.0);
    const bool soft = s->normal_terms && s->normal_terms[c - s->w->contacts.items].soft > 0.0;
    const bool relaxed = c->flags & CONTACT_RELAXED, jolt = impact || ((c->flags & CONTACT_NEW) && !soft);
    /* gamma less a gap that stays is the rate of the end; half of it is the mean of a jolt, which takes the other half of the start */
    const double rises = gamma - (soft ? 0.0 : larger(0.0, bias));
    const double lift = !relaxed ? 0.0 : jolt ? 0.5 * rest * larger(0.0, rises) : rest * rises;
    const double recovered = soft ? ledger_spring(l, c, s->h) : closes || (relaxed && bias > 0.0) ? 0.0 : -rest * bias;
    l->lift += lift;
    /* in steady slip the gap is h s(u) and stays: it lifts, and does not hop; an open contact may keep a trace of an impulse */
    if (c->flags & CONTACT_RELAXED && rest > 1e-6 * s->w->bodies.items[c->a].mass * gamma) {
        info->lift = larger(info->lift, gamma);
        info->hop = larger(info->hop, bias > 0.0 ? gamma - bias : gamma);
    }
    if (!soft) l->stabilisation += recovered;
    if (jolt)
        l->impact -= p * m - lift - recovered;
    else
        l->theta_shift += p * m - lift - recovered;
}

/* One row with impulse p, mean rate m, and the rate that its law saw. */
static inline void book_row(double p, double m, double seen, bool impact, double *sink, double *shift) {
    *sink -= p * (impact ? m : seen);
    if (!impact) *shift += p * (m - seen);
}

/* Work of a contact whose bodies have these mean velocities; u: what the rows of the contact saw, up to theta. Into a ledger; lift
 * and hop into what is said of the step. */
static inline void ledger_contact(const step *s, const contact *c, const twist *a, const twist *b, const double *u,
                                  tru_ledger *l, tru_solve_info *info) {
    const twist still = {{0, 0, 0}, {0, 0, 0}};
    double m[TRU_ROWS], drive[TRU_ROWS];
    const bool impact = (c->flags & (CONTACT_NEW | CONTACT_IMPACT | CONTACT_STRUCK)) || contact_jolted(s, c);
    middle_rates(c, a, b, m);
    if (s->ends)
        ledger_normal(s, c, u[0], m[TRU_ROW_NORMAL], l, info);
    else
        book_row(c->impulse[TRU_ROW_NORMAL], m[TRU_ROW_NORMAL], 0.0, impact, &l->impact, &l->theta_shift);
    for (int row = TRU_ROW_SLIDE1; row <= TRU_ROW_SLIDE2; row++)
        book_row(c->impulse[row], m[row], c->theta * u[row], impact, &l->slide, &l->theta_shift);
    if (c->pair->claims & PAIR_COUPLES) { /* else these rows carry nothing */
        const int spin = TRU_ROW_SPIN;
        book_row(c->impulse[spin], m[spin], c->theta * u[spin], impact, &l->spin, &l->theta_shift);
        for (int row = TRU_ROW_ROLL1; row <= TRU_ROW_ROLL2; row++)
            book_row(c->impulse[row], m[row], c->theta * u[row], impact, &l->roll, &l->theta_shift);
    }
    if (!s->driven || s->w->bodies.items[c->b].kind != TRU_DRIVEN) return;
    middle_rates(c, &still, b, drive); /* minus the rates of B's surface */
    for (int row = 0; row < TRU_ROWS; row++) l->drives -= c->impulse[row] * drive[row];
}

#endif
