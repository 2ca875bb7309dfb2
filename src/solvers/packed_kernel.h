/* packed_kernel.h: one update of a batch of eight sphere contacts, as many at once as a register of SIMD_ISA holds.
 *
 * After the speed note, section 1: bodies are loaded as cache lines and transposed, the projection has no branches. `at` is the first lane of the batch that a value takes. */
#include "math/lanes3.h"
#include "laws/contensou_lanes.h"
#include "laws/sets.h"
#include "solvers/packed.h"

#if SIMD_ISA == SIMD_GENERIC || SIMD_X86

/* What the two bodies of each lane do at the contact. */
typedef struct lanes_pair {
    f64xn inv_mass_a, turn_a, inv_mass_b, turn_b;
    lanes3 n, u, w;
    f64xn arm_a, arm_b;
} lanes_pair;

SIMD_FN lanes3 lanes_v(const f64xn *b) { return (lanes3){b[0], b[1], b[2]}; }
SIMD_FN lanes3 lanes_w(const f64xn *b) { return (lanes3){b[4], b[5], b[6]}; }

/* u = v_A - v_B - (R_A w_A + R_B w_B) x n, w = w_A - w_B */
SIMD_FN void load_pair(const packed_body *bodies, const packed_batch *c, int at, lanes_pair *s) {
    f64xn a[8], b[8]; /* {v, 1/m, w, 1/I} */
    f64xn_load_rows(bodies, c->a + at, a);
    f64xn_load_rows(bodies, c->b + at, b);
    s->inv_mass_a = a[3];
    s->inv_mass_b = b[3];
    s->turn_a = a[7];
    s->turn_b = b[7];
    s->n = lanes3_load(c->n[0] + at);
    s->arm_a = f64xn_load(c->arm[0] + at);
    s->arm_b = f64xn_load(c->arm[1] + at);
    const lanes3 roll = lanes3_madd(lanes3_scale(s->arm_a, lanes_w(a)), s->arm_b, lanes_w(b));
    s->u = lanes3_sub(lanes3_sub(lanes_v(a), lanes_v(b)), lanes3_cross(roll, s->n));
    s->w = lanes3_sub(lanes_w(a), lanes_w(b));
}

/* Where a gradient step ends, taken apart, and its projection. */
typedef struct lanes_step {
    f64xn x, spin;                      /* normal parts of impulse and couple */
    lanes3 slide, roll;                 /* tangential parts */
    f64xn l_slide, l_spin, l_roll;      /* sizes */
    f64xn y, by_slide, by_roll, y_spin; /* projection: y n + by_slide slide, y_spin n + by_roll roll */
} lanes_step;

/* (p, t) - omega P (u + (b + s) n), by kinds */
SIMD_FN void gradient_step(const packed_batch *c, int at, const lanes_pair *s, lanes3 p, lanes3 t, f64xn offset,
                           double omega, lanes_step *g) {
    f64xn pn = f64xn_load(c->metric[TRU_KIND_NORMAL] + at), pt = f64xn_load(c->metric[TRU_KIND_SLIDE] + at);
    f64xn ps = f64xn_load(c->metric[TRU_KIND_SPIN] + at), pr = f64xn_load(c->metric[TRU_KIND_ROLL] + at);
    if (omega != 1.0) {
        const f64xn o = f64xn_all(omega);
        pn = MUL(o, pn), pt = MUL(o, pt), ps = MUL(o, ps), pr = MUL(o, pr);
    }
    const f64xn un = lanes3_dot(s->n, s->u), wn = lanes3_dot(s->n, s->w);
    const lanes3 q = lanes3_msub(p, pt, s->u), r = lanes3_msub(t, pr, s->w);
    const f64xn qn = lanes3_dot(s->n, q), rn = lanes3_dot(s->n, r);
    g->x = SUB(qn, SUB(MUL(pn, ADD(un, offset)), MUL(pt, un)));
    g->spin = SUB(rn, MUL(SUB(ps, pr), wn));
    g->slide = lanes3_msub(q, qn, s->n);
    g->roll = lanes3_msub(r, rn, s->n);
}

/* Onto the cone; the scalar twin is packed_cone. A part leaves the cone if the root y of phi lies below its breakpoint l/c:
 * c phi(l/c) > 0, all three at once. */
SIMD_FN void project(const packed_batch *c, int at, lanes_step *g) {
    const f64xn zero = f64xn_all(0.0), one = f64xn_all(1.0), least = f64xn_all(DBL_MIN);
    const f64xn c0 = f64xn_load(c->limit[0] + at), c1 = f64xn_load(c->limit[1] + at), c2 = f64xn_load(c->limit[2] + at);
    const f64xn e0 = f64xn_load(c->lean[0] + at), e1 = f64xn_load(c->lean[1] + at), e2 = f64xn_load(c->lean[2] + at);
    const f64xn l0 = lanes3_norm(g->slide), l1 = f64xn_abs(g->spin), l2 = lanes3_norm(g->roll);
    const f64xn d01 = SUB(MUL(c0, l1), MUL(c1, l0)), d02 = SUB(MUL(c0, l2), MUL(c2, l0));
    const f64xn d12 = SUB(MUL(c1, l2), MUL(c2, l1));
    const f64xn f0 = ADD(MUL(e1, f64xn_max(d01, zero)), MUL(e2, f64xn_max(d02, zero)));
    const f64xn f1 = SUB(MUL(e2, f64xn_max(d12, zero)), MUL(e0, f64xn_min(d01, zero)));
    const f64xn f2 = ADD(MUL(e0, f64xn_min(d02, zero)), MUL(e1, f64xn_min(d12, zero)));
    const boolxn out0 = f64xn_lt(ADD(MUL(c0, g->x), f0), l0), out1 = f64xn_lt(ADD(MUL(c1, g->x), f1), l1);
    const boolxn out2 = f64xn_lt(SUB(MUL(c2, g->x), f2), l2);
    const f64xn num = ADD(ADD(g->x, f64xn_where(out0, MUL(e0, l0))),
                          ADD(f64xn_where(out1, MUL(e1, l1)), f64xn_where(out2, MUL(e2, l2))));
    const f64xn den = ADD(ADD(one, f64xn_where(out0, MUL(e0, c0))),
                          ADD(f64xn_where(out1, MUL(e1, c1)), f64xn_where(out2, MUL(e2, c2))));
    const f64xn top = f64xn_max(num, zero), y = DIV(top, den), spin_limit = MUL(c1, y);
    g->y = y;
    g->by_slide = f64xn_min(one, DIV(MUL(c0, top), MUL(den, f64xn_max(l0, least))));
    g->by_roll = f64xn_min(one, DIV(MUL(c2, top), MUL(den, f64xn_max(l2, least))));
    g->y_spin = f64xn_max(f64xn_neg(spin_limit), f64xn_min(spin_limit, g->spin));
    g->l_slide = l0;
    g->l_spin = l1;
    g->l_roll = l2;
}

/* The normal impulse as it is, friction within what it allows. */
SIMD_FN void cut(const packed_batch *c, int at, lanes_step *g) {
    const f64xn one = f64xn_all(1.0), least = f64xn_all(DBL_MIN), y = f64xn_max(g->x, f64xn_all(0.0));
    const f64xn spin_limit = MUL(f64xn_load(c->limit[1] + at), y);
    g->l_slide = lanes3_norm(g->slide);
    g->l_spin = f64xn_abs(g->spin);
    g->l_roll = lanes3_norm(g->roll);
    g->y = y;
    g->by_slide = f64xn_min(one, DIV(MUL(f64xn_load(c->limit[0] + at), y), f64xn_max(g->l_slide, least)));
    g->by_roll = f64xn_min(one, DIV(MUL(f64xn_load(c->limit[2] + at), y), f64xn_max(g->l_roll, least)));
    g->y_spin = f64xn_max(f64xn_neg(spin_limit), f64xn_min(spin_limit, g->spin));
}

/* The normal impulse at least `floor`, the rest at its limits there. */
SIMD_FN void raise_to(const packed_batch *c, const packed_more *more, int at, lanes_step *g) {
    const f64xn one = f64xn_all(1.0), least = f64xn_all(DBL_MIN);
    const f64xn y = f64xn_max(g->y, f64xn_load(more->floor + at)), spin_limit = MUL(f64xn_load(c->limit[1] + at), y);
    g->y = y;
    g->by_slide = f64xn_min(one, DIV(MUL(f64xn_load(c->limit[0] + at), y), f64xn_max(g->l_slide, least)));
    g->by_roll = f64xn_min(one, DIV(MUL(f64xn_load(c->limit[2] + at), y), f64xn_max(g->l_roll, least)));
    g->y_spin = f64xn_max(f64xn_neg(spin_limit), f64xn_min(spin_limit, g->spin));
}

/* Lanes with a patch onto their own cone instead. The sizes are left such that they tell what sticks. No part of the caller:
 * sweeps without patches keep their registers. */
SIMD_TARGET static __attribute__((noinline)) void couple(const packed_batch *c, const packed_more *more,
                                                         packed_patch *patch, int at, lanes_step *g) {
    const f64xn zero = f64xn_all(0.0), one = f64xn_all(1.0), least = f64xn_all(DBL_MIN);
    const f64xn radius = f64xn_load(patch->radius + at), pn = f64xn_load(c->metric[TRU_KIND_NORMAL] + at);
    const boolxn coupled = f64xn_lt(zero, radius);
    if (!boolxn_bits(coupled)) return;
    const f64xn eps = f64xn_select(coupled, radius, one);
    lanes_cone o = {.x = g->x, .a = lanes3_norm(g->slide), .b = DIV(f64xn_abs(g->spin), eps)};
    o.l = lanes3_norm(g->roll);
    o.mu = f64xn_load(c->limit[0] + at), o.rho = f64xn_load(c->limit[2] + at);
    o.qa = DIV(pn, f64xn_load(c->metric[TRU_KIND_SLIDE] + at));
    o.qb = MUL(MUL(eps, eps), DIV(pn, f64xn_load(c->metric[TRU_KIND_SPIN] + at)));
    o.lean = f64xn_load(c->lean[2] + at);
    o.floor = more ? f64xn_load(more->floor + at) : zero;
    o.guess = f64xn_load(patch->guess + at);
    contensou_lanes_project(&o, coupled);
    f64xn_store(patch->guess + at, f64xn_select(coupled, o.guess, f64xn_load(patch->guess + at)));
    const f64xn spin = MUL(eps, o.to_b), turned = f64xn_select(f64xn_lt(g->spin, zero), f64xn_neg(spin), spin);
    const boolxn all = f64xn_le(o.b, o.to_b); /* inside: not a bit changes */
    const f64xn size = f64xn_select(o.stuck, zero, f64xn_all(DBL_MAX));
    g->y = f64xn_select(coupled, o.y, g->y);
    g->by_slide = f64xn_select(coupled, f64xn_min(one, DIV(o.to_a, f64xn_max(o.a, least))), g->by_slide);
    g->by_roll = f64xn_select(coupled, f64xn_min(one, DIV(MUL(o.rho, o.y), f64xn_max(o.l, least))), g->by_roll);
    g->y_spin = f64xn_select(coupled, f64xn_select(all, g->spin, turned), g->y_spin);
    g->l_slide = f64xn_select(coupled, size, g->l_slide);
    g->l_spin = f64xn_select(coupled, size, g->l_spin);
}

/* The same by itself, for contacts one at a time. */
SIMD_TARGET static void coupled(packed_coupled *c) {
    c->stuck = 0;
    for (int at = 0; at < LANES; at += SIMD_LANES) {
        lanes_cone o = {.x = f64xn_load(c->x + at), .a = f64xn_load(c->slide + at), .b = f64xn_load(c->spin + at)};
        o.l = f64xn_load(c->roll + at);
        o.mu = f64xn_load(c->mu + at), o.rho = f64xn_load(c->rho + at);
        o.qa = f64xn_load(c->by_slide + at), o.qb = f64xn_load(c->by_spin + at), o.lean = f64xn_load(c->lean + at);
        o.floor = f64xn_load(c->floor + at), o.guess = f64xn_load(c->guess + at);
        contensou_lanes_project(&o, f64xn_lt(f64xn_all(0.0), o.mu));
        f64xn_store(c->y + at, o.y);
        f64xn_store(c->to_slide + at, o.to_a);
        f64xn_store(c->to_spin + at, o.to_b);
        f64xn_store(c->guess + at, o.guess);
        c->stuck |= boolxn_bits(o.stuck) << at;
    }
}

SIMD_TARGET static void support(const double v[LANES], const double w[LANES], double power[LANES]) {
    for (int at = 0; at < LANES; at += SIMD_LANES)
        f64xn_store(power + at, contensou_lanes_support(f64xn_load(v + at), f64xn_load(w + at)));
}

/* Velocities with the change (d, e) of impulse and couple: added to the rows in memory, so that no register has to keep
 * the velocities meanwhile. */
SIMD_FN void push_pair(packed *k, const packed_batch *c, int at, const lanes_pair *s, lanes3 d, lanes3 e) {
    const f64xn zero = f64xn_all(0.0);
    const lanes3 across = lanes3_cross(s->n, d);
    const lanes3 va = lanes3_scale(s->inv_mass_a, d), vb = lanes3_scale(s->inv_mass_b, d);
    const lanes3 wa = lanes3_scale(s->turn_a, lanes3_msub(e, s->arm_a, across));
    const lanes3 wb = lanes3_scale(s->turn_b, lanes3_madd(e, s->arm_b, across));
    const f64xn a[8] = {va.x, va.y, va.z, zero, wa.x, wa.y, wa.z, zero};
    const f64xn b[8] = {vb.x, vb.y, vb.z, zero, wb.x, wb.y, wb.z, zero};
    f64xn_add_rows(k->bodies, c->a + at, a);
    f64xn_sub_rows(k->bodies, c->b + at, b);
}

/* Twice the energy of a change (d, e) at each of its bodies by itself, turning by d left out. */
SIMD_FN f64xn change_of(const lanes_pair *s, lanes3 d, lanes3 e) {
    return ADD(MUL(ADD(s->inv_mass_a, s->inv_mass_b), lanes3_dot(d, d)),
               MUL(ADD(s->turn_a, s->turn_b), lanes3_dot(e, e)));
}

/* One register of a batch; returns (b + s + C gamma_n/2) gamma_n, with sections change_of. `more`, `patch` and `sections`
 * are mostly known when this is inlined. */
SIMD_FN f64xn sweep_lanes(packed *k, packed_batch *c, const packed_more *more, packed_patch *patch, bool sections,
                          int at, double omega, double beta) {
    const int now = k->now;
    lanes_pair s;
    lanes_step g;
    load_pair(k->from, c, at, &s);
    lanes3 p = lanes3_load(c->p[now][0] + at), t = lanes3_load(c->p[now][3] + at);
    if (beta != 0.0) {
        const f64xn on = f64xn_all(beta);
        p = lanes3_madd(p, on, lanes3_sub(p, lanes3_load(c->p[!now][0] + at)));
        t = lanes3_madd(t, on, lanes3_sub(t, lanes3_load(c->p[!now][3] + at)));
    }
    const f64xn given = ADD(f64xn_load(c->bias + at), f64xn_load(c->shift + at));
    f64xn offset = given;
    if (more) offset = f64xn_madd(offset, f64xn_load(more->soft + at), lanes3_dot(s.n, p));
    gradient_step(c, at, &s, p, t, offset, omega, &g);
    if (sections)
        cut(c, at, &g);
    else
        project(c, at, &g);
    if (more) raise_to(c, more, at, &g);
    if (patch) couple(c, more, patch, at, &g);
    const lanes3 pp = lanes3_madd(lanes3_scale(g.y, s.n), g.by_slide, g.slide);
    const lanes3 tt = lanes3_madd(lanes3_scale(g.y_spin, s.n), g.by_roll, g.roll);
    lanes3_store(c->p[!now][0] + at, pp);
    lanes3_store(c->p[!now][3] + at, tt);
    const lanes3 d = lanes3_sub(pp, p), e = lanes3_sub(tt, t);
    push_pair(k, c, at, &s, d, e);
    if (sections) return change_of(&s, d, e);
    if (more) offset = f64xn_madd(given, MUL(f64xn_all(0.5), f64xn_load(more->soft + at)), g.y);
    return MUL(offset, g.y);
}

/* What stands before beta is known when this is inlined. The bodies of the next batch are fetched meanwhile. */
SIMD_FN void sweep_batches(packed *k, const packed_more *more, packed_patch *patches, bool sections, size_t begin,
                           size_t end, double omega, double beta) {
    const char *bodies = (const char *)k->from;
    for (size_t i = begin; i < end; i++) {
        packed_batch *c = &k->batches[i];
        const packed_batch *next = i + 1 < end ? c + 1 : c;
        double work[LANES];
        for (int at = 0; at < LANES; at += SIMD_LANES) {
#pragma GCC unroll 8
            for (int j = at; j < at + SIMD_LANES; j++) {
                __builtin_prefetch(bodies + next->a[j], 1);
                __builtin_prefetch(bodies + next->b[j], 1);
            }
            packed_patch *patch = patches ? patches + i : NULL;
            f64xn_store(work + at, sweep_lanes(k, c, more ? more + i : NULL, patch, sections, at, omega, beta));
        }
        k->work[i] = ((work[0] + work[1]) + (work[2] + work[3])) + ((work[4] + work[5]) + (work[6] + work[7]));
    }
}

SIMD_TARGET static void sweep(packed *k, size_t begin, size_t end, double omega, double beta) {
    if (k->patches)
        sweep_batches(k, k->more, k->patches, false, begin, end, omega, beta);
    else if (k->more)
        sweep_batches(k, k->more, NULL, k->sections, begin, end, omega, beta);
    else if (k->sections)
        sweep_batches(k, NULL, NULL, true, begin, end, 1.0, beta);
    else if (omega == 1.0 && beta == 0.0)
        sweep_batches(k, NULL, NULL, false, begin, end, 1.0, 0.0);
    else if (omega == 1.0)
        sweep_batches(k, NULL, NULL, false, begin, end, 1.0, beta);
    else
        sweep_batches(k, NULL, NULL, false, begin, end, omega, beta);
}

/* s(u) = mu |u_t| + sigma |w_n| + rho |w_t|; with a patch mu Phi(|u_t|, eps |w_n|) in place of the first two */
SIMD_FN f64xn separation(const packed_batch *c, const packed_patch *patch, int at, const lanes_pair *s) {
    const f64xn un = lanes3_dot(s->n, s->u), wn = lanes3_dot(s->n, s->w);
    const f64xn slide = lanes3_norm(lanes3_msub(s->u, un, s->n)), roll = lanes3_norm(lanes3_msub(s->w, wn, s->n));
    const f64xn mu = f64xn_load(c->limit[0] + at);
    f64xn both = ADD(MUL(mu, slide), MUL(f64xn_load(c->limit[1] + at), f64xn_abs(wn)));
    if (patch) {
        const f64xn eps = f64xn_load(patch->radius + at);
        const f64xn phi = contensou_lanes_support(slide, MUL(eps, f64xn_abs(wn)));
        both = f64xn_select(f64xn_lt(f64xn_all(0.0), eps), MUL(mu, phi), both);
    }
    return ADD(both, MUL(f64xn_load(c->limit[2] + at), roll));
}

SIMD_TARGET static void refresh(packed *k, size_t begin, size_t end, double damping) {
    const f64xn part = f64xn_all(damping);
    for (size_t i = begin; i < end; i++)
        for (int at = 0; at < LANES; at += SIMD_LANES) {
            packed_batch *c = &k->batches[i];
            lanes_pair s;
            load_pair(k->bodies, c, at, &s);
            const f64xn old = f64xn_load(c->shift + at);
            const packed_patch *patch = k->patches ? &k->patches[i] : NULL;
            f64xn_store(c->shift + at, f64xn_madd(old, part, SUB(separation(c, patch, at, &s), old)));
        }
}

/* ---- beside sweeps */

/* The metric of two spheres (or one and what does not move), cone note section 4: in the scaled block only slide and roll
 * couple; and what follows from it. Limits, arms and bodies are there. */
SIMD_TARGET static void terms(packed *k, size_t begin, size_t end) {
    const f64xn zero = f64xn_all(0.0), one = f64xn_all(1.0), two = f64xn_all(2.0), three = f64xn_all(3.0);
    for (size_t i = begin; i < end; i++)
        for (int at = 0; at < LANES; at += SIMD_LANES) {
            packed_batch *c = &k->batches[i];
            f64xn a[8], b[8]; /* {v, 1/m, w, 1/I} */
            f64xn_load_rows(k->bodies, c->a + at, a);
            f64xn_load_rows(k->bodies, c->b + at, b);
            const f64xn ra = f64xn_load(c->arm[0] + at), rb = f64xn_load(c->arm[1] + at);
            const f64xn mu = f64xn_load(c->limit[0] + at), rho = f64xn_load(c->limit[2] + at);
            const f64xn linear = ADD(a[3], b[3]), couple = ADD(a[7], b[7]);
            const f64xn slide = ADD(ADD(linear, MUL(MUL(ra, ra), a[7])), MUL(MUL(rb, rb), b[7]));
            const boolxn coupled = boolxn_and(f64xn_lt(zero, mu), f64xn_lt(zero, rho));
            const f64xn cross = f64xn_where(coupled, f64xn_abs(SUB(MUL(ra, a[7]), MUL(rb, b[7]))));
            const f64xn length = f64xn_sqrt(DIV(ADD(linear, MUL(two, slide)), MUL(three, couple)));
            const f64xn normal = k->more ? ADD(linear, f64xn_load(k->more[i].soft + at)) : linear;
            const f64xn inverse[TRU_KINDS] = {normal, ADD(slide, MUL(cross, length)), couple,
                                              ADD(couple, DIV(cross, length))};
            for (int kind = 0; kind < TRU_KINDS; kind++) f64xn_store(c->metric[kind] + at, DIV(one, inverse[kind]));
            for (int r = 0; r < 3; r++)
                f64xn_store(c->lean[r] + at, MUL(DIV(inverse[r + 1], normal), f64xn_load(c->limit[r] + at)));
            f64xn_store(c->length + at, length);
        }
}

/* All impulses of the present iterate onto the bodies. */
SIMD_TARGET static void push(packed *k, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++)
        for (int at = 0; at < LANES; at += SIMD_LANES) {
            const packed_batch *c = &k->batches[i];
            lanes_pair s;
            load_pair(k->bodies, c, at, &s);
            push_pair(k, c, at, &s, lanes3_load(c->p[k->now][0] + at), lanes3_load(c->p[k->now][3] + at));
        }
}

/* Impulses not above `nothing` times the metric (couples: times their length) become zero. */
SIMD_TARGET static void flush(packed *k, size_t begin, size_t end, double nothing) {
    for (size_t i = begin; i < end; i++)
        for (int at = 0; at < LANES; at += SIMD_LANES) {
            packed_batch *c = &k->batches[i];
            const f64xn force = MUL(f64xn_all(nothing), f64xn_load(c->metric[TRU_KIND_NORMAL] + at));
            const f64xn couple = MUL(force, f64xn_load(c->length + at));
            for (int r = 0; r < 6; r++) {
                const f64xn p = f64xn_load(c->p[k->now][r] + at);
                f64xn_store(c->p[k->now][r] + at, f64xn_where(f64xn_lt(r < 3 ? force : couple, f64xn_abs(p)), p));
            }
        }
}

/* |d|^2 in the metric, d from the present iterate to the other one, of each batch. */
SIMD_TARGET static void distance(packed *k, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        const packed_batch *c = &k->batches[i];
        double sum[LANES];
        for (int at = 0; at < LANES; at += SIMD_LANES) {
            const lanes3 n = lanes3_load(c->n[0] + at);
            const lanes3 dp = lanes3_sub(lanes3_load(c->p[!k->now][0] + at), lanes3_load(c->p[k->now][0] + at));
            const lanes3 dt = lanes3_sub(lanes3_load(c->p[!k->now][3] + at), lanes3_load(c->p[k->now][3] + at));
            const f64xn dn = lanes3_dot(dp, n), ds = lanes3_dot(dt, n);
            const lanes3 slide = lanes3_msub(dp, dn, n), roll = lanes3_msub(dt, ds, n);
            const f64xn d2[TRU_KINDS] = {MUL(dn, dn), lanes3_dot(slide, slide), MUL(ds, ds), lanes3_dot(roll, roll)};
            f64xn all = DIV(d2[0], f64xn_load(c->metric[0] + at));
            for (int kind = 1; kind < TRU_KINDS; kind++)
                all = ADD(all, DIV(d2[kind], f64xn_load(c->metric[kind] + at)));
            f64xn_store(sum + at, all);
        }
        k->work[i] = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
    }
}

/* ---- how far from the laws */

SIMD_FN unsigned stuck_bits(f64xn limit, f64xn y, f64xn size) {
    const f64xn most = MUL(limit, y), slack = MUL(most, f64xn_all(1.0 + STICK_SLACK));
    return boolxn_bits(boolxn_and(f64xn_lt(f64xn_all(0.0), most), f64xn_le(size, slack)));
}

/* One register of a batch: rates, squared residual, residuals by kind into out; stuck lanes by kind. */
SIMD_FN void look_lanes(packed *k, const packed_batch *c, const packed_more *more, packed_patch *patch, int at,
                        double out[11][LANES], unsigned stuck[3]) {
    lanes_pair s;
    lanes_step g;
    load_pair(k->bodies, c, at, &s);
    const lanes3 p = lanes3_load(c->p[k->now][0] + at), t = lanes3_load(c->p[k->now][3] + at);
    f64xn offset = f64xn_load(c->bias + at);
    if (k->exact) offset = ADD(offset, separation(c, patch, at, &s));
    if (more) offset = f64xn_madd(offset, f64xn_load(more->soft + at), lanes3_dot(s.n, p));
    gradient_step(c, at, &s, p, t, offset, 1.0, &g);
    project(c, at, &g);
    if (more) raise_to(c, more, at, &g);
    if (patch) couple(c, more, patch, at, &g);
    const lanes3 dp = lanes3_sub(lanes3_madd(lanes3_scale(g.y, s.n), g.by_slide, g.slide), p);
    const lanes3 dt = lanes3_sub(lanes3_madd(lanes3_scale(g.y_spin, s.n), g.by_roll, g.roll), t);
    const f64xn dn = lanes3_dot(dp, s.n), ds = lanes3_dot(dt, s.n), l = f64xn_load(c->length + at);
    const f64xn en = DIV(f64xn_abs(dn), f64xn_load(c->metric[TRU_KIND_NORMAL] + at));
    const f64xn et = DIV(lanes3_norm(lanes3_msub(dp, dn, s.n)), f64xn_load(c->metric[TRU_KIND_SLIDE] + at));
    const f64xn es = DIV(f64xn_abs(ds), f64xn_load(c->metric[TRU_KIND_SPIN] + at));
    const f64xn er = DIV(lanes3_norm(lanes3_msub(dt, ds, s.n)), f64xn_load(c->metric[TRU_KIND_ROLL] + at));
    lanes3_store(out[0] + at, s.u);
    lanes3_store(out[3] + at, s.w);
    f64xn_store(out[6] + at, ADD(ADD(MUL(en, en), MUL(et, et)), MUL(MUL(l, l), ADD(MUL(es, es), MUL(er, er)))));
    f64xn_store(out[7] + at, en);
    f64xn_store(out[8] + at, et);
    f64xn_store(out[9] + at, es);
    f64xn_store(out[10] + at, er);
    stuck[0] |= stuck_bits(f64xn_load(c->limit[0] + at), g.y, g.l_slide) << at;
    stuck[1] |= stuck_bits(f64xn_load(c->limit[1] + at), g.y, g.l_spin) << at;
    stuck[2] |= stuck_bits(f64xn_load(c->limit[2] + at), g.y, g.l_roll) << at;
}

SIMD_TARGET static void look(packed *k, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        const packed_batch *c = &k->batches[i];
        double out[11][LANES];
        unsigned stuck[3] = {0, 0, 0};
        for (int at = 0; at < LANES; at += SIMD_LANES)
            look_lanes(k, c, k->more ? &k->more[i] : NULL, k->patches ? &k->patches[i] : NULL, at, out, stuck);
        for (int j = 0; j < LANES; j++) {
            if (c->contact[j] == UINT32_MAX) continue;
            packed_look *o = &k->looks[c->contact[j]];
            for (int r = 0; r < 6; r++) o->u[r] = out[r][j];
            o->size2 = out[6][j];
            for (int r = 0; r < TRU_KINDS; r++) o->gap[r] = out[7 + r][j];
            o->stuck = (stuck[0] >> j & 1u) << TRU_KIND_SLIDE | (stuck[1] >> j & 1u) << TRU_KIND_SPIN |
                       (stuck[2] >> j & 1u) << TRU_KIND_ROLL;
        }
    }
}

/* ---- bodies, a cache line at a time */

/* Of eight sums, the places of the masses left out. */
SIMD_FN double sum_of_row(const f64xn *sum) {
    double s[8];
    for (int at = 0; at < 8; at += SIMD_LANES) f64xn_store(s + at, sum[at / SIMD_LANES]);
    return ((s[0] + s[1]) + s[2]) + ((s[4] + s[5]) + s[6]);
}

/* v := v + beta (v - before), before := v; masses stay as they are. Returns sum m |v|^2 + I |w|^2 of the old v. */
SIMD_TARGET static double extrapolate(packed *k, size_t begin, size_t end, double beta) {
    const f64xn more = f64xn_all(beta);
    f64xn sum[8 / SIMD_LANES] = {f64xn_all(0.0)};
    for (size_t i = begin; i < end; i++) {
        double *b = (double *)&k->bodies[i], *o = (double *)&k->before[i];
        for (int at = 0; at < 8; at += SIMD_LANES) {
            const f64xn v = f64xn_load(b + at);
            f64xn *to = &sum[at / SIMD_LANES];
            *to = ADD(*to, MUL(MUL(v, v), f64xn_halves(k->mass[i].mass, k->mass[i].inertia, at)));
            f64xn_store(b + at, f64xn_madd(v, more, SUB(v, f64xn_load(o + at))));
            f64xn_store(o + at, v);
        }
    }
    return sum_of_row(sum);
}

/* The same sum alone. */
SIMD_TARGET static double energy(const packed *k, size_t begin, size_t end) {
    f64xn sum[8 / SIMD_LANES] = {f64xn_all(0.0)};
    for (size_t i = begin; i < end; i++) {
        const double *b = (const double *)&k->bodies[i];
        for (int at = 0; at < 8; at += SIMD_LANES) {
            const f64xn v = f64xn_load(b + at);
            f64xn *to = &sum[at / SIMD_LANES];
            *to = ADD(*to, MUL(MUL(v, v), f64xn_halves(k->mass[i].mass, k->mass[i].inertia, at)));
        }
    }
    return sum_of_row(sum);
}

#endif
