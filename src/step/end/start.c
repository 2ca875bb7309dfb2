/* start.c: contacts at the start of a run, before the first step: shown by tru_contact_get, and emitted as touches at that time.
 *
 * Steppers find their contacts where their laws act: in the middle or at the end of the first step, or once springs have a
 * load. So that all of them tell the same, bodies that touch at the start are found from their poses alone, and the touch that
 * a stepper finds later is not announced a second time. Nothing here influences the motion. */
#include "step/end/start.h"
#include "base/assert.h"

#include "base/error.h"

#define START_GAP   1e-7  /* [-] gap in parts of the smaller body that counts as touching, as for the stepper event */
#define START_NOISE 1e-14 /* [-] round-off of rates in parts of the bodies' speeds */
#define START_LATE  2.0 /* [-] most gap in parts of what turning opens per step: 9/2 A - 3 g after three steps, A < g */
#define START_STEPS 2   /* steps after which springs have a load, so that a contact without one has opened */

static twist twist_of(const tru_world *w, const body *b) {
    twist t = {b->v, b->w};
    if (b->kind == TRU_DRIVEN) trui_driven_rates(w, b, trui_world_time(w), &t.v, &t.w);
    return t;
}

static double size_of(const body *b) { return body_is_free(b) ? b->size : DBL_MAX; }

static double speed_of(const body *b, const twist *t) {
    return v3_norm(t->v) + (body_is_free(b) ? b->size * v3_norm(t->w) : 0.0);
}

/* Adds contact c, if its bodies touch and do not separate; false: no memory. */
static bool add_contact(tru_world *w, const contact *c) {
    const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
    const twist ta = twist_of(w, a), tb = twist_of(w, b);
    contact_place at;
    double u[TRU_ROWS];
    trui_contact_run_places(w, c, 1, a, b, &at);
    trui_contact_rates(&at, &ta, &tb, u);
    const double noise = START_NOISE * (speed_of(a, &ta) + speed_of(b, &tb));
    double still[TRU_ROWS];
    for (int row = 0; row < TRU_ROWS; row++) still[row] = row < 3 && fabs(u[row]) <= noise ? 0.0 : u[row];
    if (u[TRU_ROW_NORMAL] > noise || !(at.gap <= START_GAP * fmin(size_of(a), size_of(b)))) return true;
    start_contact *to = array_push(&w->memory, &w->at_start);
    if (!to) return false;
    *to = (start_contact){.key = c->key};
    to->shown = (tru_contact_info){.body_a = a->id,
                                   .body_b = b->id,
                                   .shape_a = w->solids.items[c->solid_a].k,
                                   .shape_b = w->solids.items[c->solid_b].k,
                                   .feature = c->key.feature,
                                   .stuck = (c->stuck | (rates_at_rest(still) & ~(c->flags >> CONTACT_SLIPS))) &
                                            c->pair->claims,
                                   .point = v3_add(a->x, at.arm_a),
                                   .normal = at.normal,
                                   .t1 = at.t1,
                                   .t2 = at.t2,
                                   .arm_a = at.arm_a,
                                   .arm_b = at.arm_b,
                                   .gap = at.gap};
    memcpy(to->shown.velocity, u, sizeof to->shown.velocity);
    return true;
}

tru_status trui_start_find(tru_world *w, tru_error *err) {
    if (w->steps_done > 0) return TRU_OK; /* those that were announced stay known until springs have a load */
    array_clear(&w->at_start);
    if (w->contacts.count > 0) return TRU_OK;
    double largest = 0.0;
    for (size_t i = 0; i < w->bodies.count; i++)
        if (body_is_free(&w->bodies.items[i])) largest = larger(largest, w->bodies.items[i].size);
    trui_arena_reset(&w->scratch);
    const tru_status s = trui_find_contacts(w, 2.0 * START_GAP * largest, w->step, 0, err);
    if (s < 0) return s;
    bool room = true;
    for (size_t i = 0; room && i < w->contacts.count; i++) room = add_contact(w, &w->contacts.items[i]);
    trui_find_contacts_undo(w);
    array_clear(&w->contacts_before);
    return room ? TRU_OK : tru_no_memory(err);
}

/* Order of pairs of solids. */
static int compare_solids(const contact_key *p, const contact_key *q) {
    contact_key first = *p, second = *q;
    first.feature = second.feature = 0;
    return trui_contact_key_order(&first, &second);
}

bool trui_start_knows(const tru_world *w, const contact_key *key) {
    size_t lo = 0, hi = w->at_start.count;
    while (lo < hi) {
        const size_t mid = (lo + hi) / 2;
        TRU_ASSERT(mid == 0 ||
                   trui_contact_key_order(&w->at_start.items[mid - 1].key, &w->at_start.items[mid].key) < 0);
        const int order = compare_solids(&w->at_start.items[mid].key, key);
        if (order == 0) return true;
        *(order < 0 ? &lo : &hi) = order < 0 ? mid + 1 : mid;
    }
    return false;
}

static tru_event event_of(const tru_world *w, const start_contact *c, double time, int kind) {
    tru_event e = trui_body_event(&w->bodies.items[c->key.a], time, kind);
    e.row_kind = TRU_KIND_NORMAL;
    e.body_b = c->shown.body_b;
    return e;
}

static bool begins_run(const tru_world *w, size_t i) {
    return i == 0 || compare_solids(&w->at_start.items[i - 1].key, &w->at_start.items[i].key) != 0;
}

void trui_start_tell(tru_world *w) {
    if (w->steps_done > 0 || w->start_told) return;
    w->start_told = true;
    for (size_t i = 0; i < w->at_start.count; i++) {
        const start_contact *c = &w->at_start.items[i];
        if (!begins_run(w, i)) continue;
        tru_event e = event_of(w, c, trui_world_time(w), TRU_EVENT_TOUCH);
        e.speed = larger(0.0, -c->shown.velocity[TRU_ROW_NORMAL]);
        trui_world_event(w, &e);
    }
}

/* Is a contact that carried nothing open only because of the scheme? Where poses move with the rates of the end of a step, a gap that
 * begins to open with the acceleration A is ahead by A h^2/2 in every step: h/2 times what the rate gained. And forces follow a turning
 * surface one step late, so in the first steps they miss what holds a rolling body down. Less that advance its gap is the true one. */
static bool only_ahead(const step *s, start_contact *of) {
    const contact_array *all = &s->w->contacts;
    size_t i = trui_contact_seek(all, &of->key, 0);
    while (i < all->count && compare_solids(&all->items[i].key, &of->key) == 0 &&
           all->items[i].key.feature != of->key.feature)
        i++;
    if (i == all->count || trui_contact_key_order(&all->items[i].key, &of->key) != 0) return false;
    const contact *c = &all->items[i];
    const body *a = &s->w->bodies.items[c->a], *b = &s->w->bodies.items[c->b];
    const double before = middle_rate(c, &s->body_steps[c->a].start, &s->body_steps[c->b].start);
    const double after = middle_rate(c, &(twist){a->v, a->w}, &(twist){b->v, b->w});
    contact_place at;
    double u[TRU_ROWS];
    trui_contact_now(s->w, i, &at, u);
    of->ahead += 0.5 * s->h * (after - before);
    /* In units of A h^2, A the acceleration of the gap by turning, g that by all else: the first step ends with a gap of 1/2 and a
     * rate of A h, where a steady one has A h/2. So the second step needs 3/2 A < g to close, and the true motion A < g. */
    const double late = s->h * (u[TRU_ROW_NORMAL] - after);
    const bool held = c->impulse[TRU_ROW_NORMAL] > 0.0 || u[TRU_ROW_NORMAL] <= before;
    if (held && at.gap <= START_LATE * late) return true;
    return at.gap - of->ahead <= START_GAP * fmin(size_of(a), size_of(b));
}

void trui_start_end(step *s, bool (*is_closed)(const step *s, const contact_key *key)) {
    tru_world *w = s->w;
    const bool knows = s->by_force || s->parts || w->steps_done >= START_STEPS;
    if (w->at_start.count == 0 || !(knows || s->timed)) return;
    size_t kept = 0, next;
    for (size_t i = 0; i < w->at_start.count; i = next) {
        start_contact *c = &w->at_start.items[i];
        bool waits = false;
        for (next = i + 1; next < w->at_start.count && !begins_run(w, next);) next++;
        if (s->timed || (!s->parts && w->steps_done > START_STEPS)) continue;
        for (size_t k = i; s->parts && k < next; k++) waits |= only_ahead(s, &w->at_start.items[k]);
        const bool closed = is_closed(s, &c->key);
        if (closed && !(waits && w->steps_done < START_STEPS)) continue;
        if (!waits) {
            const tru_event e = event_of(w, c, s->time + s->h, TRU_EVENT_LIFT);
            trui_world_event(w, &e);
            continue;
        }
        memmove(&w->at_start.items[kept], c, (next - i) * sizeof *c);
        TRU_ASSERT(kept <= i && i < next && next <= w->at_start.count);
        kept += next - i;
    }
    w->at_start.count = kept;
    if (kept == 0) array_release(&w->memory, &w->at_start);
}
