/* lanes_turn.h: rotations of several bodies at once: what mat.h and quat.h do to one, with the same bits. Included by kernels, for the
 * instruction set that SIMD_ISA names. */
#ifndef TRUNDLE_LANES_LANES_TURN_H
#define TRUNDLE_LANES_LANES_TURN_H

#include "lanes/lanes3.h"

typedef struct lanes33 {
    lanes3 row[3];
} lanes33;

typedef struct lanes4 {
    realxn w, x, y, z;
} lanes4;

/* quat_to_matrix */
SIMD_FN lanes33 lanes4_axes(lanes4 q) {
    const realxn one = realxn_all(1.0), x2 = ADD(q.x, q.x), y2 = ADD(q.y, q.y), z2 = ADD(q.z, q.z);
    const realxn xx = MUL(q.x, x2), yy = MUL(q.y, y2), zz = MUL(q.z, z2), xy = MUL(q.x, y2), xz = MUL(q.x, z2),
                 yz = MUL(q.y, z2);
    const realxn wx = MUL(q.w, x2), wy = MUL(q.w, y2), wz = MUL(q.w, z2);
    return (lanes33){{{SUB(one, ADD(yy, zz)), SUB(xy, wz), ADD(xz, wy)},
                      {ADD(xy, wz), SUB(one, ADD(xx, zz)), SUB(yz, wx)},
                      {SUB(xz, wy), ADD(yz, wx), SUB(one, ADD(xx, yy))}}};
}

/* m3_apply, m3_apply_t */
SIMD_FN lanes3 lanes33_apply(lanes33 m, lanes3 v) {
    return (lanes3){lanes3_dot(m.row[0], v), lanes3_dot(m.row[1], v), lanes3_dot(m.row[2], v)};
}

SIMD_FN lanes3 lanes33_apply_t(lanes33 m, lanes3 v) {
    const lanes3 *r = m.row;
    return (lanes3){lanes3_dot((lanes3){r[0].x, r[1].x, r[2].x}, v), lanes3_dot((lanes3){r[0].y, r[1].y, r[2].y}, v),
                    lanes3_dot((lanes3){r[0].z, r[1].z, r[2].z}, v)};
}

/* quat_mul */
SIMD_FN lanes4 lanes4_mul(lanes4 a, lanes4 b) {
    return (lanes4){SUB(SUB(SUB(MUL(a.w, b.w), MUL(a.x, b.x)), MUL(a.y, b.y)), MUL(a.z, b.z)),
                    SUB(ADD(ADD(MUL(a.w, b.x), MUL(a.x, b.w)), MUL(a.y, b.z)), MUL(a.z, b.y)),
                    ADD(ADD(SUB(MUL(a.w, b.y), MUL(a.x, b.z)), MUL(a.y, b.w)), MUL(a.z, b.x)),
                    ADD(SUB(ADD(MUL(a.w, b.z), MUL(a.x, b.y)), MUL(a.y, b.x)), MUL(a.z, b.w))};
}

/* quat_exp for turns r up to 1/2 rad; *good loses lanes beyond that. */
SIMD_FN lanes4 lanes4_exp(lanes3 r, boolxn *good) {
    const realxn one = realxn_all(1.0), half = realxn_all(0.5);
    const realxn s = MUL(realxn_all(0.25), lanes3_dot(r, r)), s2 = MUL(s, s);
#define C(x) realxn_all(x)
    realxn c = ADD(SUB(C(0x1.55555555552b6p-5), MUL(s, C(0x1.6c16c169b8577p-10))),
                   MUL(s2, SUB(C(0x1.a019ea1ec6628p-16), MUL(s, C(0x1.2783caa123e14p-22)))));
    realxn f = ADD(SUB(C(0x1.1111111110f24p-7), MUL(s, C(0x1.a01a019de21dep-13))),
                   MUL(s2, SUB(C(0x1.71de2881ff108p-19), MUL(s, C(0x1.ade24728476a1p-26)))));
    c = SUB(one, SUB(MUL(half, s), MUL(s2, c)));
    f = SUB(one, SUB(MUL(s, C(0x1.5555555555555p-3)), MUL(s2, f)));
#undef C
    f = MUL(f, half);
    *good = boolxn_and(*good, realxn_le(s, realxn_all(0x1p-4)));
    return (lanes4){c, MUL(f, r.x), MUL(f, r.y), MUL(f, r.z)};
}

/* quat_integrate: the orientation after a turn r = h w; *good loses lanes that turn too far or are far from unit length. */
SIMD_FN lanes4 lanes4_integrate(lanes4 q, lanes3 r, boolxn *good) {
    const realxn one = realxn_all(1.0), half = realxn_all(0.5);
    q = lanes4_mul(lanes4_exp(r, good), q);
    const realxn e = SUB(ADD(ADD(ADD(MUL(q.w, q.w), MUL(q.x, q.x)), MUL(q.y, q.y)), MUL(q.z, q.z)), one);
    const realxn g = SUB(one, MUL(half, e));
    *good = boolxn_and(*good, realxn_lt(realxn_abs(e), realxn_all(0x1p-27)));
    return (lanes4){MUL(g, q.w), MUL(g, q.x), MUL(g, q.y), MUL(g, q.z)};
}

#endif
