/* narrow_box.h: contacts of two boxes. */
#ifndef TRUNDLE_DETECT_NARROW_NARROW_BOX_H
#define TRUNDLE_DETECT_NARROW_NARROW_BOX_H

#include "detect/narrow/contact_point.h"
#include "shapes/placed.h"

/* Finds up to eight points where a face of one box is opposite to a face of the other, or one point where two edges cross. If A's face, B's face and
 * a pair of edges have equal overlap, to 1e-5 of the smaller box, the first of these is taken. */
int trui_narrow_box_box(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]);

#endif
