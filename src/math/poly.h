/* poly.h: roots of polynomials of small degree with real coefficients; a[k] multiplies x^k.

   Leading zeros are dropped. Coefficients may differ by hundreds of orders of magnitude; scaling the polynomial or x by
   powers of two scales the roots and changes no other bit. */
#ifndef TRUNDLE_MATH_POLY_H
#define TRUNDLE_MATH_POLY_H

#include "math/vec.h"

enum { TRU_POLY_DEGREE = 8 };

/* Returns p(x). *slope gets p'(x) and *noise a bound of the rounding error of p(x); either may be NULL. */
double tru_poly_value(const double *a, int degree, double x, double *slope, double *noise);

/* Finds the distinct real roots in ascending order and returns their number; -1 if a coefficient is not finite, all are zero, or the degree
   is above TRU_POLY_DEGREE. Every change of sign is a root, and every point where p is zero within its rounding error. */
int tru_poly_real_roots(const double *a, int degree, double *root);

/* Finds all complex roots (x real, y imaginary part), with multiplicity, by ascending real part; complex ones are exactly conjugate pairs,
   lower first. Returns their number, which is the degree without leading zeros, or -1 as above. The residual of each root has the size of
   the rounding error, so that a root of multiplicity m is found to about the m-th root of a round-off. */
int tru_poly_roots(const double *a, int degree, vec2 *root);

#endif
