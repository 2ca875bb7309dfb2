/* step_variational_cruise.c: steps of `variational` in which nothing begins or ends: what a step leaves is the start of the
 * next one, and the world is written once. The numbers are those of single steps, to the last bit. */
#include "world/books.h"
#include "steppers/variational/step_variational.h"

#include "math/quat.h"

/* A sum is finite if all its terms are. */
static bool node_is_finite(const rolling_node *k) {
    const tru_vec3 a = v3_add(v3_add(k->x, k->v), k->w);
    return isfinite((a.x + a.y) + a.z + ((k->q.w + k->q.x) + (k->q.y + k->q.z)));
}

/* Is this a step like the one before it: no event, no change of mode or rim? */
static bool goes_on(const tru_variational *o, const rolling *r, const rolling_result *out, double slow) {
    const body *b = &r->w->bodies.items[r->body];
    const rolling_demand d = trui_rolling_demand_of(r, out);
    if (d.lifts || d.slips || out->stuck != r->before.stuck || trui_rolling_past_upright(o, r, &out->end)) return false;
    return node_is_finite(&out->end) && body_rests(b, out->end.v, out->end.w, slow) == b->resting;
}

/* Where rolling is ideal it may also need what no contact has: then step by step. */
static bool rolls_well(const tru_variational *o, const contact *c) {
    const bool holds = (c->stuck & TRU_KIND_BIT(TRU_KIND_SLIDE)) && c->impulse[TRU_ROW_NORMAL] > 0.0;
    return holds || o->when_not_rolling != TRU_IDEAL;
}

/* Books a step whose end is not yet in the world. False, and nothing is booked, if its books do not hold. */
static bool books_after(const rolling *r, const rolling_result *out) {
    tru_world *w = r->w;
    body *b = &w->bodies.items[r->body];
    const tru_ledger before = w->ledger;
    ledger_add(&w->ledger, &out->work);
    if (books_plain(w)) return true;
    const tru_vec3 x = b->x;
    b->x = out->end.x;
    const bool holds = trui_books_update(w);
    b->x = x;
    if (!holds) w->ledger = before;
    return holds;
}

uint64_t trui_rolling_cruise(const void *params, tru_world *w, uint64_t steps) {
    const tru_variational *o = params;
    if (trui_rolling_handed_over(w) || !array_reserve(&w->memory, &w->contacts_before, 1)) return 0;
    rolling r = trui_rolling_of(o, w);
    if (r.began || !rolls_well(o, r.at) || !trui_body_make_gains(&w->memory, &w->bodies.items[r.body])) return 0;
    const step as = {.fall = v3_norm(w->gravity) * o->step};
    const double slow = trui_flat_speed(&as);
    rolling_result results[2] = {{.end = trui_rolling_start(o, &r)}, {.stuck = 0}};
    uint64_t taken = 0;
    for (; taken < steps; taken++) {
        const rolling_node *start = &results[taken & 1].end;
        rolling_result *out = &results[(taken + 1) & 1];
        out->stuck = TRU_KIND_BIT(TRU_KIND_SLIDE); /* steps of one mode set the same parts of a result */
        r.time = trui_world_time(w);
        if (trui_rolling_advance(o, &r, start, out, NULL) < 0 || !goes_on(o, &r, out, slow)) break;
        const tru_solve_info info = {.iterations = out->iterations, .converged = true};
        if (!books_after(&r, out)) break;
        trui_rolling_leave(&r, out);
        trui_step_count(w, &info, r.time + r.h);
    }
    if (taken == 0) return 0;
    r.before.age += (uint32_t)(taken - 1);
    trui_rolling_record(&r, &results[taken & 1]); /* there is room */
    trui_rolling_write(&r, &results[taken & 1]);
    return taken;
}
