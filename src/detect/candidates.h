/* candidates.h: which pairs of solids are worth a look of the narrow phase. */
#ifndef TRUNDLE_DETECT_CANDIDATES_H
#define TRUNDLE_DETECT_CANDIDATES_H

#include "shapes/shape.h"
#include "world/world.h"

typedef broad_pair candidate; /* solids; A is the free one, or the one with the lower id */

/* What a search for contacts looks for. */
typedef struct search {
    double margin;      /* [m] */
    double step;        /* [s] */
    const twist *moves; /* beside bodies: how they go on; NULL: only the present poses count */
    unsigned keeps;     /* KEEP_* */
    /* [m/s] Speed s(u) with which the law of a contact of the last step lifts it (form relaxed of cone); NULL: none does. */
    double (*lifted)(const void *context, const contact *old);
    const void *context;
    double slide, turn; /* [-], [m] largest limits of laws that lift: of slide, and of roll and spin together */
} search;

/* A ball about its body's centre of mass. */
static inline bool solid_is_centred_ball(const solid *s) { return s->ball; }

/* All pairs worth a look, with solids where they are posed: bounded ones whose boxes overlap, and those near an unbounded
 * one; in the order of contacts if no body has several shapes. The list lives in the world's scratch memory. The result
 * depends on nothing but the present state, whatever was found in earlier steps. */
tru_status trui_candidates_find(tru_world *w, const search *wanted, candidate **out, size_t *count, tru_error *err);

/* Of these pairs, found without a list, those with a body whose id is not below `first` (TRU_NONE: all), and perhaps others. */
tru_status trui_candidates_of_new(tru_world *w, const search *wanted, tru_id first, candidate **out, size_t *count,
                                  tru_error *err);

/* [m] How far the surfaces of two bodies can come towards each other in the step, or be lifted. */
double trui_candidates_closing(const tru_world *w, const solid *a, const solid *b, const search *wanted);

#endif
