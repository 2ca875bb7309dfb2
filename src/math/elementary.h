/* Our own elementary functions: within 1 ulp of the true value and equal to the last bit on every machine.

   They use only + - * /, sqrt and moves of bits, compiled without contraction, because libm's versions change their
   last bits with the instruction set. There is no pow: write x * sqrt(x), tru_cbrt or tru_exp(y * tru_log(x)), the
   last with an error of about |y log x| ulp. */
#ifndef TRUNDLE_MATH_ELEMENTARY_H
#define TRUNDLE_MATH_ELEMENTARY_H

/* Sine and cosine of x [rad], any finite x; NaN for infinities. */
double tru_sin(double x);
double tru_cos(double x);
void tru_sincos(double x, double *sine, double *cosine);
double tru_tan(double x);

/* Angles [rad]: atan in [-pi/2, pi/2]; atan2 of the point (x, y) in [-pi, pi] with the signs of zeros and infinities
   as in C's annex F; asin and acos NaN outside [-1, 1]. */
double tru_atan(double x);
double tru_atan2(double y, double x);
double tru_asin(double x);
double tru_acos(double x);

/* exp overflows to infinity above 709.78 and fades through denormals to 0 below -745.13; log of 0 is -infinity, of
   negative numbers NaN. cbrt(8 x) is exactly 2 cbrt(x), so it may be taken of a volume in any unit. */
double tru_exp(double x);
double tru_log(double x);
double tru_cbrt(double x);

#endif
