/* narrow.h: the narrow phase finds the points where two shapes touch or nearly touch.
 *
 * Pairs: any bounded shape with a plane, sphere-sphere, sphere-box, box-box, ellipsoid-ellipsoid, ellipsoid-sphere, capsule with sphere, capsule and
 * box, hull with sphere, capsule, box and hull. The arguments may have either order. Exchanging them exchanges the points and reverses the normal
 * to the bit, with three exceptions: two spheres with the same centre always have the normal (0, 0, 1); two boxes or hulls prefer A's face; two
 * ellipsoids agree to round-off. */
#ifndef TRUNDLE_DETECT_NARROW_NARROW_H
#define TRUNDLE_DETECT_NARROW_NARROW_H

#include "detect/narrow/contact_point.h"
#include "shapes/placed.h"

/* Returns true if there is a function for this pair. Two planes have none. */
bool trui_narrow_exists(const tru_shape *a, const tru_shape *b);

/* Finds the points with gap < margin [m] and all points of a rim that lands flat (TRU_TOUCH_LANDING), in the order of features. Returns their
 * number; 0 for a pair without a function. `before` has the touches of these two shapes that carried load in the last step, in shape axes and in
 * any order; NULL and 0 without. A rim keeps a lowest point from `before` while the disk lands flat. */
int trui_narrow_points(const placed *a, const placed *b, double margin, const tru_touch *before, int before_count,
                       contact_point out[TRU_TOUCHES]);

/* Finds the same points, but leaves point_a and point_b of contacts with a plane unset, because a step does not need them. */
int trui_narrow_find(const placed *a, const placed *b, double margin, const tru_touch *before, int before_count,
                     contact_point out[TRU_TOUCHES]);

/* Writes what a shape can touch as a phrase for error sentences, such as "disk meets plane". */
void trui_narrow_describe(const tru_shape *a, char *buf, size_t n);

#endif
