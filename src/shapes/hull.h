/* hull.h: a convex polyhedron with corners, edges and faces, made from points in any order. */
#ifndef TRUNDLE_SHAPES_HULL_H
#define TRUNDLE_SHAPES_HULL_H

#include "base/memory.h"
#include "math/mat.h"
#include "math/vec.h"

#include <trundle/plugin.h>

enum {
    HULL_CORNERS = TRU_HULL_POINTS,
    HULL_TRIANGLES = 2 * HULL_CORNERS - 4, /* of a polyhedron of triangles, by Euler's formula */
    HULL_EDGES = 3 * HULL_CORNERS - 6,
};

typedef struct hull_face {
    tru_vec3 normal; /* [-] outward */
    double offset;   /* [m] no corner lies farther along the normal */
    int first;       /* of its corners in `loop` */
    int count;
} hull_face;

/* Between two corners and two faces; its left face runs from a to b. */
typedef struct hull_edge {
    int a, b, left, right;
} hull_edge;

/* Faces are polygons, counterclockwise from outside; a corner has three or more of them. */
typedef struct hull {
    int corner_count, face_count, edge_count;
    const tru_vec3 *corner; /* [m] in the order of the points */
    const hull_face *face;
    const hull_edge *edge;
    const int *loop; /* two numbers of corners per edge */
    double extent;   /* [m] smallest width */
    tru_mass mass;   /* of density 1 kg/m^3 */
} hull;

/* The hull of at least 4 points that do not lie in a plane, as one block of *bytes for trui_mem_release. Points inside, on a
 * face or on an edge, to 1e-8 of the size, are no corners. NULL with a sentence otherwise. */
hull *trui_hull_make(memory *m, const tru_vec3 *points, size_t count, size_t *bytes, tru_error *err);
/* Would that succeed? */
tru_status trui_hull_check(const tru_vec3 *points, size_t count, tru_error *err);

/* The hull of a tru_hull that tru_body_add has built. */
static inline const hull *hull_of(const void *params) { return ((const tru_hull *)params)->built; }

/* The corner farthest along d; the first of several. */
static inline int hull_support(const hull *h, tru_vec3 d) {
    int best = 0;
    double most = v3_dot(d, h->corner[0]);
    for (int k = 1; k < h->corner_count; k++) {
        const double along = v3_dot(d, h->corner[k]);
        if (!(along > most)) continue;
        most = along;
        best = k;
    }
    return best;
}

#endif
