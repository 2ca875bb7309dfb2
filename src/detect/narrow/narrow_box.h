/* narrow_box.h: contacts of two boxes. */
#ifndef TRUNDLE_DETECT_NARROW_NARROW_BOX_H
#define TRUNDLE_DETECT_NARROW_NARROW_BOX_H

#include "detect/narrow/contact_point.h"
#include "shapes/placed.h"

/* Up to eight points where a face of one box faces a face of the other, or one where two edges cross. Of A's face, B's
 * face and a pair of edges that overlap equally little (to 1e-5 of the smaller box), the first is taken. */
int trui_narrow_box_box(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]);

#endif
