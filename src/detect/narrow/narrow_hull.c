/* narrow_hull.c: contacts of convex polyhedra: the direction along which they overlap least, then the points that are opposite to each other there.
 *
 * Two polyhedra part across a face of one, or across an edge of each (separating-axis theorem); of the pairs of edges only
 * those count whose arcs on the sphere of normals cross, because only they are faces of the difference of the two bodies.
 * Across a face the opposed face of the other is clipped by the planes of its sides. Everything is reckoned in the axes of
 * one of the bodies, from the difference of their places. */
#include "detect/narrow/narrow_hull.h"

#include "detect/narrow/clip.h"
#include "shapes/hull.h"
#include "shapes/shape.h"

#include <string.h>

#define PREFER                                                                                                         \
    1e-5 /* [-] part of the smaller body by which B's face must be better than A's, and edges better than faces */
#define PARALLEL                                                                                                       \
    1e-12 /* [-] squared sine below which two edges count as parallel, so that their cross product has no direction */
#define SLACK 1e-6 /* [-] part of the extent: a corner this near to a side counts as on it */

/* ---- a body in the axes of another ---- */

/* A polyhedron in the axes of one of the bodies. */
typedef struct solid_view {
    const hull *h; /* topology */
    tru_vec3 corner[HULL_CORNERS];
    tru_vec3 normal[HULL_TRIANGLES];
    double offset[HULL_TRIANGLES]; /* [m] */
} solid_view;

static const hull_face box_faces[6] = {{{-1, 0, 0}, 0, 0, 4}, {{1, 0, 0}, 0, 4, 4},   {{0, -1, 0}, 0, 8, 4},
                                       {{0, 1, 0}, 0, 12, 4}, {{0, 0, -1}, 0, 16, 4}, {{0, 0, 1}, 0, 20, 4}};
static const int box_loop[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
static const hull_edge box_edges[12] = {{0, 1, 2, 4}, {2, 3, 4, 3}, {4, 5, 5, 2}, {6, 7, 3, 5},
                                        {0, 2, 4, 0}, {1, 3, 1, 4}, {4, 6, 0, 5}, {5, 7, 5, 1},
                                        {0, 4, 0, 2}, {1, 5, 2, 1}, {2, 6, 3, 0}, {3, 7, 1, 3}};
static const hull box_topology = {
    .corner_count = 8, .face_count = 6, .edge_count = 12, .face = box_faces, .edge = box_edges, .loop = box_loop};

/* Fills a view of a hull or a box in its own axes. */
static void see(const placed *p, solid_view *out) {
    const bool box = p->shape == &tru_shape_box;
    const hull *h = box ? &box_topology : hull_of(p->params);
    const tru_vec3 half = box ? v3_scale(0.5, ((const tru_box *)p->params)->size) : v3_zero();
    out->h = h;
    for (int k = 0; k < h->corner_count; k++)
        out->corner[k] =
            box ? v3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z) : h->corner[k];
    for (int f = 0; f < h->face_count; f++) {
        out->normal[f] = h->face[f].normal;
        out->offset[f] = box ? v3_get(half, f / 2) : h->face[f].offset;
    }
}

/* Fills a view in the axes of another body. */
static void see_from(const placed *p, const placed *other, const solid_view *own, solid_view *out) {
    const tru_mat3 r = m3_tmul(other->r, p->r);
    const tru_vec3 x = placed_point_to_local(other, p->x);
    out->h = own->h;
    for (int k = 0; k < own->h->corner_count; k++) out->corner[k] = v3_add(x, m3_apply(r, own->corner[k]));
    for (int f = 0; f < own->h->face_count; f++) {
        out->normal[f] = m3_apply(r, own->normal[f]);
        out->offset[f] = own->offset[f] + v3_dot(out->normal[f], x);
    }
}

/* Returns a unit vector, given in a body's axes, in world axes; its length is 1 to the last bit. */
static tru_vec3 turned(const placed *p, tru_vec3 d) {
    tru_vec3 n = placed_dir_to_world(p, d);
    v3_unit(n, &n);
    return n;
}

static const int *loop_of(const solid_view *s, int face) { return s->h->loop + s->h->face[face].first; }

static tru_vec3 edge_along(const solid_view *s, const hull_edge *e) { return v3_sub(s->corner[e->b], s->corner[e->a]); }

/* ---- directions ---- */

static double lowest_along(const solid_view *s, tru_vec3 n) {
    double low = DBL_MAX;
    for (int k = 0; k < s->h->corner_count; k++) {
        const double along = v3_dot(n, s->corner[k]);
        low = along < low ? along : low;
    }
    return low;
}

/* Finds the face of s over which the other body is highest. The search may stop at a height of `enough`. */
static double best_face(const solid_view *s, const solid_view *other, double enough, int *face) {
    double best = -DBL_MAX;
    for (int f = 0; f < s->h->face_count && best < enough; f++) {
        const double high = lowest_along(other, s->normal[f]) - s->offset[f];
        if (!(high > best)) continue;
        best = high;
        *face = f;
    }
    return best;
}

typedef struct crossing {
    int a, b;   /* edges */
    tru_vec3 d; /* [-] from A to B */
} crossing;

/* An edge as an arc on the sphere of normals: from p to q, with q x p, and the direction of the edge. */
typedef struct arc {
    tru_vec3 p, q, pq, along;
} arc;

static arc arc_of(const solid_view *s, const hull_edge *e, double side) {
    const tru_vec3 p = v3_scale(side, s->normal[e->left]), q = v3_scale(side, s->normal[e->right]);
    return (arc){p, q, v3_cross(q, p), edge_along(s, e)};
}

/* Returns true if two arcs cross. */
static bool arcs_cross(const arc *a, const arc *b) {
    const double p_side = v3_dot(b->p, a->pq), q_side = v3_dot(b->q, a->pq);
    if (!(p_side * q_side < 0.0)) return false;
    const double r_side = v3_dot(a->p, b->pq), s_side = v3_dot(a->q, b->pq);
    return r_side * s_side < 0.0 && p_side * s_side > 0.0;
}

/* Finds the pair of edges across which the bodies are furthest apart. */
static double best_edges(const solid_view *a, const solid_view *b, crossing *out) {
    arc arcs[HULL_EDGES];
    double best = -DBL_MAX;
    for (int j = 0; j < b->h->edge_count; j++) arcs[j] = arc_of(b, &b->h->edge[j], -1.0);
    for (int i = 0; i < a->h->edge_count; i++) {
        const hull_edge *e = &a->h->edge[i];
        const arc own = arc_of(a, e, 1.0);
        for (int j = 0; j < b->h->edge_count; j++) {
            if (!arcs_cross(&own, &arcs[j])) continue;
            tru_vec3 n = v3_cross(own.along, arcs[j].along);
            const double least = PARALLEL * v3_norm2(own.along) * v3_norm2(arcs[j].along);
            if (v3_norm2(n) < least || !v3_unit(n, &n)) continue;
            if (v3_dot(n, v3_add(own.p, own.q)) < 0.0) n = v3_neg(n);
            const double apart = v3_dot(n, v3_sub(b->corner[b->h->edge[j].a], a->corner[e->a]));
            if (!(apart > best)) continue;
            best = apart;
            *out = (crossing){i, j, n};
        }
    }
    return best;
}

/* ---- a face ---- */

/* Lines below SIDES are edges of the clipped face; the others are sides of the clipping face. */
enum { SIDES = HULL_CORNERS, LINES = 2 * HULL_CORNERS, FACES = 128, POINTS = 2 * HULL_CORNERS };

/* The face of `other` that lies most against the direction n, of those at its corner farthest against it. */
static int opposed_face(const solid_view *other, tru_vec3 n, int *corner) {
    double low = DBL_MAX, against = DBL_MAX;
    int face = 0;
    for (int k = 0; k < other->h->corner_count; k++) {
        const double along = v3_dot(n, other->corner[k]);
        if (!(along < low)) continue;
        low = along;
        *corner = k;
    }
    for (int f = 0; f < other->h->face_count; f++) {
        const double along = v3_dot(n, other->normal[f]);
        bool there = false;
        for (int i = 0; i < other->h->face[f].count; i++) there = there || loop_of(other, f)[i] == *corner;
        if (!there || !(along < against)) continue;
        against = along;
        face = f;
    }
    return face;
}

/* Computes the part of face `opposed` of the other body that is over face f of s. */
static int clip_to_face(const solid_view *s, int f, double slack, const solid_view *other, int opposed,
                        polygon_corner poly[POINTS]) {
    polygon_corner spare[POINTS];
    const int sides = s->h->face[f].count;
    int count = other->h->face[opposed].count;
    for (int k = 0; k < count; k++) poly[k] = (polygon_corner){other->corner[loop_of(other, opposed)[k]], k};
    for (int k = 0; k < sides; k++) {
        const tru_vec3 from = s->corner[loop_of(s, f)[k]], to = s->corner[loop_of(s, f)[(k + 1) % sides]];
        tru_vec3 outward;
        if (!v3_unit(v3_cross(v3_sub(to, from), s->normal[f]), &outward)) continue;
        count = clip(poly, count, outward, v3_dot(outward, from), slack, SIDES + k, spare, POINTS);
        memcpy(poly, spare, (size_t)count * sizeof *poly);
    }
    return count;
}

/* Chooses eight of many points over a face: the deepest, and the outermost ones in directions of the plane. */
static int thin_out(polygon_corner *poly, double *gap, int count, tru_vec3 n) {
    static const double compass[8][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    bool keep[POINTS] = {false};
    int kept = 1, deepest = 0, n_out = 0;
    tru_vec3 t1, t2;
    v3_tangents(n, &t1, &t2);
    for (int k = 1; k < count; k++)
        if (gap[k] < gap[deepest]) deepest = k;
    keep[deepest] = true;
    for (int i = 0; i < 8 && kept < TRU_TOUCHES; i++) {
        int best = 0;
        double most = -DBL_MAX;
        for (int k = 0; k < count; k++) {
            const double out = compass[i][0] * v3_dot(t1, poly[k].x) + compass[i][1] * v3_dot(t2, poly[k].x);
            if (!(out > most)) continue;
            most = out;
            best = k;
        }
        kept += !keep[best];
        keep[best] = true;
    }
    for (int k = 0; k < count; k++)
        if (keep[k]) {
            poly[n_out] = poly[k];
            gap[n_out++] = gap[k];
        }
    return n_out;
}

/* Returns a contact point at `gap` over a face; `second` says that the face is B's. */
static contact_point over_face(const placed *own, tru_vec3 x, tru_vec3 outward, double gap, bool second, int feature) {
    const tru_vec3 far = placed_point_to_world(own, x), near = v3_madd(far, -gap, outward);
    return (contact_point){.point_a = second ? far : near,
                           .point_b = second ? near : far,
                           .normal = second ? outward : v3_neg(outward),
                           .gap = gap,
                           .feature = feature};
}

/* Ranges of features: of A's faces, of B's faces, of a single corner, of edges. */
enum { SECOND = 1 << 28, CORNER_MEETS = 1 << 29, EDGES_MEET = 1 << 30 };

/* Points over face f of s, the body `own`, in its axes. Overlapping bodies always touch: where the polygons miss each
 * other it is the lowest corner. */
static int meet_face(const solid_view *s, const placed *own, int f, const solid_view *other, double slack, bool second,
                     double margin, contact_point *out) {
    polygon_corner poly[POINTS + 1];
    double gap[POINTS + 1];
    int corner = 0, lines[POINTS + 1][2], n = 0;
    const tru_vec3 up = s->normal[f], outward = turned(own, up);
    const int opposed = opposed_face(other, up, &corner);
    const int count = clip_to_face(s, f, slack, other, opposed, poly);
    for (int k = 0; k < count; k++) corner_lines(poly, count, k, lines[k]); /* before corners are removed */
    for (int k = 0; k < count; k++) {
        const double high = v3_dot(up, poly[k].x) - s->offset[f];
        if (!(high < margin)) continue;
        gap[n] = high;
        poly[n++] = (polygon_corner){poly[k].x, ((f * FACES + opposed) * LINES + lines[k][0]) * LINES + lines[k][1]};
    }
    if (n > TRU_TOUCHES) n = thin_out(poly, gap, n, up);
    for (int k = 0; k < n; k++)
        out[k] = over_face(own, poly[k].x, outward, gap[k], second, poly[k].line + (second ? SECOND : 0));
    contact_points_sort(out, n);
    const double deep = v3_dot(up, other->corner[corner]) - s->offset[f];
    if (n > 0 || !(deep < 0.0 && deep < margin)) return n;
    out[0] = over_face(own, other->corner[corner], outward, deep, second,
                       CORNER_MEETS + ((second ? FACES : 0) + f) * HULL_CORNERS + corner);
    return 1;
}

/* ---- two edges ---- */

static int meet_edges(const solid_view *a, const solid_view *b, const placed *own, const crossing *c, double gap,
                      contact_point *out) {
    const hull_edge *e = &a->h->edge[c->a], *g = &b->h->edge[c->b];
    const tru_vec3 u = edge_along(a, e), v = edge_along(b, g), between = v3_sub(b->corner[g->a], a->corner[e->a]);
    /* the point of A's edge that is nearest to B's */
    const double uu = v3_norm2(u), vv = v3_norm2(v), uv = v3_dot(u, v), det = uu * vv - uv * uv;
    const double s = (v3_dot(u, between) * vv - uv * v3_dot(v, between)) / det;
    const double t = (uv * v3_dot(u, between) - uu * v3_dot(v, between)) / det;
    /* separate bodies may be nearest at the end of an edge; these edges then are not opposite to each other */
    if (gap > 0.0 && !(s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0)) return 0;
    const tru_vec3 on_a = placed_point_to_world(own, v3_madd(a->corner[e->a], s > 1.0 ? 1.0 : s < 0.0 ? 0.0 : s, u));
    const tru_vec3 n = turned(own, v3_neg(c->d));
    *out = (contact_point){.point_a = on_a,
                           .point_b = v3_madd(on_a, -gap, n),
                           .normal = n,
                           .gap = gap,
                           .feature = EDGES_MEET + c->a * 256 + c->b};
    return 1;
}

int trui_narrow_hull_hull(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]) {
    solid_view own_a, own_b, a_from_b, b_from_a;
    const double ea = a->shape->extent(a->params), eb = b->shape->extent(b->params), slack = PREFER * fmin(ea, eb);
    int face_a = 0, face_b = 0;
    crossing edges = {0};
    see(a, &own_a);
    see(b, &own_b);
    see_from(b, a, &own_b, &b_from_a);
    const double at_a = best_face(&own_a, &b_from_a, margin, &face_a);
    if (!(at_a < margin)) return 0;
    see_from(a, b, &own_a, &a_from_b);
    const double at_b = best_face(&own_b, &a_from_b, margin, &face_b);
    if (!(at_b < margin)) return 0;
    const double at_edges = best_edges(&own_a, &b_from_a, &edges);
    if (!(at_edges < margin)) return 0;
    const bool second = at_b > at_a + slack;
    if (at_edges > (second ? at_b : at_a) + slack) return meet_edges(&own_a, &b_from_a, a, &edges, at_edges, out);
    return second ? meet_face(&own_b, b, face_b, &a_from_b, SLACK * eb, true, margin, out)
                  : meet_face(&own_a, a, face_a, &b_from_a, SLACK * ea, false, margin, out);
}

/* ---- a sphere ---- */

/* Returns true if the foot of c on face f is within its sides. */
static bool within_sides(const hull *h, int f, tru_vec3 c) {
    const hull_face *face = &h->face[f];
    for (int k = 0; k < face->count; k++) {
        const tru_vec3 from = h->corner[h->loop[face->first + k]];
        const tru_vec3 to = h->corner[h->loop[face->first + (k + 1) % face->count]];
        if (v3_dot(v3_cross(v3_sub(to, from), face->normal), v3_sub(c, from)) > 0.0) return false;
    }
    return true;
}

/* Returns the nearest point of an edge. */
static tru_vec3 on_edge(const hull *h, const hull_edge *e, tru_vec3 c) {
    const tru_vec3 along = v3_sub(h->corner[e->b], h->corner[e->a]);
    const double s = v3_dot(v3_sub(c, h->corner[e->a]), along) / v3_norm2(along);
    return s <= 0.0 ? h->corner[e->a] : s >= 1.0 ? h->corner[e->b] : v3_madd(h->corner[e->a], s, along);
}

double trui_narrow_hull_distance(const hull *h, tru_vec3 c, tru_vec3 *normal) {
    double high = -DBL_MAX, nearest = DBL_MAX;
    tru_vec3 away = v3_zero();
    int top = 0;
    for (int f = 0; f < h->face_count; f++) {
        const double up = v3_dot(h->face[f].normal, c) - h->face[f].offset;
        if (!(up > high)) continue;
        high = up;
        top = f;
    }
    *normal = h->face[top].normal;
    if (high <= 0.0) return high;
    for (int f = 0; f < h->face_count; f++) {
        const double up = v3_dot(h->face[f].normal, c) - h->face[f].offset;
        if (!(up > 0.0) || !within_sides(h, f, c)) continue;
        *normal = h->face[f].normal;
        return up;
    }
    for (int k = 0; k < h->edge_count; k++) {
        const tru_vec3 d = v3_sub(c, on_edge(h, &h->edge[k], c));
        if (!(v3_norm2(d) < nearest)) continue;
        nearest = v3_norm2(d);
        away = d;
    }
    return v3_unit(away, normal) ? sqrt(nearest) : 0.0;
}

int trui_narrow_sphere_hull(const placed *sphere, const placed *body, double margin, contact_point out[TRU_TOUCHES]) {
    const double r = ((const tru_sphere *)sphere->params)->radius;
    tru_vec3 n;
    const double distance =
        trui_narrow_hull_distance(hull_of(body->params), placed_point_to_local(body, sphere->x), &n);
    const double gap = distance - r;
    if (!(gap < margin)) return 0;
    n = turned(body, n);
    *out = (contact_point){
        .point_a = v3_madd(sphere->x, -r, n), .point_b = v3_madd(sphere->x, -distance, n), .normal = n, .gap = gap};
    return 1;
}
