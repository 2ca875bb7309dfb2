/* shape_hull.c: shape "hull", the convex hull of points, given or drawn at random on a sphere. */
#include "base/error.h"
#include "base/memory.h"
#include "math/random.h"
#include "shapes/hull.h"
#include "shapes/shape.h"

static const tru_field point_fields[] = {
    {.name = "point",
     .type = TRU_FIELD_VEC3,
     .unit = TRU_UNIT_M,
     .default_value = TRU_REQUIRED,
     .lowest = -TRU_UNBOUNDED,
     .highest = TRU_UNBOUNDED,
     .doc = "In the shape's axes."},
    {0},
};

static const tru_field fields[] = {
    TRU_LIST(tru_hull, points, TRU_UNIT_M, 0, tru_vec3, point_fields,
             "4 to 64 points, each [x, y, z], that do not lie in a plane; those inside their hull do not count."),
    TRU_REAL(tru_hull, radius, TRU_UNIT_M, TRU_DERIVED, TRU_POSITIVE,
             "Instead of points: a random stone, whose corners lie on a sphere of this radius."),
    TRU_INTEGER(tru_hull, corners, 12, TRU_RANGE(4, TRU_HULL_POINTS), "Corners of a random stone."),
    TRU_INTEGER(tru_hull, seed, 0, TRU_RANGE(0, 2147483647.0),
                "Another number is another random stone; the bodies of a fill count on from it."),
    {0},
};

static bool is_random(const tru_hull *p) { return p->point_count == 0; }

/* Returns the points: those given, or random ones that are uniform on a sphere. */
static const tru_vec3 *points_of(const tru_hull *p, tru_vec3 random[TRU_HULL_POINTS], size_t *count) {
    *count = is_random(p) ? (size_t)p->corners : p->point_count;
    if (!is_random(p)) return p->points;
    for (int32_t k = 0; k < p->corners; k++)
        random[k] = v3_scale(p->radius, tru_random_direction((uint64_t)p->seed, 0, (uint64_t)k));
    return random;
}

static tru_status hull_params_check(const void *params, tru_error *err) {
    const tru_hull *p = params;
    tru_vec3 random[TRU_HULL_POINTS];
    size_t count;
    if (is_random(p) && p->radius == TRU_DERIVED)
        return tru_fail(err, TRU_BAD_ARGUMENT, "hull needs points, or the radius of a random stone");
    if (!is_random(p) && p->radius != TRU_DERIVED)
        return tru_fail(err, TRU_CONFLICT, "hull: points and radius exclude each other");
    const tru_vec3 *points = points_of(p, random, &count);
    return trui_hull_check(points, count, err);
}

static tru_status hull_build(void *params, const tru_allocator *allocator, tru_error *err) {
    tru_hull *p = params;
    memory m = trui_memory_of(allocator);
    tru_vec3 random[TRU_HULL_POINTS];
    size_t count;
    const tru_vec3 *points = points_of(p, random, &count);
    p->built = trui_hull_make(&m, points, count, &p->built_bytes, err);
    return p->built ? TRU_OK : err ? err->status : TRU_BAD_ARGUMENT;
}

static void hull_unbuild(void *params, const tru_allocator *allocator) {
    tru_hull *p = params;
    memory m = trui_memory_of(allocator);
    trui_mem_release(&m, (void *)p->built, p->built_bytes);
    p->built = NULL;
}

/* Works before the hull is built, because scenes need it then. */
static double hull_radius(const void *params) {
    const tru_hull *p = params;
    double most = is_random(p) ? p->radius : 0.0;
    if (p->built) most = 0.0;
    const tru_vec3 *at = p->built ? hull_of(p)->corner : p->points;
    const size_t count = p->built ? (size_t)hull_of(p)->corner_count : p->point_count;
    for (size_t k = 0; k < count; k++) most = fmax(most, v3_norm(at[k]));
    return most;
}

static double hull_extent(const void *params) { return hull_of(params)->extent; }

static void hull_mass(const void *params, double density, tru_mass *out) {
    *out = hull_of(params)->mass;
    out->mass *= density;
    out->inertia = v3_scale(density, out->inertia);
    out->products = v3_scale(density, out->products);
}

/* h = max over the corners: a corner, infinitely curved. */
static void hull_surface(const void *params, tru_vec3 d, tru_surface *out) {
    const hull *h = hull_of(params);
    out->point = h->corner[hull_support(h, d)];
    out->hessian = m3_zero();
}

/* ---- corners that touch a plane ---- */

#define LEVEL 1e-6 /* [-] part of the extent: corners this near to the lowest one count as equally low */

typedef struct chosen {
    int corner[TRU_TOUCHES];
    int count;
} chosen;

static void choose(chosen *c, int corner) {
    for (int k = 0; k < c->count; k++)
        if (c->corner[k] == corner) return;
    if (c->count < TRU_TOUCHES) c->corner[c->count++] = corner;
}

/* Chooses the corners on which a face with many corners lies: the outermost ones in eight fixed directions of the plane. */
static void choose_round(const hull *h, tru_vec3 up, double level, chosen *c) {
    tru_vec3 t1, t2;
    v3_tangents(up, &t1, &t2);
    for (int k = 0; k < TRU_TOUCHES; k++) {
        static const double compass[8][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
        int best = -1;
        double most = -DBL_MAX;
        for (int i = 0; i < h->corner_count; i++) {
            const double out = compass[k][0] * v3_dot(t1, h->corner[i]) + compass[k][1] * v3_dot(t2, h->corner[i]);
            if (!(v3_dot(up, h->corner[i]) <= level) || !(out > most)) continue;
            most = out;
            best = i;
        }
        if (best >= 0) choose(c, best);
    }
}

/* Finds the corners below the centre of mass; if they are too many, those as low as the lowest one, then the next lowest ones. */
static int hull_touch_plane(const void *params, tru_vec3 up, const tru_touch *before, int before_count,
                            tru_touch *out) {
    (void)before;
    (void)before_count;
    const hull *h = hull_of(params);
    const double centre = v3_dot(up, h->mass.centre), lowest = v3_dot(up, h->corner[hull_support(h, v3_neg(up))]);
    chosen c = {.count = 0};
    int below = 0, count = 0;
    for (int k = 0; k < h->corner_count; k++) below += v3_dot(up, h->corner[k]) <= centre;
    if (below > TRU_TOUCHES) choose_round(h, up, lowest + LEVEL * h->extent, &c);
    while (c.count < below && c.count < TRU_TOUCHES) {
        int next = -1;
        for (int k = 0; k < h->corner_count; k++) {
            bool taken = false;
            for (int i = 0; i < c.count; i++) taken = taken || c.corner[i] == k;
            if (!taken && (next < 0 || v3_dot(up, h->corner[k]) < v3_dot(up, h->corner[next]))) next = k;
        }
        choose(&c, next);
    }
    for (int k = 0; k < h->corner_count; k++) /* in order */
        for (int i = 0; i < c.count; i++)
            if (c.corner[i] == k) out[count++] = (tru_touch){.point = h->corner[k], .feature = k};
    return count;
}

const tru_shape tru_shape_hull = {
    .name = "hull",
    .doc = "The convex hull of points, or a random stone; it touches with corners, edges and faces.",
    .fields = fields,
    .size = sizeof(tru_hull),
    .check = hull_params_check,
    .build = hull_build,
    .unbuild = hull_unbuild,
    .bounded = true,
    .radius = hull_radius,
    .extent = hull_extent,
    .mass = hull_mass,
    .surface = hull_surface,
    .touch_plane = hull_touch_plane,
};

TRU_DEFAULTS(tru_hull, tru_default_hull, fields)

/* ---- pictures ---- */

tru_status tru_hull_mesh(const tru_hull *params, tru_mesh *out, tru_error *err) {
    tru_hull own = *params;
    tru_status s = tru_fields_check(fields, &own, "shape hull", err);
    if (s >= 0) s = hull_params_check(&own, err);
    if (s >= 0) s = hull_build(&own, NULL, err);
    if (s < 0) return s;
    const hull *h = hull_of(&own);
    *out = (tru_mesh){.point_count = h->corner_count};
    for (int k = 0; k < h->corner_count; k++) out->points[k] = h->corner[k];
    for (int f = 0; f < h->face_count; f++)
        for (int i = 1; i + 1 < h->face[f].count; i++) {
            const int *loop = h->loop + h->face[f].first;
            int32_t *t = out->triangles[out->triangle_count++];
            t[0] = loop[0];
            t[1] = loop[i];
            t[2] = loop[i + 1];
        }
    hull_unbuild(&own, NULL);
    return TRU_OK;
}
