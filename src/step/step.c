/* step.c: the beginning of a step, and its undo. */
#include "step/step.h"
#include "base/assert.h"

#include "base/error.h"
#include "lanes/fetch.h"
#include "parallel/parallel.h"

tru_status trui_step_reserve_dynamics(step *s, tru_error *err) {
    const size_t n = s->w->bodies.count;
    if (n == 0 || s->body_steps[0].dynamics) return TRU_OK;
    body_dynamics *rare = ARENA_ARRAY(&s->w->scratch, body_dynamics, n);
    if (!rare || !array_reserve(&s->w->memory, &s->w->middle, n)) return tru_no_memory(err);
    s->w->middle.count = n;
    for (size_t i = 0; i < n; i++) {
        s->body_steps[i].dynamics = &rare[i];
        rare[i].gyro_rate = s->body_steps[i].start.w;
        rare[i].linear = false;
        rare[i].gains = body_gains_of(&s->w->bodies.items[i]);
        s->w->middle.items[i] = s->w->bodies.items[i].q; /* snapshots have it, also where a stepper takes no inertia */
    }
    return TRU_OK;
}

enum { FOUND_DRIVEN = 1u, FOUND_TURNING = 2u };

static unsigned begin_bodies(void *context, size_t begin, size_t end) {
    const step *s = context;
    tru_world *w = s->w;
    TRU_ASSERT(begin <= end && end <= w->before.count);
    unsigned found = 0;
    for (size_t i = begin; i < end; i++) {
        body *b = &w->bodies.items[i];
        FETCH_NEXT(w->bodies.items, i, end, id, mass);
        w->before.items[i] = body_keep(b);
        if (b->kind == TRU_DRIVEN) {
            trui_driven_rates(w, b, s->time, &b->v, &b->w);
            found |= FOUND_DRIVEN;
        }
        s->body_steps[i].start.v = b->v;
        s->body_steps[i].start.w = b->w;
        s->body_steps[i].dynamics = NULL;
        if (body_is_free(b) && !b->isotropic) found |= FOUND_TURNING;
    }
    return found;
}

tru_status trui_step_begin(step *s, tru_world *w, double h, tru_error *err) {
    const size_t n = w->bodies.count;
    s->w = w;
    TRU_ASSERT(h > 0.0 && w->labels.count == n);
    s->h = s->acts = h;
    s->time = trui_world_time(w);
    s->fall = s->speed = v3_norm(w->gravity) * h;
    s->problem.block_count = s->problem.held.blocks = s->problem.held.n = 0;
    s->size = NULL;
    s->one_contact_count = 0;
    s->others = NULL;
    s->seen = NULL;
    s->normal_terms = NULL;
    s->joints = NULL;
    s->struck = NULL;
    s->struck_joints = NULL;
    s->unstruck = NULL;
    s->jolt_unsolved = false;
    s->kicked = NULL;
    s->parent = NULL;
    s->jolted = NULL;
    s->found = 0;
    s->hit = false;
    s->has_contacts = s->timed = s->by_force = s->turning = s->spins_free = s->driven = s->ends = s->parts =
        s->strikes = false;
    s->ledger = w->ledger;
    s->info = (tru_solve_info){0};
    trui_arena_reset(&w->scratch);
    s->body_steps = ARENA_ARRAY(&w->scratch, body_step, n);
    s->free = ARENA_ARRAY(&w->scratch, twist, n);
    s->inverse = ARENA_ARRAY(&w->scratch, problem_body, n);
    if (!s->body_steps || !s->free || !s->inverse || !(w->before.count == n || array_resize(&w->memory, &w->before, n)))
        return tru_no_memory(err);
    if (w->joints.count > 0) {
        if (!(s->joints = ARENA_ARRAY(&w->scratch, joint, w->joints.count))) return tru_no_memory(err);
        memcpy(s->joints, w->joints.items, w->joints.count * sizeof *s->joints);
        for (size_t i = 0; i < w->joints.count; i++)
            memset(&w->joints.items[i].jolt, 0, sizeof w->joints.items[i].jolt);
    }
    array_clear(&w->middle);
    const unsigned found = trui_parallel_any(w->threads, n, BODY_GRAIN, begin_bodies, s);
    s->driven = found & FOUND_DRIVEN;
    s->turning = found & FOUND_TURNING;
    const tru_status status = s->turning || w->loads.count > 0 ? trui_step_reserve_dynamics(s, err) : TRU_OK;
    return status < 0 ? trui_step_undo(s, status) : TRU_OK;
}

tru_status trui_step_undo(step *s, tru_status failed) {
    tru_world *w = s->w;
    TRU_ASSERT(failed <= TRU_OK); /* a remark does not undo a step */
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body_dynamics *rare = s->body_steps[i].dynamics;
        body_put_back(&w->bodies.items[i], &w->before.items[i]);
        if (rare && w->bodies.items[i].gain) *w->bodies.items[i].gain = rare->gains;
        if (!s->unstruck) continue;
        w->bodies.items[i].v = s->unstruck[i].v;
        w->bodies.items[i].w = s->unstruck[i].w;
    }
    if (s->unstruck) w->moved = s->was_moved;
    w->ledger = s->ledger;
    if (s->joints) memcpy(w->joints.items, s->joints, w->joints.count * sizeof *s->joints);
    array_clear(&w->before); /* the judge would see half of the step that failed */
    return failed;
}

tru_status trui_ready_rigid(const tru_world *w, const char *stepper, tru_error *err) {
    for (size_t i = 0; i < w->pairs.count; i++)
        if (w->pairs.items[i].compliance > 0.0)
            return tru_fail(err, TRU_REFUSED, "stepper %s cannot use compliance (%.6g m/N): its contacts are rigid",
                            stepper, w->pairs.items[i].compliance);
    return TRU_OK;
}

double trui_smallest_free(const tru_world *w) {
    double size = DBL_MAX;
    for (size_t i = 0; i < w->bodies.count; i++)
        if (body_is_free(&w->bodies.items[i]) && w->bodies.items[i].size < size) size = w->bodies.items[i].size;
    return size < DBL_MAX ? size : 0.0;
}
