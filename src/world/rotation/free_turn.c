/* free_turn.c: torque-free rotation of a body that conserves angular momentum and energy for any step. */
#include "world/rotation/free_turn.h"

#include "base/assert.h"
#include "math/elementary/elementary.h"
#include "math/quat.h"

#define NEWTON_LIMIT 12      /* iterations; four are usual */
#define NEWTON_NEAR  0x1p-80 /* [-] squared relative size of the last change; the next one would be below round-off */
#define TURN_LIMIT   2.25    /* [-] largest (h |y| / 2)^2: a rotation by 3 rad; tan has its pole at (pi/2)^2 = 2.47 */
#define PARTS_LIMIT  1024    /* largest number of parts of a step */

/* Returns tan(u) / u from the square u^2, and sets its derivative with respect to u^2. */
static double tangent_ratio(double square, double *slope) {
    TRU_ASSERT(square >= 0.0 && square < TURN_LIMIT);
    double cosine, ratio;
    if (square <= 0x1p-4) {
        tru_sincos_of_square(square, &cosine, &ratio);
    } else {
        const double u = sqrt(square);
        tru_sincos(u, &ratio, &cosine);
        ratio /= u;
    }
    const double c = ratio / cosine;
    *slope = square > 0x1p-20 ? 0.5 * ((1.0 - c) / square + c * c) : 1.0 / 3.0;
    return c;
}

/* Finds the rate y [rad/s] of the rotation by Newton's method from the guess in *y; false if it does not converge. */
static bool find_rate(tru_mat3 inertia, tru_vec3 momentum, double h, tru_vec3 *y) {
    const double half = 0.5 * h;
    for (int i = 0; i < NEWTON_LIMIT; i++) {
        const double square = half * half * v3_norm2(*y);
        if (!(square < TURN_LIMIT)) return false;
        double slope;
        const double g = half * tangent_ratio(square, &slope);
        const tru_vec3 mean = m3_apply(inertia, *y), across = v3_cross(*y, mean);
        const tru_vec3 left = v3_sub(momentum, v3_madd(mean, g, across));
        tru_mat3 jacobian = m3_madd(inertia, g, m3_sub(m3_mul(m3_skew(*y), inertia), m3_skew(mean))), inverse;
        jacobian = m3_madd(jacobian, 2.0 * half * half * half * slope, m3_outer(across, *y));
        if (!m3_inverse(jacobian, &inverse)) return false;
        const tru_vec3 change = m3_apply(inverse, left);
        *y = v3_add(*y, change);
        if (v3_norm2(change) <= NEWTON_NEAR * v3_norm2(*y)) return true;
    }
    return false;
}

/* Does one part of a step and sets q; false if no rate was found, and then nothing has changed. */
static bool turn_part(body *b, tru_vec3 momentum, double h) {
    const tru_mat3 inertia = body_turned(b, body_inertia_of(b)), inverse = body_turned(b, body_inverse_of(b));
    const tru_vec3 w = m3_apply(inverse, momentum);
    tru_vec3 y = v3_madd(w, -0.5 * h, m3_apply(inverse, v3_cross(w, momentum))); /* second order */
    if (!find_rate(inertia, momentum, h, &y)) {
        y = w;
        if (!find_rate(inertia, momentum, h, &y)) return false;
    }
    b->q = quat_integrate(b->q, y, h);
    return true;
}

/* Does the whole step in `parts` parts; false, with q unchanged, if one of them fails. */
static bool turn_in_parts(body *b, tru_vec3 momentum, double h, int parts) {
    TRU_ASSERT(parts >= 1 && parts <= PARTS_LIMIT);
    const tru_quat q = b->q;
    for (int i = 0; i < parts; i++) {
        if (turn_part(b, momentum, h / parts)) continue;
        b->q = q;
        return false;
    }
    return true;
}

double trui_free_turn(body *b, tru_mat3 inertia, double h) {
    TRU_ASSERT(body_is_free(b) && !b->isotropic);
    const tru_vec3 w = b->w, momentum = m3_apply(inertia, w);
    if (v3_norm2(w) == 0.0 || !v3_is_finite(w)) return 0.0;
    int parts = 1;
    while (parts <= PARTS_LIMIT && !turn_in_parts(b, momentum, h, parts)) parts *= 2;
    if (parts > PARTS_LIMIT) return NAN;
    b->w = m3_apply(body_turned(b, body_inverse_of(b)), momentum);
    return 0.5 * v3_dot(momentum, v3_sub(b->w, w));
}
