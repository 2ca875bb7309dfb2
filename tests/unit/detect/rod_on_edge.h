// rod_on_edge.h: a capsule along an edge of a cube, for every narrow phase that can carry a cube.
#ifndef TRUNDLE_TESTS_UNIT_DETECT_ROD_ON_EDGE_H
#define TRUNDLE_TESTS_UNIT_DETECT_ROD_ON_EDGE_H

#include "check.h"
#include "detect/narrow/narrow.h"
#include "shape_cases.h"

// A rod over the edge, or within the edge itself, by round-off on this side or that, touches a cube of edge 1 at the origin.
static inline void check_rod_at_edge(const placed *cube, const tru_capsule *rod, int high, double off, double tilt) {
    const double z = 0.5 + 0.125 * high;
    const tru_mat3 along_y = m3_rows(v3(1.0, 0.0, tilt), v3(0.0, 0.0, 1.0), v3(0.0, -1.0, 0.0));
    const placed a = {&tru_shape_capsule, rod, v3(0.5 + off, 0.25, z), along_y};
    contact_point m[TRU_TOUCHES];
    const int n = trui_narrow_points(&a, cube, 1e-3, NULL, 0, m);
    if (!check(high == 0 ? n >= 1 : n == 2)) printf("  high %d, off %g, tilt %g\n", high, off, tilt);
    for (int k = 0; k < n; k++) check_close(m[k].gap, z - 0.75, 0.0, 1e-9);
}

static inline void check_rod_along_edge(const placed *cube) {
    const tru_capsule rod = {0.25, 1.0};
    const double off[] = {-1e-15, -1e-17, 0.0, 1e-17, 1e-15}, tilt[] = {-1e-16, -1e-17, 0.0, 1e-17, 1e-16};
    for (int high = 0; high < 3; high++)
        for (int i = 0; i < 25; i++) check_rod_at_edge(cube, &rod, high, off[i % 5], tilt[i / 5]);
    /* slanting off it: the stretch alongside the edge, from y = -0.25 to 0.5, has two ends */
    const placed slanting = {&tru_shape_capsule, &rod, v3(0.6, 0.25, 0.6),
                             m3_rows(v3(1.0, 0.0, 0.0), v3(0.0, 0.0, 1.0), v3(0.0, -1.0, 0.0))};
    contact_point m[TRU_TOUCHES];
    if (check(trui_narrow_points(&slanting, cube, 1e-3, NULL, 0, m) == 2)) {
        check_close(m[0].gap, 0.1 * sqrt(2.0) - 0.25, 1e-12, 0.0);
        check_close(m[1].gap, 0.1 * sqrt(2.0) - 0.25, 1e-12, 0.0);
        check_close(fabs(m[0].point_b.y - m[1].point_b.y), 0.75, 1e-12, 0.0);
    }
}

#endif
