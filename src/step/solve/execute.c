/* execute.c: the loop that runs the attempts of a plan, and what an attempt does. */
#include "step/solve/execute.h"
#include "step/joints.h"

#include "base/error.h"
#include "step/solve/contact_problem.h"
#include "step/solve/one_contacts.h"

enum { SWEEP_ROUNDS = 8 }; /* solves of one problem while contacts give way, as in trui_problem_solve */

solver_choice trui_world_choice(const tru_world *w) { return trui_solver_choice(w->solver, w->solver_params); }

/* ---- sweeps */

static void note_times(tru_world *w, const sweep_problem *k, double build, double solve, double finish) {
    w->profile.pack += build + finish;
    w->profile.solve += solve;
    w->profile.sweep += k->swept;
    w->profile.steps++;
    w->profile.sweeps += k->sweeps;
    w->profile.packed += k->contact_count;
}

/* Sweeps over the part: impulses into its contacts, end velocities onto their bodies. */
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
    const arena_mark mark = trui_arena_here(&w->scratch);
    sweep_problem *k = ARENA_ARRAY(&w->scratch, sweep_problem, 1);
    if (!k) return tru_no_memory(err);
    const double begun = world_clock(w);
    tru_status status = trui_sweep_build(k, &in, err);
    const double built = world_clock(w);
    for (int round = 0; status >= 0 && round < SWEEP_ROUNDS; round++) {
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

static void part_to_free(solving *k) {
    for (size_t i = 0; i < k->count; i++) {
        const contact *c = &k->s->w->contacts.items[k->chosen[i]];
        trui_body_to_free(k->s, c->a);
        trui_body_to_free(k->s, c->b);
    }
}

/* Builds the problem of an island from the impulses in its contacts; those that sweeps put onto bodies are taken off again. */
static tru_status build_part(solving *k, const tru_solver *solver, tru_error *err) {
    if (solver->matrix_free && trui_fact_cost(k->facts) < 0.0) return tru_no_memory(err);
    if (k->by_sweeps) part_to_free(k);
    k->by_sweeps = false;
    const tru_status status = trui_problem_of_contacts(k->s, &k->own, k->chosen, k->count, !solver->matrix_free, err);
    if (status < 0) return status;
    k->own.number = solver->matrix_free ? k->number : NULL;
    k->own.numbered = *k->numbered;
    k->problem = &k->own;
    return TRU_OK;
}

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

/* A few steps from the impulses of the last step; if they do not converge, nothing has happened. */
static tru_status try_part(solving *k, const tru_solver *solver, const void *params, tru_error *err) {
    const arena_mark mark = trui_arena_here(&k->s->w->scratch);
    const tru_status status = solve_part(k, solver, params, err);
    if (status != TRU_UNCONVERGED) return status;
    k->problem = NULL;
    trui_arena_rewind(&k->s->w->scratch, mark);
    return status;
}

/* Newton's result is good enough for a stack: nothing is gained by continuing. */
static double enough_of(const solving *k, plan_class class) {
    (void)k;
    return class == PLAN_SMALL ? tru_default_proxnewton().tolerance : 0.0;
}

static tru_status continue_part(solving *k, plan_class class, tru_error *err) {
    tru_world *w = k->s->w;
    const double tolerance = larger(enough_of(k, class), trui_plan_newton(k->choice).tolerance);
    const bool built = k->problem == &k->s->problem;
    const double begun = world_clock(w);
    const tru_status status = trui_problem_go_on(k->s, k->problem, tolerance, &k->info, err);
    if (!built) w->profile.solve += world_clock(w) - begun;
    return status;
}

/* Joints and contacts that newton left unsolved: proxnewton starts where it was best, bilateral rows among the others. */
static tru_status rebuild_part(solving *k, const tru_solver *solver, const void *params, tru_error *err) {
    step *s = k->s;
    tru_problem *pb = k->problem;
    tru_solve_info best = k->info;
    size_t count = 0;
    uint32_t *chosen = ARENA_ARRAY(&s->w->scratch, uint32_t, (size_t)pb->block_count);
    if (!chosen) return tru_no_memory(err);
    trui_problem_hold(pb, &best); /* impulses into contacts and joints are the start of the next solve */
    trui_problem_apply(s, pb);
    for (int i = 0; i < pb->block_count; i++)
        if (pb->blocks[i].contact) chosen[count++] = (uint32_t)(pb->blocks[i].contact - s->w->contacts.items);
    const tru_status status = trui_problem_of_contacts(s, pb, chosen, count, false, err);
    return status < 0 ? status : trui_problem_solve(s, pb, solver, params, &k->info, err);
}

/* ---- the loop */

static bool is_close(const solving *k, plan_class class) {
    return trui_plan_rule(class)->close && !k->by_sweeps && k->problem && k->info.relative <= trui_plan_close();
}

/* Is this attempt to be made after others that did not converge? */
static bool is_wanted(solving *k, plan_class class, const plan_attempt *a, const plan_attempt *first) {
    const tru_solver *by = trui_plan_solver(k->choice, first->solver);
    switch (a->call) {
    case CALL_CONTINUE:
        return by == &tru_solver_newton && k->problem->held.n == 0 && !(k->info.relative <= enough_of(k, class));
    case CALL_REBUILD:
        return k->problem->g && k->problem->held.n > 0 && !k->choice->solver->no_fallback;
    case CALL_SOLVE:
        return trui_plan_swept_out(TRU_UNCONVERGED, &k->info) && trui_plan_is_cheap(k->choice, k->facts);
    case CALL_RESCUE:
        return !k->by_sweeps && !is_close(k, class) && trui_fact_limits(k->facts);
    default:
        return true;
    }
}

static tru_status attempt(solving *k, plan_class class, const plan_attempt *a, tru_error *err) {
    const tru_solver *solver = trui_plan_solver(k->choice, a->solver);
    plan_params p;
    trui_plan_parameters(k->choice, a, &p);
    switch (a->call) {
    case CALL_TRY:
        return try_part(k, solver, p.params, err);
    case CALL_CONTINUE:
        return continue_part(k, class, err);
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
    default:
        return solve_part(k, solver, p.params, err);
    }
}

tru_status trui_execute(solving *k, plan_class class, tru_error *err) {
    const plan_attempt *first = trui_plan_rule(class)->attempts;
    tru_profile *profile = &k->s->w->profile;
    tru_status status = attempt(k, class, first, err);
    /* the try of a small, hard part is not its solver: what follows it is */
    const int solvers = first->call == CALL_TRY ? 2 : 1;
    bool fell_back = false;
    for (int i = 1; i < PLAN_ATTEMPTS && first[i].call != CALL_NONE && status == TRU_UNCONVERGED; i++) {
        if (!is_wanted(k, class, &first[i], first)) continue;
        fell_back = fell_back || i >= solvers;
        status = attempt(k, class, &first[i], err);
    }
    profile->parts[class]++;
    profile->fallbacks[class] += fell_back;
    if (status != TRU_UNCONVERGED || k->swept.worst >= 0 || k->problem == &k->s->problem || !is_close(k, class))
        return status;
    k->info.converged = true;
    return TRU_OK;
}

void trui_execute_apply(solving *k) {
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

static island_facts whole_facts(const step *s, size_t contacts) {
    return (island_facts){.contacts = (uint32_t)contacts,
                          .step_contacts = (uint32_t)s->w->contacts.count,
                          .joints = s->w->joints.count > 0,
                          .joint_rows = s->w->joints.count > 0 ? joints_row_count(s->w) : 0,
                          .whole = true};
}

static bool is_dense(const step *s, size_t contacts) {
    const solver_choice choice = trui_world_choice(s->w);
    island_facts facts = whole_facts(s, contacts);
    const plan_class class = trui_plan_choose(&choice, &facts);
    return !trui_plan_solver(&choice, trui_plan_rule(class)->attempts[0].solver)->matrix_free;
}

bool trui_joints_dense(const step *s, size_t contacts) { return is_dense(s, contacts); }

tru_status trui_problem_build(step *s, tru_error *err) {
    const size_t rest = s->w->contacts.count - s->one_contact_count;
    const tru_status status = trui_one_contacts_build(s, err);
    if (status < 0 || rest + s->w->joints.count == 0) return status;
    return trui_problem_of_contacts(s, &s->problem, s->others, rest, is_dense(s, rest), err);
}

/* Solves contacts that share bodies, and joints. */
static tru_status solve_problem(step *s, tru_solve_info *info, tru_error *err) {
    tru_problem *pb = &s->problem;
    if (pb->block_count == 0) {
        if (pb->held.n > 0) trui_problem_begin(s, pb); /* joints alone: their impulses follow at once */
        return TRU_OK;
    }
    const solver_choice choice = trui_world_choice(s->w);
    island_facts facts = whole_facts(s, 0);
    facts.singular = !pb->g;
    solving k = {.s = s, .choice = &choice, .facts = &facts, .problem = pb, .info = *info, .swept = {.worst = -1}};
    /* a matrix that was built fits: how many rows it has was decided then */
    const tru_status status = trui_execute(&k,
                                           !facts.joints ? trui_plan_choose(&choice, &facts)
                                           : pb->g       ? PLAN_JOINTS
                                                         : PLAN_MANY_JOINTS,
                                           err);
    *info = k.info;
    return status;
}

/* Solves separate contacts after the others, whose info is in s->info. */
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
        info.iterations = before; /* a fixed point goes on counting from the solve before */
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
    s->w->profile.parts[PLAN_ONE_CONTACT] += s->one_contact_count;
    if (count == 1 && s->one_contact_count == 1)
        trui_one_contacts_solve(s, s->one_contacts, &s->info);
    else
        solve_one_contacts(s);
    s->info.iterations += before;
    return s->info.converged ? TRU_OK : TRU_UNCONVERGED;
}
