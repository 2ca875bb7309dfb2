/* One zero of a function between two points where its signs differ. */
#ifndef TRUNDLE_MATH_ROOT_H
#define TRUNDLE_MATH_ROOT_H

#include <stdbool.h>

/* f(x), and with a slope also f'(x) */
typedef double (*root_function)(double x, void *context);
typedef double (*root_slope_function)(double x, void *context, double *slope);

/* Both find x in [lo, hi], f(lo) f(hi) <= 0, to within xtol [unit of x] of a change of sign, or to the last bit when
   xtol = 0. False, with *root untouched, when the signs do not differ or a value is NaN. Scaling x or f by powers of
   two scales every iterate, so the unit does not matter. */

/* By inverse quadratic interpolation where it is trusted, else bisection [Chandrupatla 1997]. */
bool tru_root_bracket(root_function f, void *context, double lo, double hi, double xtol, double *root);

/* By Newton's method, bisecting where a step leaves the bracket or is not halved. A bracket with ends of one sign is
   bisected in its logarithm, so roots of any size need at most about 64 bisections. */
bool tru_root_newton(root_slope_function f, void *context, double lo, double hi, double xtol, double *root);

#endif
