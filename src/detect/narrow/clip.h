/* clip.h: a convex polygon clipped by planes. Its corners keep names, so that features stay the same from step to step. */
#ifndef TRUNDLE_DETECT_NARROW_CLIP_H
#define TRUNDLE_DETECT_NARROW_CLIP_H

#include "base/assert.h"
#include "math/vec.h"

/* Corner k is between the lines of corners k - 1 and k. A line is an edge of the original face or a cut. Its two lines name a corner. */
typedef struct polygon_corner {
    tru_vec3 x; /* [m] */
    int line;
} polygon_corner;

/* Keeps the part of a polygon that is at most `limit` along `outward` and returns its number of corners, at most `room`. Corners within `slack` of
 * the plane are on the cut; `line` is the name of the cut. */
static inline int clip(const polygon_corner *in, int count, tru_vec3 outward, double limit, double slack, int line,
                       polygon_corner *out, int room) {
    TRU_ASSERT(slack >= 0.0);
    int n = 0;
    for (int k = 0; k < count && n < room; k++) {
        const polygon_corner *p = &in[k], *q = &in[(k + 1) % count];
        const double dp = v3_dot(outward, p->x) - limit, dq = v3_dot(outward, q->x) - limit;
        const bool p_in = dp <= slack, q_in = dq <= slack;
        if (p_in) out[n++] = *p;
        if (p_in == q_in) continue;
        if (p_in && dp >= -slack) { /* p is on the cut */
            out[n - 1].line = line;
            continue;
        }
        if (q_in && dq >= -slack) continue; /* q is on the cut and comes next */
        if (n < room) out[n++] = (polygon_corner){v3_mix(p->x, q->x, dp / (dp - dq)), p_in ? line : p->line};
    }
    return n;
}

/* Sets the two lines of corner k, the lower first. */
static inline void corner_lines(const polygon_corner *poly, int count, int k, int lines[2]) {
    TRU_ASSERT(k >= 0 && k < count);
    const int p = poly[(k + count - 1) % count].line, q = poly[k].line;
    lines[0] = p < q ? p : q;
    lines[1] = p < q ? q : p;
}

#endif
