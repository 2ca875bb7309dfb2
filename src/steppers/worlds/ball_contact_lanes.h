/* ball_contact_lanes.h: the contact of eight balls on planes: where it is, its matrix, and the impulses of one step.
 *
 * Part of ball_kernel.c, which is compiled per instruction set. Expressions are those of one_contact.c, one_contact_ball.c and sets.h,
 * operation by operation.
 * | symbol | name | unit |
 * |---|---|---|
 * | r, u, p | rates without the contact, rates, impulses of the six rows | m/s, rad/s; N s, N m s |
 * | alpha, beta, gamma | slide, cross, turn of lanes_problem | 1/kg, 1/(kg m), 1/(kg m^2) | */
#ifndef TRUNDLE_STEPPERS_WORLDS_BALL_CONTACT_LANES_H
#define TRUNDLE_STEPPERS_WORLDS_BALL_CONTACT_LANES_H

#include "steppers/worlds/ball_rows.h"

#include "lanes/lanes_turn.h"
#include "laws/sets.h"
#include "solvers/one_contact/one_contact_ball.h"

/* As many lanes of the eight as a value holds. */
typedef struct lanes_view {
    double *row; /* rows of eight numbers, from the first lane of the view on */
    const ball_form *form;
} lanes_view;

SIMD_FN realxn get(const lanes_view *k, int row) { return realxn_load(k->row + WORLD_LANES * row); }
SIMD_FN lanes3 get3(const lanes_view *k, int row) { return lanes3_load(k->row + WORLD_LANES * row); }
SIMD_FN lanes4 get4(const lanes_view *k, int row) {
    return (lanes4){get(k, row), get(k, row + 1), get(k, row + 2), get(k, row + 3)};
}
SIMD_FN void put(const lanes_view *k, int row, realxn x) { realxn_store(k->row + WORLD_LANES * row, x); }
SIMD_FN void put3(const lanes_view *k, int row, lanes3 x) { lanes3_store(k->row + WORLD_LANES * row, x); }
SIMD_FN bool claims(const lanes_view *k, int kind) { return k->form->claims & TRU_KIND_BIT(kind); }
SIMD_FN bool has_couples(const lanes_view *k) { return k->form->claims & PAIR_COUPLES; }

/* row_kind */
SIMD_FN int kind_of(int row) { return row == 0 ? TRU_KIND_NORMAL : (int)LAW_KIND_OF_ROW(row - 1); }

/* larger */
SIMD_FN realxn larger_of(realxn a, realxn b) { return realxn_max(b, a); }
SIMD_FN boolxn truth(const lanes_view *k, int row) { return realxn_lt(realxn_all(0.5), get(k, row)); }
SIMD_FN boolxn same_truth(boolxn a, boolxn b) {
    return boolxn_or(boolxn_and(a, b), boolxn_and(boolxn_not(a), boolxn_not(b)));
}

/* ---- pairs of rows */

typedef struct lanes2 {
    realxn x, y;
} lanes2;

SIMD_FN lanes2 scale2(realxn s, lanes2 a) { return (lanes2){MUL(s, a.x), MUL(s, a.y)}; }
SIMD_FN lanes2 sub2(lanes2 a, lanes2 b) { return (lanes2){SUB(a.x, b.x), SUB(a.y, b.y)}; }
SIMD_FN lanes2 madd2(lanes2 a, realxn s, lanes2 b) {
    return (lanes2){realxn_madd(a.x, s, b.x), realxn_madd(a.y, s, b.y)};
}
SIMD_FN realxn dot2(lanes2 a, lanes2 b) { return ADD(MUL(a.x, b.x), MUL(a.y, b.y)); }
SIMD_FN lanes2 select2(boolxn m, lanes2 a, lanes2 b) {
    return (lanes2){realxn_select(m, a.x, b.x), realxn_select(m, a.y, b.y)};
}
/* within of one_contact_ball.c */
SIMD_FN boolxn within(lanes2 x, realxn limit) { return realxn_le(dot2(x, x), MUL(limit, limit)); }

/* v2_along: the vector of length `size` along d; zero if d is. */
SIMD_FN lanes2 along(realxn size, lanes2 d) {
    const realxn norm = realxn_sqrt(dot2(d, d));
    const boolxn has = realxn_lt(realxn_all(0.0), norm);
    const lanes2 y = scale2(DIV(size, norm), d);
    return (lanes2){realxn_where(has, y.x), realxn_where(has, y.y)};
}

/* ---- where the contact is */

typedef struct lanes_place {
    lanes3 arm; /* from the centre of mass */
    realxn gap, height;
} lanes_place;

/* on_plane_look of a sphere */
SIMD_FN lanes_place look(const lanes_view *k, lanes3 x, lanes4 q) {
    const lanes3 n = get3(k, BL_N);
    const lanes33 axes = lanes4_axes(q);
    const lanes3 up = lanes33_apply_t(axes, n), local = lanes3_scale(realxn_neg(get(k, BL_RADIUS)), up);
    const realxn height = lanes3_dot(n, lanes3_sub(x, get3(k, BL_PLANE)));
    return (lanes_place){lanes33_apply(axes, local), ADD(height, lanes3_dot(up, local)), height};
}

/* Whether on_plane_find finds the contact. */
SIMD_FN boolxn is_near(const lanes_view *k, const lanes_place *at) {
    const realxn margin = get(k, BL_MARGIN);
    return boolxn_and(realxn_lt(at->gap, margin), realxn_lt(SUB(at->height, get(k, BL_BOUND)), margin));
}

/* rates_of_rows on a plane that does not move */
SIMD_FN void rates_at(const lanes_view *k, lanes3 arm, lanes3 v, lanes3 w, realxn u[TRU_ROWS]) {
    const lanes3 n = get3(k, BL_N), t1 = get3(k, BL_T1), t2 = get3(k, BL_T2);
    const lanes3 va = lanes3_add(v, lanes3_cross(w, arm));
    u[TRU_ROW_NORMAL] = lanes3_dot(va, n);
    u[TRU_ROW_SLIDE1] = lanes3_dot(va, t1);
    u[TRU_ROW_SLIDE2] = lanes3_dot(va, t2);
    u[TRU_ROW_SPIN] = lanes3_dot(w, n);
    u[TRU_ROW_ROLL1] = lanes3_dot(w, t1);
    u[TRU_ROW_ROLL2] = lanes3_dot(w, t2);
}

/* ---- the contact problem */

typedef struct lanes_problem {
    realxn push, slide, cross, turn; /* responses, as in one_contact */
    realxn rho[TRU_KINDS];           /* metric of each kind */
    realxn length, speed;
    realxn r[TRU_ROWS], p[TRU_ROWS], u[TRU_ROWS], f[TRU_ROWS];
    realxn worst; /* relative residual */
    boolxn good;
} lanes_problem;

/* trui_one_contact_is_ball and ball_metric */
SIMD_FN void build(const lanes_view *k, lanes3 arm, lanes_problem *l) {
    const realxn one = realxn_all(1.0), inv_mass = get(k, BL_INV_MASS), turn = get(k, BL_TURN);
    const lanes3 n = get3(k, BL_N);
    const realxn far = lanes3_dot(arm, n);
    const lanes3 across = lanes3_madd(arm, realxn_neg(far), n);
    l->good = realxn_le(lanes3_dot(across, across),
                        MUL(MUL(realxn_all(ONE_CONTACT_STRAIGHT * ONE_CONTACT_STRAIGHT), far), far));
    l->push = inv_mass;
    l->slide = ADD(inv_mass, MUL(MUL(turn, far), far));
    l->cross = MUL(turn, far);
    l->turn = turn;
    l->rho[TRU_KIND_NORMAL] = DIV(one, inv_mass);
    l->rho[TRU_KIND_SLIDE] = claims(k, TRU_KIND_SLIDE) ? DIV(one, l->slide) : one;
    const realxn turned = has_couples(k) ? DIV(one, turn) : one;
    l->rho[TRU_KIND_SPIN] = claims(k, TRU_KIND_SPIN) ? turned : one;
    l->rho[TRU_KIND_ROLL] = claims(k, TRU_KIND_ROLL) ? turned : one;
    l->length = one;
    if (!has_couples(k)) return;
    const realxn norm = lanes3_norm(arm);
    l->length = realxn_select(realxn_lt(realxn_all(0.0), norm), norm, one);
}

/* trui_one_contact_free_rates: r = u + bias in claimed rows */
SIMD_FN void set_rates(const lanes_view *k, const realxn u[TRU_ROWS], const realxn bias[TRU_ROWS], lanes_problem *l) {
    realxn force = get(k, BL_FALL), couple = realxn_all(0.0);
    for (int row = 0; row < TRU_ROWS; row++) {
        const bool claimed = row == 0 || claims(k, kind_of(row));
        l->r[row] = claimed ? ADD(u[row], bias[row]) : realxn_all(0.0);
        if (row < 3)
            force = larger_of(force, realxn_abs(l->r[row]));
        else if (has_couples(k))
            couple = larger_of(couple, realxn_abs(l->r[row]));
    }
    l->speed = larger_of(force, MUL(couple, l->length));
}

/* one_disc */
SIMD_FN lanes2 one_disc(realxn g, realxn limit, lanes2 r) {
    const lanes2 x = scale2(DIV(realxn_all(-1.0), g), r);
    const boolxn sticks = within(x, limit);
    if (!boolxn_any(boolxn_not(sticks))) return x;
    return select2(sticks, x, along(realxn_neg(limit), r));
}

/* Two discs of one contact, and the lanes whose guess is a case. */
typedef struct lanes_discs {
    realxn alpha, beta, gamma, a, b;
    lanes2 r, o, p, q;
    boolxn good;
} lanes_discs;

/* Takes p and q where the case `is` the guess; the lane is good if they obey the laws. */
SIMD_FN void take_case(lanes_discs *d, boolxn is, lanes2 p, lanes2 q, boolxn obeys) {
    d->p = select2(is, p, d->p);
    d->q = select2(is, q, d->q);
    d->good = boolxn_and(d->good, boolxn_or(boolxn_not(is), obeys));
}

SIMD_FN void both_stick(lanes_discs *d, boolxn is) {
    const realxn scale = DIV(realxn_all(-1.0), SUB(MUL(d->alpha, d->gamma), MUL(d->beta, d->beta)));
    const lanes2 p = scale2(scale, sub2(scale2(d->gamma, d->r), scale2(d->beta, d->o)));
    const lanes2 q = scale2(scale, sub2(scale2(d->alpha, d->o), scale2(d->beta, d->r)));
    take_case(d, is, p, q, boolxn_and(within(p, d->a), within(q, d->b)));
}

/* The disc of radius b slips and that of p sticks. */
SIMD_FN boolxn one_slips(realxn alpha, realxn beta, realxn gamma, realxn a, realxn b, lanes2 r, lanes2 o, lanes2 *p,
                         lanes2 *q) {
    const lanes2 left = madd2(o, DIV(realxn_neg(beta), alpha), r);
    const realxn stiff = SUB(gamma, DIV(MUL(beta, beta), alpha));
    *q = along(realxn_neg(b), left);
    *p = scale2(DIV(realxn_all(-1.0), alpha), madd2(r, beta, *q));
    return boolxn_and(within(*p, a), boolxn_not(within(left, MUL(stiff, b))));
}

SIMD_FN void both_slip(lanes_discs *d, boolxn is) {
    const realxn near = MUL(MUL(realxn_all(0x1p-106), d->b), d->b);
    lanes2 p = d->p, q = along(realxn_neg(d->b), d->o);
    boolxn open = is, obeys = boolxn_and(is, boolxn_not(is));
    for (int i = 0; i < ONE_CONTACT_TURNS && boolxn_any(open); i++) {
        const lanes2 u = madd2(d->r, d->beta, q), new_p = along(realxn_neg(d->a), u);
        const lanes2 w = madd2(d->o, d->beta, new_p), next = along(realxn_neg(d->b), w), moved = sub2(next, q);
        p = select2(open, new_p, p);
        q = select2(open, next, q);
        const boolxn ends = boolxn_and(open, realxn_le(dot2(moved, moved), near));
        const boolxn slips = boolxn_not(boolxn_or(within(u, MUL(d->alpha, d->a)), within(w, MUL(d->gamma, d->b))));
        obeys = boolxn_or(obeys, boolxn_and(ends, slips));
        open = boolxn_and(open, boolxn_not(ends));
    }
    take_case(d, is, p, q, obeys);
}

/* solve_discs with slide and roll: the case of the last step. Lanes in which another case obeys the laws change a mode. */
SIMD_FN void two_discs(const lanes_view *k, realxn normal, lanes_problem *l, lanes2 *p, lanes2 *q) {
    const realxn zero = realxn_all(0.0);
    lanes_discs d = {.alpha = l->slide,
                     .beta = l->cross,
                     .gamma = l->turn,
                     .a = MUL(get(k, BL_LIMIT), normal),
                     .b = MUL(get(k, BL_LIMIT + 2), normal),
                     .r = {l->r[1], l->r[2]},
                     .o = {l->r[5], realxn_neg(l->r[4])},
                     .p = {zero, zero},
                     .q = {zero, zero},
                     .good = l->good};
    const boolxn s = truth(k, BL_STUCK), r = truth(k, BL_STUCK + 2);
    const boolxn is[4] = {boolxn_and(s, r), boolxn_and(boolxn_not(s), r), boolxn_and(s, boolxn_not(r)),
                          boolxn_not(boolxn_or(s, r))};
    lanes2 x, y;
    if (boolxn_any(is[0])) both_stick(&d, is[0]);
    if (boolxn_any(is[1])) {
        const boolxn obeys = one_slips(d.gamma, d.beta, d.alpha, d.b, d.a, d.o, d.r, &y, &x);
        take_case(&d, is[1], x, y, obeys);
    }
    if (boolxn_any(is[2])) {
        const boolxn obeys = one_slips(d.alpha, d.beta, d.gamma, d.a, d.b, d.r, d.o, &x, &y);
        take_case(&d, is[2], x, y, obeys);
    }
    if (boolxn_any(is[3])) both_slip(&d, is[3]);
    l->good = d.good;
    *p = d.p;
    *q = d.q;
}

/* trui_one_contact_solve_ball */
SIMD_FN void solve(const lanes_view *k, lanes_problem *l) {
    const realxn zero = realxn_all(0.0), normal = DIV(realxn_neg(l->r[0]), l->push);
    const bool slides = claims(k, TRU_KIND_SLIDE), rolls = claims(k, TRU_KIND_ROLL);
    lanes2 p = {zero, zero}, q = {zero, zero};
    realxn spin = zero;
    l->good = boolxn_and(l->good, boolxn_and(realxn_lt(l->r[0], zero), realxn_lt(zero, normal)));
    if (slides && rolls)
        two_discs(k, normal, l, &p, &q);
    else if (slides)
        p = one_disc(l->slide, MUL(get(k, BL_LIMIT), normal), (lanes2){l->r[1], l->r[2]});
    else if (rolls)
        q = one_disc(l->turn, MUL(get(k, BL_LIMIT + 2), normal), (lanes2){l->r[5], realxn_neg(l->r[4])});
    if (claims(k, TRU_KIND_SPIN)) {
        const realxn limit = MUL(get(k, BL_LIMIT + 1), normal), x = DIV(realxn_neg(l->r[3]), l->turn);
        spin = realxn_select(realxn_lt(limit, x), limit,
                             realxn_select(realxn_lt(x, realxn_neg(limit)), realxn_neg(limit), x));
    }
    l->p[0] = normal;
    l->p[1] = p.x;
    l->p[2] = p.y;
    l->p[3] = spin;
    l->p[4] = has_couples(k) ? realxn_neg(q.y) : zero;
    l->p[5] = q.x;
    l->u[0] = realxn_madd(l->r[0], l->push, normal);
    l->u[1] = slides ? ADD(realxn_madd(l->r[1], l->slide, p.x), MUL(l->cross, q.x)) : zero;
    l->u[2] = slides ? ADD(realxn_madd(l->r[2], l->slide, p.y), MUL(l->cross, q.y)) : zero;
    l->u[3] = has_couples(k) ? realxn_madd(l->r[3], l->turn, spin) : zero;
    l->u[4] = rolls ? SUB(realxn_msub(l->r[4], l->turn, q.y), MUL(l->cross, p.y)) : zero;
    l->u[5] = rolls ? ADD(realxn_madd(l->r[5], l->turn, q.x), MUL(l->cross, p.x)) : zero;
}

/* A kind sticks in the lanes of `sticks`; only lanes in which that is as in the last step are good. */
SIMD_FN void keep_mode(const lanes_view *k, int kind, boolxn sticks, boolxn *good) {
    *good = boolxn_and(*good, same_truth(sticks, truth(k, BL_STUCK + kind - TRU_KIND_SLIDE)));
}

/* disc_section of a kind, from row `row` on: f = p - y */
SIMD_FN void disc(const lanes_view *k, int kind, int row, realxn normal, const realxn x[TRU_ROWS], lanes_problem *l) {
    const realxn radius = MUL(get(k, BL_LIMIT + kind - TRU_KIND_SLIDE), normal);
    const lanes2 at = {x[row], x[row + 1]};
    const realxn size2 = dot2(at, at), slack = MUL(radius, realxn_all(1.0 + STICK_SLACK));
    const boolxn inside = realxn_le(size2, MUL(radius, radius));
    lanes2 y = at;
    if (boolxn_any(boolxn_not(inside))) {
        const realxn size = realxn_sqrt(size2);
        y = select2(inside, at, (lanes2){MUL(radius, DIV(at.x, size)), MUL(radius, DIV(at.y, size))});
    }
    l->f[row] = SUB(l->p[row], y.x);
    l->f[row + 1] = SUB(l->p[row + 1], y.y);
    keep_mode(k, kind, boolxn_and(realxn_lt(realxn_all(0.0), radius), realxn_le(size2, MUL(slack, slack))), &l->good);
}

/* interval_section of the spin */
SIMD_FN void interval(const lanes_view *k, realxn normal, realxn x, lanes_problem *l) {
    const realxn zero = realxn_all(0.0), limit = MUL(get(k, BL_LIMIT + 1), normal), size = realxn_abs(x);
    const realxn end = realxn_select(realxn_lt(x, zero), realxn_neg(limit), limit);
    l->f[TRU_ROW_SPIN] = SUB(l->p[TRU_ROW_SPIN], realxn_select(realxn_le(size, limit), x, end));
    const boolxn sticks =
        boolxn_and(realxn_lt(zero, limit), realxn_le(size, MUL(limit, realxn_all(1.0 + STICK_SLACK))));
    keep_mode(k, TRU_KIND_SPIN, sticks, &l->good);
}

/* evaluate of one_contact.c */
SIMD_FN void evaluate(const lanes_view *k, lanes_problem *l) {
    const realxn zero = realxn_all(0.0);
    realxn x[TRU_ROWS], worst = zero;
    for (int row = 0; row < TRU_ROWS; row++) {
        x[row] = SUB(l->p[row], MUL(l->rho[kind_of(row)], l->u[row]));
        l->f[row] = zero;
    }
    l->good = boolxn_and(l->good, realxn_lt(zero, x[0]));
    l->f[0] = SUB(l->p[0], x[0]);
    if (claims(k, TRU_KIND_SLIDE)) disc(k, TRU_KIND_SLIDE, TRU_ROW_SLIDE1, x[0], x, l);
    if (claims(k, TRU_KIND_SPIN)) interval(k, x[0], x[TRU_ROW_SPIN], l);
    if (claims(k, TRU_KIND_ROLL)) disc(k, TRU_KIND_ROLL, TRU_ROW_ROLL1, x[0], x, l);
    for (int row = 0; row < TRU_ROWS; row++) {
        const int kind = kind_of(row);
        if (row > 0 && !claims(k, kind)) continue;
        const realxn size = realxn_abs(l->f[row]), rate = row < 3 ? size : MUL(size, l->length);
        const realxn scale = MUL(l->rho[kind], l->speed);
        const boolxn more = boolxn_or(realxn_lt(MUL(worst, scale), rate), boolxn_not(realxn_le(rate, rate)));
        if (boolxn_any(more)) worst = realxn_select(more, DIV(rate, scale), worst);
    }
    l->worst = worst;
    l->good = boolxn_and(l->good, realxn_le(worst, get(k, BL_TOLERANCE)));
}

/* trui_one_contact_finish: what is next to nothing becomes 0 */
SIMD_FN void finish(const lanes_view *k, lanes_problem *l) {
    const realxn none = MUL(MUL(realxn_all(1e-40), l->rho[TRU_KIND_NORMAL]), l->speed);
    const realxn none_couple = has_couples(k) ? MUL(none, l->length) : none;
    for (int row = 0; row < TRU_ROWS; row++)
        l->p[row] = realxn_where(realxn_lt(row < 3 ? none : none_couple, realxn_abs(l->p[row])), l->p[row]);
    l->good = boolxn_and(l->good, realxn_lt(realxn_all(0.0), l->p[0])); /* else the body loses its contact */
}

#endif
