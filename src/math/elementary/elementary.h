/* Our own elementary functions: within 1 ulp of the true value and equal to the last bit on every machine.

   They use only + - * /, sqrt and moves of bits, compiled without contraction, because libm's versions change their
   last bits with the instruction set. There is no pow: write x * sqrt(x), tru_cbrt or tru_exp(y * tru_log(x)), the
   last with an error of about |y log x| ulp. */
#ifndef TRUNDLE_MATH_ELEMENTARY_ELEMENTARY_H
#define TRUNDLE_MATH_ELEMENTARY_ELEMENTARY_H

/* Sine and cosine of x [rad], any finite x; NaN for infinities. */
double tru_sin(double x);
double tru_cos(double x);
void tru_sincos(double x, double *sine, double *cosine);
double tru_tan(double x);

/* cos x, and sin x over x, of a square x^2 up to 1/16: two minimax polynomials (errors 2^-63 and 2^-67). */
static inline void tru_sincos_of_square(double s, double *cosine, double *ratio) {
    const double s2 = s * s;
    const double c =
        (0x1.55555555552b6p-5 - s * 0x1.6c16c169b8577p-10) + s2 * (0x1.a019ea1ec6628p-16 - s * 0x1.2783caa123e14p-22);
    const double f =
        (0x1.1111111110f24p-7 - s * 0x1.a01a019de21dep-13) + s2 * (0x1.71de2881ff108p-19 - s * 0x1.ade24728476a1p-26);
    *cosine = 1.0 - (0.5 * s - s2 * c);
    *ratio = 1.0 - (s * 0x1.5555555555555p-3 - s2 * f);
}

/* Sine and cosine of an angle [rad] that is mostly small; within 2 ulp. */
static inline void tru_sincos_small(double x, double *sine, double *cosine) {
    if (!(x * x <= 0x1p-4)) {
        tru_sincos(x, sine, cosine);
        return;
    }
    tru_sincos_of_square(x * x, cosine, sine);
    *sine *= x;
}

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
