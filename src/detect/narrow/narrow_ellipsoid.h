/* narrow_ellipsoid.h: contacts of two smooth convex shapes, ellipsoids and spheres, by their support functions. */
#ifndef TRUNDLE_CONTACT_NARROW_ELLIPSOID_H
#define TRUNDLE_CONTACT_NARROW_ELLIPSOID_H

#include "detect/narrow/meeting.h"
#include "shapes/placed.h"

/* The common normal that separates them best; 1 if the gap is below the margin [m], else 0. */
int narrow_smooth(const placed *a, const placed *b, double margin, meeting out[TRU_TOUCHES]);

#endif
