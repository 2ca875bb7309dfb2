/* quat.h: unit quaternions (w, x, y, z), body to world, by value. */
#ifndef TRUNDLE_MATH_QUAT_H
#define TRUNDLE_MATH_QUAT_H

#include "math/elementary/elementary.h"
#include "math/mat.h"
#include "math/vec.h"

static inline tru_quat quat_identity(void) { return (tru_quat){1.0, 0.0, 0.0, 0.0}; }

/* Returns rotation b followed by rotation a. */
static inline tru_quat quat_mul(tru_quat a, tru_quat b) {
    return (tru_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline tru_quat quat_conj(tru_quat q) { return (tru_quat){q.w, -q.x, -q.y, -q.z}; }

static inline tru_quat quat_scale(double s, tru_quat q) { return (tru_quat){s * q.w, s * q.x, s * q.y, s * q.z}; }

static inline tru_vec3 quat_vec(tru_quat q) { return v3(q.x, q.y, q.z); }

static inline double quat_norm2(tru_quat q) { return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z; }

static inline bool quat_is_finite(tru_quat q) { return (0.0 * q.w + 0.0 * q.x) + (0.0 * q.y + 0.0 * q.z) == 0.0; }

/* Returns q v q*, from body to world axes; q is a unit quaternion. */
static inline tru_vec3 quat_rotate(tru_quat q, tru_vec3 v) {
    tru_vec3 u = quat_vec(q);
    tru_vec3 t = v3_cross(u, v);
    t = v3_add(t, t);
    return v3_add(v3_madd(v, q.w, t), v3_cross(u, t));
}

/* Returns q* v q, from world to body axes. */
static inline tru_vec3 quat_unrotate(tru_quat q, tru_vec3 v) { return quat_rotate(quat_conj(q), v); }

/* Returns the matrix whose columns are the body axes in world axes; q is a unit quaternion. */
static inline tru_mat3 quat_to_matrix(tru_quat q) {
    double x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    double xx = q.x * x2, yy = q.y * y2, zz = q.z * z2, xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    double wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return (tru_mat3){{{1.0 - (yy + zz), xy - wz, xz + wy},
                       {xy + wz, 1.0 - (xx + zz), yz - wx},
                       {xz - wy, yz + wx, 1.0 - (xx + yy)}}};
}

/* Sets *unit to q / |q|; false, with *unit unchanged, if q is zero or not finite. */
static inline bool quat_unit(tru_quat q, tru_quat *unit) {
    double s = quat_norm2(q);
    if (!(s > 0x1p-900 && s < 0x1p900)) {
        q = quat_scale(s < 1.0 ? 0x1p600 : 0x1p-600, q);
        s = quat_norm2(q);
        if (!(s > 0.0 && isfinite(s))) return false;
    }
    *unit = quat_scale(1.0 / sqrt(s), q);
    return true;
}

/* Returns q / |q|. If q is unit to about 1e-8, as after a product, 1 - e/2 with e = |q|^2 - 1 is 1/|q| to round-off; otherwise a square root
   is used. Zero and non-finite q give NaN. */
static inline tru_quat quat_renormalise(tru_quat q) {
    double e = quat_norm2(q) - 1.0;
    if (fabs(e) < 0x1p-27) return quat_scale(1.0 - 0.5 * e, q);
    return quat_scale(1.0 / sqrt(quat_norm2(q)), q);
}

/* Returns the unit quaternion of a rotation matrix, orthonormal to round-off with determinant +1. The largest of the four components is
   found first, so that nothing is divided by a small number. w >= 0 unless w is small. */
static inline tru_quat quat_from_matrix(tru_mat3 r) {
    double xx = r.m[0][0], yy = r.m[1][1], zz = r.m[2][2], tr = xx + yy + zz;
    tru_vec3 odd = v3(r.m[2][1] - r.m[1][2], r.m[0][2] - r.m[2][0], r.m[1][0] - r.m[0][1]);
    tru_vec3 even = v3(r.m[2][1] + r.m[1][2], r.m[0][2] + r.m[2][0], r.m[1][0] + r.m[0][1]);
    tru_quat q; /* four times the largest component times q */
    if (tr >= xx && tr >= yy && tr >= zz)
        q = (tru_quat){1.0 + tr, odd.x, odd.y, odd.z};
    else if (xx >= yy && xx >= zz)
        q = (tru_quat){odd.x, 1.0 + xx - yy - zz, even.z, even.y};
    else if (yy >= zz)
        q = (tru_quat){odd.y, even.z, 1.0 + yy - xx - zz, even.x};
    else
        q = (tru_quat){odd.z, even.y, even.x, 1.0 + zz - xx - yy};
    return quat_renormalise(quat_scale(1.0 / sqrt(quat_norm2(q)), q));
}

/* Returns the rotation by |r| about r [rad]: (cos(|r|/2), r sin(|r|/2)/|r|), to round-off for every angle. Up to |r| = 1/2 it needs
   neither root nor division. */
static inline tru_quat quat_exp(tru_vec3 r) {
    double s = 0.25 * v3_norm2(r), c, f;
    if (s <= 0x1p-4) {
        tru_sincos_of_square(s, &c, &f);
    } else {
        double half = sqrt(s), sine;
        tru_sincos(half, &sine, &c);
        f = sine / half;
    }
    f *= 0.5;
    return (tru_quat){c, f * r.x, f * r.y, f * r.z};
}

/* Returns the shorter rotation vector [rad] of q, at most pi long: quat_exp(quat_log(q)) is q or -q. Below |v| = 1e-8 the arc equals its
   sine to round-off, and v^2 may underflow. */
static inline tru_vec3 quat_log(tru_quat q) {
    tru_vec3 v = quat_vec(q.w < 0.0 ? quat_scale(-1.0, q) : q);
    double n = v3_norm(v);
    return v3_scale(n < 0x1p-27 ? 2.0 : 2.0 * tru_atan2(n, fabs(q.w)) / n, v);
}

/* Returns the orientation after a rotation with angular velocity w [rad/s], in world axes, for h [s]: exp(h w) q, renormalised. */
static inline tru_quat quat_integrate(tru_quat q, tru_vec3 w, double h) {
    return quat_renormalise(quat_mul(quat_exp(v3_scale(h, w)), q));
}

#endif
