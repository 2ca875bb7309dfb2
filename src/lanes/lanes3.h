/* Several vectors at once, component by component: what vec.h does to one, with the same bits. Included by kernels, for the
 * instruction set that SIMD_ISA names. */
#ifndef TRUNDLE_LANES_LANES3_H
#define TRUNDLE_LANES_LANES3_H

#include "lanes/realxn.h"

typedef struct lanes3 {
    realxn x, y, z;
} lanes3;

/* The first numbers of three rows of eight. */
SIMD_FN lanes3 lanes3_load(const real *p) { return (lanes3){realxn_load(p), realxn_load(p + 8), realxn_load(p + 16)}; }

SIMD_FN void lanes3_store(real *p, lanes3 a) {
    realxn_store(p, a.x);
    realxn_store(p + 8, a.y);
    realxn_store(p + 16, a.z);
}

SIMD_FN lanes3 lanes3_add(lanes3 a, lanes3 b) { return (lanes3){ADD(a.x, b.x), ADD(a.y, b.y), ADD(a.z, b.z)}; }
SIMD_FN lanes3 lanes3_sub(lanes3 a, lanes3 b) { return (lanes3){SUB(a.x, b.x), SUB(a.y, b.y), SUB(a.z, b.z)}; }
SIMD_FN lanes3 lanes3_scale(realxn s, lanes3 a) { return (lanes3){MUL(s, a.x), MUL(s, a.y), MUL(s, a.z)}; }
/* a + s b, a - s b */
SIMD_FN lanes3 lanes3_madd(lanes3 a, realxn s, lanes3 b) { return lanes3_add(a, lanes3_scale(s, b)); }
SIMD_FN lanes3 lanes3_msub(lanes3 a, realxn s, lanes3 b) { return lanes3_sub(a, lanes3_scale(s, b)); }
SIMD_FN realxn lanes3_dot(lanes3 a, lanes3 b) { return ADD(ADD(MUL(a.x, b.x), MUL(a.y, b.y)), MUL(a.z, b.z)); }
SIMD_FN realxn lanes3_norm(lanes3 a) { return realxn_sqrt(lanes3_dot(a, a)); }

SIMD_FN lanes3 lanes3_cross(lanes3 a, lanes3 b) {
    return (lanes3){SUB(MUL(a.y, b.z), MUL(a.z, b.y)), SUB(MUL(a.z, b.x), MUL(a.x, b.z)),
                    SUB(MUL(a.x, b.y), MUL(a.y, b.x))};
}

#endif
