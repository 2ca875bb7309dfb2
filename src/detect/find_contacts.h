/* find_contacts.h: from bodies to contacts: candidate pairs, narrow phase, frames carried over, history matched by key. */
#ifndef TRUNDLE_DETECT_FIND_CONTACTS_H
#define TRUNDLE_DETECT_FIND_CONTACTS_H

#include "world/world.h"

#include <stddef.h>
#include <string.h>

/* Which parts of contacts a stepper keeps. */
enum { KEEP_ENDS = 1u, KEEP_SPRINGS = 2u };

/* Replace w->contacts by those with gap < activation at the present poses, sorted by key, each with what its record of
 * the last step says (frame, impulses, modes, history, and the parts in `keeps`); w->contacts_before keeps the last
 * step's. `step` [s] limits how far a shape may have fallen flat within it. On failure nothing has changed. */
tru_status trui_find_contacts(tru_world *w, double activation, double step, unsigned keeps, tru_error *err);
/* The same with contacts that bodies going on with velocities `moves` (beside bodies) can close within the step: gap <
 * margin + step max(0, -u_n). Contacts that carried nothing in the last step (CONTACT_APART) count as new. `also` is done to
 * them while they are at hand, on several threads: to all of some pairs of solids at a time, which have all but what they
 * point to; NULL: nothing is. */
typedef struct contact_visitor {
    void (*work)(void *context, contact *first, size_t count);
    void *context;
    /* [m/s] Speed s(u) with which the law of a contact of the last step lifts it: gaps up to the margin and what it lifts in the step
     * are contacts; NULL: no law does. */
    double (*lifted)(const void *context, const contact *old);
} contact_visitor;
tru_status trui_find_contacts_ahead(tru_world *w, double margin, double step, const twist *moves, unsigned keeps,
                                    const contact_visitor *also, tru_error *err);
/* Poses of all solids, those of fixed bodies included: needed once after every change from outside. */
void trui_pose_solids(tru_world *w);
/* Undo the last collide: the contacts of the step before are the present ones again. */
void trui_find_contacts_undo(tru_world *w);

/* Where contacts of the key's two solids begin in `all`, or would; fast if they stand a few behind `hint`, where a caller
 * that goes through keys in order ended the last time. */
size_t trui_contact_seek(const contact_array *all, const contact_key *key, size_t hint);
/* Contacts of one pair of solids stand side by side: how many from `first` on belong together. */
int trui_contact_run(const contact_array *all, size_t first);
/* Frame and arms of such a run with the two bodies posed as given. */
void trui_contact_run_places(const tru_world *w, const contact *run, int count, const body *a, const body *b,
                             contact_place *out);

/* Rates W^T u of the six rows with frame (n, t1, t2) and the given arms, A minus B. */
static inline void rates_of_rows(tru_vec3 n, tru_vec3 t1, tru_vec3 t2, tru_vec3 arm_a, tru_vec3 arm_b, const twist *a,
                                 const twist *b, double u[TRU_ROWS]) {
    const tru_vec3 va = v3_add(a->v, v3_cross(a->w, arm_a)), vb = v3_add(b->v, v3_cross(b->w, arm_b));
    const tru_vec3 v = v3_sub(va, vb), w = v3_sub(a->w, b->w);
    u[TRU_ROW_NORMAL] = v3_dot(v, n);
    u[TRU_ROW_SLIDE1] = v3_dot(v, t1);
    u[TRU_ROW_SLIDE2] = v3_dot(v, t2);
    u[TRU_ROW_SPIN] = v3_dot(w, n);
    u[TRU_ROW_ROLL1] = v3_dot(w, t1);
    u[TRU_ROW_ROLL2] = v3_dot(w, t2);
}
/* [m/s], [rad/s] What is added to the rate of a row. */
static inline double contact_bias(const contact *c, int row) {
    return row == TRU_ROW_NORMAL ? c->bias : c->end ? c->end->bias[row - 1] : 0.0;
}

/* What a contact takes over from its record of the last step. */
static inline void contact_take_over(contact *c, const contact *old) {
    const bool apart = old->flags & CONTACT_APART;
    const uint32_t follows = CONTACT_FOLLOWED | (old->flags & CONTACT_SETTLED);
    c->flags = (apart ? CONTACT_NEW : old->flags & CONTACT_TRACKED ? follows : 0u);
    if (old->end) c->flags |= CONTACT_KNOWN;
    c->age = apart ? 0 : old->age + 1;
    c->steady = old->steady;
    c->stuck = old->stuck;
    memcpy(c->dry, old->dry, sizeof c->dry);
}

/* Arm from the centre of mass of its body to a point of a solid, in world axes; r: the solid's axes. Local coordinates do not
 * depend on where in the world the contact is. */
static inline tru_vec3 solid_arm(const solid *s, const tru_mat3 *r, const body *b, tru_vec3 local) {
    const tru_vec3 arm = m3_apply(*r, local);
    return s->centred ? arm : v3_add(arm, m3_apply(body_axes(b), s->at->x));
}

/* The same at a place. */
void trui_contact_rates(const contact_place *place, const twist *a, const twist *b, double u[TRU_ROWS]);
/* Place and rates of contact k at the end of the last step. */
void trui_contact_now(const tru_world *w, size_t k, contact_place *place, double u[TRU_ROWS]);
/* A contact as laws see it; a and b: its shapes where the laws act, centre: [m] of A's mass there. */
void trui_contact_view(const contact *c, const placed *a, const placed *b, tru_vec3 centre, double step,
                       tru_contact *out);
/* The contacts of two steps change places, with all they point to. */
void trui_contacts_swap(tru_world *w);

/* The deepest overlap at the present poses that exceeds `limit` parts of the smaller extent; true if there is one. Only
 * bodies with ids from `first` on are looked at, with all others. */
typedef struct overlap {
    size_t solid_a, solid_b;
    double depth, extent; /* [m] */
} overlap;
tru_status trui_find_overlap(tru_world *w, double limit, tru_id first, overlap *out, bool *found, tru_error *err);

#endif
