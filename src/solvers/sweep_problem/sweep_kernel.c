/* sweep_kernel.c: passes over the batches and bodies of a sweep problem, in doubles, for the instruction set SIMD_ISA. */
#include "laws/contensou_lanes.h"
#include "laws/sets.h"
#include "solvers/sweep_problem/sweep_lanes.h"

/* The normal impulse at least `floor`, the rest at its limits there. */
SIMD_FN void raise_to(const sweep_batch *c, const sweep_normal_terms *more, int at, lanes_step *g) {
    const f64xn one = f64xn_all(1.0), least = f64xn_all(DBL_MIN);
    const f64xn y = f64xn_max(g->y, f64xn_load(more->floor + at)), spin_limit = MUL(f64xn_load(c->limit[1] + at), y);
    g->y = y;
    g->by_slide = f64xn_min(one, DIV(MUL(f64xn_load(c->limit[0] + at), y), f64xn_max(g->l_slide, least)));
    g->by_roll = f64xn_min(one, DIV(MUL(f64xn_load(c->limit[2] + at), y), f64xn_max(g->l_roll, least)));
    g->y_spin = f64xn_max(f64xn_neg(spin_limit), f64xn_min(spin_limit, g->spin));
}

/* Lanes with a patch onto their own cone instead. The sizes are left such that they tell what sticks. No part of the caller:
 * sweeps without patches keep their registers. */
SIMD_TARGET static __attribute__((noinline)) void couple(const sweep_batch *c, const sweep_normal_terms *more,
                                                         sweep_patch *patch, int at, lanes_step *g) {
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
SIMD_TARGET static void coupled(sweep_coupled *c) {
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

/* One register of a batch up to where its impulses are to be. `more`, `patch` and `sections` are mostly known when this is
 * inlined. */
SIMD_FN void sweep_begin(sweep_problem *k, const sweep_batch *c, const sweep_normal_terms *more, sweep_patch *patch,
                         bool sections, int at, double omega, double beta, lanes_sweep *o) {
    load_pair(k->from, c, at, &o->s);
    start_of(c, at, k->now, beta, &o->p, &o->t);
    o->offset = ADD(f64xn_load(c->bias + at), f64xn_load(c->shift + at));
    const f64xn pn = lanes3_dot(o->s.n, o->p);
    const f64xn offset = more ? f64xn_madd(o->offset, f64xn_load(more->soft + at), pn) : o->offset;
    gradient_step(c, at, &o->s, o->p, o->t, offset, omega, &o->g);
    if (sections)
        cut(c, at, &o->g);
    else
        project(c, at, &o->g);
    if (more) raise_to(c, more, at, &o->g);
    if (patch) couple(c, more, patch, at, &o->g);
}

/* They and the velocities come there; returns (b + s + C gamma_n/2) gamma_n, with sections change_of. */
SIMD_FN f64xn sweep_end(sweep_problem *k, sweep_batch *c, const sweep_normal_terms *more, bool sections, int at,
                        const lanes_sweep *o) {
    const f64xn changed = finish(k->bodies, c, at, k->now, &o->s, &o->g, o->p, o->t);
    if (sections) return changed;
    const f64xn half = f64xn_all(0.5), y = o->g.y;
    return MUL(more ? f64xn_madd(o->offset, MUL(half, f64xn_load(more->soft + at)), y) : o->offset, y);
}

/* `count` batches of one colour, which share no body, each one up to its projection before the first one ends: while one waits
 * for roots and divisions there are others. What stands before beta is known when this is inlined. */
SIMD_FN void sweep_together(sweep_problem *k, const sweep_normal_terms *more, sweep_patch *patches, bool sections,
                            size_t i, int count, double omega, double beta) {
    sweep_batch *c = &k->batches[i];
    double work[LANES_TWINS][LANES];
    for (int at = 0; at < LANES; at += SIMD_LANES) {
        lanes_sweep o[LANES_TWINS];
#pragma GCC unroll 2
        for (int j = 0; j < count; j++)
            sweep_begin(k, c + j, more ? more + i + j : NULL, patches ? patches + i + j : NULL, sections, at, omega,
                        beta, &o[j]);
#pragma GCC unroll 2
        for (int j = 0; j < count; j++)
            f64xn_store(work[j] + at, sweep_end(k, c + j, more ? more + i + j : NULL, sections, at, &o[j]));
    }
    double *sum = &k->work[i];
#pragma GCC unroll 2
    for (int j = 0; j < count; j++) {
        const double *w = work[j];
        sum[j] = ((w[0] + w[1]) + (w[2] + w[3])) + ((w[4] + w[5]) + (w[6] + w[7]));
    }
}

SIMD_FN void sweep_batches(sweep_problem *k, const sweep_normal_terms *more, sweep_patch *patches, bool sections,
                           size_t begin, size_t end, double omega, double beta) {
    size_t i = begin;
    for (; i + LANES_TWINS <= end; i += LANES_TWINS)
        sweep_together(k, more, patches, sections, i, LANES_TWINS, omega, beta);
    for (; i < end; i++) sweep_together(k, more, patches, sections, i, 1, omega, beta);
}

SIMD_TARGET static void sweep(sweep_problem *k, size_t begin, size_t end, double omega, double beta) {
    if (k->patches)
        sweep_batches(k, k->normal_terms, k->patches, false, begin, end, omega, beta);
    else if (k->normal_terms)
        sweep_batches(k, k->normal_terms, NULL, k->sections, begin, end, omega, beta);
    else if (k->sections)
        sweep_batches(k, NULL, NULL, true, begin, end, 1.0, beta);
    else if (omega == 1.0 && beta == 0.0)
        sweep_batches(k, NULL, NULL, false, begin, end, 1.0, 0.0);
    else if (omega == 1.0)
        sweep_batches(k, NULL, NULL, false, begin, end, 1.0, beta);
    else
        sweep_batches(k, NULL, NULL, false, begin, end, omega, beta);
}

/* The same, with a patch mu Phi(|u_t|, eps |w_n|) in place of the first two. */
SIMD_FN f64xn separation_of(const sweep_batch *c, const sweep_patch *patch, int at, const lanes_pair *s) {
    const f64xn plain = separation(c, at, s);
    if (!patch) return plain;
    const f64xn un = lanes3_dot(s->n, s->u), wn = lanes3_dot(s->n, s->w), eps = f64xn_load(patch->radius + at);
    const f64xn slide = lanes3_norm(lanes3_msub(s->u, un, s->n)), roll = lanes3_norm(lanes3_msub(s->w, wn, s->n));
    const f64xn phi = contensou_lanes_support(slide, MUL(eps, f64xn_abs(wn)));
    const f64xn own = ADD(MUL(f64xn_load(c->limit[0] + at), phi), MUL(f64xn_load(c->limit[2] + at), roll));
    return f64xn_select(f64xn_lt(f64xn_all(0.0), eps), own, plain);
}

SIMD_TARGET static void refresh(sweep_problem *k, size_t begin, size_t end, double damping) {
    const f64xn part = f64xn_all(damping);
    for (size_t i = begin; i < end; i++)
        for (int at = 0; at < LANES; at += SIMD_LANES) {
            sweep_batch *c = &k->batches[i];
            lanes_pair s;
            load_pair(k->bodies, c, at, &s);
            const f64xn old = f64xn_load(c->shift + at);
            const sweep_patch *patch = k->patches ? &k->patches[i] : NULL;
            f64xn_store(c->shift + at, f64xn_madd(old, part, SUB(separation_of(c, patch, at, &s), old)));
        }
}

/* ---- beside sweeps */

/* The metric of two spheres (or one and what does not move) [cone-equations 4]: in the scaled block only slide and roll
 * couple; and what follows from it. Limits, arms and bodies are there. */
SIMD_TARGET static void terms(sweep_problem *k, size_t begin, size_t end) {
    const f64xn zero = f64xn_all(0.0), one = f64xn_all(1.0), two = f64xn_all(2.0), three = f64xn_all(3.0);
    for (size_t i = begin; i < end; i++)
        for (int at = 0; at < LANES; at += SIMD_LANES) {
            sweep_batch *c = &k->batches[i];
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
            const f64xn normal = k->normal_terms ? ADD(linear, f64xn_load(k->normal_terms[i].soft + at)) : linear;
            const f64xn inverse[TRU_KINDS] = {normal, ADD(slide, MUL(cross, length)), couple,
                                              ADD(couple, DIV(cross, length))};
            for (int kind = 0; kind < TRU_KINDS; kind++) f64xn_store(c->metric[kind] + at, DIV(one, inverse[kind]));
            for (int r = 0; r < 3; r++)
                f64xn_store(c->lean[r] + at, MUL(DIV(inverse[r + 1], normal), f64xn_load(c->limit[r] + at)));
            f64xn_store(c->length + at, length);
        }
}

/* All impulses of the present iterate onto the bodies. */
SIMD_TARGET static void push(sweep_problem *k, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++)
        for (int at = 0; at < LANES; at += SIMD_LANES) {
            const sweep_batch *c = &k->batches[i];
            lanes_pair s;
            load_pair(k->bodies, c, at, &s);
            push_pair(k->bodies, c, at, &s, lanes3_load(c->p[k->now][0] + at), lanes3_load(c->p[k->now][3] + at));
        }
}

/* Impulses not above `nothing` times the metric (couples: times their length) become zero. */
SIMD_TARGET static void flush(sweep_problem *k, size_t begin, size_t end, double nothing) {
    for (size_t i = begin; i < end; i++)
        for (int at = 0; at < LANES; at += SIMD_LANES) {
            sweep_batch *c = &k->batches[i];
            const f64xn force = MUL(f64xn_all(nothing), f64xn_load(c->metric[TRU_KIND_NORMAL] + at));
            const f64xn couple = MUL(force, f64xn_load(c->length + at));
            for (int r = 0; r < 6; r++) {
                const f64xn p = f64xn_load(c->p[k->now][r] + at);
                f64xn_store(c->p[k->now][r] + at, f64xn_where(f64xn_lt(r < 3 ? force : couple, f64xn_abs(p)), p));
            }
        }
}

/* |d|^2 in the metric, d from the present iterate to the other one, of each batch. */
SIMD_TARGET static void distance(sweep_problem *k, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        const sweep_batch *c = &k->batches[i];
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
SIMD_FN void look_lanes(sweep_problem *k, const sweep_batch *c, const sweep_normal_terms *more, sweep_patch *patch,
                        int at, double out[11][LANES], unsigned stuck[3]) {
    lanes_pair s;
    lanes_step g;
    load_pair(k->bodies, c, at, &s);
    const lanes3 p = lanes3_load(c->p[k->now][0] + at), t = lanes3_load(c->p[k->now][3] + at);
    f64xn offset = f64xn_load(c->bias + at);
    if (k->exact) offset = ADD(offset, separation_of(c, patch, at, &s));
    if (more) offset = f64xn_madd(offset, f64xn_load(more->soft + at), lanes3_dot(s.n, p));
    gradient_step(c, at, &s, p, t, offset, 1.0, &g);
    project(c, at, &g);
    if (more) raise_to(c, more, at, &g);
    if (patch) couple(c, more, patch, at, &g);
    f64xn gap[TRU_KINDS];
    f64xn_store(out[6] + at, residual(c, at, &s, &g, p, t, gap));
    lanes3_store(out[0] + at, s.u);
    lanes3_store(out[3] + at, s.w);
    for (int kind = 0; kind < TRU_KINDS; kind++) f64xn_store(out[7 + kind] + at, gap[kind]);
    stuck[0] |= stuck_bits(f64xn_load(c->limit[0] + at), g.y, g.l_slide) << at;
    stuck[1] |= stuck_bits(f64xn_load(c->limit[1] + at), g.y, g.l_spin) << at;
    stuck[2] |= stuck_bits(f64xn_load(c->limit[2] + at), g.y, g.l_roll) << at;
}

SIMD_TARGET static void look(sweep_problem *k, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        const sweep_batch *c = &k->batches[i];
        double out[11][LANES];
        unsigned stuck[3] = {0, 0, 0};
        for (int at = 0; at < LANES; at += SIMD_LANES)
            look_lanes(k, c, k->normal_terms ? &k->normal_terms[i] : NULL, k->patches ? &k->patches[i] : NULL, at, out,
                       stuck);
        for (int j = 0; j < LANES; j++) {
            if (c->contact[j] == UINT32_MAX) continue;
            sweep_residual *o = &k->residuals[c->contact[j]];
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
SIMD_TARGET static double extrapolate(sweep_problem *k, size_t begin, size_t end, double beta) {
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
SIMD_TARGET static double energy(const sweep_problem *k, size_t begin, size_t end) {
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

const sweep_kernels SIMD_NAMED(trui_sweep) = {sweep,    refresh,     look,   terms,   push,   flush,
                                              distance, extrapolate, energy, coupled, support};
