/* asin_rest.h: the polynomial of the arc sine, shared by the scalar function and the lanes of law contensou. */
#ifndef TRUNDLE_MATH_ELEMENTARY_ASIN_REST_H
#define TRUNDLE_MATH_ELEMENTARY_ASIN_REST_H

/* Coefficients of (asin(t) - t) / t^3 in powers of t^2 for |t| <= 1/2; the error of the minimax polynomial is 2^-59.8 t. */
static const double asin_rest_of[13] = {
    0x1.5555555555578p-3, 0x1.333333332df05p-4,  0x1.6db6db722c070p-5, 0x1.f1c71a8b69b0cp-6, 0x1.6e8bdfeb6fcadp-6,
    0x1.1c49ddb510c6ep-6, 0x1.ca214aab1be76p-7,  0x1.75775e4fa17c9p-7, 0x1.618ba7cf92ad9p-7, 0x1.e14e884929d67p-9,
    0x1.65058a6644f13p-6, -0x1.59fb1a7749affp-6, 0x1.0be5b8c512d03p-5};

#endif
