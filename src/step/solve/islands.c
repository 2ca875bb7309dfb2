/* islands.c: the contact problem of a step in independent parts, each given to the solver that suits it.
 *
 * Bodies that touch, directly or through other free bodies, are one island; what does not move joins nothing. A solver
 * for many contacts gets the loose and the large islands, all in one problem; small ones go to newton, and stacks, chains
 * and mechanisms, whose matrix has a low skyline, to proxnewton [solvers 7]. Solvers that take any problem
 * (newton, proxnewton, prox) get every island by itself. */
#include "step/solve/contact_problem.h"
#include "step/solve/islands.h"
#include "step/solve/one_contacts.h"

#include "base/error.h"
#include "lanes/fetch.h"
#include "parallel/parallel.h"
#include "problem/skyline.h"

#define ORDERED    4096 /* contacts: no larger island is tried as a chain */
#define RESCUE     1000 /* sweeps for a chain that proxnewton leaves unsolved, */
#define ROUNDS     8    /* solves of one problem while contacts give way */
#define CLOSER     1e-3 /* and the part of the tolerance that a stack needs so as not to rock */
#define FEW_UNEVEN 50   /* contacts of uneven masses that proxnewton looks at before sweeps, */
#define AT_ONCE    10   /* for so many steps */

typedef struct island {
    uint32_t begin, count; /* in `contacts` */
} island;

#define NOWHERE UINT32_MAX

/* What a contact joins: its bodies, b only if it is free. */
typedef struct sides {
    uint32_t a, b;
} sides;

typedef struct islands {
    sides *sides;       /* beside contacts */
    uint32_t *contacts; /* island after island, in their order within each; in the end those for the solver of many */
    uint32_t *parent;   /* beside bodies: those that hang together lead to the same one; the step keeps it */
    arena_mark mark;    /* behind them: all else is needed only until then */
    island *items;
    size_t count;
    int32_t *number;   /* beside bodies: place within the island that is being looked at, else -1 */
    uint32_t *members; /* bodies of that island */
    int32_t member_count;
    bool *done;  /* beside contacts: solved already */
    bool *loose; /* beside contacts: for the solver of many contacts */
    size_t loose_count;
    bool packable; /* the laws of every pair have constant limits, whatever the contact */
} islands;

/* ---- finding them */

/* Islands in the order of their first contacts. `label`: beside bodies, NOWHERE where no contact was seen yet. */
static void sort_contacts(islands *all, size_t count, uint32_t *parent, uint32_t *label) {
    for (size_t i = 0; i < count; i++) {
        if (all->done[i]) continue;
        uint32_t *k = &label[bodies_root(parent, all->sides[i].a)];
        if (*k == NOWHERE) {
            *k = (uint32_t)all->count;
            all->items[all->count++] = (island){0, 0};
        }
        all->items[*k].count++;
    }
    uint32_t begin = 0;
    for (size_t i = 0; i < all->count; i++) {
        all->items[i].begin = begin;
        begin += all->items[i].count;
        all->items[i].count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (all->done[i]) continue;
        island *k = &all->items[label[bodies_root(parent, all->sides[i].a)]];
        all->contacts[k->begin + k->count++] = (uint32_t)i;
    }
}

static bool reserve_islands(step *s, islands *all) {
    const tru_world *w = s->w;
    const size_t n = w->bodies.count, m = w->contacts.count;
    arena *scratch = &s->w->scratch;
    *all = (islands){.contacts = ARENA_ARRAY(scratch, uint32_t, m), .done = all->done};
    all->parent = ARENA_ARRAY(scratch, uint32_t, n);
    all->mark = trui_arena_here(scratch);
    all->sides = ARENA_ARRAY(scratch, sides, m);
    all->items = ARENA_ARRAY(scratch, island, m);
    all->number = ARENA_ARRAY(scratch, int32_t, n);
    all->members = ARENA_ARRAY(scratch, uint32_t, n);
    all->loose = ARENA_ARRAY(scratch, bool, m);
    if (!all->contacts || !all->sides || !all->items || !all->parent || !all->number || !all->members || !all->loose)
        return false;
    memset(all->loose, 0, m * sizeof *all->loose);
    for (size_t i = 0; i < n; i++) {
        all->parent[i] = (uint32_t)i;
        all->number[i] = -1;
    }
    return true;
}

typedef struct siding {
    const tru_world *w;
    sides *sides;
} siding;

static void find_sides(void *context, size_t begin, size_t end) {
    const siding *k = context;
    const contact *all = k->w->contacts.items;
    const body *bodies = k->w->bodies.items;
    for (size_t i = begin; i < end; i++) {
        if (i + FETCH_AHEAD < end) __builtin_prefetch(&bodies[all[i + FETCH_AHEAD].b].kind);
        k->sides[i] = (sides){all[i].a, body_is_free(&bodies[all[i].b]) ? all[i].b : NOWHERE};
    }
}

/* Which bodies hang together, by contacts and by joints. */
static void join_bodies(const tru_world *w, sides *of, uint32_t *parent) {
    siding k = {w, of};
    trui_parallel_for(w->threads, w->contacts.count, CONTACT_GRAIN, find_sides, &k);
    for (size_t i = 0; i < w->contacts.count; i++)
        if (of[i].b != NOWHERE) bodies_join(parent, of[i].a, of[i].b);
    for (size_t i = 0; i < w->joints.count; i++) {
        const joint *j = &w->joints.items[i];
        if (body_is_free(&w->bodies.items[j->a]) && body_is_free(&w->bodies.items[j->b]))
            bodies_join(parent, (uint32_t)j->a, (uint32_t)j->b);
    }
}

static bool find_islands(step *s, islands *all) {
    const size_t n = s->w->bodies.count;
    uint32_t *label = ARENA_ARRAY(&s->w->scratch, uint32_t, n);
    if (!label) return false;
    for (size_t i = 0; i < n; i++) label[i] = NOWHERE;
    sort_contacts(all, s->w->contacts.count, all->parent, label);
    return true;
}

/* ---- what suits an island */

/* Numbers for the island's bodies in an order with a low skyline; how many block products a factorisation then takes.
 * Negative: no memory. */
static double order_bodies(step *s, islands *all, const island *is) {
    tru_world *w = s->w;
    const arena_mark mark = trui_arena_here(&w->scratch);
    sky_link *links = ARENA_ARRAY(&w->scratch, sky_link, is->count);
    int count = 0;
    for (uint32_t i = 0; links && i < is->count; i++) {
        const contact *c = &w->contacts.items[all->contacts[is->begin + i]];
        const size_t side[2] = {c->a, c->b};
        for (int k = 0; k < 2; k++)
            if (body_is_free(&w->bodies.items[side[k]]) && all->number[side[k]] < 0) {
                all->number[side[k]] = all->member_count;
                all->members[all->member_count++] = (uint32_t)side[k];
            }
        const sky_link l = {all->number[c->a], all->number[c->b]};
        if (l.b >= 0 && (count == 0 || links[count - 1].a != l.a || links[count - 1].b != l.b)) links[count++] = l;
    }
    const int n = all->member_count;
    int *place = ARENA_ARRAY(&w->scratch, int, (size_t)n);
    double products = -1.0;
    if (links && place && trui_sky_order(&w->scratch, links, count, n, place)) {
        products = trui_sky_cost(&w->scratch, links, count, n, place);
        for (int i = 0; i < n; i++) all->number[all->members[i]] = place[i];
    }
    trui_arena_rewind(&w->scratch, mark);
    return products;
}

static void forget_numbers(islands *all) {
    for (int i = 0; i < all->member_count; i++) all->number[all->members[i]] = -1;
    all->member_count = 0;
}

static bool all_packable(const tru_world *w) {
    for (size_t i = 0; i < w->pairs.count; i++) {
        const contact any = {.pair = &w->pairs.items[i]};
        if (any.pair->needs != 0 || !trui_sweep_possible(&any, 1, w->bodies.items, w->solids.items)) return false;
    }
    return true;
}

/* Have all its laws constant limits? */
static bool packable(const tru_world *w, const islands *all, const island *is) {
    const pair *known = NULL;
    for (uint32_t i = 0; !all->packable && i < is->count; i++) {
        const contact *c = &w->contacts.items[all->contacts[is->begin + i]];
        if (c->pair == known) continue;
        if (!trui_sweep_possible(c, 1, w->bodies.items, w->solids.items)) return false;
        known = c->pair;
    }
    return true;
}

/* ---- solving one */

/* Solvers of small islands go for round-off, where a stone that rocks on two corners may keep them; the step asks for less:
 * as close as a stack needs is solved. */
static bool close_enough(const step *s, const tru_solver *solver, const tru_solve_info *info) {
    return solver != s->w->solver && info->relative <= CLOSER * tru_default_ngs().tolerance;
}

/* ---- many contacts */

static void note_times(tru_world *w, const sweep_problem *k, double build, double solve, double finish) {
    w->profile.pack += build + finish;
    w->profile.solve += solve;
    w->profile.sweep += k->swept;
    w->profile.steps++;
    w->profile.sweeps += k->sweeps;
    w->profile.packed += k->contact_count;
}

/* Contacts by a solver for many: impulses into them, end velocities onto their bodies. */
static tru_status sweep_contacts(step *s, const twist *free, bool exact, const uint32_t *chosen, size_t count,
                                 const tru_use *use, tru_solve_info *info, tru_error *err) {
    tru_world *w = s->w;
    const tru_solver *solver = use ? &tru_solver_ngs : w->solver;
    const sweep_input in = {.scratch = &w->scratch,
                            .contacts = w->contacts.items,
                            .chosen = chosen,
                            .contact_count = count,
                            .bodies = w->bodies.items,
                            .body_count = w->bodies.count,
                            .solids = w->solids.items,
                            .inverse = s->inverse,
                            .free = free,
                            .speed = s->speed,
                            .normal_terms = s->normal_terms,
                            .step = s->acts,
                            .threads = w->threads,
                            .clock = w->clock,
                            .exact = exact};
    const arena_mark mark = trui_arena_here(&w->scratch);
    sweep_problem *k = ARENA_ARRAY(&w->scratch, sweep_problem, 1);
    if (!k) return tru_no_memory(err);
    const double begun = world_clock(w);
    tru_status status = trui_sweep_build(k, &in, err);
    const double built = world_clock(w);
    for (int round = 0; status >= 0 && round < ROUNDS; round++) { /* as trui_problem_solve */
        status = solver->solve_many(use ? use->params : w->solver_params, k, info, err);
        if (status < 0 || !trui_sweep_revise(k, &in)) break;
    }
    const double solved = world_clock(w);
    if (status < 0) return status;
    trui_sweep_finish(k, w->bodies.items, s->seen);
    note_times(w, k, built - begun, solved - built, world_clock(w) - solved);
    trui_arena_rewind(&w->scratch, mark);
    return status;
}

/* ---- all of them */

/* An island by a solver of `tru_problem`; what newton and proxnewton cannot do is left to many sweeps where laws allow it. */
static tru_status solve_island(step *s, islands *all, const island *is, const tru_solver *solver, const void *params,
                               const twist *free, bool exact, tru_error *err) {
    const uint32_t *chosen = all->contacts + is->begin;
    tru_problem pb;
    tru_solve_info info = {.worst = -1}, swept = {.worst = -1};
    const arena_mark mark = trui_arena_here(&s->w->scratch);
    if (solver->matrix_free && all->member_count == 0 && order_bodies(s, all, is) < 0.0) return tru_no_memory(err);
    tru_status status = trui_problem_of_contacts(s, &pb, chosen, is->count, !solver->matrix_free, err);
    if (status < 0) return status;
    pb.number = solver->matrix_free ? all->number : NULL;
    pb.numbered = all->member_count;
    const double begun = world_clock(s->w);
    status = trui_problem_solve(s, &pb, solver, params, &info, err);
    /* where newton stalls short of round-off, at a self-stress that nothing determines, what is good for a stack is good here */
    const double good = solver == s->w->solver ? 0.0 : tru_default_proxnewton().tolerance;
    if (status == TRU_UNCONVERGED && solver == &tru_solver_newton && info.relative > good)
        status = trui_problem_go_on(s, &pb, larger(good, ((const tru_newton *)params)->tolerance), &info, err);
    s->w->profile.solve += world_clock(s->w) - begun;
    if (status == TRU_UNCONVERGED && close_enough(s, solver, &info)) {
        info.converged = true;
        status = TRU_OK;
    }
    if (status == TRU_UNCONVERGED && s->w->solver->solve_many && packable(s->w, all, is)) {
        tru_ngs rescue = tru_default_ngs();
        rescue.iterations = RESCUE;
        rescue.tolerance *= CLOSER;
        status = sweep_contacts(s, free, exact, chosen, is->count, &(tru_use){"ngs", &rescue}, &swept, err);
        swept.iterations += info.iterations;
    }
    if (status >= 0) {
        const bool better = swept.worst >= 0 && swept.max < info.max;
        if (!better) {
            for (int i = 0; swept.worst >= 0 && i < pb.block_count; i++) {
                trui_body_to_free(s, pb.blocks[i].a);
                trui_body_to_free(s, pb.blocks[i].b);
            }
            trui_problem_apply(s, &pb);
            trui_take_rates(s, &pb);
        }
        trui_merge_info(&s->info, better ? &swept : &info, chosen, is->count, s->w->contacts.count);
    }
    forget_numbers(all);
    trui_arena_rewind(&s->w->scratch, mark);
    return status;
}

/* Do bodies lie on each other with faces, two contacts or more for each pair that touches? Then there is self-stress, and
 * stopping early rocks them. Loose grains touch in points, mostly slip, and are better off with sweeps. */
static bool has_faces(const tru_world *w, const islands *all, const island *is) {
    uint32_t pairs = 0;
    const contact *last = NULL;
    for (uint32_t i = 0; i < is->count; i++) {
        const contact *c = &w->contacts.items[all->contacts[is->begin + i]];
        pairs += !last || last->a != c->a || last->b != c->b;
        last = c;
    }
    return is->count >= 2 * pairs;
}

/* Does a body touch one of a small part of its mass? Sweeps move what lies between heavy bodies by as small a part in each. */
static bool is_uneven(const tru_world *w, const islands *all, const island *is) {
    for (uint32_t i = 0; is->count <= ORDERED && i < is->count; i++) {
        const contact *c = &w->contacts.items[all->contacts[is->begin + i]];
        const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
        if (a->kind != TRU_FREE || b->kind != TRU_FREE) continue;
        if (larger(a->mass, b->mass) > SWEEP_UNEVEN * fmin(a->mass, b->mass)) return true;
    }
    return false;
}

/* Is one factorisation of an island no dearer than the solver's `chain` sweeps over it, a sweep of one contact being as dear as a
 * block product? */
static bool is_chain(step *s, islands *all, const island *is, double *products) {
    const int32_t chain = s->w->solver->factor_cost_limit(s->w->solver_params);
    if (chain == 0 || is->count > (uint32_t)ORDERED) return false;
    *products = order_bodies(s, all, is);
    if (*products <= (double)chain * is->count) return true;
    forget_numbers(all);
    return false;
}

/* Small enough for newton: one contact; a few with faces; or all there are. Grains that touch in points come in crowds, and
 * a hundred dense matrices cost more than they are worth there. */
static bool is_small(const step *s, const islands *all, const island *is) {
    const uint32_t few = (uint32_t)s->w->solver->dense_limit(s->w->solver_params);
    if (is->count > few) return false;
    return is->count == 1 || s->w->contacts.count <= few || has_faces(s->w, all, is);
}

static tru_status solve_chain(step *s, islands *all, const island *is, double products, const twist *free, bool exact,
                              tru_error *err) {
    const tru_proxnewton chain = tru_default_proxnewton();
    if (products < 0.0) return tru_no_memory(err);
    return solve_island(s, all, is, &tru_solver_proxnewton, &chain, free, exact, err);
}

/* A few steps of proxnewton from the impulses of the last step: a small island at rest needs no more. Else it is as it was, and
 * unsolved. */
static tru_status solve_at_once(step *s, islands *all, const island *is, tru_error *err) {
    const uint32_t *chosen = all->contacts + is->begin;
    const arena_mark mark = trui_arena_here(&s->w->scratch);
    tru_proxnewton few = tru_default_proxnewton();
    tru_problem pb;
    tru_solve_info info = {.worst = -1};
    few.iterations = AT_ONCE;
    if (order_bodies(s, all, is) < 0.0) return tru_no_memory(err);
    tru_status status = trui_problem_of_contacts(s, &pb, chosen, is->count, false, err);
    if (status < 0) return status;
    pb.number = all->number;
    pb.numbered = all->member_count;
    const double begun = world_clock(s->w);
    status = trui_problem_solve(s, &pb, &tru_solver_proxnewton, &few, &info, err);
    s->w->profile.solve += world_clock(s->w) - begun;
    if (status == TRU_OK) {
        trui_problem_apply(s, &pb);
        trui_take_rates(s, &pb);
        trui_merge_info(&s->info, &info, chosen, is->count, s->w->contacts.count);
    }
    forget_numbers(all);
    trui_arena_rewind(&s->w->scratch, mark);
    return status;
}

/* Did sweeps not get there, as many as a rescue has? Who allows fewer of them wants no other solver. */
static bool gave_up(tru_status status, const tru_solve_info *info) {
    return status == TRU_UNCONVERGED && info->iterations >= RESCUE;
}

static void island_to_free(step *s, const islands *all, const island *is) {
    for (uint32_t i = 0; i < is->count; i++) {
        const contact *c = &s->w->contacts.items[all->contacts[is->begin + i]];
        trui_body_to_free(s, c->a);
        trui_body_to_free(s, c->b);
    }
}

/* Loose, but with heavy bodies on light ones, or hard otherwise: sweeps (trui_sweep_uneven: more of them); if they do not get there,
 * proxnewton goes on from their impulses. It alone is no better: of a heap in which much slips it takes hundreds of
 * factorisations. */
static tru_status solve_by_itself(step *s, islands *all, const island *is, const twist *free, bool exact,
                                  tru_error *err) {
    const uint32_t *chosen = all->contacts + is->begin;
    tru_solve_info info = {.worst = -1};
    double products = 0.0;
    tru_status status = is->count <= FEW_UNEVEN ? solve_at_once(s, all, is, err) : TRU_UNCONVERGED;
    if (status != TRU_UNCONVERGED) return status;
    status = sweep_contacts(s, free, exact, chosen, is->count, NULL, &info, err);
    if (gave_up(status, &info) && is_chain(s, all, is, &products)) {
        island_to_free(s, all, is);
        return solve_chain(s, all, is, products, free, exact, err);
    }
    if (status >= 0) trui_merge_info(&s->info, &info, chosen, is->count, s->w->contacts.count);
    return status;
}

/* The loose ones one by one, each from where sweeps over all of them ended. */
static tru_status solve_apart(step *s, islands *all, const twist *free, bool exact, tru_error *err) {
    tru_status status = TRU_OK;
    for (size_t i = 0; status >= 0 && i < all->count; i++) {
        if (!all->loose[all->contacts[all->items[i].begin]]) continue;
        island_to_free(s, all, &all->items[i]);
        status = solve_by_itself(s, all, &all->items[i], free, exact, err);
    }
    return status;
}

/* All at once. Of many the lists of islands are given back before that: their room is needed. Few that are left unsolved go on one by
 * one. */
static tru_status solve_loose(step *s, islands *all, const twist *free, bool exact, tru_error *err) {
    tru_world *w = s->w;
    const bool few = all->loose_count <= ORDERED;
    uint32_t *chosen = few ? ARENA_ARRAY(&w->scratch, uint32_t, all->loose_count) : all->contacts;
    if (!chosen) return tru_no_memory(err);
    tru_solve_info info = {.worst = -1};
    size_t count = 0;
    for (size_t i = 0; i < w->contacts.count; i++)
        if (all->loose[i]) chosen[count++] = (uint32_t)i;
    if (!few && w->joints.count == 0)
        trui_arena_rewind(&w->scratch, all->mark); /* with joints their rows stand there */
    const tru_status status = sweep_contacts(s, free, exact, chosen, count, NULL, &info, err);
    if (few && gave_up(status, &info)) return solve_apart(s, all, free, exact, err);
    if (status >= 0) trui_merge_info(&s->info, &info, chosen, count, w->contacts.count);
    return status;
}

static tru_status solve_or_leave(step *s, islands *all, const island *is, const twist *free, bool exact,
                                 tru_error *err) {
    const tru_world *w = s->w;
    const tru_newton small = {.tolerance = NEWTON_TOLERANCE, .max_steps = NEWTON_STEPS};
    double products = 0.0;
    if (!w->solver->solve_many) return solve_island(s, all, is, w->solver, w->solver_params, free, exact, err);
    if (is_small(s, all, is)) return solve_island(s, all, is, &tru_solver_newton, &small, free, exact, err);
    const bool only = !packable(w, all, is); /* laws without constant limits: nothing else can take them */
    if (only || (has_faces(w, all, is) && is_chain(s, all, is, &products)))
        return solve_chain(s, all, is, products, free, exact, err);
    if (is_uneven(w, all, is)) return solve_by_itself(s, all, is, free, exact, err);
    for (uint32_t i = 0; i < is->count; i++) all->loose[all->contacts[is->begin + i]] = true;
    all->loose_count += is->count;
    return TRU_OK;
}

/* Where what a joint hangs together with leads. */
static uint32_t joint_root(const tru_world *w, const islands *all, const joint *j) {
    return bodies_root(all->parent, (uint32_t)(body_is_free(&w->bodies.items[j->a]) ? j->a : j->b));
}

/* In an impact: only mechanisms that something strikes, and those whole. `held`: roots of all that have joints. */
static void strike_jointed(step *s, const islands *all, bool *held) {
    tru_world *w = s->w;
    bool *const had = held + w->bodies.count;
    memcpy(had, held, w->bodies.count * sizeof *held);
    memset(held, 0, w->bodies.count * sizeof *held);
    for (size_t i = 0; i < w->contacts.count; i++) {
        const uint32_t at = bodies_root(all->parent, (uint32_t)w->contacts.items[i].a);
        if (w->contacts.items[i].flags & CONTACT_IMPACT) held[at] = had[at];
    }
    for (size_t i = 0; i < w->joints.count; i++)
        s->struck_joints[i].struck = held[joint_root(w, all, &w->joints.items[i])];
}

/* Contacts of bodies that hang together with a joint; done from here on. held: room for two flags per body. */
static size_t choose_jointed(step *s, const islands *all, bool *held, uint32_t *chosen) {
    tru_world *w = s->w;
    size_t count = 0;
    memset(held, 0, w->bodies.count * sizeof *held);
    for (size_t i = 0; i < w->joints.count; i++) held[joint_root(w, all, &w->joints.items[i])] = true;
    for (size_t i = 0; i < w->contacts.count; i++)
        all->done[i] |= held[bodies_root(all->parent, (uint32_t)w->contacts.items[i].a)];
    if (s->strikes) strike_jointed(s, all, held);
    for (size_t i = 0; i < w->contacts.count; i++) {
        if (!held[bodies_root(all->parent, (uint32_t)w->contacts.items[i].a)]) continue;
        if (s->strikes) w->contacts.items[i].flags |= CONTACT_STRUCK;
        chosen[count++] = (uint32_t)i;
    }
    return count;
}

/* Joints and all that hangs together with them: one problem for newton or proxnewton, since sweeps do not know their rows.
 * What they do not reach goes the way of islands. */
static tru_status solve_jointed(step *s, const islands *all, tru_error *err) {
    tru_world *w = s->w;
    bool *held = ARENA_ARRAY(&w->scratch, bool, 2 * w->bodies.count);
    uint32_t *chosen = ARENA_ARRAY(&w->scratch, uint32_t, w->contacts.count);
    if (!held || !chosen) return tru_no_memory(err);
    const size_t count = choose_jointed(s, all, held, chosen);
    if (s->strikes && count == 0) return TRU_OK;
    tru_status status = trui_joints_place(s, false, err);
    if (status >= 0) status = trui_problem_of_contacts(s, &s->problem, chosen, count, !trui_joints_many(s, count), err);
    const double begun = world_clock(w);
    if (status >= 0) status = trui_solve_contacts(s, err);
    w->profile.solve += world_clock(w) - begun;
    const tru_solver *by = s->problem.g ? &tru_solver_newton : &tru_solver_proxnewton;
    if (status == TRU_UNCONVERGED && close_enough(s, by, &s->info)) {
        s->info.converged = true;
        status = TRU_OK;
    }
    if (status < 0 || count == w->contacts.count) return status;
    const tru_solve_info info = s->info;
    s->info = (tru_solve_info){.worst = -1, .converged = true, .joint = info.joint, .joint_turn = info.joint_turn};
    trui_merge_info(&s->info, &info, chosen, count, w->contacts.count);
    return status;
}

/* Contacts alone, one by one; those that newton leaves unsolved go the way of islands. Returns how many are done. */
static size_t solve_alone(step *s, bool *done) {
    const size_t count = s->w->contacts.count;
    const double begun = world_clock(s->w);
    size_t good = 0;
    for (size_t i = 0; i < s->one_contact_count; i++) {
        one_contact *l = &s->one_contacts[i];
        const uint32_t at = (uint32_t)(l->c - s->w->contacts.items);
        tru_solve_info info = {.worst = -1};
        done[at] = trui_one_contacts_solve(s, l, &info) == TRU_OK;
        good += done[at];
        if (done[at]) {
            trui_merge_info(&s->info, &info, &at, 1, count);
        } else {
            trui_body_to_free(s, l->c->a);
            trui_body_to_free(s, l->c->b);
        }
    }
    s->w->profile.solve += world_clock(s->w) - begun;
    return good;
}

/* Is there an impact in it? Then all of it is struck. */
static bool strike(const tru_world *w, const islands *all, const island *is) {
    bool any = false;
    for (uint32_t i = 0; i < is->count; i++)
        any = any || w->contacts.items[all->contacts[is->begin + i]].flags & CONTACT_IMPACT;
    for (uint32_t i = 0; any && i < is->count; i++)
        w->contacts.items[all->contacts[is->begin + i]].flags |= CONTACT_STRUCK;
    return any;
}

tru_status trui_solve_islands(step *s, const twist *free, bool exact, tru_error *err) {
    islands all;
    const size_t count = s->w->contacts.count;
    tru_status status = trui_one_contacts_choose(s, err);
    if (status < 0) return status;
    s->info = (tru_solve_info){.worst = -1, .converged = true};
    all.done = ARENA_ARRAY(&s->w->scratch, bool, count);
    if (!all.done) return tru_no_memory(err);
    memset(all.done, 0, count * sizeof *all.done);
    trui_bodies_to_free(s);
    status = trui_one_contacts_build(s, err);
    if (status < 0) return status;
    if (solve_alone(s, all.done) == count && s->w->joints.count == 0) return TRU_OK;
    if (!reserve_islands(s, &all)) return tru_no_memory(err);
    join_bodies(s->w, all.sides, all.parent);
    s->parent = all.parent;
    all.packable = all_packable(s->w);
    if (s->w->joints.count > 0) status = solve_jointed(s, &all, err);
    if (!find_islands(s, &all)) return tru_no_memory(err);
    for (size_t i = 0; status >= 0 && i < all.count; i++)
        if (!s->strikes || strike(s->w, &all, &all.items[i]))
            status = solve_or_leave(s, &all, &all.items[i], free, exact, err);
    if (status >= 0 && all.loose_count > 0) status = solve_loose(s, &all, free, exact, err);
    return status < 0 ? status : s->info.converged ? TRU_OK : TRU_UNCONVERGED;
}
