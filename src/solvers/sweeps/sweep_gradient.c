/* sweep_gradient.c: projected gradient steps of all contacts at once: a sweep whose rates are those of its start. */
#include "solvers/sweeps/sweep_gradient.h"
#include "solvers/sweep_problem/sweep_kernel.h"
#include "solvers/sweep_problem/sweep_run.h"
#include "solvers/sweep_problem/sweep_single.h"
#include "base/assert.h"

#include "math/vec.h"
#include "parallel/parallel.h"

#include <string.h>

enum { GRAIN = 32 }; /* batches that are worth a thread */

bool trui_sweep_gradient_room(sweep_problem *k) {
    k->frozen = ARENA_ARRAY(k->scratch, sweep_body, k->body_count);
    k->kept = arena_push(k->scratch, k->batch_count * sizeof *k->kept);
    k->kept_single = ARENA_ARRAY(k->scratch, sweep_impulse, k->single_count);
    return k->frozen && k->kept && k->kept_single;
}

/* y in the place of g, which is kept */
static void extrapolate_batch(sweep_problem *k, size_t i, double beta) {
    double *g = k->batches[i].p[k->now][0];
    const double *old = k->batches[i].p[!k->now][0];
    memcpy(k->kept[i], g, sizeof k->kept[i]);
    for (int j = 0; j < 6 * LANES; j++) g[j] = g[j] + beta * (g[j] - old[j]);
}

static void extrapolate_single(sweep_problem *k, size_t i, double beta) {
    sweep_impulse *g = &k->singles[i].g[k->now], *old = &k->singles[i].g[!k->now];
    k->kept_single[i] = *g;
    g->p = v3_madd(g->p, beta, v3_sub(g->p, old->p));
    g->t = v3_madd(g->t, beta, v3_sub(g->t, old->t));
}

double trui_sweep_gradient_begin(sweep_problem *k, double beta) {
    const double energy = trui_sweep_extrapolate(k, beta);
    TRU_ASSERT(!k->f32.on && k->frozen != k->bodies);
    for (size_t i = 0; i < k->batch_count; i++) extrapolate_batch(k, i, beta);
    for (size_t i = 0; i < k->single_count; i++) extrapolate_single(k, i, beta);
    memcpy(k->frozen, k->bodies, k->body_count * sizeof *k->frozen);
    return energy;
}

static void measure_batches(void *context, size_t begin, size_t end) {
    sweep_problem *k = context;
    k->kernels->distance(k, begin, end);
}

/* d^T C d of the normal rows that yield. [J] */
static double yielded(const sweep_problem *k) {
    double sum = 0.0;
    for (size_t i = 0; k->normal_terms && i < k->batch_count; i++) {
        const sweep_batch *c = &k->batches[i];
        for (int j = 0; j < LANES; j++) {
            double dn = 0.0;
            for (int r = 0; r < 3; r++) dn += c->n[r][j] * (c->p[!k->now][r][j] - c->p[k->now][r][j]);
            sum += k->normal_terms[i].soft[j] * dn * dn;
        }
    }
    for (size_t i = 0; i < k->single_count; i++) {
        const sweep_single *c = &k->singles[i];
        const double dn = v3_dot(c->n, v3_sub(c->g[!k->now].p, c->g[k->now].p));
        sum += c->normal_terms.soft * dn * dn;
    }
    return sum;
}

sweep_step trui_sweep_gradient_try(sweep_problem *k, double slope) {
    sweep_step s = {0.0, 0.0, 0.0};
    memcpy(k->bodies, k->frozen, k->body_count * sizeof *k->frozen);
    TRU_ASSERT(!(slope <= 0.0) && k->from == k->bodies);
    k->from = k->frozen;
    s.work = trui_sweep_run(k, 1.0 / slope, 0.0);
    k->now = !k->now; /* not accepted yet */
    k->from = k->bodies;
    trui_parallel_for(k->threads, k->batch_count, GRAIN, measure_batches, k);
    trui_sweep_single_distance(k, 0, k->single_count);
    for (size_t i = 0; i < k->batch_count + k->single_count; i++) s.size += k->work[i];
    s.moved = trui_sweep_moved(k, k->frozen) + yielded(k);
    TRU_ASSERT(!(s.moved < 0.0) && !(s.size < 0.0));
    return s;
}

void trui_sweep_gradient_accept(sweep_problem *k) {
    for (size_t i = 0; i < k->batch_count; i++) memcpy(k->batches[i].p[k->now][0], k->kept[i], sizeof k->kept[i]);
    for (size_t i = 0; i < k->single_count; i++) k->singles[i].g[k->now] = k->kept_single[i];
    k->now = !k->now;
}
