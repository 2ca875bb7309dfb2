/* Several vectors at once, component by component: what vec.h does to one, with the same bits. Included by kernels, for the
 * instruction set that SIMD_ISA names. */
#ifndef TRUNDLE_MATH_LANES3_H
#define TRUNDLE_MATH_LANES3_H

#include "math/simd.h"

#if SIMD_ISA == SIMD_GENERIC || SIMD_X86

typedef struct lanes3 {
    f64xn x, y, z;
} lanes3;

/* The first numbers of three rows of eight. */
SIMD_FN lanes3 lanes3_load(const double *p) { return (lanes3){f64xn_load(p), f64xn_load(p + 8), f64xn_load(p + 16)}; }

SIMD_FN void lanes3_store(double *p, lanes3 a) {
    f64xn_store(p, a.x);
    f64xn_store(p + 8, a.y);
    f64xn_store(p + 16, a.z);
}

/* Short words for arithmetic on lanes. */
#define ADD f64xn_add
#define SUB f64xn_sub
#define MUL f64xn_mul
#define DIV f64xn_div

SIMD_FN lanes3 lanes3_add(lanes3 a, lanes3 b) { return (lanes3){ADD(a.x, b.x), ADD(a.y, b.y), ADD(a.z, b.z)}; }
SIMD_FN lanes3 lanes3_sub(lanes3 a, lanes3 b) { return (lanes3){SUB(a.x, b.x), SUB(a.y, b.y), SUB(a.z, b.z)}; }
SIMD_FN lanes3 lanes3_scale(f64xn s, lanes3 a) { return (lanes3){MUL(s, a.x), MUL(s, a.y), MUL(s, a.z)}; }
/* a + s b, a - s b */
SIMD_FN lanes3 lanes3_madd(lanes3 a, f64xn s, lanes3 b) { return lanes3_add(a, lanes3_scale(s, b)); }
SIMD_FN lanes3 lanes3_msub(lanes3 a, f64xn s, lanes3 b) { return lanes3_sub(a, lanes3_scale(s, b)); }
SIMD_FN f64xn lanes3_dot(lanes3 a, lanes3 b) { return ADD(ADD(MUL(a.x, b.x), MUL(a.y, b.y)), MUL(a.z, b.z)); }
SIMD_FN f64xn lanes3_norm(lanes3 a) { return f64xn_sqrt(lanes3_dot(a, a)); }

SIMD_FN lanes3 lanes3_cross(lanes3 a, lanes3 b) {
    return (lanes3){SUB(MUL(a.y, b.z), MUL(a.z, b.y)), SUB(MUL(a.z, b.x), MUL(a.x, b.z)),
                    SUB(MUL(a.x, b.y), MUL(a.y, b.x))};
}

#endif
#endif
