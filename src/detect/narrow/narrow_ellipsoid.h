/* narrow_ellipsoid.h: contacts of two smooth convex shapes, ellipsoids and spheres, by their support functions. */
#ifndef TRUNDLE_DETECT_NARROW_NARROW_ELLIPSOID_H
#define TRUNDLE_DETECT_NARROW_NARROW_ELLIPSOID_H

#include "detect/narrow/contact_point.h"
#include "shapes/placed.h"

/* Finds the common normal with the largest gap; returns 1 if this gap is below the margin [m], otherwise 0. */
int trui_narrow_smooth(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]);

#endif
