/* narrow_sphere.h: contacts of a sphere with other bounded shapes. Functions return the number of gaps below the margin [m]. */
#ifndef TRUNDLE_DETECT_NARROW_NARROW_SPHERE_H
#define TRUNDLE_DETECT_NARROW_NARROW_SPHERE_H

#include "detect/narrow/contact_point.h"
#include "shapes/placed.h"

/* The normal is along the line of centres, or along world z if the centres coincide. */
int trui_narrow_sphere_sphere(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]);

/* A is the sphere. The contact is at the nearest point of the box, or at the nearest face if the centre is inside. Of equally near faces it takes the
 * one with the lowest axis, then the positive side. */
int trui_narrow_sphere_box(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]);

#endif
