/* rows.h: rows of eight numbers, such as bodies {v[3], 1/m, w[3], 1/I}, turned into lanes and back. */
#ifndef TRUNDLE_LANES_ROWS_H
#define TRUNDLE_LANES_ROWS_H

#include "lanes/realxn.h"

/* Numbers along one side of the blocks that simd_transpose turns: a register of eight numbers holds two blocks. */
#define SIMD_SIDE (SIMD_WIDTH < 4 ? SIMD_WIDTH : 4)

/* Transposes the block or the two blocks in r[SIMD_SIDE]; its own inverse. */
SIMD_FN void simd_transpose(simd_part *r) {
#if SIMD_BYTES == 16 && REAL_BYTES == 8
    const simd_part a = __builtin_shufflevector(r[0], r[1], 0, 2), b = __builtin_shufflevector(r[0], r[1], 1, 3);
    r[0] = a;
    r[1] = b;
#elif SIMD_ISA != SIMD_ONE
/* SIMD_MIX: numbers i, j of x and k, l of y in each block. LOW and HIGH interleave within 16 bytes, which takes one instruction;
   rows 1 and 2 come out exchanged where 16 bytes hold two numbers instead of four. */
#if SIMD_WIDTH == 8
#define SIMD_MIX(x, y, i, j, k, l) __builtin_shufflevector(x, y, i, j, k, l, i + 4, j + 4, k + 4, l + 4)
#define OF_Y                       8
#else
#define SIMD_MIX(x, y, i, j, k, l) __builtin_shufflevector(x, y, i, j, k, l)
#define OF_Y                       4
#endif
#ifdef SIMD_FLOAT
#define LOW(x, y)  SIMD_MIX(x, y, 0, OF_Y, 1, OF_Y + 1)
#define HIGH(x, y) SIMD_MIX(x, y, 2, OF_Y + 2, 3, OF_Y + 3)
    enum { FROM_HIGH = 2 };
#else
#define LOW(x, y)  SIMD_MIX(x, y, 0, OF_Y, 2, OF_Y + 2)
#define HIGH(x, y) SIMD_MIX(x, y, 1, OF_Y + 1, 3, OF_Y + 3)
    enum { FROM_HIGH = 1 };
#endif
    const simd_part a = LOW(r[0], r[1]), b = HIGH(r[0], r[1]), c = LOW(r[2], r[3]), d = HIGH(r[2], r[3]);
    r[0] = SIMD_MIX(a, c, 0, 1, OF_Y, OF_Y + 1);
    r[FROM_HIGH] = SIMD_MIX(b, d, 0, 1, OF_Y, OF_Y + 1);
    r[3 - FROM_HIGH] = SIMD_MIX(a, c, 2, 3, OF_Y + 2, OF_Y + 3);
    r[3] = SIMD_MIX(b, d, 2, 3, OF_Y + 2, OF_Y + 3);
#undef SIMD_MIX
#undef OF_Y
#undef LOW
#undef HIGH
#else
    (void)r;
#endif
}

#if SIMD_WIDTH == 8
/* Two rows of eight to the low halves of both and the high halves of both; its own inverse. */
SIMD_FN void simd_swap_halves(simd_part *low, simd_part *high) {
    const simd_part a = *low, b = *high;
#ifdef SIMD_FLOAT
    *low = _mm256_insertf128_ps(a, _mm256_castps256_ps128(b), 1);
    *high = _mm256_permute2f128_ps(a, b, 0x31);
#else
    *low = _mm512_insertf64x4(a, _mm512_castpd512_pd256(b), 1);
    *high = _mm512_shuffle_f64x2(a, b, 0xee);
#endif
}

/* A register holds a whole row: column[j], lane i := the j-th number at base + offset[i] bytes */
SIMD_FN void realxn_load_rows(const void *base, const uint32_t offset[8], realxn column[8]) {
    simd_part r[8];
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) r[i] = *(const simd_memory *)(const void *)((const char *)base + offset[i]);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) simd_swap_halves(&r[i], &r[i + 4]);
    simd_transpose(r);
    simd_transpose(r + 4);
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) column[i].p[0] = r[i];
}

/* Adds to those rows, or subtracts from them: row[j] +-= column[j]. Rows with one offset must change by zero. */
SIMD_FN void simd_change_rows(void *base, const uint32_t offset[8], const realxn column[8], bool add) {
    simd_part r[8];
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) r[i] = column[i].p[0];
    simd_transpose(r);
    simd_transpose(r + 4);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) simd_swap_halves(&r[i], &r[i + 4]);
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        simd_memory *to = (simd_memory *)(void *)((char *)base + offset[i]);
        *to = add ? *to + r[i] : *to - r[i];
    }
}
#else
/* column[j], lane i := the j-th number at base + offset[i] bytes */
SIMD_FN void realxn_load_rows(const void *base, const uint32_t offset[REAL_LANES], realxn column[8]) {
#pragma GCC unroll 4
    for (int k = 0; k < SIMD_PARTS; k++) {
#pragma GCC unroll 4
        for (int j = 0; j < 8; j += SIMD_SIDE) {
            simd_part r[SIMD_SIDE];
#pragma GCC unroll 4
            for (int i = 0; i < SIMD_SIDE; i++)
                r[i] = *(const simd_memory *)(const void *)((const char *)base + offset[SIMD_WIDTH * k + i] +
                                                            REAL_BYTES * j);
            simd_transpose(r);
#pragma GCC unroll 4
            for (int i = 0; i < SIMD_SIDE; i++) column[j + i].p[k] = r[i];
        }
    }
}

/* Adds to those rows, or subtracts from them: row[j] +-= column[j]. Rows with one offset must change by zero. */
SIMD_FN void simd_change_rows(void *base, const uint32_t offset[REAL_LANES], const realxn column[8], bool add) {
#pragma GCC unroll 4
    for (int k = 0; k < SIMD_PARTS; k++) {
#pragma GCC unroll 4
        for (int j = 0; j < 8; j += SIMD_SIDE) {
            simd_part r[SIMD_SIDE];
#pragma GCC unroll 4
            for (int i = 0; i < SIMD_SIDE; i++) r[i] = column[j + i].p[k];
            simd_transpose(r);
#pragma GCC unroll 4
            for (int i = 0; i < SIMD_SIDE; i++) {
                simd_memory *to = (simd_memory *)(void *)((char *)base + offset[SIMD_WIDTH * k + i] + REAL_BYTES * j);
                *to = add ? *to + r[i] : *to - r[i];
            }
        }
    }
}
#endif

SIMD_FN void realxn_add_rows(void *base, const uint32_t offset[REAL_LANES], const realxn column[8]) {
    simd_change_rows(base, offset, column, true);
}

SIMD_FN void realxn_sub_rows(void *base, const uint32_t offset[REAL_LANES], const realxn column[8]) {
    simd_change_rows(base, offset, column, false);
}

#ifndef SIMD_FLOAT
/* The same where the rows lie anywhere: column[j], lane i := row[i][first + j]; and back. */
SIMD_FN void realxn_take(const double *const row[REAL_LANES], int first, realxn column[8]) {
#pragma GCC unroll 4
    for (int k = 0; k < SIMD_PARTS; k++) {
#pragma GCC unroll 4
        for (int j = 0; j < 8; j += SIMD_SIDE) {
            simd_part r[SIMD_SIDE];
#pragma GCC unroll 4
            for (int i = 0; i < SIMD_SIDE; i++) {
                const double *const *p = row + SIMD_WIDTH * k + i;
#if SIMD_ISA == SIMD_AVX512
                r[i] = _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(p[0] + first + j)),
                                          _mm256_loadu_pd(p[4] + first + j), 1);
#else
                r[i] = *(const simd_memory *)(const void *)(p[0] + first + j);
#endif
            }
            simd_transpose(r);
#pragma GCC unroll 4
            for (int i = 0; i < SIMD_SIDE; i++) column[j + i].p[k] = r[i];
        }
    }
}

SIMD_FN void realxn_give(double *const row[REAL_LANES], int first, const realxn column[8]) {
#pragma GCC unroll 4
    for (int k = 0; k < SIMD_PARTS; k++) {
#pragma GCC unroll 4
        for (int j = 0; j < 8; j += SIMD_SIDE) {
            simd_part r[SIMD_SIDE];
#pragma GCC unroll 4
            for (int i = 0; i < SIMD_SIDE; i++) r[i] = column[j + i].p[k];
            simd_transpose(r);
#pragma GCC unroll 4
            for (int i = 0; i < SIMD_SIDE; i++) {
                double *const *p = row + SIMD_WIDTH * k + i;
#if SIMD_ISA == SIMD_AVX512
                _mm256_storeu_pd(p[0] + first + j, _mm512_castpd512_pd256(r[i]));
                _mm256_storeu_pd(p[4] + first + j, _mm512_extractf64x4_pd(r[i], 1));
#else
                *(simd_memory *)(void *)(p[0] + first + j) = r[i];
#endif
            }
        }
    }
}
#endif

#endif
