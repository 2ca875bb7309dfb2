/* narrow_capsule.c: contacts of a capsule with a sphere, a capsule, a box and a hull, at the nearest points of its axis (here: line) or at the ends of
 * the section that is parallel to the other shape. */
#include "detect/narrow/narrow_capsule.h"

#include "detect/narrow/narrow_hull.h"

#define ALONGSIDE 1e-4 /* [-] squared sine of the angle below which two lines count as parallel */
#define FACE      1e-6 /* [-] sine of the angle below which a normal counts as that of a face */
#define THROUGH                                                                                                        \
    1e-9 /* [-] part of the radius: a line this near counts as inside, because the direction to it is round-off */

enum { LOWER, UPPER, NEAREST }; /* features */

/* Axis of a capsule, in world or body axes: middle + s along, |s| <= half. */
typedef struct line {
    tru_vec3 middle, along; /* [m], [-] */
    double half, radius;    /* [m] */
} line;

static line line_of(const placed *p) {
    const tru_capsule *c = p->params;
    TRU_ASSERT(c->length >= 0.0 && c->radius > 0.0);
    return (line){p->x, m3_column(p->r, 2), 0.5 * c->length, c->radius};
}

static tru_vec3 at(const line *l, double s) {
    TRU_ASSERT(!(fabs(s) > l->half * (1.0 + 1e-9)));
    return v3_madd(l->middle, s, l->along);
}

/* Finds the contact of two spheres about points p (of A) and q (of B); `fallback` is the normal if the points coincide. */
static int meet_balls(tru_vec3 p, double rp, tru_vec3 q, double rq, tru_vec3 fallback, double margin, int feature,
                      contact_point *out) {
    const tru_vec3 d = v3_sub(p, q);
    const double gap = v3_norm(d) - (rp + rq);
    tru_vec3 n = fallback;
    if (!(gap < margin)) return 0;
    v3_unit(d, &n);
    *out = (contact_point){
        .point_a = v3_madd(p, -rp, n), .point_b = v3_madd(q, rq, n), .normal = n, .gap = gap, .feature = feature};
    return 1;
}

/* A face of a box or a hull. */
typedef struct side_of {
    const placed *body;
    tru_vec3 normal;  /* [-] in the axes of the body */
    tru_vec3 outward; /* [-] the same in the world */
    double offset;    /* [m] along the normal */
} side_of;

/* Finds the contact of the sphere about point s of the line, in the axes of the body, with a face. */
static int meet_over(const line *l, double s, const side_of *f, double margin, int feature, contact_point *out) {
    const tru_vec3 p = at(l, s), centre = placed_point_to_world(f->body, p);
    const double height = v3_dot(f->normal, p) - f->offset, gap = height - l->radius;
    if (!(gap < margin)) return 0;
    *out = (contact_point){.point_a = v3_madd(centre, -l->radius, f->outward),
                           .point_b = v3_madd(centre, -height, f->outward),
                           .normal = f->outward,
                           .gap = gap,
                           .feature = feature};
    return 1;
}

/* Finds the contacts of both ends of the section lo .. hi of the line with a face; none if lo > hi. */
static int meet_stretch(const line *l, double lo, double hi, const side_of *f, double margin, contact_point *out) {
    if (!(lo <= hi)) return 0;
    const int count = meet_over(l, lo, f, margin, LOWER, out);
    return count + meet_over(l, hi, f, margin, UPPER, out + count);
}

/* Finds the contact of a line that goes through a body with the face through which it is moved out. If no section is over that face, the lower end
 * is taken. */
static int draw_out(const line *l, const side_of *f, int count, double margin, contact_point *out) {
    if (count > 0) return count;
    return meet_over(l, v3_dot(f->normal, l->along) > 0.0 ? -l->half : l->half, f, margin, NEAREST, out);
}

int trui_narrow_capsule_sphere(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]) {
    const line l = line_of(a);
    const double s = clamp(v3_dot(v3_sub(b->x, l.middle), l.along), l.half);
    return meet_balls(at(&l, s), l.radius, b->x, ((const tru_sphere *)b->params)->radius, m3_column(a->r, 0), margin,
                      NEAREST, out);
}

/* Finds the nearest points of two lines that are not parallel: returns s on p and sets *t on q. */
static double nearest(const line *p, const line *q, double *t) {
    const tru_vec3 d = v3_sub(q->middle, p->middle);
    const double c = v3_dot(p->along, q->along), dp = v3_dot(d, p->along), dq = v3_dot(d, q->along);
    const double sine2 = v3_norm2(v3_cross(p->along, q->along));
    double s = sine2 > 0.0 ? clamp((dp - c * dq) / sine2, p->half) : 0.0;
    *t = clamp(c * s - dq, q->half);
    s = clamp(dp + c * *t, p->half);
    return s;
}

/* Finds the contacts at the ends of the section of p that is next to q; -1 if the lines are not parallel or have no common section. */
static int meet_alongside(const line *p, const line *q, tru_vec3 side, double margin, contact_point *out) {
    const double c = v3_dot(p->along, q->along);
    int count = 0;
    if (!(v3_norm2(v3_cross(p->along, q->along)) < ALONGSIDE)) return -1;
    const double middle = v3_dot(v3_sub(q->middle, p->middle), p->along), reach = q->half * fabs(c);
    const double lo = fmax(-p->half, middle - reach), hi = fmin(p->half, middle + reach);
    for (int k = 0; lo < hi && k < 2; k++) {
        const tru_vec3 on_p = at(p, k ? hi : lo);
        const tru_vec3 on_q = at(q, clamp(v3_dot(v3_sub(on_p, q->middle), q->along), q->half));
        count += meet_balls(on_p, p->radius, on_q, q->radius, side, margin, k ? UPPER : LOWER, out + count);
    }
    return lo < hi ? count : -1;
}

int trui_narrow_capsule_capsule(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]) {
    const line p = line_of(a), q = line_of(b);
    const tru_vec3 side = m3_column(a->r, 0);
    const int count = meet_alongside(&p, &q, side, margin, out);
    if (count >= 0) return count;
    double t;
    const double s = nearest(&p, &q, &t);
    return meet_balls(at(&p, s), p.radius, at(&q, t), q.radius, side, margin, NEAREST, out);
}

/* Returns an edge of a body, given in its axes, as a line of radius 0. */
static int meet_edge(const placed *a, const placed *body, line edge, double margin, contact_point *out) {
    const line p = line_of(a);
    edge.middle = placed_point_to_world(body, edge.middle);
    edge.along = placed_dir_to_world(body, edge.along);
    return meet_alongside(&p, &edge, m3_column(body->r, 0), margin, out);
}

/* ---- a box: everything in the axes of the box */

/* Returns half the derivative of the squared distance from the box along the line. */
static double slope(const line *l, tru_vec3 half, double s) {
    const tru_vec3 p = at(l, s), q = v3(clamp(p.x, half.x), clamp(p.y, half.y), clamp(p.z, half.z));
    return v3_dot(v3_sub(p, q), l->along);
}

/* Returns where the slope, which is linear between two stops, is zero. */
static double zero_between(const line *l, tru_vec3 half, double from, double to) {
    const double a = slope(l, half, from), b = slope(l, half, to);
    return from + (to - from) * (a / (a - b));
}

/* Where the line is nearest to the box, the middle of it if that is a stretch. The slope never falls, and is linear
 * between the places where the line crosses the planes of the faces. */
static double nearest_to_box(const line *l, tru_vec3 half) {
    double stop[8] = {-l->half, l->half};
    int n = 2, k = 0;
    for (int i = 0; i < 3; i++)
        for (int side = -1; side <= 1; side += 2) {
            const double s = (side * v3_get(half, i) - v3_get(l->middle, i)) / v3_get(l->along, i);
            if (fabs(s) < l->half) stop[n++] = s;
        }
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && stop[j] < stop[j - 1]; j--) {
            const double swap = stop[j];
            stop[j] = stop[j - 1];
            stop[j - 1] = swap;
        }
    while (k < n && slope(l, half, stop[k]) < 0.0) k++;
    const double first = k == n ? l->half : k == 0 ? stop[0] : zero_between(l, half, stop[k - 1], stop[k]);
    for (k = n - 1; k >= 0 && slope(l, half, stop[k]) > 0.0;) k--;
    const double last = k < 0 ? -l->half : k == n - 1 ? stop[k] : zero_between(l, half, stop[k], stop[k + 1]);
    return 0.5 * (first + last);
}

/* Finds the face through which the line leaves the box on the shortest way. */
static int shallowest_face(const line *l, tru_vec3 half, double *side) {
    double best = DBL_MAX;
    int axis = 0;
    for (int i = 0; i < 3; i++) {
        const double m = v3_get(l->middle, i), reach = l->half * fabs(v3_get(l->along, i));
        const double depth = v3_get(half, i) - fabs(m) + reach; /* depth of the deeper end below the nearer face */
        if (depth < best) {
            best = depth;
            axis = i;
            *side = m < 0.0 ? -1.0 : 1.0;
        }
    }
    return axis;
}

static side_of box_side(const placed *box, tru_vec3 half, int axis, double side) {
    const tru_vec3 normal = v3_scale(side, v3(axis == 0, axis == 1, axis == 2));
    return (side_of){box, normal, placed_dir_to_world(box, normal), v3_get(half, axis)};
}

/* Finds the ends of the section of the line that is over a face. */
static int meet_face(const line *l, tru_vec3 half, int axis, const side_of *f, double margin, contact_point *out) {
    double lo = -l->half, hi = l->half;
    for (int k = 1; k < 3; k++) {
        const int i = (axis + k) % 3;
        const double m = v3_get(l->middle, i), u = v3_get(l->along, i), h = v3_get(half, i);
        if (u == 0.0) continue;
        lo = fmax(lo, fmin((h - m) / u, (-h - m) / u));
        hi = fmin(hi, fmax((h - m) / u, (-h - m) / u));
    }
    return meet_stretch(l, lo, hi, f, margin, out);
}

int trui_narrow_capsule_box(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]) {
    line l = line_of(a);
    const tru_vec3 half = v3_scale(0.5, ((const tru_box *)b->params)->size);
    l.middle = placed_point_to_local(b, l.middle);
    l.along = placed_dir_to_local(b, l.along);
    const tru_vec3 p = at(&l, nearest_to_box(&l, half));
    const tru_vec3 q = v3(clamp(p.x, half.x), clamp(p.y, half.y), clamp(p.z, half.z));
    tru_vec3 n;
    if (v3_norm(v3_sub(p, q)) <= THROUGH * l.radius || !v3_unit(v3_sub(p, q), &n)) {
        double side = 1.0;
        const int axis = shallowest_face(&l, half, &side);
        const side_of f = box_side(b, half, axis, side);
        return draw_out(&l, &f, meet_face(&l, half, axis, &f, margin, out), margin, out);
    }
    for (int i = 0; i < 3; i++)
        if (fabs(v3_get(n, (i + 1) % 3)) < FACE && fabs(v3_get(n, (i + 2) % 3)) < FACE) {
            const side_of f = box_side(b, half, i, v3_get(n, i) < 0.0 ? -1.0 : 1.0);
            const int count = meet_face(&l, half, i, &f, margin, out);
            if (count > 0) return count; /* otherwise it is along an edge, outside by round-off */
        }
    for (int i = 0; i < 3; i++) {
        const tru_vec3 along = v3(i == 0, i == 1, i == 2);
        const line edge = {v3_reject(q, along), along, v3_get(half, i), 0.0};
        const int count = meet_edge(a, b, edge, margin, out);
        if (count >= 0) return count;
    }
    return meet_balls(placed_point_to_world(b, p), l.radius, placed_point_to_world(b, q), 0.0, m3_column(b->r, 0),
                      margin, NEAREST, out);
}

/* ---- a hull: everything in the axes of the hull */

/* Shortens the section *lo .. *hi of the line to the part that is at most `limit` along `outward`. */
static void keep_below(const line *l, tru_vec3 outward, double limit, double *lo, double *hi) {
    const double rise = v3_dot(outward, l->along), room = limit - v3_dot(outward, l->middle);
    if (rise > 0.0)
        *hi = fmin(*hi, room / rise);
    else if (rise < 0.0)
        *lo = fmax(*lo, room / rise);
    else if (room < 0.0)
        *hi = -DBL_MAX;
}

static bool goes_through(const line *l, const hull *h) {
    double lo = -l->half, hi = l->half;
    for (int f = 0; f < h->face_count; f++) keep_below(l, h->face[f].normal, h->face[f].offset, &lo, &hi);
    return lo <= hi;
}

/* Finds the face through which the line leaves the hull on the shortest way. */
static int soonest_out(const line *l, const hull *h) {
    double best = -DBL_MAX;
    int face = 0;
    for (int f = 0; f < h->face_count; f++) {
        const tru_vec3 n = h->face[f].normal;
        const double low = v3_dot(n, l->middle) - l->half * fabs(v3_dot(n, l->along)) - h->face[f].offset;
        if (!(low > best)) continue;
        best = low;
        face = f;
    }
    return face;
}

/* Finds the ends of the section of the line that is over a face. */
static int meet_hull_face(const line *l, const hull *h, const hull_face *face, const side_of *f, double margin,
                          contact_point *out) {
    double lo = -l->half, hi = l->half;
    for (int k = 0; k < face->count; k++) {
        const tru_vec3 from = h->corner[h->loop[face->first + k]];
        const tru_vec3 to = h->corner[h->loop[face->first + (k + 1) % face->count]];
        const tru_vec3 side = v3_cross(v3_sub(to, from), face->normal);
        keep_below(l, side, v3_dot(side, from), &lo, &hi);
    }
    return meet_stretch(l, lo, hi, f, margin, out);
}

static side_of hull_side(const placed *body, const hull_face *face) {
    side_of f = {body, face->normal, placed_dir_to_world(body, face->normal), face->offset};
    v3_unit(f.outward, &f.outward);
    return f;
}

static int draw_out_of_hull(const line *l, const placed *body, double margin, contact_point *out) {
    const hull *h = hull_of(body->params);
    const hull_face *face = &h->face[soonest_out(l, h)];
    const side_of f = hull_side(body, face);
    return draw_out(l, &f, meet_hull_face(l, h, face, &f, margin, out), margin, out);
}

static line edge_line(const hull *h, int k) {
    const tru_vec3 a = h->corner[h->edge[k].a], b = h->corner[h->edge[k].b];
    line e = {v3_scale(0.5, v3_add(a, b)), v3_sub(b, a), 0.5 * v3_norm(v3_sub(b, a)), 0.0};
    v3_unit(e.along, &e.along);
    return e;
}

/* Where a line outside is nearest to the hull, s on it, and the normal there: at an end, or at an edge. *edge: one that the line
 * runs alongside, and to which it is no farther; -1: none. */
static double nearest_to_hull(const line *l, const hull *h, double *s, tru_vec3 *n, int *edge) {
    double best = DBL_MAX, beside = DBL_MAX;
    *edge = -1;
    for (int k = -1; k <= 1; k += 2) {
        tru_vec3 normal;
        const double d = trui_narrow_hull_distance(h, at(l, k * l->half), &normal);
        if (!(d < best)) continue;
        best = d;
        *s = k * l->half;
        *n = normal;
    }
    for (int k = 0; k < h->edge_count; k++) {
        const line e = edge_line(h, k);
        double t;
        const double here = nearest(l, &e, &t);
        const tru_vec3 away = v3_sub(at(l, here), at(&e, t));
        if (v3_norm(away) < beside && v3_norm2(v3_cross(l->along, e.along)) < ALONGSIDE) {
            beside = v3_norm(away);
            *edge = k;
        }
        if (!(v3_norm(away) < best)) continue;
        best = v3_norm(away);
        *s = here;
        v3_unit(away, n);
    }
    if (beside > best + THROUGH * l->radius) *edge = -1;
    return best;
}

int trui_narrow_capsule_hull(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]) {
    const hull *h = hull_of(b->params);
    line l = line_of(a);
    tru_vec3 n = v3_zero();
    double s = 0.0;
    int edge;
    l.middle = placed_point_to_local(b, l.middle);
    l.along = placed_dir_to_local(b, l.along);
    if (goes_through(&l, h)) return draw_out_of_hull(&l, b, margin, out);
    const double distance = nearest_to_hull(&l, h, &s, &n, &edge);
    if (distance <= THROUGH * l.radius) return draw_out_of_hull(&l, b, margin, out);
    for (int k = 0; k < h->face_count; k++)
        if (v3_norm(v3_sub(n, h->face[k].normal)) < FACE) {
            const side_of f = hull_side(b, &h->face[k]);
            const int count = meet_hull_face(&l, h, &h->face[k], &f, margin, out);
            if (count > 0) return count; /* otherwise it is along an edge, outside by round-off */
        }
    const int count = edge >= 0 ? meet_edge(a, b, edge_line(h, edge), margin, out) : -1;
    if (count >= 0) return count;
    const tru_vec3 p = at(&l, s);
    return meet_balls(placed_point_to_world(b, p), l.radius, placed_point_to_world(b, v3_madd(p, -distance, n)), 0.0,
                      m3_column(b->r, 0), margin, NEAREST, out);
}
