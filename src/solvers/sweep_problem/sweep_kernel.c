/* sweep_kernel.c: passes over the batches and bodies of a sweep problem, for the instruction set SIMD_ISA: in doubles, or with
 * SIMD_FLOAT over its copy in floats. */
#include "solvers/sweep_problem/sweep_kernel.h"
#include "solvers/sweep_problem/sweep_lanes.h"

#ifdef SIMD_FLOAT

/* The copy in floats has no normal terms, patches and shifts (trui_sweep_f32_enter). */
SIMD_FN realxn offset_of(const lanes_batch *c, int at) { return realxn_load(c->bias + at); }

SIMD_FN realxn soften(realxn offset, const sweep_normal_terms *more, int at, realxn p) {
    (void)more, (void)at, (void)p;
    return offset;
}

SIMD_FN void restrict_more(const lanes_batch *c, const sweep_normal_terms *more, sweep_patch *patch, int at,
                           lanes_step *g) {
    (void)c, (void)more, (void)patch, (void)at, (void)g;
}

SIMD_FN realxn separation_of(const lanes_batch *c, const sweep_patch *patch, int at, const lanes_pair *s) {
    (void)patch;
    return separation(c, at, s);
}

SIMD_FN lanes_body *bodies_of(const sweep_problem *k) { return k->f32.bodies; }
SIMD_FN lanes_body *before_of(const sweep_problem *k) { return k->f32.before; }
SIMD_FN const lanes_body *rates_of(const sweep_problem *k) { return k->f32.bodies; }
SIMD_FN lanes_batch *batches_of(const sweep_problem *k) { return k->f32.batches; }
/* [1/m^2 in the units of the copy] */
SIMD_FN double inertia_unit(const sweep_problem *k) { return 1.0 / (k->f32.length * k->f32.length); }

#else
#include "laws/set_valued/contensou_lanes.h"
#include "laws/sets.h"

SIMD_FN lanes_body *bodies_of(const sweep_problem *k) { return k->bodies; }
SIMD_FN lanes_body *before_of(const sweep_problem *k) { return k->before; }
SIMD_FN const lanes_body *rates_of(const sweep_problem *k) { return k->from; }
SIMD_FN lanes_batch *batches_of(const sweep_problem *k) { return k->batches; }
SIMD_FN double inertia_unit(const sweep_problem *k) {
    (void)k;
    return 1.0;
}

/* [m/s] b + s */
SIMD_FN realxn offset_of(const lanes_batch *c, int at) {
    return ADD(realxn_load(c->bias + at), realxn_load(c->shift + at));
}

/* [m/s] The offset with what a soft contact yields under the normal impulse p. */
SIMD_FN realxn soften(realxn offset, const sweep_normal_terms *more, int at, realxn p) {
    return more ? realxn_madd(offset, realxn_load(more->soft + at), p) : offset;
}

/* The normal impulse at least `floor`, the rest at its limits there. */
SIMD_FN void raise_to(const sweep_batch *c, const sweep_normal_terms *more, int at, lanes_step *g) {
    limit_friction(c, at, realxn_max(g->y, realxn_load(more->floor + at)), g);
}

/* Lanes with a patch onto their own cone instead. The sizes are left such that they tell what sticks. No part of the caller:
 * sweeps without patches keep their registers. */
SIMD_TARGET static __attribute__((noinline)) void couple(const sweep_batch *c, const sweep_normal_terms *more,
                                                         sweep_patch *patch, int at, lanes_step *g) {
    const realxn zero = realxn_all(0.0), one = realxn_all(1.0), least = realxn_all(DBL_MIN);
    const realxn radius = realxn_load(patch->radius + at), pn = realxn_load(c->metric[TRU_KIND_NORMAL] + at);
    const boolxn coupled = realxn_lt(zero, radius);
    if (!boolxn_bits(coupled)) return;
    const realxn eps = realxn_select(coupled, radius, one);
    lanes_cone o = {.x = g->x, .a = lanes3_norm(g->slide), .b = DIV(realxn_abs(g->spin), eps)};
    o.l = lanes3_norm(g->roll);
    o.mu = realxn_load(c->limit[0] + at), o.rho = realxn_load(c->limit[2] + at);
    o.qa = DIV(pn, realxn_load(c->metric[TRU_KIND_SLIDE] + at));
    o.qb = MUL(MUL(eps, eps), DIV(pn, realxn_load(c->metric[TRU_KIND_SPIN] + at)));
    o.lean = realxn_load(c->lean[2] + at);
    o.floor = more ? realxn_load(more->floor + at) : zero;
    o.guess = realxn_load(patch->guess + at);
    contensou_lanes_project(&o, coupled);
    realxn_store(patch->guess + at, realxn_select(coupled, o.guess, realxn_load(patch->guess + at)));
    const realxn spin = MUL(eps, o.to_b), turned = realxn_select(realxn_lt(g->spin, zero), realxn_neg(spin), spin);
    const boolxn all = realxn_le(o.b, o.to_b); /* inside: not a bit changes */
    const realxn size = realxn_select(o.stuck, zero, realxn_all(DBL_MAX));
    g->y = realxn_select(coupled, o.y, g->y);
    g->by_slide = realxn_select(coupled, realxn_min(one, DIV(o.to_a, realxn_max(o.a, least))), g->by_slide);
    g->by_roll = realxn_select(coupled, realxn_min(one, DIV(MUL(o.rho, o.y), realxn_max(o.l, least))), g->by_roll);
    g->y_spin = realxn_select(coupled, realxn_select(all, g->spin, turned), g->y_spin);
    g->l_slide = realxn_select(coupled, size, g->l_slide);
    g->l_spin = realxn_select(coupled, size, g->l_spin);
}

/* The same by itself, for contacts one at a time. */
SIMD_TARGET static void coupled(sweep_coupled *c) {
    c->stuck = 0;
    for (int at = 0; at < LANES; at += REAL_LANES) {
        lanes_cone o = {.x = realxn_load(c->x + at), .a = realxn_load(c->slide + at), .b = realxn_load(c->spin + at)};
        o.l = realxn_load(c->roll + at);
        o.mu = realxn_load(c->mu + at), o.rho = realxn_load(c->rho + at);
        o.qa = realxn_load(c->by_slide + at), o.qb = realxn_load(c->by_spin + at), o.lean = realxn_load(c->lean + at);
        o.floor = realxn_load(c->floor + at), o.guess = realxn_load(c->guess + at);
        contensou_lanes_project(&o, realxn_lt(realxn_all(0.0), o.mu));
        realxn_store(c->y + at, o.y);
        realxn_store(c->to_slide + at, o.to_a);
        realxn_store(c->to_spin + at, o.to_b);
        realxn_store(c->guess + at, o.guess);
        c->stuck |= boolxn_bits(o.stuck) << at;
    }
}

SIMD_TARGET static void support(const double v[LANES], const double w[LANES], double power[LANES]) {
    for (int at = 0; at < LANES; at += REAL_LANES)
        realxn_store(power + at, contensou_lanes_support(realxn_load(v + at), realxn_load(w + at)));
}

/* What a batch has beyond the cone of its limits. */
SIMD_FN void restrict_more(const sweep_batch *c, const sweep_normal_terms *more, sweep_patch *patch, int at,
                           lanes_step *g) {
    if (more) raise_to(c, more, at, g);
    if (patch) couple(c, more, patch, at, g);
}

/* separation, with a patch mu Phi(|u_t|, eps |w_n|) instead of the first two terms. */
SIMD_FN realxn separation_of(const sweep_batch *c, const sweep_patch *patch, int at, const lanes_pair *s) {
    const realxn plain = separation(c, at, s);
    if (!patch) return plain;
    const realxn un = lanes3_dot(s->n, s->u), wn = lanes3_dot(s->n, s->w), eps = realxn_load(patch->radius + at);
    const realxn slide = lanes3_norm(lanes3_msub(s->u, un, s->n)), roll = lanes3_norm(lanes3_msub(s->w, wn, s->n));
    const realxn phi = contensou_lanes_support(slide, MUL(eps, realxn_abs(wn)));
    const realxn own = ADD(MUL(realxn_load(c->limit[0] + at), phi), MUL(realxn_load(c->limit[2] + at), roll));
    return realxn_select(realxn_lt(realxn_all(0.0), eps), own, plain);
}

#endif

/* ---- sweeps */

/* One register of a batch up to where its impulses are to be. `more`, `patch` and `sections` are constants in most of the places
 * where this is inlined. */
SIMD_FN void sweep_begin(sweep_problem *k, const lanes_batch *c, const sweep_normal_terms *more, sweep_patch *patch,
                         bool sections, int at, real omega, real beta, lanes_sweep *o) {
    load_pair(rates_of(k), c, at, &o->s);
    start_of(c, at, k->now, beta, &o->p, &o->t);
    o->offset = offset_of(c, at);
    const realxn offset = soften(o->offset, more, at, lanes3_dot(o->s.n, o->p));
    gradient_step(c, at, &o->s, o->p, o->t, offset, omega, &o->g);
    if (sections)
        cut(c, at, &o->g);
    else
        project(c, at, &o->g);
    restrict_more(c, more, patch, at, &o->g);
}

/* Moves impulses and velocities there. Returns (b + s + C gamma_n/2) gamma_n, with sections change_of. */
SIMD_FN realxn sweep_end(sweep_problem *k, lanes_batch *c, const sweep_normal_terms *more, bool sections, int at,
                         const lanes_sweep *o) {
    const realxn changed = finish(bodies_of(k), c, at, k->now, &o->s, &o->g, o->p, o->t), y = o->g.y;
    return sections ? changed : MUL(soften(o->offset, more, at, MUL(realxn_all((real)0.5), y)), y);
}

SIMD_FN double sum_of_lanes(const double w[LANES]) {
    return ((w[0] + w[1]) + (w[2] + w[3])) + ((w[4] + w[5]) + (w[6] + w[7]));
}

/* `count` batches of one colour, which share no body. Each is computed up to its projection before the first one ends: their roots
 * and divisions overlap. Parameters before beta are constants where this is inlined. */
SIMD_FN void sweep_together(sweep_problem *k, const sweep_normal_terms *more, sweep_patch *patches, bool sections,
                            size_t i, int count, real omega, real beta) {
    lanes_batch *c = &batches_of(k)[i];
    double work[LANES_TWINS][LANES];
    for (int at = 0; at < LANES; at += REAL_LANES) {
        lanes_sweep o[LANES_TWINS];
#pragma GCC unroll 2
        for (int j = 0; j < count; j++)
            sweep_begin(k, c + j, more ? more + i + j : NULL, patches ? patches + i + j : NULL, sections, at, omega,
                        beta, &o[j]);
#pragma GCC unroll 2
        for (int j = 0; j < count; j++)
            realxn_store_wide(work[j] + at, sweep_end(k, c + j, more ? more + i + j : NULL, sections, at, &o[j]));
    }
    double *sum = &k->work[i];
#pragma GCC unroll 2
    for (int j = 0; j < count; j++) sum[j] = sum_of_lanes(work[j]);
}

SIMD_FN void sweep_batches(sweep_problem *k, const sweep_normal_terms *more, sweep_patch *patches, bool sections,
                           size_t begin, size_t end, real omega, real beta) {
    size_t i = begin;
    for (; i + LANES_TWINS <= end; i += LANES_TWINS)
        sweep_together(k, more, patches, sections, i, LANES_TWINS, omega, beta);
    for (; i < end; i++) sweep_together(k, more, patches, sections, i, 1, omega, beta);
}

SIMD_TARGET static void sweep(sweep_problem *k, size_t begin, size_t end, double relaxation, double momentum) {
    const real omega = (real)relaxation, beta = (real)momentum;
#ifndef SIMD_FLOAT
    if (k->patches)
        sweep_batches(k, k->normal_terms, k->patches, false, begin, end, omega, beta);
    else if (k->normal_terms)
        sweep_batches(k, k->normal_terms, NULL, k->sections, begin, end, omega, beta);
    else
#endif
        if (k->sections)
        sweep_batches(k, NULL, NULL, true, begin, end, 1, beta);
    else if (omega == 1 && beta == 0)
        sweep_batches(k, NULL, NULL, false, begin, end, 1, 0);
    else if (omega == 1)
        sweep_batches(k, NULL, NULL, false, begin, end, 1, beta);
    else
        sweep_batches(k, NULL, NULL, false, begin, end, omega, beta);
}

/* ---- how far from the laws */

/* Residual of one register of a batch at its present impulses: returns its square, and by kind in gap. */
SIMD_FN realxn look_lanes(const sweep_problem *k, const lanes_batch *c, const sweep_normal_terms *more,
                          sweep_patch *patch, int at, lanes_pair *s, lanes_step *g, realxn gap[TRU_KINDS]) {
    load_pair(bodies_of(k), c, at, s);
    const lanes3 p = lanes3_load(c->p[k->now][0] + at), t = lanes3_load(c->p[k->now][3] + at);
    realxn offset = realxn_load(c->bias + at);
    if (k->exact) offset = ADD(offset, separation_of(c, patch, at, s));
    gradient_step(c, at, s, p, t, soften(offset, more, at, lanes3_dot(s->n, p)), 1, g);
    project(c, at, g);
    restrict_more(c, more, patch, at, g);
    return residual(c, at, s, g, p, t, gap);
}

#ifdef SIMD_FLOAT
SIMD_TARGET static void look(sweep_problem *k, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        lanes_batch *c = &k->f32.batches[i];
        for (int at = 0; at < LANES; at += REAL_LANES) {
            lanes_pair s;
            lanes_step g;
            realxn gap[TRU_KINDS];
            realxn_store(c->size2 + at, look_lanes(k, c, NULL, NULL, at, &s, &g, gap));
        }
    }
}
#else
SIMD_FN unsigned stuck_bits(realxn limit, realxn y, realxn size) {
    const realxn most = MUL(limit, y), slack = MUL(most, realxn_all(1.0 + STICK_SLACK));
    return boolxn_bits(boolxn_and(realxn_lt(realxn_all(0.0), most), realxn_le(size, slack)));
}

/* What one register of a batch leaves for sweep_residual: rates, squared residual, residuals by kind; stuck lanes by kind. */
typedef struct batch_residual {
    double u[6][LANES], size2[LANES], gap[TRU_KINDS][LANES];
    unsigned stuck[3];
} batch_residual;

SIMD_FN void look_batch(const sweep_problem *k, size_t i, batch_residual *out) {
    const sweep_batch *c = &k->batches[i];
    out->stuck[0] = out->stuck[1] = out->stuck[2] = 0;
    for (int at = 0; at < LANES; at += REAL_LANES) {
        lanes_pair s;
        lanes_step g;
        realxn gap[TRU_KINDS];
        const sweep_normal_terms *more = k->normal_terms ? &k->normal_terms[i] : NULL;
        realxn_store(out->size2 + at, look_lanes(k, c, more, k->patches ? &k->patches[i] : NULL, at, &s, &g, gap));
        lanes3_store(out->u[0] + at, s.u);
        lanes3_store(out->u[3] + at, s.w);
        for (int kind = 0; kind < TRU_KINDS; kind++) realxn_store(out->gap[kind] + at, gap[kind]);
        const realxn size[3] = {g.l_slide, g.l_spin, g.l_roll};
        for (int r = 0; r < 3; r++) out->stuck[r] |= stuck_bits(realxn_load(c->limit[r] + at), g.y, size[r]) << at;
    }
}

SIMD_TARGET static void look(sweep_problem *k, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        batch_residual out;
        look_batch(k, i, &out);
        for (int j = 0; j < LANES; j++) {
            if (k->batches[i].contact[j] == UINT32_MAX) continue;
            sweep_residual *o = &k->residuals[k->batches[i].contact[j]];
            for (int r = 0; r < 6; r++) o->u[r] = out.u[r][j];
            o->size2 = out.size2[j];
            for (int r = 0; r < TRU_KINDS; r++) o->gap[r] = out.gap[r][j];
            o->stuck = (out.stuck[0] >> j & 1u) << TRU_KIND_SLIDE | (out.stuck[1] >> j & 1u) << TRU_KIND_SPIN |
                       (out.stuck[2] >> j & 1u) << TRU_KIND_ROLL;
        }
    }
}
#endif

/* ---- bodies, a row at a time; sums in doubles */

/* Of eight sums, the places of the masses left out. */
SIMD_FN double sum_of_row(f64x8 sum) {
    double s[8];
    f64x8_store(s, sum);
    return ((s[0] + s[1]) + s[2]) + ((s[4] + s[5]) + s[6]);
}

/* v := v + beta (v - before), before := v; masses stay as they are. Returns sum m |v|^2 + I |w|^2 of the old v. */
SIMD_TARGET static double extrapolate(sweep_problem *k, size_t begin, size_t end, double beta) {
    const realxn more = realxn_all((real)beta);
    const double turn = inertia_unit(k);
    f64x8 sum = f64x8_zero();
    for (size_t i = begin; i < end; i++) {
        real *b = (real *)&bodies_of(k)[i], *o = (real *)&before_of(k)[i];
        for (int at = 0; at < 8; at += REAL_LANES) {
            const realxn v = realxn_load(b + at);
            f64x8_add_squares(&sum, at, v, k->mass[i].mass, k->mass[i].inertia * turn);
            realxn_store(b + at, realxn_madd(v, more, SUB(v, realxn_load(o + at))));
            realxn_store(o + at, v);
        }
    }
    return sum_of_row(sum);
}

#ifdef SIMD_FLOAT

/* The same sum of v less the older mark, which becomes v. */
SIMD_TARGET static double change(sweep_problem *k, size_t begin, size_t end) {
    const double turn = inertia_unit(k);
    f64x8 sum = f64x8_zero();
    for (size_t i = begin; i < end; i++) {
        float *o = (float *)&k->f32.mark[0][i];
        const realxn v = realxn_load((const float *)&k->f32.bodies[i]);
        f64x8_add_squares(&sum, 0, SUB(v, realxn_load(o)), k->mass[i].mass, k->mass[i].inertia * turn);
        realxn_store(o, v);
    }
    return sum_of_row(sum);
}

/* ---- from doubles and back */

SIMD_FN void lower_rows(float *to, const double *from, int rows, double scale) {
    for (int j = 0; j < rows * LANES; j++) to[j] = (float)(from[j] * scale);
}

SIMD_FN double largest(const double *x, int rows) {
    double most = 0.0;
    for (int j = 0; j < rows * LANES; j++) most = fabs(x[j]) > most ? fabs(x[j]) : most;
    return most;
}

/* [m/s] The largest impulse in the velocity it gives, couples by their length. */
SIMD_FN double largest_push(const sweep_batch *c, int now) {
    double most = 0.0;
    for (int j = 0; j < LANES; j++) {
        const double *p = &c->p[now][0][j];
        const double force = fmax(fmax(fabs(p[0]), fabs(p[LANES])), fabs(p[2 * LANES]));
        const double couple = fmax(fmax(fabs(p[3 * LANES]), fabs(p[4 * LANES])), fabs(p[5 * LANES]));
        most = fmax(most, (force + couple / c->length[j]) / c->metric[TRU_KIND_NORMAL][j]);
    }
    return most;
}

SIMD_TARGET static void lower(sweep_problem *k, size_t begin, size_t end) {
    const sweep_f32 *o = &k->f32;
    const double mass = 1.0 / o->mass, length = 1.0 / o->length, speed = 1.0 / o->speed;
    for (size_t i = begin; i < end; i++) {
        const sweep_batch *c = &k->batches[i];
        sweep_batch32 *to = &o->batches[i];
        for (int j = 0; j < LANES; j++) to->a[j] = c->a[j] / 2, to->b[j] = c->b[j] / 2;
        lower_rows(to->n[0], c->n[0], 3, 1.0);
        lower_rows(to->bias, c->bias, 1, speed);
        for (int it = 0; it < 2; it++) {
            lower_rows(to->p[it][0], c->p[it][0], 3, mass * speed);
            lower_rows(to->p[it][3], c->p[it][3], 3, mass * speed * length);
        }
        lower_rows(to->metric[TRU_KIND_NORMAL], c->metric[TRU_KIND_NORMAL], 2, mass);
        lower_rows(to->metric[TRU_KIND_SPIN], c->metric[TRU_KIND_SPIN], 2, mass * (length * length));
        lower_rows(to->limit[0], c->limit[0], 1, 1.0);
        lower_rows(to->limit[1], c->limit[1], 2, length);
        lower_rows(to->lean[0], c->lean[0], 1, 1.0);
        lower_rows(to->lean[1], c->lean[1], 2, o->length);
        lower_rows(to->arm[0], c->arm[0], 2, length);
        lower_rows(to->length, c->length, 1, length);
        const double wide =
            fmax(largest(c->limit[0], 1), length * fmax(largest(c->limit[1], 2), largest(c->arm[0], 2)));
        k->work[i] = wide < SWEEP_SPREAD ? largest_push(c, k->now) : HUGE_VAL;
    }
}

/* What the sweeps in floats have changed goes to the impulses in doubles: one that is not worth a float's last bit stays as it
 * was. */
SIMD_TARGET static void lift(sweep_problem *k, size_t begin, size_t end) {
    const double unit = k->f32.mass * k->f32.speed, per = 1.0 / unit;
    for (size_t i = begin; i < end; i++) {
        const float *from = k->f32.batches[i].p[k->now][0];
        double *to = k->batches[i].p[k->f32.start][0], *result = k->batches[i].p[k->now][0];
        for (int r = 0; r < 6; r++) {
            const double scale = r < 3 ? per : per / k->f32.length, back = r < 3 ? unit : unit * k->f32.length;
            for (int j = r * LANES; j < (r + 1) * LANES; j++)
                result[j] = to[j] + back * ((double)from[j] - (double)(float)(to[j] * scale));
        }
    }
}

const sweep_f32_kernels SIMD_NAMED(trui_sweep_f32) = {sweep, look, extrapolate, change, lower, lift};

#else

/* ---- passes in doubles alone */

SIMD_TARGET static void refresh(sweep_problem *k, size_t begin, size_t end, double damping) {
    const realxn part = realxn_all(damping);
    for (size_t i = begin; i < end; i++)
        for (int at = 0; at < LANES; at += REAL_LANES) {
            sweep_batch *c = &k->batches[i];
            lanes_pair s;
            load_pair(k->bodies, c, at, &s);
            const realxn old = realxn_load(c->shift + at);
            const sweep_patch *patch = k->patches ? &k->patches[i] : NULL;
            realxn_store(c->shift + at, realxn_madd(old, part, SUB(separation_of(c, patch, at, &s), old)));
        }
}

/* The metric of two spheres (or one and what does not move) [cone-equations 4]: in the scaled block only slide and roll
 * couple; and what follows from it. Limits, arms and bodies are there. */
SIMD_TARGET static void terms(sweep_problem *k, size_t begin, size_t end) {
    const realxn zero = realxn_all(0.0), one = realxn_all(1.0), two = realxn_all(2.0), three = realxn_all(3.0);
    for (size_t i = begin; i < end; i++)
        for (int at = 0; at < LANES; at += REAL_LANES) {
            sweep_batch *c = &k->batches[i];
            realxn a[8], b[8]; /* {v, 1/m, w, 1/I} */
            realxn_load_rows(k->bodies, c->a + at, a);
            realxn_load_rows(k->bodies, c->b + at, b);
            const realxn ra = realxn_load(c->arm[0] + at), rb = realxn_load(c->arm[1] + at);
            const realxn mu = realxn_load(c->limit[0] + at), rho = realxn_load(c->limit[2] + at);
            const realxn linear = ADD(a[3], b[3]), couple = ADD(a[7], b[7]);
            const realxn slide = ADD(ADD(linear, MUL(MUL(ra, ra), a[7])), MUL(MUL(rb, rb), b[7]));
            const boolxn coupled = boolxn_and(realxn_lt(zero, mu), realxn_lt(zero, rho));
            const realxn cross = realxn_where(coupled, realxn_abs(SUB(MUL(ra, a[7]), MUL(rb, b[7]))));
            const realxn length = realxn_sqrt(DIV(ADD(linear, MUL(two, slide)), MUL(three, couple)));
            const realxn normal = k->normal_terms ? ADD(linear, realxn_load(k->normal_terms[i].soft + at)) : linear;
            const realxn inverse[TRU_KINDS] = {normal, ADD(slide, MUL(cross, length)), couple,
                                               ADD(couple, DIV(cross, length))};
            for (int kind = 0; kind < TRU_KINDS; kind++) realxn_store(c->metric[kind] + at, DIV(one, inverse[kind]));
            for (int r = 0; r < 3; r++)
                realxn_store(c->lean[r] + at, MUL(DIV(inverse[r + 1], normal), realxn_load(c->limit[r] + at)));
            realxn_store(c->length + at, length);
        }
}

/* All impulses of the present iterate onto the bodies. */
SIMD_TARGET static void push(sweep_problem *k, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++)
        for (int at = 0; at < LANES; at += REAL_LANES) {
            const sweep_batch *c = &k->batches[i];
            lanes_pair s;
            load_pair(k->bodies, c, at, &s);
            push_pair(k->bodies, c, at, &s, lanes3_load(c->p[k->now][0] + at), lanes3_load(c->p[k->now][3] + at));
        }
}

/* Impulses not above `nothing` times the metric (couples: times their length) become zero. */
SIMD_TARGET static void flush(sweep_problem *k, size_t begin, size_t end, double nothing) {
    for (size_t i = begin; i < end; i++)
        for (int at = 0; at < LANES; at += REAL_LANES) {
            sweep_batch *c = &k->batches[i];
            const realxn force = MUL(realxn_all(nothing), realxn_load(c->metric[TRU_KIND_NORMAL] + at));
            const realxn couple = MUL(force, realxn_load(c->length + at));
            for (int r = 0; r < 6; r++) {
                const realxn p = realxn_load(c->p[k->now][r] + at);
                realxn_store(c->p[k->now][r] + at, realxn_where(realxn_lt(r < 3 ? force : couple, realxn_abs(p)), p));
            }
        }
}

/* |d|^2 in the metric, d from the present iterate to the other one, of each batch. */
SIMD_TARGET static void distance(sweep_problem *k, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        const sweep_batch *c = &k->batches[i];
        double sum[LANES];
        for (int at = 0; at < LANES; at += REAL_LANES) {
            const lanes3 n = lanes3_load(c->n[0] + at);
            const lanes3 dp = lanes3_sub(lanes3_load(c->p[!k->now][0] + at), lanes3_load(c->p[k->now][0] + at));
            const lanes3 dt = lanes3_sub(lanes3_load(c->p[!k->now][3] + at), lanes3_load(c->p[k->now][3] + at));
            const realxn dn = lanes3_dot(dp, n), ds = lanes3_dot(dt, n);
            const lanes3 slide = lanes3_msub(dp, dn, n), roll = lanes3_msub(dt, ds, n);
            const realxn d2[TRU_KINDS] = {MUL(dn, dn), lanes3_dot(slide, slide), MUL(ds, ds), lanes3_dot(roll, roll)};
            realxn all = DIV(d2[0], realxn_load(c->metric[0] + at));
            for (int kind = 1; kind < TRU_KINDS; kind++)
                all = ADD(all, DIV(d2[kind], realxn_load(c->metric[kind] + at)));
            realxn_store(sum + at, all);
        }
        k->work[i] = sum_of_lanes(sum);
    }
}

/* Returns sum m |v|^2 + I |w|^2. */
SIMD_TARGET static double energy(const sweep_problem *k, size_t begin, size_t end) {
    f64x8 sum = f64x8_zero();
    for (size_t i = begin; i < end; i++)
        for (int at = 0; at < 8; at += REAL_LANES)
            f64x8_add_squares(&sum, at, realxn_load((const double *)&k->bodies[i] + at), k->mass[i].mass,
                              k->mass[i].inertia);
    return sum_of_row(sum);
}

const sweep_kernels SIMD_NAMED(trui_sweep) = {sweep,    refresh,     look,   terms,   push,   flush,
                                              distance, extrapolate, energy, coupled, support};

#endif
