/* sweep_f32_kernel.c: passes over the batches and bodies of a sweep problem's copy in floats, for the instruction set SIMD_ISA. */
#define SIMD_FLOAT
#include "solvers/sweep_problem/sweep_lanes.h"

/* In doubles, in an order of its own. */
SIMD_FN double sum_of_lanes(f32xn x) {
    double s[LANES];
    f64x8_store(s, f32xn_wide(x));
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

/* As in sweep_kernel.c; `count`, `sections`, and with them omega, are known when this is inlined. */
SIMD_FN void sweep_together(sweep_problem *k, bool sections, size_t i, int count, float omega, float beta) {
    sweep_body32 *bodies = k->f32.bodies;
    sweep_batch32 *c = &k->f32.batches[i];
    double *work = &k->work[i];
    lanes_sweep o[LANES_TWINS];
#pragma GCC unroll 2
    for (int j = 0; j < count; j++) {
        load_pair(bodies, c + j, 0, &o[j].s);
        start_of(c + j, 0, k->now, beta, &o[j].p, &o[j].t);
        o[j].offset = f32xn_load(c[j].bias);
        gradient_step(c + j, 0, &o[j].s, o[j].p, o[j].t, o[j].offset, omega, &o[j].g);
        if (sections)
            cut(c + j, 0, &o[j].g);
        else
            project(c + j, 0, &o[j].g);
    }
#pragma GCC unroll 2
    for (int j = 0; j < count; j++) {
        const f32xn changed = finish(bodies, c + j, 0, k->now, &o[j].s, &o[j].g, o[j].p, o[j].t);
        work[j] = sum_of_lanes(sections ? changed : MUL(o[j].offset, o[j].g.y));
    }
}

SIMD_FN void sweep_batches(sweep_problem *k, bool sections, size_t begin, size_t end, float omega, float beta) {
    size_t i = begin;
    for (; i + LANES_TWINS <= end; i += LANES_TWINS) sweep_together(k, sections, i, LANES_TWINS, omega, beta);
    for (; i < end; i++) sweep_together(k, sections, i, 1, omega, beta);
}

SIMD_TARGET static void sweep(sweep_problem *k, size_t begin, size_t end, double omega, double beta) {
    if (k->sections)
        sweep_batches(k, true, begin, end, 1, (float)beta);
    else
        sweep_batches(k, false, begin, end, (float)omega, (float)beta);
}

SIMD_TARGET static void look(sweep_problem *k, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        sweep_batch32 *c = &k->f32.batches[i];
        lanes_pair s;
        lanes_step g;
        f32xn gap[TRU_KINDS];
        load_pair(k->f32.bodies, c, 0, &s);
        const lanes3 p = lanes3_load(c->p[k->now][0]), t = lanes3_load(c->p[k->now][3]);
        f32xn offset = f32xn_load(c->bias);
        if (k->exact) offset = ADD(offset, separation(c, 0, &s));
        gradient_step(c, 0, &s, p, t, offset, 1, &g);
        project(c, 0, &g);
        f32xn_store(c->size2, residual(c, 0, &s, &g, p, t, gap));
    }
}

/* ---- bodies, half a cache line at a time; sums in doubles and, but for their unit, those of sweep_kernel.c */

SIMD_FN double sum_of_row(f64x8 sum) {
    double s[8];
    f64x8_store(s, sum);
    return ((s[0] + s[1]) + s[2]) + ((s[4] + s[5]) + s[6]);
}

SIMD_TARGET static double extrapolate(sweep_problem *k, size_t begin, size_t end, double beta) {
    const f32xn more = f32xn_all((float)beta);
    const double turn = 1.0 / (k->f32.length * k->f32.length);
    f64x8 sum = f32xn_wide(f32xn_all(0));
    for (size_t i = begin; i < end; i++) {
        float *b = (float *)&k->f32.bodies[i], *o = (float *)&k->f32.before[i];
        const f32xn v = f32xn_load(b);
        sum = f64x8_squares(sum, f32xn_wide(v), k->mass[i].mass, k->mass[i].inertia * turn);
        f32xn_store(b, ADD(v, MUL(more, SUB(v, f32xn_load(o)))));
        f32xn_store(o, v);
    }
    return sum_of_row(sum);
}

/* The same sum of v less the older mark, which becomes v. */
SIMD_TARGET static double change(sweep_problem *k, size_t begin, size_t end) {
    const double turn = 1.0 / (k->f32.length * k->f32.length);
    f64x8 sum = f32xn_wide(f32xn_all(0));
    for (size_t i = begin; i < end; i++) {
        float *o = (float *)&k->f32.mark[0][i];
        const f32xn v = f32xn_load((const float *)&k->f32.bodies[i]);
        sum = f64x8_squares(sum, f32xn_wide(SUB(v, f32xn_load(o))), k->mass[i].mass, k->mass[i].inertia * turn);
        f32xn_store(o, v);
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
