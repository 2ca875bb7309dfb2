/* events.c: what begins and ends in a step: touch and lift, slip and stick, faces that come to lie, rest.
 *
 * Threads find out what is due, a byte for each contact and body; events are emitted afterwards, in the order of contacts and bodies. */
#include "step/end/events.h"
#include "base/assert.h"
#include "step/end/start.h"

#include "lanes/fetch.h"
#include "parallel/parallel.h"

static void emit(step *s, int kind, int row_kind, const contact *c, double speed) {
    tru_event e = trui_body_event(&s->w->bodies.items[c->a], s->time + s->h, kind);
    e.row_kind = row_kind;
    e.body_b = s->w->bodies.items[c->b].id;
    e.speed = speed;
    trui_world_event(s->w, &e);
}

static double kind_speed(const double u[TRU_ROWS], int kind) {
    if (kind == TRU_KIND_SLIDE) return sqrt(u[1] * u[1] + u[2] * u[2]);
    if (kind == TRU_KIND_SPIN) return fabs(u[3]);
    return sqrt(u[4] * u[4] + u[5] * u[5]);
}

/* ---- modes */

/* Claimed kinds, in bits of tru_kind, whose mode changed from `before`. A new contact emits none below
 * flat_speed. */
static unsigned modes_due(const step *s, const contact *c, uint32_t before, const double u[TRU_ROWS]) {
    unsigned due = 0;
    for (int kind = TRU_KIND_SLIDE; kind < TRU_KINDS; kind++) {
        const uint32_t bit = TRU_KIND_BIT(kind);
        if (!(c->pair->claims & bit) || !((c->stuck ^ before) & bit)) continue;
        const double arm = kind == TRU_KIND_SLIDE ? 1.0 : s->w->bodies.items[c->a].size;
        if (!(c->flags & CONTACT_NEW) || arm * kind_speed(u, kind) > flat_speed(s)) due |= bit;
    }
    return due;
}

static void tell_modes(step *s, const contact *c, unsigned due, const double u[TRU_ROWS]) {
    for (int kind = TRU_KIND_SLIDE; kind < TRU_KINDS; kind++)
        if (due & TRU_KIND_BIT(kind))
            emit(s, c->stuck & TRU_KIND_BIT(kind) ? TRU_EVENT_STICK : TRU_EVENT_SLIP, kind, c, kind_speed(u, kind));
}

void trui_mode_events(step *s, size_t k, uint32_t before, const double u[TRU_ROWS]) {
    const contact *c = &s->w->contacts.items[k];
    tell_modes(s, c, modes_due(s, c, before, u), u);
}

/* ---- runs of contacts between the same shapes */

static bool same_solids(const contact *p, const contact *q) {
    return p->solid_a == q->solid_a && p->solid_b == q->solid_b;
}

/* The first contact from `begin` on that does not belong with the one before it. */
static size_t next_run(const contact_array *all, size_t begin) {
    TRU_ASSERT(begin <= all->count);
    size_t i = begin;
    while (i > 0 && i < all->count && same_solids(&all->items[i - 1], &all->items[i])) i++;
    return i;
}

/* Is a contact closed? Where forces tell (step.by_force), one that carries nothing is open, however near its points are: a
 * body that leaves a surface has no normal acceleration at first, so its gap shows that only much later. */
static bool is_closed(const step *s, const contact *c) {
    return !(c->flags & CONTACT_APART) && (!s->by_force || c->impulse[TRU_ROW_NORMAL] > 0.0);
}

/* How many contacts from `first` on are between the same shapes as c and closed. */
static int closed_run(const step *s, const contact_array *all, size_t first, const contact *c) {
    int count = 0;
    for (size_t i = first; i < all->count && same_solids(&all->items[i], c); i++) count += is_closed(s, &all->items[i]);
    return count;
}

/* Does the face of c's shape lie on the other's: three closed contacts or more from `first` on, none of which opens or
 * closes? */
static bool lies(const contact_array *all, size_t first, const contact *c) {
    int count = 0;
    bool still = true;
    for (size_t i = first; i < all->count && same_solids(&all->items[i], c); i++) {
        if (all->items[i].flags & CONTACT_APART) continue;
        count++;
        still = still && (all->items[i].flags & CONTACT_STILL);
    }
    return still && count >= 3;
}

/* [m/s] Returns how fast a contact opens at the end of the step; if its end is not kept, in the frame in which its laws acted: a face
 * that lies still shows in it as well, without another narrow phase. */
static double opening(const tru_world *w, const contact *c) {
    const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
    double u[TRU_ROWS];
    if (c->end) return c->end->rate[TRU_ROW_NORMAL];
    middle_rates(c, &(twist){a->v, a->w}, &(twist){b->v, b->w}, u);
    return u[TRU_ROW_NORMAL];
}

/* Points of a face that neither open nor close at the end of the step. */
static void mark_still(const step *s, contact *run, size_t count) {
    for (size_t k = 0; count >= 3 && k < count; k++)
        if (fabs(opening(s->w, &run[k])) <= flat_speed(s)) run[k].flags |= CONTACT_STILL;
}

/* ---- what is due */

enum { DUE_MODES = 15u, DUE_TOUCH = 16u, DUE_FLAT = 32u }; /* modes: bits of tru_kind */

typedef struct finding {
    step *s;
    step_due *due;
} finding;

/* Rates of contacts that no longer know where they were are those that their laws acted on. */
static void find_modes(const finding *f, size_t i) {
    const contact *c = &f->s->w->contacts.items[i];
    const uint32_t before = c->flags & CONTACT_NEW ? ~(c->flags >> CONTACT_SLIPS) : c->c.stuck;
    f->due->now[i] = 0;
    if (!is_closed(f->s, c) || !((c->stuck ^ before) & c->pair->claims)) return;
    contact_place at;
    if (c->end || (c->flags & CONTACT_TRACKED) || !f->s->seen) trui_contact_now(f->s->w, i, &at, f->due->rate[i]);
    f->due->now[i] = (uint8_t)modes_due(f->s, c, before, f->due->rate[i]);
    TRU_ASSERT(!(f->due->now[i] & ~c->pair->claims));
}

/* Of a run that was not there before, or is a face. */
static void find_touch(const finding *f, size_t first, size_t *along) {
    const contact_array *now = &f->s->w->contacts, *before = &f->s->w->contacts_before;
    const contact *c = &now->items[first];
    if (closed_run(f->s, now, first, c) == 0) return;
    const size_t old = *along = trui_contact_seek(before, &c->key, *along);
    if (closed_run(f->s, before, old, c) == 0) f->due->now[first] |= DUE_TOUCH;
    if (lies(now, first, c) && !lies(before, old, c)) f->due->now[first] |= DUE_FLAT;
}

/* In the runs that begin in the range; not 0: contacts came, others may have gone, or there is a face to tell of. */
static unsigned find_in_runs(void *context, size_t begin, size_t end) {
    const finding *f = context;
    const contact_array *all = &f->s->w->contacts;
    size_t along = 0;
    unsigned changed = 0;
    for (size_t i = next_run(all, begin), run; i < end; i += run) {
        TRU_ASSERT(i == 0 || trui_contact_key_order(&all->items[i - 1].key, &all->items[i].key) < 0);
        for (run = 1; i + run < all->count && same_solids(&all->items[i], &all->items[i + run]);) run++;
        FETCH_NEXT(all->items, i, all->count, key, local_a);
        mark_still(f->s, &all->items[i], run);
        if (f->s->timed) continue;
        for (size_t k = i; k < i + run; k++) {
            changed |= (all->items[k].flags & CONTACT_NEW) || !is_closed(f->s, &all->items[k]);
            find_modes(f, k);
        }
        if (run > 1 || f->s->by_force || (all->items[i].flags & CONTACT_NEW)) find_touch(f, i, &along);
        changed |= f->due->now[i] & (DUE_FLAT | DUE_TOUCH); /* of points that stay */
    }
    return changed;
}

static void find_lifts(void *context, size_t begin, size_t end) {
    const finding *f = context;
    const contact_array *now = &f->s->w->contacts, *before = &f->s->w->contacts_before;
    size_t along = 0;
    for (size_t i = begin; i < end; i++) f->due->lift[i] = 0;
    for (size_t i = next_run(before, begin); i < end; i = next_run(before, i + 1)) {
        const contact *c = &before->items[i];
        FETCH_NEXT(before->items, i, before->count, key, local_a);
        if (closed_run(f->s, before, i, c) == 0) continue;
        along = trui_contact_seek(now, &c->key, along);
        f->due->lift[i] = closed_run(f->s, now, along, c) == 0;
    }
}

/* Rest: a touching or jointed body slower than a millionth of what gravity adds in one step. */
static unsigned find_rest(void *context, size_t begin, size_t end) {
    const finding *f = context;
    const double slow = flat_speed(f->s);
    unsigned any = 0;
    for (size_t i = begin; i < end; i++) {
        body *b = &f->s->w->bodies.items[i];
        FETCH_NEXT(f->s->w->bodies.items, i, end, v, gain);
        f->due->rest[i] = 0;
        if (!body_is_free(b)) continue;
        const bool rests = body_rests(b, b->v, b->w, slow);
        f->due->rest[i] = rests && !b->resting;
        any |= f->due->rest[i];
        b->resting = rests;
    }
    return any;
}

/* ---- telling it */

bool trui_step_due_room(step *s) {
    tru_world *w = s->w;
    const size_t n = w->contacts.count, before = w->contacts_before.count;
    uint8_t *room = ARENA_ARRAY(&w->scratch, uint8_t, n + before + w->bodies.count);
    s->due = (step_due){.now = room, .rate = s->seen}; /* which the laws have taken note of by then */
    if (!room) return false;
    s->due.lift = room + n;
    s->due.rest = room + n + before;
    if (!s->due.rate && !s->timed) s->due.rate = arena_push_array(&w->scratch, n, sizeof *s->due.rate);
    return s->due.rate || s->timed || n == 0;
}

static void contact_events(finding *f, bool changed) {
    step *s = f->s;
    const contact_array *now = &s->w->contacts, *before = &s->w->contacts_before;
    const step_due *due = &s->due;
    for (size_t i = 0; i < now->count; i++)
        if (due->now[i] & DUE_MODES) tell_modes(s, &now->items[i], due->now[i], due->rate[i]);
    if (!changed && now->count == before->count) return;
    for (size_t i = 0; i < now->count; i++) {
        const contact *c = &now->items[i];
        if ((due->now[i] & DUE_TOUCH) && !trui_start_knows(s->w, &c->key))
            emit(s, TRU_EVENT_TOUCH, TRU_KIND_NORMAL, c, c->approach);
        if (due->now[i] & DUE_FLAT) emit(s, TRU_EVENT_FLAT, TRU_KIND_NORMAL, c, 0.0);
    }
    trui_parallel_for(s->w->threads, before->count, CONTACT_GRAIN, find_lifts, f);
    for (size_t i = 0; i < before->count; i++)
        if (due->lift[i] && !trui_start_knows(s->w, &before->items[i].key)) /* else trui_start_end emits it */
            emit(s, TRU_EVENT_LIFT, TRU_KIND_NORMAL, &before->items[i], 0.0);
}

static bool closed_now(const step *s, const contact_key *key) {
    const contact_array *all = &s->w->contacts;
    const size_t first = trui_contact_seek(all, key, 0);
    return first < all->count && all->items[first].solid_a == key->solid_a &&
           all->items[first].solid_b == key->solid_b && closed_run(s, all, first, &all->items[first]) > 0;
}

void trui_step_events(step *s) {
    tru_world *w = s->w;
    finding f = {s, &s->due};
    const bool changed = trui_parallel_any(w->threads, w->contacts.count, CONTACT_GRAIN, find_in_runs, &f) != 0;
    if (!s->timed) contact_events(&f, changed);
    trui_start_end(s, closed_now);
    if (!trui_parallel_any(w->threads, w->bodies.count, BODY_GRAIN, find_rest, &f)) return;
    for (size_t i = 0; i < w->bodies.count; i++) {
        if (!s->due.rest[i]) continue;
        const tru_event e = trui_body_event(&w->bodies.items[i], s->time + s->h, TRU_EVENT_REST);
        trui_world_event(w, &e);
    }
}
