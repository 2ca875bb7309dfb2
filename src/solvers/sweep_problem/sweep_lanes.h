/* sweep_lanes.h: one update of a batch of eight sphere contacts, as many at once as a register of SIMD_ISA holds, in doubles or
 * (SIMD_FLOAT) in floats.
 *
 * Bodies are loaded as cache lines and transposed, the projection has no branches [solvers 1]. `at` is the first lane
 * of the batch that a value takes. */
#include "lanes/lanes3.h"
#include "lanes/rows.h"
#include "lanes/sums.h"
#include "laws/law_lanes.h"
#include "solvers/sweep_problem/sweep_data.h"

#ifdef SIMD_FLOAT
typedef sweep_body32 lanes_body;
typedef sweep_batch32 lanes_batch;
#else
typedef sweep_body lanes_body;
typedef sweep_batch lanes_batch;
#endif

/* What the two bodies of each lane do at the contact. */
typedef struct lanes_pair {
    realxn inv_mass_a, turn_a, inv_mass_b, turn_b;
    lanes3 n, u, w;
    realxn arm_a, arm_b;
} lanes_pair;

/* Batches that a sweep works on together: two, where a value is one register. */
enum { LANES_TWINS = SIMD_PARTS == 1 ? 2 : 1 };

SIMD_FN lanes3 lanes_v(const realxn *b) { return (lanes3){b[0], b[1], b[2]}; }
SIMD_FN lanes3 lanes_w(const realxn *b) { return (lanes3){b[4], b[5], b[6]}; }

/* u = v_A - v_B - (R_A w_A + R_B w_B) x n, w = w_A - w_B */
SIMD_FN void load_pair(const lanes_body *bodies, const lanes_batch *c, int at, lanes_pair *s) {
    realxn a[8], b[8]; /* {v, 1/m, w, 1/I} */
    realxn_load_rows(bodies, c->a + at, a);
    realxn_load_rows(bodies, c->b + at, b);
    s->inv_mass_a = a[3];
    s->inv_mass_b = b[3];
    s->turn_a = a[7];
    s->turn_b = b[7];
    s->n = lanes3_load(c->n[0] + at);
    s->arm_a = realxn_load(c->arm[0] + at);
    s->arm_b = realxn_load(c->arm[1] + at);
    const lanes3 roll = lanes3_madd(lanes3_scale(s->arm_a, lanes_w(a)), s->arm_b, lanes_w(b));
    s->u = lanes3_sub(lanes3_sub(lanes_v(a), lanes_v(b)), lanes3_cross(roll, s->n));
    s->w = lanes3_sub(lanes_w(a), lanes_w(b));
}

/* Where a gradient step ends, taken apart, and its projection. */
typedef struct lanes_step {
    realxn x, spin;                      /* normal parts of impulse and couple */
    lanes3 slide, roll;                  /* tangential parts */
    realxn l_slide, l_spin, l_roll;      /* sizes */
    realxn y, by_slide, by_roll, y_spin; /* projection: y n + by_slide slide, y_spin n + by_roll roll */
} lanes_step;

/* (p, t) - omega P (u + (b + s) n), by kinds */
SIMD_FN void gradient_step(const lanes_batch *c, int at, const lanes_pair *s, lanes3 p, lanes3 t, realxn offset,
                           real omega, lanes_step *g) {
    realxn pn = realxn_load(c->metric[TRU_KIND_NORMAL] + at), pt = realxn_load(c->metric[TRU_KIND_SLIDE] + at);
    realxn ps = realxn_load(c->metric[TRU_KIND_SPIN] + at), pr = realxn_load(c->metric[TRU_KIND_ROLL] + at);
    if (omega != 1) {
        const realxn o = realxn_all(omega);
        pn = MUL(o, pn), pt = MUL(o, pt), ps = MUL(o, ps), pr = MUL(o, pr);
    }
    const realxn un = lanes3_dot(s->n, s->u), wn = lanes3_dot(s->n, s->w);
    const lanes3 q = lanes3_msub(p, pt, s->u), r = lanes3_msub(t, pr, s->w);
    const realxn qn = lanes3_dot(s->n, q), rn = lanes3_dot(s->n, r);
    g->x = SUB(qn, SUB(MUL(pn, ADD(un, offset)), MUL(pt, un)));
    g->spin = SUB(rn, MUL(SUB(ps, pr), wn));
    g->slide = lanes3_msub(q, qn, s->n);
    g->roll = lanes3_msub(r, rn, s->n);
}

SIMD_FN void set_sizes(lanes_step *g) {
    g->l_slide = lanes3_norm(g->slide);
    g->l_spin = realxn_abs(g->spin);
    g->l_roll = lanes3_norm(g->roll);
}

/* Onto the cone. The parts are divided by den here, not by way of y: that would wait for one more division. */
SIMD_FN void project(const lanes_batch *c, int at, lanes_step *g) {
    const realxn one = realxn_all(1), least = realxn_all(REAL_LEAST);
    const realxn limit[3] = {realxn_load(c->limit[0] + at), realxn_load(c->limit[1] + at),
                             realxn_load(c->limit[2] + at)};
    const realxn lean[3] = {realxn_load(c->lean[0] + at), realxn_load(c->lean[1] + at), realxn_load(c->lean[2] + at)};
    set_sizes(g);
    const realxn l[3] = {g->l_slide, g->l_spin, g->l_roll};
    const lanes_root root = cone_root(g->x, l, limit, lean);
    const realxn top = root.top, den = root.den;
    g->y = DIV(top, den);
    g->by_slide = realxn_min(one, DIV(MUL(limit[0], top), MUL(den, realxn_max(l[0], least))));
    g->by_roll = realxn_min(one, DIV(MUL(limit[2], top), MUL(den, realxn_max(l[2], least))));
    g->y_spin = clamp_to(MUL(limit[1], g->y), g->spin);
}

/* The normal impulse y, and friction within what it allows. */
SIMD_FN void limit_friction(const lanes_batch *c, int at, realxn y, lanes_step *g) {
    g->y = y;
    g->by_slide = disc_part(MUL(realxn_load(c->limit[0] + at), y), g->l_slide);
    g->by_roll = disc_part(MUL(realxn_load(c->limit[2] + at), y), g->l_roll);
    g->y_spin = clamp_to(MUL(realxn_load(c->limit[1] + at), y), g->spin);
}

/* The normal impulse as it is, friction within what it allows. */
SIMD_FN void cut(const lanes_batch *c, int at, lanes_step *g) {
    set_sizes(g);
    limit_friction(c, at, realxn_max(g->x, realxn_all(0)), g);
}

/* Velocities with the change (d, e) of impulse and couple: added to the rows in memory, so that no register has to keep
 * the velocities meanwhile. */
SIMD_FN void push_pair(lanes_body *bodies, const lanes_batch *c, int at, const lanes_pair *s, lanes3 d, lanes3 e) {
    const realxn zero = realxn_all(0);
    const lanes3 across = lanes3_cross(s->n, d);
    const lanes3 va = lanes3_scale(s->inv_mass_a, d), vb = lanes3_scale(s->inv_mass_b, d);
    const lanes3 wa = lanes3_scale(s->turn_a, lanes3_msub(e, s->arm_a, across));
    const lanes3 wb = lanes3_scale(s->turn_b, lanes3_madd(e, s->arm_b, across));
    const realxn a[8] = {va.x, va.y, va.z, zero, wa.x, wa.y, wa.z, zero};
    const realxn b[8] = {vb.x, vb.y, vb.z, zero, wb.x, wb.y, wb.z, zero};
    realxn_add_rows(bodies, c->a + at, a);
    realxn_sub_rows(bodies, c->b + at, b);
}

/* Twice the energy of a change (d, e) at each of its bodies by itself, turning by d left out. */
SIMD_FN realxn change_of(const lanes_pair *s, lanes3 d, lanes3 e) {
    return ADD(MUL(ADD(s->inv_mass_a, s->inv_mass_b), lanes3_dot(d, d)),
               MUL(ADD(s->turn_a, s->turn_b), lanes3_dot(e, e)));
}

/* Where a sweep starts from: the present iterate and beta times what the last sweep changed. */
SIMD_FN void start_of(const lanes_batch *c, int at, int now, real beta, lanes3 *p, lanes3 *t) {
    *p = lanes3_load(c->p[now][0] + at);
    *t = lanes3_load(c->p[now][3] + at);
    if (beta != 0) {
        const realxn on = realxn_all(beta);
        *p = lanes3_madd(*p, on, lanes3_sub(*p, lanes3_load(c->p[!now][0] + at)));
        *t = lanes3_madd(*t, on, lanes3_sub(*t, lanes3_load(c->p[!now][3] + at)));
        return;
    }
    /* The result goes there. Where memory is far, reading it first takes two thirds of the time: the machine guesses reads, not
     * writes, and asks for no more than that when it is told. */
#pragma GCC unroll 6
    for (int r = 0; r < 6; r++) (void)*(const volatile real *)(c->p[!now][r] + at);
}

/* The projection becomes the other iterate, the velocities follow it. Returns change_of. */
SIMD_FN realxn finish(lanes_body *bodies, lanes_batch *c, int at, int now, const lanes_pair *s, const lanes_step *g,
                      lanes3 p, lanes3 t) {
    const lanes3 pp = lanes3_madd(lanes3_scale(g->y, s->n), g->by_slide, g->slide);
    const lanes3 tt = lanes3_madd(lanes3_scale(g->y_spin, s->n), g->by_roll, g->roll);
    lanes3_store(c->p[!now][0] + at, pp);
    lanes3_store(c->p[!now][3] + at, tt);
    const lanes3 d = lanes3_sub(pp, p), e = lanes3_sub(tt, t);
    push_pair(bodies, c, at, s, d, e);
    return change_of(s, d, e);
}

/* A batch between its projection and its end. */
typedef struct lanes_sweep {
    lanes_pair s;
    lanes_step g;
    lanes3 p, t;
    realxn offset; /* [m/s] b + s */
} lanes_sweep;

/* How far (p, t) is from the projection g of a step from it, by kind; returns the square of all, couples times their length. */
SIMD_FN realxn residual(const lanes_batch *c, int at, const lanes_pair *s, const lanes_step *g, lanes3 p, lanes3 t,
                        realxn gap[TRU_KINDS]) {
    const lanes3 dp = lanes3_sub(lanes3_madd(lanes3_scale(g->y, s->n), g->by_slide, g->slide), p);
    const lanes3 dt = lanes3_sub(lanes3_madd(lanes3_scale(g->y_spin, s->n), g->by_roll, g->roll), t);
    const realxn dn = lanes3_dot(dp, s->n), ds = lanes3_dot(dt, s->n), l = realxn_load(c->length + at);
    const realxn en = DIV(realxn_abs(dn), realxn_load(c->metric[TRU_KIND_NORMAL] + at));
    const realxn et = DIV(lanes3_norm(lanes3_msub(dp, dn, s->n)), realxn_load(c->metric[TRU_KIND_SLIDE] + at));
    const realxn es = DIV(realxn_abs(ds), realxn_load(c->metric[TRU_KIND_SPIN] + at));
    const realxn er = DIV(lanes3_norm(lanes3_msub(dt, ds, s->n)), realxn_load(c->metric[TRU_KIND_ROLL] + at));
    gap[TRU_KIND_NORMAL] = en, gap[TRU_KIND_SLIDE] = et, gap[TRU_KIND_SPIN] = es, gap[TRU_KIND_ROLL] = er;
    return ADD(ADD(MUL(en, en), MUL(et, et)), MUL(MUL(l, l), ADD(MUL(es, es), MUL(er, er))));
}

/* s(u) = mu |u_t| + sigma |w_n| + rho |w_t| */
SIMD_FN realxn separation(const lanes_batch *c, int at, const lanes_pair *s) {
    const realxn un = lanes3_dot(s->n, s->u), wn = lanes3_dot(s->n, s->w);
    const realxn slide = lanes3_norm(lanes3_msub(s->u, un, s->n)), roll = lanes3_norm(lanes3_msub(s->w, wn, s->n));
    const realxn both =
        ADD(MUL(realxn_load(c->limit[0] + at), slide), MUL(realxn_load(c->limit[1] + at), realxn_abs(wn)));
    return ADD(both, MUL(realxn_load(c->limit[2] + at), roll));
}
