/* step_moreau.h: what a step of moreau and many of them at once (step_moreau_cruise.c) have in common. */
#ifndef TRUNDLE_STEPPERS_MOREAU_STEP_MOREAU_H
#define TRUNDLE_STEPPERS_MOREAU_STEP_MOREAU_H

#include "step/verbs_one.h"
#include "step/solve/execute.h"
#include "step/solve/jolt.h"
#include "step/solve/mean_rate.h"
#include "step/solve/one_contacts.h"
#include "step/verbs.h"

/* [m] gap below which a contact acts. The free half step moves a rim by O(g h^2); with less room a rolling disk loses its
 * contact every now and then, and viscous laws that share of their work [rolling-disk-equations 6.1]. */
static inline double moreau_activation(const tru_moreau *o, const step *s) {
    if (o->activation != TRU_DERIVED) return o->activation;
    return larger(1e-9 * trui_smallest_free(s->w), s->fall * s->h);
}

/* The law acts on theta (W^T u_E + bias): theta and bias of one contact from s and W(q_M)^T u_A. */
static inline void moreau_bias(const step *s, contact *c, bool single, const double start[TRU_ROWS]) {
    double middle[TRU_ROWS];
    c->theta = single ? 0.5 : 1.0;
    c->approach = larger(0.0, -start[0]);
    c->bias = 0.0;
    memset(c->end->bias, 0, sizeof c->end->bias);
    const bool impact = c->approach > 2.0 * s->fall;
    if (impact) c->flags |= CONTACT_IMPACT;
    if (c->flags & CONTACT_NEW)
        c->c.stuck |= rates_at_rest(start) & ~(c->flags >> CONTACT_SLIPS); /* unless told to slip */
    if (single) {
        const bool fresh = impact || (c->flags & CONTACT_NEW);
        middle_rates(c, &s->body_steps[c->a].start, &s->body_steps[c->b].start, middle);
        c->bias = middle[0] - (fresh || c->age == 1 ? 1.0 : 0.1) * start[0];
        for (int row = 1; row < TRU_ROWS; row++) {
            const bool stuck = c->c.stuck & TRU_KIND_BIT(LAW_KIND_OF_ROW(row - 1));
            c->end->bias[row - 1] = impact || stuck ? middle[row] - start[row] : middle[row];
        }
    }
    if (impact) c->bias -= c->pair->restitution * c->approach; /* Newton: u_n after = -e u_n before */
}

/* Kinds of a contact that slid at the start and that the step turned round. Their bias is W(q_M)^T u_A. */
static inline uint32_t moreau_turned(const step *s, const contact *c) {
    const tru_world *w = s->w;
    const twist a = {w->bodies.items[c->a].v, w->bodies.items[c->a].w},
                b = {w->bodies.items[c->b].v, w->bodies.items[c->b].w};
    double end[TRU_ROWS], along[TRU_KINDS] = {0.0};
    uint32_t kinds = 0;
    middle_rates(c, &a, &b, end);
    for (int row = 1; row < TRU_ROWS; row++) along[row_kind(row)] += end[row] * c->end->bias[row - 1];
    for (int kind = TRU_KIND_SLIDE; kind < TRU_KINDS; kind++)
        if (along[kind] < 0.0) kinds |= TRU_KIND_BIT(kind);
    return kinds & c->pair->claims & ~c->c.stuck;
}

/* Steps in which one body stays on one plane; each exactly as by itself. */
uint64_t trui_moreau_cruise(const void *params, tru_world *w, uint64_t steps);

#endif
