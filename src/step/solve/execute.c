/* execute.c: the loop that runs the attempts of a plan, and what an attempt does. */
#include "step/solve/execute.h"
#include "solvers/sweep_problem/sweep_problem.h"
#include "step/joints.h"

#include "base/assert.h"
#include "base/error.h"
#include "step/solve/contact_problem.h"
#include "step/solve/one_contacts.h"

solver_choice trui_world_choice(const tru_world *w) { return trui_solver_choice(w->solver, w->solver_params); }

/* ---- sweeps */

/* Adds the times of one solve by sweeps to the profile. */
static void note_times(tru_world *w, const sweep_problem *k, double build, double solve, double finish) {
    w->profile.pack += build + finish;
    w->profile.solve += solve;
    w->profile.sweep += k->swept;
    w->profile.steps++;
    w->profile.sweeps += k->sweeps;
    w->profile.packed += k->contact_count;
}

/* Sweeps over the part. Stores impulses in its contacts and end velocities in their bodies. */
static tru_status sweep_part(solving *of, const tru_solver *solver, const void *params, tru_solve_info *info,
                             tru_error *err) {
    step *s = of->s;
    tru_world *w = s->w;
    const sweep_input in = {.scratch = &w->scratch,
                            .contacts = w->contacts.items,
                            .chosen = of->chosen,
                            .contact_count = of->count,
                            .bodies = w->bodies.items,
                            .body_count = w->bodies.count,
                            .solids = w->solids.items,
                            .inverse = s->inverse,
                            .free = of->free,
                            .speed = s->speed,
                            .normal_terms = s->normal_terms,
                            .step = s->acts,
                            .threads = w->threads,
                            .clock = w->clock,
                            .exact = of->exact};
    TRU_ASSERT(of->count > 0 && of->count <= w->contacts.count && solver->solve_many);
    const arena_mark mark = trui_arena_here(&w->scratch);
    sweep_problem *k = ARENA_ARRAY(&w->scratch, sweep_problem, 1);
    if (!k) return tru_no_memory(err);
    const double begun = world_clock(w);
    tru_status status = trui_sweep_build(k, &in, err);
    const double built = world_clock(w);
    for (int round = 0; status >= 0 && round < trui_solver_limits.revise_rounds; round++) {
        status = solver->solve_many(params, k, info, err);
        if (status < 0 || !trui_sweep_revise(k, &in)) break;
    }
    const double solved = world_clock(w);
    if (status < 0) return status;
    trui_sweep_finish(k, w->bodies.items, s->seen);
    note_times(w, k, built - begun, solved - built, world_clock(w) - solved);
    trui_arena_rewind(&w->scratch, mark);
    return status;
}

/* ---- problems with blocks */

/* Sets the bodies of a part back to their velocities without contacts. */
static void part_to_free(solving *k) {
    for (size_t i = 0; i < k->count; i++) {
        const contact *c = &k->s->w->contacts.items[k->chosen[i]];
        trui_body_to_free(k->s, c->a);
        trui_body_to_free(k->s, c->b);
    }
}

/* Builds the problem of an island, warm-started by the impulses in its contacts. Undoes the effect of sweeps on its bodies. */
static tru_status build_part(solving *k, const tru_solver *solver, tru_error *err) {
    if (solver->matrix_free && trui_fact_cost(k->facts) < 0.0) return tru_no_memory(err);
    if (k->by_sweeps) part_to_free(k);
    k->by_sweeps = false;
    const tru_status status = trui_problem_of_contacts(k->s, &k->own, k->chosen, k->count, !solver->matrix_free, err);
    if (status < 0) return status;
    TRU_ASSERT(k->own.block_count == (int)k->count); /* an island of contacts has no joints */
    k->own.number = solver->matrix_free ? k->number : NULL;
    k->own.numbered = *k->numbered;
    k->problem = &k->own;
    return TRU_OK;
}

/* Solves the problem of a part, which it builds unless the step built it. */
static tru_status solve_part(solving *k, const tru_solver *solver, const void *params, tru_error *err) {
    tru_world *w = k->s->w;
    const bool built = k->problem == &k->s->problem;
    tru_status status = built ? TRU_OK : build_part(k, solver, err);
    if (status < 0) return status;
    if (!built) k->info = (tru_solve_info){.worst = -1};
    const double begun = world_clock(w);
    status = trui_problem_solve(k->s, k->problem, solver, params, &k->info, err);
    if (!built) w->profile.solve += world_clock(w) - begun; /* step.problem: its caller reads the clock */
    return status;
}

/* Makes a few steps from the impulses of the last step. A result that did not converge is dropped. */
static tru_status try_part(solving *k, const tru_solver *solver, const void *params, tru_error *err) {
    const arena_mark mark = trui_arena_here(&k->s->w->scratch);
    const tru_status status = solve_part(k, solver, params, err);
    if (status != TRU_UNCONVERGED) return status;
    k->problem = NULL;
    trui_arena_rewind(&k->s->w->scratch, mark);
    return status;
}

/* Continues by proxnewton where newton stopped. */
static tru_status continue_part(solving *k, const tru_proxnewton *params, tru_error *err) {
    tru_world *w = k->s->w;
    const bool built = k->problem == &k->s->problem;
    const double begun = world_clock(w);
    const tru_status status = trui_problem_continue(k->s, k->problem, params, &k->info, err);
    if (!built) w->profile.solve += world_clock(w) - begun;
    return status;
}

/* Solves joints and contacts that newton left unsolved by proxnewton, from the best iterate, with bilateral rows in the problem. */
static tru_status rebuild_part(solving *k, const tru_solver *solver, const void *params, tru_error *err) {
    step *s = k->s;
    tru_problem *pb = k->problem;
    tru_solve_info best = k->info;
    size_t count = 0;
    uint32_t *chosen = ARENA_ARRAY(&s->w->scratch, uint32_t, (size_t)pb->block_count);
    if (!chosen) return tru_no_memory(err);
    trui_problem_hold(pb, &best); /* the impulses in contacts and joints are the warm start of the next solve */
    trui_problem_apply(s, pb);
    for (int i = 0; i < pb->block_count; i++)
        if (pb->blocks[i].contact) chosen[count++] = (uint32_t)(pb->blocks[i].contact - s->w->contacts.items);
    const tru_status status = trui_problem_of_contacts(s, pb, chosen, count, false, err);
    TRU_ASSERT(status < 0 || (!pb->g && pb->held.n == 0));
    return status < 0 ? status : trui_problem_solve(s, pb, solver, params, &k->info, err);
}

/* ---- the loop */

/* Returns what the plan needs to know of the result so far. */
static plan_result result_of(const solving *k) {
    return (plan_result){.relative = k->info.relative,
                         .iterations = k->info.iterations,
                         .by_sweeps = k->by_sweeps,
                         .problem = k->problem != NULL,
                         .dense = k->problem && k->problem->g,
                         .bilateral = k->problem && k->problem->held.n > 0};
}

/* Makes attempt i of a rule. */
static tru_status attempt(solving *k, const plan_rule *rule, int i, tru_error *err) {
    const tru_solver *solver = trui_plan_solver(k->choice, rule->attempts[i].solver);
    plan_params p;
    trui_plan_parameters(k->choice, rule, i, &p);
    switch (rule->attempts[i].call) {
    case CALL_TRY:
        return try_part(k, solver, p.params, err);
    case CALL_CONTINUE:
        return continue_part(k, p.params, err);
    case CALL_REBUILD:
        return rebuild_part(k, solver, p.params, err);
    case CALL_RESCUE: {
        const tru_status status = sweep_part(k, solver, p.params, &k->swept, err);
        k->swept.iterations += k->info.iterations;
        return status;
    }
    case CALL_SWEEP:
    case CALL_SWEEP_ALL:
        k->info = (tru_solve_info){.worst = -1};
        k->by_sweeps = true;
        return sweep_part(k, solver, p.params, &k->info, err);
    case CALL_DIVIDE:
        k->divided = true;
        return k->divide(k, err);
    default:
        return solve_part(k, solver, p.params, err);
    }
}

static uint64_t contacts_of(const solving *k) {
    uint64_t count = 0;
    if (k->chosen) return k->count;
    for (int i = 0; i < k->problem->block_count; i++) count += k->problem->blocks[i].contact != NULL;
    return count;
}

tru_status trui_execute(solving *k, plan_class class, tru_error *err) {
    const plan_rule *rule = trui_plan_rule(class);
    tru_profile *profile = &k->s->w->profile;
    tru_status status = TRU_UNCONVERGED;
    bool fell_back = false;
    for (int i = 0; i < PLAN_ATTEMPTS && rule->attempts[i].call != CALL_NONE && status == TRU_UNCONVERGED; i++) {
        const plan_result result = result_of(k);
        if (!trui_plan_wants(rule, i, k->choice, k->facts, &result)) continue;
        fell_back = fell_back || i >= rule->regular;
        status = attempt(k, rule, i, err);
    }
    trui_plan_count(profile, class, 1, contacts_of(k));
    profile->fallbacks[class] += fell_back;
    /* a rescue has its own result, and that of step.problem lacks the residuals of joints until its caller adds them */
    if (status != TRU_UNCONVERGED || k->swept.worst >= 0 || k->problem == &k->s->problem) return status;
    const plan_result result = result_of(k);
    if (!trui_plan_is_close(k->choice, rule, &result)) return status;
    k->info.converged = true;
    return TRU_OK;
}

void trui_execute_apply(solving *k) {
    if (k->divided) return; /* its islands were applied one by one */
    step *s = k->s;
    const bool better = k->swept.worst >= 0 && k->swept.max < k->info.max;
    if (!better && !k->by_sweeps) {
        for (int i = 0; k->swept.worst >= 0 && i < k->problem->block_count; i++) {
            trui_body_to_free(s, k->problem->blocks[i].a);
            trui_body_to_free(s, k->problem->blocks[i].b);
        }
        trui_problem_apply(s, k->problem);
        trui_take_rates(s, k->problem);
    }
    trui_merge_info(&s->info, better ? &k->swept : &k->info, k->chosen, k->count, s->w->contacts.count);
}

/* ---- everything in one problem */

/* Returns the facts of all joints and `contacts` contacts in one problem. */
static island_facts whole_facts(const step *s, size_t contacts) {
    return (island_facts){.contacts = (uint32_t)contacts,
                          .step_contacts = (uint32_t)s->w->contacts.count,
                          .joints = s->w->joints.count > 0,
                          .joint_rows = s->w->joints.count > 0 ? joints_row_count(s->w) : 0,
                          .whole = true};
}

bool trui_step_is_dense(const step *s, size_t contacts) {
    const solver_choice choice = trui_world_choice(s->w);
    island_facts facts = whole_facts(s, contacts);
    return trui_plan_is_dense(&choice, &facts);
}

tru_status trui_problem_build(step *s, tru_error *err) {
    TRU_ASSERT(s->one_contact_count <= s->w->contacts.count);
    const size_t rest = s->w->contacts.count - s->one_contact_count;
    const tru_status status = trui_one_contacts_build(s, err);
    if (status < 0 || rest + s->w->joints.count == 0) return status;
    return trui_problem_of_contacts(s, &s->problem, s->others, rest, trui_step_is_dense(s, rest), err);
}

/* Solves step.problem: contacts that share bodies, and joints. */
static tru_status solve_problem(step *s, tru_solve_info *info, tru_error *err) {
    tru_problem *pb = &s->problem;
    if (pb->block_count == 0) {
        if (pb->held.n == 0) return TRU_OK;
        trui_problem_begin(s, pb); /* the impulses of joints alone follow from their elimination */
        trui_plan_count(&s->w->profile, PLAN_JOINTS, 1, 0);
        return TRU_OK;
    }
    const solver_choice choice = trui_world_choice(s->w);
    island_facts facts = whole_facts(s, 0);
    facts.matrix = pb->g ? MATRIX_DENSE : MATRIX_NONE;
    solving k = {.s = s, .choice = &choice, .facts = &facts, .problem = pb, .info = *info, .swept = {.worst = -1}};
    const tru_status status = trui_execute(&k, trui_plan_choose(&choice, &facts), err);
    *info = k.info;
    return status;
}

/* Solves separate contacts one by one and merges their results into s->info. */
static void solve_one_contacts(step *s) {
    const size_t count = s->w->contacts.count;
    for (size_t i = 0; i < s->one_contact_count; i++) {
        const uint32_t at = (uint32_t)(s->one_contacts[i].c - s->w->contacts.items);
        tru_solve_info info = {.worst = -1};
        trui_one_contacts_solve(s, &s->one_contacts[i], &info);
        trui_merge_info(&s->info, &info, &at, 1, count);
    }
}

tru_status trui_solve_contacts(step *s, tru_error *err) {
    tru_problem *pb = &s->problem;
    const size_t count = s->w->contacts.count;
    const int32_t before = s->info.iterations;
    s->info = (tru_solve_info){.worst = -1, .converged = true};
    if (pb->block_count + pb->held.blocks > 0) {
        tru_solve_info info = s->info;
        info.iterations = before; /* a fixed-point iteration over solves counts all of them */
        tru_status status = solve_problem(s, &info, err);
        if (status < 0) return status;
        info.iterations -= before;
        trui_problem_hold(pb, &info);
        trui_bodies_to_free(s);
        trui_problem_apply(s, pb);
        trui_take_rates(s, pb);
        if (s->one_contact_count == 0)
            s->info = info;
        else
            trui_merge_info(&s->info, &info, s->others, count - s->one_contact_count, count);
    } else {
        trui_bodies_to_free(s);
    }
    trui_plan_count(&s->w->profile, PLAN_ONE_CONTACT, s->one_contact_count, 1);
    if (count == 1 && s->one_contact_count == 1)
        trui_one_contacts_solve(s, s->one_contacts, &s->info);
    else
        solve_one_contacts(s);
    s->info.iterations += before;
    return s->info.converged ? TRU_OK : TRU_UNCONVERGED;
}

tru_status trui_solve_joints(step *s, tru_error *err) {
    const solver_choice choice = trui_world_choice(s->w);
    const tru_status status = trui_solve_contacts(s, err);
    const plan_result result = {.relative = s->info.relative, .dense = s->problem.g != NULL};
    if (status != TRU_UNCONVERGED || !trui_plan_is_close_for_joints(&choice, &result)) return status;
    s->info.converged = true;
    return TRU_OK;
}
