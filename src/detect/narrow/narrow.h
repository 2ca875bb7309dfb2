/* narrow.h: narrow phase: where two placed shapes touch or nearly touch.
 *
 * Pairs: any bounded shape with a plane (through its descriptor, so a user's shape works too), sphere-sphere,
 * sphere-box, box-box, ellipsoid-ellipsoid, ellipsoid-sphere, capsule with sphere, capsule and box,
 * hull with sphere, capsule, box and hull. Either order of the
 * arguments; swapping them swaps the points and flips the normal, bit for bit (but for two spheres with one centre, whose
 * normal is always (0, 0, 1), for two boxes or hulls, where A's face comes first, and for two ellipsoids, to round-off).
 */
#ifndef TRUNDLE_DETECT_NARROW_NARROW_H
#define TRUNDLE_DETECT_NARROW_NARROW_H

#include "detect/narrow/contact_point.h"
#include "shapes/placed.h"

/* Is there a function for this pair? Two planes never meet. */
bool trui_narrow_exists(const tru_shape *a, const tru_shape *b);

/* The points with gap < margin [m], and all points of a rim that lands flat (TRU_TOUCH_LANDING) whatever their gap, in
 * feature order; returns how many, 0 for a pair that does not exist. `before`: the touches of this pair of shapes that
 * were active in the last step (shape axes, as in `local`), in any order; NULL and 0 without. A rim whose lowest point
 * is handed back keeps it while the disk lands flat, so hand back only what carried load. */
int trui_narrow_points(const placed *a, const placed *b, double margin, const tru_touch *before, int before_count,
                       contact_point out[TRU_TOUCHES]);

/* The same without point_a and point_b of a plane's contacts, which a step does not need. */
int trui_narrow_find(const placed *a, const placed *b, double margin, const tru_touch *before, int before_count,
                     contact_point out[TRU_TOUCHES]);

/* What a shape can touch, as a phrase for error sentences: "disk meets plane". */
void trui_narrow_describe(const tru_shape *a, char *buf, size_t n);

#endif
