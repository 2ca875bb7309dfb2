/* draw.h: random numbers for tests. A stream remembers its seed, its number and its place, so that a run can be repeated:
 *
 *     draw d = {check_seed(), 1, 0};          TRU_SEED of the environment; stream 1
 *     const double mass = draw_in(&d, 0.5, 2.0);
 *     const tru_vec3 axis = draw_unit(&d);
 */
#ifndef TRUNDLE_TESTS_KIT_DRAW_H
#define TRUNDLE_TESTS_KIT_DRAW_H

#include <math.h>
#include <stdint.h>

#include "math/quat.h"
#include "math/random.h"

#include "plugins/draw.h"

static inline uint64_t draw_bits(draw *d) { return tru_random_u64(d->seed, d->id, d->index++); }

/* each component in [-1, 1) */
static inline tru_vec3 draw_vec(draw *d) {
    double x = draw_in(d, -1.0, 1.0), y = draw_in(d, -1.0, 1.0);
    return v3(x, y, draw_in(d, -1.0, 1.0));
}

/* each component in [-size, size) */
static inline tru_vec3 draw_in_cube(draw *d, double size) { return v3_scale(size, draw_vec(d)); }

/* uniform on the unit sphere, by rejection */
static inline tru_vec3 draw_unit(draw *d) {
    tru_vec3 v = draw_vec(d), u;
    while (v3_norm2(v) > 1.0 || !v3_unit(v, &u)) v = draw_vec(d);
    return u;
}

/* about a random axis by an angle in [-3.1, 3.1) rad */
static inline tru_mat3 draw_rotation(draw *d) {
    const tru_vec3 axis = draw_unit(d);
    return quat_to_matrix(quat_renormalise(quat_exp(v3_scale(draw_in(d, -3.1, 3.1), axis))));
}

#endif
