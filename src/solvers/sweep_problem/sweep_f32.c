/* sweep_f32.c: a copy of a sweep problem in floats, for the sweeps that do the bulk of the work.
 *
 * A sweep is worth what it brings velocities closer to the solution; it need not carry more digits than that. A float has 24
 * bits: sweeps in floats are as good as those in doubles down to 2^-15 of the fastest velocity in play, which is where the limit
 * must not lie below (FINE; measured: velocities leave what the impulses say by 2^-21 of it in 100 sweeps). An impulse counts as
 * the velocity it gives to its bodies: a light body below a heavy one has a fast one. What is at rest stays in doubles: a first
 * sweep that changes velocities by less than the limit tells it, and nothing of a float's last bit is seen as creep then. The
 * impulses that come out are those that went in plus what floats say of the change. Sweeps at the end, velocities, the residual
 * that is judged: all in doubles, and if they say that it was too early, doubles go on.
 *
 * Units are powers of two taken from the problem: nothing overflows, and the same problem in other units has the same bits. */
#include "solvers/sweep_problem/sweep_f32.h"
#include "solvers/sweep_problem/sweep_kernel.h"
#include "solvers/sweep_problem/sweep_run.h"
#include "base/assert.h"

#include "math/elementary/bits.h"
#include "lanes/isa.h"
#include "math/vec.h"
#include "parallel/parallel.h"

#include <string.h>

#define FINE 0x1p-15

/* The largest power of two that is not above x. */
static double unit_of(double x) { return bits_power(bits_exponent(x)); }

/* The same of the root of x: of another unit of length it is as many times smaller or larger, bit by bit. */
static double unit_of_root(double x) {
    const int e = bits_exponent(x);
    return bits_power((e - (e & 1)) / 2);
}

/* Units of mass and length are those of the heaviest body; false: another is too different. */
static bool choose_units(sweep_problem *k, double limit) {
    const sweep_mass *heaviest = &k->mass[0];
    for (size_t i = 1; i < k->moving; i++)
        if (k->mass[i].mass > heaviest->mass) heaviest = &k->mass[i];
    sweep_f32 *o = &k->f32;
    o->mass = unit_of(heaviest->mass);
    o->length = unit_of_root(heaviest->inertia / heaviest->mass);
    o->speed = unit_of(limit);
    TRU_ASSERT(o->mass > 0.0 && o->length > 0.0 && o->speed > 0.0);
    const double turn = o->mass * (o->length * o->length);
    for (size_t i = 0; i < k->moving; i++) {
        const sweep_body *b = &k->bodies[i];
        if (!(b->inv_mass * o->mass < SWEEP_SPREAD && b->inv_inertia * turn < SWEEP_SPREAD * SWEEP_SPREAD))
            return false;
    }
    return true;
}

/* [m/s] */
static double fastest(const sweep_problem *k) {
    double most = 0.0;
    for (size_t i = 0; i < k->body_count; i++) {
        const sweep_body *b = &k->bodies[i];
        const double v = larger(larger(fabs(b->v[0]), fabs(b->v[1])), fabs(b->v[2]));
        const double w = larger(larger(fabs(b->w[0]), fabs(b->w[1])), fabs(b->w[2]));
        most = larger(most, v + k->f32.length * w);
    }
    return most;
}

/* Bodies to floats, by threads. */
typedef struct lowering {
    const sweep_f32 *o;
    sweep_body32 *to;
    const sweep_body *from;
} lowering;

static void lower_some(void *context, size_t begin, size_t end) {
    const lowering *l = context;
    const sweep_f32 *o = l->o;
    const double speed = 1.0 / o->speed, turn = o->length / o->speed, inertia = o->mass * (o->length * o->length);
    for (size_t i = begin; i < end; i++) {
        const sweep_body *b = &l->from[i];
        sweep_body32 *to = &l->to[i];
        *to = (sweep_body32){.inv_mass = (float)(b->inv_mass * o->mass),
                             .inv_inertia = (float)(b->inv_inertia * inertia)};
        for (int r = 0; r < 3; r++) {
            to->v[r] = (float)(b->v[r] * speed);
            to->w[r] = (float)(b->w[r] * turn);
        }
    }
}

static void lower_bodies(const sweep_problem *k, sweep_body32 *to, const sweep_body *from, size_t count) {
    lowering l = {&k->f32, to, from};
    trui_parallel_for(k->threads, count, 4 * SWEEP_GRAIN, lower_some, &l);
}

/* And back: velocities to doubles, what else a body has from where it is known. */
typedef struct raising {
    const sweep_problem *k;
    sweep_body *to;
    const sweep_body32 *from;
} raising;

static void raise_some(void *context, size_t begin, size_t end) {
    const raising *l = context;
    const double speed = l->k->f32.speed, turn = speed / l->k->f32.length;
    for (size_t i = begin; i < end; i++) {
        l->to[i] = l->k->bodies[i];
        for (int r = 0; r < 3; r++) {
            l->to[i].v[r] = (double)l->from[i].v[r] * speed;
            l->to[i].w[r] = (double)l->from[i].w[r] * turn;
        }
    }
}

static void raise_bodies(const sweep_problem *k, sweep_body *to, const sweep_body32 *from) {
    raising l = {k, to, from};
    trui_parallel_for(k->threads, k->moving, 4 * SWEEP_GRAIN, raise_some, &l);
}

/* The marks to doubles: what looks compare with must not become younger when floats end. Each goes to a room that is free by
 * then. */
static void raise_marks(sweep_problem *k) {
    sweep_body *room[3] = {k->before, k->mark[0], k->mark[1]};
    const sweep_body32 *first = (const sweep_body32 *)(const void *)room[1] + k->moving;
    const bool swapped = k->f32.mark[0] != first;
    TRU_ASSERT(swapped ? k->f32.mark[1] == first : k->f32.mark[0] == first);
    raise_bodies(k, room[0], first);
    raise_bodies(k, room[1], (const sweep_body32 *)(const void *)room[2]);
    k->mark[0] = room[swapped];
    k->mark[1] = room[!swapped];
    k->before = room[2];
}

static void lower_batches(void *context, size_t begin, size_t end) {
    sweep_problem *k = context;
    k->f32.kernels->lower(k, begin, end);
}

static void lift_batches(void *context, size_t begin, size_t end) {
    sweep_problem *k = context;
    k->f32.kernels->lift(k, begin, end);
}

bool trui_sweep_f32_enter(sweep_problem *k, double limit) {
    sweep_f32 *o = &k->f32;
    const bool shifts = k->exact && !k->sections;
    if (!(limit > 0.0) || k->single_count > 0 || k->normal_terms || k->patches || shifts || !k->round) return false;
    if (trui_sweep_rms(k, trui_sweep_moved(k, k->before)) < limit) return false;
    if (!choose_units(k, limit) || fastest(k) * FINE > limit) return false;
    TRU_ASSERT(!o->on && k->from == k->bodies);
    if (!o->kernels) o->kernels = SIMD_CHOOSE(trui_sweep_f32);
    o->batches = (sweep_batch32 *)(void *)k->residuals;
    trui_parallel_for(k->threads, k->batch_count, SWEEP_GRAIN / LANES, lower_batches, k);
    for (size_t i = 0; i < k->batch_count; i++)
        if (!(k->work[i] * FINE <= limit)) return false;
    o->before = (sweep_body32 *)(void *)k->mark[0];
    o->mark[0] = o->before + k->moving;
    o->mark[1] = (sweep_body32 *)(void *)k->mark[1];
    o->bodies = (sweep_body32 *)(void *)k->before;
    TRU_ASSERT(o->before != o->mark[0] && o->mark[0] != o->mark[1]);
    lower_bodies(k, o->before, k->before, k->moving); /* where the first sweep began, as did the marks */
    memcpy(o->mark[0], o->before, k->moving * sizeof *o->before);
    memcpy(o->mark[1], o->before, k->moving * sizeof *o->before);
    lower_bodies(k, o->bodies, k->bodies, k->body_count);
    o->start = k->now;
    o->on = true;
    return true;
}

void trui_sweep_f32_leave(sweep_problem *k) {
    TRU_ASSERT(k->f32.on && k->mark[0] != k->mark[1]);
    k->f32.on = false;
    trui_parallel_for(k->threads, k->batch_count, SWEEP_GRAIN / LANES, lift_batches, k);
    raise_marks(k);
    trui_sweep_resync(k);
    memcpy(k->before, k->bodies, k->moving * sizeof *k->before);
}
