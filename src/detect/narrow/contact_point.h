/* contact_point.h: one point where two shapes touch or nearly touch. */
#ifndef TRUNDLE_DETECT_NARROW_CONTACT_POINT_H
#define TRUNDLE_DETECT_NARROW_CONTACT_POINT_H

#include <trundle/plugin.h>

/* Points on both surfaces, with normal and gap. */
typedef struct contact_point {
    tru_vec3 point_a, point_b; /* [m] on A's and on B's surface, world; point_a - point_b = gap normal */
    tru_vec3 normal;           /* [-] from B to A, world */
    double gap;                /* [m] < 0: overlap */
    tru_vec3 local;            /* [m] the point on the bounded shape (A if both are), in its shape axes; callers
                                  pass it as `before` in the next step */
    int32_t feature;           /* of the bounded shape (shape.h); of the pair if both are bounded */
    uint32_t flags;            /* TRU_TOUCH_* */
} contact_point;

/* Sorts points by their features, which is the order of contacts. */
static inline void contact_points_sort(contact_point *m, int count) {
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && m[k].feature < m[k - 1].feature; k--) {
            const contact_point swap = m[k];
            m[k] = m[k - 1];
            m[k - 1] = swap;
        }
}

#endif
