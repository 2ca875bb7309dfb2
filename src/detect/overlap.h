/* overlap.h: overlaps of solids at the start of a run. */
#ifndef TRUNDLE_DETECT_OVERLAP_H
#define TRUNDLE_DETECT_OVERLAP_H

#include "world/world.h"

/* An overlap of two solids. */
typedef struct overlap {
    size_t solid_a, solid_b;
    double depth, extent; /* [m] */
} overlap;
/* Finds the overlap at the present poses that is largest relative to the smaller extent, if it exceeds `limit` times that extent. Of the
 * two bodies one has an id of at least `first`. */
tru_status trui_find_overlap(tru_world *w, double limit, tru_id first, overlap *out, bool *found, tru_error *err);

#endif
