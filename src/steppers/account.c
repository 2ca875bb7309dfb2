/* account.c: the energy ledger of a step and its events.
 *
 * The kinetic energy of a step changes by exactly mean velocity times impulse, so every term below comes from its own
 * formula: with m = W^T (u_start + u_end)/2 and gamma the velocity the law saw,
 *   friction rows   dissipated -p.gamma,  theta shift p.(m - gamma)
 *   normal row      p m: zero in a resting contact but for the theta shift; an impact's loss when the contact closed.
 * Where laws act on u_end + b (step.ends), p m of the normal row is p gamma (the relaxed law's lift, else zero), -p b (what
 * recovers overlap or lets a gap close), and the theta shift; poses move with u_end, so gravity's work on them differs
 * from its work on the velocities by another theta shift. */
#include "steppers/single.h"
#include "steppers/verbs.h"

#include "base/fetch.h"
#include "parallel/parallel.h"

/* ---- in segments: their number follows from that of the items alone */

enum { SEGMENTS = 64, SEGMENT = 64 }; /* most of them; least items of one */

typedef struct segment {
    tru_ledger ledger; /* what it adds */
    tru_solve_info info;
} segment;

typedef struct accounting {
    step *s;
    twist
        *mean; /* beside bodies: velocities halfway; contacts of a pile look them up at random. NULL: look elsewhere */
    size_t items, count;
    segment of[SEGMENTS];
} accounting;

static size_t segment_begin(const accounting *a, size_t k) {
    const size_t each = a->items / a->count, rest = a->items % a->count;
    return k * each + (k < rest ? k : rest);
}

static void ledger_add(tru_ledger *to, const tru_ledger *l) {
#define ADD_ENTRY(name, kind, doc) to->name += l->name;
    TRU_LEDGER_LIST(ADD_ENTRY)
#undef ADD_ENTRY
}

/* Items of a kind are booked by `work` in segments, or if there is but one by `book` straight into the world's ledger. */
static void account_items(accounting *a, size_t items, parallel_work work,
                          void (*book)(accounting *, size_t, size_t, tru_ledger *, tru_solve_info *)) {
    step *s = a->s;
    a->items = items;
    a->count = items / SEGMENT < SEGMENTS ? items / SEGMENT : SEGMENTS;
    if (a->count <= 1) {
        book(a, 0, items, &s->w->ledger, &s->info);
        return;
    }
    parallel_for(s->w->threads, a->count, 4, work, a);
    for (size_t k = 0; k < a->count; k++) {
        ledger_add(&s->w->ledger, &a->of[k].ledger);
        s->info.lift = larger(s->info.lift, a->of[k].info.lift);
        s->info.hop = larger(s->info.hop, a->of[k].info.hop);
    }
}

/* ---- bodies and contacts */

static void book_bodies(accounting *a, size_t begin, size_t end, tru_ledger *l, tru_solve_info *info) {
    const step *s = a->s;
    const body *all = s->w->bodies.items;
    (void)info;
    for (size_t i = begin; i < end; i++) {
        FETCH_NEXT(all, i, end, id, inertia);
        if (a->mean) a->mean[i] = mean_twist(s, i);
        if (body_is_free(&all[i])) account_body(s, i, l);
    }
}

/* A contact that was only near: no impulse, no mode, and new again when it closes. */
static void mark_apart(contact *c) {
    if (c->impulse[TRU_ROW_NORMAL] > 0.0) return;
    c->flags |= CONTACT_APART;
    c->stuck = 0;
}

static void book_contacts(accounting *a, size_t begin, size_t end, tru_ledger *l, tru_solve_info *info) {
    const step *s = a->s;
    contact *all = s->w->contacts.items;
    for (size_t i = begin; i < end; i++) {
        contact *c = &all[i];
        FETCH_NEXT(all, i, end, flags, approach);
        const twist ta = a->mean ? a->mean[c->a] : mean_twist(s, c->a),
                    tb = a->mean ? a->mean[c->b] : mean_twist(s, c->b);
        account_contact(s, c, &ta, &tb, s->seen[i], l, info);
        if (s->parts) mark_apart(c);
    }
}

static void book_body_segments(void *context, size_t begin, size_t end) {
    accounting *a = context;
    for (size_t k = begin; k < end; k++) {
        segment *to = &a->of[k];
        *to = (segment){.info = {0}};
        book_bodies(a, segment_begin(a, k), segment_begin(a, k + 1), &to->ledger, &to->info);
    }
}

static void book_contact_segments(void *context, size_t begin, size_t end) {
    accounting *a = context;
    for (size_t k = begin; k < end; k++) {
        segment *to = &a->of[k];
        *to = (segment){.info = {0}};
        book_contacts(a, segment_begin(a, k), segment_begin(a, k + 1), &to->ledger, &to->info);
    }
}

void account(step *s) {
    tru_world *w = s->w;
    accounting a;
    a.s = s;
    a.mean = s->seen && w->contacts.count > 1 ? ARENA_ARRAY(&w->scratch, twist, w->bodies.count) : NULL;
    account_items(&a, w->bodies.count, book_body_segments, book_bodies);
    if (s->more) { /* springs are met at other lengths than they were left at: contacts turn, come and go */
        w->ledger.stiffness -= w->ledger.stored;
        w->ledger.stored = 0.0;
    }
    if (s->seen) account_items(&a, w->contacts.count, book_contact_segments, book_contacts);
    if (w->joints.count > 0) joints_account(s);
}

static void emit(step *s, int kind, int row_kind, const contact *c, double speed) {
    tru_event e = body_event(&s->w->bodies.items[c->a], s->time + s->h, kind);
    e.row_kind = row_kind;
    e.body_b = s->w->bodies.items[c->b].id;
    e.speed = speed;
    world_event(s->w, &e);
}

static double kind_speed(const double u[TRU_ROWS], int kind) {
    if (kind == TRU_KIND_SLIDE) return sqrt(u[1] * u[1] + u[2] * u[2]);
    if (kind == TRU_KIND_SPIN) return fabs(u[3]);
    return sqrt(u[4] * u[4] + u[5] * u[5]);
}

double flat_speed(const step *s) { return 1e-6 * s->fall; }

/* Slip and stick of every claimed kind; a new contact counts as having stuck unless it was said to slip. */
void mode_events(step *s, size_t k, uint32_t before, const double *u) {
    const contact *c = &s->w->contacts.items[k];
    contact_place at;
    double rate[TRU_ROWS];
    if (!((c->stuck ^ before) & c->pair->claims)) return;
    if (!u) contact_now(s->w, k, &at, rate);
    if (!u) u = rate;
    for (int kind = TRU_KIND_SLIDE; kind < TRU_KINDS; kind++) {
        const uint32_t bit = TRU_KIND_BIT(kind);
        if (!(c->pair->claims & bit) || !((c->stuck ^ before) & bit)) continue;
        const double arm = kind == TRU_KIND_SLIDE ? 1.0 : s->w->bodies.items[c->a].size;
        if ((c->flags & CONTACT_NEW) && arm * kind_speed(u, kind) <= flat_speed(s)) continue; /* nothing to announce */
        emit(s, c->stuck & bit ? TRU_EVENT_STICK : TRU_EVENT_SLIP, kind, c, kind_speed(u, kind));
    }
}

static bool same_solids(const contact *p, const contact *q) {
    return p->solid_a == q->solid_a && p->solid_b == q->solid_b;
}

/* How many contacts from `first` on are between the same shapes as c and carry something. */
static int closed_run(const contact_array *all, size_t first, const contact *c) {
    int count = 0;
    for (size_t i = first; i < all->count && same_solids(&all->items[i], c); i++)
        count += !(all->items[i].flags & CONTACT_APART);
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

/* [m/s] how fast a contact opens at the end of the step; where nobody wrote that down, with the frame in which its laws acted:
 * it tells a face that lies still as well, without another look at the shapes. */
static double opening(const tru_world *w, const contact *c) {
    const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
    double u[TRU_ROWS];
    if (c->end) return c->end->rate[TRU_ROW_NORMAL];
    middle_rates(c, &(twist){a->v, a->w}, &(twist){b->v, b->w}, u);
    return u[TRU_ROW_NORMAL];
}

/* Points of a face that neither open nor close at the end of the step. */
static void mark_still(step *s) {
    contact_array *all = &s->w->contacts;
    for (size_t i = 0; i < all->count;) {
        const size_t end = i + (size_t)contact_run(all, i);
        FETCH_NEXT(all->items, i, all->count, key, local_a);
        for (size_t k = i; end - i >= 3 && k < end; k++)
            if (fabs(opening(s->w, &all->items[k])) <= flat_speed(s)) all->items[k].flags |= CONTACT_STILL;
        i = end;
    }
}

static void contact_events(step *s) {
    tru_world *w = s->w;
    const contact_array *now = &w->contacts, *before = &w->contacts_before;
    size_t along = 0;
    bool changed = now->count != before->count;
    for (size_t i = 0; i < now->count; i++) {
        const contact *c = &now->items[i];
        FETCH_NEXT(now->items, i, now->count, key, local_a);
        changed |= (c->flags & (CONTACT_NEW | CONTACT_APART)) || (i > 1 && same_solids(&now->items[i - 2], c));
        if (c->flags & CONTACT_APART) continue;
        mode_events(s, i, c->flags & CONTACT_NEW ? ~(c->flags >> CONTACT_SLIPS) : c->c.stuck, NULL);
    }
    if (!changed) return;
    for (size_t i = 0, run; i < now->count; i += run) {
        const contact *c = &now->items[i];
        run = (size_t)contact_run(now, i);
        if (run == 1 && !(c->flags & CONTACT_NEW)) continue; /* one point that was there before: no touch, no face */
        if (closed_run(now, i, c) == 0) continue;
        const size_t old = along = contact_seek(before, &c->key, along);
        if (closed_run(before, old, c) == 0) emit(s, TRU_EVENT_TOUCH, TRU_KIND_NORMAL, c, c->approach);
        if (lies(now, i, c) && !lies(before, old, c)) emit(s, TRU_EVENT_FLAT, TRU_KIND_NORMAL, c, 0.0);
    }
    along = 0;
    for (size_t i = 0; i < before->count; i += (size_t)contact_run(before, i)) {
        const contact *c = &before->items[i];
        FETCH_NEXT(before->items, i, before->count, key, local_a);
        if (closed_run(before, i, c) == 0) continue;
        along = contact_seek(now, &c->key, along);
        if (closed_run(now, along, c) == 0) emit(s, TRU_EVENT_LIFT, TRU_KIND_NORMAL, c, 0.0);
    }
}

/* Rest: a touching or jointed body slower than a millionth of what gravity adds in one step. */
static void rest_events(step *s) {
    tru_world *w = s->w;
    const double slow = flat_speed(s);
    for (size_t i = 0; i < w->bodies.count; i++) {
        body *b = &w->bodies.items[i];
        FETCH_NEXT(w->bodies.items, i, w->bodies.count, v, gain);
        if (!body_is_free(b)) continue;
        const bool rests = body_rests(b, b->v, b->w, slow);
        if (rests && !b->resting) {
            const tru_event e = body_event(b, s->time + s->h, TRU_EVENT_REST);
            world_event(w, &e);
        }
        b->resting = rests;
    }
}

void step_events(step *s) {
    mark_still(s);
    if (!s->timed) contact_events(s);
    rest_events(s);
}
