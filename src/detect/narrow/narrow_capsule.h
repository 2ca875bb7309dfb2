/* narrow_capsule.h: contacts of a capsule with other bounded shapes. Functions return the number of gaps below the margin [m].
 *
 * A is the capsule. If its axis is parallel to the other shape (over a face, along another axis) there are two points, at the ends of the common
 * section; otherwise one, where the axis is nearest. */
#ifndef TRUNDLE_DETECT_NARROW_NARROW_CAPSULE_H
#define TRUNDLE_DETECT_NARROW_NARROW_CAPSULE_H

#include "detect/narrow/contact_point.h"
#include "shapes/placed.h"

int trui_narrow_capsule_sphere(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]);
int trui_narrow_capsule_capsule(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]);
int trui_narrow_capsule_box(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]);
int trui_narrow_capsule_hull(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]);

#endif
