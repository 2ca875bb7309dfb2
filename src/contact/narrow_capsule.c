/* Contacts of a capsule with a sphere, a capsule and a box: nearest points of its line, and the ends of stretches that
 * run alongside. */
#include "contact/narrow_capsule.h"

#define ALONGSIDE 1e-4 /* [-] squared sine of the angle below which two lines run alongside each other */
#define FACE      1e-6 /* [-] sine of the angle below which a normal is that of a face */

enum { LOWER, UPPER, NEAREST }; /* features */

/* A capsule's line in the axes of choice: middle + s along, |s| <= half. */
typedef struct line {
    tru_vec3 middle, along; /* [m], [-] */
    double half, radius;    /* [m] */
} line;

static line line_of(const placed *p) {
    const tru_capsule *c = p->params;
    return (line){p->x, m3_column(p->r, 2), 0.5 * c->length, c->radius};
}

static tru_vec3 at(const line *l, double s) { return v3_madd(l->middle, s, l->along); }

/* The contact of two balls about points p (of A) and q (of B); `fallback` is the normal where they coincide. */
static int meet_balls(tru_vec3 p, double rp, tru_vec3 q, double rq, tru_vec3 fallback, double margin, int feature,
                      meeting *out) {
    const tru_vec3 d = v3_sub(p, q);
    const double gap = v3_norm(d) - (rp + rq);
    tru_vec3 n = fallback;
    if (!(gap < margin)) return 0;
    v3_unit(d, &n);
    *out = (meeting){
        .point_a = v3_madd(p, -rp, n), .point_b = v3_madd(q, rq, n), .normal = n, .gap = gap, .feature = feature};
    return 1;
}

int narrow_capsule_sphere(const placed *a, const placed *b, double margin, meeting out[TRU_TOUCHES]) {
    const line l = line_of(a);
    const double s = clamp(v3_dot(v3_sub(b->x, l.middle), l.along), l.half);
    return meet_balls(at(&l, s), l.radius, b->x, ((const tru_sphere *)b->params)->radius, m3_column(a->r, 0), margin,
                      NEAREST, out);
}

/* Nearest points of two lines that are not parallel: s on p, *t on q. */
static double nearest(const line *p, const line *q, double *t) {
    const tru_vec3 d = v3_sub(q->middle, p->middle);
    const double c = v3_dot(p->along, q->along), dp = v3_dot(d, p->along), dq = v3_dot(d, q->along);
    const double sine2 = v3_norm2(v3_cross(p->along, q->along));
    double s = sine2 > 0.0 ? clamp((dp - c * dq) / sine2, p->half) : 0.0;
    *t = clamp(c * s - dq, q->half);
    s = clamp(dp + c * *t, p->half);
    return s;
}

int narrow_capsule_capsule(const placed *a, const placed *b, double margin, meeting out[TRU_TOUCHES]) {
    const line p = line_of(a), q = line_of(b);
    const tru_vec3 d = v3_sub(q.middle, p.middle), side = m3_column(a->r, 0);
    const double c = v3_dot(p.along, q.along);
    int count = 0;
    if (v3_norm2(v3_cross(p.along, q.along)) < ALONGSIDE) {
        /* the stretch of p that is beside q */
        const double middle = v3_dot(d, p.along), reach = q.half * fabs(c);
        const double lo = fmax(-p.half, middle - reach), hi = fmin(p.half, middle + reach);
        for (int k = 0; lo < hi && k < 2; k++) {
            const tru_vec3 on_p = at(&p, k ? hi : lo);
            const tru_vec3 on_q = at(&q, clamp(v3_dot(v3_sub(on_p, q.middle), q.along), q.half));
            count += meet_balls(on_p, p.radius, on_q, q.radius, side, margin, k ? UPPER : LOWER, out + count);
        }
        if (lo < hi) return count;
    }
    double t;
    const double s = nearest(&p, &q, &t);
    return meet_balls(at(&p, s), p.radius, at(&q, t), q.radius, side, margin, NEAREST, out);
}

/* ---- a box: everything in the axes of the box */

/* Half the derivative of the squared distance from the box along the line. */
static double slope(const line *l, tru_vec3 half, double s) {
    const tru_vec3 p = at(l, s), q = v3(clamp(p.x, half.x), clamp(p.y, half.y), clamp(p.z, half.z));
    return v3_dot(v3_sub(p, q), l->along);
}

/* Where between two stops the slope, linear there, is zero. */
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

/* The face through which the line is soonest out of the box; outward. */
static int shallowest_face(const line *l, tru_vec3 half, double *side) {
    double best = DBL_MAX;
    int axis = 0;
    for (int i = 0; i < 3; i++) {
        const double m = v3_get(l->middle, i), reach = l->half * fabs(v3_get(l->along, i));
        const double depth = v3_get(half, i) - fabs(m) + reach; /* of the deeper end below the nearer face */
        if (depth < best) {
            best = depth;
            axis = i;
            *side = m < 0.0 ? -1.0 : 1.0;
        }
    }
    return axis;
}

/* The ends of the stretch of the line over a face. */
static int meet_face(const line *l, const placed *box, tru_vec3 half, int axis, double side, double margin,
                     meeting *out) {
    const tru_vec3 outward = placed_dir_to_world(box, v3_scale(side, v3(axis == 0, axis == 1, axis == 2)));
    double lo = -l->half, hi = l->half;
    int count = 0;
    for (int k = 1; k < 3; k++) {
        const int i = (axis + k) % 3;
        const double m = v3_get(l->middle, i), u = v3_get(l->along, i), h = v3_get(half, i);
        if (u == 0.0) continue;
        lo = fmax(lo, fmin((h - m) / u, (-h - m) / u));
        hi = fmin(hi, fmax((h - m) / u, (-h - m) / u));
    }
    for (int k = 0; lo <= hi && k < 2; k++) {
        const tru_vec3 p = at(l, k ? hi : lo);
        const double height = side * v3_get(p, axis) - v3_get(half, axis), gap = height - l->radius;
        const tru_vec3 centre = placed_point_to_world(box, p);
        if (!(gap < margin)) continue;
        out[count++] = (meeting){.point_a = v3_madd(centre, -l->radius, outward),
                                 .point_b = v3_madd(centre, -height, outward),
                                 .normal = outward,
                                 .gap = gap,
                                 .feature = k ? UPPER : LOWER};
    }
    return count;
}

int narrow_capsule_box(const placed *a, const placed *b, double margin, meeting out[TRU_TOUCHES]) {
    line l = line_of(a);
    const tru_vec3 half = v3_scale(0.5, ((const tru_box *)b->params)->size);
    l.middle = placed_point_to_local(b, l.middle);
    l.along = placed_dir_to_local(b, l.along);
    const tru_vec3 p = at(&l, nearest_to_box(&l, half));
    const tru_vec3 q = v3(clamp(p.x, half.x), clamp(p.y, half.y), clamp(p.z, half.z));
    tru_vec3 n;
    double side = 1.0;
    if (!v3_unit(v3_sub(p, q), &n)) {
        const int axis = shallowest_face(&l, half, &side);
        return meet_face(&l, b, half, axis, side, margin, out);
    }
    for (int i = 0; i < 3; i++)
        if (fabs(v3_get(n, (i + 1) % 3)) < FACE && fabs(v3_get(n, (i + 2) % 3)) < FACE)
            return meet_face(&l, b, half, i, v3_get(n, i) < 0.0 ? -1.0 : 1.0, margin, out);
    return meet_balls(placed_point_to_world(b, p), l.radius, placed_point_to_world(b, q), 0.0, m3_column(b->r, 0),
                      margin, NEAREST, out);
}
