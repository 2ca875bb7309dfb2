/* vec.h: vectors of three and two components and 2x2 matrices, by value. */
#ifndef TRUNDLE_MATH_VEC_H
#define TRUNDLE_MATH_VEC_H

#include "base/assert.h"

#include <math.h>
#include <stdbool.h>

#include <trundle/trundle.h>

/* Returns the larger of two numbers in one instruction, while fmax is a call; a NaN in b is ignored. */
static inline double larger(double a, double b) { return b > a ? b : a; }
/* Returns x limited to [-limit, limit]. */
static inline double clamp(double x, double limit) { return x > limit ? limit : x < -limit ? -limit : x; }

static inline tru_vec3 v3(double x, double y, double z) { return (tru_vec3){x, y, z}; }

static inline tru_vec3 v3_zero(void) { return (tru_vec3){0.0, 0.0, 0.0}; }

static inline tru_vec3 v3_add(tru_vec3 a, tru_vec3 b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }

static inline tru_vec3 v3_sub(tru_vec3 a, tru_vec3 b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }

static inline tru_vec3 v3_neg(tru_vec3 a) { return v3(-a.x, -a.y, -a.z); }

static inline tru_vec3 v3_scale(double s, tru_vec3 a) { return v3(s * a.x, s * a.y, s * a.z); }

/* Returns a + s b. */
static inline tru_vec3 v3_madd(tru_vec3 a, double s, tru_vec3 b) {
    return v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

/* Returns (1 - s) a + s b, exact for s = 0 and s = 1. */
static inline tru_vec3 v3_mix(tru_vec3 a, tru_vec3 b, double s) { return v3_add(v3_scale(1.0 - s, a), v3_scale(s, b)); }

/* Returns the componentwise product. */
static inline tru_vec3 v3_mul(tru_vec3 a, tru_vec3 b) { return v3(a.x * b.x, a.y * b.y, a.z * b.z); }

static inline double v3_dot(tru_vec3 a, tru_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline tru_vec3 v3_cross(tru_vec3 a, tru_vec3 b) {
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double v3_norm2(tru_vec3 a) { return v3_dot(a, a); }

/* Returns the length; accurate for components of about 1e-145 to 1e153, whose squares are normal numbers. */
static inline double v3_norm(tru_vec3 a) { return sqrt(v3_norm2(a)); }

/* Returns the largest absolute component. */
static inline double v3_max_abs(tru_vec3 a) { return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z))); }

/* Returns true if all components are finite: 0 times a finite number is 0, otherwise NaN. */
static inline bool v3_is_finite(tru_vec3 a) { return (0.0 * a.x + 0.0 * a.y) + 0.0 * a.z == 0.0; }

static inline double v3_get(tru_vec3 a, int i) {
    TRU_ASSERT(i >= 0 && i < 3);
    return i == 0 ? a.x : i == 1 ? a.y : a.z;
}

static inline tru_vec3 v3_from(const double *p) { return v3(p[0], p[1], p[2]); }

static inline void v3_store(double *p, tru_vec3 a) {
    p[0] = a.x;
    p[1] = a.y;
    p[2] = a.z;
}

/* Returns the part of a at right angles to the unit vector n. */
static inline tru_vec3 v3_reject(tru_vec3 a, tru_vec3 n) { return v3_madd(a, -v3_dot(a, n), n); }

/* Sets *unit to a / |a|; false, with *unit unchanged, if a is zero or not finite. Vectors whose squares would leave the range of normal
   numbers are scaled by a power of two first, so that every other vector works. */
static inline bool v3_unit(tru_vec3 a, tru_vec3 *unit) {
    double s = v3_norm2(a);
    if (!(s > 0x1p-900 && s < 0x1p900)) {
        a = v3_scale(s < 1.0 ? 0x1p600 : 0x1p-600, a);
        s = v3_norm2(a);
        if (!(s > 0.0 && isfinite(s))) return false;
    }
    *unit = v3_scale(1.0 / sqrt(s), a);
    return true;
}

/* Sets tangents t1, t2 of the unit vector n, so that (n, t1, t2) is orthonormal and right-handed. The smallest rotation of the nearer pole
   (+z or -z) to n moves x and y to them. It needs no square root and does not divide by less than 1. n = (0, 0, 1) gives x and y. */
static inline void v3_tangents(tru_vec3 n, tru_vec3 *t1, tru_vec3 *t2) {
    TRU_ASSERT(!(fabs(v3_norm2(n) - 1.0) > 1e-6)); /* NaN passes: the step that made it fails by itself */
    double s = n.z < 0.0 ? -1.0 : 1.0;
    double a = -1.0 / (s + n.z);
    double b = n.x * n.y * a;
    *t1 = v3(1.0 + s * (n.x * n.x * a), s * b, -s * n.x);
    *t2 = v3(b, s + n.y * n.y * a, -n.y);
}

typedef struct vec2 {
    double x, y;
} vec2;

static inline vec2 v2(double x, double y) { return (vec2){x, y}; }

static inline vec2 v2_add(vec2 a, vec2 b) { return v2(a.x + b.x, a.y + b.y); }

static inline vec2 v2_sub(vec2 a, vec2 b) { return v2(a.x - b.x, a.y - b.y); }

static inline vec2 v2_scale(double s, vec2 a) { return v2(s * a.x, s * a.y); }

static inline vec2 v2_madd(vec2 a, double s, vec2 b) { return v2(a.x + s * b.x, a.y + s * b.y); }

static inline double v2_dot(vec2 a, vec2 b) { return a.x * b.x + a.y * b.y; }

/* Returns the z component of the cross product. */
static inline double v2_cross(vec2 a, vec2 b) { return a.x * b.y - a.y * b.x; }

static inline double v2_norm(vec2 a) { return sqrt(v2_dot(a, a)); }

/* Matrix [a b; c d]. */
typedef struct mat2 {
    double a, b, c, d;
} mat2;

static inline vec2 m2_apply(mat2 p, vec2 v) { return v2(p.a * v.x + p.b * v.y, p.c * v.x + p.d * v.y); }

static inline double m2_det(mat2 p) { return p.a * p.d - p.b * p.c; }

/* Sets *inv to the inverse; false, with *inv unchanged, if the determinant is zero, not finite, or below the round-off of its two products. */
static inline bool m2_inverse(mat2 p, mat2 *inv) {
    double det = m2_det(p);
    if (!(fabs(det) > 0x1p-52 * (fabs(p.a * p.d) + fabs(p.b * p.c)) && isfinite(det))) return false;
    double s = 1.0 / det;
    *inv = (mat2){s * p.d, -s * p.b, -s * p.c, s * p.a};
    return true;
}

/* Symmetric matrix [xx xy; xy yy]. */
typedef struct sym2 {
    double xx, xy, yy;
} sym2;

static inline vec2 s2_apply(sym2 s, vec2 v) { return v2(s.xx * v.x + s.xy * v.y, s.xy * v.x + s.yy * v.y); }

static inline bool s2_inverse(sym2 s, sym2 *inv) {
    mat2 r;
    if (!m2_inverse((mat2){s.xx, s.xy, s.xy, s.yy}, &r)) return false;
    *inv = (sym2){r.a, r.b, r.d};
    return true;
}

/* Returns the tangent of the Jacobi angle, |angle| <= pi/4, that makes [app apq; apq aqq] diagonal; 0 if it is diagonal. Only ratios of
   entries matter, so that the unit of the matrix does not. */
static inline double jacobi_tangent(double app, double apq, double aqq) {
    if (apq == 0.0) return 0.0;
    double tau = (aqq - app) / (2.0 * apq);
    double t = 1.0 / (fabs(tau) + sqrt(1.0 + tau * tau));
    TRU_ASSERT(!(t > 1.0));
    return tau < 0.0 ? -t : t;
}

/* Sets eigenvalues lambda[0] >= lambda[1] and unit eigenvectors g[0] and g[1], which is g[0] turned by +90 degrees. */
static inline void s2_eigen(sym2 s, double lambda[2], vec2 g[2]) {
    double t = jacobi_tangent(s.xx, s.xy, s.yy);
    double c = 1.0 / sqrt(1.0 + t * t);
    double first = s.xx - t * s.xy, second = s.yy + t * s.xy;
    vec2 e = v2(c, -t * c);
    bool swap = second > first;
    lambda[0] = swap ? second : first;
    lambda[1] = swap ? first : second;
    g[0] = swap ? v2(-e.y, e.x) : e;
    g[1] = v2(-g[0].y, g[0].x);
}

#endif
