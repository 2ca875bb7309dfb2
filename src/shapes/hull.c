/* hull.c: the convex hull of points: triangles grown outwards to the farthest point, then merged into faces.
 *
 * The farthest point of all from its face comes next, and of points equally far the one farthest from the middle: that is
 * always a true corner, so that no triangle is ever degenerate, whatever lies on edges and faces. */
#include "shapes/hull.h"

#include "base/error.h"

#include <string.h>

/* Tolerances as parts of the size of the point set. */
#define SAME 1e-9  /* [-] a point this near to a face counts as on it */
#define TIE  1e-10 /* [-] distances that differ by less count as equal */
#define FLAT 1e-8  /* [-] two triangles this nearly in one plane are one face */
#define THIN 1e-6  /* [-] points this nearly in one plane have no hull */

typedef struct triangle {
    int v[3];
    tru_vec3 normal;
    double offset;
    int face; /* number of the face that it becomes part of */
    bool alive, seen;
} triangle;

typedef struct maker {
    const tru_vec3 *points;
    int count;
    tru_vec3 middle; /* [m] */
    double size;     /* [m] largest distance of a point from it */
    triangle t[HULL_TRIANGLES];
    int owner[HULL_CORNERS][HULL_CORNERS]; /* triangle that has the edge from one point to another; -1: none */
} maker;

/* ---- triangles ---- */

static double height(const maker *m, const triangle *t, int point) {
    return v3_dot(t->normal, m->points[point]) - t->offset;
}

static bool add_triangle(maker *m, int a, int b, int c) {
    const tru_vec3 p = m->points[a];
    int k = 0;
    while (k < HULL_TRIANGLES && m->t[k].alive) k++;
    if (k == HULL_TRIANGLES) return false;
    triangle *t = &m->t[k];
    *t = (triangle){.v = {a, b, c}, .alive = true};
    if (!v3_unit(v3_cross(v3_sub(m->points[b], p), v3_sub(m->points[c], p)), &t->normal)) return false;
    t->offset = v3_dot(t->normal, p);
    for (int i = 0; i < 3; i++) m->owner[t->v[i]][t->v[(i + 1) % 3]] = k;
    return true;
}

static void remove_triangle(maker *m, triangle *t) {
    const int k = (int)(t - m->t);
    for (int i = 0; i < 3; i++) {
        int *owner = &m->owner[t->v[i]][t->v[(i + 1) % 3]];
        if (*owner == k) *owner = -1;
    }
    t->alive = t->seen = false;
}

/* Marks the triangles that are visible from a point outside, beginning with triangle k. */
static void mark_seen(maker *m, int k, int point) {
    int stack[3 * HULL_TRIANGLES], count = 0;
    m->t[k].seen = true;
    stack[count++] = k;
    while (count > 0) {
        const triangle *t = &m->t[stack[--count]];
        for (int i = 0; i < 3; i++) {
            const int next = m->owner[t->v[(i + 1) % 3]][t->v[i]];
            if (next < 0 || m->t[next].seen || !(height(m, &m->t[next], point) > SAME * m->size)) continue;
            m->t[next].seen = true;
            stack[count++] = next;
        }
    }
}

/* Replaces the visible triangles by triangles from the point to their border. */
static bool add_point(maker *m, int k, int point) {
    int border[3 * HULL_TRIANGLES][2], count = 0;
    mark_seen(m, k, point);
    for (int i = 0; i < HULL_TRIANGLES; i++)
        for (int e = 0; m->t[i].alive && m->t[i].seen && e < 3; e++) {
            const int a = m->t[i].v[e], b = m->t[i].v[(e + 1) % 3], other = m->owner[b][a];
            if (other < 0 || m->t[other].seen) continue;
            border[count][0] = a;
            border[count++][1] = b;
        }
    for (int i = 0; i < HULL_TRIANGLES; i++)
        if (m->t[i].alive && m->t[i].seen) remove_triangle(m, &m->t[i]);
    for (int i = 0; i < count; i++)
        if (!add_triangle(m, border[i][0], border[i][1], point)) return false;
    return true;
}

/* ---- the order of points ---- */

/* Returns the point with the largest `measure`; of equal ones the one furthest from the middle. */
static int farthest(const maker *m, double (*measure)(const maker *m, const void *from, int point), const void *from,
                    double *out) {
    int best = 0;
    double most = -DBL_MAX, out_there = -1.0;
    for (int k = 0; k < m->count; k++) most = fmax(most, measure(m, from, k));
    for (int k = 0; k < m->count; k++) {
        const double away = v3_norm2(v3_sub(m->points[k], m->middle));
        if (!(measure(m, from, k) >= most - TIE * m->size) || !(away > out_there)) continue;
        out_there = away;
        best = k;
    }
    *out = most;
    return best;
}

static double from_point(const maker *m, const void *from, int point) {
    return v3_norm(v3_sub(m->points[point], *(const tru_vec3 *)from));
}

/* Returns the distance from the line through from[0] with direction from[1]. */
static double from_line(const maker *m, const void *from, int point) {
    const tru_vec3 *line = from;
    return v3_norm(v3_reject(v3_sub(m->points[point], line[0]), line[1]));
}

/* Returns the distance from the plane through from[0] with normal from[1]. */
static double from_plane(const maker *m, const void *from, int point) {
    const tru_vec3 *plane = from;
    return fabs(v3_dot(v3_sub(m->points[point], plane[0]), plane[1]));
}

static double above(const maker *m, const void *from, int point) { return height(m, from, point); }

static const char too_far[] = "hull: points lie too far apart to compute with";
static const char in_a_point[] = "hull: all points coincide", on_a_line[] = "hull: all points lie on a line",
                  in_a_plane[] = "hull: all points lie in a plane (to 1e-6 of their size); a flat body is a thin box";

/* Makes the first tetrahedron. Returns NULL, or a sentence about the failure. */
static const char *begin(maker *m) {
    double far;
    int v[4];
    m->middle = v3_zero();
    for (int k = 0; k < m->count; k++) m->middle = v3_add(m->middle, v3_scale(1.0 / m->count, m->points[k]));
    v[0] = farthest(m, from_point, &m->middle, &m->size);
    if (!(m->size > 0.0)) return in_a_point;
    if (!(m->size * m->size * m->size < HUGE_VAL)) return too_far;
    tru_vec3 place[2] = {m->points[v[0]], v3_zero()};
    v[1] = farthest(m, from_point, place, &far);
    if (!v3_unit(v3_sub(m->points[v[1]], place[0]), &place[1])) return in_a_point;
    v[2] = farthest(m, from_line, place, &far);
    if (!(far > THIN * m->size)) return on_a_line;
    v3_unit(v3_cross(place[1], v3_sub(m->points[v[2]], place[0])), &place[1]);
    v[3] = farthest(m, from_plane, place, &far);
    if (!(far > THIN * m->size)) return in_a_plane;
    const bool up = v3_dot(v3_sub(m->points[v[3]], place[0]), place[1]) > 0.0;
    const int b = v[up ? 2 : 1], c = v[up ? 1 : 2]; /* the fourth point is behind the first triangle */
    const bool good = add_triangle(m, v[0], b, c) && add_triangle(m, v[0], v[3], b) && add_triangle(m, b, v[3], c) &&
                      add_triangle(m, c, v[3], v[0]);
    return good ? NULL : in_a_plane;
}

static const char cannot[] = "hull: points lie so near each other that they have no clear hull";

static const char *grow(maker *m) {
    for (int n = 0; n <= m->count; n++) {
        double most = SAME * m->size;
        int face = -1, point = 0;
        for (int k = 0; k < HULL_TRIANGLES; k++) {
            double high;
            if (!m->t[k].alive) continue;
            const int p = farthest(m, above, &m->t[k], &high);
            if (!(high > most)) continue;
            most = high;
            face = k;
            point = p;
        }
        if (face < 0) return NULL;
        if (!(height(m, &m->t[face], point) > 0.0) || !add_point(m, face, point)) return cannot;
    }
    return cannot;
}

/* ---- faces ---- */

/* A polyhedron with memory for the largest number of corners. */
typedef struct draft {
    hull h;
    tru_vec3 corner[HULL_CORNERS];
    hull_face face[HULL_TRIANGLES];
    hull_edge edge[HULL_EDGES];
    int loop[2 * HULL_EDGES];
} draft;

static int neighbour(const maker *m, const triangle *t, int i) { return m->owner[t->v[(i + 1) % 3]][t->v[i]]; }

/* Merges neighbouring triangles in one plane into faces and returns the number of faces. */
static int number_faces(maker *m) {
    int faces = 0;
    for (int k = 0; k < HULL_TRIANGLES; k++) m->t[k].face = -1;
    for (int k = 0; k < HULL_TRIANGLES; k++) {
        int stack[3 * HULL_TRIANGLES], count = 0;
        if (!m->t[k].alive || m->t[k].face >= 0) continue;
        m->t[k].face = faces;
        stack[count++] = k;
        while (count > 0) {
            const triangle *t = &m->t[stack[--count]];
            for (int i = 0; i < 3; i++) {
                const int next = neighbour(m, t, i);
                if (next < 0 || m->t[next].face >= 0) continue;
                triangle *u = &m->t[next];
                bool flat = true;
                for (int c = 0; c < 3; c++) flat = flat && fabs(height(m, &m->t[k], u->v[c])) <= FLAT * m->size;
                if (!flat) continue;
                u->face = faces;
                stack[count++] = next;
            }
        }
        faces++;
    }
    return faces;
}

/* Numbers the corners, which are points where at least three faces meet: number[point] >= 0. */
static void number_corners(const maker *m, draft *d, int number[HULL_CORNERS]) {
    int faces[HULL_CORNERS][3], counts[HULL_CORNERS] = {0};
    for (int k = 0; k < HULL_TRIANGLES; k++)
        for (int i = 0; m->t[k].alive && i < 3; i++) {
            const int p = m->t[k].v[i];
            bool known = counts[p] == 3;
            for (int j = 0; j < counts[p]; j++) known = known || faces[p][j] == m->t[k].face;
            if (!known) faces[p][counts[p]++] = m->t[k].face;
        }
    for (int p = 0; p < m->count; p++) {
        number[p] = counts[p] == 3 ? d->h.corner_count : -1;
        if (counts[p] == 3) d->corner[d->h.corner_count++] = m->points[p];
    }
}

/* Follows the border of face f from its first corner on; false if it is not a polygon. */
static bool trace_face(const maker *m, int f, const int number[HULL_CORNERS], draft *d, int *used) {
    int next[HULL_CORNERS], begin_at = -1, border = 0;
    for (int p = 0; p < m->count; p++) next[p] = -1;
    for (int k = 0; k < HULL_TRIANGLES; k++)
        for (int i = 0; m->t[k].alive && m->t[k].face == f && i < 3; i++) {
            const int other = neighbour(m, &m->t[k], i);
            if (other < 0) return false;
            if (m->t[other].face == f) continue;
            next[m->t[k].v[i]] = m->t[k].v[(i + 1) % 3];
            border++;
        }
    for (int p = m->count - 1; p >= 0; p--)
        if (next[p] >= 0 && number[p] >= 0) begin_at = p;
    hull_face *face = &d->face[f];
    *face = (hull_face){.first = *used};
    for (int p = begin_at; p >= 0 && border > 0 && *used < 2 * HULL_EDGES; p = next[p], border--) {
        if (number[p] >= 0) d->loop[(*used)++] = number[p];
        if (next[p] == begin_at) break;
    }
    face->count = *used - face->first;
    return border == 1 && face->count >= 3;
}

static bool place_face(draft *d, hull_face *f) {
    const int *loop = d->loop + f->first;
    const tru_vec3 p = d->corner[loop[0]];
    tru_vec3 area = v3_zero();
    for (int i = 1; i + 1 < f->count; i++)
        area = v3_add(area, v3_cross(v3_sub(d->corner[loop[i]], p), v3_sub(d->corner[loop[i + 1]], p)));
    if (!v3_unit(area, &f->normal)) return false;
    f->offset = -DBL_MAX;
    for (int i = 0; i < f->count; i++) f->offset = fmax(f->offset, v3_dot(f->normal, d->corner[loop[i]]));
    return true;
}

static bool add_edges(draft *d) {
    int side[HULL_CORNERS][HULL_CORNERS]; /* 1 + the face that has the edge from one corner to another */
    memset(side, 0, sizeof side);
    for (int f = 0; f < d->h.face_count; f++)
        for (int i = 0; i < d->face[f].count; i++) {
            const int *loop = d->loop + d->face[f].first;
            side[loop[i]][loop[(i + 1) % d->face[f].count]] = f + 1;
        }
    for (int a = 0; a < d->h.corner_count; a++)
        for (int b = a + 1; b < d->h.corner_count; b++) {
            if (!side[a][b] && !side[b][a]) continue;
            if (!side[a][b] || !side[b][a] || d->h.edge_count == HULL_EDGES) return false;
            d->edge[d->h.edge_count++] = (hull_edge){a, b, side[a][b] - 1, side[b][a] - 1};
        }
    return d->h.corner_count - d->h.edge_count + d->h.face_count == 2;
}

static const char *make_faces(maker *m, draft *d) {
    int number[HULL_CORNERS], used = 0;
    bool good = true;
    d->h.face_count = number_faces(m);
    number_corners(m, d, number);
    for (int f = 0; f < d->h.face_count && good; f++)
        good = trace_face(m, f, number, d, &used) && place_face(d, &d->face[f]);
    if (good) good = add_edges(d);
    for (int f = 0; f < d->h.face_count && good; f++)
        for (int p = 0; p < m->count && good; p++)
            good = v3_dot(d->face[f].normal, m->points[p]) <= d->face[f].offset + 4.0 * FLAT * m->size;
    return good ? NULL : cannot;
}

/* ---- mass and width ---- */

/* Integrals of 1, x and x x^T over tetrahedra from a corner to the triangles of all faces: with edges a, b, c from there
 * to a triangle and s = a + b + c they are det/6, det/24 s and det/120 (a a + b b + c c + s s). */
static void find_mass(draft *d) {
    const tru_vec3 o = d->corner[0];
    double volume = 0.0;
    tru_vec3 first = v3_zero();
    tru_mat3 second = m3_zero();
    for (int f = 0; f < d->h.face_count; f++)
        for (int i = 1; i + 1 < d->face[f].count; i++) {
            const int *loop = d->loop + d->face[f].first;
            const tru_vec3 a = v3_sub(d->corner[loop[0]], o), b = v3_sub(d->corner[loop[i]], o);
            const tru_vec3 c = v3_sub(d->corner[loop[i + 1]], o), s = v3_add(a, v3_add(b, c));
            const double det = v3_dot(a, v3_cross(b, c));
            volume += det / 6.0;
            first = v3_madd(first, det / 24.0, s);
            const tru_mat3 sum = m3_add(m3_add(m3_outer(a, a), m3_outer(b, b)), m3_add(m3_outer(c, c), m3_outer(s, s)));
            second = m3_madd(second, det / 120.0, sum);
        }
    const tru_vec3 centre = v3_scale(1.0 / volume, first);
    second = m3_madd(second, -volume, m3_outer(centre, centre));
    const double xx = second.m[0][0], yy = second.m[1][1], zz = second.m[2][2];
    d->h.mass = (tru_mass){.mass = volume,
                           .centre = v3_add(o, centre),
                           .inertia = {yy + zz, xx + zz, xx + yy},
                           .products = {-second.m[0][1], -second.m[0][2], -second.m[1][2]}};
}

static double width(const draft *d, tru_vec3 n) {
    double low = DBL_MAX, high = -DBL_MAX;
    for (int k = 0; k < d->h.corner_count; k++) {
        const double along = v3_dot(n, d->corner[k]);
        low = fmin(low, along);
        high = fmax(high, along);
    }
    return high - low;
}

/* Returns the smallest width, which is across a face or across two edges. */
static void find_extent(draft *d) {
    double least = DBL_MAX;
    for (int f = 0; f < d->h.face_count; f++) least = fmin(least, width(d, d->face[f].normal));
    for (int i = 0; i < d->h.edge_count; i++)
        for (int j = 0; j < i; j++) {
            const hull_edge *e = &d->edge[i], *g = &d->edge[j];
            tru_vec3 n;
            if (v3_unit(v3_cross(v3_sub(d->corner[e->b], d->corner[e->a]), v3_sub(d->corner[g->b], d->corner[g->a])),
                        &n))
                least = fmin(least, width(d, n));
        }
    d->h.extent = least;
}

/* ---- the hull ---- */

static tru_status make_draft(const tru_vec3 *points, size_t count, draft *d, tru_error *err) {
    maker m = {.points = points, .count = (int)count};
    if (count < 4) return tru_fail(err, TRU_BAD_ARGUMENT, "hull has %zu points, must have at least 4", count);
    if (count > HULL_CORNERS)
        return tru_fail(err, TRU_OUT_OF_RANGE, "hull has %zu points, must have at most %d", count, HULL_CORNERS);
    for (size_t k = 0; k < count; k++)
        if (!v3_is_finite(points[k])) return tru_fail(err, TRU_OUT_OF_RANGE, "hull: points[%zu] is not finite", k);
    memset(m.owner, -1, sizeof m.owner);
    d->h = (hull){0};
    const char *wrong = begin(&m);
    if (!wrong) wrong = grow(&m);
    if (!wrong) wrong = make_faces(&m, d);
    return wrong ? tru_fail(err, TRU_BAD_ARGUMENT, "%s", wrong) : TRU_OK;
}

tru_status trui_hull_check(const tru_vec3 *points, size_t count, tru_error *err) {
    draft d;
    return make_draft(points, count, &d, err);
}

/* Copies corners, faces, edges and loops into one block behind the struct; types with larger alignment come first. */
hull *trui_hull_make(memory *m, const tru_vec3 *points, size_t count, size_t *bytes, tru_error *err) {
    draft d;
    if (make_draft(points, count, &d, err) < 0) return NULL;
    find_mass(&d);
    find_extent(&d);
    const size_t corners = (size_t)d.h.corner_count * sizeof *d.corner, faces = (size_t)d.h.face_count * sizeof *d.face;
    const size_t edges = (size_t)d.h.edge_count * sizeof *d.edge, loops = 2 * (size_t)d.h.edge_count * sizeof *d.loop;
    *bytes = sizeof(hull) + corners + faces + edges + loops;
    char *block = trui_mem_array(m, 1, *bytes);
    if (!block) {
        tru_no_memory(err);
        return NULL;
    }
    char *at = block + sizeof(hull);
    d.h.corner = memcpy(at, d.corner, corners);
    d.h.face = memcpy(at + corners, d.face, faces);
    d.h.edge = memcpy(at + corners + faces, d.edge, edges);
    d.h.loop = memcpy(at + corners + faces + edges, d.loop, loops);
    return memcpy(block, &d.h, sizeof d.h);
}
