/* elementary.h: elementary functions within 1 ulp of the true value and with the same bits on every machine.

   They use only + - * /, sqrt and moves of bits, compiled without contraction. The functions of libm change their last bits with the
   instruction set. There is no pow: callers write x * sqrt(x), tru_cbrt(x) or tru_exp(y * tru_log(x)), whose error is about
   |y log x| ulp. */
#ifndef TRUNDLE_MATH_ELEMENTARY_ELEMENTARY_H
#define TRUNDLE_MATH_ELEMENTARY_ELEMENTARY_H

/* Return sine, cosine and tangent of any finite x [rad]; NaN for infinities. */
double tru_sin(double x);
double tru_cos(double x);
void tru_sincos(double x, double *sine, double *cosine);
double tru_tan(double x);

/* Sets cos x and sin(x) / x from the square s = x^2 <= 1/16, by minimax polynomials with errors of 2^-63 and 2^-67. */
static inline void tru_sincos_of_square(double s, double *cosine, double *ratio) {
    const double s2 = s * s;
    const double c =
        (0x1.55555555552b6p-5 - s * 0x1.6c16c169b8577p-10) + s2 * (0x1.a019ea1ec6628p-16 - s * 0x1.2783caa123e14p-22);
    const double f =
        (0x1.1111111110f24p-7 - s * 0x1.a01a019de21dep-13) + s2 * (0x1.71de2881ff108p-19 - s * 0x1.ade24728476a1p-26);
    *cosine = 1.0 - (0.5 * s - s2 * c);
    *ratio = 1.0 - (s * 0x1.5555555555555p-3 - s2 * f);
}

/* Sets sine and cosine of an angle [rad] within 2 ulp; fast for |x| <= 1/4. */
static inline void tru_sincos_small(double x, double *sine, double *cosine) {
    if (!(x * x <= 0x1p-4)) {
        tru_sincos(x, sine, cosine);
        return;
    }
    tru_sincos_of_square(x * x, cosine, sine);
    *sine *= x;
}

/* Return angles [rad]: atan in [-pi/2, pi/2]; atan2 of the point (x, y) in [-pi, pi], with zeros and infinities as in annex F of C;
   asin and acos are NaN outside [-1, 1]. */
double tru_atan(double x);
double tru_atan2(double y, double x);
double tru_asin(double x);
double tru_acos(double x);

/* exp is infinite above 709.78 and 0 below -745.13. log of 0 is -infinity, of negative numbers NaN. cbrt(8 x) is exactly 2 cbrt(x), so
   that a change of units by a power of two changes no bits. */
double tru_exp(double x);
double tru_log(double x);
double tru_cbrt(double x);

#endif
