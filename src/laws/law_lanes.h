/* law_lanes.h: parts of laws that single contacts and kernels share, written for as many contacts as a realxn holds: the cone of
 * constant limits, and the lengths of law track.
 *
 * | symbol [FN20] | name | unit |
 * |---|---|---|
 * | eta_r, eta_psi | eta_r2 = 2 eta_r, eta_psi | - |
 * | kappa_i + kappa_j | curvature | 1/m | */
#ifndef TRUNDLE_LAWS_LAW_LANES_H
#define TRUNDLE_LAWS_LAW_LANES_H

#include "lanes/realxn.h"

/* ---- the cone { |l_i| <= c_i y_n } of constant slide, spin and roll limits, in the metric [cone-equations 3] */

/* The normal part of the nearest point is top / den. */
typedef struct lanes_root {
    realxn top, den;
} lanes_root;

/* l: sizes of the slide, spin and roll parts of a point with normal part x; lean_i = P_n/P_i c_i. y_n is the root of phi(y) =
 * y - x - sum lean_i max(0, l_i - c_i y), which increases: part i is cut where the root lies below its breakpoint l_i/c_i, that is
 * where c_i phi(l_i/c_i) > 0. All three are decided at once, without a division. */
SIMD_FN lanes_root cone_root(realxn x, const realxn l[3], const realxn c[3], const realxn lean[3]) {
    const realxn zero = realxn_all(0), one = realxn_all(1);
    const realxn d01 = SUB(MUL(c[0], l[1]), MUL(c[1], l[0])), d02 = SUB(MUL(c[0], l[2]), MUL(c[2], l[0]));
    const realxn d12 = SUB(MUL(c[1], l[2]), MUL(c[2], l[1]));
    const realxn f0 = ADD(MUL(lean[1], realxn_max(d01, zero)), MUL(lean[2], realxn_max(d02, zero)));
    const realxn f1 = SUB(MUL(lean[2], realxn_max(d12, zero)), MUL(lean[0], realxn_min(d01, zero)));
    const realxn f2 = ADD(MUL(lean[0], realxn_min(d02, zero)), MUL(lean[1], realxn_min(d12, zero)));
    const boolxn out0 = realxn_lt(ADD(MUL(c[0], x), f0), l[0]), out1 = realxn_lt(ADD(MUL(c[1], x), f1), l[1]);
    const boolxn out2 = realxn_lt(SUB(MUL(c[2], x), f2), l[2]);
    const realxn num = ADD(ADD(x, realxn_where(out0, MUL(lean[0], l[0]))),
                           ADD(realxn_where(out1, MUL(lean[1], l[1])), realxn_where(out2, MUL(lean[2], l[2]))));
    const realxn den = ADD(ADD(one, realxn_where(out0, MUL(lean[0], c[0]))),
                           ADD(realxn_where(out1, MUL(lean[1], c[1])), realxn_where(out2, MUL(lean[2], c[2]))));
    return (lanes_root){realxn_max(num, zero), den};
}

/* Returns what a disc of radius `most` leaves of a vector of size l: a factor, at most 1. */
SIMD_FN realxn disc_part(realxn most, realxn l) {
    return realxn_min(realxn_all(1), DIV(most, realxn_max(l, realxn_all(REAL_LEAST))));
}

/* Returns the point of [-most, most] that is nearest to x. */
SIMD_FN realxn clamp_to(realxn most, realxn x) { return realxn_max(realxn_neg(most), realxn_min(most, x)); }

/* ---- law track */

/* Returns what a cap is in parts of slide [m]; *area [m^2]: what the stiffness of the slide spring is multiplied with. */
SIMD_FN realxn track_roll_length(realxn eta_r2, realxn curvature, realxn *area) {
    const realxn length = DIV(eta_r2, curvature);
    *area = DIV(MUL(realxn_all(2), length), curvature);
    return length;
}

/* The same; arm [m]: 1 / curvature, or the radius of Hertz's contact circle. */
SIMD_FN realxn track_spin_length(realxn eta_psi, realxn arm, realxn *area) {
    const realxn length = MUL(eta_psi, arm);
    *area = MUL(length, arm);
    return length;
}

#endif
