/* track_kernel.h: a step of eight balls on planes (track_lanes.h), for the instruction set that SIMD_ISA names.
 *
 * Expressions are those of track.c, springs.c, step_track.c, account.c and quat.h, operation by operation. */
#include "math/lanes3.h"
#include "steppers/track_lanes.h"

#if SIMD_ISA == SIMD_GENERIC || SIMD_X86

typedef struct lanes33 {
    lanes3 row[3];
} lanes33;

/* As many lanes of the eight as a value holds. */
typedef struct lanes_view {
    double *row; /* rows of eight numbers, from the first lane of the view on */
    const track_form *form;
} lanes_view;

SIMD_FN f64xn get(const lanes_view *k, int row) { return f64xn_load(k->row + TRACK_LANES * row); }
SIMD_FN lanes3 get3(const lanes_view *k, int row) { return lanes3_load(k->row + TRACK_LANES * row); }
SIMD_FN lanes33 get33(const lanes_view *k, int row) {
    return (lanes33){{get3(k, row), get3(k, row + 3), get3(k, row + 6)}};
}
SIMD_FN void put(const lanes_view *k, int row, f64xn x) { f64xn_store(k->row + TRACK_LANES * row, x); }
SIMD_FN void put3(const lanes_view *k, int row, lanes3 x) { lanes3_store(k->row + TRACK_LANES * row, x); }

SIMD_FN lanes3 apply(lanes33 m, lanes3 v) {
    return (lanes3){lanes3_dot(m.row[0], v), lanes3_dot(m.row[1], v), lanes3_dot(m.row[2], v)};
}

SIMD_FN lanes3 apply_t(lanes33 m, lanes3 v) {
    const lanes3 *r = m.row;
    return (lanes3){lanes3_dot((lanes3){r[0].x, r[1].x, r[2].x}, v), lanes3_dot((lanes3){r[0].y, r[1].y, r[2].y}, v),
                    lanes3_dot((lanes3){r[0].z, r[1].z, r[2].z}, v)};
}

SIMD_FN lanes3 reject(lanes3 a, lanes3 n) { return lanes3_msub(a, lanes3_dot(a, n), n); }

/* c[0] + s (c[1] + s (...)) */
SIMD_FN f64xn arc_series(f64xn s) {
    f64xn y = f64xn_all(945.0 / 42240.0);
    y = ADD(f64xn_all(105.0 / 3456.0), MUL(s, y));
    y = ADD(f64xn_all(15.0 / 336.0), MUL(s, y));
    y = ADD(f64xn_all(3.0 / 40.0), MUL(s, y));
    y = ADD(f64xn_all(1.0 / 6.0), MUL(s, y));
    return ADD(f64xn_all(1.0), MUL(s, y));
}

/* arc_per_sine in its series; *good loses lanes beyond it. */
SIMD_FN f64xn arc_of(f64xn sine2, f64xn cosine, boolxn *good) {
    *good = boolxn_and(*good, boolxn_and(f64xn_lt(sine2, f64xn_all(0x1p-10)), f64xn_lt(f64xn_all(0.0), cosine)));
    return arc_series(sine2);
}

SIMD_FN lanes3 laid(lanes3 t1, lanes3 t2, lanes3 n, boolxn *good) {
    const lanes3 a = reject(lanes3_add(t1, lanes3_cross(t2, n)), n);
    const f64xn s = lanes3_dot(a, a);
    *good = boolxn_and(*good, boolxn_and(f64xn_lt(f64xn_all(0x1p-900), s), f64xn_lt(s, f64xn_all(0x1p900))));
    return lanes3_scale(DIV(f64xn_all(1.0), f64xn_sqrt(s)), a);
}

/* Where the contact is, and what moved since the record. */
typedef struct lanes_contact {
    lanes3 n, t1, t2, arm_a, arm_b;
    f64xn gap, curvature;
    f64xn moved[TRU_FRICTION_ROWS];
} lanes_contact;

SIMD_FN void meet(const lanes_view *k, lanes33 r, lanes_contact *c, boolxn *good) {
    const lanes3 x = get3(k, TL_X), up = apply_t(r, c->n);
    const f64xn radius = get(k, TL_RADIUS), margin = get(k, TL_MARGIN);
    const f64xn height = lanes3_dot(c->n, lanes3_sub(x, get3(k, TL_PLANE)));
    const lanes3 point = lanes3_scale(f64xn_neg(radius), up);
    c->gap = ADD(height, lanes3_dot(up, point));
    c->arm_a = apply(r, point);
    c->arm_b = lanes3_add(c->arm_a, lanes3_sub(x, get3(k, TL_X_B)));
    *good = boolxn_and(*good, boolxn_and(f64xn_lt(SUB(height, radius), margin), f64xn_lt(c->gap, margin)));
}

/* A vector of B's body axes in world axes, and back. */
SIMD_FN lanes3 out_of_b(const lanes_view *k, lanes3 v) { return k->form->level ? v : apply(get33(k, TL_R_B), v); }
SIMD_FN lanes3 into_b(const lanes_view *k, lanes3 v) { return k->form->level ? v : apply_t(get33(k, TL_R_B), v); }

/* track_follow with the half angle, and set_moved for a ball on a plane. */
SIMD_FN void follow(const lanes_view *k, lanes33 r, lanes_contact *c, boolxn *good) {
    const f64xn half = f64xn_all(0.5);
    const lanes3 n = c->n;
    const lanes3 u0 = laid(apply(r, get3(k, TL_T1_A)), apply(r, get3(k, TL_T2_A)), n, good);
    const lanes3 u1 = laid(out_of_b(k, get3(k, TL_T1_B)), out_of_b(k, get3(k, TL_T2_B)), n, good);
    const f64xn sine = lanes3_dot(lanes3_cross(u1, u0), n), cosine = lanes3_dot(u1, u0);
    c->moved[2] = MUL(sine, arc_of(MUL(sine, sine), cosine, good));
    const lanes3 sum = lanes3_add(u0, u1);
    const f64xn half_cos = MUL(half, lanes3_norm(sum));
    *good = boolxn_and(*good, f64xn_lt(f64xn_all(0x1p-20), half_cos));
    c->t1 = lanes3_scale(DIV(half, half_cos), sum);
    c->t2 = lanes3_cross(n, c->t1);
    /* over the ball: an arc */
    const lanes3 a = apply(r, get3(k, TL_AT_A)), along = reject(a, n);
    const f64xn aa = lanes3_dot(a, a), bb = lanes3_dot(c->arm_a, c->arm_a);
    const f64xn arc = arc_of(DIV(lanes3_dot(along, along), aa), lanes3_dot(a, c->arm_a), good);
    const lanes3 path_a = lanes3_scale(f64xn_neg(MUL(arc, f64xn_sqrt(DIV(bb, aa)))), along);
    /* over the plane: straight */
    const lanes3 path_b = reject(lanes3_sub(c->arm_b, out_of_b(k, get3(k, TL_AT_B))), n);
    const f64xn ax = lanes3_dot(path_a, c->t1), ay = lanes3_dot(path_a, c->t2);
    const f64xn bx = lanes3_dot(path_b, c->t1), by = lanes3_dot(path_b, c->t2);
    const f64xn qc = f64xn_sqrt(MUL(half, ADD(f64xn_all(1.0), half_cos)));
    const f64xn q = DIV(MUL(f64xn_all(0.25), sine), MUL(half_cos, qc));
    const f64xn pax = ADD(MUL(qc, ax), MUL(q, ay));
    const f64xn pay = SUB(MUL(qc, ay), MUL(q, ax));
    const f64xn pbx = SUB(MUL(qc, bx), MUL(q, by));
    const f64xn pby = ADD(MUL(q, bx), MUL(qc, by));
    c->curvature = DIV(f64xn_all(1.0), f64xn_sqrt(bb));
    c->moved[0] = SUB(pbx, pax);
    c->moved[1] = SUB(pby, pay);
    c->moved[3] = f64xn_neg(MUL(c->curvature, pay));
    c->moved[4] = MUL(c->curvature, pax);
}

/* What springs_make says of one kind. */
typedef struct lanes_spring {
    f64xn k, d, cap, hold;
} lanes_spring;

SIMD_FN lanes_spring spring_of(const lanes_view *k, int kind, f64xn normal, f64xn curvature) {
    const int i = kind - TRU_KIND_SLIDE;
    lanes_spring s = {get(k, TL_K + i), get(k, TL_D + i), get(k, TL_CAP + i), get(k, TL_HOLD + i)};
    if (kind == TRU_KIND_SPIN && k->form->spin_eta) {
        const f64xn arm = MUL(get(k, TL_ETA_PSI), DIV(f64xn_all(1.0), curvature));
        s.k = MUL(get(k, TL_K), MUL(arm, DIV(f64xn_all(1.0), curvature)));
        s.d = MUL(get(k, TL_DAMP_P2), f64xn_sqrt(MUL(get(k, TL_INERTIA), s.k)));
        s.cap = MUL(arm, get(k, TL_MU_K));
        s.hold = MUL(arm, get(k, TL_MU_S));
    }
    if (kind != TRU_KIND_ROLL || !k->form->roll_eta) {
        s.cap = MUL(s.cap, normal);
        s.hold = MUL(s.hold, normal);
        return s;
    }
    const f64xn length = DIV(get(k, TL_ETA_R2), curvature);
    const f64xn own = MUL(get(k, TL_K), DIV(MUL(f64xn_all(2.0), length), curvature));
    s.k = k->form->roll_given ? get(k, TL_ROLL_K) : own;
    s.d = MUL(get(k, TL_DAMP_R2), f64xn_sqrt(MUL(get(k, TL_INERTIA), s.k)));
    s.cap = MUL(MUL(length, get(k, TL_MU_K)), normal);
    s.hold = MUL(MUL(length, get(k, TL_MU_S)), normal);
    if (k->form->roll_given) {
        const f64xn f = DIV(s.k, own);
        s.cap = MUL(s.cap, f);
        s.hold = MUL(s.hold, f);
    }
    return s;
}

SIMD_FN f64xn size_of(const f64xn *v, int rows) {
    return rows == 1 ? f64xn_abs(v[0]) : f64xn_sqrt(ADD(MUL(v[0], v[0]), MUL(v[1], v[1])));
}

/* What a step books, and what it leaves in the springs. */
typedef struct lanes_books {
    f64xn theta_shift, stiffness, heat[TRU_KINDS];
    f64xn stretch[TRU_FRICTION_ROWS], stiff[TRU_KINDS], energy[TRU_KINDS];
    f64xn p[TRU_ROWS]; /* impulses */
    f64xn stuck[3];    /* 1: the spring of this kind sticks now */
    boolxn flips;      /* some spring changes its mode */
} lanes_books;

/* load_kind and channel_load. */
SIMD_FN void load_spring(const lanes_view *k, int kind, int row, int rows, const lanes_contact *c, f64xn normal,
                         f64xn h, lanes_books *b) {
    const f64xn zero = f64xn_all(0.0), half = f64xn_all(0.5), one = f64xn_all(1.0);
    const lanes_spring s = spring_of(k, kind, normal, c->curvature);
    const boolxn sticks = f64xn_lt(half, get(k, TL_STUCK + kind - TRU_KIND_SLIDE));
    f64xn old[2], next[2], elastic[2], drag[2];
    for (int i = 0; i < rows; i++) {
        old[i] = get(k, TL_STRETCH + row + i);
        next[i] = ADD(old[i], c->moved[row + i]);
    }
    const f64xn was = size_of(old, rows), size = size_of(next, rows), force = MUL(s.k, size);
    b->stiffness = ADD(b->stiffness, MUL(MUL(MUL(half, SUB(s.k, get(k, TL_STIFF + kind))), was), was));
    const f64xn limit = f64xn_select(sticks, s.hold, s.cap);
    const boolxn over = f64xn_lt(limit, force);
    /* sticking and over, or slipping and not */
    b->flips = boolxn_or(b->flips, boolxn_or(boolxn_and(sticks, over), boolxn_not(boolxn_or(sticks, over))));
    b->stuck[kind - TRU_KIND_SLIDE] = f64xn_select(over, zero, one);
    const f64xn cut = DIV(limit, force);
    for (int i = 0; i < rows; i++) {
        next[i] = f64xn_select(over, MUL(next[i], cut), next[i]);
        elastic[i] = MUL(s.k, next[i]);
        drag[i] = DIV(MUL(s.d, c->moved[row + i]), h);
        b->stretch[row + i] = next[i];
    }
    if (k->form->limited) {
        f64xn sum[2];
        for (int i = 0; i < rows; i++) sum[i] = ADD(elastic[i], drag[i]);
        const f64xn all = size_of(sum, rows), f = DIV(s.hold, all);
        const boolxn beyond = f64xn_lt(s.hold, all);
        for (int i = 0; i < rows; i++) drag[i] = f64xn_select(beyond, SUB(MUL(sum[i], f), elastic[i]), drag[i]);
    }
    /* book */
    const f64xn held = MUL(s.k, was), most = f64xn_max(s.cap, s.hold);
    const f64xn keep = f64xn_select(f64xn_lt(most, held), DIV(most, held), one);
    const f64xn half_k = MUL(half, s.k);
    f64xn heat = zero, shift = zero;
    for (int i = 0; i < rows; i++) {
        drag[i] = f64xn_select(over, zero, drag[i]);
        const f64xn kept = MUL(keep, old[i]), e = SUB(next[i], kept);
        const f64xn gave = SUB(c->moved[row + i], e);
        const f64xn freed = MUL(half_k, SUB(MUL(old[i], old[i]), MUL(kept, kept)));
        heat = ADD(heat, ADD(ADD(freed, MUL(elastic[i], gave)), MUL(drag[i], c->moved[row + i])));
        shift = SUB(shift, MUL(MUL(half_k, e), e));
    }
    b->heat[kind] = ADD(b->heat[kind], heat);
    b->theta_shift = ADD(b->theta_shift, shift);
    const f64xn now = size_of(next, rows);
    b->energy[kind] = MUL(MUL(half_k, now), now);
    b->stiff[kind] = s.k;
    for (int i = 0; i < rows; i++) {
        const f64xn push = f64xn_neg(ADD(elastic[i], drag[i]));
        b->theta_shift = SUB(b->theta_shift, MUL(push, c->moved[row + i]));
        b->p[1 + row + i] = MUL(h, push);
    }
}

/* load_normal: prescribed, or hooke. */
SIMD_FN f64xn load_normal(const lanes_view *k, const lanes_contact *c, lanes3 v, lanes3 w, f64xn h, lanes_books *b,
                          f64xn *depth) {
    const f64xn zero = f64xn_all(0.0), deep = f64xn_max(f64xn_neg(c->gap), zero);
    *depth = deep;
    b->energy[TRU_KIND_NORMAL] = b->stiff[TRU_KIND_NORMAL] = zero;
    if (k->form->prescribed) return get(k, TL_FORCE);
    const f64xn approach = f64xn_neg(lanes3_dot(lanes3_add(v, lanes3_cross(w, c->arm_a)), c->n));
    const f64xn stiff = get(k, TL_NORMAL_K), elastic = MUL(stiff, deep);
    const f64xn energy = MUL(MUL(f64xn_all(0.5), elastic), deep);
    const f64xn normal = f64xn_max(ADD(elastic, MUL(get(k, TL_NORMAL_D), approach)), zero);
    const f64xn grown = SUB(deep, get(k, TL_OVERLAP)), drag = SUB(normal, elastic);
    b->heat[TRU_KIND_NORMAL] = ADD(b->heat[TRU_KIND_NORMAL], MUL(MUL(drag, h), approach));
    const f64xn gained = SUB(SUB(energy, get(k, TL_ENERGY + TRU_KIND_NORMAL)), MUL(elastic, grown));
    const f64xn late = MUL(drag, SUB(MUL(h, approach), grown));
    b->theta_shift = ADD(b->theta_shift, ADD(ADD(gained, late), MUL(normal, grown)));
    b->energy[TRU_KIND_NORMAL] = energy;
    b->stiff[TRU_KIND_NORMAL] = stiff;
    return normal;
}

/* a n + b t1 + c t2 */
SIMD_FN lanes3 in_frame(const lanes_contact *c, const f64xn *p) {
    return lanes3_madd(lanes3_madd(lanes3_scale(p[0], c->n), p[1], c->t1), p[2], c->t2);
}

/* Impulses times mean rates: springs_account. */
SIMD_FN void account_of(const lanes_view *k, const lanes_contact *c, lanes3 v, lanes3 w, lanes_books *b,
                        f64xn *drives) {
    const lanes3 va = lanes3_add(v, lanes3_cross(w, c->arm_a));
    const f64xn m[TRU_ROWS] = {lanes3_dot(va, c->n), lanes3_dot(va, c->t1), lanes3_dot(va, c->t2),
                               lanes3_dot(w, c->n),  lanes3_dot(w, c->t1),  lanes3_dot(w, c->t2)};
    if (k->form->prescribed)
        *drives = f64xn_madd(*drives, b->p[0], m[0]);
    else
        b->theta_shift = f64xn_madd(b->theta_shift, b->p[0], m[0]);
    for (int row = 1; row < TRU_ROWS; row++) b->theta_shift = f64xn_madd(b->theta_shift, b->p[row], m[row]);
}

typedef struct lanes4 {
    f64xn w, x, y, z;
} lanes4;

/* quat_integrate for small angles. */
SIMD_FN lanes4 turn(const lanes_view *k, lanes3 r, boolxn *good) {
    const f64xn one = f64xn_all(1.0), half = f64xn_all(0.5);
    const f64xn s = MUL(f64xn_all(0.25), lanes3_dot(r, r)), s2 = MUL(s, s);
#define C(x) f64xn_all(x)
    f64xn c = ADD(SUB(C(0x1.55555555552b6p-5), MUL(s, C(0x1.6c16c169b8577p-10))),
                  MUL(s2, SUB(C(0x1.a019ea1ec6628p-16), MUL(s, C(0x1.2783caa123e14p-22)))));
    f64xn f = ADD(SUB(C(0x1.1111111110f24p-7), MUL(s, C(0x1.a01a019de21dep-13))),
                  MUL(s2, SUB(C(0x1.71de2881ff108p-19), MUL(s, C(0x1.ade24728476a1p-26)))));
    c = SUB(one, SUB(MUL(half, s), MUL(s2, c)));
    f = SUB(one, SUB(MUL(s, C(0x1.5555555555555p-3)), MUL(s2, f)));
#undef C
    f = MUL(f, half);
    const lanes4 a = {c, MUL(f, r.x), MUL(f, r.y), MUL(f, r.z)};
    const lanes4 b = {get(k, TL_Q), get(k, TL_Q + 1), get(k, TL_Q + 2), get(k, TL_Q + 3)};
    const lanes4 q = {SUB(SUB(SUB(MUL(a.w, b.w), MUL(a.x, b.x)), MUL(a.y, b.y)), MUL(a.z, b.z)),
                      SUB(ADD(ADD(MUL(a.w, b.x), MUL(a.x, b.w)), MUL(a.y, b.z)), MUL(a.z, b.y)),
                      ADD(ADD(SUB(MUL(a.w, b.y), MUL(a.x, b.z)), MUL(a.y, b.w)), MUL(a.z, b.x)),
                      ADD(SUB(ADD(MUL(a.w, b.z), MUL(a.x, b.y)), MUL(a.y, b.x)), MUL(a.z, b.w))};
    const f64xn e = SUB(ADD(ADD(ADD(MUL(q.w, q.w), MUL(q.x, q.x)), MUL(q.y, q.y)), MUL(q.z, q.z)), one);
    const f64xn g = SUB(one, MUL(half, e));
    *good = boolxn_and(*good, boolxn_and(f64xn_le(s, f64xn_all(0x1p-4)), f64xn_lt(f64xn_abs(e), f64xn_all(0x1p-27))));
    return (lanes4){MUL(g, q.w), MUL(g, q.x), MUL(g, q.y), MUL(g, q.z)};
}

SIMD_FN void put_turned(const lanes_view *k, lanes4 q) {
    const f64xn one = f64xn_all(1.0), x2 = ADD(q.x, q.x), y2 = ADD(q.y, q.y), z2 = ADD(q.z, q.z);
    const f64xn xx = MUL(q.x, x2), yy = MUL(q.y, y2), zz = MUL(q.z, z2), xy = MUL(q.x, y2), xz = MUL(q.x, z2),
                yz = MUL(q.y, z2);
    const f64xn wx = MUL(q.w, x2), wy = MUL(q.w, y2), wz = MUL(q.w, z2);
    put(k, TL_Q, q.w);
    put3(k, TL_Q + 1, (lanes3){q.x, q.y, q.z});
    put3(k, TL_R, (lanes3){SUB(one, ADD(yy, zz)), SUB(xy, wz), ADD(xz, wy)});
    put3(k, TL_R + 3, (lanes3){ADD(xy, wz), SUB(one, ADD(xx, zz)), SUB(yz, wx)});
    put3(k, TL_R + 6, (lanes3){SUB(xz, wy), ADD(yz, wx), SUB(one, ADD(xx, yy))});
}

/* Finite in every lane: what is not does not vanish against itself. */
SIMD_FN boolxn finite(lanes3 x, lanes3 v, lanes3 w, f64xn q) {
    const lanes3 sum = lanes3_add(lanes3_add(x, v), w);
    const f64xn all = ADD(ADD(sum.x, sum.y), ADD(sum.z, q)), gap = SUB(all, all);
    return f64xn_le(gap, f64xn_all(0.0));
}

/* Does the rest of all lanes stay what it was? */
SIMD_FN boolxn rest_stays(const lanes_view *k, lanes3 v, lanes3 w) {
    const f64xn speed = f64xn_sqrt(ADD(lanes3_dot(v, v), MUL(get(k, TL_SIZE2), lanes3_dot(w, w))));
    const boolxn rests = f64xn_lt(speed, get(k, TL_SLOW)), rested = f64xn_lt(f64xn_all(0.5), get(k, TL_RESTING));
    return boolxn_or(boolxn_and(rests, rested), boolxn_and(boolxn_not(rests), boolxn_not(rested)));
}

/* Lanes that did not do the step get their rows back. */
static void give_back(const lanes_view *k, double before[TL_STATE][SIMD_LANES], unsigned lanes) {
    for (int row = 0; row < TL_STATE; row++)
        for (int i = 0; i < SIMD_LANES; i++)
            if (lanes >> i & 1u) k->row[TRACK_LANES * row + i] = before[row][i];
}

/* What an event tells: rates of the rows where the loads acted, with the velocities at the end. */
SIMD_FN void put_flips(const lanes_view *k, const lanes_contact *c, lanes3 v, lanes3 w, const lanes_books *b) {
    const lanes3 va = lanes3_add(v, lanes3_cross(w, c->arm_a));
    put3(k, TL_RATE, (lanes3){lanes3_dot(va, c->n), lanes3_dot(va, c->t1), lanes3_dot(va, c->t2)});
    put3(k, TL_RATE + 3, (lanes3){lanes3_dot(w, c->n), lanes3_dot(w, c->t1), lanes3_dot(w, c->t2)});
    for (int i = 0; i < 3; i++) put(k, TL_STUCK + i, b->stuck[i]);
}

/* Bits 0 to 7: lanes of the view that have not done the step; 8 to 15: that have, and changed a mode. */
SIMD_FN unsigned step_lanes(const lanes_view *k) {
    const f64xn h = get(k, TL_H), half = f64xn_all(0.5), zero = f64xn_all(0.0);
    const lanes3 v0 = get3(k, TL_V), w0 = get3(k, TL_W), gravity = get3(k, TL_GRAVITY);
    const lanes33 r = get33(k, TL_R);
    const unsigned claims = k->form->claims;
    boolxn good = f64xn_le(zero, zero);
    lanes_contact c;
    lanes_books b = {.theta_shift = get(k, TL_THETA_SHIFT), .stiffness = get(k, TL_STIFFNESS)};
    f64xn depth, drives = get(k, TL_DRIVES);
    for (int kind = 0; kind < TRU_KINDS; kind++) {
        b.heat[kind] = get(k, TL_HEAT + kind);
        b.stiff[kind] = get(k, TL_STIFF + kind);
        b.energy[kind] = get(k, TL_ENERGY + kind);
    }
    for (int row = 0; row < TRU_FRICTION_ROWS; row++) b.stretch[row] = get(k, TL_STRETCH + row);
    for (int row = 0; row < TRU_ROWS; row++) b.p[row] = zero;
    for (int i = 0; i < 3; i++) b.stuck[i] = get(k, TL_STUCK + i);
    b.flips = f64xn_lt(zero, zero);
    c.n = get3(k, TL_N);
    meet(k, r, &c, &good);
    follow(k, r, &c, &good);
    const f64xn normal = load_normal(k, &c, v0, w0, h, &b, &depth);
    b.p[0] = MUL(h, normal);
    if (claims & TRU_KIND_BIT(TRU_KIND_SLIDE)) load_spring(k, TRU_KIND_SLIDE, 0, 2, &c, normal, h, &b);
    if (claims & TRU_KIND_BIT(TRU_KIND_SPIN)) load_spring(k, TRU_KIND_SPIN, 2, 1, &c, normal, h, &b);
    if (claims & TRU_KIND_BIT(TRU_KIND_ROLL)) load_spring(k, TRU_KIND_ROLL, 3, 2, &c, normal, h, &b);
    /* kick and push */
    const lanes3 force = in_frame(&c, b.p), couple = in_frame(&c, b.p + 3), inverse = get3(k, TL_INVERSE);
    const lanes3 moment = lanes3_add(couple, lanes3_cross(c.arm_a, force));
    const lanes3 v = lanes3_madd(lanes3_madd(v0, h, gravity), get(k, TL_INV_MASS), force);
    const lanes3 w =
        lanes3_add(w0, (lanes3){MUL(inverse.x, moment.x), MUL(inverse.y, moment.y), MUL(inverse.z, moment.z)});
    /* account */
    const f64xn fall = MUL(MUL(half, h), get(k, TL_MASS));
    b.theta_shift = SUB(b.theta_shift, MUL(fall, lanes3_dot(gravity, lanes3_sub(v, v0))));
    account_of(k, &c, lanes3_scale(half, lanes3_add(v0, v)), lanes3_scale(half, lanes3_add(w0, w)), &b, &drives);
    /* drift */
    const lanes3 x = lanes3_madd(get3(k, TL_X), h, v);
    const lanes4 q = turn(k, lanes3_scale(h, w), &good);
    good = boolxn_and(good, boolxn_and(finite(x, v, w, ADD(ADD(q.w, q.x), ADD(q.y, q.z))), rest_stays(k, v, w)));
    const unsigned bad = boolxn_bits(boolxn_not(good));
    double before[TL_STATE][SIMD_LANES];
    for (int row = 0; bad && row < TL_STATE; row++) f64xn_store(before[row], get(k, row));
    put3(k, TL_AT_A, apply_t(r, c.arm_a));
    put3(k, TL_T1_A, apply_t(r, c.t1));
    put3(k, TL_T2_A, apply_t(r, c.t2));
    put3(k, TL_AT_B, into_b(k, c.arm_b));
    put3(k, TL_T1_B, into_b(k, c.t1));
    put3(k, TL_T2_B, into_b(k, c.t2));
    put3(k, TL_X, x);
    put3(k, TL_V, v);
    put3(k, TL_W, w);
    put_turned(k, q);
    for (int row = 0; row < TRU_FRICTION_ROWS; row++) put(k, TL_STRETCH + row, b.stretch[row]);
    for (int kind = 0; kind < TRU_KINDS; kind++) {
        put(k, TL_HEAT + kind, b.heat[kind]);
        put(k, TL_STIFF + kind, b.stiff[kind]);
        put(k, TL_ENERGY + kind, b.energy[kind]);
    }
    put(k, TL_OVERLAP, depth);
    put(k, TL_THETA_SHIFT, b.theta_shift);
    put(k, TL_STIFFNESS, b.stiffness);
    put(k, TL_DRIVES, drives);
    const unsigned flips = boolxn_bits(b.flips);
    if (flips) put_flips(k, &c, v, w, &b);
    if (bad) give_back(k, before, bad);
    return bad | (flips & ~bad) << 8;
}

SIMD_TARGET unsigned TRACK_KERNEL(track_lanes *k, uint64_t most, uint64_t *done) {
    unsigned odd = 0;
    for (*done = 0; *done < most; ++*done) {
        for (int at = 0; at < TRACK_LANES; at += SIMD_LANES)
            odd |= step_lanes(&(lanes_view){k->row[0] + at, &k->form}) << at;
        if (odd) break;
    }
    return odd;
}

#endif
