/* narrow_box.c: contacts of two boxes: the axis along which they overlap least, then the points that are opposite to each other along it.
 *
 * The fifteen axes at which two boxes can part are the normals of their faces and the products of their edges
 * (separating-axis theorem). Along a face the other box's face is clipped by the sides; across two edges there is one
 * point. Everything is reckoned in the axes of one of the boxes, from the difference of their places. */
#include "detect/narrow/narrow_box.h"

#include "detect/narrow/clip.h"
#include "shapes/shape.h"

#define PREFER                                                                                                         \
    1e-5 /* [-] part of the smaller box by which B's face must be better than A's, and edges better than faces */
#define PARALLEL                                                                                                       \
    1e-6 /* [-] squared sine below which two edges count as parallel, so that their cross product has no direction */
#define SLACK 1e-6 /* [-] part of the face: a corner this near to a side counts as on it */

/* Box B in the axes of box A. */
typedef struct view {
    tru_vec3 half, other_half; /* [m] */
    tru_vec3 x;                /* [m] B's centre in A's axes */
    tru_mat3 r;                /* [-] B's axes in A's, as columns */
} view;

static view view_of(const placed *a, const placed *b) {
    return (view){v3_scale(0.5, ((const tru_box *)a->params)->size), v3_scale(0.5, ((const tru_box *)b->params)->size),
                  placed_point_to_local(a, b->x), m3_tmul(a->r, b->r)};
}

/* Returns half the width [m] along d of a box with half edges `half` and axes `r`. */
static double half_width(tru_vec3 half, tru_mat3 r, tru_vec3 d) {
    const tru_vec3 c = m3_apply_t(r, d);
    return half.x * fabs(c.x) + half.y * fabs(c.y) + half.z * fabs(c.z);
}

static tru_vec3 axis_of(int i) { return v3(i == 0, i == 1, i == 2); }

/* Returns the distance [m] of the boxes along a unit vector in A's axes; negative if they overlap. */
static double apart_along(const view *s, tru_vec3 d) {
    return fabs(v3_dot(s->x, d)) - half_width(s->half, m3_identity(), d) - half_width(s->other_half, s->r, d);
}

/* Finds the face of A along whose normal B is furthest. */
static double best_face(const view *s, int *axis) {
    double best = -DBL_MAX;
    for (int i = 0; i < 3; i++) {
        const tru_vec3 row = m3_row(s->r, i);
        const double d = fabs(v3_get(s->x, i)) - v3_get(s->half, i) - s->other_half.x * fabs(row.x) -
                         s->other_half.y * fabs(row.y) - s->other_half.z * fabs(row.z);
        if (!(d > best)) continue;
        best = d;
        *axis = i;
    }
    return best;
}

/* Finds the pair of edges, i of A and j of B, across which the boxes are furthest apart; *d is a unit vector from A to B. */
static double best_edges(const view *s, int *i_best, int *j_best, tru_vec3 *d) {
    double best = -DBL_MAX;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            tru_vec3 n = v3_cross(axis_of(i), m3_column(s->r, j));
            if (v3_norm2(n) < PARALLEL || !v3_unit(n, &n)) continue;
            const double apart = apart_along(s, n);
            if (!(apart > best)) continue;
            best = apart;
            *d = v3_dot(n, s->x) < 0.0 ? v3_neg(n) : n;
            *i_best = i;
            *j_best = j;
        }
    return best;
}

/* ---- a face ---- */

/* Lines 0-3 are edges of the clipped face, 4-7 are sides of the clipping face. */
enum { CORNERS = 8 };

/* Finds the face of B most opposed to face `axis`, `side` of A. Sets its corners in order and returns its number 2 axis + (side > 0). */
static int opposed_face(const view *s, int axis, double side, polygon_corner out[4]) {
    const tru_vec3 row = m3_row(s->r, axis);
    int j = fabs(row.y) > fabs(row.x) ? 1 : 0;
    if (fabs(row.z) > fabs(v3_get(row, j))) j = 2;
    const double up = side * v3_get(row, j) < 0.0 ? 1.0 : -1.0;
    const int u = (j + 1) % 3, v = (j + 2) % 3;
    const tru_vec3 middle = v3_madd(s->x, up * v3_get(s->other_half, j), m3_column(s->r, j));
    const tru_vec3 du = v3_scale(v3_get(s->other_half, u), m3_column(s->r, u));
    const tru_vec3 dv = v3_scale(v3_get(s->other_half, v), m3_column(s->r, v));
    for (int k = 0; k < 4; k++) {
        const double su = k == 1 || k == 2 ? 1.0 : -1.0, sv = k >= 2 ? 1.0 : -1.0;
        out[k] = (polygon_corner){v3_madd(v3_madd(middle, su, du), sv, dv), k};
    }
    return 2 * j + (up > 0.0);
}

/* Computes the part of B's opposed face that is over A's face. */
static int clip_to_face(const view *s, int axis, polygon_corner poly[CORNERS], int count) {
    polygon_corner other[CORNERS];
    for (int k = 0; k < 2; k++) {
        const int side_axis = (axis + 1 + k) % 3;
        const tru_vec3 outward = axis_of(side_axis);
        const double limit = v3_get(s->half, side_axis), slack = SLACK * limit;
        count = clip(poly, count, outward, limit, slack, 4 + 2 * k, other, CORNERS);
        count = clip(other, count, v3_neg(outward), limit, slack, 5 + 2 * k, poly, CORNERS);
    }
    return count;
}

/* Finds the contact points of face `axis` of the box in whose axes the view is; `second` says that this box is B of the pair. */
static int meet_face(const view *s, const placed *own, int axis, bool second, double margin, contact_point *out) {
    polygon_corner poly[CORNERS];
    const double side = v3_get(s->x, axis) < 0.0 ? -1.0 : 1.0;
    const int opposed = opposed_face(s, axis, side, poly), count = clip_to_face(s, axis, poly, 4);
    const tru_vec3 outward = placed_dir_to_world(own, v3_scale(side, axis_of(axis)));
    const int face = (second ? 6 : 0) + 2 * axis + (side > 0.0);
    int n = 0;
    for (int k = 0; k < count; k++) {
        const double gap = side * v3_get(poly[k].x, axis) - v3_get(s->half, axis);
        int lines[2];
        corner_lines(poly, count, k, lines);
        const tru_vec3 far = placed_point_to_world(own, poly[k].x), near = v3_madd(far, -gap, outward);
        if (!(gap < margin)) continue;
        out[n++] = (contact_point){.point_a = second ? far : near,
                                   .point_b = second ? near : far,
                                   .normal = second ? outward : v3_neg(outward),
                                   .gap = gap,
                                   .feature = ((face * 6 + opposed) * 8 + lines[0]) * 8 + lines[1]};
    }
    contact_points_sort(out, n);
    return n;
}

/* ---- two edges ---- */

/* Finds the middle of the edge along axis i that is furthest along d; returns its number. */
static tru_vec3 edge_middle(tru_vec3 half, tru_mat3 r, int i, tru_vec3 d, int *number) {
    tru_vec3 x = v3_zero();
    *number = i;
    for (int k = 0; k < 3; k++) {
        if (k == i) continue;
        const tru_vec3 axis = m3_column(r, k);
        const bool up = v3_dot(axis, d) > 0.0;
        x = v3_madd(x, up ? v3_get(half, k) : -v3_get(half, k), axis);
        *number = 2 * *number + up;
    }
    return x;
}

static int meet_edges(const view *s, const placed *a, int i, int j, tru_vec3 d, double gap, contact_point *out) {
    int edge_a, edge_b;
    const tru_vec3 along = m3_column(s->r, j);
    const tru_vec3 p = edge_middle(s->half, m3_identity(), i, d, &edge_a);
    const tru_vec3 q = v3_add(s->x, edge_middle(s->other_half, s->r, j, v3_neg(d), &edge_b));
    /* the point of A's edge that is nearest to B's */
    const tru_vec3 between = v3_sub(q, p);
    const double c = v3_get(along, i), at = v3_get(between, i), bt = v3_dot(between, along);
    const double s_a = (at - c * bt) / (1.0 - c * c), s_b = (c * at - bt) / (1.0 - c * c);
    /* separate boxes may be nearest at the end of an edge; these edges then are not opposite to each other */
    if (gap > 0.0 && !(fabs(s_a) <= v3_get(s->half, i) && fabs(s_b) <= v3_get(s->other_half, j))) return 0;
    const double along_a = clamp(s_a, v3_get(s->half, i));
    const tru_vec3 on_a = placed_point_to_world(a, v3_madd(p, along_a, axis_of(i)));
    const tru_vec3 n = placed_dir_to_world(a, v3_neg(d));
    *out = (contact_point){.point_a = on_a,
                           .point_b = v3_madd(on_a, -gap, n),
                           .normal = n,
                           .gap = gap,
                           .feature = 12 * 6 * 64 + 12 * edge_a + edge_b};
    return 1;
}

int trui_narrow_box_box(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]) {
    const view s = view_of(a, b), t = view_of(b, a);
    const double slack = PREFER * fmin(a->shape->extent(a->params), b->shape->extent(b->params));
    int face_a = 0, face_b = 0, i = 0, j = 0;
    tru_vec3 d = v3_zero();
    const double at_a = best_face(&s, &face_a);
    if (!(at_a < margin)) return 0;
    const double at_b = best_face(&t, &face_b);
    if (!(at_b < margin)) return 0;
    const double at_edges = best_edges(&s, &i, &j, &d);
    if (!(at_edges < margin)) return 0;
    const bool second = at_b > at_a + slack;
    if (at_edges > (second ? at_b : at_a) + slack) return meet_edges(&s, a, i, j, d, at_edges, out);
    return second ? meet_face(&t, b, face_b, true, margin, out) : meet_face(&s, a, face_a, false, margin, out);
}
