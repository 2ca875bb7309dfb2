/* limit_body.c: response of a contact point to a contact force, for a body with loads and blocked axes.
 *
 * | [slip-roll-equations 3] | name | unit |
 * |---|---|---|
 * | r | body.arm, from P to C | m |
 * | tau = T_C - omega x J omega | torque with the gyroscopic part | N m |
 * | K, J^-1 without blocked axes | mobility | 1/(kg m^2) |
 * | G = 1/m - [r] K [r], b | response, free_point | 1/kg, m/s^2 |
 * | w_P = H (omega x n)_t | path | m/s |
 *
 * Blocked axes B: B domega/dt = beta with beta = -dB/dt omega, so
 *   domega/dt = K (tau - r x F) + J^-1 B^T (B J^-1 B^T)^-1 beta,  K = J^-1 - J^-1 B^T (B J^-1 B^T)^-1 B J^-1. */
#include <trundle/analysis.h>

#include "base/assert.h"
#include "base/error.h"
#include "math/mat.h"

/* Removes blocked axes from the mobility one by one, and corrects `rate` so that axis . omega stays constant. Returns false if an axis
 * depends on those before. */
static bool block(tru_mat3 *mobility, tru_vec3 *rate, tru_vec3 omega, const tru_blocked *axes, int count) {
    for (int i = 0; i < count; i++) {
        const tru_vec3 moved = m3_apply(*mobility, axes[i].axis);
        const double width = v3_dot(axes[i].axis, moved);
        const double before = v3_norm2(axes[i].axis) * m3_trace(*mobility);
        if (!(width > 0x1p-40 * before)) return false;
        const double beta = -v3_dot(axes[i].axis_rate, omega);
        *rate = v3_madd(*rate, (beta - v3_dot(axes[i].axis, *rate)) / width, moved);
        TRU_ASSERT(i < 3);
        *mobility = m3_madd(*mobility, -1.0 / width, m3_outer(moved, moved));
    }
    return true;
}

/* Fails if mass, frame or number of blocked axes is out of range. */
static tru_status check_body(const tru_limit_body *b, tru_error *err) {
    const double skew = fabs(v3_dot(b->normal, v3_cross(b->t1, b->t2)) - 1.0) + fabs(v3_norm2(b->t1) - 1.0) +
                        fabs(v3_norm2(b->t2) - 1.0) + fabs(v3_norm2(b->normal) - 1.0);
    if (!(b->mass > 0.0 && isfinite(b->mass)))
        return tru_fail(err, TRU_OUT_OF_RANGE, "limit directions: mass is %.6g kg, must be above 0 kg", b->mass);
    if (!(skew < 1e-9))
        return tru_fail(err, TRU_BAD_ARGUMENT, "limit directions: t1, t2, normal are not orthonormal and right-handed");
    if (b->blocked_count < 0 || b->blocked_count > 3)
        return tru_fail(err, TRU_OUT_OF_RANGE, "limit directions: blocked_count is %d, must be 0 to 3",
                        b->blocked_count);
    return TRU_OK;
}

tru_status tru_limit_problem_of(const tru_limit_body *b, tru_limit_problem *out, tru_error *err) {
    if (!b || !out) return tru_fail(err, TRU_BAD_ARGUMENT, "limit directions need a body and a place for the answer");
    const tru_status s = check_body(b, err);
    if (s < 0) return s;
    const tru_mat3 axes = m3_rows(b->t1, b->t2, b->normal); /* world to contact axes */
    tru_mat3 mobility;
    if (!m3_spd_inverse(b->inertia, &mobility))
        return tru_fail(err, TRU_OUT_OF_RANGE, "limit directions: the inertia is not positive definite");
    const tru_vec3 w = b->angular_velocity;
    const tru_vec3 torque = v3_sub(b->torque, v3_cross(w, m3_apply(b->inertia, w)));
    tru_vec3 rate = m3_apply(mobility, torque);
    if (!block(&mobility, &rate, w, b->blocked, b->blocked_count))
        return tru_fail(err, TRU_OUT_OF_RANGE, "limit directions: the blocked axes are not linearly independent");

    const tru_vec3 turn = m3_apply(axes, w), r = m3_apply(axes, b->arm);
    const double *h = b->inverse_curvature;
    const vec2 path = v2(h[0] * turn.y - h[1] * turn.x, h[1] * turn.y - h[2] * turn.x);
    const tru_mat3 inverse = m3_rotate_sym(axes, mobility), cross = m3_skew(r);
    const tru_vec3 free_rate = m3_apply(axes, rate);
    const tru_vec3 arm_rate = v3_sub(v3_cross(turn, r), v3(path.x, path.y, 0.0)); /* dr/dt = omega x r - w_P */
    tru_mat3 g = m3_scale(-1.0, m3_mul(cross, m3_mul(inverse, cross)));
    for (int i = 0; i < 3; i++) g.m[i][i] += 1.0 / b->mass;
    g.m[1][0] = g.m[0][1];
    g.m[2][0] = g.m[0][2];
    g.m[2][1] = g.m[1][2];
    const tru_vec3 fall = v3_scale(1.0 / b->mass, m3_apply(axes, b->force));
    *out = (tru_limit_problem){.response = g,
                               .free_point = v3_sub(v3_add(fall, v3_cross(r, free_rate)), v3_cross(turn, arm_rate)),
                               .turning = m3_scale(-1.0, m3_mul(inverse, cross)),
                               .free_turning = free_rate,
                               .path = {path.x, path.y},
                               .slide = b->slide,
                               .slide_static = b->slide_static,
                               .stribeck = b->stribeck};
    return TRU_OK;
}
