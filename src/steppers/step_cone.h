/* step_cone.h: what a step of cone and many of them at once (step_cone_cruise.c) have in common. */
#ifndef TRUNDLE_STEPPERS_STEP_CONE_H
#define TRUNDLE_STEPPERS_STEP_CONE_H

#include "steppers/single.h"
#include "steppers/verbs.h"

/* ---- lengths and speeds that follow from the world */

static inline double cone_margin(const tru_cone *o, const tru_world *w) {
    if (o->margin != TRU_DERIVED) return o->margin;
    return fmax(1e-3 * smallest_free(w), v3_norm(w->gravity) * o->step * o->step);
}

/* What all contacts of a step have in common. */
typedef struct cone_scales {
    double gravity;   /* [m/s^2] */
    double threshold; /* [m/s] */
} cone_scales;

static inline cone_scales cone_scales_of(const tru_cone *o, const tru_world *w) {
    const double gravity = v3_norm(w->gravity);
    return (cone_scales){gravity, o->threshold != TRU_DERIVED ? o->threshold : 2.0 * o->step * gravity};
}

/* [m] of the smaller free body of a contact. */
static inline double cone_size(const step *s, const contact *c) {
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

/* b_n of a contact, and whether it is an impact. */
static inline void cone_bias(const tru_cone *o, const step *s, const cone_scales *k, contact *c) {
    const double gap = c->c.gap, size = cone_size(s, c), touching = cone_slop(o, size), e = c->pair->restitution;
    const twist *a = &s->moving[c->a].start, *b = &s->moving[c->b].start;
    const double free = middle_rate(c, &s->free[c->a], &s->free[c->b]);
    c->theta = 1.0;
    c->approach = larger(0.0, -middle_rate(c, a, b));
    c->bias = 0.0;
    const bool soft = contact_soft(c, s->h) > 0.0; /* a spring gives nothing in no time: it is never struck */
    const bool reached = gap + s->h * free <= 0.0, impact = !soft && reached && c->approach > k->threshold;
    if (impact) c->flags |= CONTACT_IMPACT;
    if (o->form == TRU_RELAXED) c->flags |= CONTACT_RELAXED;
    if (c->flags & CONTACT_NEW) {
        double start[TRU_ROWS];
        middle_rates(c, a, b, start);
        c->c.stuck |= rates_at_rest(start) & ~(c->flags >> CONTACT_SLIPS); /* unless told to slip */
    }
    if (soft)
        c->bias = gap / s->h;
    else if (impact && (e > 0.0 || gap <= touching))
        c->bias = -e * c->approach; /* Newton: u_n after = -e u_n before */
    else if (gap > touching)
        c->bias = (gap - touching) / s->h; /* never limited: this is what makes looking ahead exact */
    else if (gap < -touching)
        c->bias = larger(-cone_recovery(o, k, size), o->stabilisation * (gap + touching) / s->h);
}

/* Steps in which one body stays on one plane; each exactly as by itself. */
uint64_t cone_cruise(const void *params, tru_world *w, uint64_t steps);

#endif
