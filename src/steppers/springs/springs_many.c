/* springs_many.c: loads of all contacts of a step: which go side by side in lanes, and the sum of what they book. */
#include "steppers/springs/springs_many.h"
#include "steppers/springs/springs_kernel.h"
#include "base/assert.h"

#include "base/error.h"
#include "laws/law.h"
#include "lanes/isa.h"
#include "parallel/parallel.h"
#include "shapes/shape.h"

/* ---- which pairs */

/* Coefficients that depend on the moment through the curvature of the contact at most. */
static bool law_known(const pair_law *l) {
    if (l->law == &tru_law_coulomb) return ((const tru_coulomb *)l->params)->stribeck == 0.0;
    if (l->law == &tru_law_rolling) return true;
    const tru_track_law *p = l->params;
    return l->law == &tru_law_track && !(p->modulus > 0.0 && p->eta_psi > 0.0);
}

/* What depends on the curvature, of the law that has it. */
static void form_curvature(spring_form *f, const pair *p) {
    for (int i = 0; i < p->law_count; i++) {
        if (p->laws[i].law != &tru_law_track) continue;
        const tru_track_law *law = p->laws[i].params;
        f->eta_r = law->eta_r;
        f->eta_psi = law->eta_psi;
        f->roll_eta = law->eta_r > 0.0;
        f->spin_eta = law->eta_psi > 0.0 && law->spin_curvature == TRU_DERIVED;
    }
}

bool trui_spring_form_of(const tru_track *o, const tru_world *w, const pair *p, spring_form *f) {
    const tru_contact any = {.curvature = 1.0, .curvature_mean = 1.0};
    tru_caps caps = {0};
    if (o->mapping != TRU_HALF_ANGLE || o->roll_couple != TRU_BALANCED) return false;
    if (o->normal_dashpot == TRU_NORMAL_PULLS) return false;
    if (p->pass || (p->needs & (TRU_NEEDS_LEVER | TRU_NEEDS_RADIUS))) return false;
    for (int i = 0; i < p->law_count; i++) {
        if (!law_known(&p->laws[i])) return false;
        p->laws[i].law->caps(p->laws[i].params, &any, 1.0, 0.0, &caps);
    }
    if (caps.roll_viscosity != 0.0 || caps.spin_viscosity != 0.0) return false;
    const bool given = o->stiffness != TRU_DERIVED;
    *f = (spring_form){
        .claims = p->claims,
        .normal = o->normal,
        .limited = trui_springs_dashpot_limited(o),
        .mean = o->masses == TRU_MEAN_MASS,
        .h = o->step,
        .stiffness = o->stiffness,
        .rate = w->spring_rate,
        .roll_stiffness = o->roll_stiffness,
        .damp = {trui_springs_ratio(o, p), 2.0 * o->damping, 2.0 * o->spin_damping, 2.0 * o->roll_damping},
        .force = o->normal_force,
        .normal_k = o->normal_stiffness != TRU_DERIVED ? o->normal_stiffness
                    : p->compliance > 0.0              ? 1.0 / p->compliance
                    : given                            ? o->stiffness
                                                       : TRU_DERIVED,
        .modulus = caps.modulus,
        .spin_area = caps.spin_area,
        .cap = {0.0, caps.slide, caps.spin, caps.roll},
        .hold = {0.0, caps.slide_static, caps.spin_static, caps.roll_static}};
    form_curvature(f, p);
    return true;
}

/* ---- which contacts */

typedef enum round_kind { ODD, BALL, HELD_BALL, FLAT } round_kind;

static round_kind kind_of(const tru_world *w, const body *b) {
    if (b->belt) return ODD;
    if (b->ball) return !body_is_free(b) ? HELD_BALL : b->isotropic ? BALL : ODD;
    return b->solid_count == 1 && !w->solids.items[b->solid_first].shape->bounded ? FLAT : ODD;
}

/* Contacts in lanes by pair and by what B is, in their order; all others behind them. */
typedef struct spring_work {
    const tru_track *o;
    const step *s;
    springs_kernel *kernel;
    const spring_form *forms; /* per pair */
    const uint8_t *kinds;     /* per body: round_kind */
    const uint32_t *order;    /* contacts: eights, then */
    size_t eights, count;     /* the others, one by one */
    spring_book *books;       /* per contact */
} spring_work;

#define NO_LANE UINT32_MAX

/* Where a contact belongs: twice its pair, and one more on a plane. */
static uint32_t bin_of(const spring_work *k, const contact *c, const bool *known) {
    const size_t which = (size_t)(c->pair - k->s->w->pairs.items);
    TRU_ASSERT(which < k->s->w->pairs.count);
    if (!(c->flags & CONTACT_FOLLOWED) || (c->flags & CONTACT_SETTLED)) return NO_LANE;
    if (c->age <= 1 || !known[which]) return NO_LANE;
    if (k->kinds[c->a] != BALL || k->kinds[c->b] == ODD) return NO_LANE;
    return (uint32_t)(2 * which + (k->kinds[c->b] == FLAT));
}

/* Fills the order: bins in turn, of each a multiple of eight. `bin` is per contact, `next` is scratch per bin. */
static void fill_order(spring_work *k, const uint32_t *bin, size_t bins, size_t *next, uint32_t *order) {
    size_t begin = 0, rest;
    memset(next, 0, bins * sizeof *next);
    for (size_t i = 0; i < k->count; i++)
        if (bin[i] != NO_LANE) next[bin[i]]++;
    size_t *end = next + bins;
    for (size_t b = 0; b < bins; b++) {
        const size_t whole = next[b] / SPRING_LANES * SPRING_LANES;
        next[b] = begin;
        end[b] = begin += whole;
    }
    k->eights = begin / SPRING_LANES;
    TRU_ASSERT(begin % SPRING_LANES == 0 && begin <= k->count);
    rest = begin;
    for (size_t i = 0; i < k->count; i++) {
        const bool fits = bin[i] != NO_LANE && next[bin[i]] < end[bin[i]];
        order[fits ? next[bin[i]]++ : rest++] = (uint32_t)i;
    }
    TRU_ASSERT(rest == k->count);
}

static bool choose(spring_work *k, const tru_track *o, tru_world *w) {
    const size_t n = w->contacts.count, pairs = w->pairs.count;
    spring_form *forms = ARENA_ARRAY(&w->scratch, spring_form, pairs);
    bool *known = ARENA_ARRAY(&w->scratch, bool, pairs);
    uint8_t *kinds = ARENA_ARRAY(&w->scratch, uint8_t, w->bodies.count);
    uint32_t *bin = ARENA_ARRAY(&w->scratch, uint32_t, n), *order = ARENA_ARRAY(&w->scratch, uint32_t, n);
    size_t *next = ARENA_ARRAY(&w->scratch, size_t, 4 * pairs);
    k->books = ARENA_ARRAY(&w->scratch, spring_book, n);
    if (!forms || !known || !kinds || !bin || !order || !next || !k->books) return false;
    k->forms = forms;
    k->kinds = kinds;
    k->order = order;
    k->count = n;
    for (size_t i = 0; i < pairs; i++) known[i] = trui_spring_form_of(o, w, &w->pairs.items[i], &forms[i]);
    for (size_t i = 0; i < w->bodies.count; i++) kinds[i] = (uint8_t)kind_of(w, &w->bodies.items[i]);
    for (size_t i = 0; i < n; i++) bin[i] = bin_of(k, &w->contacts.items[i], known);
    fill_order(k, bin, 2 * pairs, next, order);
    return true;
}

/* ---- the loads */

static void load_eight(const spring_work *k, const uint32_t *who) {
    tru_world *w = k->s->w;
    spring_group g;
    for (int i = 0; i < SPRING_LANES; i++) {
        contact *c = g.c[i] = &w->contacts.items[who[i]];
        g.springs[i] = springs_room(w, c);
        g.a[i] = &w->bodies.items[c->a];
        g.b[i] = &w->bodies.items[c->b];
        g.book[i] = &k->books[who[i]];
    }
    g.form = &k->forms[g.c[0]->pair - w->pairs.items];
    g.flat = k->kinds[g.c[0]->b] == FLAT;
    for (int i = 0; i < SPRING_LANES; i++)
        TRU_ASSERT(g.c[i]->pair == g.c[0]->pair && (k->kinds[g.c[i]->b] == FLAT) == g.flat);
    const unsigned left = k->kernel(&g);
    TRU_ASSERT(left >> SPRING_LANES == 0);
    for (int i = 0; i < SPRING_LANES; i++)
        if (left >> i & 1u) trui_springs_load(k->o, k->s, g.c[i], g.book[i]);
}

/* Memory that is needed soon: loads of a pile wait for little else. */
static void fetch(const void *from, size_t size) {
    enum { CACHE_LINE = 64 };
    for (const char *at = from; at < (const char *)from + size; at += CACHE_LINE) __builtin_prefetch(at, 1, 2);
}

/* Of those whose turn it is after the next: themselves. */
static void fetch_contacts(const spring_work *k, const uint32_t *who) {
    const tru_world *w = k->s->w;
    for (int i = 0; i < SPRING_LANES; i++) {
        const contact *c = &w->contacts.items[who[i]];
        fetch(c, sizeof *c);
        fetch(springs_room(w, c), sizeof(springs));
    }
}

/* Of the next ones: their bodies, and their springs in the step before. */
static void fetch_parts(const spring_work *k, const uint32_t *who) {
    const tru_world *w = k->s->w;
    for (int i = 0; i < SPRING_LANES; i++) {
        const contact *c = &w->contacts.items[who[i]];
        fetch(c->springs, offsetof(springs, moved));
        fetch(&w->bodies.items[c->a].q, offsetof(body, tensors) - offsetof(body, q));
        fetch(&w->bodies.items[c->b].q, offsetof(body, tensors) - offsetof(body, q));
    }
}

static void load_eights(void *context, size_t begin, size_t end) {
    const spring_work *k = context;
    for (size_t i = begin; i < end; i++) {
        const uint32_t *who = k->order + SPRING_LANES * i;
        if (i + 2 < end) fetch_contacts(k, who + 2 * SPRING_LANES);
        if (i + 1 < end) fetch_parts(k, who + SPRING_LANES);
        load_eight(k, who);
    }
}

static void load_others(void *context, size_t begin, size_t end) {
    const spring_work *k = context;
    for (size_t i = begin; i < end; i++) {
        const uint32_t who = k->order[SPRING_LANES * k->eights + i];
        trui_springs_load(k->o, k->s, &k->s->w->contacts.items[who], &k->books[who]);
    }
}

static void sum_books(tru_ledger *l, const spring_book *books, size_t count) {
    l->stored = 0.0;
    for (size_t i = 0; i < count; i++) {
        const spring_book *b = &books[i];
        l->theta_shift += b->theta_shift;
        l->impact += b->heat[TRU_KIND_NORMAL];
        l->slide += b->heat[TRU_KIND_SLIDE];
        l->spin += b->heat[TRU_KIND_SPIN];
        l->roll += b->heat[TRU_KIND_ROLL];
        l->stiffness += b->stiffness;
        l->start += b->start;
        l->stored += b->stored;
    }
}

/* A handful of contacts is not worth the sorting. */
static void load_few(const tru_track *o, step *s) {
    spring_book books[SPRING_LANES];
    const size_t n = s->w->contacts.count;
    for (size_t i = 0; i < n; i++) trui_springs_load(o, s, &s->w->contacts.items[i], &books[i]);
    sum_books(&s->w->ledger, books, n);
}

tru_status trui_springs_load_all(const tru_track *o, step *s, tru_error *err) {
    enum { EIGHTS = 32, OTHERS = 64 }; /* worth a thread */
    tru_world *w = s->w;
    spring_work k = {.o = o, .s = s, .kernel = SIMD_CHOOSE(trui_springs_kernel)};
    if (w->contacts.count < SPRING_LANES) {
        load_few(o, s);
        return TRU_OK;
    }
    if (!choose(&k, o, w)) return tru_no_memory(err);
    TRU_ASSERT(k.count == w->contacts.count && SPRING_LANES * k.eights <= k.count);
    trui_parallel_for(w->threads, k.eights, EIGHTS, load_eights, &k);
    trui_parallel_for(w->threads, k.count - SPRING_LANES * k.eights, OTHERS, load_others, &k);
    sum_books(&w->ledger, k.books, k.count);
    return TRU_OK;
}
