/* realxn.h: several numbers at once, with the same bits on every instruction set. src/lanes alone uses intrinsics.
 *
 * A realxn holds REAL_LANES numbers of type `real`, a boolxn as many truth values; part.h says how many and of which type. A lane
 * computes exactly what the scalar expression computes: one rounding per operation, no fused multiply-add, no estimates. */
#ifndef TRUNDLE_LANES_REALXN_H
#define TRUNDLE_LANES_REALXN_H

#include "lanes/part.h"

typedef struct realxn {
    simd_part p[SIMD_PARTS];
} realxn;

typedef struct boolxn {
    simd_truth p[SIMD_PARTS];
} boolxn;

#define SIMD_DEFINE_1(result, name, type, part)                                                                        \
    SIMD_FN result name(type a) {                                                                                      \
        result r;                                                                                                      \
        r.p[0] = part(a.p[0]);                                                                                         \
        SIMD_SECOND(r.p[1] = part(a.p[1]);)                                                                            \
        return r;                                                                                                      \
    }
#define SIMD_DEFINE_2(result, name, type, part)                                                                        \
    SIMD_FN result name(type a, type b) {                                                                              \
        result r;                                                                                                      \
        r.p[0] = part(a.p[0], b.p[0]);                                                                                 \
        SIMD_SECOND(r.p[1] = part(a.p[1], b.p[1]);)                                                                    \
        return r;                                                                                                      \
    }

SIMD_DEFINE_2(realxn, realxn_add, realxn, PART_ADD)
SIMD_DEFINE_2(realxn, realxn_sub, realxn, PART_SUB)
SIMD_DEFINE_2(realxn, realxn_mul, realxn, PART_MUL)
SIMD_DEFINE_2(realxn, realxn_div, realxn, PART_DIV)
/* a < b ? a : b, and a > b ? a : b: the second when one is NaN */
SIMD_DEFINE_2(realxn, realxn_min, realxn, PART_MIN)
SIMD_DEFINE_2(realxn, realxn_max, realxn, PART_MAX)
SIMD_DEFINE_1(realxn, realxn_sqrt, realxn, PART_SQRT)
SIMD_DEFINE_1(realxn, realxn_abs, realxn, PART_ABS)
SIMD_DEFINE_1(realxn, realxn_neg, realxn, PART_NEG)
/* false when one is NaN */
SIMD_DEFINE_2(boolxn, realxn_lt, realxn, PART_LT)
SIMD_DEFINE_2(boolxn, realxn_le, realxn, PART_LE)
SIMD_DEFINE_2(boolxn, boolxn_and, boolxn, TRUTH_AND)
SIMD_DEFINE_2(boolxn, boolxn_or, boolxn, TRUTH_OR)
SIMD_DEFINE_1(boolxn, boolxn_not, boolxn, TRUTH_NOT)

/* Short words for arithmetic on lanes. */
#define ADD realxn_add
#define SUB realxn_sub
#define MUL realxn_mul
#define DIV realxn_div

/* a + b c, a - b c, rounded twice */
SIMD_FN realxn realxn_madd(realxn a, realxn b, realxn c) { return ADD(a, MUL(b, c)); }
SIMD_FN realxn realxn_msub(realxn a, realxn b, realxn c) { return SUB(a, MUL(b, c)); }

/* a[0], a[1], ..., any alignment; register by register: gcc copies a whole structure in pieces that cannot be forwarded */
SIMD_FN realxn realxn_load(const real *a) {
    realxn r;
    r.p[0] = ((const simd_memory *)(const void *)a)[0];
    SIMD_SECOND(r.p[1] = ((const simd_memory *)(const void *)a)[1];)
    return r;
}

SIMD_FN void realxn_store(real *a, realxn x) {
    ((simd_memory *)(void *)a)[0] = x.p[0];
    SIMD_SECOND(((simd_memory *)(void *)a)[1] = x.p[1];)
}

SIMD_FN realxn realxn_all(real s) {
    realxn r;
    r.p[0] = PART_ALL(s);
    SIMD_SECOND(r.p[1] = PART_ALL(s);)
    return r;
}

/* m ? a : b, and m ? a : 0 */
SIMD_FN realxn realxn_select(boolxn m, realxn a, realxn b) {
    realxn r;
    r.p[0] = PART_SELECT(m.p[0], a.p[0], b.p[0]);
    SIMD_SECOND(r.p[1] = PART_SELECT(m.p[1], a.p[1], b.p[1]);)
    return r;
}

SIMD_FN realxn realxn_where(boolxn m, realxn a) {
    realxn r;
    r.p[0] = PART_WHERE(m.p[0], a.p[0]);
    SIMD_SECOND(r.p[1] = PART_WHERE(m.p[1], a.p[1]);)
    return r;
}

/* Returns lane i in bit i. */
SIMD_FN unsigned boolxn_bits(boolxn m) {
#if SIMD_ISA == SIMD_ONE || SIMD_BYTES == 64
    return m.p[0];
#elif SIMD_BYTES == 32
    unsigned bits = (unsigned)SIMD_OP(movemask)((simd_part)m.p[0]);
    SIMD_SECOND(bits |= (unsigned)SIMD_OP(movemask)((simd_part)m.p[1]) << SIMD_WIDTH;)
    return bits;
#else
    unsigned bits = 0;
    for (int i = 0; i < REAL_LANES; i++) bits |= (m.p[i / SIMD_WIDTH][i % SIMD_WIDTH] ? 1u : 0u) << i;
    return bits;
#endif
}

/* Returns whether some lane is true: what no lane needs is not computed. */
SIMD_FN bool boolxn_any(boolxn m) {
#if SIMD_BYTES == 32 && SIMD_ISA != SIMD_ONE
    const simd_part all = (simd_part)(m.p[0] | m.p[SIMD_PARTS - 1]);
    return !SIMD_OP(testz)(all, all);
#else
    return boolxn_bits(m) != 0;
#endif
}

#if SIMD_ISA == SIMD_ONE
/* Returns the one number of a value. */
static inline real realxn_number(realxn a) { return a.p[0]; }
#endif

#endif
