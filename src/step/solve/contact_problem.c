/* contact_problem.c: the problem of some contacts and joints: built from them, solved, its impulses onto the bodies. */
#include "step/solve/contact_problem.h"

#include "base/assert.h"
#include "base/error.h"
#include "lanes/fetch.h"
#include "parallel/parallel.h"
#include "solvers/plan/plan.h"
#include "step/solve/one_contacts.h"
#include "step/motion.h"
#include "step/joints.h"

/* Returns the number of rows that the laws of a contact claim, the normal row included. */
static size_t rows_of(const contact *c) {
    const unsigned k = c->pair->claims;
    return 1u + (k & TRU_KIND_BIT(TRU_KIND_SLIDE) ? 2u : 0u) + (k & TRU_KIND_BIT(TRU_KIND_SPIN) ? 1u : 0u) +
           (k & TRU_KIND_BIT(TRU_KIND_ROLL) ? 2u : 0u);
}

/* Fills a block: rows, prepared laws, and the impulses of the last step as warm start. */
static void block_of_contact(step *s, tru_problem *pb, contact *c, block *b) {
    b->kind = BLOCK_CONTACT;
    b->a = c->a;
    b->b = c->b;
    b->theta = c->theta;
    b->contact = c;
    b->joint = NULL;
    b->viscous = NULL;
    b->relaxed = c->flags & CONTACT_RELAXED;
    b->normal_terms = s->normal_terms ? s->normal_terms[c - s->w->contacts.items] : (normal_terms){0.0, 0.0};
    TRU_ASSERT(c->pair->law_count >= 0 && c->pair->law_count <= TRU_PAIR_LAWS);
    b->stuck = 0;
    b->law_count = c->pair->law_count;
    tru_contact view;
    if (b->law_count > 0) step_view(s, c, &view);
    for (int i = 0; i < b->law_count; i++) {
        const pair_law *l = &c->pair->laws[i];
        double *work = l->kept > 0 ? c->c.memory + l->kept : b->work[i];
        view.memory = c->c.memory ? c->c.memory + l->memory : NULL; /* each law sees its own part of the history */
        l->law->prepare(l->params, &view, work);
        b->laws[i] = (law_use){l->law, work, view.memory, l->claims};
    }
    b->least_speed = s->speed;
    trui_problem_contact_rows(pb, b, c);
    TRU_ASSERT(b->rows >= 1 && b->rows <= TRU_ROWS && (size_t)b->rows == rows_of(c));
    /* unique impulses are extrapolated; the self-stress of redundant contacts is not unique, so it stays */
    const bool steady = c->age > 1 && c->steady && trui_contact_is_separate(s->w, c);
    for (int k = 0; k < b->rows; k++) pb->p[b->first + k] = c->dry[b->row[k]];
    if (!c->end) return;
    for (int k = 0; k < b->rows; k++) {
        const double now = c->dry[b->row[k]], last = c->end->last[b->row[k]];
        if (steady) pb->p[b->first + k] = now + (now - last);
        c->end->older[b->row[k]] = last;
        c->end->last[b->row[k]] = now;
    }
}

tru_status trui_problem_of_contacts(step *s, tru_problem *pb, const uint32_t *chosen, size_t count, bool matrix,
                                    tru_error *err) {
    tru_world *w = s->w;
    contact *all = w->contacts.items;
    size_t most = 0;
    for (size_t i = 0; i < count; i++) most += rows_of(&all[chosen ? chosen[i] : i]);
    if (pb == &s->problem) most += joints_row_count(w);
    *pb = (tru_problem){.scratch = &w->scratch, .bodies = s->inverse, .step = s->acts};
    pb->blocks = ARENA_ARRAY(&w->scratch, block, count + w->joints.count);
    pb->rows = ARENA_ARRAY(&w->scratch, problem_row, most);
    double *room = ARENA_ARRAY(&w->scratch, double, most *(matrix ? most + 3 : 3));
    if (!pb->blocks || !pb->rows || !room) return tru_no_memory(err);
    pb->r = room;
    pb->p = room + most;
    pb->u = room + 2 * most;
    pb->g = matrix ? room + 3 * most : NULL;
    for (size_t i = 0; i < count; i++) {
        contact *c = &all[chosen ? chosen[i] : i];
        block_of_contact(s, pb, c, &pb->blocks[pb->block_count++]);
        pb->impulse = larger(pb->impulse, w->bodies.items[c->a].mass * s->fall);
    }
    if (pb == &s->problem) trui_joints_blocks(s);
    if (matrix && trui_problem_assemble(pb)) return TRU_OK;
    const solver_choice choice = trui_solver_choice(w->solver, w->solver_params);
    if (matrix && trui_plan_drops_matrix(&choice, w->joints.count > 0))
        return trui_problem_of_contacts(s, pb, chosen, count, false, err);
    if (matrix) return tru_no_memory(err);
    trui_problem_rows(pb);
    return TRU_OK;
}

void trui_problem_begin(const step *s, tru_problem *pb) {
    for (int i = 0; i < pb->block_count + pb->held.blocks; i++) {
        const block *b = &pb->blocks[i];
        double u[TRU_ROWS];
        if (b->joint) {
            trui_joint_free_rates(s, b);
            continue;
        }
        middle_rates(b->contact, &s->free[b->a], &s->free[b->b], u);
        for (int k = 0; k < b->rows; k++) pb->r[b->first + k] = u[b->row[k]] + contact_bias(b->contact, b->row[k]);
    }
    trui_problem_free_rates(pb);
}

/* Stores the impulses of one block in its contact: those of the sets, and the sums with viscous impulses. */
static void take_impulses(const tru_problem *pb, const block *bl) {
    contact *c = bl->contact;
    const double none =
        1e-40 * bl->metric[TRU_KIND_NORMAL] * bl->speed; /* Newton's shift leaves less than this of zero */
    memset(c->dry, 0, sizeof c->dry);
    memset(c->impulse, 0, sizeof c->impulse);
    for (int k = 0; k < bl->rows; k++) {
        const double found = pb->p[bl->first + k];
        const double dry = fabs(found) > none * pb->rows[bl->first + k].length ? found : 0.0;
        c->dry[bl->row[k]] = dry;
        c->impulse[bl->row[k]] = bl->viscous ? dry - trui_block_viscous(pb, bl, k) : dry;
    }
    c->stuck = bl->stuck;
    c->steady = c->stuck == c->c.stuck;
}

void trui_body_to_free(step *s, size_t i) {
    s->w->bodies.items[i].v = s->free[i].v;
    s->w->bodies.items[i].w = s->free[i].w;
}

static void some_to_free(void *context, size_t begin, size_t end) {
    step *s = context;
    for (size_t i = begin; i < end; i++) {
        FETCH_NEXT(s->w->bodies.items, i, end, v, gain);
        trui_body_to_free(s, i);
    }
}

void trui_bodies_to_free(step *s) { trui_parallel_for(s->w->threads, s->w->bodies.count, BODY_GRAIN, some_to_free, s); }

void trui_problem_apply(step *s, const tru_problem *pb) {
    for (int i = 0; i < pb->block_count + pb->held.blocks; i++) {
        if (pb->blocks[i].joint) {
            trui_joint_push(s, &pb->blocks[i]);
            continue;
        }
        take_impulses(pb, &pb->blocks[i]);
        push_bodies(s, pb->blocks[i].contact);
    }
}

/* Lets the laws change their sets by what sticks now. Returns true if one did. */
static bool revise(const tru_problem *pb) {
    bool again = false;
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        for (int k = 0; k < b->law_count; k++)
            if (b->laws[k].law->revise && b->laws[k].law->revise(b->laws[k].work, b->stuck)) again = true;
    }
    return again;
}

tru_status trui_problem_solve(step *s, tru_problem *pb, const tru_solver *solver, const void *params,
                              tru_solve_info *info, tru_error *err) {
    tru_status status = TRU_OK;
    for (int round = 0; round < trui_solver_limits.revise_rounds; round++) {
        const arena_mark mark = trui_arena_here(&s->w->scratch);
        trui_problem_begin(s, pb);
        status = solver->solve(params, pb, info, err);
        trui_arena_rewind(&s->w->scratch, mark);
        if (status < 0 || !revise(pb)) break;
    }
    return status;
}

tru_status trui_problem_continue(step *s, tru_problem *pb, const tru_proxnewton *params, tru_solve_info *info,
                                 tru_error *err) {
    TRU_ASSERT(pb->held.n == 0 && pb->n > 0);
    tru_solve_info second = {.worst = -1};
    double *g = pb->g, *kept = ARENA_ARRAY(&s->w->scratch, double, 2 * (size_t)pb->n);
    if (!kept) return tru_no_memory(err);
    memcpy(kept, pb->p, (size_t)pb->n * sizeof *kept);
    memcpy(kept + pb->n, pb->u, (size_t)pb->n * sizeof *kept);
    pb->g = NULL;
    trui_problem_rows(pb);
    const tru_status status = trui_problem_solve(s, pb, &tru_solver_proxnewton, params, &second, err);
    pb->g = g;
    if (status < 0) return status;
    second.iterations += info->iterations;
    if (second.relative < info->relative) {
        *info = second;
        return status;
    }
    memcpy(pb->p, kept, (size_t)pb->n * sizeof *kept);
    memcpy(pb->u, kept + pb->n, (size_t)pb->n * sizeof *kept);
    info->iterations = second.iterations;
    return TRU_UNCONVERGED;
}

void trui_merge_info(tru_solve_info *all, const tru_solve_info *part, const uint32_t *contacts, size_t count,
                     size_t step_count) {
    TRU_ASSERT(count <= step_count && part->worst < (int32_t)count);
    const double share = (double)count / (double)step_count;
    all->converged = all->converged && part->converged;
    if (part->iterations > all->iterations) all->iterations = part->iterations;
    if (part->single > all->single) all->single = part->single;
    if (part->worst >= 0 && (all->worst < 0 || part->relative > all->relative)) {
        all->worst = (int32_t)contacts[part->worst];
        all->relative = part->relative;
    }
    for (int k = 0; k < TRU_KINDS; k++) all->residual[k] = fmax(all->residual[k], part->residual[k]);
    all->rms = sqrt(all->rms * all->rms + share * part->rms * part->rms);
    all->max = fmax(all->max, part->max);
}

void trui_take_rates(const step *s, const tru_problem *pb) {
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        if (!b->contact) break; /* joints follow the contacts */
        double *seen = s->seen[b->contact - s->w->contacts.items];
        for (int row = 0; row < TRU_ROWS; row++) seen[row] = b->place[row] >= 0 ? pb->u[b->first + b->place[row]] : 0.0;
    }
}
