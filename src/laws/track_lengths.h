/* track_lengths.h: the lengths that law track has instead of coefficients of rolling and spinning, for as many contacts as a realxn
 * holds: one in law_track.c, four or eight in kernels.
 *
 * | symbol [FN20] | name | unit |
 * |---|---|---|
 * | eta_r, eta_psi | eta_r2 = 2 eta_r, eta_psi | - |
 * | kappa_i + kappa_j | curvature | 1/m | */
#ifndef TRUNDLE_LAWS_TRACK_LENGTHS_H
#define TRUNDLE_LAWS_TRACK_LENGTHS_H

#include "lanes/realxn.h"

/* Returns what a cap is in parts of slide [m]; *area [m^2]: what the stiffness of the slide spring is multiplied with. */
SIMD_FN realxn track_roll_length(realxn eta_r2, realxn curvature, realxn *area) {
    const realxn length = DIV(eta_r2, curvature);
    *area = DIV(MUL(realxn_all(2.0), length), curvature);
    return length;
}

/* The same; arm [m]: 1 / curvature, or the radius of Hertz's contact circle. */
SIMD_FN realxn track_spin_length(realxn eta_psi, realxn arm, realxn *area) {
    const realxn length = MUL(eta_psi, arm);
    *area = MUL(length, arm);
    return length;
}

#endif
