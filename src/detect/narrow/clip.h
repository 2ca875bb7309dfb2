/* clip.h: a polygon cut by planes, whose corners keep names. */
#ifndef TRUNDLE_DETECT_NARROW_CLIP_H
#define TRUNDLE_DETECT_NARROW_CLIP_H

#include "math/vec.h"

/* Corner k lies between the lines of corners k - 1 and k: edges of the face the polygon came from, or cuts. Two lines
 * name a corner. */
typedef struct polygon_corner {
    tru_vec3 x; /* [m] */
    int line;
} polygon_corner;

/* Keep what is at most `limit` along `outward`; corners within `slack` of it lie on the cut; `line` names the cut; at
 * most `room` corners. */
static inline int clip(const polygon_corner *in, int count, tru_vec3 outward, double limit, double slack, int line,
                       polygon_corner *out, int room) {
    int n = 0;
    for (int k = 0; k < count && n < room; k++) {
        const polygon_corner *p = &in[k], *q = &in[(k + 1) % count];
        const double dp = v3_dot(outward, p->x) - limit, dq = v3_dot(outward, q->x) - limit;
        const bool p_in = dp <= slack, q_in = dq <= slack;
        if (p_in) out[n++] = *p;
        if (p_in == q_in) continue;
        if (p_in && dp >= -slack) { /* p lies on the cut */
            out[n - 1].line = line;
            continue;
        }
        if (q_in && dq >= -slack) continue; /* q does: it comes next, after the cut */
        if (n < room) out[n++] = (polygon_corner){v3_mix(p->x, q->x, dp / (dp - dq)), p_in ? line : p->line};
    }
    return n;
}

/* The two lines of corner k, the lower first. */
static inline void corner_lines(const polygon_corner *poly, int count, int k, int lines[2]) {
    const int p = poly[(k + count - 1) % count].line, q = poly[k].line;
    lines[0] = p < q ? p : q;
    lines[1] = p < q ? q : p;
}

#endif
