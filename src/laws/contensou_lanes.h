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

#include "laws/contensou_set.h"
#include "laws/sets.h"
#include "math/elementary/asin_rest.h"
#include "lanes/lanes3.h"

#include <float.h>

#if SIMD_ISA == SIMD_GENERIC || SIMD_X86

/* A struct meridian per lane. */
typedef struct lanes_meridian {
    f64xn xi, eta, slope;
} lanes_meridian;

SIMD_FN f64xn lanes_times(double s, f64xn a) { return MUL(f64xn_all(s), a); }

/* asin of numbers in [0, 1] */
SIMD_FN f64xn lanes_asin(f64xn x) {
    const f64xn half = f64xn_all(0.5);
    const boolxn near_one = f64xn_lt(half, x); /* pi/2 - 2 asin(sqrt((1 - x)/2)) */
    const f64xn under = MUL(half, SUB(f64xn_all(1.0), x));
    const f64xn t = f64xn_select(near_one, f64xn_sqrt(under), x), u = f64xn_select(near_one, under, MUL(x, x));
    f64xn rest = f64xn_all(asin_rest_of[12]);
#pragma GCC unroll 12
    for (int n = 11; n >= 0; n--) rest = f64xn_madd(f64xn_all(asin_rest_of[n]), rest, u);
    const f64xn a = f64xn_madd(t, MUL(t, u), rest);
    return f64xn_select(near_one, SUB(f64xn_all(0x1.921fb54442d18p+0), ADD(a, a)), a);
}

SIMD_FN lanes_meridian lanes_below(f64xn k) {
    const f64xn k2 = MUL(k, k), two = f64xn_all(2.0), one = f64xn_all(1.0);
    return (lanes_meridian){
        lanes_times(CONTENSOU_DRILL, MUL(k, SUB(two, lanes_times(0.5, k2)))),
        lanes_times(CONTENSOU_DRILL, f64xn_madd(one, k2, SUB(lanes_times(0.375, k2), one))),
        lanes_times(CONTENSOU_DRILL, SUB(two, lanes_times(1.5, k2))),
    };
}

SIMD_FN lanes_meridian lanes_far_above(f64xn j) {
    const f64xn y = MUL(j, j);
    lanes_meridian m = {f64xn_all(0.0), f64xn_all(0.0), f64xn_all(0.0)};
#pragma GCC unroll 7
    for (int n = 6; n >= 0; n--) {
        m.xi = f64xn_madd(f64xn_all(contensou_far_xi[n]), m.xi, y);
        m.eta = f64xn_madd(f64xn_all(contensou_far_eta[n]), m.eta, y);
        m.slope = f64xn_madd(f64xn_all(2.0 * (n + 1) * contensou_far_xi[n]), m.slope, y);
    }
    return (lanes_meridian){f64xn_msub(f64xn_all(1.0), y, m.xi), MUL(j, m.eta), m.slope};
}

/* The closed form, 1/k from CONTENSOU_FAR to 1. */
SIMD_FN lanes_meridian lanes_near_above(f64xn j) {
    const f64xn one = f64xn_all(1.0), two = f64xn_all(2.0), j2 = MUL(j, j), k = DIV(one, j), k2 = MUL(k, k);
    const f64xn w = MUL(f64xn_sqrt(SUB(one, j2)), k), a = lanes_asin(j), k3 = MUL(k, k2);
    const f64xn xi = ADD(MUL(SUB(k, lanes_times(0.25, k3)), a), lanes_times(0.25, MUL(MUL(w, ADD(k2, two)), j)));
    const f64xn poly = f64xn_madd(f64xn_all(0.5), k2, SUB(lanes_times(0.1875, k2), f64xn_all(0.5)));
    const f64xn eta = SUB(MUL(poly, a), lanes_times(0.1875, MUL(w, SUB(k2, two))));
    const f64xn bend =
        ADD(MUL(SUB(one, lanes_times(0.75, k2)), a), lanes_times(0.25, MUL(w, SUB(f64xn_all(3.0), MUL(two, j2)))));
    return (lanes_meridian){lanes_times(0.75, xi), lanes_times(0.75, eta), lanes_times(0.75, MUL(bend, k3))};
}

SIMD_FN lanes_meridian lanes_choose(boolxn which, lanes_meridian a, lanes_meridian b) {
    return (lanes_meridian){f64xn_select(which, a.xi, b.xi), f64xn_select(which, a.eta, b.eta),
                            f64xn_select(which, a.slope, b.slope)};
}

/* At t = k, or where `above` at t = 1/k. What no lane needs is left out. */
SIMD_FN lanes_meridian lanes_at(f64xn t, boolxn above) {
    const f64xn far = f64xn_all(CONTENSOU_FAR);
    const boolxn series = boolxn_and(above, f64xn_lt(t, far));
    lanes_meridian m = lanes_below(t);
    if (boolxn_bits(boolxn_and(above, boolxn_not(series))))
        m = lanes_choose(above, lanes_near_above(f64xn_max(t, far)), m);
    if (boolxn_bits(series)) m = lanes_choose(series, lanes_far_above(t), m);
    return m;
}

/* v xi + w eta at k = v/w: the largest power against slip speed v and spin speed w = eps |omega|, per mu p_n. [m/s] */
SIMD_FN f64xn contensou_lanes_support(f64xn v, f64xn w) {
    const boolxn above = f64xn_lt(w, v);
    const f64xn big = f64xn_max(f64xn_max(v, w), f64xn_all(DBL_MIN));
    const lanes_meridian m = lanes_at(DIV(f64xn_min(v, w), big), above);
    return ADD(MUL(v, m.xi), MUL(w, m.eta));
}

/* ---- the cone */

/* A point and the cone; `floor` >= 0: y_n is at least this. */
typedef struct lanes_cone {
    f64xn x, a, b, l;    /* [N s], [N m s] */
    f64xn mu, rho;       /* [-], [m] */
    f64xn qa, qb, lean;  /* [-], [-], [1/m] */
    f64xn floor;         /* [N s] */
    f64xn guess;         /* where the foot may be: k below, 2 - 1/k above */
    f64xn y, to_a, to_b; /* [N s] result: y_n, and the sizes that a and b get */
    boolxn stuck;        /* inside the slide and spin part, or all but */
} lanes_cone;

/* Nearest point of a ray of slope (xi, eta), with the roll part at its limit where the root would exceed it. */
typedef struct lanes_ray {
    f64xn y, den;
    boolxn held; /* at the floor */
} lanes_ray;

SIMD_FN lanes_ray ray_at(const lanes_cone *c, f64xn xi, f64xn eta) {
    const f64xn ra = MUL(c->mu, xi), rb = MUL(c->mu, eta), wa = MUL(c->qa, ra), wb = MUL(c->qb, rb);
    const f64xn num = ADD(c->x, ADD(MUL(wa, c->a), MUL(wb, c->b)));
    const f64xn den = ADD(f64xn_all(1.0), ADD(MUL(wa, ra), MUL(wb, rb)));
    const boolxn cut = f64xn_lt(MUL(c->rho, num), MUL(c->l, den));
    lanes_ray r = {.den = ADD(den, f64xn_where(cut, MUL(c->lean, c->rho)))};
    const f64xn root = DIV(ADD(num, f64xn_where(cut, MUL(c->lean, c->l))), r.den);
    r.held = boolxn_not(f64xn_lt(c->floor, root));
    r.y = f64xn_max(root, c->floor);
    return r;
}

/* Where the search for F = 0 stands; t as in lanes_at, kept between lo and hi. */
typedef struct lanes_search {
    boolxn above, done;
    f64xn t, lo, hi;
    lanes_meridian at;
} lanes_search;

/* One Newton step, a bisection where it leaves the bracket. Below the seam f = F, above f = -F/k; as functions of t both
 * fall through zero, f' = -(q_s d_s + mu y slope (q_m + t^2 q_s - G^2/den)) up to a multiple of f, where m and s are the
 * coordinates (a, b) or (b, a) and G = mu (q_m c_m - t q_s c_s). The last step moves the foot along its tangent: the
 * square of that step is below round-off. */
SIMD_FN void search_step(const lanes_cone *c, lanes_search *s) {
    const f64xn zero = f64xn_all(0.0), one = f64xn_all(1.0), t = s->t;
    const lanes_meridian m = lanes_at(t, s->above);
    const lanes_ray ray = ray_at(c, m.xi, m.eta);
    const f64xn r = MUL(c->mu, ray.y);
    const f64xn da = MUL(c->qa, f64xn_msub(c->a, r, m.xi)), db = MUL(c->qb, f64xn_msub(c->b, r, m.eta));
    const f64xn main = f64xn_select(s->above, db, da), side = f64xn_select(s->above, da, db);
    const f64xn qm = f64xn_select(s->above, c->qb, c->qa), qs = f64xn_select(s->above, c->qa, c->qb);
    const f64xn cm = f64xn_select(s->above, m.eta, m.xi), cs = f64xn_select(s->above, m.xi, m.eta);
    const f64xn f = f64xn_msub(main, t, side);
    const f64xn g = MUL(c->mu, f64xn_msub(MUL(qm, cm), t, MUL(qs, cs)));
    const f64xn less = f64xn_where(boolxn_not(ray.held), DIV(MUL(g, g), ray.den));
    const f64xn curve = SUB(f64xn_madd(qm, MUL(t, t), qs), less);
    const f64xn steep = f64xn_madd(side, MUL(r, m.slope), curve);
    const boolxn open = boolxn_not(s->done), right = f64xn_lt(zero, f), root = f64xn_le(f64xn_abs(f), zero);
    s->lo = f64xn_select(right, t, s->lo);
    s->hi = f64xn_select(right, s->hi, t);
    const f64xn newton = f64xn_max(f64xn_min(ADD(t, DIV(f, steep)), one), zero);
    const boolxn inside = boolxn_and(f64xn_lt(s->lo, newton), f64xn_lt(newton, s->hi));
    const f64xn middle = f64xn_max(f64xn_min(lanes_times(0.5, ADD(s->lo, s->hi)), one), zero);
    const f64xn move = SUB(newton, t), tiny = f64xn_all(0x1p-31);
    const boolxn near = boolxn_or(root, f64xn_le(SUB(s->hi, s->lo), f64xn_all(0x1p-51)));
    const boolxn last = boolxn_or(near, boolxn_and(f64xn_lt(zero, steep), f64xn_le(f64xn_abs(move), tiny)));
    const f64xn dt = f64xn_select(near, zero, move), along = MUL(m.slope, dt);
    const lanes_meridian end = {ADD(m.xi, f64xn_select(s->above, MUL(f64xn_neg(t), along), along)),
                                ADD(m.eta, f64xn_select(s->above, along, MUL(f64xn_neg(t), along))), m.slope};
    s->at = lanes_choose(open, lanes_choose(last, end, m), s->at);
    s->t = f64xn_select(open, f64xn_select(last, ADD(t, dt), f64xn_select(inside, newton, middle)), t);
    s->done = boolxn_or(s->done, last);
}

/* From the sign of F at the seam, and from the guess if it is on the same side. */
SIMD_FN void search_begin(const lanes_cone *c, lanes_search *s) {
    const f64xn xi = f64xn_all(CONTENSOU_SEAM_XI), eta = f64xn_all(CONTENSOU_SEAM_ETA);
    const f64xn zero = f64xn_all(0.0), one = f64xn_all(1.0), r = MUL(c->mu, ray_at(c, xi, eta).y);
    const f64xn da = MUL(c->qa, f64xn_msub(c->a, r, xi)), db = MUL(c->qb, f64xn_msub(c->b, r, eta));
    s->above = f64xn_lt(db, da);
    const f64xn t = f64xn_select(s->above, SUB(f64xn_all(2.0), c->guess), c->guess);
    const boolxn good = boolxn_and(f64xn_le(zero, t), f64xn_le(t, one));
    s->t = f64xn_select(good, t, f64xn_all(0.5));
    s->lo = f64xn_all(-1.0); /* the ends themselves may be tried */
    s->hi = f64xn_all(2.0);
    s->at = (lanes_meridian){zero, zero, zero};
}

/* Nearest point, and `guess` for the next one; lanes not in `which` are left as garbage. */
SIMD_FN void contensou_lanes_project(lanes_cone *c, boolxn which) {
    const f64xn zero = f64xn_all(0.0), y = ray_at(c, zero, zero).y, reach = MUL(c->mu, y); /* by the roll part alone */
    const boolxn first =
        f64xn_le(MUL(f64xn_all(CONTENSOU_SEAM_XI), c->b), SUB(lanes_times(CONTENSOU_DRILL * CONTENSOU_SEAM_XI, reach),
                                                              lanes_times(CONTENSOU_DRILL - CONTENSOU_SEAM_ETA, c->a)));
    const boolxn second =
        f64xn_le(lanes_times(1.0 - CONTENSOU_SEAM_XI, c->b), lanes_times(CONTENSOU_SEAM_ETA, SUB(reach, c->a)));
    lanes_search s = {.done = boolxn_or(boolxn_not(which), boolxn_and(first, second))};
    const boolxn sure = s.done;
    c->y = y, c->to_a = c->a, c->to_b = c->b;
    c->stuck = f64xn_lt(zero, reach);
    if (!boolxn_bits(boolxn_not(s.done))) return;
    search_begin(c, &s);
    for (int i = 0; i < 60 && boolxn_bits(boolxn_not(s.done)); i++) search_step(c, &s);
    const lanes_ray ray = ray_at(c, s.at.xi, s.at.eta);
    const f64xn r = MUL(c->mu, ray.y), to_a = MUL(r, s.at.xi), to_b = MUL(r, s.at.eta);
    const f64xn ga = SUB(c->a, to_a), gb = SUB(c->b, to_b), slack = lanes_times(STICK_SLACK, r);
    const boolxn out = boolxn_and(boolxn_not(sure), f64xn_lt(zero, ADD(ga, gb)));
    const f64xn beyond = f64xn_madd(MUL(ga, ga), DIV(c->qb, c->qa), MUL(gb, gb));
    c->stuck = boolxn_and(c->stuck, boolxn_or(boolxn_not(out), f64xn_le(beyond, MUL(slack, slack))));
    c->y = f64xn_select(out, ray.y, y);
    c->to_a = f64xn_select(out, to_a, c->a);
    c->to_b = f64xn_select(out, to_b, c->b);
    c->guess = f64xn_select(out, f64xn_select(s.above, SUB(f64xn_all(2.0), s.t), s.t), c->guess);
}

#endif
#endif
