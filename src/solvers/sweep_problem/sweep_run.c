/* sweep_run.c: passes over all contacts and bodies of a sweep problem, with threads and without a word about their
 * number: colours one after the other, sums in an order of their own. */
#include "solvers/sweep_problem/sweep_run.h"
#include "solvers/sweep_problem/sweep_kernel.h"
#include "solvers/sweep_problem/sweep_single.h"
#include "base/assert.h"

#include "math/mat.h"
#include "parallel/parallel.h"

#include <string.h>

enum {
    GRAIN = 32, /* batches that are worth a thread, */
    SHARED = 8, /* and such of a colour, after which threads wait in less time */
};

typedef struct pass {
    sweep_problem *k;
    const sweep_body *other; /* velocities to compare with */
    double omega, beta;
} pass;

/* Colour after colour, in each its batches and then its singles; those of the last one share bodies. */
static void over_colours(pass *p, parallel_stage work) {
    const sweep_problem *k = p->k;
    size_t counts[COLOURS + 1];
    for (int i = 0; i <= COLOURS; i++) {
        const sweep_colour *c = &k->colours[i];
        counts[i] = (c->batch_end - c->batch) + (c->single_end - c->single);
    }
    trui_parallel_stages(k->threads, COLOURS, counts, SHARED, work, p);
    if (counts[COLOURS] > 0) work(p, COLOURS, 0, counts[COLOURS]);
}

/* Items begin .. end - 1 of a colour, as batches and singles. */
static sweep_colour part_of_colour(const sweep_problem *k, size_t colour, size_t begin, size_t end) {
    const sweep_colour *c = &k->colours[colour];
    const size_t batches = c->batch_end - c->batch;
    const size_t from = begin < batches ? begin : batches, to = end < batches ? end : batches;
    TRU_ASSERT(begin <= end && end <= batches + (c->single_end - c->single));
    return (sweep_colour){c->batch + from, c->batch + to, c->single + (begin - from), c->single + (end - to)};
}

static void sweep_one_colour(void *context, size_t colour, size_t begin, size_t end) {
    const pass *p = context;
    sweep_problem *k = p->k;
    const sweep_colour c = part_of_colour(k, colour, begin, end);
    if (k->f32.on)
        k->f32.kernels->sweep(k, c.batch, c.batch_end, p->omega, p->beta);
    else
        k->kernels->sweep(k, c.batch, c.batch_end, p->omega, p->beta);
    trui_sweep_single_sweep(k, c.single, c.single_end, p->omega, p->beta);
}

/* Of what passes over the copy in floats return: [kg] times its speed squared, [J]. */
static double in_joules(const sweep_problem *k, double x) { return k->f32.on ? x * (k->f32.speed * k->f32.speed) : x; }

bool trui_sweep_sections(const sweep_problem *k) {
    bool coupled = k->patches != NULL;
    for (size_t i = 0; i < k->single_count; i++) coupled = coupled || k->singles[i].patch > 0.0;
    return k->exact && !coupled;
}

/* In eight strands: an order of its own, in which no addition waits for the one before it. */
static double sum_of(const double *x, size_t count) {
    double s[8] = {0.0};
    for (size_t i = 0; i < count / 8; i++)
        for (size_t j = 0; j < 8; j++) s[j] += x[8 * i + j];
    for (size_t j = 0; j < count % 8; j++) s[j] += x[count - count % 8 + j];
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

static double time_of(const sweep_problem *k) { return k->clock ? k->clock() : 0.0; }

double trui_sweep_run(sweep_problem *k, double omega, double beta) {
    pass p = {.k = k, .omega = omega, .beta = beta};
    TRU_ASSERT(omega > 0.0 && beta >= 0.0 && beta <= 1.0);
    TRU_ASSERT(k->now == 0 || k->now == 1);
    const double begun = time_of(k);
    over_colours(&p, sweep_one_colour);
    k->now = !k->now;
    k->f32.sweeps += k->f32.on;
    const double work = sum_of(k->work, k->batch_count + k->single_count);
    k->swept += time_of(k) - begun;
    k->sweeps++;
    return k->f32.on ? in_joules(k, work * k->f32.mass) : work;
}

/* Twice the kinetic energy of a body with velocities v, w. */
static double twice_energy(const sweep_mass *m, tru_vec3 v, tru_vec3 w) {
    const double linear = m->mass * v3_norm2(v);
    if (!m->source) return linear + m->inertia * v3_norm2(w);
    ldl3 f;
    return m3_spd_factor(m->source->inverse, &f) ? linear + v3_dot(w, m3_spd_solve(&f, w)) : linear;
}

static double energy_term(void *context, size_t begin, size_t end) {
    const sweep_problem *k = ((pass *)context)->k;
    double sum = 0.0;
    if (k->round) return k->kernels->energy(k, begin, end);
    for (size_t i = begin; i < end; i++) {
        const sweep_body *b = &k->bodies[i];
        sum += twice_energy(&k->mass[i], v3_from(b->v), v3_from(b->w));
    }
    return sum;
}

double trui_sweep_energy(const sweep_problem *k) {
    pass p = {.k = (sweep_problem *)k};
    return 0.5 * trui_parallel_sum(k->threads, k->moving, energy_term, &p);
}

static double extrapolate_term(void *context, size_t begin, size_t end) {
    const pass *p = context;
    if (p->k->f32.on) return p->k->f32.kernels->extrapolate(p->k, begin, end, p->beta);
    const double before = p->k->round ? 0.0 : energy_term(context, begin, end);
    const double sum = p->k->kernels->extrapolate(p->k, begin, end, p->beta);
    return p->k->round ? sum : before;
}

double trui_sweep_extrapolate(sweep_problem *k, double beta) {
    pass p = {.k = k, .beta = beta};
    TRU_ASSERT(beta >= 0.0 && beta <= 1.0);
    const double begun = time_of(k), sum = trui_parallel_sum(k->threads, k->moving, extrapolate_term, &p);
    k->swept += time_of(k) - begun;
    return in_joules(k, 0.5 * sum);
}

void trui_sweep_restart(sweep_problem *k) {
    if (k->f32.on)
        memcpy(k->f32.bodies, k->f32.before, k->moving * sizeof *k->f32.bodies);
    else
        memcpy(k->bodies, k->before, k->moving * sizeof *k->bodies);
}

double trui_sweep_momentum(double *theta, double cap) {
    const double t = *theta, next = 0.5 * (t * sqrt(t * t + 4.0) - t * t), beta = t * (1.0 - t) / (t * t + next);
    TRU_ASSERT(t > 0.0 && t <= 1.0 && next > 0.0 && next < t);
    if (beta > cap) return cap;
    *theta = next;
    return beta;
}

static double change_term(void *context, size_t begin, size_t end) {
    sweep_problem *k = ((pass *)context)->k;
    double sum = 0.0;
    if (k->f32.on) return k->f32.kernels->change(k, begin, end);
    for (size_t i = begin; i < end; i++) {
        const sweep_body *b = &k->bodies[i], *o = &k->mark[0][i];
        sum += twice_energy(&k->mass[i], v3_sub(v3_from(b->v), v3_from(o->v)), v3_sub(v3_from(b->w), v3_from(o->w)));
        k->mark[0][i] = *b;
    }
    return sum;
}

static double moved_term(void *context, size_t begin, size_t end) {
    const pass *p = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++) {
        const sweep_body *b = &p->k->bodies[i], *o = &p->other[i];
        sum += twice_energy(&p->k->mass[i], v3_sub(v3_from(b->v), v3_from(o->v)), v3_sub(v3_from(b->w), v3_from(o->w)));
    }
    return sum;
}

double trui_sweep_moved(const sweep_problem *k, const sweep_body *since) {
    pass p = {.k = (sweep_problem *)k, .other = since};
    return trui_parallel_sum(k->threads, k->moving, moved_term, &p);
}

static double times_heavier(const sweep_problem *k, size_t a, size_t b) {
    if (a >= k->moving || b >= k->moving) return 1.0;
    const double x = k->mass[a].mass, y = k->mass[b].mass;
    TRU_ASSERT(x > 0.0 && y > 0.0);
    return larger(x, y) / (x < y ? x : y);
}

double trui_sweep_uneven(const sweep_problem *k) {
    double lightest = HUGE_VAL, heaviest = 0.0, most = 1.0;
    for (size_t i = 0; i < k->moving; i++) {
        lightest = k->mass[i].mass < lightest ? k->mass[i].mass : lightest;
        heaviest = larger(heaviest, k->mass[i].mass);
    }
    if (!(heaviest > SWEEP_UNEVEN * lightest)) return 1.0;
    for (size_t i = 0; i < k->batch_count; i++)
        for (int j = 0; j < LANES; j++)
            most = larger(
                most, times_heavier(k, k->batches[i].a[j] / sizeof *k->bodies, k->batches[i].b[j] / sizeof *k->bodies));
    for (size_t i = 0; i < k->single_count; i++)
        most = larger(most, times_heavier(k, k->singles[i].a, k->singles[i].b));
    return most > SWEEP_UNEVEN ? most : 1.0;
}

static double mass_term(void *context, size_t begin, size_t end) {
    const sweep_problem *k = ((pass *)context)->k;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++) sum += k->mass[i].mass;
    return sum;
}

double trui_sweep_rms(const sweep_problem *k, double sum) {
    pass p = {.k = (sweep_problem *)k};
    const double mass = trui_parallel_sum(k->threads, k->moving, mass_term, &p);
    TRU_ASSERT(k->moving == 0 || mass > 0.0);
    return mass > 0.0 ? sqrt(sum / (3.0 * mass)) : 0.0;
}

double trui_sweep_change(sweep_problem *k) {
    pass p = {.k = k};
    const double sum = in_joules(k, trui_parallel_sum(k->threads, k->moving, change_term, &p));
    sweep_body *newer = k->mark[0];
    sweep_body32 *newer32 = k->f32.mark[0];
    if (k->f32.on)
        k->f32.mark[0] = k->f32.mark[1], k->f32.mark[1] = newer32;
    else
        k->mark[0] = k->mark[1], k->mark[1] = newer;
    return trui_sweep_rms(k, sum);
}

static void refresh_batches(void *context, size_t begin, size_t end) {
    const pass *p = context;
    p->k->kernels->refresh(p->k, begin, end, p->beta);
}

static void refresh_singles(void *context, size_t begin, size_t end) {
    const pass *p = context;
    trui_sweep_single_refresh(p->k, begin, end, p->beta);
}

void trui_sweep_refresh(sweep_problem *k, double damping) {
    if (!k->exact) return;
    pass p = {.k = k, .beta = damping};
    TRU_ASSERT(damping > 0.0 && damping <= 1.0 && !k->f32.on);
    trui_parallel_for(k->threads, k->batch_count, GRAIN, refresh_batches, &p);
    trui_parallel_for(k->threads, k->single_count, GRAIN, refresh_singles, &p);
}

static void look_batches(void *context, size_t begin, size_t end) {
    const pass *p = context;
    if (p->k->f32.on)
        p->k->f32.kernels->measure(p->k, begin, end);
    else
        p->k->kernels->measure(p->k, begin, end);
}

static void look_singles(void *context, size_t begin, size_t end) {
    const pass *p = context;
    trui_sweep_single_residuals(p->k, begin, end);
}

/* Lanes without a contact have no residual. */
static sweep_error measure_f32(const sweep_problem *k) {
    double sums[LANES] = {0.0}, mosts[LANES] = {0.0}, most = 0.0;
    for (size_t i = 0; i < k->batch_count; i++)
        for (int j = 0; j < LANES; j++) {
            const double size2 = (double)k->f32.batches[i].size2[j];
            sums[j] += size2; /* NaN stays in there */
            mosts[j] = larger(mosts[j], size2);
        }
    const double sum = sum_of(sums, LANES);
    for (int j = 0; j < LANES; j++) most = larger(most, mosts[j]);
    if (sum != sum) most = sum;
    return (sweep_error){k->f32.speed * sqrt(sum / (double)k->contact_count), k->f32.speed * sqrt(most), -1};
}

sweep_error trui_sweep_measure(sweep_problem *k) {
    pass p = {.k = k};
    sweep_error e = {0.0, 0.0, -1};
    double sum = 0.0, most = -1.0;
    trui_parallel_for(k->threads, k->batch_count, GRAIN, look_batches, &p);
    trui_parallel_for(k->threads, k->single_count, GRAIN, look_singles, &p);
    if (k->f32.on) return measure_f32(k);
    for (size_t i = 0; i < k->contact_count; i++) {
        const double size2 = k->residuals[i].size2;
        sum += size2;
        if (size2 > most || size2 != size2) {
            most = size2;
            e.worst = (int32_t)i;
        }
    }
    if (k->contact_count > 0) e.rms = sqrt(sum / (double)k->contact_count);
    if (e.worst >= 0) e.max = sqrt(most);
    TRU_ASSERT(e.worst < 0 || (size_t)e.worst < k->contact_count);
    return e;
}

/* ---- velocities from the impulses */

#define NOTHING                                                                                                        \
    1e-40 /* [-] of what gravity does in the step: sweeps shrink an error by 1e-16 each, down to numbers
                         that cannot be squared */

static double flushed(double x, double least) { return fabs(x) > least ? x : 0.0; }

static tru_vec3 flushed3(tru_vec3 a, double least) {
    return v3(flushed(a.x, least), flushed(a.y, least), flushed(a.z, least));
}

static void flush_batches(void *context, size_t begin, size_t end) {
    const pass *p = context;
    p->k->kernels->flush(p->k, begin, end, NOTHING * p->k->speed);
}

void trui_sweep_flush(sweep_problem *k) {
    pass p = {.k = k};
    TRU_ASSERT(k->speed >= 0.0 && !k->f32.on);
    trui_parallel_for(k->threads, k->batch_count, GRAIN, flush_batches, &p);
    for (size_t i = 0; i < k->single_count; i++) {
        sweep_single *c = &k->singles[i];
        const double least = NOTHING * k->speed * c->metric[TRU_KIND_NORMAL];
        c->g[k->now].p = flushed3(c->g[k->now].p, least);
        c->g[k->now].t = flushed3(c->g[k->now].t, least * c->length);
    }
}

static void push_colour(void *context, size_t colour, size_t begin, size_t end) {
    sweep_problem *k = ((const pass *)context)->k;
    const sweep_colour c = part_of_colour(k, colour, begin, end);
    k->kernels->push(k, c.batch, c.batch_end);
    for (size_t i = c.single; i < c.single_end; i++) trui_sweep_push(k, &k->singles[i], k->singles[i].g[k->now]);
}

static void copy_bodies(void *context, size_t begin, size_t end) {
    sweep_problem *k = ((const pass *)context)->k;
    for (size_t i = begin; i < end; i++) k->before[i] = k->mark[0][i] = k->mark[1][i] = k->bodies[i];
}

void trui_sweep_forget(sweep_problem *k) {
    pass p = {.k = k};
    TRU_ASSERT(k->before != k->mark[0] && k->mark[0] != k->mark[1] && k->moving <= k->body_count);
    trui_parallel_for(k->threads, k->moving, SWEEP_GRAIN, copy_bodies, &p);
}

static void free_bodies(void *context, size_t begin, size_t end) {
    sweep_problem *k = ((const pass *)context)->k;
    for (size_t i = begin; i < end; i++) {
        v3_store(k->bodies[i].v, k->free[k->world[i]].v);
        v3_store(k->bodies[i].w, k->free[k->world[i]].w);
    }
}

void trui_sweep_resync(sweep_problem *k) {
    pass p = {.k = k};
    TRU_ASSERT(!k->f32.on && k->from == k->bodies);
    trui_parallel_for(k->threads, k->moving, SWEEP_GRAIN, free_bodies, &p);
    trui_sweep_push_all(k);
}

void trui_sweep_push_all(sweep_problem *k) {
    pass p = {.k = k};
    over_colours(&p, push_colour);
}
