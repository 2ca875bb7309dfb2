/* A stream of random test values that remembers its seed and its place. */
#ifndef TRUNDLE_TESTS_UNIT_MATH_DRAW_H
#define TRUNDLE_TESTS_UNIT_MATH_DRAW_H

#include <math.h>
#include <stdint.h>

#include "math/random.h"
#include "math/vec.h"

typedef struct draw {
    uint64_t seed, id, index;
} draw;

static inline uint64_t draw_bits(draw *d) { return tru_random_u64(d->seed, d->id, d->index++); }

/* uniform in [a, b) */
static inline double draw_in(draw *d, double a, double b) {
    return a + (b - a) * tru_random_uniform(d->seed, d->id, d->index++);
}

/* a whole number in [0, n) */
static inline int draw_int(draw *d, int n) { return (int)draw_in(d, 0.0, n); }

/* sign random, magnitude 2^[low, high) */
static inline double draw_wide(draw *d, double low, double high) {
    double e = floor(draw_in(d, low, high));
    return ldexp(draw_bits(d) & 1 ? draw_in(d, 1.0, 2.0) : -draw_in(d, 1.0, 2.0), (int)e);
}

static inline tru_vec3 draw_vec(draw *d) {
    double x = draw_in(d, -1.0, 1.0), y = draw_in(d, -1.0, 1.0);
    return v3(x, y, draw_in(d, -1.0, 1.0));
}

static inline tru_vec3 draw_unit(draw *d) {
    tru_vec3 v = draw_vec(d), u;
    while (v3_norm2(v) > 1.0 || !v3_unit(v, &u)) v = draw_vec(d);
    return u;
}

#endif
