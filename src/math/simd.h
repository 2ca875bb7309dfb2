/* Eight doubles at once, with the same bits on every instruction set; the only file with intrinsics.

   A kernel is written once, in a header, with f64x8 and the functions below, each of its functions marked SIMD_FN
   (helpers) or SIMD_TARGET (the entry, under a name of its own). One small .c file per instruction set defines SIMD_ISA
   as 0, 1 or 2 (SIMD_GENERIC, SIMD_AVX2, SIMD_AVX512), includes this file and then, inside #if SIMD_ISA == 0 ||
   SIMD_X86, the kernel: other machines than x86 have the generic kernel alone. The caller picks one at run time with
   simd_supported. A lane computes exactly what the scalar expression computes: one rounding per operation, no fused
   multiply-add, no estimates. */
#ifndef TRUNDLE_MATH_SIMD_H
#define TRUNDLE_MATH_SIMD_H

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

/* Whether this machine can run a kernel compiled for isa. */
static inline bool simd_supported(int isa) {
#if SIMD_X86
    if (isa == SIMD_AVX2) return __builtin_cpu_supports("avx2");
    if (isa == SIMD_AVX512) return __builtin_cpu_supports("avx512f");
#endif
    return isa == SIMD_GENERIC;
}

#if SIMD_ISA == SIMD_GENERIC || SIMD_X86

#if SIMD_ISA == SIMD_AVX512
#define SIMD_TARGET  __attribute__((target("avx512f")))
#define SIMD_BYTES   64
#define SIMD_EACH(F) F(0)
#elif SIMD_ISA == SIMD_AVX2
#define SIMD_TARGET  __attribute__((target("avx2")))
#define SIMD_BYTES   32
#define SIMD_EACH(F) F(0) F(1)
#else
#define SIMD_TARGET
#define SIMD_BYTES   16
#define SIMD_EACH(F) F(0) F(1) F(2) F(3)
#endif
#define SIMD_FN static inline __attribute__((always_inline)) SIMD_TARGET

/* One register's worth of lanes, as numbers and as bits. */
typedef double simd_part __attribute__((vector_size(SIMD_BYTES)));
typedef int64_t simd_bits __attribute__((vector_size(SIMD_BYTES)));

typedef struct f64x8 {
    simd_part p[64 / SIMD_BYTES];
} f64x8;

/* Eight truth values. */
typedef struct bool8 {
#if SIMD_ISA == SIMD_AVX512
    __mmask8 m;
#else
    simd_bits p[64 / SIMD_BYTES];
#endif
} bool8;

/* ---- memory */

/* a[0..7], any alignment */
SIMD_FN f64x8 f64x8_load(const double *a) {
    f64x8 r;
    __builtin_memcpy(&r, a, sizeof r);
    return r;
}

SIMD_FN void f64x8_store(double *a, f64x8 x) { __builtin_memcpy(a, &x, sizeof x); }

SIMD_FN f64x8 f64x8_all(double s) {
    f64x8 r;
#define SIMD_DO(k) r.p[k] = s - (simd_part){0};
    SIMD_EACH(SIMD_DO)
#undef SIMD_DO
    return r;
}

/* ---- arithmetic */

#define SIMD_BINARY(name, expression)                                                                                  \
    SIMD_FN f64x8 name(f64x8 a, f64x8 b) {                                                                             \
        f64x8 r;                                                                                                       \
        SIMD_EACH(expression)                                                                                          \
        return r;                                                                                                      \
    }
#define SIMD_ADD(k) r.p[k] = a.p[k] + b.p[k];
#define SIMD_SUB(k) r.p[k] = a.p[k] - b.p[k];
#define SIMD_MUL(k) r.p[k] = a.p[k] * b.p[k];
#define SIMD_DIV(k) r.p[k] = a.p[k] / b.p[k];

SIMD_BINARY(f64x8_add, SIMD_ADD)
SIMD_BINARY(f64x8_sub, SIMD_SUB)
SIMD_BINARY(f64x8_mul, SIMD_MUL)
SIMD_BINARY(f64x8_div, SIMD_DIV)

/* a + b c, rounded twice */
SIMD_FN f64x8 f64x8_madd(f64x8 a, f64x8 b, f64x8 c) { return f64x8_add(a, f64x8_mul(b, c)); }

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
SIMD_BINARY(f64x8_min, SIMD_MIN)
SIMD_BINARY(f64x8_max, SIMD_MAX)

SIMD_FN f64x8 f64x8_sqrt(f64x8 a) {
    f64x8 r;
    SIMD_EACH(SIMD_SQRT)
    return r;
}

SIMD_FN f64x8 f64x8_abs(f64x8 a) {
    f64x8 r;
#define SIMD_DO(k) r.p[k] = (simd_part)((simd_bits)a.p[k] & INT64_MAX);
    SIMD_EACH(SIMD_DO)
#undef SIMD_DO
    return r;
}

SIMD_FN f64x8 f64x8_neg(f64x8 a) {
    f64x8 r;
#define SIMD_DO(k) r.p[k] = (simd_part)((simd_bits)a.p[k] ^ INT64_MIN);
    SIMD_EACH(SIMD_DO)
#undef SIMD_DO
    return r;
}

/* ((a0 + a1) + (a2 + a3)) + ((a4 + a5) + (a6 + a7)) */
SIMD_FN double f64x8_sum(f64x8 a) {
    double x[8];
    f64x8_store(x, a);
    return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}

/* ---- comparison and choice */

#if SIMD_ISA == SIMD_AVX512
SIMD_FN bool8 f64x8_lt(f64x8 a, f64x8 b) { return (bool8){_mm512_cmp_pd_mask(a.p[0], b.p[0], _CMP_LT_OQ)}; }
SIMD_FN bool8 f64x8_le(f64x8 a, f64x8 b) { return (bool8){_mm512_cmp_pd_mask(a.p[0], b.p[0], _CMP_LE_OQ)}; }
SIMD_FN bool8 bool8_and(bool8 a, bool8 b) { return (bool8){(__mmask8)(a.m & b.m)}; }
SIMD_FN bool8 bool8_or(bool8 a, bool8 b) { return (bool8){(__mmask8)(a.m | b.m)}; }
SIMD_FN bool8 bool8_not(bool8 a) { return (bool8){(__mmask8)~a.m}; }
SIMD_FN f64x8 f64x8_select(bool8 m, f64x8 a, f64x8 b) { return (f64x8){{_mm512_mask_blend_pd(m.m, b.p[0], a.p[0])}}; }
SIMD_FN unsigned bool8_bits(bool8 m) { return m.m; }
#else
#define SIMD_TRUTH(name, type, expression)                                                                             \
    SIMD_FN bool8 name(type a, type b) {                                                                               \
        bool8 r;                                                                                                       \
        SIMD_EACH(expression)                                                                                          \
        return r;                                                                                                      \
    }
#define SIMD_LT(k)  r.p[k] = (simd_bits)(a.p[k] < b.p[k]);
#define SIMD_LE(k)  r.p[k] = (simd_bits)(a.p[k] <= b.p[k]);
#define SIMD_AND(k) r.p[k] = a.p[k] & b.p[k];
#define SIMD_OR(k)  r.p[k] = a.p[k] | b.p[k];

/* false when one is NaN */
SIMD_TRUTH(f64x8_lt, f64x8, SIMD_LT)
SIMD_TRUTH(f64x8_le, f64x8, SIMD_LE)
SIMD_TRUTH(bool8_and, bool8, SIMD_AND)
SIMD_TRUTH(bool8_or, bool8, SIMD_OR)

SIMD_FN bool8 bool8_not(bool8 a) {
    bool8 r;
#define SIMD_DO(k)  r.p[k] = ~a.p[k];
    SIMD_EACH(SIMD_DO)
#undef SIMD_DO
    return r;
}

/* m ? a : b */
SIMD_FN f64x8 f64x8_select(bool8 m, f64x8 a, f64x8 b) {
    f64x8 r;
#if SIMD_ISA == SIMD_AVX2
#define SIMD_DO(k) r.p[k] = _mm256_blendv_pd(b.p[k], a.p[k], (simd_part)m.p[k]);
#else
#define SIMD_DO(k) r.p[k] = (simd_part)((m.p[k] & (simd_bits)a.p[k]) | (~m.p[k] & (simd_bits)b.p[k]));
#endif
    SIMD_EACH(SIMD_DO)
#undef SIMD_DO
    return r;
}

/* Lane i in bit i. */
SIMD_FN unsigned bool8_bits(bool8 m) {
    unsigned bits = 0;
    int64_t lane[8];
    __builtin_memcpy(lane, &m, sizeof lane);
    for (int i = 0; i < 8; i++) bits |= (lane[i] ? 1u : 0u) << i;
    return bits;
}
#endif

/* ---- eight rows of eight numbers each, such as bodies {v[3], 1/m, w[3], 1/I}, turned into lanes and back */

/* Four consecutive doubles, or two sets of them side by side in the wide register, at byte offsets of base. */
SIMD_FN simd_part simd_gather(const char *base, const uint32_t *offset, int column) {
    simd_part r;
#if SIMD_ISA == SIMD_AVX512
    __m256d low = _mm256_loadu_pd((const double *)(const void *)(base + offset[0]) + column);
    __m256d high = _mm256_loadu_pd((const double *)(const void *)(base + offset[4]) + column);
    r = _mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
#else
    __builtin_memcpy(&r, base + offset[0] + 8 * column, sizeof r);
#endif
    return r;
}

SIMD_FN void simd_scatter(char *base, const uint32_t *offset, int column, simd_part x) {
#if SIMD_ISA == SIMD_AVX512
    _mm256_storeu_pd((double *)(void *)(base + offset[0]) + column, _mm512_castpd512_pd256(x));
    _mm256_storeu_pd((double *)(void *)(base + offset[4]) + column, _mm512_extractf64x4_pd(x, 1));
#else
    __builtin_memcpy(base + offset[0] + 8 * column, &x, sizeof x);
#endif
}

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

/* column[j], lane i := the j-th double at base + offset[i] bytes */
SIMD_FN void f64x8_load_rows(const void *base, const uint32_t offset[8], f64x8 column[8]) {
#pragma GCC unroll 4
    for (int k = 0; k < 64 / SIMD_BYTES; k++) {
#pragma GCC unroll 4
        for (int j = 0; j < 8; j += SIMD_SIDE) {
            simd_part r[SIMD_SIDE];
#pragma GCC unroll 4
            for (int i = 0; i < SIMD_SIDE; i++) r[i] = simd_gather(base, offset + SIMD_SIDE * k + i, j);
            simd_transpose(r);
#pragma GCC unroll 4
            for (int i = 0; i < SIMD_SIDE; i++) column[j + i].p[k] = r[i];
        }
    }
}

/* The inverse. Rows with one offset must hold equal lanes. */
SIMD_FN void f64x8_store_rows(void *base, const uint32_t offset[8], const f64x8 column[8]) {
#pragma GCC unroll 4
    for (int k = 0; k < 64 / SIMD_BYTES; k++) {
#pragma GCC unroll 4
        for (int j = 0; j < 8; j += SIMD_SIDE) {
            simd_part r[SIMD_SIDE];
#pragma GCC unroll 4
            for (int i = 0; i < SIMD_SIDE; i++) r[i] = column[j + i].p[k];
            simd_transpose(r);
#pragma GCC unroll 4
            for (int i = 0; i < SIMD_SIDE; i++) simd_scatter(base, offset + SIMD_SIDE * k + i, j, r[i]);
        }
    }
}

#endif
#endif
