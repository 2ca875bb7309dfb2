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

#endif
