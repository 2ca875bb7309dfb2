/* Roots of polynomials of small degree with real coefficients; a[k] multiplies x^k.

   Leading zeros are dropped. Coefficients may differ by hundreds of orders of magnitude; scaling the polynomial or x by
   powers of two scales the roots and changes no other bit. */
#ifndef TRUNDLE_MATH_POLY_H
#define TRUNDLE_MATH_POLY_H

#include "math/vec.h"

enum { TRU_POLY_DEGREE = 8 };

/* p(x); *slope, unless NULL, gets p'(x) and *noise, unless NULL, a bound of the rounding error of p(x). */
double tru_poly_value(const double *a, int degree, double x, double *slope, double *noise);

/* The distinct real roots in ascending order; returns their number, or -1 when a coefficient is not finite, all are
   zero or the degree is above TRU_POLY_DEGREE. Every change of sign is a root; so is a point where p comes within its
   rounding error of zero without changing sign. */
int tru_poly_real_roots(const double *a, int degree, double *root);

/* All complex roots (x real, y imaginary part), each as often as its multiplicity, by ascending real part; complex ones
   come in exactly conjugate pairs, lower first. Returns their number, the degree without leading zeros, or -1 as above.
   Each root has a residual of the size of the rounding error; a root of multiplicity m is thus found to about the m-th
   root of a round-off. */
int tru_poly_roots(const double *a, int degree, vec2 *root);

#endif
