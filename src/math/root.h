/* root.h: one zero of a function between two points where its signs differ. */
#ifndef TRUNDLE_MATH_ROOT_H
#define TRUNDLE_MATH_ROOT_H

#include <stdbool.h>

/* Returns f(x); the second form also sets the slope f'(x). */
typedef double (*root_function)(double x, void *context);
typedef double (*root_slope_function)(double x, void *context, double *slope);

/* Both functions find x in [lo, hi], f(lo) f(hi) <= 0, within xtol [unit of x] of a change of sign, or to the last bit if xtol = 0. False,
   with *root unchanged, if the signs do not differ or a value is NaN. Scaling x or f by powers of two scales every iterate, so that units do
   not matter. */

/* Finds it by inverse quadratic interpolation or, where that is not reliable, bisection [Chandrupatla 1997]. */
bool tru_root_bracket(root_function f, void *context, double lo, double hi, double xtol, double *root);

/* Finds it by Newton's method, with a bisection if a step leaves the bracket or is not halved. A bracket with ends of the same sign is bisected
   in its logarithm, so that roots of any size need at most about 64 bisections. */
bool tru_root_newton(root_slope_function f, void *context, double lo, double hi, double xtol, double *root);

#endif
