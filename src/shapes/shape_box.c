/* shape_box.c: shape "box", a rectangular block about the shape's origin, its edges along the axes. */
#include "math/mat.h"
#include "math/vec.h"
#include "shapes/shape.h"

static const tru_field fields[] = {
    TRU_VEC3(tru_box, size, TRU_UNIT_M, TRU_REQUIRED, TRU_POSITIVE, "Edge lengths along the shape's x, y and z."),
    {0},
};

static tru_vec3 box_size(const void *params) { return ((const tru_box *)params)->size; }

static double box_radius(const void *params) { return 0.5 * v3_norm(box_size(params)); }

static double box_extent(const void *params) {
    tru_vec3 s = box_size(params);
    return fmin(s.x, fmin(s.y, s.z));
}

static void box_mass(const void *params, double density, tru_mass *out) {
    tru_vec3 s = box_size(params);
    double mass = density * s.x * s.y * s.z, f = mass / 12.0;
    double xx = s.x * s.x, yy = s.y * s.y, zz = s.z * s.z;
    *out = (tru_mass){.mass = mass, .inertia = {f * (yy + zz), f * (xx + zz), f * (xx + yy)}};
}

/* Returns corner k: bit i of k is the side along axis i (shape.h). */
static tru_vec3 corner(tru_vec3 size, int k) {
    return v3(k & 1 ? 0.5 * size.x : -0.5 * size.x, k & 2 ? 0.5 * size.y : -0.5 * size.y,
              k & 4 ? 0.5 * size.z : -0.5 * size.z);
}

/* h = sum of size_i |d_i| / 2: the corner on the side of d (+ where d_i = 0), infinitely curved. */
static void box_surface(const void *params, tru_vec3 d, tru_surface *out) {
    int k = (d.x >= 0.0 ? 1 : 0) | (d.y >= 0.0 ? 2 : 0) | (d.z >= 0.0 ? 4 : 0);
    out->point = corner(box_size(params), k);
    out->hessian = m3_zero();
}

/* Finds the corners below the centre, which are all that can be nearer to the plane than the centre. */
static int box_touch_plane(const void *params, tru_vec3 up, const tru_touch *before, int before_count, tru_touch *out) {
    (void)before;
    (void)before_count;
    tru_vec3 size = box_size(params);
    int count = 0;
    for (int k = 0; k < 8; k++) {
        tru_vec3 c = corner(size, k);
        if (v3_dot(c, up) <= 0.0) out[count++] = (tru_touch){.point = c, .feature = k};
    }
    return count;
}

const tru_shape tru_shape_box = {
    .name = "box",
    .doc = "A rectangular block about the shape's origin, edges along the shape's axes; it touches with its corners.",
    .fields = fields,
    .size = sizeof(tru_box),
    .bounded = true,
    .radius = box_radius,
    .extent = box_extent,
    .mass = box_mass,
    .surface = box_surface,
    .touch_plane = box_touch_plane,
};
