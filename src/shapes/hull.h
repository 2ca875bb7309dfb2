/* hull.h: the convex hull of points, with corners, edges and faces. */
#ifndef TRUNDLE_SHAPES_HULL_H
#define TRUNDLE_SHAPES_HULL_H

#include "base/assert.h"
#include "base/memory.h"
#include "math/mat.h"
#include "math/vec.h"

#include <trundle/plugin.h>

enum {
    HULL_CORNERS = TRU_HULL_POINTS,
    HULL_TRIANGLES = 2 * HULL_CORNERS - 4, /* largest number of faces, by Euler's formula */
    HULL_EDGES = 3 * HULL_CORNERS - 6,
};

typedef struct hull_face {
    tru_vec3 normal; /* [-] outward */
    double offset;   /* [m] of the face along the normal; no corner is further out */
    int first;       /* index of its first corner in `loop` */
    int count;
} hull_face;

/* An edge between two corners and two faces; its left face has it from a to b. */
typedef struct hull_edge {
    int a, b, left, right;
} hull_edge;

/* A convex polyhedron. Faces are polygons, counterclockwise seen from outside; a corner belongs to at least three. */
typedef struct hull {
    int corner_count, face_count, edge_count;
    const tru_vec3 *corner; /* [m] in the order of the points */
    const hull_face *face;
    const hull_edge *edge;
    const int *loop; /* corners of all faces in order: two entries per edge */
    double extent;   /* [m] smallest width */
    tru_mass mass;   /* of density 1 kg/m^3 */
} hull;

/* Builds the hull of at least 4 points that are not in one plane, as one block of *bytes for trui_mem_release. Points that are inside, on a face or
 * on an edge, to 1e-8 of the size, do not become corners. NULL with a sentence if there is no hull. */
hull *trui_hull_make(memory *m, const tru_vec3 *points, size_t count, size_t *bytes, tru_error *err);
/* Checks whether trui_hull_make would succeed. */
tru_status trui_hull_check(const tru_vec3 *points, size_t count, tru_error *err);

/* Returns the hull of a tru_hull that tru_body_add has built. */
static inline const hull *hull_of(const void *params) { return ((const tru_hull *)params)->built; }

/* Returns the corner that is furthest along d; the first one if there are several. */
static inline int hull_support(const hull *h, tru_vec3 d) {
    TRU_ASSERT(h->corner_count >= 4);
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
