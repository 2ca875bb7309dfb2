/* sums.h: eight sums in doubles, over rows of eight numbers that are doubles or floats. */
#ifndef TRUNDLE_LANES_SUMS_H
#define TRUNDLE_LANES_SUMS_H

#include "lanes/realxn.h"

#define WIDE_LANES (SIMD_ISA == SIMD_AVX512 ? 8 : SIMD_ISA == SIMD_AVX2 ? 4 : SIMD_ISA == SIMD_GENERIC ? 2 : 1)
#define WIDE_PARTS (REAL_LANES / WIDE_LANES) /* registers of doubles that a value widens to */
#if SIMD_ISA == SIMD_ONE
typedef double wide_part, wide_memory;
#else
typedef double wide_part __attribute__((vector_size(8 * WIDE_LANES)));
typedef double wide_memory __attribute__((vector_size(8 * WIDE_LANES), aligned(8), may_alias));
#endif

typedef struct f64x8 {
    wide_part p[8 / WIDE_LANES];
} f64x8;

SIMD_FN void realxn_widen(realxn a, wide_part to[WIDE_PARTS]) {
#if !defined(SIMD_FLOAT)
#pragma GCC unroll 2
    for (int k = 0; k < SIMD_PARTS; k++) to[k] = a.p[k];
#elif SIMD_ISA == SIMD_AVX512
    to[0] = _mm512_cvtps_pd(a.p[0]);
#elif SIMD_ISA == SIMD_AVX2
    to[0] = _mm256_cvtps_pd(_mm256_castps256_ps128(a.p[0]));
    to[1] = _mm256_cvtps_pd(_mm256_extractf128_ps(a.p[0], 1));
#elif SIMD_ISA == SIMD_GENERIC
    for (int k = 0; k < 4; k++) to[k] = (wide_part){(double)a.p[k / 2][k % 2 * 2], (double)a.p[k / 2][k % 2 * 2 + 1]};
#else
    to[0] = (double)a.p[0];
#endif
}

/* Stores the numbers of a value as doubles. */
SIMD_FN void realxn_store_wide(double *to, realxn a) {
    wide_part wide[WIDE_PARTS];
    realxn_widen(a, wide);
#pragma GCC unroll 8
    for (int k = 0; k < WIDE_PARTS; k++) *(wide_memory *)(void *)(to + k * WIDE_LANES) = wide[k];
}

SIMD_FN f64x8 f64x8_zero(void) {
    f64x8 r;
#pragma GCC unroll 8
    for (int k = 0; k < 8 / WIDE_LANES; k++) r.p[k] = (wide_part){0};
    return r;
}

/* Adds x^2 of the numbers at, at + 1, ... of a row of eight: the first four of the row times `low`, the others times `high`. */
SIMD_FN void f64x8_add_squares(f64x8 *sum, int at, realxn x, double low, double high) {
    wide_part wide[WIDE_PARTS];
    realxn_widen(x, wide);
#pragma GCC unroll 8
    for (int k = 0; k < WIDE_PARTS; k++) {
        const int first = at + k * WIDE_LANES;
#if SIMD_ISA == SIMD_AVX512
        const wide_part times = _mm512_insertf64x4(_mm512_set1_pd(low), _mm256_set1_pd(high), 1);
#else
        const wide_part times = (first < 4 ? low : high) - (wide_part){0};
#endif
        sum->p[first / WIDE_LANES] = sum->p[first / WIDE_LANES] + wide[k] * wide[k] * times;
    }
}

SIMD_FN void f64x8_store(double *to, f64x8 x) {
#pragma GCC unroll 8
    for (int k = 0; k < 8 / WIDE_LANES; k++) *(wide_memory *)(void *)(to + k * WIDE_LANES) = x.p[k];
}

#endif
