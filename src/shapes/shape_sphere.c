/* shape_sphere.c: shape "sphere", a ball about the shape's origin. */
#include "math/mat.h"
#include "math/vec.h"
#include "shapes/shape.h"

static const tru_field fields[] = {
    TRU_REAL(tru_sphere, radius, TRU_UNIT_M, TRU_REQUIRED, TRU_POSITIVE, "Radius of the sphere."),
    {0},
};

static double sphere_radius(const void *params) { return ((const tru_sphere *)params)->radius; }

static double sphere_extent(const void *params) { return 2.0 * sphere_radius(params); }

static void sphere_mass(const void *params, double density, tru_mass *out) {
    const double pi = 0x1.921fb54442d18p+1;
    double r = sphere_radius(params);
    double mass = density * (4.0 / 3.0 * pi) * r * r * r;
    double j = 0.4 * mass * r * r;
    *out = (tru_mass){.mass = mass, .inertia = {j, j, j}};
}

/* h = r |d|: X = r d, second derivative r (1 - d d^T); 1 - x^2 is written y^2 + z^2. */
static void sphere_surface(const void *params, tru_vec3 d, tru_surface *out) {
    double r = sphere_radius(params);
    double xx = d.x * d.x, yy = d.y * d.y, zz = d.z * d.z;
    double xy = r * (-d.x * d.y), xz = r * (-d.x * d.z), yz = r * (-d.y * d.z);
    out->point = v3_scale(r, d);
    out->hessian = (tru_mat3){{{r * (yy + zz), xy, xz}, {xy, r * (xx + zz), yz}, {xz, yz, r * (xx + yy)}}};
}

static int sphere_touch_plane(const void *params, tru_vec3 up, const tru_touch *before, int before_count,
                              tru_touch *out) {
    (void)before;
    (void)before_count;
    out[0] = (tru_touch){.point = v3_scale(-sphere_radius(params), up)};
    return 1;
}

const tru_shape tru_shape_sphere = {
    .name = "sphere",
    .doc = "A ball about the shape's origin.",
    .fields = fields,
    .size = sizeof(tru_sphere),
    .bounded = true,
    .radius = sphere_radius,
    .extent = sphere_extent,
    .mass = sphere_mass,
    .surface = sphere_surface,
    .touch_plane = sphere_touch_plane,
};
