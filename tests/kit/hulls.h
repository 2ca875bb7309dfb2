// hulls.h: random and regular hulls for tests, built as a world would.
#ifndef TRUNDLE_TESTS_KIT_HULLS_H
#define TRUNDLE_TESTS_KIT_HULLS_H

#include "check.h"
#include "shapes/hull.h"
#include "shape_cases.h"

typedef struct test_hull {
    tru_vec3 points[TRU_HULL_POINTS];
    tru_hull params;
} test_hull;

static inline bool test_hull_build(test_hull *h, size_t count) {
    tru_error err = {0};
    h->params = tru_default_hull();
    h->params.points = h->points;
    h->params.point_count = count;
    const bool good =
        (tru_shape_hull.check)(&h->params, &err) >= 0 && tru_shape_hull.build(&h->params, NULL, &err) >= 0;
    if (!good) printf("  %s\n", err.text);
    return good;
}

static inline void test_hull_free(test_hull *h) { tru_shape_hull.unbuild(&h->params, NULL); }

// A stone: points in a ball that is stretched and shifted; every fourth time on a coarse grid, so that many lie on faces,
// on edges and on each other.
static inline size_t test_hull_points(draw *d, test_hull *h, size_t most) {
    const size_t count = 4 + (size_t)draw_in(d, 0.0, (double)most - 3.0);
    const tru_vec3 stretch = v3(draw_in(d, 0.3, 1.0), draw_in(d, 0.3, 1.0), draw_in(d, 0.3, 1.0)),
                   shift = draw_in_cube(d, 0.2);
    const bool grid = draw_in(d, 0.0, 1.0) < 0.25;
    for (size_t k = 0; k < count; k++) {
        tru_vec3 p = v3_scale(draw_in(d, 0.3, 1.0), draw_unit(d));
        if (grid) p = v3(floor(2.0 * p.x + 0.5), floor(2.0 * p.y + 0.5), floor(2.0 * p.z + 0.5));
        h->points[k] = v3_add(shift, v3_mul(stretch, p));
    }
    if (grid) // never flat
        for (size_t k = 0; k < 4; k++) h->points[k] = v3_add(shift, v3_mul(stretch, v3(k == 1, k == 2, k == 3)));
    return count;
}

static inline placed place_hull(const test_hull *h, tru_vec3 x, tru_mat3 r) {
    return (placed){&tru_shape_hull, &h->params, x, r};
}

#endif
