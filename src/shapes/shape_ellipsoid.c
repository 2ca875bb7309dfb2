/* shape_ellipsoid.c: shape "ellipsoid" with three semi-axes along the shape's axes, about its origin.
 *
 * E = diag(a^2, b^2, c^2), h(d) = sqrt(d^T E d), X = E d / h, second derivative (E - X X^T) / h. */
#include "math/mat.h"
#include "math/vec.h"
#include "shapes/shape.h"

static const tru_field fields[] = {
    TRU_VEC3(tru_ellipsoid, semi_axes, TRU_UNIT_M, TRU_REQUIRED, TRU_POSITIVE,
             "Half of the lengths along the shape's x, y and z."),
    {0},
};

static tru_vec3 semi_axes(const void *params) { return ((const tru_ellipsoid *)params)->semi_axes; }

static double ellipsoid_radius(const void *params) { return v3_max_abs(semi_axes(params)); }

static double ellipsoid_extent(const void *params) {
    tru_vec3 a = semi_axes(params);
    return 2.0 * fmin(a.x, fmin(a.y, a.z));
}

static void ellipsoid_mass(const void *params, double density, tru_mass *out) {
    const double pi = 0x1.921fb54442d18p+1;
    tru_vec3 a = semi_axes(params);
    double mass = density * (4.0 / 3.0 * pi) * a.x * a.y * a.z, f = mass / 5.0;
    double xx = a.x * a.x, yy = a.y * a.y, zz = a.z * a.z;
    *out = (tru_mass){.mass = mass, .inertia = {f * (yy + zz), f * (xx + zz), f * (xx + yy)}};
}

/* With A = sqrt(E) and the unit vector w = A d / h the second derivative is A (1 - w w^T) A / h, where 1 - w_x^2 is
 * w_y^2 + w_z^2: no cancellation however long or flat the ellipsoid is. */
static void ellipsoid_surface(const void *params, tru_vec3 d, tru_surface *out) {
    tru_vec3 a = semi_axes(params), ad = v3_mul(a, d);
    double h = v3_norm(ad);
    tru_vec3 w = v3(ad.x / h, ad.y / h, ad.z / h);
    double xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
    double xy = -(a.x * w.x) * (a.y * w.y) / h, xz = -(a.x * w.x) * (a.z * w.z) / h;
    double yz = -(a.y * w.y) * (a.z * w.z) / h;
    out->point = v3_mul(a, w);
    out->hessian = (tru_mat3){{{a.x * a.x * (yy + zz) / h, xy, xz},
                               {xy, a.y * a.y * (xx + zz) / h, yz},
                               {xz, yz, a.z * a.z * (xx + yy) / h}}};
}

static int ellipsoid_touch_plane(const void *params, tru_vec3 up, const tru_touch *before, int before_count,
                                 tru_touch *out) {
    (void)before;
    (void)before_count;
    tru_vec3 a = semi_axes(params), ad = v3_mul(a, up);
    out[0] = (tru_touch){.point = v3_scale(-1.0 / v3_norm(ad), v3_mul(a, ad))};
    return 1;
}

const tru_shape tru_shape_ellipsoid = {
    .name = "ellipsoid",
    .doc = "An ellipsoid about the shape's origin with its axes along the shape's axes.",
    .fields = fields,
    .size = sizeof(tru_ellipsoid),
    .bounded = true,
    .radius = ellipsoid_radius,
    .extent = ellipsoid_extent,
    .mass = ellipsoid_mass,
    .surface = ellipsoid_surface,
    .touch_plane = ellipsoid_touch_plane,
};
