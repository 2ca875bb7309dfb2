/* step_cone.h: right side and poses of a step of cone: what it does to one contact and to one body. */
#ifndef TRUNDLE_STEPPERS_CONE_STEP_CONE_H
#define TRUNDLE_STEPPERS_CONE_STEP_CONE_H

#include "base/assert.h"
#include "step/lot/lot.h"
#include "step/solve/rebound.h"
#include "step/solve/contact_problem.h"
#include "step/solve/impact.h"
#include "step/solve/islands.h"
#include "step/solve/mean_rate.h"
#include "step/motion.h"

/* ---- lengths and speeds that follow from the world */

static inline double cone_margin(const tru_cone *o, const tru_world *w) {
    if (o->margin != TRU_DERIVED) return o->margin;
    return fmax(1e-3 * trui_smallest_free(w), v3_norm(w->gravity) * o->step * o->step);
}

/* Scales that all contacts of a step share. */
typedef struct cone_scales {
    double gravity;   /* [m/s^2] */
    double threshold; /* [m/s] */
} cone_scales;

static inline cone_scales cone_scales_of(const tru_cone *o, const tru_world *w) {
    const double gravity = v3_norm(w->gravity);
    return (cone_scales){gravity, o->threshold != TRU_DERIVED ? o->threshold : 2.0 * o->step * gravity};
}

/* [m] Returns the size of the smaller free body of a contact. */
static inline double cone_size(const step *s, const contact *c) {
    TRU_ASSERT(c->a != c->b && !signbit(s->size[c->a])); /* A is free */
    const double a = fabs(s->size[c->a]), b = s->size[c->b];
    return !signbit(b) && b < a ? b : a;
}

static inline double cone_recovery(const tru_cone *o, const cone_scales *k, double size) {
    if (o->recovery != TRU_DERIVED) return o->recovery;
    const double fall = k->gravity * size; /* [m^2/s^2] */
    return fall > 0.0 ? 0.5 * sqrt(fall) : 0.01 * size / o->step;
}

static inline double cone_slop(const tru_cone *o, double size) {
    return o->slop != TRU_DERIVED ? o->slop : 1e-7 * size;
}

/* ---- the right side */

/* [m/s] Returns the rate at which an overlap beyond the slop is recovered; negative. */
static inline double cone_recovers(const tru_cone *o, const step *s, const cone_scales *k, const contact *c) {
    const double size = cone_size(s, c);
    return larger(-cone_recovery(o, k, size), o->stabilisation * (c->c.gap + cone_slop(o, size)) / s->h);
}

/* True if overlaps of the contact are recovered by moving bodies. Joints are closed by velocities, so jointed bodies recover that way too. */
static inline bool cone_moves_out(const tru_cone *o, const tru_world *w, const contact *c) {
    return o->recover == TRU_RECOVER_POSE && w->bodies.items[c->a].joints + w->bodies.items[c->b].joints == 0;
}

#define POINT_JUMPS                                                                                                    \
    0.25 /* [-] of the smaller body's size: how far the point of a contact moves over both surfaces where it jumps */

/* [m] Returns how far a contact's point has moved over the surface of a body in the last step. */
static inline double cone_ran(const step *s, const twist *t, tru_vec3 arm, tru_vec3 old_arm) {
    return v3_norm(v3_sub(v3_sub(arm, old_arm), v3_scale(s->h, v3_cross(t->w, old_arm))));
}

/* Returns true if a contact closes at the start of the step only because its surfaces have turned: in the frame in which the last step
 * solved for these velocities (`old`) it does not. Without this check a rolling body would be struck in every step.
 * Where a rod lies down along an edge, the point jumps from one end to the other, and the end that arrives there strikes. */
static inline bool cone_turned(const step *s, const cone_scales *k, const contact *c, const contact *old) {
    const twist *a = &s->body_steps[c->a].start, *b = &s->body_steps[c->b].start;
    const double far = POINT_JUMPS * cone_size(s, c);
    const bool jumps = cone_ran(s, a, c->c.arm_a, old->c.arm_a) > far && cone_ran(s, b, c->c.arm_b, old->c.arm_b) > far;
    return !jumps && !(-middle_rate(old, a, b) > k->threshold);
}

/* Returns the record of the last step of a contact that is not new. */
static inline const contact *cone_before(const step *s, const contact *c) {
    const contact_array *all = &s->w->contacts_before;
    size_t i = trui_contact_seek(all, &c->key, 0);
    while (i < all->count && all->items[i].key.feature != c->key.feature) i++;
    return i < all->count ? &all->items[i] : c;
}

/* Sets b_n of a contact and whether it is an impact. `old`: its record of the last step; NULL: searched for if it matters. */
static inline void cone_bias(const tru_cone *o, const step *s, const cone_scales *k, contact *c, const contact *old) {
    const double gap = c->c.gap, touching = cone_slop(o, cone_size(s, c)), e = c->pair->restitution;
    const twist *a = &s->body_steps[c->a].start, *b = &s->body_steps[c->b].start;
    const double free = middle_rate(c, &s->free[c->a], &s->free[c->b]);
    c->theta = 1.0;
    c->approach = larger(0.0, -middle_rate(c, a, b));
    c->bias = 0.0;
    const bool soft = contact_soft(c, s->h) > 0.0; /* an instantaneous impact cannot load a spring */
    bool fast = !soft && c->approach > k->threshold;
    if (fast && !(c->flags & CONTACT_NEW)) fast = !cone_turned(s, k, c, old ? old : cone_before(s, c));
    /* a gap that ends the step within the slop is closed, so that nothing is lost before the rebound and faces strike as a whole */
    const bool impact = fast && gap + s->h * free <= (e > 0.0 ? touching : 0.0);
    if (impact) c->flags |= CONTACT_IMPACT;
    if (o->form == TRU_RELAXED) {
        c->flags |= CONTACT_RELAXED;
        /* the relaxed law stops it at the height h s(u) already: the ledger books that as an impact */
        if (fast && e == 0.0 && o->impact == TRU_NEWTON_IMPACT) c->flags |= CONTACT_IMPACT;
    }
    if (c->flags & CONTACT_NEW) {
        double start[TRU_ROWS];
        middle_rates(c, a, b, start);
        c->c.stuck |= rates_at_rest(start) & ~(c->flags >> CONTACT_SLIPS); /* unless the scene says that it slips */
    }
    const bool deep = !soft && gap < -touching && cone_moves_out(o, s->w, c);
    if (deep) c->flags |= CONTACT_DEEP;
    if (soft)
        c->bias = gap / s->h;
    else if (impact && e > 0.0)
        c->bias = -contact_rebound(s, c).speed;
    else if (gap > touching)
        c->bias = (gap - touching) / s->h; /* never limited: this is what makes looking ahead exact */
    else if (!impact && !deep && gap < -touching)
        c->bias = cone_recovers(o, s, k, c);
}

/* ---- overlaps after the step */

/* Adds to `shift` (per body) what moves the bodies of a deep contact apart, less what the step and other contacts did already. */
static inline void cone_part(const tru_cone *o, const step *s, const cone_scales *k, const contact *c,
                             const double *seen, tru_vec3 *shift) {
    const double a = s->inverse[c->a].inv_mass, b = s->inverse[c->b].inv_mass;
    TRU_ASSERT(a > 0.0 && b >= 0.0);
    const double aim = -s->h * cone_recovers(o, s, k, c), went = s->h * (seen[TRU_ROW_NORMAL] - c->bias);
    const double miss = aim - went - v3_dot(c->c.normal, v3_sub(shift[c->a], shift[c->b]));
    if (!(miss > 0.0)) return;
    shift[c->a] = v3_madd(shift[c->a], miss * (a / (a + b)), c->c.normal);
    if (b > 0.0) shift[c->b] = v3_madd(shift[c->b], -miss * (b / (a + b)), c->c.normal);
}

/* [J] Moves a body by `shift` out of its overlaps and returns the potential energy that this adds. */
static inline double cone_shift(const tru_world *w, body *b, tru_vec3 shift) {
    if (shift.x == 0.0 && shift.y == 0.0 && shift.z == 0.0) return 0.0;
    b->x = v3_add(b->x, shift);
    return -b->mass * v3_dot(w->gravity, shift);
}

#endif
