/* draw.h: streams of random numbers that can be repeated from their seed.
 *
 *     draw d = {seed, 1, 0};                      stream 1
 *     const double mass = draw_in(&d, 0.5, 2.0);
 */
#ifndef TRUNDLE_IO_DRAW_H
#define TRUNDLE_IO_DRAW_H

#include <trundle/plugin.h>

#include <math.h>

typedef struct draw {
    uint64_t seed, id, index;
} draw;

/* uniform in [a, b) */
static inline double draw_in(draw *d, double a, double b) {
    return a + (b - a) * tru_random(d->seed, d->id, d->index++);
}

/* a whole number in [0, n) */
static inline int draw_int(draw *d, int n) { return (int)draw_in(d, 0.0, n); }

/* log-uniform in [a, b): every factor is as likely */
static inline double draw_log(draw *d, double a, double b) { return exp(draw_in(d, log(a), log(b))); }

/* sign random, magnitude 2^[low, high) */
static inline double draw_wide(draw *d, double low, double high) {
    double e = floor(draw_in(d, low, high));
    return ldexp(draw_int(d, 2) ? draw_in(d, 1.0, 2.0) : -draw_in(d, 1.0, 2.0), (int)e);
}

#endif
