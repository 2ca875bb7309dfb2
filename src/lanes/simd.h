/* simd.h: several doubles at once, with the same bits on every instruction set; the only file with intrinsics.

   A kernel is one .c file, written with f64xn and the functions below, each of its functions marked SIMD_FN (helpers) or
   SIMD_TARGET (the entry, named SIMD_NAMED(trui_...)). CMake (cmake/core.cmake) compiles it once for every machine, and on x86
   again with SIMD_ISA defined as 1 (SIMD_AVX2) and 2 (SIMD_AVX512). The caller picks one at run time with SIMD_CHOOSE. A lane
   computes exactly what the scalar expression computes: one rounding per operation, no fused multiply-add, no estimates. */
#ifndef TRUNDLE_LANES_SIMD_H
#define TRUNDLE_LANES_SIMD_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define SIMD_GENERIC 0
#define SIMD_AVX2    1
#define SIMD_AVX512  2

#ifndef SIMD_ISA
#define SIMD_ISA SIMD_GENERIC
#endif

#if defined(__x86_64__)
#define SIMD_X86 1
#include <immintrin.h>
#else
#define SIMD_X86 0
#endif

/* Whether this machine can run a kernel compiled for isa, and this build may (TRUNDLE_WIDE_KERNELS). */
static inline bool simd_supported(int isa) {
#ifdef TRU_WIDEST_KERNELS
    if (isa > TRU_WIDEST_KERNELS) return false;
#endif
#if SIMD_X86
    if (isa == SIMD_AVX2) return __builtin_cpu_supports("avx2");
    if (isa == SIMD_AVX512) return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
#endif
    return isa == SIMD_GENERIC;
}

/* The one of three kernels for this machine: name_generic, name_avx2 or name_avx512, as a pointer. All three by instruction set,
   for tests; a machine other than x86 has the generic one alone. SIMD_NAMED: the name of the one that is being compiled. */
#if SIMD_X86
#define SIMD_CHOOSE(name)                                                                                              \
    (simd_supported(SIMD_AVX512) ? &name##_avx512 : simd_supported(SIMD_AVX2) ? &name##_avx2 : &name##_generic)
#define SIMD_VARIANTS(name) &name##_generic, &name##_avx2, &name##_avx512
#else
#define SIMD_CHOOSE(name)   (&name##_generic)
#define SIMD_VARIANTS(name) &name##_generic, &name##_generic, &name##_generic
#endif
#if SIMD_ISA == SIMD_AVX512
#define SIMD_NAMED(name) name##_avx512
#elif SIMD_ISA == SIMD_AVX2
#define SIMD_NAMED(name) name##_avx2
#else
#define SIMD_NAMED(name) name##_generic
#endif

#if SIMD_ISA == SIMD_GENERIC || SIMD_X86

/* A value is SIMD_PARTS registers: two of four numbers let a kernel overlap what depends on each other. A kernel with so many
   values that they do not fit into registers anyway defines SIMD_SINGLE before it includes this file: one of four. */
#if SIMD_ISA == SIMD_AVX512
#define SIMD_TARGET  __attribute__((target("avx512f,avx512vl,avx512dq")))
#define SIMD_BYTES   64
#define SIMD_PARTS   1
#define SIMD_EACH(F) F(0)
#elif SIMD_ISA == SIMD_AVX2
#define SIMD_TARGET __attribute__((target("avx2")))
#define SIMD_BYTES  32
#ifdef SIMD_SINGLE
#define SIMD_PARTS   1
#define SIMD_EACH(F) F(0)
#else
#define SIMD_PARTS   2
#define SIMD_EACH(F) F(0) F(1)
#endif
#else
#define SIMD_TARGET
#define SIMD_BYTES   16
#define SIMD_PARTS   2
#define SIMD_EACH(F) F(0) F(1)
#endif
#define SIMD_WIDTH (SIMD_BYTES / 8)          /* numbers in a register */
#define SIMD_LANES (SIMD_PARTS * SIMD_WIDTH) /* numbers in a value: 4 or 8 */
#define SIMD_FN    static inline __attribute__((always_inline)) SIMD_TARGET

/* One register, as numbers and as bits, and as its numbers lie anywhere in memory. */
typedef double simd_part __attribute__((vector_size(SIMD_BYTES)));
typedef int64_t simd_bits __attribute__((vector_size(SIMD_BYTES)));
typedef double simd_memory __attribute__((vector_size(SIMD_BYTES), aligned(8), may_alias));

typedef struct f64xn {
    simd_part p[SIMD_PARTS];
} f64xn;

/* As many truth values. */
typedef struct boolxn {
#if SIMD_ISA == SIMD_AVX512
    __mmask8 m;
#else
    simd_bits p[SIMD_PARTS];
#endif
} boolxn;

/* ---- memory */

/* a[0], a[1], ..., any alignment; register by register: gcc copies a whole structure in pieces that cannot be forwarded */
SIMD_FN f64xn f64xn_load(const double *a) {
    f64xn r;
#define SIMD_DO(k) r.p[k] = ((const simd_memory *)(const void *)a)[k];
    SIMD_EACH(SIMD_DO)
#undef SIMD_DO
    return r;
}

SIMD_FN void f64xn_store(double *a, f64xn x) {
#define SIMD_DO(k) ((simd_memory *)(void *)a)[k] = x.p[k];
    SIMD_EACH(SIMD_DO)
#undef SIMD_DO
}

SIMD_FN f64xn f64xn_all(double s) {
    f64xn r;
#define SIMD_DO(k) r.p[k] = s - (simd_part){0};
    SIMD_EACH(SIMD_DO)
#undef SIMD_DO
    return r;
}

/* Numbers at, at + 1, ... of a row of eight: four times `low`, four times `high`. */
SIMD_FN f64xn f64xn_halves(double low, double high, int at) {
    f64xn r;
#if SIMD_ISA == SIMD_AVX512
    (void)at;
    r.p[0] = _mm512_insertf64x4(_mm512_set1_pd(low), _mm256_set1_pd(high), 1);
#else
#define SIMD_DO(k) r.p[k] = (at + (k)*SIMD_WIDTH < 4 ? low : high) - (simd_part){0};
    SIMD_EACH(SIMD_DO)
#undef SIMD_DO
#endif
    return r;
}

/* ---- arithmetic */

#define SIMD_BINARY(name, expression)                                                                                  \
    SIMD_FN f64xn name(f64xn a, f64xn b) {                                                                             \
        f64xn r;                                                                                                       \
        SIMD_EACH(expression)                                                                                          \
        return r;                                                                                                      \
    }
#define SIMD_ADD(k) r.p[k] = a.p[k] + b.p[k];
#define SIMD_SUB(k) r.p[k] = a.p[k] - b.p[k];
#define SIMD_MUL(k) r.p[k] = a.p[k] * b.p[k];
#define SIMD_DIV(k) r.p[k] = a.p[k] / b.p[k];

SIMD_BINARY(f64xn_add, SIMD_ADD)
SIMD_BINARY(f64xn_sub, SIMD_SUB)
SIMD_BINARY(f64xn_mul, SIMD_MUL)
SIMD_BINARY(f64xn_div, SIMD_DIV)

/* a + b c, a - b c, rounded twice */
SIMD_FN f64xn f64xn_madd(f64xn a, f64xn b, f64xn c) { return f64xn_add(a, f64xn_mul(b, c)); }
SIMD_FN f64xn f64xn_msub(f64xn a, f64xn b, f64xn c) { return f64xn_sub(a, f64xn_mul(b, c)); }

#if SIMD_ISA == SIMD_AVX512
#define SIMD_MIN(k)  r.p[k] = _mm512_min_pd(a.p[k], b.p[k]);
#define SIMD_MAX(k)  r.p[k] = _mm512_max_pd(a.p[k], b.p[k]);
#define SIMD_SQRT(k) r.p[k] = _mm512_sqrt_pd(a.p[k]);
#elif SIMD_ISA == SIMD_AVX2
#define SIMD_MIN(k)  r.p[k] = _mm256_min_pd(a.p[k], b.p[k]);
#define SIMD_MAX(k)  r.p[k] = _mm256_max_pd(a.p[k], b.p[k]);
#define SIMD_SQRT(k) r.p[k] = _mm256_sqrt_pd(a.p[k]);
#elif SIMD_X86
#define SIMD_MIN(k)  r.p[k] = _mm_min_pd(a.p[k], b.p[k]);
#define SIMD_MAX(k)  r.p[k] = _mm_max_pd(a.p[k], b.p[k]);
#define SIMD_SQRT(k) r.p[k] = _mm_sqrt_pd(a.p[k]);
#else
#define SIMD_PICK(k, op, i) (a.p[k][i] op b.p[k][i] ? a.p[k][i] : b.p[k][i])
#define SIMD_MIN(k)         r.p[k] = (simd_part){SIMD_PICK(k, <, 0), SIMD_PICK(k, <, 1)};
#define SIMD_MAX(k)         r.p[k] = (simd_part){SIMD_PICK(k, >, 0), SIMD_PICK(k, >, 1)};
#define SIMD_SQRT(k)        r.p[k] = (simd_part){sqrt(a.p[k][0]), sqrt(a.p[k][1])};
#endif

/* a < b ? a : b, and a > b ? a : b: the second when one is NaN */
SIMD_BINARY(f64xn_min, SIMD_MIN)
SIMD_BINARY(f64xn_max, SIMD_MAX)

SIMD_FN f64xn f64xn_sqrt(f64xn a) {
    f64xn r;
    SIMD_EACH(SIMD_SQRT)
    return r;
}

SIMD_FN f64xn f64xn_abs(f64xn a) {
    f64xn r;
#define SIMD_DO(k) r.p[k] = (simd_part)((simd_bits)a.p[k] & INT64_MAX);
    SIMD_EACH(SIMD_DO)
#undef SIMD_DO
    return r;
}

SIMD_FN f64xn f64xn_neg(f64xn a) {
    f64xn r;
#define SIMD_DO(k) r.p[k] = (simd_part)((simd_bits)a.p[k] ^ INT64_MIN);
    SIMD_EACH(SIMD_DO)
#undef SIMD_DO
    return r;
}

/* ---- comparison and choice: false when one is NaN */

#if SIMD_ISA == SIMD_AVX512
SIMD_FN boolxn f64xn_lt(f64xn a, f64xn b) { return (boolxn){_mm512_cmp_pd_mask(a.p[0], b.p[0], _CMP_LT_OQ)}; }
SIMD_FN boolxn f64xn_le(f64xn a, f64xn b) { return (boolxn){_mm512_cmp_pd_mask(a.p[0], b.p[0], _CMP_LE_OQ)}; }
SIMD_FN boolxn boolxn_and(boolxn a, boolxn b) { return (boolxn){(__mmask8)(a.m & b.m)}; }
SIMD_FN boolxn boolxn_or(boolxn a, boolxn b) { return (boolxn){(__mmask8)(a.m | b.m)}; }
SIMD_FN boolxn boolxn_not(boolxn a) { return (boolxn){(__mmask8)~a.m}; }
/* m ? a : b, and m ? a : 0 */
SIMD_FN f64xn f64xn_select(boolxn m, f64xn a, f64xn b) { return (f64xn){{_mm512_mask_blend_pd(m.m, b.p[0], a.p[0])}}; }
SIMD_FN f64xn f64xn_where(boolxn m, f64xn a) { return (f64xn){{_mm512_maskz_mov_pd(m.m, a.p[0])}}; }
/* Lane i in bit i. */
SIMD_FN unsigned boolxn_bits(boolxn m) { return m.m; }
#else
#define SIMD_TRUTH(name, type, expression)                                                                             \
    SIMD_FN boolxn name(type a, type b) {                                                                              \
        boolxn r;                                                                                                      \
        SIMD_EACH(expression)                                                                                          \
        return r;                                                                                                      \
    }
#define SIMD_LT(k)  r.p[k] = (simd_bits)(a.p[k] < b.p[k]);
#define SIMD_LE(k)  r.p[k] = (simd_bits)(a.p[k] <= b.p[k]);
#define SIMD_AND(k) r.p[k] = a.p[k] & b.p[k];
#define SIMD_OR(k)  r.p[k] = a.p[k] | b.p[k];

SIMD_TRUTH(f64xn_lt, f64xn, SIMD_LT)
SIMD_TRUTH(f64xn_le, f64xn, SIMD_LE)
SIMD_TRUTH(boolxn_and, boolxn, SIMD_AND)
SIMD_TRUTH(boolxn_or, boolxn, SIMD_OR)

SIMD_FN boolxn boolxn_not(boolxn a) {
    boolxn r;
#define SIMD_DO(k)  r.p[k] = ~a.p[k];
    SIMD_EACH(SIMD_DO)
#undef SIMD_DO
    return r;
}

/* m ? a : b, and m ? a : 0 */
SIMD_FN f64xn f64xn_select(boolxn m, f64xn a, f64xn b) {
    f64xn r;
#if SIMD_ISA == SIMD_AVX2
#define SIMD_DO(k) r.p[k] = _mm256_blendv_pd(b.p[k], a.p[k], (simd_part)m.p[k]);
#else
#define SIMD_DO(k) r.p[k] = (simd_part)((m.p[k] & (simd_bits)a.p[k]) | (~m.p[k] & (simd_bits)b.p[k]));
#endif
    SIMD_EACH(SIMD_DO)
#undef SIMD_DO
    return r;
}

SIMD_FN f64xn f64xn_where(boolxn m, f64xn a) {
    f64xn r;
#define SIMD_DO(k) r.p[k] = (simd_part)(m.p[k] & (simd_bits)a.p[k]);
    SIMD_EACH(SIMD_DO)
#undef SIMD_DO
    return r;
}

/* Lane i in bit i. */
SIMD_FN unsigned boolxn_bits(boolxn m) {
    unsigned bits = 0;
#if SIMD_ISA == SIMD_AVX2
#define SIMD_DO(k) bits |= (unsigned)_mm256_movemask_pd((simd_part)m.p[k]) << (4 * (k));
    SIMD_EACH(SIMD_DO)
#undef SIMD_DO
#else
    for (int i = 0; i < SIMD_LANES; i++) bits |= (m.p[i / SIMD_WIDTH][i % SIMD_WIDTH] ? 1u : 0u) << i;
#endif
    return bits;
}
#endif

/* Whether some lane is true: what no lane wants need not be computed. */
SIMD_FN bool boolxn_any(boolxn m) {
#if SIMD_ISA == SIMD_AVX2
    const simd_part all = (simd_part)(m.p[0] | m.p[SIMD_PARTS - 1]);
    return !_mm256_testz_pd(all, all);
#else
    return boolxn_bits(m) != 0;
#endif
}

/* ---- rows of eight numbers, such as bodies {v[3], 1/m, w[3], 1/I}, turned into lanes and back */

/* Transposes the 2x2, 4x4 or two 4x4 blocks of numbers in r; its own inverse. */
SIMD_FN void simd_transpose(simd_part *r) {
#if SIMD_ISA == SIMD_GENERIC
    simd_part a = __builtin_shufflevector(r[0], r[1], 0, 2), b = __builtin_shufflevector(r[0], r[1], 1, 3);
    r[0] = a;
    r[1] = b;
#elif SIMD_ISA == SIMD_AVX2
    simd_part a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6), b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
    simd_part c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6), d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
#else
    simd_part a = _mm512_unpacklo_pd(r[0], r[1]), b = _mm512_unpackhi_pd(r[0], r[1]);
    simd_part c = _mm512_unpacklo_pd(r[2], r[3]), d = _mm512_unpackhi_pd(r[2], r[3]);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
    r[1] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
#endif
}

/* Numbers along one side of the transposed blocks. */
#define SIMD_SIDE (SIMD_ISA == SIMD_GENERIC ? 2 : 4)

#if SIMD_ISA == SIMD_AVX512
/* Two rows of eight to the low halves of both and the high halves of both; its own inverse. */
SIMD_FN void simd_swap_halves(simd_part *low, simd_part *high) {
    const simd_part a = *low, b = *high;
    *low = _mm512_insertf64x4(a, _mm512_castpd512_pd256(b), 1);
    *high = _mm512_shuffle_f64x2(a, b, 0xee);
}

/* A register holds a whole row: column[j], lane i := the j-th double at base + offset[i] bytes */
SIMD_FN void f64xn_load_rows(const void *base, const uint32_t offset[8], f64xn column[8]) {
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

/* Adds to those rows, or takes from them: row[j] +-= column[j]. Rows with one offset must change by nothing. */
SIMD_FN void simd_change_rows(void *base, const uint32_t offset[8], const f64xn column[8], bool add) {
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
/* column[j], lane i := the j-th double at base + offset[i] bytes */
SIMD_FN void f64xn_load_rows(const void *base, const uint32_t offset[SIMD_LANES], f64xn column[8]) {
#pragma GCC unroll 4
    for (int k = 0; k < SIMD_PARTS; k++) {
#pragma GCC unroll 4
        for (int j = 0; j < 8; j += SIMD_SIDE) {
            simd_part r[SIMD_SIDE];
#pragma GCC unroll 4
            for (int i = 0; i < SIMD_SIDE; i++)
                r[i] = *(const simd_memory *)(const void *)((const char *)base + offset[SIMD_WIDTH * k + i] + 8 * j);
            simd_transpose(r);
#pragma GCC unroll 4
            for (int i = 0; i < SIMD_SIDE; i++) column[j + i].p[k] = r[i];
        }
    }
}

/* Adds to those rows, or takes from them: row[j] +-= column[j]. Rows with one offset must change by nothing. */
SIMD_FN void simd_change_rows(void *base, const uint32_t offset[SIMD_LANES], const f64xn column[8], bool add) {
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
                simd_memory *to = (simd_memory *)(void *)((char *)base + offset[SIMD_WIDTH * k + i] + 8 * j);
                *to = add ? *to + r[i] : *to - r[i];
            }
        }
    }
}
#endif

SIMD_FN void f64xn_add_rows(void *base, const uint32_t offset[SIMD_LANES], const f64xn column[8]) {
    simd_change_rows(base, offset, column, true);
}

SIMD_FN void f64xn_sub_rows(void *base, const uint32_t offset[SIMD_LANES], const f64xn column[8]) {
    simd_change_rows(base, offset, column, false);
}

/* The same where the rows lie anywhere: column[j], lane i := row[i][first + j]; and back. */
SIMD_FN void f64xn_take(const double *const row[SIMD_LANES], int first, f64xn column[8]) {
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

SIMD_FN void f64xn_give(double *const row[SIMD_LANES], int first, const f64xn column[8]) {
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

/* ---- floats: eight of them, in as many registers as that takes. Those of AVX-512 are as wide as with AVX2, but there are twice
   as many. */

#define F32_AVX (SIMD_ISA != SIMD_GENERIC)
#if F32_AVX
#define F32_BYTES   32
#define F32_PARTS   1
#define F32_EACH(F) F(0)
#else
#define F32_BYTES   16
#define F32_PARTS   2
#define F32_EACH(F) F(0) F(1)
#endif
#define F32_WIDTH (F32_BYTES / 4)

typedef float f32_part __attribute__((vector_size(F32_BYTES)));
typedef int32_t f32_bits __attribute__((vector_size(F32_BYTES)));
typedef float f32_memory __attribute__((vector_size(F32_BYTES), aligned(4), may_alias));

typedef struct f32xn {
    f32_part p[F32_PARTS];
} f32xn;

typedef struct bool32xn {
    f32_bits p[F32_PARTS];
} bool32xn;

SIMD_FN f32xn f32xn_load(const float *a) {
    f32xn r;
#define SIMD_DO(k) r.p[k] = ((const f32_memory *)(const void *)a)[k];
    F32_EACH(SIMD_DO)
#undef SIMD_DO
    return r;
}

SIMD_FN void f32xn_store(float *a, f32xn x) {
#define SIMD_DO(k) ((f32_memory *)(void *)a)[k] = x.p[k];
    F32_EACH(SIMD_DO)
#undef SIMD_DO
}

SIMD_FN f32xn f32xn_all(float s) {
    f32xn r;
#define SIMD_DO(k) r.p[k] = s - (f32_part){0};
    F32_EACH(SIMD_DO)
#undef SIMD_DO
    return r;
}

#define F32_BINARY(name, expression)                                                                                   \
    SIMD_FN f32xn name(f32xn a, f32xn b) {                                                                             \
        f32xn r;                                                                                                       \
        F32_EACH(expression)                                                                                           \
        return r;                                                                                                      \
    }

F32_BINARY(f32xn_add, SIMD_ADD)
F32_BINARY(f32xn_sub, SIMD_SUB)
F32_BINARY(f32xn_mul, SIMD_MUL)
F32_BINARY(f32xn_div, SIMD_DIV)

#if F32_AVX
#define F32_MIN(k)  r.p[k] = _mm256_min_ps(a.p[k], b.p[k]);
#define F32_MAX(k)  r.p[k] = _mm256_max_ps(a.p[k], b.p[k]);
#define F32_SQRT(k) r.p[k] = _mm256_sqrt_ps(a.p[k]);
#elif SIMD_X86
#define F32_MIN(k)  r.p[k] = _mm_min_ps(a.p[k], b.p[k]);
#define F32_MAX(k)  r.p[k] = _mm_max_ps(a.p[k], b.p[k]);
#define F32_SQRT(k) r.p[k] = _mm_sqrt_ps(a.p[k]);
#else
#define F32_MIN(k)  r.p[k] = (f32_part){SIMD_PICK(k, <, 0), SIMD_PICK(k, <, 1), SIMD_PICK(k, <, 2), SIMD_PICK(k, <, 3)};
#define F32_MAX(k)  r.p[k] = (f32_part){SIMD_PICK(k, >, 0), SIMD_PICK(k, >, 1), SIMD_PICK(k, >, 2), SIMD_PICK(k, >, 3)};
#define F32_SQRT(k) r.p[k] = (f32_part){sqrtf(a.p[k][0]), sqrtf(a.p[k][1]), sqrtf(a.p[k][2]), sqrtf(a.p[k][3])};
#endif

F32_BINARY(f32xn_min, F32_MIN)
F32_BINARY(f32xn_max, F32_MAX)

SIMD_FN f32xn f32xn_sqrt(f32xn a) {
    f32xn r;
    F32_EACH(F32_SQRT)
    return r;
}

SIMD_FN f32xn f32xn_abs(f32xn a) {
    f32xn r;
#define SIMD_DO(k) r.p[k] = (f32_part)((f32_bits)a.p[k] & INT32_MAX);
    F32_EACH(SIMD_DO)
#undef SIMD_DO
    return r;
}

SIMD_FN f32xn f32xn_neg(f32xn a) {
    f32xn r;
#define SIMD_DO(k) r.p[k] = (f32_part)((f32_bits)a.p[k] ^ INT32_MIN);
    F32_EACH(SIMD_DO)
#undef SIMD_DO
    return r;
}

SIMD_FN bool32xn f32xn_lt(f32xn a, f32xn b) {
    bool32xn r;
#define SIMD_DO(k) r.p[k] = (f32_bits)(a.p[k] < b.p[k]);
    F32_EACH(SIMD_DO)
#undef SIMD_DO
    return r;
}

SIMD_FN f32xn f32xn_where(bool32xn m, f32xn a) {
    f32xn r;
#define SIMD_DO(k) r.p[k] = (f32_part)(m.p[k] & (f32_bits)a.p[k]);
    F32_EACH(SIMD_DO)
#undef SIMD_DO
    return r;
}

/* Eight doubles, for sums of floats. */
typedef struct f64x8 {
    simd_part p[8 / SIMD_WIDTH];
} f64x8;

SIMD_FN f64x8 f32xn_wide(f32xn a) {
    f64x8 r;
#if SIMD_ISA == SIMD_AVX512
    r.p[0] = _mm512_cvtps_pd(a.p[0]);
#elif SIMD_ISA == SIMD_AVX2
    r.p[0] = _mm256_cvtps_pd(_mm256_castps256_ps128(a.p[0]));
    r.p[1] = _mm256_cvtps_pd(_mm256_extractf128_ps(a.p[0], 1));
#else
    for (int k = 0; k < 4; k++) r.p[k] = (simd_part){(double)a.p[k / 2][k % 2 * 2], (double)a.p[k / 2][k % 2 * 2 + 1]};
#endif
    return r;
}

/* sum + x^2 of four numbers times `low`, of four times `high` */
SIMD_FN f64x8 f64x8_squares(f64x8 sum, f64x8 x, double low, double high) {
#if SIMD_ISA == SIMD_AVX512
    sum.p[0] = sum.p[0] + x.p[0] * x.p[0] * f64xn_halves(low, high, 0).p[0];
#else
#pragma GCC unroll 4
    for (int k = 0; k < 8 / SIMD_WIDTH; k++)
        sum.p[k] = sum.p[k] + x.p[k] * x.p[k] * ((2 * k * SIMD_WIDTH < 8 ? low : high) - (simd_part){0});
#endif
    return sum;
}

SIMD_FN void f64x8_store(double *a, f64x8 x) {
#pragma GCC unroll 4
    for (int k = 0; k < 8 / SIMD_WIDTH; k++) ((simd_memory *)(void *)a)[k] = x.p[k];
}

/* Transposes the 4x4 block or the two of them in r; its own inverse. */
SIMD_FN void f32_transpose(f32_part r[4]) {
#if F32_AVX
#define F32_MIX(x, y, i, j, k, l) __builtin_shufflevector(x, y, i, j, k, l, i + 4, j + 4, k + 4, l + 4)
#define F32_OF_B                  8
#else
#define F32_MIX(x, y, i, j, k, l) __builtin_shufflevector(x, y, i, j, k, l)
#define F32_OF_B                  4
#endif
    const f32_part a = F32_MIX(r[0], r[1], 0, F32_OF_B, 1, F32_OF_B + 1);
    const f32_part b = F32_MIX(r[0], r[1], 2, F32_OF_B + 2, 3, F32_OF_B + 3);
    const f32_part c = F32_MIX(r[2], r[3], 0, F32_OF_B, 1, F32_OF_B + 1);
    const f32_part d = F32_MIX(r[2], r[3], 2, F32_OF_B + 2, 3, F32_OF_B + 3);
    r[0] = F32_MIX(a, c, 0, 1, F32_OF_B, F32_OF_B + 1);
    r[1] = F32_MIX(a, c, 2, 3, F32_OF_B + 2, F32_OF_B + 3);
    r[2] = F32_MIX(b, d, 0, 1, F32_OF_B, F32_OF_B + 1);
    r[3] = F32_MIX(b, d, 2, 3, F32_OF_B + 2, F32_OF_B + 3);
#undef F32_MIX
#undef F32_OF_B
}

#if F32_AVX
/* As simd_swap_halves. */
SIMD_FN void f32_swap_halves(f32_part *low, f32_part *high) {
    const f32_part a = *low, b = *high;
    *low = _mm256_insertf128_ps(a, _mm256_castps256_ps128(b), 1);
    *high = _mm256_permute2f128_ps(a, b, 0x31);
}

/* A register holds a whole row: column[j], lane i := the j-th float at base + offset[i] bytes */
SIMD_FN void f32xn_load_rows(const void *base, const uint32_t offset[8], f32xn column[8]) {
    f32_part r[8];
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) r[i] = *(const f32_memory *)(const void *)((const char *)base + offset[i]);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) f32_swap_halves(&r[i], &r[i + 4]);
    f32_transpose(r);
    f32_transpose(r + 4);
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) column[i].p[0] = r[i];
}

/* row[j] +-= column[j], as simd_change_rows. */
SIMD_FN void f32_change_rows(void *base, const uint32_t offset[8], const f32xn column[8], bool add) {
    f32_part r[8];
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) r[i] = column[i].p[0];
    f32_transpose(r);
    f32_transpose(r + 4);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) f32_swap_halves(&r[i], &r[i + 4]);
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        f32_memory *to = (f32_memory *)(void *)((char *)base + offset[i]);
        *to = add ? *to + r[i] : *to - r[i];
    }
}
#else
/* column[j], lane i := the j-th float at base + offset[i] bytes */
SIMD_FN void f32xn_load_rows(const void *base, const uint32_t offset[8], f32xn column[8]) {
#pragma GCC unroll 2
    for (int k = 0; k < F32_PARTS; k++) {
#pragma GCC unroll 2
        for (int j = 0; j < 8; j += 4) {
            f32_part r[4];
#pragma GCC unroll 4
            for (int i = 0; i < 4; i++)
                r[i] = *(const f32_memory *)(const void *)((const char *)base + offset[F32_WIDTH * k + i] + 4 * j);
            f32_transpose(r);
#pragma GCC unroll 4
            for (int i = 0; i < 4; i++) column[j + i].p[k] = r[i];
        }
    }
}

/* row[j] +-= column[j], as simd_change_rows. */
SIMD_FN void f32_change_rows(void *base, const uint32_t offset[8], const f32xn column[8], bool add) {
#pragma GCC unroll 2
    for (int k = 0; k < F32_PARTS; k++) {
#pragma GCC unroll 2
        for (int j = 0; j < 8; j += 4) {
            f32_part r[4];
#pragma GCC unroll 4
            for (int i = 0; i < 4; i++) r[i] = column[j + i].p[k];
            f32_transpose(r);
#pragma GCC unroll 4
            for (int i = 0; i < 4; i++) {
                f32_memory *to = (f32_memory *)(void *)((char *)base + offset[F32_WIDTH * k + i] + 4 * j);
                *to = add ? *to + r[i] : *to - r[i];
            }
        }
    }
}
#endif

SIMD_FN void f32xn_add_rows(void *base, const uint32_t offset[8], const f32xn column[8]) {
    f32_change_rows(base, offset, column, true);
}

SIMD_FN void f32xn_sub_rows(void *base, const uint32_t offset[8], const f32xn column[8]) {
    f32_change_rows(base, offset, column, false);
}

#endif
#endif
