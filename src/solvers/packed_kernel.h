/* packed_kernel.h: one update of a batch of eight sphere contacts, for the instruction set that SIMD_ISA names.
 *
 * The kernel of the speed note, section 1: bodies are loaded as cache lines and transposed, the projection has no
 * branches: at most two of the three active friction parts can leave, so three evaluations of num/den suffice. */
#include "math/simd.h"
#include "laws/sets.h"
#include "solvers/packed.h"

#if SIMD_ISA == SIMD_GENERIC || SIMD_X86

typedef struct lanes3 {
    f64x8 x, y, z;
} lanes3;

/* Three rows of LANES numbers. */
SIMD_FN lanes3 lanes3_load(const double *p) {
    return (lanes3){f64x8_load(p), f64x8_load(p + LANES), f64x8_load(p + 2 * LANES)};
}

SIMD_FN void lanes3_store(double *p, lanes3 a) {
    f64x8_store(p, a.x);
    f64x8_store(p + LANES, a.y);
    f64x8_store(p + 2 * LANES, a.z);
}

SIMD_FN lanes3 lanes3_add(lanes3 a, lanes3 b) {
    return (lanes3){f64x8_add(a.x, b.x), f64x8_add(a.y, b.y), f64x8_add(a.z, b.z)};
}

SIMD_FN lanes3 lanes3_sub(lanes3 a, lanes3 b) {
    return (lanes3){f64x8_sub(a.x, b.x), f64x8_sub(a.y, b.y), f64x8_sub(a.z, b.z)};
}

SIMD_FN lanes3 lanes3_scale(f64x8 s, lanes3 a) {
    return (lanes3){f64x8_mul(s, a.x), f64x8_mul(s, a.y), f64x8_mul(s, a.z)};
}

/* a + s b */
SIMD_FN lanes3 lanes3_madd(lanes3 a, f64x8 s, lanes3 b) { return lanes3_add(a, lanes3_scale(s, b)); }

/* a - s b */
SIMD_FN lanes3 lanes3_msub(lanes3 a, f64x8 s, lanes3 b) { return lanes3_sub(a, lanes3_scale(s, b)); }

SIMD_FN f64x8 lanes3_dot(lanes3 a, lanes3 b) {
    return f64x8_add(f64x8_add(f64x8_mul(a.x, b.x), f64x8_mul(a.y, b.y)), f64x8_mul(a.z, b.z));
}

SIMD_FN f64x8 lanes3_norm(lanes3 a) { return f64x8_sqrt(lanes3_dot(a, a)); }

SIMD_FN lanes3 lanes3_cross(lanes3 a, lanes3 b) {
    return (lanes3){f64x8_sub(f64x8_mul(a.y, b.z), f64x8_mul(a.z, b.y)),
                    f64x8_sub(f64x8_mul(a.z, b.x), f64x8_mul(a.x, b.z)),
                    f64x8_sub(f64x8_mul(a.x, b.y), f64x8_mul(a.y, b.x))};
}

/* The two bodies of each lane, {v, 1/m, w, 1/I}, and the contact's rates. */
typedef struct lanes_pair {
    f64x8 a[8], b[8];
    lanes3 n, u, w;
    f64x8 arm_a, arm_b;
} lanes_pair;

SIMD_FN lanes3 lanes_v(const f64x8 *b) { return (lanes3){b[0], b[1], b[2]}; }
SIMD_FN lanes3 lanes_w(const f64x8 *b) { return (lanes3){b[4], b[5], b[6]}; }

/* u = v_A - v_B - (R_A w_A + R_B w_B) x n, w = w_A - w_B */
SIMD_FN void load_pair(const packed *k, const packed_batch *c, lanes_pair *s) {
    f64x8_load_rows(k->bodies, c->a, s->a);
    f64x8_load_rows(k->bodies, c->b, s->b);
    s->n = lanes3_load(c->n[0]);
    s->arm_a = f64x8_load(c->arm[0]);
    s->arm_b = f64x8_load(c->arm[1]);
    const lanes3 roll = lanes3_madd(lanes3_scale(s->arm_a, lanes_w(s->a)), s->arm_b, lanes_w(s->b));
    s->u = lanes3_sub(lanes3_sub(lanes_v(s->a), lanes_v(s->b)), lanes3_cross(roll, s->n));
    s->w = lanes3_sub(lanes_w(s->a), lanes_w(s->b));
}

/* Where a gradient step ends, taken apart, and its projection. */
typedef struct lanes_step {
    f64x8 x, spin;                      /* normal parts of impulse and couple */
    lanes3 slide, roll;                 /* tangential parts */
    f64x8 l_slide, l_spin, l_roll;      /* sizes */
    f64x8 y, by_slide, by_roll, y_spin; /* projection: y n + by_slide slide, y_spin n + by_roll roll */
} lanes_step;

/* (p, t) - omega P (u + (b + s) n), by kinds */
SIMD_FN void gradient_step(const packed_batch *c, const lanes_pair *s, lanes3 p, lanes3 t, f64x8 offset, double omega,
                           lanes_step *g) {
    f64x8 pn = f64x8_load(c->metric[TRU_KIND_NORMAL]), pt = f64x8_load(c->metric[TRU_KIND_SLIDE]);
    f64x8 ps = f64x8_load(c->metric[TRU_KIND_SPIN]), pr = f64x8_load(c->metric[TRU_KIND_ROLL]);
    if (omega != 1.0) {
        const f64x8 o = f64x8_all(omega);
        pn = f64x8_mul(o, pn), pt = f64x8_mul(o, pt), ps = f64x8_mul(o, ps), pr = f64x8_mul(o, pr);
    }
    const f64x8 un = lanes3_dot(s->n, s->u), wn = lanes3_dot(s->n, s->w);
    const lanes3 q = lanes3_msub(p, pt, s->u), r = lanes3_msub(t, pr, s->w);
    const f64x8 qn = lanes3_dot(s->n, q), rn = lanes3_dot(s->n, r);
    g->x = f64x8_sub(qn, f64x8_sub(f64x8_mul(pn, f64x8_add(un, offset)), f64x8_mul(pt, un)));
    g->spin = f64x8_sub(rn, f64x8_mul(f64x8_sub(ps, pr), wn));
    g->slide = lanes3_msub(q, qn, s->n);
    g->roll = lanes3_msub(r, rn, s->n);
}

SIMD_FN f64x8 masked(bool8 m, f64x8 a) { return f64x8_select(m, a, f64x8_all(0.0)); }

/* Onto the cone; the scalar twin is packed_cone. */
SIMD_FN void project(const packed_batch *c, lanes_step *g) {
    const f64x8 zero = f64x8_all(0.0), one = f64x8_all(1.0), least = f64x8_all(DBL_MIN);
    const f64x8 c0 = f64x8_load(c->limit[0]), c1 = f64x8_load(c->limit[1]), c2 = f64x8_load(c->limit[2]);
    const f64x8 e0 = f64x8_load(c->lean[0]), e1 = f64x8_load(c->lean[1]), e2 = f64x8_load(c->lean[2]);
    const f64x8 l0 = lanes3_norm(g->slide), l1 = f64x8_abs(g->spin), l2 = lanes3_norm(g->roll);
    const f64x8 start = f64x8_max(g->x, zero);
    const f64x8 num0 = f64x8_mul(e0, l0), num1 = f64x8_mul(e1, l1), num2 = f64x8_mul(e2, l2);
    const f64x8 den0 = f64x8_mul(e0, c0), den1 = f64x8_mul(e1, c1), den2 = f64x8_mul(e2, c2);
    bool8 out0 = f64x8_lt(f64x8_mul(c0, start), l0), out1 = f64x8_lt(f64x8_mul(c1, start), l1);
    bool8 out2 = f64x8_lt(f64x8_mul(c2, start), l2);
    f64x8 num = zero, den = one;
#pragma GCC unroll 3
    for (int round = 0; round < 3; round++) {
        num = f64x8_add(f64x8_add(f64x8_add(g->x, masked(out0, num0)), masked(out1, num1)), masked(out2, num2));
        den = f64x8_add(f64x8_add(f64x8_add(one, masked(out0, den0)), masked(out1, den1)), masked(out2, den2));
        if (round == 2) break;
        out0 = bool8_and(out0, f64x8_lt(f64x8_mul(c0, num), f64x8_mul(l0, den)));
        out1 = bool8_and(out1, f64x8_lt(f64x8_mul(c1, num), f64x8_mul(l1, den)));
        out2 = bool8_and(out2, f64x8_lt(f64x8_mul(c2, num), f64x8_mul(l2, den)));
    }
    const f64x8 y = f64x8_div(f64x8_max(num, zero), den);
    const f64x8 spin_limit = f64x8_mul(c1, y);
    g->y = y;
    g->by_slide = f64x8_min(one, f64x8_div(f64x8_mul(c0, y), f64x8_max(l0, least)));
    g->by_roll = f64x8_min(one, f64x8_div(f64x8_mul(c2, y), f64x8_max(l2, least)));
    g->y_spin = f64x8_max(f64x8_neg(spin_limit), f64x8_min(spin_limit, g->spin));
    g->l_slide = l0;
    g->l_spin = l1;
    g->l_roll = l2;
}

/* Velocities with the change (d, e) of impulse and couple. */
SIMD_FN void push_pair(packed *k, const packed_batch *c, lanes_pair *s, lanes3 d, lanes3 e) {
    const lanes3 across = lanes3_cross(s->n, d);
    const lanes3 va = lanes3_madd(lanes_v(s->a), s->a[3], d), vb = lanes3_msub(lanes_v(s->b), s->b[3], d);
    const lanes3 wa = lanes3_madd(lanes_w(s->a), s->a[7], lanes3_msub(e, s->arm_a, across));
    const lanes3 wb = lanes3_msub(lanes_w(s->b), s->b[7], lanes3_madd(e, s->arm_b, across));
    const f64x8 a[8] = {va.x, va.y, va.z, s->a[3], wa.x, wa.y, wa.z, s->a[7]};
    const f64x8 b[8] = {vb.x, vb.y, vb.z, s->b[3], wb.x, wb.y, wb.z, s->b[7]};
    f64x8_store_rows(k->bodies, c->a, a);
    f64x8_store_rows(k->bodies, c->b, b);
}

/* What stands before beta is known when this is inlined. */
SIMD_FN void sweep_batches(packed *k, size_t begin, size_t end, double omega, double beta) {
    const int now = k->now;
    const f64x8 more = f64x8_all(beta);
    for (size_t i = begin; i < end; i++) {
        packed_batch *c = &k->batches[i];
        lanes_pair s;
        lanes_step g;
        load_pair(k, c, &s);
        lanes3 p = lanes3_load(c->p[now][0]), t = lanes3_load(c->p[now][3]);
        if (beta != 0.0) {
            p = lanes3_madd(p, more, lanes3_sub(p, lanes3_load(c->p[!now][0])));
            t = lanes3_madd(t, more, lanes3_sub(t, lanes3_load(c->p[!now][3])));
        }
        const f64x8 offset = f64x8_add(f64x8_load(c->bias), f64x8_load(c->shift));
        gradient_step(c, &s, p, t, offset, omega, &g);
        project(c, &g);
        const lanes3 pp = lanes3_madd(lanes3_scale(g.y, s.n), g.by_slide, g.slide);
        const lanes3 tt = lanes3_madd(lanes3_scale(g.y_spin, s.n), g.by_roll, g.roll);
        lanes3_store(c->p[!now][0], pp);
        lanes3_store(c->p[!now][3], tt);
        push_pair(k, c, &s, lanes3_sub(pp, p), lanes3_sub(tt, t));
        k->work[i] = f64x8_sum(f64x8_mul(offset, g.y));
    }
}

SIMD_TARGET static void sweep(packed *k, size_t begin, size_t end, double omega, double beta) {
    if (omega == 1.0 && beta == 0.0)
        sweep_batches(k, begin, end, 1.0, 0.0);
    else if (omega == 1.0)
        sweep_batches(k, begin, end, 1.0, beta);
    else
        sweep_batches(k, begin, end, omega, beta);
}

/* s(u) = mu |u_t| + sigma |w_n| + rho |w_t| */
SIMD_FN f64x8 separation(const packed_batch *c, const lanes_pair *s) {
    const f64x8 un = lanes3_dot(s->n, s->u), wn = lanes3_dot(s->n, s->w);
    const f64x8 slide = lanes3_norm(lanes3_msub(s->u, un, s->n)), roll = lanes3_norm(lanes3_msub(s->w, wn, s->n));
    return f64x8_add(
        f64x8_add(f64x8_mul(f64x8_load(c->limit[0]), slide), f64x8_mul(f64x8_load(c->limit[1]), f64x8_abs(wn))),
        f64x8_mul(f64x8_load(c->limit[2]), roll));
}

SIMD_TARGET static void refresh(packed *k, size_t begin, size_t end, double damping) {
    const f64x8 part = f64x8_all(damping);
    for (size_t i = begin; i < end; i++) {
        packed_batch *c = &k->batches[i];
        lanes_pair s;
        load_pair(k, c, &s);
        const f64x8 old = f64x8_load(c->shift);
        f64x8_store(c->shift, f64x8_madd(old, part, f64x8_sub(separation(c, &s), old)));
    }
}

SIMD_FN unsigned stuck_bits(f64x8 limit, f64x8 y, f64x8 size) {
    const f64x8 most = f64x8_mul(limit, y), slack = f64x8_mul(most, f64x8_all(1.0 + STICK_SLACK));
    return bool8_bits(bool8_and(f64x8_lt(f64x8_all(0.0), most), f64x8_le(size, slack)));
}

SIMD_TARGET static void look(packed *k, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        const packed_batch *c = &k->batches[i];
        lanes_pair s;
        lanes_step g;
        double out[11][LANES];
        load_pair(k, c, &s);
        const lanes3 p = lanes3_load(c->p[k->now][0]), t = lanes3_load(c->p[k->now][3]);
        f64x8 offset = f64x8_load(c->bias);
        if (k->exact) offset = f64x8_add(offset, separation(c, &s));
        gradient_step(c, &s, p, t, offset, 1.0, &g);
        project(c, &g);
        const lanes3 dp = lanes3_sub(lanes3_madd(lanes3_scale(g.y, s.n), g.by_slide, g.slide), p);
        const lanes3 dt = lanes3_sub(lanes3_madd(lanes3_scale(g.y_spin, s.n), g.by_roll, g.roll), t);
        const f64x8 dn = lanes3_dot(dp, s.n), ds = lanes3_dot(dt, s.n), l = f64x8_load(c->length);
        const f64x8 en = f64x8_div(f64x8_abs(dn), f64x8_load(c->metric[TRU_KIND_NORMAL]));
        const f64x8 et = f64x8_div(lanes3_norm(lanes3_msub(dp, dn, s.n)), f64x8_load(c->metric[TRU_KIND_SLIDE]));
        const f64x8 es = f64x8_div(f64x8_abs(ds), f64x8_load(c->metric[TRU_KIND_SPIN]));
        const f64x8 er = f64x8_div(lanes3_norm(lanes3_msub(dt, ds, s.n)), f64x8_load(c->metric[TRU_KIND_ROLL]));
        const f64x8 couples = f64x8_mul(f64x8_mul(l, l), f64x8_add(f64x8_mul(es, es), f64x8_mul(er, er)));
        lanes3_store(out[0], s.u);
        lanes3_store(out[3], s.w);
        f64x8_store(out[6], f64x8_add(f64x8_add(f64x8_mul(en, en), f64x8_mul(et, et)), couples));
        f64x8_store(out[7], en);
        f64x8_store(out[8], et);
        f64x8_store(out[9], es);
        f64x8_store(out[10], er);
        const unsigned slide = stuck_bits(f64x8_load(c->limit[0]), g.y, g.l_slide);
        const unsigned spin = stuck_bits(f64x8_load(c->limit[1]), g.y, g.l_spin);
        const unsigned roll = stuck_bits(f64x8_load(c->limit[2]), g.y, g.l_roll);
        for (int j = 0; j < LANES; j++) {
            if (c->contact[j] == UINT32_MAX) continue;
            packed_look *o = &k->looks[c->contact[j]];
            for (int r = 0; r < 6; r++) o->u[r] = out[r][j];
            o->size2 = out[6][j];
            for (int r = 0; r < TRU_KINDS; r++) o->gap[r] = out[7 + r][j];
            o->stuck = (slide >> j & 1u) << TRU_KIND_SLIDE | (spin >> j & 1u) << TRU_KIND_SPIN |
                       (roll >> j & 1u) << TRU_KIND_ROLL;
        }
    }
}

#endif
