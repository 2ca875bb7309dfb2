/* shape_capsule.c: shape "capsule", all points within a radius of a line segment along the shape's z. */
#include "math/mat.h"
#include "math/vec.h"
#include "shapes/shape.h"

static const tru_field fields[] = {
    TRU_REAL(tru_capsule, radius, TRU_UNIT_M, TRU_REQUIRED, TRU_POSITIVE,
             "Radius of the caps and of what is between them."),
    TRU_REAL(tru_capsule, length, TRU_UNIT_M, TRU_REQUIRED, TRU_POSITIVE,
             "Distance between the centres of the two caps, along the shape's z."),
    {0},
};

static tru_capsule get(const void *params) { return *(const tru_capsule *)params; }

static double capsule_radius(const void *params) { return get(params).radius + 0.5 * get(params).length; }

static double capsule_extent(const void *params) { return 2.0 * get(params).radius; }

/* A cylinder and two half balls, whose centres of mass are 3/8 of the radius outside its ends. */
static void capsule_mass(const void *params, double density, tru_mass *out) {
    const double pi = 0x1.921fb54442d18p+1;
    const double r = get(params).radius, l = get(params).length;
    const double tube = density * pi * r * r * l, caps = density * (4.0 / 3.0 * pi) * r * r * r;
    const double along = tube * 0.5 * r * r + caps * 0.4 * r * r;
    const double across = tube * (l * l / 12.0 + 0.25 * r * r) + caps * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
    *out = (tru_mass){.mass = tube + caps, .inertia = {across, across, along}};
}

/* h = r |d| + length |d_z| / 2: a ball at the upper end where d_z >= 0, else at the lower. */
static void capsule_surface(const void *params, tru_vec3 d, tru_surface *out) {
    const tru_capsule c = get(params);
    const tru_sphere ball = {c.radius};
    tru_shape_sphere.surface(&ball, d, out);
    out->point.z += d.z >= 0.0 ? 0.5 * c.length : -0.5 * c.length;
}

/* The lowest point of the lower cap; while the line is nearer to level than to upright, also where the other cap meets
 * the tube, below it. Level, both are equally low, and which is which does not matter. */
static int capsule_touch_plane(const void *params, tru_vec3 up, const tru_touch *before, int before_count,
                               tru_touch *out) {
    (void)before;
    (void)before_count;
    const tru_capsule c = get(params);
    const int lower = up.z < 0.0;
    int n = 0;
    for (int k = 0; k < 2; k++) {
        const tru_vec3 centre = v3(0.0, 0.0, k ? 0.5 * c.length : -0.5 * c.length);
        tru_vec3 towards = up;
        if (k != lower && (up.z * up.z > 0.5 || !v3_unit(v3(up.x, up.y, 0.0), &towards))) continue;
        out[n++] = (tru_touch){.point = v3_madd(centre, -c.radius, towards), .feature = k};
    }
    return n;
}

const tru_shape tru_shape_capsule = {
    .name = "capsule",
    .doc = "All points within a radius of a line segment along the shape's z; it touches a plane with its two caps.",
    .fields = fields,
    .size = sizeof(tru_capsule),
    .bounded = true,
    .radius = capsule_radius,
    .extent = capsule_extent,
    .mass = capsule_mass,
    .surface = capsule_surface,
    .touch_plane = capsule_touch_plane,
};
