/* parallel.c: loops with fixed ranges and ordered sums, by OpenMP threads or by one. Every loop is a sequence of stages. */
#define _POSIX_C_SOURCE 200112L
#include "parallel/parallel.h"

#include "base/assert.h"

#include <stdatomic.h>

#ifdef _OPENMP
#include <omp.h>
#include <sched.h>
#endif

enum {
    SEGMENTS = 64,           /* of a sum, and thereby the largest number of threads that can share it */
    TERMS_PER_THREAD = 2048, /* fewer terms of a sum, about 10 us, are not worth a thread */
    SPINS = 2000,            /* polls, about 20 us, before a waiting thread yields the processor */
};

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static size_t divide_up(size_t a, size_t b) { return a / b + (a % b != 0); }

/* Returns the first item of range k if `pieces` of `grain` items each are distributed evenly over `ranges`. */
static size_t range_begin(size_t k, size_t ranges, size_t pieces, size_t grain) {
    TRU_ASSERT(k <= ranges && ranges > 0);
    size_t each = pieces / ranges, rest = pieces % ranges;
    return (k * each + smaller(k, rest)) * grain;
}

/* ---- stages ---- */

typedef struct stages {
    size_t count, grain;
    const size_t *items;
    parallel_stage work;
    void *context;
} stages;

/* Returns how many threads of a team have work in a stage. */
static size_t ranges_of(const stages *s, size_t i, size_t team) {
    return smaller(divide_up(s->items[i], s->grain), team);
}

static void work_in_stage(const stages *s, size_t i, size_t me, size_t team) {
    const size_t pieces = divide_up(s->items[i], s->grain), ranges = ranges_of(s, i, team);
    if (me >= ranges) return;
    TRU_ASSERT(me < team && ranges <= team);
    const size_t end = smaller(s->items[i], range_begin(me + 1, ranges, pieces, s->grain));
    s->work(s->context, i, range_begin(me, ranges, pieces, s->grain), end);
}

#ifdef _OPENMP
/* Barrier of a team. Both counters have their own cache line. */
typedef struct gate {
    _Alignas(64) atomic_size_t came;
    _Alignas(64) atomic_size_t opened;
} gate;

static void await(const atomic_size_t *count, size_t n) {
    for (int looks = 0; atomic_load(count) < n; looks += looks < SPINS) {
        if (looks == SPINS) sched_yield();
#ifdef __x86_64__
        __builtin_ia32_pause();
#endif
    }
}

/* Registers this thread at the barrier for the n-th time; the last thread opens it. */
static void come_to_gate(gate *g, size_t team, size_t n) {
    if (atomic_fetch_add(&g->came, 1) + 1 == team * n) atomic_store(&g->opened, n);
}

static void pass_gate(gate *g, size_t team, size_t n) {
    come_to_gate(g, team, n);
    await(&g->opened, n);
}

/* Works through all stages. Stages in which only the first thread works follow each other without a barrier. `gates` counts the barriers that this
 * thread has passed. */
static void go_through(const stages *s, gate *g, size_t me, size_t team, size_t *gates) {
    size_t before = 1;
    for (size_t i = 0; i < s->count; i++) {
        const size_t ranges = ranges_of(s, i, team);
        if (ranges == 0) continue;
        if (before > 1 || (ranges > 1 && i > 0)) pass_gate(g, team, ++*gates);
        before = ranges;
        work_in_stage(s, i, me, team);
    }
}

static void in_a_team(const stages *s, size_t most) {
    gate g = {0};
#pragma omp parallel num_threads((int)most)
    {
        size_t gates = 0;
        go_through(s, &g, (size_t)omp_get_thread_num(), (size_t)omp_get_num_threads(), &gates);
    }
}

/* ---- threads that wait for work ---- */

/* Work for waiting threads. Barriers are counted over all calls. */
struct standby {
    gate gate;
    _Alignas(64) atomic_size_t called; /* number of calls so far */
    const stages *now;                 /* work of the last call; NULL: the threads end */
    size_t team, gates;
};

static void stand_by(struct standby *s, size_t me, size_t team) {
    size_t gates = 0;
    for (size_t n = 1;; n++) {
        await(&s->called, n);
        if (!s->now) return;
        go_through(s->now, &s->gate, me, team, &gates);
        come_to_gate(&s->gate, team, ++gates);
    }
}

static void call(struct standby *s, const stages *now) {
    s->now = now;
    atomic_fetch_add(&s->called, 1);
}

static void with_standby(struct standby *s, const stages *now) {
    call(s, now);
    go_through(now, &s->gate, 0, s->team, &s->gates);
    pass_gate(&s->gate, s->team, ++s->gates);
}

static void together(crew *c, void (*work)(void *context), void *context) {
    struct standby s = {.called = 0};
#pragma omp parallel num_threads(c->threads)
    {
        const size_t team = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
        if (me > 0) stand_by(&s, me, team);
        if (me == 0) {
            s.team = team;
            c->standby = team > 1 ? &s : NULL;
            work(context);
            c->standby = NULL;
            call(&s, NULL);
        }
    }
}
#endif

void trui_parallel_together(crew *c, void (*work)(void *context), void *context) {
#ifdef _OPENMP
    if (c->threads > 1 && !c->standby) {
        together(c, work, context);
        return;
    }
#else
    (void)c;
#endif
    work(context);
}

/* ---- loops ---- */

static size_t team_of(const crew *c) { return c->threads > 1 ? (size_t)c->threads : 1; }

void trui_parallel_stages(const crew *c, size_t count, const size_t *counts, size_t grain, parallel_stage work,
                          void *context) {
    const stages s = {count, grain > 0 ? grain : 1, counts, work, context};
    size_t most = 1;
    for (size_t i = 0; i < count; i++) {
        const size_t ranges = ranges_of(&s, i, team_of(c));
        most = ranges > most ? ranges : most;
    }
#ifdef _OPENMP
    if (most > 1) {
        if (c->standby)
            with_standby(c->standby, &s);
        else
            in_a_team(&s, most);
        return;
    }
#endif
    for (size_t i = 0; i < count; i++) work_in_stage(&s, i, 0, 1);
}

/* A loop is one stage. */
typedef struct loop {
    parallel_work work;
    parallel_bits find;
    void *context;
    atomic_uint found;
} loop;

static void work_in_loop(void *context, size_t stage, size_t begin, size_t end) {
    const loop *l = context;
    (void)stage;
    l->work(l->context, begin, end);
}

static void find_in_loop(void *context, size_t stage, size_t begin, size_t end) {
    loop *l = context;
    (void)stage;
    atomic_fetch_or(&l->found, l->find(l->context, begin, end));
}

void trui_parallel_for(const crew *c, size_t n, size_t grain, parallel_work work, void *context) {
    if (n == 0) return;
    if (c->threads < 2 || n <= grain) {
        work(context, 0, n);
        return;
    }
    loop l = {.work = work, .context = context};
    trui_parallel_stages(c, 1, &n, grain, work_in_loop, &l);
}

unsigned trui_parallel_any(const crew *c, size_t n, size_t grain, parallel_bits work, void *context) {
    if (n == 0) return 0;
    if (c->threads < 2 || n <= grain) return work(context, 0, n);
    loop l = {.find = work, .context = context};
    trui_parallel_stages(c, 1, &n, grain, find_in_loop, &l);
    return atomic_load(&l.found);
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

/* The distribution of blocks over at most SEGMENTS segments depends only on n. Threads share the segments, whose sums are added in order. */
double trui_parallel_sum(const crew *c, size_t n, parallel_term term, void *context) {
    sum_job job = {.term = term, .context = context, .n = n};
    job.segments = smaller(divide_up(n, PARALLEL_BLOCK), SEGMENTS);
    trui_parallel_for(c, job.segments, divide_up(TERMS_PER_THREAD * job.segments, n > 0 ? n : 1), sum_segments, &job);
    TRU_ASSERT(job.segments <= SEGMENTS);
    double sum = 0.0;
    for (size_t k = 0; k < job.segments; k++) sum += job.sums[k];
    return sum;
}

int trui_parallel_threads(void) {
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}
