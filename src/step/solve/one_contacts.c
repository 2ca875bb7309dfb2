/* one_contacts.c: contacts whose bodies have no other contact: each is a problem of its own. */
#include "step/motion.h"
#include "solvers/plan/plan.h"
#include "step/solve/one_contacts.h"

#include "base/assert.h"
#include "base/error.h"
#include "lanes/fetch.h"
#include "parallel/parallel.h"

/* Returns true if the plan solves separate contacts one by one. */
static bool are_planned(const tru_world *w, bool special_normals, tru_newton *newton) {
    const solver_choice choice = trui_solver_choice(w->solver, w->solver_params);
    island_facts facts = {.contacts = 1,
                          .step_contacts = (uint32_t)w->contacts.count,
                          .separate = true,
                          .special_normals = special_normals,
                          .joints = w->joints.count > 0,
                          .whole = true};
    *newton = trui_plan_newton(&choice);
    return trui_plan_choose(&choice, &facts) == PLAN_ONE_CONTACT;
}

bool trui_one_contacts_newton(const tru_world *w, tru_newton *out) { return are_planned(w, false, out); }

bool trui_contact_is_separate(const tru_world *w, const contact *c) {
    const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
    return (!body_is_free(a) || (a->contacts == 1 && a->joints == 0)) &&
           (!body_is_free(b) || (b->contacts == 1 && b->joints == 0));
}

/* Context of choose_range. */
typedef struct choosing {
    const tru_world *w;
    bool *alone; /* per contact: it is solved alone */
} choosing;

/* Finds the separate contacts of begin .. end - 1. Returns 1 if there are any. */
static unsigned choose_range(void *context, size_t begin, size_t end) {
    const choosing *k = context;
    unsigned any = 0;
    for (size_t i = begin; i < end; i++) {
        const contact *c = &k->w->contacts.items[i];
        FETCH_NEXT(k->w->contacts.items, i, end, key, pair);
        k->alone[i] = one_contact_possible(c) && trui_contact_is_separate(k->w, c);
        any |= k->alone[i];
    }
    return any;
}

/* Lists separate contacts in step.one_contacts and the others in step.others. */
static tru_status list_alone(step *s, const bool *alone, tru_error *err) {
    tru_world *w = s->w;
    const size_t count = w->contacts.count;
    size_t rest = 0, all = 0;
    for (size_t i = 0; i < count; i++) all += alone[i];
    s->one_contacts = ARENA_ARRAY(&w->scratch, one_contact, all);
    uint32_t *others = ARENA_ARRAY(&w->scratch, uint32_t, count);
    if (!s->one_contacts || !others) return tru_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        contact *c = &w->contacts.items[i];
        if (alone[i]) {
            s->one_contacts[s->one_contact_count++].c = c;
            if (s->turning) s->body_steps[c->a].dynamics->separate = true;
            if (s->turning && body_is_free(&w->bodies.items[c->b])) s->body_steps[c->b].dynamics->separate = true;
        } else {
            others[rest++] = (uint32_t)i;
        }
    }
    TRU_ASSERT(s->one_contact_count == all && all + rest == count);
    s->others = others;
    return TRU_OK;
}

tru_status trui_one_contacts_choose(step *s, tru_error *err) {
    tru_world *w = s->w;
    const size_t count = w->contacts.count;
    tru_newton newton;
    s->one_contact_count = 0;
    s->others = NULL;
    for (size_t i = 0; s->turning && i < w->bodies.count; i++) /* trui_gyro_linear reads it */
        s->body_steps[i].dynamics->separate = w->bodies.items[i].contacts + w->bodies.items[i].joints == 0;
    if (count == 0) return TRU_OK;
    s->seen = arena_push_array(&w->scratch, count, sizeof *s->seen);
    if (!s->seen) return tru_no_memory(err);
    if (!are_planned(w, s->normal_terms || s->strikes, &newton)) return TRU_OK;
    choosing k = {w, ARENA_ARRAY(&w->scratch, bool, count)};
    if (!k.alone) return tru_no_memory(err);
    return trui_parallel_any(w->threads, count, CONTACT_GRAIN, choose_range, &k) ? list_alone(s, k.alone, err) : TRU_OK;
}

tru_status trui_one_contacts_build(step *s, tru_error *err) {
    for (size_t i = 0; i < s->one_contact_count; i++) {
        contact *c = s->one_contacts[i].c;
        tru_contact view;
        if (!c->pair->plain) step_view(s, c, &view);
        if (!trui_one_contact_build(&s->one_contacts[i], c, &view, &s->inverse[c->a], &s->inverse[c->b], s->fall))
            return tru_no_memory(err);
    }
    return TRU_OK;
}

void trui_one_contacts_rebuild(step *s) {
    for (size_t i = 0; i < s->one_contact_count; i++) {
        const contact *c = s->one_contacts[i].c;
        if (s->body_steps[c->a].dynamics->linear || s->body_steps[c->b].dynamics->linear)
            trui_one_contact_matrix(&s->one_contacts[i], &s->inverse[c->a], &s->inverse[c->b]);
    }
}

tru_status trui_one_contacts_solve(step *s, one_contact *l, tru_solve_info *info) {
    const solver_choice choice = {.solver = s->w->solver, .params = s->w->solver_params};
    const tru_newton o = trui_plan_newton(&choice);
    const tru_status status = trui_one_contacts_solve_with(s, l, &o, s->seen[l->c - s->w->contacts.items], info);
    push_bodies(s, l->c);
    return status;
}

tru_status trui_one_contacts_solve_with(step *s, one_contact *l, const tru_newton *o, double *seen,
                                        tru_solve_info *info) {
    TRU_ASSERT(o->tolerance > 0.0 && o->max_steps > 0);
    double worst = 0.0;
    int steps = 0;
    trui_one_contact_free_rates(l, &s->free[l->c->a], &s->free[l->c->b]);
    for (int round = 0; round < trui_solver_limits.revise_rounds; round++) {
        steps += trui_one_contact_solve(l, o->tolerance, o->max_steps, &worst);
        if (!trui_one_contact_revise(l)) break;
    }
    trui_one_contact_finish(l, seen);
    trui_one_contact_report(l, worst, steps, o->tolerance, info);
    return info->converged ? TRU_OK : TRU_UNCONVERGED;
}
