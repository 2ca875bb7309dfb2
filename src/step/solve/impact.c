/* impact.c: Poisson's impact law: an impact is compression and expansion of everything that touches, before forces act.
 *
 * | symbol [cone-equations 7.3] | name | unit |
 * |---|---|---|
 * | gamma_c | impulses of the first solve, after which no contact closes | N s, N m s |
 * | e gamma_c,n | normal_terms.floor: least normal impulse of expansion | N s |
 * | gamma_c + expansion | step.struck, of joints step.struck_joints | N s, N m s |
 *
 * Both solves start from velocities without forces, so resting contacts that the impact does not reach get no impulse. In the
 * second, 0 <= p_n - e gamma_c,n _|_ u_n >= 0 with friction within p_n. Friction opposes the remaining slip and is not given back, so
 * a ball that grips does not reverse its slip. If all contacts of an island have the same e <= 1, no energy is gained, with friction
 * too: e gamma_c is feasible for expansion, the solution leaves no more energy than it, and e gamma_c leaves (1 - e^2)/2 gamma_c G
 * gamma_c less than before. Newton's law has no such bound.
 *
 * Joints hold in both solves: rates of their rows are zero, of a motor its speed, for any impulse; the bound above holds for the
 * motion that joints leave free. Compression also removes their error of the last step, which loses energy to second order. A limited
 * force (a seal, a motor with a largest torque) has no impulse in an instant.
 *
 * The rest of the step is as usual, from the velocities after the impact; contacts that struck keep their speed of
 * separation through it, as they do under Newton's law, so that peaks of a bounce do not depend on the step. */
#include "step/motion.h"
#include "step/solve/rebound.h"
#include "step/joints.h"
#include "step/judge.h"
#include "step/solve/impact.h"
#include "step/solve/islands.h"

#include "base/assert.h"
#include "base/error.h"

/* [m/s] Returns the fastest approach of an impact; 0 without an impact or without restitution. */
static double fastest(const tru_world *w) {
    double speed = 0.0;
    bool springy = false;
    for (size_t i = 0; i < w->contacts.count; i++) {
        const contact *c = &w->contacts.items[i];
        springy = springy || c->pair->restitution > 0.0;
        if (c->flags & CONTACT_IMPACT) speed = fmax(speed, c->approach);
    }
    return springy ? speed : 0.0;
}

/* Returns a copy of the velocities without contacts; NULL without memory. */
static const twist *free_twists(const step *s) {
    const size_t n = s->w->bodies.count;
    twist *t = ARENA_ARRAY(&s->w->scratch, twist, n);
    if (t) memcpy(t, s->free, n * sizeof *t);
    return t;
}

/* Stores the larger residuals of two solves in `all`. */
static void worst_of(tru_solve_info *all, const tru_solve_info *one) {
    for (int k = 0; k < TRU_KINDS; k++) all->residual[k] = fmax(all->residual[k], one->residual[k]);
    all->rms = fmax(all->rms, one->rms);
    all->max = fmax(all->max, one->max);
    all->joint = fmax(all->joint, one->joint);
    all->joint_turn = fmax(all->joint_turn, one->joint_turn);
}

/* Solves an impact from the velocities `from`; bodies get the velocities after it. */
static tru_status strike_once(step *s, const twist *from, bool exact, tru_error *err) {
    memcpy(s->free, from, s->w->bodies.count * sizeof *from);
    const tru_status status = trui_solve_islands(s, from, exact, err);
    tru_solve_info *all = &s->impact;
    all->iterations += s->info.iterations;
    all->converged = all->converged && s->info.converged;
    if (s->info.relative > all->relative || all->worst < 0) {
        all->relative = s->info.relative;
        all->worst = s->info.worst;
    }
    worst_of(all, &s->info);
    return status;
}

/* Stops time for the impact: viscous impulses vanish, no overlap is recovered, and near contacts may still close. Keeps biases. */
static void hold_time(step *s, double *bias) {
    tru_world *w = s->w;
    TRU_ASSERT(s->strikes && s->acts > 0.0);
    s->acts = 0.0;
    for (size_t i = 0; i < w->contacts.count; i++) {
        contact *c = &w->contacts.items[i];
        bias[i] = c->bias;
        c->bias = c->flags & CONTACT_IMPACT ? 0.0 : fmax(bias[i], 0.0);
    }
}

/* Adds the impulses of a solve to those of the impact. */
static void add_impulses(const step *s) {
    for (size_t i = 0; i < s->w->contacts.count; i++) {
        const contact *c = &s->w->contacts.items[i];
        for (int k = 0; (c->flags & CONTACT_STRUCK) && k < TRU_ROWS; k++) s->struck[i][k] += c->impulse[k];
    }
    for (size_t i = 0; i < s->w->joints.count; i++) {
        const joint *j = &s->w->joints.items[i];
        joint_strike *hit = &s->struck_joints[i];
        if (!hit->struck || joint_limited(j)) continue;
        for (int k = 0; k < j->rows; k++) hit->impulse[k] += j->impulse[k];
    }
}

/* Returns a copy of the velocities of all bodies; NULL without memory. */
static twist *velocities(const step *s) {
    const body_array *b = &s->w->bodies;
    twist *t = ARENA_ARRAY(&s->w->scratch, twist, b->count);
    for (size_t i = 0; t && i < b->count; i++) t[i] = (twist){b->items[i].v, b->items[i].w};
    return t;
}

/* Solves the compression into `struck`, and sets the least normal impulses of expansion. */
static tru_status compress(step *s, bool exact, tru_error *err) {
    tru_world *w = s->w;
    twist *start = ARENA_ARRAY(&w->scratch, twist, w->bodies.count);
    normal_terms *more = ARENA_ARRAY(&w->scratch, normal_terms, w->contacts.count);
    if (!start || !more) return tru_no_memory(err);
    for (size_t i = 0; i < w->bodies.count; i++) start[i] = s->body_steps[i].start;
    const tru_status status = strike_once(s, start, exact, err);
    if (status < 0) return status;
    add_impulses(s);
    for (size_t i = 0; i < w->contacts.count; i++)
        more[i] = (normal_terms){.soft = s->normal_terms ? s->normal_terms[i].soft : 0.0,
                                 .floor = w->contacts.items[i].pair->restitution * s->struck[i][TRU_ROW_NORMAL]};
    s->normal_terms = more;
    return TRU_OK;
}

/* [m/s] Returns the separation speed that a struck contact keeps in the rest of the step, without the lift of the relaxed form. */
static double separates(const step *s, const contact *c, const twist *a, const twist *b) {
    double u[TRU_ROWS], work[TRU_PAIR_LAWS][TRU_LAW_WORK] = {{0.0}};
    law_use laws[TRU_PAIR_LAWS];
    tru_contact view;
    middle_rates(c, a, b, u);
    step_view(s, c, &view);
    trui_laws_again(c, &view, work, laws);
    const double lift = c->flags & CONTACT_RELAXED ? trui_laws_support(laws, c->pair->law_count, u + 1) : 0.0;
    return fmax(u[TRU_ROW_NORMAL] - lift, 0.0);
}

/* Prepares the rest of the step: forces act on the velocities after the impact, and struck contacts keep separating. */
static void resume_time(step *s, const twist *kicked, const double *bias) {
    tru_world *w = s->w;
    TRU_ASSERT(!s->strikes && s->acts == 0.0);
    s->acts = s->h;
    for (size_t i = 0; i < w->contacts.count; i++) {
        contact *c = &w->contacts.items[i];
        const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
        c->bias = bias[i];
        if (!(c->flags & CONTACT_IMPACT) || !(c->pair->restitution > 0.0)) continue;
        c->bias = -separates(s, c, &(twist){a->v, a->w}, &(twist){b->v, b->w});
        if (c->bias < 0.0) { /* it strikes later in the step, at another speed */
            const rebound r = contact_rebound(s, c);
            c->bias = -larger(0.0, r.speed + r.hits * (-c->bias / c->approach - c->pair->restitution));
        }
    }
    for (size_t i = 0; i < w->bodies.count; i++) {
        const twist *start = &s->body_steps[i].start;
        const body *b = &w->bodies.items[i];
        const bool free = body_is_free(b);
        s->free[i].v = free ? v3_add(b->v, v3_sub(kicked[i].v, start->v)) : kicked[i].v;
        s->free[i].w = free ? v3_add(b->w, v3_sub(kicked[i].w, start->w)) : kicked[i].w;
    }
}

tru_status trui_impact_begin(step *s, bool exact, tru_error *err) {
    tru_world *w = s->w;
    const double speed = fastest(w);
    normal_terms *yields = s->normal_terms;
    if (speed == 0.0) return TRU_OK;
    if (s->speed == 0.0) s->speed = speed;
    const twist *kicked = s->kicked = free_twists(s), *compressed = NULL;
    double *bias = ARENA_ARRAY(&w->scratch, double, w->contacts.count);
    s->struck = arena_push_array(&w->scratch, w->contacts.count, sizeof *s->struck);
    s->struck_joints = ARENA_ARRAY(&w->scratch, joint_strike, w->joints.count);
    if (!kicked || !bias || !s->struck || !s->struck_joints) return tru_no_memory(err);
    memset(s->struck, 0, w->contacts.count * sizeof *s->struck);
    memset(s->struck_joints, 0, w->joints.count * sizeof *s->struck_joints);
    s->impact = (tru_solve_info){.worst = -1, .converged = true};
    s->strikes = true;
    hold_time(s, bias);
    tru_status status = compress(s, exact, err);
    if (status >= 0 && !(compressed = velocities(s))) status = tru_no_memory(err);
    if (status >= 0) status = strike_once(s, compressed, exact, err);
    if (status < 0) return status;
    add_impulses(s);
    s->normal_terms = yields;
    s->strikes = false;
    resume_time(s, kicked, bias);
    return TRU_OK;
}

void trui_impact_end(step *s) {
    tru_world *w = s->w;
    for (size_t i = 0; i < w->contacts.count; i++) {
        contact *c = &w->contacts.items[i];
        if (!(c->flags & CONTACT_STRUCK)) continue;
        for (int k = 0; k < TRU_ROWS; k++) c->impulse[k] += s->struck[i][k];
        memcpy(c->end->last, s->struck[i], sizeof c->end->last);
        c->steady = false;
    }
    for (size_t i = 0; i < w->joints.count; i++)
        for (int k = 0; k < w->joints.items[i].rows; k++)
            w->joints.items[i].impulse[k] += s->struck_joints[i].impulse[k];
    s->info.iterations += s->impact.iterations;
    s->info.converged = s->info.converged && s->impact.converged;
    if (s->impact.relative > s->info.relative) {
        s->info.relative = s->impact.relative;
        s->info.worst = s->impact.worst;
    }
    worst_of(&s->info, &s->impact);
}
