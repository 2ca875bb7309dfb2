/* step_end.c: the checks that end a step, what it leaves to the next one, and its count. */
#include "step/end/step_end.h"
#include "base/assert.h"

#include "base/error.h"
#include "lanes/fetch.h"
#include "parallel/parallel.h"
#include "step/end/events.h"
#include "step/joints.h"
#include "step/motion.h"
#include "world/books.h"

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
        TRU_ASSERT(!c->pair->history || c->c.memory);
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
            TRU_ASSERT((size_t)info->worst < w->contacts.count);
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
 * exchange a few times that energy (1.2 times in test_impact.c); contradicting impulses were seen from 1e5 times on. */
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
    if (!(trui_books_most_energy(w) <= DBL_MAX))
        return tru_fail(
            err, TRU_NOT_FINITE,
            "step %llu (t = %.9g s): the energy of the bodies is not finite: a mass, a speed or a distance from "
            "the origin is too large",
            number, end);
    return tru_fail(err, TRU_NO_SOLUTION,
                    "step %llu (t = %.9g s): step is %.6g s, too long: the steps have added %.4g J without cause, more "
                    "than the %.4g J that the bodies ever had; take a shorter step",
                    number, end, s->h, books_gained(&w->ledger), trui_books_most_energy(w));
}

tru_status trui_step_end(step *s, tru_status solved, tru_error *err) {
    tru_world *w = s->w;
    const tru_status failed = check_end(s, err);
    TRU_ASSERT(solved >= TRU_OK); /* a step that failed was undone before */
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
