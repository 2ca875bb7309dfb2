/* islands.c: the contact problem of a step in independent parts, each with the facts that its plan needs.
 *
 * Bodies that touch, directly or through other free bodies, are one island; fixed and driven bodies do not join islands. This file
 * finds islands and measures their facts. plan.c chooses what solves them [solvers 7], execute.c executes the plan. */
#include "step/solve/contact_problem.h"
#include "solvers/sweep_problem/sweep_problem.h"
#include "step/joints.h"
#include "step/solve/execute.h"
#include "step/solve/islands.h"
#include "step/solve/one_contacts.h"

#include "base/assert.h"
#include "base/error.h"
#include "lanes/fetch.h"
#include "parallel/parallel.h"
#include "problem/skyline.h"

/* The contacts of an island. */
typedef struct island {
    uint32_t begin, count; /* in `contacts` */
} island;

#define NOWHERE UINT32_MAX /* no body, or no island yet */

/* The bodies that a contact joins; b is NOWHERE unless it is free. */
typedef struct sides {
    uint32_t a, b;
} sides;

/* All islands of a step. */
typedef struct islands {
    sides *sides; /* per contact */
    uint32_t
        *contacts; /* island by island, in their order within each; in the end those for sweeps over all loose ones */
    uint32_t *parent; /* per body: connected bodies lead to the same root; the step keeps it */
    arena_mark mark;  /* end of these arrays: sweeps over many contacts free the rest */
    island *items;
    size_t count;
    int32_t *number;   /* per body: place within the present island, else -1 */
    uint32_t *members; /* bodies of that island */
    int32_t member_count;
    bool *done;  /* per contact: solved already */
    bool *loose; /* per contact: for sweeps over all loose islands */
    size_t loose_count;
    solver_choice choice;
    const twist *free; /* per body: velocities that laws act on, without contacts */
    bool exact;        /* sweeps solve the exact form */
    bool packable;     /* the laws of every pair have constant limits, whatever the contact */
} islands;

/* ---- finding them */

/* Lists islands in the order of their first contacts. `label`: island per root, NOWHERE at first. */
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
    TRU_ASSERT(begin <= count && all->count <= begin); /* every island has a contact */
}

/* Allocates the lists of islands. Returns false without memory. */
static bool reserve_islands(step *s, islands *all) {
    const tru_world *w = s->w;
    const size_t n = w->bodies.count, m = w->contacts.count;
    arena *scratch = &s->w->scratch;
    *all = (islands){.contacts = ARENA_ARRAY(scratch, uint32_t, m),
                     .done = all->done,
                     .choice = all->choice,
                     .free = all->free,
                     .exact = all->exact};
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

/* Context of find_sides. */
typedef struct siding {
    const tru_world *w;
    sides *sides;
} siding;

/* Finds the bodies that contacts begin .. end - 1 join. */
static void find_sides(void *context, size_t begin, size_t end) {
    const siding *k = context;
    const contact *all = k->w->contacts.items;
    const body *bodies = k->w->bodies.items;
    for (size_t i = begin; i < end; i++) {
        if (i + FETCH_AHEAD < end) __builtin_prefetch(&bodies[all[i + FETCH_AHEAD].b].kind);
        TRU_ASSERT(all[i].a != all[i].b && body_is_free(&bodies[all[i].a])); /* a fixed body is always B */
        k->sides[i] = (sides){all[i].a, body_is_free(&bodies[all[i].b]) ? all[i].b : NOWHERE};
    }
}

/* Joins bodies that are connected by contacts or joints. */
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

/* Finds the islands of all contacts that are not done. Returns false without memory. */
static bool find_islands(step *s, islands *all) {
    const size_t n = s->w->bodies.count;
    uint32_t *label = ARENA_ARRAY(&s->w->scratch, uint32_t, n);
    if (!label) return false;
    for (size_t i = 0; i < n; i++) label[i] = NOWHERE;
    sort_contacts(all, s->w->contacts.count, all->parent, label);
    return true;
}

/* ---- measurements */

/* Numbers the island's bodies in an order with a low skyline. Returns the block products of a factorisation; negative without
 * memory. */
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
    TRU_ASSERT(!links || (n > 0 && (size_t)n <= w->bodies.count && count <= (int)is->count));
    int *place = ARENA_ARRAY(&w->scratch, int, (size_t)n);
    double products = -1.0;
    if (links && place && trui_sky_order(&w->scratch, links, count, n, place)) {
        products = trui_sky_cost(&w->scratch, links, count, n, place);
        for (int i = 0; i < n; i++) all->number[all->members[i]] = place[i];
    }
    trui_arena_rewind(&w->scratch, mark);
    return products;
}

/* Resets the numbers of the present island. */
static void forget_numbers(islands *all) {
    for (int i = 0; i < all->member_count; i++) all->number[all->members[i]] = -1;
    all->member_count = 0;
}

/* Returns true if the laws of every pair have constant limits in every contact. */
static bool all_packable(const tru_world *w) {
    for (size_t i = 0; i < w->pairs.count; i++) {
        const contact any = {.pair = &w->pairs.items[i]};
        if (any.pair->needs != 0 || !trui_sweep_possible(&any, 1, w->bodies.items, w->solids.items)) return false;
    }
    return true;
}

/* Returns true if all laws of an island have constant limits. */
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

/* ---- facts of an island */

/* Context of measure. */
typedef struct measuring {
    step *s;
    islands *all;
    const island *is;
} measuring;

/* Returns true if bodies lie on faces: at least faces_per_pair contacts per touching pair. Such islands have self-stress, and an
 * early exit makes them rock. Loose grains touch in points. */
static bool has_faces(const tru_world *w, const islands *all, const island *is) {
    const contact *last = NULL;
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < is->count; i++) {
        const contact *c = &w->contacts.items[all->contacts[is->begin + i]];
        pairs += !last || last->a != c->a || last->b != c->b;
        last = c;
    }
    return is->count >= (uint32_t)trui_solver_limits.faces_per_pair * pairs;
}

/* [-] Returns the first mass ratio of touching free bodies above uneven_ratio; 1 if there is none. */
static double mass_ratio(const tru_world *w, const islands *all, const island *is) {
    for (uint32_t i = 0; i < is->count; i++) {
        const contact *c = &w->contacts.items[all->contacts[is->begin + i]];
        const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
        if (a->kind != TRU_FREE || b->kind != TRU_FREE) continue;
        const double heavy = larger(a->mass, b->mass), light = fmin(a->mass, b->mass);
        if (heavy > trui_solver_limits.uneven_ratio * light) return heavy / light;
    }
    return 1.0;
}

/* Measures one fact of an island. */
static void measure(island_facts *f, island_fact fact) {
    const measuring *m = f->context;
    const tru_world *w = m->s->w;
    if (fact == FACT_FACES) f->faces = has_faces(w, m->all, m->is);
    if (fact == FACT_LIMITS) f->constant_limits = packable(w, m->all, m->is);
    if (fact == FACT_MASSES) f->mass_ratio = mass_ratio(w, m->all, m->is);
    if (fact == FACT_COST) f->factor_cost = order_bodies(m->s, m->all, m->is);
}

/* ---- all of them */

/* Plans and solves one island; marks a loose one. `apart`: sweeps over all loose islands have failed. */
static tru_status solve_island(step *s, islands *all, const island *is, bool apart, tru_error *err) {
    TRU_ASSERT(is->count > 0 && is->begin + is->count <= s->w->contacts.count && all->member_count == 0);
    measuring m = {s, all, is};
    island_facts facts = {.contacts = is->count,
                          .step_contacts = (uint32_t)s->w->contacts.count,
                          .apart = apart,
                          .measure = measure,
                          .context = &m};
    const plan_class class = trui_plan_choose(&all->choice, &facts);
    tru_status status = TRU_OK;
    if (class == PLAN_LOOSE) {
        for (uint32_t i = 0; i < is->count; i++) all->loose[all->contacts[is->begin + i]] = true;
        all->loose_count += is->count;
    } else {
        const arena_mark mark = trui_arena_here(&s->w->scratch);
        solving k = {.s = s,
                     .choice = &all->choice,
                     .facts = &facts,
                     .chosen = all->contacts + is->begin,
                     .count = is->count,
                     .free = all->free,
                     .exact = all->exact,
                     .number = all->number,
                     .numbered = &all->member_count,
                     .info = {.worst = -1},
                     .swept = {.worst = -1}};
        status = trui_execute(&k, class, err);
        if (status >= 0) trui_execute_apply(&k);
        trui_arena_rewind(&s->w->scratch, mark);
    }
    forget_numbers(all);
    return status;
}

/* Solves loose islands one by one, each from the impulses of sweeps over all of them. */
static tru_status solve_apart(solving *of, tru_error *err) {
    step *s = of->s;
    islands *all = of->context;
    tru_status status = TRU_OK;
    for (size_t i = 0; status >= 0 && i < all->count; i++) {
        const island *is = &all->items[i];
        if (!all->loose[all->contacts[is->begin]]) continue;
        for (uint32_t k = 0; k < is->count; k++) {
            const contact *c = &s->w->contacts.items[all->contacts[is->begin + k]];
            trui_body_to_free(s, c->a);
            trui_body_to_free(s, c->b);
        }
        status = solve_island(s, all, is, true, err);
    }
    return status;
}

/* Solves all loose islands at once. If they are many, frees the lists of islands first, whose memory is needed. If they are few and
 * stay unsolved, the plan divides them. */
static tru_status solve_loose(step *s, islands *all, tru_error *err) {
    tru_world *w = s->w;
    const bool few = trui_plan_divides(all->loose_count);
    uint32_t *chosen = few ? ARENA_ARRAY(&w->scratch, uint32_t, all->loose_count) : all->contacts;
    if (!chosen) return tru_no_memory(err);
    size_t count = 0;
    for (size_t i = 0; i < w->contacts.count; i++)
        if (all->loose[i]) chosen[count++] = (uint32_t)i;
    if (!few && w->joints.count == 0)
        trui_arena_rewind(&w->scratch, all->mark); /* not with joints: their rows are in that memory */
    TRU_ASSERT(count == all->loose_count);
    island_facts facts = {.contacts = (uint32_t)count, .step_contacts = (uint32_t)w->contacts.count};
    solving k = {.s = s,
                 .choice = &all->choice,
                 .facts = &facts,
                 .chosen = chosen,
                 .count = count,
                 .free = all->free,
                 .exact = all->exact,
                 .divide = solve_apart,
                 .context = all,
                 .swept = {.worst = -1}};
    const tru_status status = trui_execute(&k, PLAN_LOOSE, err);
    if (status >= 0) trui_execute_apply(&k);
    return status;
}

/* Returns the root of the bodies of a joint. */
static uint32_t joint_root(const tru_world *w, const islands *all, const joint *j) {
    return bodies_root(all->parent, (uint32_t)(body_is_free(&w->bodies.items[j->a]) ? j->a : j->b));
}

/* In an impact, keeps only mechanisms that are struck, each as a whole. `held`: roots of all mechanisms. */
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

/* Chooses the contacts of mechanisms and marks them as done. `held`: scratch of two flags per body. Returns their number. */
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

/* Solves joints and everything connected to them as one problem, because sweeps do not support rows of joints. Other contacts form
 * islands. */
static tru_status solve_jointed(step *s, const islands *all, tru_error *err) {
    tru_world *w = s->w;
    bool *held = ARENA_ARRAY(&w->scratch, bool, 2 * w->bodies.count);
    uint32_t *chosen = ARENA_ARRAY(&w->scratch, uint32_t, w->contacts.count);
    if (!held || !chosen) return tru_no_memory(err);
    const size_t count = choose_jointed(s, all, held, chosen);
    if (s->strikes && count == 0) return TRU_OK;
    tru_status status = trui_joints_place(s, false, err);
    if (status >= 0)
        status = trui_problem_of_contacts(s, &s->problem, chosen, count, trui_step_is_dense(s, count), err);
    const double begun = world_clock(w);
    if (status >= 0) status = trui_solve_joints(s, err);
    w->profile.solve += world_clock(w) - begun;
    if (status < 0 || count == w->contacts.count) return status;
    const tru_solve_info info = s->info;
    s->info = (tru_solve_info){.worst = -1, .converged = true, .joint = info.joint, .joint_turn = info.joint_turn};
    trui_merge_info(&s->info, &info, chosen, count, w->contacts.count);
    return status;
}

/* Solves separate contacts one by one. Those that stay unsolved are planned as islands. Returns the number of solved ones. */
static size_t solve_one_contacts(step *s, bool *done) {
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
    trui_plan_count(&s->w->profile, PLAN_ONE_CONTACT, s->one_contact_count, 1);
    s->w->profile.fallbacks[PLAN_ONE_CONTACT] += s->one_contact_count - good;
    return good;
}

/* Returns true if an island has an impact, and marks all its contacts as struck. */
static bool strike(const tru_world *w, const islands *all, const island *is) {
    bool any = false;
    for (uint32_t i = 0; i < is->count; i++)
        any = any || w->contacts.items[all->contacts[is->begin + i]].flags & CONTACT_IMPACT;
    for (uint32_t i = 0; any && i < is->count; i++)
        w->contacts.items[all->contacts[is->begin + i]].flags |= CONTACT_STRUCK;
    return any;
}

tru_status trui_solve_islands(step *s, const twist *free, bool exact, tru_error *err) {
    islands all = {.choice = trui_world_choice(s->w), .free = free, .exact = exact};
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
    if (solve_one_contacts(s, all.done) == count && s->w->joints.count == 0) return TRU_OK;
    if (!reserve_islands(s, &all)) return tru_no_memory(err);
    join_bodies(s->w, all.sides, all.parent);
    s->parent = all.parent;
    all.packable = all_packable(s->w);
    if (s->w->joints.count > 0) status = solve_jointed(s, &all, err);
    if (!find_islands(s, &all)) return tru_no_memory(err);
    for (size_t i = 0; status >= 0 && i < all.count; i++)
        if (!s->strikes || strike(s->w, &all, &all.items[i])) status = solve_island(s, &all, &all.items[i], false, err);
    if (status >= 0 && all.loose_count > 0) status = solve_loose(s, &all, err);
    return status < 0 ? status : s->info.converged ? TRU_OK : TRU_UNCONVERGED;
}
