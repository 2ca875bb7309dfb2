/* contensou_lanes.h: the Contensou set for several contacts at once: support, and nearest point of the cone whose sections
 * are p_n times the set. Included by kernels, for the instruction set that SIMD_ISA names; all give the same bits.
 *
 * | symbol | name | unit |
 * |---|---|---|
 * | x_n, |x_T|, |x_tau|/eps, |x_r| | x, a, b, l | N s, N s, N s, N m s |
 * | P_n/P_T, eps^2 P_n/P_tau | qa, qb | - |
 * | P_n/P_r rho | lean | 1/m |
 *
 * On the ray (1, mu xi(k), mu eta(k)) of the boundary the nearest point has y(k) in closed form; the ray that is nearest
 * has F(k) = qa (a - mu y xi) - k qb (b - mu y eta) = 0. At another zero the point would lie on the inner side of the
 * tangent, and so in the cone: outside it F changes its sign once, from + to -, also where y(k) is held at its floor. */
#ifndef TRUNDLE_LAWS_CONTENSOU_LANES_H
#define TRUNDLE_LAWS_CONTENSOU_LANES_H

#include "laws/set_valued/contensou_set.h"
#include "laws/sets.h"
#include "math/elementary/asin_rest.h"
#include "lanes/lanes3.h"

#include <float.h>

/* A struct meridian per lane. */
typedef struct lanes_meridian {
    realxn xi, eta, slope;
} lanes_meridian;

SIMD_FN realxn lanes_times(double s, realxn a) { return MUL(realxn_all(s), a); }

/* asin of numbers in [0, 1] */
SIMD_FN realxn lanes_asin(realxn x) {
    const realxn half = realxn_all(0.5);
    const boolxn near_one = realxn_lt(half, x); /* pi/2 - 2 asin(sqrt((1 - x)/2)) */
    const realxn under = MUL(half, SUB(realxn_all(1.0), x));
    const realxn t = realxn_select(near_one, realxn_sqrt(under), x), u = realxn_select(near_one, under, MUL(x, x));
    realxn rest = realxn_all(asin_rest_of[12]);
#pragma GCC unroll 12
    for (int n = 11; n >= 0; n--) rest = realxn_madd(realxn_all(asin_rest_of[n]), rest, u);
    const realxn a = realxn_madd(t, MUL(t, u), rest);
    return realxn_select(near_one, SUB(realxn_all(0x1.921fb54442d18p+0), ADD(a, a)), a);
}

SIMD_FN lanes_meridian lanes_below(realxn k) {
    const realxn k2 = MUL(k, k), two = realxn_all(2.0), one = realxn_all(1.0);
    return (lanes_meridian){
        lanes_times(CONTENSOU_DRILL, MUL(k, SUB(two, lanes_times(0.5, k2)))),
        lanes_times(CONTENSOU_DRILL, realxn_madd(one, k2, SUB(lanes_times(0.375, k2), one))),
        lanes_times(CONTENSOU_DRILL, SUB(two, lanes_times(1.5, k2))),
    };
}

SIMD_FN lanes_meridian lanes_far_above(realxn j) {
    const realxn y = MUL(j, j);
    lanes_meridian m = {realxn_all(0.0), realxn_all(0.0), realxn_all(0.0)};
#pragma GCC unroll 7
    for (int n = 6; n >= 0; n--) {
        m.xi = realxn_madd(realxn_all(contensou_far_xi[n]), m.xi, y);
        m.eta = realxn_madd(realxn_all(contensou_far_eta[n]), m.eta, y);
        m.slope = realxn_madd(realxn_all(2.0 * (n + 1) * contensou_far_xi[n]), m.slope, y);
    }
    return (lanes_meridian){realxn_msub(realxn_all(1.0), y, m.xi), MUL(j, m.eta), m.slope};
}

/* The closed form, 1/k from CONTENSOU_FAR to 1. */
SIMD_FN lanes_meridian lanes_near_above(realxn j) {
    const realxn one = realxn_all(1.0), two = realxn_all(2.0), j2 = MUL(j, j), k = DIV(one, j), k2 = MUL(k, k);
    const realxn w = MUL(realxn_sqrt(SUB(one, j2)), k), a = lanes_asin(j), k3 = MUL(k, k2);
    const realxn xi = ADD(MUL(SUB(k, lanes_times(0.25, k3)), a), lanes_times(0.25, MUL(MUL(w, ADD(k2, two)), j)));
    const realxn poly = realxn_madd(realxn_all(0.5), k2, SUB(lanes_times(0.1875, k2), realxn_all(0.5)));
    const realxn eta = SUB(MUL(poly, a), lanes_times(0.1875, MUL(w, SUB(k2, two))));
    const realxn bend =
        ADD(MUL(SUB(one, lanes_times(0.75, k2)), a), lanes_times(0.25, MUL(w, SUB(realxn_all(3.0), MUL(two, j2)))));
    return (lanes_meridian){lanes_times(0.75, xi), lanes_times(0.75, eta), lanes_times(0.75, MUL(bend, k3))};
}

SIMD_FN lanes_meridian lanes_choose(boolxn which, lanes_meridian a, lanes_meridian b) {
    return (lanes_meridian){realxn_select(which, a.xi, b.xi), realxn_select(which, a.eta, b.eta),
                            realxn_select(which, a.slope, b.slope)};
}

/* At t = k, or where `above` at t = 1/k. What no lane needs is left out. */
SIMD_FN lanes_meridian lanes_at(realxn t, boolxn above) {
    const realxn far = realxn_all(CONTENSOU_FAR);
    const boolxn series = boolxn_and(above, realxn_lt(t, far));
    lanes_meridian m = lanes_below(t);
    if (boolxn_bits(boolxn_and(above, boolxn_not(series))))
        m = lanes_choose(above, lanes_near_above(realxn_max(t, far)), m);
    if (boolxn_bits(series)) m = lanes_choose(series, lanes_far_above(t), m);
    return m;
}

/* v xi + w eta at k = v/w: the largest power against slip speed v and spin speed w = eps |omega|, per mu p_n. [m/s] */
SIMD_FN realxn contensou_lanes_support(realxn v, realxn w) {
    const boolxn above = realxn_lt(w, v);
    const realxn big = realxn_max(realxn_max(v, w), realxn_all(DBL_MIN));
    const lanes_meridian m = lanes_at(DIV(realxn_min(v, w), big), above);
    return ADD(MUL(v, m.xi), MUL(w, m.eta));
}

/* ---- the cone */

/* A point and the cone; `floor` >= 0: y_n is at least this. */
typedef struct lanes_cone {
    realxn x, a, b, l;    /* [N s], [N m s] */
    realxn mu, rho;       /* [-], [m] */
    realxn qa, qb, lean;  /* [-], [-], [1/m] */
    realxn floor;         /* [N s] */
    realxn guess;         /* where the foot may be: k below, 2 - 1/k above */
    realxn y, to_a, to_b; /* [N s] result: y_n, and the sizes that a and b get */
    boolxn stuck;         /* inside the slide and spin part, or all but */
} lanes_cone;

/* Nearest point of a ray of slope (xi, eta), with the roll part at its limit where the root would exceed it. */
typedef struct lanes_ray {
    realxn y, den;
    boolxn held; /* at the floor */
} lanes_ray;

SIMD_FN lanes_ray ray_at(const lanes_cone *c, realxn xi, realxn eta) {
    const realxn ra = MUL(c->mu, xi), rb = MUL(c->mu, eta), wa = MUL(c->qa, ra), wb = MUL(c->qb, rb);
    const realxn num = ADD(c->x, ADD(MUL(wa, c->a), MUL(wb, c->b)));
    const realxn den = ADD(realxn_all(1.0), ADD(MUL(wa, ra), MUL(wb, rb)));
    const boolxn cut = realxn_lt(MUL(c->rho, num), MUL(c->l, den));
    lanes_ray r = {.den = ADD(den, realxn_where(cut, MUL(c->lean, c->rho)))};
    const realxn root = DIV(ADD(num, realxn_where(cut, MUL(c->lean, c->l))), r.den);
    r.held = boolxn_not(realxn_lt(c->floor, root));
    r.y = realxn_max(root, c->floor);
    return r;
}

/* Where the search for F = 0 stands; t as in lanes_at, kept between lo and hi. */
typedef struct lanes_search {
    boolxn above, done;
    realxn t, lo, hi;
    lanes_meridian at;
} lanes_search;

/* One Newton step, a bisection where it leaves the bracket. Below the seam f = F, above f = -F/k; as functions of t both
 * fall through zero, f' = -(q_s d_s + mu y slope (q_m + t^2 q_s - G^2/den)) up to a multiple of f, where m and s are the
 * coordinates (a, b) or (b, a) and G = mu (q_m c_m - t q_s c_s). The last step moves the foot along its tangent: the
 * square of that step is below round-off. */
SIMD_FN void search_step(const lanes_cone *c, lanes_search *s) {
    const realxn zero = realxn_all(0.0), one = realxn_all(1.0), t = s->t;
    const lanes_meridian m = lanes_at(t, s->above);
    const lanes_ray ray = ray_at(c, m.xi, m.eta);
    const realxn r = MUL(c->mu, ray.y);
    const realxn da = MUL(c->qa, realxn_msub(c->a, r, m.xi)), db = MUL(c->qb, realxn_msub(c->b, r, m.eta));
    const realxn main = realxn_select(s->above, db, da), side = realxn_select(s->above, da, db);
    const realxn qm = realxn_select(s->above, c->qb, c->qa), qs = realxn_select(s->above, c->qa, c->qb);
    const realxn cm = realxn_select(s->above, m.eta, m.xi), cs = realxn_select(s->above, m.xi, m.eta);
    const realxn f = realxn_msub(main, t, side);
    const realxn g = MUL(c->mu, realxn_msub(MUL(qm, cm), t, MUL(qs, cs)));
    const realxn less = realxn_where(boolxn_not(ray.held), DIV(MUL(g, g), ray.den));
    const realxn curve = SUB(realxn_madd(qm, MUL(t, t), qs), less);
    const realxn steep = realxn_madd(side, MUL(r, m.slope), curve);
    const boolxn open = boolxn_not(s->done), right = realxn_lt(zero, f), root = realxn_le(realxn_abs(f), zero);
    s->lo = realxn_select(right, t, s->lo);
    s->hi = realxn_select(right, s->hi, t);
    const realxn newton = realxn_max(realxn_min(ADD(t, DIV(f, steep)), one), zero);
    const boolxn inside = boolxn_and(realxn_lt(s->lo, newton), realxn_lt(newton, s->hi));
    const realxn middle = realxn_max(realxn_min(lanes_times(0.5, ADD(s->lo, s->hi)), one), zero);
    const realxn move = SUB(newton, t), tiny = realxn_all(0x1p-31);
    const boolxn near = boolxn_or(root, realxn_le(SUB(s->hi, s->lo), realxn_all(0x1p-51)));
    const boolxn last = boolxn_or(near, boolxn_and(realxn_lt(zero, steep), realxn_le(realxn_abs(move), tiny)));
    const realxn dt = realxn_select(near, zero, move), along = MUL(m.slope, dt);
    const lanes_meridian end = {ADD(m.xi, realxn_select(s->above, MUL(realxn_neg(t), along), along)),
                                ADD(m.eta, realxn_select(s->above, along, MUL(realxn_neg(t), along))), m.slope};
    s->at = lanes_choose(open, lanes_choose(last, end, m), s->at);
    s->t = realxn_select(open, realxn_select(last, ADD(t, dt), realxn_select(inside, newton, middle)), t);
    s->done = boolxn_or(s->done, last);
}

/* From the sign of F at the seam, and from the guess if it is on the same side. */
SIMD_FN void search_begin(const lanes_cone *c, lanes_search *s) {
    const realxn xi = realxn_all(CONTENSOU_SEAM_XI), eta = realxn_all(CONTENSOU_SEAM_ETA);
    const realxn zero = realxn_all(0.0), one = realxn_all(1.0), r = MUL(c->mu, ray_at(c, xi, eta).y);
    const realxn da = MUL(c->qa, realxn_msub(c->a, r, xi)), db = MUL(c->qb, realxn_msub(c->b, r, eta));
    s->above = realxn_lt(db, da);
    const realxn t = realxn_select(s->above, SUB(realxn_all(2.0), c->guess), c->guess);
    const boolxn good = boolxn_and(realxn_le(zero, t), realxn_le(t, one));
    s->t = realxn_select(good, t, realxn_all(0.5));
    s->lo = realxn_all(-1.0); /* the ends themselves may be tried */
    s->hi = realxn_all(2.0);
    s->at = (lanes_meridian){zero, zero, zero};
}

/* Nearest point, and `guess` for the next one; lanes not in `which` are left as garbage. */
SIMD_FN void contensou_lanes_project(lanes_cone *c, boolxn which) {
    const realxn zero = realxn_all(0.0), y = ray_at(c, zero, zero).y,
                 reach = MUL(c->mu, y); /* by the roll part alone */
    const boolxn first = realxn_le(MUL(realxn_all(CONTENSOU_SEAM_XI), c->b),
                                   SUB(lanes_times(CONTENSOU_DRILL * CONTENSOU_SEAM_XI, reach),
                                       lanes_times(CONTENSOU_DRILL - CONTENSOU_SEAM_ETA, c->a)));
    const boolxn second =
        realxn_le(lanes_times(1.0 - CONTENSOU_SEAM_XI, c->b), lanes_times(CONTENSOU_SEAM_ETA, SUB(reach, c->a)));
    lanes_search s = {.done = boolxn_or(boolxn_not(which), boolxn_and(first, second))};
    const boolxn sure = s.done;
    c->y = y, c->to_a = c->a, c->to_b = c->b;
    c->stuck = realxn_lt(zero, reach);
    if (!boolxn_bits(boolxn_not(s.done))) return;
    search_begin(c, &s);
    for (int i = 0; i < 60 && boolxn_bits(boolxn_not(s.done)); i++) search_step(c, &s);
    const lanes_ray ray = ray_at(c, s.at.xi, s.at.eta);
    const realxn r = MUL(c->mu, ray.y), to_a = MUL(r, s.at.xi), to_b = MUL(r, s.at.eta);
    const realxn ga = SUB(c->a, to_a), gb = SUB(c->b, to_b), slack = lanes_times(STICK_SLACK, r);
    const boolxn out = boolxn_and(boolxn_not(sure), realxn_lt(zero, ADD(ga, gb)));
    const realxn beyond = realxn_madd(MUL(ga, ga), DIV(c->qb, c->qa), MUL(gb, gb));
    c->stuck = boolxn_and(c->stuck, boolxn_or(boolxn_not(out), realxn_le(beyond, MUL(slack, slack))));
    c->y = realxn_select(out, ray.y, y);
    c->to_a = realxn_select(out, to_a, c->a);
    c->to_b = realxn_select(out, to_b, c->b);
    c->guess = realxn_select(out, realxn_select(s.above, SUB(realxn_all(2.0), s.t), s.t), c->guess);
}

#endif
