/* springs_lanes.h: balls on balls and on planes, several contacts at once: how their points moved.
 *
 * Expressions are those of detect/track.c for these surfaces, operation by operation. Included by kernels (track_kernel.c,
 * springs_kernel.c), for the instruction set that SIMD_ISA names. What the springs do then is in spring_model.h. */
#ifndef TRUNDLE_STEPPERS_SPRINGS_SPRINGS_LANES_H
#define TRUNDLE_STEPPERS_SPRINGS_SPRINGS_LANES_H

#include "lanes/lanes3.h"
#include "lanes/lanes_turn.h"
#include "steppers/springs/spring_model.h"

SIMD_FN lanes3 reject(lanes3 a, lanes3 n) { return lanes3_msub(a, lanes3_dot(a, n), n); }

/* ---- where the contact went: trui_track_follow with the half angle, and set_moved */

/* c[0] + s (c[1] + s (...)) */
SIMD_FN realxn arc_series(realxn s) {
    realxn y = realxn_all(945.0 / 42240.0);
    y = ADD(realxn_all(105.0 / 3456.0), MUL(s, y));
    y = ADD(realxn_all(15.0 / 336.0), MUL(s, y));
    y = ADD(realxn_all(3.0 / 40.0), MUL(s, y));
    y = ADD(realxn_all(1.0 / 6.0), MUL(s, y));
    return ADD(realxn_all(1.0), MUL(s, y));
}

/* arc_per_sine in its series; *good loses lanes beyond it. */
SIMD_FN realxn arc_of(realxn sine2, realxn cosine, boolxn *good) {
    *good = boolxn_and(*good, boolxn_and(realxn_lt(sine2, realxn_all(0x1p-10)), realxn_lt(realxn_all(0.0), cosine)));
    return arc_series(sine2);
}

SIMD_FN lanes3 laid(lanes3 t1, lanes3 t2, lanes3 n, boolxn *good) {
    const lanes3 a = reject(lanes3_add(t1, lanes3_cross(t2, n)), n);
    const realxn s = lanes3_dot(a, a);
    *good = boolxn_and(*good, boolxn_and(realxn_lt(realxn_all(0x1p-900), s), realxn_lt(s, realxn_all(0x1p900))));
    return lanes3_scale(DIV(realxn_all(1.0), realxn_sqrt(s)), a);
}

/* The record of the step before, where its bodies (A, B) have carried it, in world axes. */
typedef struct lanes_record {
    lanes3 at[2], t1[2], t2[2];
} lanes_record;

/* Where the contact is, and what moved since the record. */
typedef struct lanes_contact {
    lanes3 n, t1, t2, arm_a, arm_b;
    realxn gap;
    realxn curvature; /* of both surfaces together */
    realxn moved[TRU_FRICTION_ROWS];
} lanes_contact;

/* Over a ball about the centre of mass, squared arm bb: an arc. */
SIMD_FN lanes3 ball_path(lanes3 a, lanes3 arm, realxn bb, lanes3 n, boolxn *good) {
    const lanes3 along = reject(a, n);
    const realxn aa = lanes3_dot(a, a);
    const realxn arc = arc_of(DIV(lanes3_dot(along, along), aa), lanes3_dot(a, arm), good);
    return lanes3_scale(realxn_neg(MUL(arc, realxn_sqrt(DIV(bb, aa)))), along);
}

/* Turn of a body in the rows of the frame, from the path over its surface; the zeros of the shape operator decide the sign of
 * a zero. */
SIMD_FN void roll_of(realxn k, realxn x, realxn y, realxn roll[2]) {
    const realxn zero = realxn_all(0.0);
    roll[0] = realxn_neg(ADD(MUL(zero, x), MUL(k, y)));
    roll[1] = ADD(MUL(k, x), MUL(zero, y));
}

/* A is a ball, B a ball or a plane (flat). */
SIMD_FN void follow(const lanes_record *old, bool flat, lanes_contact *c, boolxn *good) {
    const realxn half = realxn_all(0.5), one = realxn_all(1.0);
    const lanes3 n = c->n;
    const lanes3 u0 = laid(old->t1[0], old->t2[0], n, good), u1 = laid(old->t1[1], old->t2[1], n, good);
    const realxn sine = lanes3_dot(lanes3_cross(u1, u0), n), cosine = lanes3_dot(u1, u0);
    c->moved[2] = MUL(sine, arc_of(MUL(sine, sine), cosine, good));
    const lanes3 sum = lanes3_add(u0, u1);
    const realxn half_cos = MUL(half, lanes3_norm(sum));
    *good = boolxn_and(*good, realxn_lt(realxn_all(0x1p-20), half_cos));
    c->t1 = lanes3_scale(DIV(half, half_cos), sum);
    c->t2 = lanes3_cross(n, c->t1);
    const realxn aa = lanes3_dot(c->arm_a, c->arm_a), bb = flat ? aa : lanes3_dot(c->arm_b, c->arm_b);
    const lanes3 path_a = ball_path(old->at[0], c->arm_a, aa, n, good);
    const lanes3 path_b =
        flat ? reject(lanes3_sub(c->arm_b, old->at[1]), n) : ball_path(old->at[1], c->arm_b, bb, n, good);
    const realxn ax = lanes3_dot(path_a, c->t1), ay = lanes3_dot(path_a, c->t2);
    const realxn bx = lanes3_dot(path_b, c->t1), by = lanes3_dot(path_b, c->t2);
    const realxn qc = realxn_sqrt(MUL(half, ADD(one, half_cos)));
    const realxn q = DIV(MUL(realxn_all(0.25), sine), MUL(half_cos, qc));
    const realxn pax = ADD(MUL(qc, ax), MUL(q, ay)), pay = SUB(MUL(qc, ay), MUL(q, ax));
    const realxn pbx = SUB(MUL(qc, bx), MUL(q, by)), pby = ADD(MUL(q, bx), MUL(qc, by));
    const realxn ka = DIV(one, realxn_sqrt(aa)), kb = flat ? realxn_all(0.0) : DIV(one, realxn_sqrt(bb));
    realxn roll_a[2], roll_b[2];
    roll_of(ka, pax, pay, roll_a);
    roll_of(kb, pbx, pby, roll_b);
    c->moved[0] = SUB(pbx, pax);
    c->moved[1] = SUB(pby, pay);
    c->moved[3] = ADD(roll_a[0], roll_b[0]);
    c->moved[4] = ADD(roll_a[1], roll_b[1]);
}

#endif
