/* part.h: one register of numbers, which the values of realxn.h are made of.
 *
 * What a value is, is a parameter of the text that includes this file:
 *
 * | defined before | numbers in a realxn |
 * |---|---|
 * | SIMD_ISA = SIMD_ONE | 1, a plain double (or float) |
 * | SIMD_ISA = SIMD_GENERIC, the default | 4 doubles, 8 floats |
 * | SIMD_ISA = SIMD_AVX2 | 8 doubles, 8 floats; SIMD_SINGLE: 4 doubles |
 * | SIMD_ISA = SIMD_AVX512 | 8 doubles, 8 floats |
 * | SIMD_FLOAT | floats, else doubles |
 *
 * `real` is one of the numbers. */
#ifndef TRUNDLE_LANES_PART_H
#define TRUNDLE_LANES_PART_H

#include "lanes/isa.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#ifndef SIMD_ISA
#define SIMD_ISA SIMD_GENERIC
#endif

#ifdef SIMD_FLOAT
typedef float real;
typedef int32_t real_bits;
#define REAL_BYTES 4
#define REAL_LEAST FLT_MIN
#define REAL_SIGN  INT32_MIN
#else
typedef double real;
typedef int64_t real_bits;
#define REAL_BYTES 8
#define REAL_LEAST DBL_MIN
#define REAL_SIGN  INT64_MIN
#endif

/* A value is SIMD_PARTS registers of SIMD_BYTES. Two of them let a kernel overlap operations that depend on each other. A kernel
 * with more values than registers defines SIMD_SINGLE: one. Floats need no AVX-512 registers, but there are twice as many. */
#if SIMD_ISA == SIMD_ONE
#define SIMD_TARGET
#define SIMD_BYTES REAL_BYTES
#define SIMD_PARTS 1
#elif SIMD_ISA == SIMD_GENERIC
#define SIMD_TARGET
#define SIMD_BYTES 16
#define SIMD_PARTS 2
#elif SIMD_ISA == SIMD_AVX2
#define SIMD_TARGET __attribute__((target("avx2")))
#define SIMD_BYTES  32
#elif SIMD_ISA == SIMD_AVX512
#define SIMD_TARGET __attribute__((target("avx512f,avx512vl,avx512dq")))
#define SIMD_BYTES  (8 * REAL_BYTES)
#define SIMD_PARTS  1
#endif
#ifndef SIMD_PARTS
#if defined(SIMD_SINGLE) || defined(SIMD_FLOAT)
#define SIMD_PARTS 1
#else
#define SIMD_PARTS 2
#endif
#endif
#if SIMD_PARTS == 2
#define SIMD_SECOND(statement) statement
#else
#define SIMD_SECOND(statement)
#endif
#define SIMD_WIDTH (SIMD_BYTES / REAL_BYTES) /* numbers in a register */
#define REAL_LANES (SIMD_PARTS * SIMD_WIDTH) /* numbers in a value */
#define SIMD_FN    static inline __attribute__((always_inline)) SIMD_TARGET

/* The name of what is being compiled. */
#if SIMD_ISA == SIMD_AVX512
#define SIMD_NAMED(name) name##_avx512
#elif SIMD_ISA == SIMD_AVX2
#define SIMD_NAMED(name) name##_avx2
#else
#define SIMD_NAMED(name) name##_generic
#endif

/* The intrinsic of a register: SIMD_OP(min) is _mm256_min_pd for doubles with AVX2. */
#if SIMD_ISA != SIMD_ONE && SIMD_X86
#include <immintrin.h>
#ifdef SIMD_FLOAT
#define SIMD_OF_TYPE(prefix, name) prefix##name##_ps
#else
#define SIMD_OF_TYPE(prefix, name) prefix##name##_pd
#endif
#if SIMD_BYTES == 64
#define SIMD_OP(name) SIMD_OF_TYPE(_mm512_, name)
#elif SIMD_BYTES == 32
#define SIMD_OP(name) SIMD_OF_TYPE(_mm256_, name)
#else
#define SIMD_OP(name) SIMD_OF_TYPE(_mm_, name)
#endif
#endif

/* ---- one register: its numbers, its bits, as it lies anywhere in memory, and what it answers */

#if SIMD_ISA == SIMD_ONE
typedef real simd_part;
typedef real simd_memory __attribute__((may_alias));
typedef bool simd_truth;
#define PART_MIN(a, b)       ((a) < (b) ? (a) : (b))
#define PART_MAX(a, b)       ((a) > (b) ? (a) : (b))
#define PART_SQRT(a)         ((real)sqrt(a))
#define PART_ABS(a)          ((real)fabs(a))
#define PART_NEG(a)          (-(a))
#define PART_LT(a, b)        ((a) < (b))
#define PART_LE(a, b)        ((a) <= (b))
#define PART_SELECT(m, a, b) ((m) ? (a) : (b))
#define PART_WHERE(m, a)     ((m) ? (a) : 0)
#define TRUTH_NOT(m)         (!(m))
#else
typedef real simd_part __attribute__((vector_size(SIMD_BYTES)));
typedef real_bits simd_bits __attribute__((vector_size(SIMD_BYTES)));
typedef real simd_memory __attribute__((vector_size(SIMD_BYTES), aligned(REAL_BYTES), may_alias));
#define PART_ABS(a)  ((simd_part)((simd_bits)(a) & ~REAL_SIGN))
#define PART_NEG(a)  ((simd_part)((simd_bits)(a) ^ REAL_SIGN))
#define TRUTH_NOT(m) ((simd_truth) ~(m))
#ifdef SIMD_OP
#define PART_MIN  SIMD_OP(min)
#define PART_MAX  SIMD_OP(max)
#define PART_SQRT SIMD_OP(sqrt)
#else
#define PART_MIN(a, b) PART_SELECT((simd_bits)((a) < (b)), a, b)
#define PART_MAX(a, b) PART_SELECT((simd_bits)((a) > (b)), a, b)
static inline simd_part simd_roots(simd_part a) {
    for (int i = 0; i < SIMD_WIDTH; i++) a[i] = (real)sqrt((double)a[i]);
    return a;
}
#define PART_SQRT      simd_roots
#endif
#if SIMD_BYTES == 64 /* AVX-512 answers in a register of masks */
typedef __mmask8 simd_truth;
#define PART_LT(a, b)        _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ)
#define PART_LE(a, b)        _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ)
#define PART_SELECT(m, a, b) _mm512_mask_blend_pd(m, b, a)
#define PART_WHERE(m, a)     _mm512_maskz_mov_pd(m, a)
#else /* the others in all bits of a number */
typedef simd_bits simd_truth;
#define PART_LT(a, b)    ((simd_bits)((a) < (b)))
#define PART_LE(a, b)    ((simd_bits)((a) <= (b)))
#define PART_WHERE(m, a) ((simd_part)((m) & (simd_bits)(a)))
#if SIMD_BYTES == 32
#define PART_SELECT(m, a, b) SIMD_OP(blendv)(b, a, (simd_part)(m))
#else
#define PART_SELECT(m, a, b) ((simd_part)(((m) & (simd_bits)(a)) | (~(m) & (simd_bits)(b))))
#endif
#endif
#endif
#define PART_ALL(s)     ((s) - (simd_part){0})
#define PART_ADD(a, b)  ((a) + (b))
#define PART_SUB(a, b)  ((a) - (b))
#define PART_MUL(a, b)  ((a) * (b))
#define PART_DIV(a, b)  ((a) / (b))
#define TRUTH_AND(a, b) ((simd_truth)((a) & (b)))
#define TRUTH_OR(a, b)  ((simd_truth)((a) | (b)))

#endif
