/* verbs.c: drift, kick, place, and the beginning and end of a step. */
#include "world/books.h"
#include "step/verbs_one.h"
#include "step/verbs.h"

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

static const body *first_not_finite(const tru_world *w, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        const body *b = &w->bodies.items[i];
        FETCH_NEXT(w->bodies.items, i, end, id, gain);
        if (b->kind == TRU_FIXED) continue;
        if (!body_is_finite(b)) return b;
    }
    return NULL;
}

static unsigned any_not_finite(void *context, size_t begin, size_t end) {
    return first_not_finite(((const step *)context)->w, begin, end) != NULL;
}

static const body *not_finite(step *s) {
    const size_t n = s->w->bodies.count;
    return trui_parallel_any(s->w->threads, n, BODY_GRAIN, any_not_finite, s) ? first_not_finite(s->w, 0, n) : NULL;
}

/* Laws with a history take note of the impulses and of the rates they acted on. */
static void accept(step *s) {
    bool any = false;
    for (size_t i = 0; i < s->w->pairs.count; i++)
        for (int k = 0; k < s->w->pairs.items[i].law_count; k++) any = any || s->w->pairs.items[i].laws[k].kept > 0;
    for (size_t i = 0; any && s->seen && i < s->w->contacts.count; i++) {
        const contact *c = &s->w->contacts.items[i];
        for (int k = 0; k < c->pair->law_count; k++) {
            const pair_law *l = &c->pair->laws[k];
            if (l->kept == 0) continue;
            double u[TRU_FRICTION_ROWS];
            for (int row = 0; row < TRU_FRICTION_ROWS; row++) u[row] = c->theta * s->seen[i][1 + row];
            l->law->accept(c->c.memory + l->kept, c->c.memory + l->memory, c->impulse + 1, u, c->stuck);
        }
    }
}

static void add_to_totals(const tru_world *w, tru_solve_totals *t, const tru_solve_info *info, double end) {
    t->steps++;
    t->unconverged += !info->converged;
    t->iterations += (uint64_t)info->iterations;
    if (info->iterations > t->most_iterations) t->most_iterations = info->iterations;
    for (int k = 0; k < TRU_KINDS; k++) t->residual[k] = larger(t->residual[k], info->residual[k]);
    if (info->relative > t->worst_relative) {
        t->worst_relative = info->relative;
        t->worst_time = end;
        t->worst_speed = info->max;
        if (info->worst >= 0) {
            t->worst_a = w->bodies.items[w->contacts.items[info->worst].a].id;
            t->worst_b = w->bodies.items[w->contacts.items[info->worst].b].id;
        }
    }
    t->lift = larger(t->lift, info->lift);
    if (info->hop > t->hop) {
        t->hop = info->hop;
        t->hop_time = end;
    }
}

void trui_step_count(tru_world *w, const tru_solve_info *info, double end) {
    w->steps_here++;
    w->steps_done++;
    w->moved = false;
    w->stepped = w->next_id;
    w->solve = *info;
    w->solve.contacts = (int32_t)w->contacts.count;
    add_to_totals(w, &w->solve_totals, info, end);
}

/* [-] Largest change of a line of the ledger in one step, in parts of the energy that the bodies ever had. The rows of an impact
 * exchange a few times that energy (1.2 times in test_cone_impact.c); contradicting impulses were seen from 1e5 times on. */
#define LARGEST_CHANGE 1e3

/* Fails a step in which far more energy went through one line of the ledger than the bodies ever had: no motion can lose that
 * much. Impulses of contacts and joints that contradict each other grow until round-off stops them. Their work cancels in the sum
 * of the lines, so only single lines show it. Springs of track store energy: it has a check of its own. */
static tru_status check_change(const step *s, unsigned long long number, tru_error *err) {
    const tru_world *w = s->w;
    const double change = books_largest_change(&s->ledger, &w->ledger);
    if (w->stepper->soft || change <= LARGEST_CHANGE * w->energy_seen) return TRU_OK;
    if (change <= LARGEST_CHANGE * trui_books_most_energy(w)) return TRU_OK;
    return tru_fail(
        err, TRU_NO_SOLUTION,
        "step %llu (t = %.9g s): contacts or joints contradict each other: one line of the energy ledger changes by "
        "%.4g J, where the bodies never had more than %.4g J; free a joint, give the pair compliance or take a shorter step",
        number, s->time + s->h, change, trui_books_most_energy(w));
}

/* Fails a step after which a body is not finite, or the ledger cannot be trusted (books.h). */
static tru_status check_end(step *s, tru_error *err) {
    tru_world *w = s->w;
    const body *bad = not_finite(s);
    const double end = s->time + s->h;
    const unsigned long long number = (unsigned long long)w->steps_done + 1;
    if (bad)
        return tru_fail(err, TRU_NOT_FINITE, "body '%s' is no longer finite at t = %.9g s (step %llu)",
                        body_name(w, (size_t)(bad - w->bodies.items)), end, number);
    if (!trui_step_due_room(s)) return tru_no_memory(err);
    if (books_hold(w)) return check_change(s, number, err);
    if (!books_finite(&w->ledger))
        return tru_fail(
            err, TRU_NOT_FINITE,
            "step %llu (t = %.9g s): step is %.6g s, too long: the energy ledger is no longer finite; take a "
            "shorter step",
            number, end, s->h);
    return tru_fail(err, TRU_NO_SOLUTION,
                    "step %llu (t = %.9g s): step is %.6g s, too long: the steps have added %.4g J without cause, more "
                    "than the %.4g J that the bodies ever had; take a shorter step",
                    number, end, s->h, books_gained(&w->ledger), trui_books_most_energy(w));
}

tru_status trui_step_end(step *s, tru_status solved, tru_error *err) {
    tru_world *w = s->w;
    const tru_status failed = check_end(s, err);
    if (failed < 0) {
        trui_find_contacts_undo(w);
        return trui_step_undo(s, failed);
    }
    accept(s);
    trui_joints_accept(w);
    trui_step_count(w, &s->info, s->time + s->h);
    trui_step_events(s);
    if (solved == TRU_UNCONVERGED)
        return tru_remark(err, TRU_UNCONVERGED,
                          "step %llu (t = %.9g s): the solver stopped after %d iterations with relative residual %.3g",
                          (unsigned long long)w->steps_done, s->time + s->h, s->info.iterations, s->info.relative);
    return TRU_OK;
}

typedef struct drifting {
    tru_world *w;
    double h;
    bool additive;
} drifting;

static void drift_bodies(void *context, size_t begin, size_t end) {
    const drifting *d = context;
    for (size_t i = begin; i < end; i++) {
        body *b = &d->w->bodies.items[i];
        FETCH_NEXT(d->w->bodies.items, i, end, id, gain);
        if (b->kind == TRU_FIXED || b->belt) continue;
        body_drift(b, d->h, d->additive);
    }
}

void trui_drift(tru_world *w, double h, bool additive) {
    drifting d = {w, h, additive};
    trui_parallel_for(w->threads, w->bodies.count, BODY_GRAIN, drift_bodies, &d);
}

static void add_loads(step *s) {
    const tru_world *w = s->w;
    for (size_t i = 0; i < w->loads.count; i++) {
        const load *l = &w->loads.items[i];
        const size_t k = trui_body_index(w, l->body);
        const double f = trui_schedule_factor(&l->schedule, s->time + 0.5 * s->h);
        const tru_quat q = w->bodies.items[k].q;
        s->body_steps[k].dynamics->force =
            v3_madd(s->body_steps[k].dynamics->force, f, l->body_axes ? quat_rotate(q, l->force) : l->force);
        s->body_steps[k].dynamics->torque =
            v3_madd(s->body_steps[k].dynamics->torque, f, l->body_axes ? quat_rotate(q, l->torque) : l->torque);
    }
}

static void inertia_of_bodies(void *context, size_t begin, size_t end) {
    const step *s = context;
    tru_world *w = s->w;
    for (size_t i = begin; i < end; i++) {
        const body *b = &w->bodies.items[i];
        body_step *m = &s->body_steps[i];
        FETCH_NEXT(w->bodies.items, i, end, id, solid_first);
        if (m->dynamics) m->dynamics->force = m->dynamics->torque = v3_zero();
        s->inverse[i].inv_mass = b->inv_mass;
        s->inverse[i].moves = b->kind != TRU_FIXED;
        s->inverse[i].round = b->isotropic;
        if (w->middle.count > 0) w->middle.items[i] = b->q;
        if (s->size) s->size[i] = body_is_free(b) ? b->size : -b->size;
        if (body_is_free(b)) body_inertia(b, m, &s->inverse[i]);
    }
}

void trui_inertia_here(step *s) {
    trui_parallel_for(s->w->threads, s->w->bodies.count, BODY_GRAIN, inertia_of_bodies, s);
    add_loads(s);
}

static void kick_bodies(void *context, size_t begin, size_t end) {
    const step *s = context;
    const tru_world *w = s->w;
    for (size_t i = begin; i < end; i++) {
        const body *b = &w->bodies.items[i];
        body_step *m = &s->body_steps[i];
        if (!body_is_free(b)) {
            s->free[i] = m->start;
            if (b->kind == TRU_DRIVEN) trui_driven_rates(w, b, s->time + s->h, &s->free[i].v, &s->free[i].w);
            continue;
        }
        body_kick(s, b, m, &s->inverse[i], &s->free[i]);
    }
}

static void inertia_and_kick_bodies(void *context, size_t begin, size_t end) {
    enum { NEAR = 64 }; /* bodies that stay at hand */
    for (size_t at = begin; at < end; at += NEAR) {
        const size_t stop = end - at < NEAR ? end : at + NEAR;
        inertia_of_bodies(context, at, stop);
        kick_bodies(context, at, stop);
    }
}

void trui_inertia_and_kick(step *s) {
    if (s->w->loads.count > 0) {
        trui_inertia_here(s);
        trui_kick(s);
    } else {
        trui_parallel_for(s->w->threads, s->w->bodies.count, BODY_GRAIN, inertia_and_kick_bodies, s);
    }
}

void trui_kick(step *s) { trui_parallel_for(s->w->threads, s->w->bodies.count, BODY_GRAIN, kick_bodies, s); }

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

void trui_place_bodies(step *s, bool hold_spin_in_body) {
    tru_world *w = s->w;
    for (size_t i = 0; i < w->bodies.count; i++) {
        body *b = &w->bodies.items[i];
        const body_start *old = &w->before.items[i];
        if (b->kind == TRU_FIXED || b->belt) continue;
        body_place(b, &s->body_steps[i], old->x, old->q, body_middle(w, i), s->h, hold_spin_in_body);
    }
}
