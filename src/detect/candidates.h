/* candidates.h: pairs of solids that the narrow phase has to examine. */
#ifndef TRUNDLE_DETECT_CANDIDATES_H
#define TRUNDLE_DETECT_CANDIDATES_H

#include "shapes/shape.h"
#include "world/world.h"

typedef broad_pair candidate; /* indices of solids; A is the free one, or the one with the lower id if both are free */

/* Parameters of a search for contacts. */
typedef struct search {
    double margin;      /* [m] gaps below it are contacts */
    double step;        /* [s] */
    const twist *moves; /* velocities in the step, one per body; NULL: only the present poses count */
    unsigned keeps;     /* KEEP_* */
    /* Returns the speed s(u) [m/s] with which the law of a contact of the last step lifts it (form relaxed of cone); NULL: no law lifts. */
    double (*lifted)(const void *context, const contact *old);
    const void *context;
    double slide, turn; /* [-], [m] largest limits of laws that lift: slide, and roll plus spin */
} search;

/* Returns true for a sphere about its body's centre of mass. */
static inline bool solid_is_centred_ball(const solid *s) { return s->ball; }

/* Finds all candidates at the present poses of solids: bounded solids whose boxes overlap, and bounded solids near an unbounded one. They are
 * in the order of contacts if no body has several shapes. The list is in the world's scratch memory. The result depends only on the present
 * state, not on earlier searches. */
tru_status trui_candidates_find(tru_world *w, const search *wanted, candidate **out, size_t *count, tru_error *err);

/* Finds, without a kept list, the candidates that have a body with an id of at least `first`; TRU_NONE means all. The result may include
 * others. */
tru_status trui_candidates_of_new(tru_world *w, const search *wanted, tru_id first, candidate **out, size_t *count,
                                  tru_error *err);

/* Returns the distance [m] by which the surfaces of two bodies can approach each other or be lifted within the step. */
double trui_candidates_closing(const tru_world *w, const solid *a, const solid *b, const search *wanted);

#endif
