/* narrow_sphere.h: contacts of a sphere with other bounded shapes; how many gaps are below the margin [m]. */
#ifndef TRUNDLE_CONTACT_NARROW_SPHERE_H
#define TRUNDLE_CONTACT_NARROW_SPHERE_H

#include "detect/narrow/meeting.h"
#include "shapes/placed.h"

/* Along the line of centres; along world z where the centres coincide. */
int narrow_sphere_sphere(const placed *a, const placed *b, double margin, meeting out[TRU_TOUCHES]);

/* A is the sphere. Nearest point of the box, or the nearest face when the centre is inside: of faces equally near the
 * one with the lowest axis, then the positive side. */
int narrow_sphere_box(const placed *a, const placed *b, double margin, meeting out[TRU_TOUCHES]);

#endif
