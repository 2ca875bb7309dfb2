/* parallel.c: static loops and ordered sums over OpenMP threads, or over one. */
#define _POSIX_C_SOURCE 200112L
#include "parallel/parallel.h"

#ifdef _OPENMP
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#endif

enum {
    SEGMENTS = 64, /* of a sum; also the most threads that can share it */
    WORTH = 2048,  /* terms of a sum that are worth a thread: some 10 us */
    SPINS = 2000,  /* looks at what the others do, some 20 us, before the processor is offered to other programs */
};

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static size_t divide_up(size_t a, size_t b) { return a / b + (a % b != 0); }

/* First item of range k when `pieces` of `grain` items are dealt to `ranges` as evenly as can be. */
static size_t range_begin(size_t k, size_t ranges, size_t pieces, size_t grain) {
    size_t each = pieces / ranges, rest = pieces % ranges;
    return (k * each + smaller(k, rest)) * grain;
}

void parallel_for(int threads, size_t n, size_t grain, parallel_work work, void *context) {
    if (n == 0) return;
    if (grain == 0) grain = 1;
    size_t pieces = divide_up(n, grain);
    size_t ranges = smaller(pieces, threads > 1 ? (size_t)threads : 1);
    if (ranges == 1) {
        work(context, 0, n);
        return;
    }
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads((int)ranges)
#endif
    for (size_t k = 0; k < ranges; k++) {
        size_t begin = range_begin(k, ranges, pieces, grain);
        work(context, begin, smaller(n, range_begin(k + 1, ranges, pieces, grain)));
    }
}

/* ---- stages */

typedef struct stages {
    size_t count, grain;
    const size_t *items;
    parallel_stage work;
    void *context;
} stages;

/* How many of a team of so many have something to do in a stage. */
static size_t ranges_of(const stages *s, size_t i, size_t team) {
    return smaller(divide_up(s->items[i], s->grain), team);
}

static void work_in_stage(const stages *s, size_t i, size_t me, size_t team) {
    const size_t pieces = divide_up(s->items[i], s->grain), ranges = ranges_of(s, i, team);
    if (me >= ranges) return;
    const size_t end = smaller(s->items[i], range_begin(me + 1, ranges, pieces, s->grain));
    s->work(s->context, i, range_begin(me, ranges, pieces, s->grain), end);
}

#ifdef _OPENMP
/* Where threads wait for each other: in cache lines of their own. */
typedef struct gate {
    _Alignas(64) atomic_size_t came;
    _Alignas(64) atomic_size_t opened;
} gate;

/* The n-th time that the whole team comes here. */
static void pass_gate(gate *g, size_t team, size_t n) {
    if (atomic_fetch_add(&g->came, 1) + 1 == team * n) atomic_store(&g->opened, n);
    for (int looks = 0; atomic_load(&g->opened) < n; looks++) {
        if (looks >= SPINS) sched_yield();
#ifdef __x86_64__
        __builtin_ia32_pause();
#endif
    }
}

/* Stages that only the first thread works in follow each other without a gate. */
static void go_through(const stages *s, gate *g, size_t me, size_t team) {
    size_t gates = 0, before = 1;
    for (size_t i = 0; i < s->count; i++) {
        const size_t ranges = ranges_of(s, i, team);
        if (ranges == 0) continue;
        if (before > 1 || (ranges > 1 && i > 0)) pass_gate(g, team, ++gates);
        before = ranges;
        work_in_stage(s, i, me, team);
    }
}
#endif

void parallel_stages(int threads, size_t count, const size_t *counts, size_t grain, parallel_stage work,
                     void *context) {
    const stages s = {count, grain > 0 ? grain : 1, counts, work, context};
    size_t most = 1;
    for (size_t i = 0; i < count; i++) {
        const size_t ranges = ranges_of(&s, i, threads > 1 ? (size_t)threads : 1);
        most = ranges > most ? ranges : most;
    }
#ifdef _OPENMP
    if (most > 1) {
        gate g = {0};
#pragma omp parallel num_threads((int)most)
        go_through(&s, &g, (size_t)omp_get_thread_num(), (size_t)omp_get_num_threads());
        return;
    }
#endif
    for (size_t i = 0; i < count; i++) work_in_stage(&s, i, 0, 1);
}

unsigned parallel_any(int threads, size_t n, size_t grain, parallel_bits work, void *context) {
    unsigned found = 0;
    if (n == 0) return found;
    if (grain == 0) grain = 1;
    size_t pieces = divide_up(n, grain);
    size_t ranges = smaller(pieces, threads > 1 ? (size_t)threads : 1);
    if (ranges == 1) return work(context, 0, n);
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads((int)ranges) reduction(| : found)
#endif
    for (size_t k = 0; k < ranges; k++) {
        size_t begin = range_begin(k, ranges, pieces, grain);
        found |= work(context, begin, smaller(n, range_begin(k + 1, ranges, pieces, grain)));
    }
    return found;
}

typedef struct sum_job {
    parallel_term term;
    void *context;
    size_t n, segments;
    double sums[SEGMENTS];
} sum_job;

static void sum_segments(void *context, size_t first, size_t last) {
    sum_job *job = context;
    size_t blocks = divide_up(job->n, PARALLEL_BLOCK);
    for (size_t k = first; k < last; k++) {
        size_t begin = range_begin(k, job->segments, blocks, PARALLEL_BLOCK);
        size_t end = smaller(job->n, range_begin(k + 1, job->segments, blocks, PARALLEL_BLOCK));
        double sum = 0.0;
        for (size_t at = begin; at < end; at += PARALLEL_BLOCK)
            sum += job->term(job->context, at, smaller(at + PARALLEL_BLOCK, end));
        job->sums[k] = sum;
    }
}

/* Blocks are dealt to at most SEGMENTS segments by n alone, segments to threads; sums of segments are added in order.
 */
double parallel_sum(int threads, size_t n, parallel_term term, void *context) {
    sum_job job = {.term = term, .context = context, .n = n};
    job.segments = smaller(divide_up(n, PARALLEL_BLOCK), SEGMENTS);
    parallel_for(threads, job.segments, divide_up(WORTH * job.segments, n > 0 ? n : 1), sum_segments, &job);
    double sum = 0.0;
    for (size_t k = 0; k < job.segments; k++) sum += job.sums[k];
    return sum;
}

int parallel_threads(void) {
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}
