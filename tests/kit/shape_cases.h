// shape_cases.h: shapes with parameters for generic tests, each with a second definition, its gauge. A new shape needs a gauge and
// a line here; unit.shapes.shapes says so if it is missing.
#ifndef TRUNDLE_TESTS_KIT_SHAPE_CASES_H
#define TRUNDLE_TESTS_KIT_SHAPE_CASES_H

#include "draw.h"
#include "plugins.h"

#include "math/quat.h"
#include "shapes/placed.h"
#include "shapes/shape.h"

// gauge(x) <= 1 where x lies in the shape; it is a second definition of the shape, of degree one, that shares no code
// with the support function. `box`: half widths of the bounding box.
typedef struct shape_case {
    const char *name;
    const tru_shape *shape;
    union {
        tru_sphere sphere;
        tru_box box;
        tru_disk disk;
        tru_ellipsoid ellipsoid;
        tru_capsule capsule;
        double lengths[8]; // of any shape, in the order of its struct
    } params;
    double (*gauge)(const double *p, tru_vec3 x);
    tru_vec3 box;
} shape_case;

static double gauge_sphere(const double *p, tru_vec3 x) { return v3_norm(x) / p[0]; }

static double gauge_box(const double *p, tru_vec3 x) {
    return 2.0 * fmax(fabs(x.x) / p[0], fmax(fabs(x.y) / p[1], fabs(x.z) / p[2]));
}

static double gauge_ellipsoid(const double *p, tru_vec3 x) { return v3_norm(v3(x.x / p[0], x.y / p[1], x.z / p[2])); }

// A thin disk is the limit of a coin: a point off its plane has gauge infinity.
static double gauge_disk(const double *p, tru_vec3 x) {
    double rim = sqrt(x.x * x.x + x.y * x.y) / p[0];
    return x.z == 0.0 ? rim : fmax(rim, 2.0 * fabs(x.z) / p[1]);
}

// x/t lies on the tube, t = rho/r, or on a cap, (|z| - t l)^2 + rho^2 = t^2 r^2.
static double gauge_capsule(const double *p, tru_vec3 x) {
    const double rho = sqrt(x.x * x.x + x.y * x.y), z = fabs(x.z), r = p[0], l = 0.5 * p[1];
    if (z <= rho / r * l) return rho / r;
    const double a = (l - r) * (l + r), b = z * l, c = z * z + rho * rho;
    return c / (b + sqrt(b * b - a * c));
}

static const shape_case shape_cases[] = {
    {"sphere", &tru_shape_sphere, {.sphere = {0.3}}, gauge_sphere, {0.3, 0.3, 0.3}},
    {"cube", &tru_shape_box, {.box = {{0.4, 0.4, 0.4}}}, gauge_box, {0.2, 0.2, 0.2}},
    {"brick", &tru_shape_box, {.box = {{0.4, 0.1, 0.9}}}, gauge_box, {0.2, 0.05, 0.45}},
    {"thin disk", &tru_shape_disk, {.disk = {0.0375, 0.0}}, gauge_disk, {0.0375, 0.0375, 0.0}},
    {"coin", &tru_shape_disk, {.disk = {0.5, 0.06}}, gauge_disk, {0.5, 0.5, 0.03}},
    {"drum", &tru_shape_disk, {.disk = {0.2, 0.9}}, gauge_disk, {0.2, 0.2, 0.45}},
    {"egg", &tru_shape_ellipsoid, {.ellipsoid = {{0.2, 0.2, 0.5}}}, gauge_ellipsoid, {0.2, 0.2, 0.5}},
    {"stone", &tru_shape_ellipsoid, {.ellipsoid = {{0.5, 0.2, 0.11}}}, gauge_ellipsoid, {0.5, 0.2, 0.11}},
    {"capsule", &tru_shape_capsule, {.capsule = {0.1, 0.5}}, gauge_capsule, {0.1, 0.1, 0.35}},
    {"pill", &tru_shape_capsule, {.capsule = {0.3, 0.2}}, gauge_capsule, {0.3, 0.3, 0.4}},
};
enum { SHAPE_CASES = sizeof shape_cases / sizeof shape_cases[0] };
#define FOR_SHAPES(c) for (const shape_case *c = shape_cases; c < shape_cases + SHAPE_CASES; c++)

static inline bool is_thin(const shape_case *c) { return c->box.z == 0.0; }

// The point of the surface in direction u from the origin.
static inline tru_vec3 surface_point(const shape_case *c, tru_vec3 u) {
    if (is_thin(c)) u.z = 0.0;
    return v3_scale(1.0 / c->gauge(c->params.lengths, u), u);
}

// The same shape with all lengths times `scale`.
static inline shape_case scaled_case(const shape_case *c, double scale) {
    shape_case s = *c;
    tru_fields_rescale(c->shape->fields, &s.params, 1.0, scale, 1.0);
    s.box = v3_scale(scale, c->box);
    return s;
}

// Is the support function smooth within `near` of u, with curvature radii below 10 times the size of the shape? It is not where an
// edge or a face touches, as near the axis of a disk: there the support point moves far at once.
static inline bool smooth_near(const shape_case *c, tru_vec3 u, double near) {
    tru_vec3 t1 = v3_zero();
    v3_unit(v3_reject(fabs(u.x) < 0.5 ? v3(1.0, 0.0, 0.0) : v3(0.0, 1.0, 0.0), u), &t1);
    const tru_vec3 t2 = v3_cross(u, t1);
    for (int k = 0; k < 8; k++) {
        const double angle = k * acos(-1.0) / 8.0;
        const tru_vec3 step = v3_scale(near, v3_add(v3_scale(cos(angle), t1), v3_scale(sin(angle), t2)));
        tru_surface s[2];
        tru_vec3 to[2] = {v3_add(u, step), v3_sub(u, step)};
        for (int i = 0; i < 2; i++) c->shape->surface(&c->params, v3_scale(1.0 / v3_norm(to[i]), to[i]), &s[i]);
        if (!(v3_norm(v3_sub(s[0].point, s[1].point)) < 20.0 * near * c->shape->radius(&c->params))) return false;
    }
    return true;
}

static inline placed place_case(const shape_case *c, tru_vec3 x, tru_mat3 r) {
    return (placed){c->shape, &c->params, x, r};
}

static inline bool same_bits(const void *a, const void *b, size_t bytes) { return memcmp(a, b, bytes) == 0; }

#endif
