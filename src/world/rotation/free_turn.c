/* free_turn.c: rotation of a free body without torque, which keeps its angular momentum and its energy for any step. */
#include "world/rotation/free_turn.h"

#include "math/elementary/elementary.h"
#include "math/quat.h"

#define NEWTON_LIMIT 12      /* steps; four are usual */
#define NEWTON_NEAR  0x1p-80 /* [-] squared relative size of a last step: the next one would be below round-off */
#define TURN_LIMIT   2.25    /* [-] of (h |y| / 2)^2: a turn of 3 rad; tan has its pole at (pi/2)^2 = 2.47 */
#define PARTS_LIMIT  1024    /* parts of a step, tried in powers of two */

/* tan(u) / u of a square u^2, and the derivative of that with respect to u^2. */
static double tangent_ratio(double square, double *slope) {
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

/* The rate y [rad/s] of the turn by Newton's method from the guess in *y; false: it did not get there. */
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

/* One part of a step: sets q; false: no rate was found, and nothing has changed. */
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

/* The whole step in this many parts. */
static bool turn_in_parts(body *b, tru_vec3 momentum, double h, int parts) {
    const tru_quat q = b->q;
    for (int i = 0; i < parts; i++) {
        if (turn_part(b, momentum, h / parts)) continue;
        b->q = q;
        return false;
    }
    return true;
}

double trui_free_turn(body *b, tru_mat3 inertia, double h) {
    const tru_vec3 w = b->w, momentum = m3_apply(inertia, w);
    if (v3_norm2(w) == 0.0 || !v3_is_finite(w)) return 0.0;
    int parts = 1;
    while (parts <= PARTS_LIMIT && !turn_in_parts(b, momentum, h, parts)) parts *= 2;
    if (parts > PARTS_LIMIT) return NAN;
    b->w = m3_apply(body_turned(b, body_inverse_of(b)), momentum);
    return 0.5 * v3_dot(momentum, v3_sub(b->w, w));
}
