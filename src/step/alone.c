/* alone.c: contacts whose bodies have no other: each is a problem of its own. */
#include "step/single.h"
#include "step/verbs.h"

#include "base/error.h"
#include "lanes/fetch.h"
#include "parallel/parallel.h"

bool alone_newton(const tru_world *w, tru_newton *out) {
    *out = (tru_newton){.tolerance = NEWTON_TOLERANCE, .max_steps = NEWTON_STEPS};
    if (w->solver == &tru_solver_newton) *out = *(const tru_newton *)w->solver_params;
    return w->solver == &tru_solver_newton || (w->solver->solve_many && w->solver->few(w->solver_params) > 0);
}

bool contact_alone(const tru_world *w, const contact *c) {
    const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
    return (!body_is_free(a) || (a->contacts == 1 && a->joints == 0)) &&
           (!body_is_free(b) || (b->contacts == 1 && b->joints == 0));
}

typedef struct choosing {
    const tru_world *w;
    bool *alone; /* beside contacts */
} choosing;

static unsigned choose_range(void *context, size_t begin, size_t end) {
    const choosing *k = context;
    unsigned any = 0;
    for (size_t i = begin; i < end; i++) {
        const contact *c = &k->w->contacts.items[i];
        FETCH_NEXT(k->w->contacts.items, i, end, key, pair);
        k->alone[i] = lone_possible(c) && contact_alone(k->w, c);
        any |= k->alone[i];
    }
    return any;
}

/* Lists of both kinds; `alone` tells which is which. */
static tru_status list_alone(step *s, const bool *alone, tru_error *err) {
    tru_world *w = s->w;
    const size_t count = w->contacts.count;
    size_t rest = 0, all = 0;
    for (size_t i = 0; i < count; i++) all += alone[i];
    s->alone = ARENA_ARRAY(&w->scratch, lone, all);
    uint32_t *others = ARENA_ARRAY(&w->scratch, uint32_t, count);
    if (!s->alone || !others) return tru_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        contact *c = &w->contacts.items[i];
        if (alone[i]) {
            s->alone[s->alone_count++].c = c;
            if (s->turning) s->moving[c->a].rare->alone = true;
            if (s->turning && body_is_free(&w->bodies.items[c->b])) s->moving[c->b].rare->alone = true;
        } else {
            others[rest++] = (uint32_t)i;
        }
    }
    s->others = others;
    return TRU_OK;
}

tru_status alone_choose(step *s, tru_error *err) {
    tru_world *w = s->w;
    const size_t count = w->contacts.count;
    tru_newton newton;
    s->alone_count = 0;
    s->others = NULL;
    for (size_t i = 0; s->turning && i < w->bodies.count; i++) /* gyro_linear asks for it */
        s->moving[i].rare->alone = w->bodies.items[i].contacts + w->bodies.items[i].joints == 0;
    if (count == 0) return TRU_OK;
    s->seen = arena_push_array(&w->scratch, count, sizeof *s->seen);
    if (!s->seen) return tru_no_memory(err);
    if (w->joints.count > 0 || s->more || s->strikes || !alone_newton(w, &newton)) return TRU_OK;
    choosing k = {w, ARENA_ARRAY(&w->scratch, bool, count)};
    if (!k.alone) return tru_no_memory(err);
    return parallel_any(w->threads, count, CONTACT_GRAIN, choose_range, &k) ? list_alone(s, k.alone, err) : TRU_OK;
}

tru_status alone_build(step *s, tru_error *err) {
    for (size_t i = 0; i < s->alone_count; i++) {
        contact *c = s->alone[i].c;
        tru_contact view;
        if (!c->pair->plain) step_view(s, c, &view);
        if (!lone_build(&s->alone[i], c, &view, &s->inverse[c->a], &s->inverse[c->b], s->fall))
            return tru_no_memory(err);
    }
    return TRU_OK;
}

void alone_again(step *s) {
    for (size_t i = 0; i < s->alone_count; i++) {
        const contact *c = s->alone[i].c;
        if (s->moving[c->a].rare->linear || s->moving[c->b].rare->linear)
            lone_matrix(&s->alone[i], &s->inverse[c->a], &s->inverse[c->b]);
    }
}

tru_status alone_solve(step *s, lone *l, tru_solve_info *info) {
    tru_newton o;
    alone_newton(s->w, &o);
    const tru_status status = alone_solve_with(s, l, &o, s->seen[l->c - s->w->contacts.items], info);
    push_bodies(s, l->c);
    return status;
}

tru_status alone_solve_with(step *s, lone *l, const tru_newton *o, double *seen, tru_solve_info *info) {
    double worst = 0.0;
    int steps = 0;
    lone_free_rates(l, &s->free[l->c->a], &s->free[l->c->b]);
    for (int round = 0; round < 8; round++) {
        steps += lone_solve(l, o->tolerance, o->max_steps, &worst);
        if (!lone_revise(l)) break;
    }
    lone_finish(l, seen);
    lone_report(l, worst, steps, o->tolerance, info);
    return info->converged ? TRU_OK : TRU_UNCONVERGED;
}
