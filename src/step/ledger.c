/* ledger.c: the energy ledger of a step.
 *
 * The kinetic energy of a step changes by exactly mean velocity times impulse, so every term below comes from its own
 * formula: with m = W^T (u_start + u_end)/2 and gamma the velocity the law saw,
 *   friction rows   dissipated -p.gamma,  theta shift p.(m - gamma)
 *   normal row      p m: zero in a resting contact but for the theta shift; an impact's loss when the contact closed.
 * Where laws act on u_end + b (step.ends), p m of the normal row is p gamma (the relaxed law's lift, else zero), -p b (what
 * recovers overlap or lets a gap close), and the theta shift; poses move with u_end, so gravity's work on them differs
 * from its work on the velocities by another theta shift. */
#include "step/ledger.h"
#include "base/assert.h"
#include "step/joints.h"

#include "lanes/fetch.h"
#include "parallel/parallel.h"

/* ---- in segments: their number follows from that of the items alone */

enum { SEGMENTS = 64, SEGMENT = 64 }; /* most segments; least items of one */

typedef struct segment {
    tru_ledger ledger; /* what it adds */
    tru_solve_info info;
    unsigned found; /* CONTACT_* of its contacts */
} segment;

typedef struct accounting {
    step *s;
    twist *mean; /* per body: mean_twist, which contacts of a pile read in random order; NULL: computed per contact */
    size_t items, count;
    segment of[SEGMENTS];
} accounting;

static size_t segment_begin(const accounting *a, size_t k) {
    TRU_ASSERT(k <= a->count && a->count <= SEGMENTS);
    const size_t each = a->items / a->count, rest = a->items % a->count;
    return k * each + (k < rest ? k : rest);
}

static void ledger_add(tru_ledger *to, const tru_ledger *l) {
#define ADD_ENTRY(name, kind, doc) to->name += l->name;
    TRU_LEDGER_LIST(ADD_ENTRY)
#undef ADD_ENTRY
}

/* Books items by `work` in segments, or, if one segment is enough, by `book` into the world's ledger. */
static void account_items(accounting *a, size_t items, parallel_work work,
                          unsigned (*book)(accounting *, size_t, size_t, tru_ledger *, tru_solve_info *)) {
    step *s = a->s;
    a->items = items;
    a->count = items / SEGMENT < SEGMENTS ? items / SEGMENT : SEGMENTS;
    if (a->count <= 1) {
        s->found |= book(a, 0, items, &s->w->ledger, &s->info);
        return;
    }
    trui_parallel_for(s->w->threads, a->count, 4, work, a);
    for (size_t k = 0; k < a->count; k++) {
        ledger_add(&s->w->ledger, &a->of[k].ledger);
        s->info.lift = larger(s->info.lift, a->of[k].info.lift);
        s->info.hop = larger(s->info.hop, a->of[k].info.hop);
        s->found |= a->of[k].found;
    }
}

/* ---- bodies and contacts */

static unsigned book_bodies(accounting *a, size_t begin, size_t end, tru_ledger *l, tru_solve_info *info) {
    const step *s = a->s;
    const body *all = s->w->bodies.items;
    (void)info;
    TRU_ASSERT(begin <= end && end <= s->w->bodies.count);
    for (size_t i = begin; i < end; i++) {
        FETCH_NEXT(all, i, end, id, inv_moment);
        if (a->mean) a->mean[i] = mean_twist(s, i);
        if (body_is_free(&all[i])) ledger_body(s, i, l);
    }
    return 0;
}

/* Marks a contact without an impulse as only near: it has no mode and counts as new when it closes. */
static void mark_apart(contact *c) {
    if (c->impulse[TRU_ROW_NORMAL] > 0.0) return;
    c->flags |= CONTACT_APART;
    c->stuck = 0;
}

static unsigned book_contacts(accounting *a, size_t begin, size_t end, tru_ledger *l, tru_solve_info *info) {
    const step *s = a->s;
    contact *all = s->w->contacts.items;
    unsigned found = 0;
    TRU_ASSERT(begin <= end && end <= s->w->contacts.count);
    tru_ledger sum = *l; /* a local copy stays in registers; *l may be read through other pointers */
    for (size_t i = begin; i < end; i++) {
        contact *c = &all[i];
        FETCH_NEXT(all, i, end, key, approach);
        if (a->mean && i + FETCH_AHEAD / 2 < end) {
            const twist *next = &a->mean[all[i + FETCH_AHEAD / 2].b];
            fetch(next, next + 1);
        }
        const twist ta = a->mean ? a->mean[c->a] : mean_twist(s, c->a),
                    tb = a->mean ? a->mean[c->b] : mean_twist(s, c->b);
        ledger_contact(s, c, &ta, &tb, s->seen[i], &sum, info);
        found |= c->impulse[TRU_ROW_NORMAL] > 0.0 ? c->flags : c->flags & CONTACT_DEEP;
        if (s->parts) mark_apart(c);
    }
    *l = sum;
    return found;
}

static void book_body_segments(void *context, size_t begin, size_t end) {
    accounting *a = context;
    for (size_t k = begin; k < end; k++) {
        segment *to = &a->of[k];
        *to = (segment){.info = {0}};
        to->found = book_bodies(a, segment_begin(a, k), segment_begin(a, k + 1), &to->ledger, &to->info);
    }
}

static void book_contact_segments(void *context, size_t begin, size_t end) {
    accounting *a = context;
    for (size_t k = begin; k < end; k++) {
        segment *to = &a->of[k];
        *to = (segment){.info = {0}};
        to->found = book_contacts(a, segment_begin(a, k), segment_begin(a, k + 1), &to->ledger, &to->info);
    }
}

/* ---- impacts */

/* Connects bodies by contacts with an impulse and by joints, for steps in which no solver did (step.parent). */
static uint32_t *join_carried(const step *s) {
    const tru_world *w = s->w;
    uint32_t *parent = ARENA_ARRAY(&s->w->scratch, uint32_t, w->bodies.count);
    for (size_t i = 0; parent && i < w->bodies.count; i++) parent[i] = (uint32_t)i;
    for (size_t i = 0; parent && i < w->contacts.count; i++) {
        const contact *c = &w->contacts.items[i];
        if (c->impulse[TRU_ROW_NORMAL] > 0.0 && body_is_free(&w->bodies.items[c->b])) bodies_join(parent, c->a, c->b);
    }
    for (size_t i = 0; parent && i < w->joints.count; i++) {
        const joint *j = &w->joints.items[i];
        if (body_is_free(&w->bodies.items[j->a]) && body_is_free(&w->bodies.items[j->b]))
            bodies_join(parent, (uint32_t)j->a, (uint32_t)j->b);
    }
    return parent;
}

/* Finds the bodies whose island has an impact: impulses there do not shrink with the step, so their work is booked at the mean rate.
 * Without memory for it, only the work of the contacts that are impacts is booked so. */
static void find_jolted(step *s) {
    const tru_world *w = s->w;
    for (size_t i = 0; !s->ends && i < w->contacts.count; i++) /* cone has looked already */
        s->hit = s->hit || (w->contacts.items[i].flags & CONTACT_IMPACT);
    if (!s->hit || w->contacts.count < 2) return;
    uint32_t *parent = s->parent ? s->parent : join_carried(s);
    bool *struck = ARENA_ARRAY(&s->w->scratch, bool, w->bodies.count);
    bool *jolted = ARENA_ARRAY(&s->w->scratch, bool, w->bodies.count);
    if (!parent || !struck || !jolted) return;
    memset(struck, 0, w->bodies.count * sizeof *struck);
    for (size_t i = 0; i < w->contacts.count; i++) {
        const contact *c = &w->contacts.items[i];
        if ((c->flags & CONTACT_IMPACT) && c->impulse[TRU_ROW_NORMAL] > 0.0) struck[bodies_root(parent, c->a)] = true;
    }
    for (size_t i = 0; i < w->bodies.count; i++) jolted[i] = struck[bodies_root(parent, (uint32_t)i)];
    s->jolted = jolted;
}

void trui_ledger_book(step *s) {
    tru_world *w = s->w;
    accounting a;
    find_jolted(s);
    a.s = s;
    a.mean = s->seen && w->contacts.count > 1 ? ARENA_ARRAY(&w->scratch, twist, w->bodies.count) : NULL;
    account_items(&a, w->bodies.count, book_body_segments, book_bodies);
    if (s->normal_terms) { /* springs are met at other lengths than they were left at: contacts turn, come and go */
        w->ledger.stiffness -= w->ledger.stored;
        w->ledger.stored = 0.0;
    }
    if (s->seen) account_items(&a, w->contacts.count, book_contact_segments, book_contacts);
    if (w->joints.count > 0) trui_joints_ledger(s);
}
