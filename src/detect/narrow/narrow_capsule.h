/* narrow_capsule.h: contacts of a capsule with other bounded shapes; how many gaps are below the margin [m].
 *
 * A is the capsule. Where its line runs alongside the other shape (over a face, along another line) there are two
 * points, at the ends of the common stretch; else one, where the line comes nearest. */
#ifndef TRUNDLE_CONTACT_NARROW_CAPSULE_H
#define TRUNDLE_CONTACT_NARROW_CAPSULE_H

#include "detect/narrow/meeting.h"
#include "shapes/placed.h"

int narrow_capsule_sphere(const placed *a, const placed *b, double margin, meeting out[TRU_TOUCHES]);
int narrow_capsule_capsule(const placed *a, const placed *b, double margin, meeting out[TRU_TOUCHES]);
int narrow_capsule_box(const placed *a, const placed *b, double margin, meeting out[TRU_TOUCHES]);
int narrow_capsule_hull(const placed *a, const placed *b, double margin, meeting out[TRU_TOUCHES]);

#endif
