/* narrow_hull.h: contacts of convex polyhedra with each other and with spheres. */
#ifndef TRUNDLE_DETECT_NARROW_NARROW_HULL_H
#define TRUNDLE_DETECT_NARROW_NARROW_HULL_H

#include "detect/narrow/contact_point.h"
#include "shapes/hull.h"
#include "shapes/placed.h"

/* Up to eight points where a face of one faces a face of the other, or one where two edges cross; of A's face, B's face
 * and a pair of edges that overlap equally little (to 1e-5 of the smaller one) the first is taken. A and B are hulls or
 * boxes. */
int trui_narrow_hull_hull(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]);

/* [m] Signed distance of c from the surface, < 0 inside, and the outward normal there, hull axes. */
double trui_narrow_hull_distance(const hull *h, tru_vec3 c, tru_vec3 *normal);

/* The nearest point of a hull to the centre of a sphere. */
int trui_narrow_sphere_hull(const placed *sphere, const placed *body, double margin, contact_point out[TRU_TOUCHES]);

#endif
