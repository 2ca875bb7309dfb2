/* narrow_sphere.h: contacts of a sphere with other bounded shapes; how many gaps are below the margin [m]. */
#ifndef TRUNDLE_DETECT_NARROW_NARROW_SPHERE_H
#define TRUNDLE_DETECT_NARROW_NARROW_SPHERE_H

#include "detect/narrow/contact_point.h"
#include "shapes/placed.h"

/* Along the line of centres; along world z where the centres coincide. */
int trui_narrow_sphere_sphere(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]);

/* A is the sphere. Nearest point of the box, or the nearest face when the centre is inside: of faces equally near the
 * one with the lowest axis, then the positive side. */
int trui_narrow_sphere_box(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]);

#endif
