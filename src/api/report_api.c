/* report_api.c: reading contacts, energy, quality of the solution and events of a world. */
#include "base/assert.h"
#include "base/error.h"
#include "detect/find_contacts.h"
#include "step/solve/execute.h"
#include "step/motion.h"

/* Returns true before the first step, where the contacts at the start are reported. */
static bool at_start(const tru_world *w) { return w->steps_done == 0 && w->checked; }

size_t tru_contact_count(const tru_world *w) { return at_start(w) ? w->at_start.count : w->contacts.count; }

/* Reads the k-th contact. It stores every number that it needs, so nothing is searched for again. */
static void read_contact(const tru_world *w, size_t k, tru_contact_info *out) {
    if (at_start(w)) {
        *out = w->at_start.items[k].shown;
        return;
    }
    const contact *c = &w->contacts.items[k];
    TRU_ASSERT(c->a != c->b && c->a < w->bodies.count && c->b < w->bodies.count);
    TRU_ASSERT(fabs(v3_dot(c->c.normal, v3_cross(c->c.t1, c->c.t2)) - 1.0) < 1e-6);
    const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
    *out = (tru_contact_info){.body_a = a->id,
                              .body_b = b->id,
                              .shape_a = w->solids.items[c->solid_a].k,
                              .shape_b = w->solids.items[c->solid_b].k,
                              .feature = c->key.feature,
                              .stuck = c->stuck,
                              .point = v3_add(a->x, c->end ? c->end->place.arm_a : c->c.arm_a),
                              .normal = c->c.normal,
                              .t1 = c->c.t1,
                              .t2 = c->c.t2,
                              .arm_a = c->c.arm_a,
                              .arm_b = c->c.arm_b,
                              .gap = c->end ? c->end->place.gap : c->c.gap};
    memcpy(out->impulse, c->impulse, sizeof out->impulse);
    if (c->flags & CONTACT_TRACKED) memcpy(out->couple_b, c->springs->couple_b, sizeof out->couple_b);
    if (c->end)
        memcpy(out->velocity, c->end->rate, sizeof out->velocity);
    else
        rates_of_rows(c->c.normal, c->c.t1, c->c.t2, c->c.arm_a, c->c.arm_b, &(twist){a->v, a->w}, &(twist){b->v, b->w},
                      out->velocity);
}

tru_status tru_contact_get(const tru_world *w, size_t k, tru_contact_info *out, tru_error *err) {
    if (!w || k >= tru_contact_count(w)) return tru_fail(err, TRU_STALE_ID, "contact %zu does not exist", k);
    if (!out) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_contact_get needs a place for the contact");
    read_contact(w, k, out);
    return TRU_OK;
}

tru_status tru_contacts_get(const tru_world *w, tru_contact_info *out, size_t room, tru_error *err) {
    if (!w || (!out && room > 0))
        return tru_fail(err, TRU_BAD_ARGUMENT, "tru_contacts_get needs a world and a place for the contacts");
    const size_t count = tru_contact_count(w);
    const tru_status s = trui_room_check("tru_contacts_get", room, count, "contacts", err);
    for (size_t k = 0; s >= 0 && k < count; k++) read_contact(w, k, &out[k]);
    return s;
}

tru_status tru_contact_now(const tru_world *w, size_t k, tru_contact_place *out, tru_error *err) {
    if (!w || k >= tru_contact_count(w)) return tru_fail(err, TRU_STALE_ID, "contact %zu does not exist", k);
    if (!out) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_contact_now needs a place for the answer");
    if (at_start(w)) {
        const tru_contact_info *c = &w->at_start.items[k].shown;
        *out = (tru_contact_place){c->point, c->normal, c->t1, c->t2, .gap = c->gap};
        memcpy(out->velocity, c->velocity, sizeof out->velocity);
        return TRU_OK;
    }
    contact_place at;
    double u[TRU_ROWS];
    trui_contact_now(w, k, &at, u);
    *out = (tru_contact_place){.point = v3_add(w->bodies.items[w->contacts.items[k].a].x, at.arm_a),
                               .normal = at.normal,
                               .t1 = at.t1,
                               .t2 = at.t2,
                               .gap = at.gap};
    memcpy(out->velocity, u, sizeof out->velocity);
    return TRU_OK;
}

tru_ledger tru_world_ledger(const tru_world *w) {
    tru_ledger l = w->ledger;
    l.kinetic = l.potential = 0.0;
    for (size_t i = 0; i < w->bodies.count; i++) {
        l.kinetic += trui_body_kinetic(&w->bodies.items[i]);
        l.potential += trui_body_potential(w, &w->bodies.items[i]);
    }
    return l;
}

double tru_ledger_gap(const tru_ledger *l) {
    double now = 0.0, booked = l->start;
#define TRU_LEDGER_SUM(name, kind, doc)                                                                                \
    if (strcmp(kind, "energy") == 0)                                                                                   \
        now += &l->name == &l->start ? 0.0 : l->name;                                                                  \
    else                                                                                                               \
        booked += strcmp(kind, "dissipated") == 0 ? -l->name : l->name;
    TRU_LEDGER_LIST(TRU_LEDGER_SUM)
#undef TRU_LEDGER_SUM
    return now - booked;
}

tru_solve_info tru_world_solve_info(const tru_world *w) { return w->solve; }

tru_solve_totals tru_world_solve_take(tru_world *w) {
    const tru_solve_totals t = w->solve_totals;
    w->solve_totals = (tru_solve_totals){0};
    return t;
}

tru_status tru_judge(const tru_world *w, tru_verdict *out, tru_error *err) {
    if (!w || !out) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_judge needs a world and a place for the verdict");
    if (!w->stepper || !w->stepper->judge || w->before.count != w->bodies.count || w->steps_done == 0)
        return tru_fail(err, TRU_BAD_ARGUMENT, "there is no step to judge");
    return w->stepper->judge(w->stepper_params, w, out, err);
}

const char *tru_event_name(int kind) {
    static const char *const names[] = {
#define TRU_EVENT_NAME(name, text) text,
        TRU_EVENT_LIST(TRU_EVENT_NAME)
#undef TRU_EVENT_NAME
    };
    return kind >= 0 && (size_t)kind < sizeof names / sizeof *names ? names[kind] : "?";
}

size_t tru_events_take(tru_world *w, tru_event *out, size_t room, uint64_t *lost) {
    event_ring *r = &w->events;
    TRU_ASSERT(r->count <= EVENT_ROOM);
    size_t n = 0;
    for (; n < room && r->count > 0; n++, r->count--) {
        out[n] = r->items[r->first];
        r->first = (r->first + 1) % EVENT_ROOM;
    }
    if (lost) *lost = r->lost;
    return n;
}

const char *tru_solver_chosen(const tru_world *w) { return w->solver ? w->solver->name : NULL; }

bool tru_solver_limit_at(const tru_world *w, size_t k, tru_solver_limit *out) {
    if (!w->solver) return false;
    const solver_choice choice = trui_world_choice(w);
    return trui_plan_limit(&choice, k, out);
}
