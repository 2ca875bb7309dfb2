/* gyro.c: the mean rate of a body that rotates freely, by Newton's method with a line search. */
#include "world/rotation/gyro.h"

#include "base/assert.h"

enum { SEARCH_STEPS = 200, SEARCH_HALVINGS = 40 }; /* largest numbers of iterations and of halvings of one change */

/* Returns I u + h/2 u x I u - aim. */
static tru_vec3 gyro_miss(const tru_mat3 *inertia, tru_vec3 aim, double h, tru_vec3 u) {
    const tru_vec3 spin = m3_apply(*inertia, u);
    return v3_sub(v3_add(spin, v3_cross(v3_scale(0.5 * h, u), spin)), aim);
}

bool trui_gyro_search(const tru_mat3 *inertia, tru_vec3 aim, double h, tru_vec3 *u) {
    TRU_ASSERT(h >= 0.0);
    tru_vec3 miss = gyro_miss(inertia, aim, h, *u);
    for (int i = 0; i < SEARCH_STEPS; i++) {
        const tru_vec3 half = v3_scale(0.5 * h, *u), spin = v3_scale(0.5 * h, m3_apply(*inertia, *u));
        const tru_mat3 turn = m3_sub(m3_mul(m3_skew(half), *inertia), m3_skew(spin));
        tru_mat3 answer;
        if (!m3_inverse(m3_add(*inertia, turn), &answer)) return false;
        const tru_vec3 change = m3_apply(answer, miss);
        const double size = v3_norm2(miss);
        double part = 1.0;
        tru_vec3 next = v3_sub(*u, change), left = gyro_miss(inertia, aim, h, next);
        for (int k = 0; k < SEARCH_HALVINGS && !(v3_norm2(left) < size); k++) {
            part *= 0.5;
            next = v3_madd(*u, -part, change);
            left = gyro_miss(inertia, aim, h, next);
        }
        const bool done = !(v3_norm2(change) > GYRO_DONE * v3_norm2(next));
        if (!done && !(v3_norm2(left) < size)) return false;
        *u = next;
        miss = left;
        if (done) return true;
    }
    return false;
}
