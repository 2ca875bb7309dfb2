/* find_contacts.h: from bodies to contacts. Candidates go through the narrow phase; contacts take over frame and history by key. */
#ifndef TRUNDLE_DETECT_FIND_CONTACTS_H
#define TRUNDLE_DETECT_FIND_CONTACTS_H

#include "detect/contact_places.h"
#include "world/world.h"

#include <stddef.h>
#include <string.h>

/* Parts of contacts that a stepper keeps from step to step. */
enum { KEEP_ENDS = 1u, KEEP_SPRINGS = 2u };

/* Replaces w->contacts by the contacts with gap < activation at the present poses, sorted by key. A contact that existed in the last
 * step takes over its frame, impulses, modes, history, and the parts in `keeps`. w->contacts_before has the contacts of the last step.
 * `step` [s] limits how far a shape may have fallen flat within it. On failure nothing has changed. */
tru_status trui_find_contacts(tru_world *w, double activation, double step, unsigned keeps, tru_error *err);
/* Work on new contacts while they are in the cache. It runs on several threads, for all contacts of some pairs of solids at a time.
 * These contacts are complete except for the data behind their pointers. */
typedef struct contact_visitor {
    void (*work)(void *context, contact *first, size_t count);
    void *context;
    /* Returns the speed s(u) [m/s] with which the relaxed law lifts a contact of the last step. The margin grows by its way in the step.
     * NULL: no law lifts contacts. */
    double (*lifted)(const void *context, const contact *old);
} contact_visitor;
/* Finds contacts as above, and those that bodies with velocities `moves` (one per body) can close within the step: gap < margin + step
 * max(0, -u_n). Contacts that carried no load in the last step (CONTACT_APART) count as new. `visitor` may be NULL. */
tru_status trui_find_contacts_ahead(tru_world *w, double margin, double step, const twist *moves, unsigned keeps,
                                    const contact_visitor *visitor, tru_error *err);
/* Computes the poses of all solids, also of fixed bodies. Needed once after every change from outside. */
void trui_pose_solids(tru_world *w);
/* Undoes the last search: the contacts of the step before are the present ones again. */
void trui_find_contacts_undo(tru_world *w);

/* Returns the index at which contacts of the key's two solids begin in `all`, or would begin. The search is fast if that is near `hint`,
 * for example where the search for the previous key ended. */
size_t trui_contact_seek(const contact_array *all, const contact_key *key, size_t hint);

/* Copies to a contact what it keeps from the last step. */
static inline void contact_take_over(contact *c, const contact *old) {
    TRU_ASSERT(contact_same_solids(&c->key, &old->key));
    const bool apart = old->flags & CONTACT_APART;
    const uint32_t follows = CONTACT_FOLLOWED | (old->flags & CONTACT_SETTLED);
    c->flags = (apart ? CONTACT_NEW : old->flags & CONTACT_TRACKED ? follows : 0u);
    if (old->end) c->flags |= CONTACT_KNOWN;
    c->age = apart ? 0 : old->age + 1;
    c->steady = old->steady;
    c->stuck = old->stuck;
    memcpy(c->dry, old->dry, sizeof c->dry);
}

/* Exchanges the contacts of this step and of the step before, with the data behind their pointers. */
void trui_contacts_swap(tru_world *w);

#endif
