/* narrow_hull.h: contacts of convex polyhedra with each other and with spheres. */
#ifndef TRUNDLE_DETECT_NARROW_NARROW_HULL_H
#define TRUNDLE_DETECT_NARROW_NARROW_HULL_H

#include "detect/narrow/contact_point.h"
#include "shapes/hull.h"
#include "shapes/placed.h"

/* Finds up to eight points where a face of one body is opposite to a face of the other, or one point where two edges cross. If A's face, B's face and a
 * pair of edges have equal overlap, to 1e-5 of the smaller body, the first of these is taken. A and B are hulls or boxes. */
int trui_narrow_hull_hull(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]);

/* Returns the signed distance [m] of c from the surface, negative inside, and sets the outward normal there; all in hull axes. */
double trui_narrow_hull_distance(const hull *h, tru_vec3 c, tru_vec3 *normal);

/* Finds the contact at the point of a hull that is nearest to the centre of a sphere. */
int trui_narrow_sphere_hull(const placed *sphere, const placed *body, double margin, contact_point out[TRU_TOUCHES]);

#endif
