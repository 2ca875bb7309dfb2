/* sweep_problem.c: from contacts to a sweep problem and back: bodies in use, colours, batches, metric, warm start. */
#include "solvers/sweep_problem/sweep_problem.h"
#include "solvers/sweep_problem/sweep_kernel.h"
#include "solvers/sweep_problem/sweep_run.h"
#include "base/assert.h"

#include "base/error.h"
#include "lanes/fetch.h"
#include "detect/find_contacts.h"
#include "math/mat.h"
#include "lanes/isa.h"
#include "parallel/parallel.h"

#include <string.h>

static bool limits_of(const tru_law *law, const double *work, double limit[3], double *patch) {
    if (law->limits && law->limits(work, limit)) return true;
    if (law->limits_until && law->limits_until(work, limit)) return true;
    return law->coupled && law->coupled(work, limit, patch);
}

bool trui_sweep_possible(const contact *contacts, size_t count, const body *bodies, const solid *solids) {
    const pair *known = NULL;
    for (size_t i = 0; i < count; i++) {
        const pair *p = contacts[i].pair;
        if (p == known) continue;
        tru_contact view = {.stuck = 0};
        if (p->needs != 0)
            trui_contact_view(&contacts[i], &solids[contacts[i].solid_a].pose, &solids[contacts[i].solid_b].pose,
                              bodies[contacts[i].a].x, 0.0, &view);
        for (int k = 0; k < p->law_count; k++) {
            const tru_law *law = p->laws[k].law;
            double work[TRU_LAW_WORK] = {0}, limit[3], patch;
            if (!law->limits && !law->coupled) return false;
            law->prepare(p->laws[k].params, &view, work);
            if (!limits_of(law, work, limit, &patch)) return false;
        }
        known = p;
    }
    return true;
}

/* ---- where things go */

#define NOWHERE UINT32_MAX

enum { PAIR_COUPLED = 1u, PAIR_PASSING = 2u };

/* Are slide and spin of its contacts coupled; do their limits last only until they give way? */
static unsigned kind_of_pair(const pair *p) {
    unsigned kind = 0;
    for (int k = 0; k < p->law_count; k++) {
        const tru_law *law = p->laws[k].law;
        double work[TRU_LAW_WORK] = {0}, limit[3];
        if (law->coupled) kind |= PAIR_COUPLED;
        if (!law->limits_until) continue;
        law->prepare(p->laws[k].params, &(tru_contact){.stuck = 0}, work);
        if (!law->limits(work, limit)) kind |= PAIR_PASSING;
    }
    return kind;
}

/* A problem that is being built, for threads. */
typedef struct building {
    sweep_problem *k;
    const sweep_input *in;
    uint8_t *marks; /* per body */
    bool *ready;    /* per batch: what follows from its lanes is there */
} building;

/* The bodies of all contacts; the kinds of all their pairs. */
static unsigned find_bodies(void *context, size_t begin, size_t end) {
    const building *o = context;
    const sweep_input *in = o->in;
    const pair *known = NULL;
    unsigned kinds = 0;
    for (size_t i = begin; i < end; i++) {
        const contact *c = sweep_contact(in->contacts, in->chosen, i);
        if (i + FETCH_AHEAD < end) __builtin_prefetch(&sweep_contact(in->contacts, in->chosen, i + FETCH_AHEAD)->a);
        o->k->seats[i] = (sweep_seat){.a = c->a, .b = c->b};
        TRU_ASSERT(c->a != c->b && c->a < in->body_count && c->b < in->body_count);
        if (c->pair != known) kinds |= kind_of_pair(c->pair);
        known = c->pair;
    }
    return kinds;
}

enum { MARK_MOVES = 1u, MARK_ROUND = 2u };

/* Of bodies with contacts: do they move, are they round? */
static void mark_bodies(void *context, size_t begin, size_t end) {
    const building *o = context;
    for (size_t i = begin; i < end; i++) {
        const body *b = &o->in->bodies[i];
        if (i + FETCH_AHEAD < end) __builtin_prefetch(&b[FETCH_AHEAD].kind);
        if (!o->marks[i]) continue;
        o->marks[i] = (uint8_t)((body_is_free(b) ? MARK_MOVES : 0u) | (b->ball && b->isotropic ? MARK_ROUND : 0u));
    }
}

/* Moving bodies with contacts, in their order; in the end `marks` is beside them. */
static void number_bodies(building *o) {
    sweep_problem *k = o->k;
    const sweep_input *in = o->in;
    memset(o->marks, 0, in->body_count * sizeof *o->marks);
    for (size_t i = 0; i < in->contact_count; i++) o->marks[k->seats[i].a] = o->marks[k->seats[i].b] = 1;
    trui_parallel_for(k->threads, in->body_count, SWEEP_GRAIN, mark_bodies, o);
    k->moving = 0;
    for (size_t i = 0; i < in->body_count; i++) {
        const uint8_t mark = o->marks[i];
        k->place[i] = mark & MARK_MOVES ? (uint32_t)k->moving : NOWHERE;
        if (!(mark & MARK_MOVES)) continue;
        o->marks[k->moving] = mark;
        k->world[k->moving++] = (uint32_t)i;
    }
    TRU_ASSERT(k->moving <= in->body_count);
}

/* First fit: the lowest colour that neither body has yet; `used`: one bit per colour and moving body. What does not move is a
 * body of its own for each contact. Returns how many of these there are. */
static size_t choose_colours(const building *o, uint64_t *used, size_t counts[][2]) {
    const sweep_problem *k = o->k;
    size_t still = 0;
    memset(used, 0, k->moving * sizeof *used);
    for (size_t i = 0; i < o->in->contact_count; i++) {
        sweep_seat *seat = &k->seats[i];
        const uint32_t a = seat->a = k->place[seat->a], b = k->place[seat->b];
        const bool both = b != NOWHERE;
        TRU_ASSERT(a < k->moving && (!both || (b < k->moving && b != a))); /* A is free */
        const uint64_t taken = used[a] | (both ? used[b] : 0);
        seat->b = both ? b : (uint32_t)(k->moving + still++);
        if (~taken == 0) {
            seat->colour = COLOURS;
            TRU_ASSERT(!seat->batch); /* contacts that share bodies are not in lanes */
        } else {
            const int colour = __builtin_ctzll(~taken);
            used[a] |= UINT64_C(1) << colour;
            if (both) used[b] |= UINT64_C(1) << colour;
            seat->colour = (uint8_t)colour;
            seat->batch = (o->marks[a] & MARK_ROUND) && (!both || (o->marks[b] & MARK_ROUND));
        }
        seat->at = (uint32_t)counts[seat->colour][seat->batch]++;
    }
    return still;
}

static void lay_out_colours(sweep_problem *k, size_t counts[][2]) {
    k->batch_count = k->single_count = 0;
    for (int i = 0; i <= COLOURS; i++) {
        sweep_colour *c = &k->colours[i];
        c->batch = k->batch_count;
        c->single = k->single_count;
        k->batch_count += (counts[i][1] + LANES - 1) / LANES;
        k->single_count += counts[i][0];
        c->batch_end = k->batch_count;
        c->single_end = k->single_count;
        TRU_ASSERT(c->batch <= c->batch_end && c->single <= c->single_end);
    }
}

/* ---- bodies */

/* Not 0 if the inertia of some is no multiple of the unit matrix. */
static unsigned fill_moving(void *context, size_t begin, size_t end) {
    const building *to = context;
    sweep_problem *k = to->k;
    const sweep_input *in = to->in;
    unsigned odd = 0;
    for (size_t i = begin; i < end; i++) {
        const size_t j = k->world[i];
        const body *b = &in->bodies[j];
        const problem_body *o = &in->inverse[j];
        sweep_body *p = &k->bodies[i];
        TRU_ASSERT(j < in->body_count && k->place[j] == i);
        TRU_ASSERT(b->mass > 0.0 && o->inv_mass > 0.0);
        if (i + FETCH_AHEAD < end) {
            const size_t next = k->world[i + FETCH_AHEAD];
            fetch(&p[FETCH_AHEAD], &p[FETCH_AHEAD + 1]);
            fetch(&in->bodies[next].mass, &in->bodies[next].inv_moment);
            fetch(&in->inverse[next], &in->inverse[next].inverse.m[1]);
        }
        *p = (sweep_body){.inv_mass = o->inv_mass, .inv_inertia = o->round ? o->inverse.m[0][0] : 0.0};
        v3_store(p->v, in->free[j].v);
        v3_store(p->w, in->free[j].w);
        k->mass[i] = (sweep_mass){b->mass, b->moment, o->round ? NULL : o};
        odd |= !o->round;
    }
    return odd;
}

/* What does not move, as this contact sees it: its velocity at the contact point, no arm. */
static void fill_still(sweep_body *p, const sweep_input *in, const contact *c) {
    const twist *t = &in->free[c->b];
    TRU_ASSERT(!body_is_free(&in->bodies[c->b]));
    *p = (sweep_body){.inv_mass = 0.0};
    v3_store(p->v, v3_add(t->v, v3_cross(t->w, c->c.arm_b)));
    v3_store(p->w, t->w);
}

/* ---- metric */

typedef struct terms {
    double metric[TRU_KINDS], length;
    double cut[TRU_KINDS]; /* of single contacts */
} terms;

/* Response of the rates at a contact to a unit impulse or couple along `axis`. */
static sweep_impulse response(const sweep_single *c, double inv_mass, tru_vec3 axis, bool couple) {
    const sweep_impulse g = {couple ? v3_zero() : axis, couple ? axis : v3_zero()};
    sweep_impulse u = {v3_scale(inv_mass, g.p), v3_zero()};
    const tru_mat3 *turn[2] = {c->turn_a, c->turn_b};
    const tru_vec3 arm[2] = {c->arm_a, c->arm_b};
    for (int i = 0; i < 2; i++) {
        if (!turn[i]) continue;
        const tru_vec3 w = m3_apply(*turn[i], v3_add(g.t, v3_cross(arm[i], g.p)));
        u.t = v3_add(u.t, w);
        u.p = v3_add(u.p, v3_cross(w, arm[i]));
    }
    return u;
}

/* The same for any body: largest row sums of the scaled 6 x 6 block, rows without a limit left out; and of its normal row and
 * its friction rows apart from each other. */
static terms single_terms(const sweep_single *c, double inv_mass, const contact *g) {
    static const int kinds[TRU_ROWS] = {TRU_KIND_NORMAL, TRU_KIND_SLIDE, TRU_KIND_SLIDE,
                                        TRU_KIND_SPIN,   TRU_KIND_ROLL,  TRU_KIND_ROLL};
    const tru_vec3 axes[3] = {g->c.normal, g->c.t1, g->c.t2};
    double own[TRU_ROWS][TRU_ROWS], trace[2] = {0.0, 0.0}, sum[TRU_KINDS] = {0.0}, apart[TRU_KINDS] = {0.0};
    for (int j = 0; j < TRU_ROWS; j++) {
        const sweep_impulse u = response(c, inv_mass, axes[j % 3], j >= 3);
        for (int i = 0; i < TRU_ROWS; i++) own[i][j] = v3_dot(axes[i % 3], i < 3 ? u.p : u.t);
        trace[j >= 3] += own[j][j];
    }
    terms t = {.length = sqrt(trace[0] / trace[1])};
    TRU_ASSERT(!(trace[0] <= 0.0) && !(trace[1] <= 0.0)); /* of a positive definite block */
    own[0][0] += c->normal_terms.soft;
    for (int i = 0; i < TRU_ROWS; i++) {
        double row[2] = {0.0, 0.0}; /* with the others of its kind, with all */
        for (int j = 0; j < TRU_ROWS; j++) {
            const bool taken =
                i == j || ((i == 0 || c->limit[kinds[i] - 1] > 0.0) && (j == 0 || c->limit[kinds[j] - 1] > 0.0));
            const double size = fabs(own[i][j]) * (i < 3 ? 1.0 : t.length) * (j < 3 ? 1.0 : t.length);
            if (taken) row[1] += size;
            if (taken && (i == 0) == (j == 0)) row[0] += size;
        }
        apart[kinds[i]] = fmax(apart[kinds[i]], row[0]);
        sum[kinds[i]] = fmax(sum[kinds[i]], row[1]);
    }
    for (int kind = 0; kind < TRU_KINDS; kind++) {
        const double scale = kind >= TRU_KIND_SPIN ? t.length * t.length : 1.0;
        t.metric[kind] = scale / sum[kind];
        t.cut[kind] = scale / apart[kind];
        TRU_ASSERT(!(apart[kind] > sum[kind])); /* fewer rows, smaller sums */
    }
    return t;
}

/* ---- contacts */

static inline sweep_impulse from_rows(const contact *c, const double rows[TRU_ROWS]) {
    const tru_vec3 n = c->c.normal, t1 = c->c.t1, t2 = c->c.t2;
    return (sweep_impulse){v3_madd(v3_madd(v3_scale(rows[0], n), rows[1], t1), rows[2], t2),
                           v3_madd(v3_madd(v3_scale(rows[3], n), rows[4], t1), rows[5], t2)};
}

static inline void to_rows(const contact *c, const sweep_impulse *g, double rows[TRU_ROWS]) {
    const tru_vec3 n = c->c.normal, t1 = c->c.t1, t2 = c->c.t2;
    rows[0] = v3_dot(n, g->p), rows[1] = v3_dot(t1, g->p), rows[2] = v3_dot(t2, g->p);
    rows[3] = v3_dot(n, g->t), rows[4] = v3_dot(t1, g->t), rows[5] = v3_dot(t2, g->t);
}

/* Limits of the pair that the last contact had: they do not change from contact to contact unless a law asks for the
 * contact's curvature or memory. */
typedef struct known_limits {
    const pair *of; /* NULL: none */
    double limit[3], patch;
} known_limits;

/* Laws prepared, limits collected; with `gave_way` as they are after it, `stuck` being what sticks then. */
static void collect_limits(const sweep_input *in, const contact *c, bool gave_way, uint32_t stuck, double limit[3],
                           double *patch) {
    const pair *p = c->pair;
    tru_contact view;
    limit[0] = limit[1] = limit[2] = *patch = 0.0;
    trui_contact_view(c, &in->solids[c->solid_a].pose, &in->solids[c->solid_b].pose, in->bodies[c->a].x, in->step,
                      &view);
    for (int i = 0; i < p->law_count; i++) {
        const pair_law *l = &p->laws[i];
        double room[TRU_LAW_WORK] = {0}, *work = l->kept > 0 ? c->c.memory + l->kept : room;
        view.memory = c->c.memory ? c->c.memory + l->memory : NULL;
        l->law->prepare(l->params, &view, work);
        if (gave_way && l->law->revise) l->law->revise(work, stuck);
        double own[3] = {0.0, 0.0, 0.0};
        limits_of(l->law, work, own, patch);
        for (int r = 0; r < 3; r++) limit[r] = fmax(limit[r], own[r]); /* a kind is one law's: the others say 0 */
        TRU_ASSERT(limit[0] >= 0.0 && limit[1] >= 0.0 && limit[2] >= 0.0);
    }
}

static void find_limits(const sweep_input *in, const contact *c, known_limits *known, double limit[3], double *patch) {
    const pair *p = c->pair;
    if (known->of == p) {
        memcpy(limit, known->limit, sizeof known->limit);
        *patch = known->patch;
        return;
    }
    collect_limits(in, c, false, 0, limit, patch);
    known->of = p->needs == 0 && p->history == 0 && !(kind_of_pair(p) & PAIR_PASSING) ? p : NULL;
    memcpy(known->limit, limit, sizeof known->limit);
    known->patch = *patch;
}

/* Metric and lean follow for all lanes at once. */
static void fill_lane(sweep_problem *k, const sweep_input *in, size_t i, known_limits *known, sweep_batch *batch,
                      int j) {
    const contact *c = sweep_contact(in->contacts, in->chosen, i);
    const sweep_seat *seat = &k->seats[i];
    const bool both = seat->b < k->moving;
    double limit[3], patch;
    if (!both) fill_still(&k->bodies[seat->b], in, c);
    find_limits(in, c, known, limit, &patch);
    const sweep_impulse g = from_rows(c, c->dry);
    const double n[3] = {c->c.normal.x, c->c.normal.y, c->c.normal.z};
    const double p[6] = {g.p.x, g.p.y, g.p.z, g.t.x, g.t.y, g.t.z};
    batch->a[j] = seat->a * (uint32_t)sizeof *k->bodies;
    batch->b[j] = seat->b * (uint32_t)sizeof *k->bodies;
    batch->contact[j] = (uint32_t)i;
    TRU_ASSERT(j >= 0 && j < LANES && seat->a < k->moving && seat->b < k->moving + in->contact_count);
    TRU_ASSERT(!(fabs(v3_norm2(c->c.normal) - 1.0) > 1e-9));
    for (int r = 0; r < 3; r++) {
        batch->n[r][j] = n[r];
        batch->limit[r][j] = limit[r];
    }
    for (int r = 0; r < 6; r++) batch->p[0][r][j] = batch->p[1][r][j] = p[r];
    batch->bias[j] = c->bias;
    batch->shift[j] = 0.0;
    batch->arm[0][j] = -v3_dot(c->c.arm_a, c->c.normal);
    batch->arm[1][j] = both ? v3_dot(c->c.arm_b, c->c.normal) : 0.0;
    if (k->normal_terms) {
        sweep_normal_terms *more = &k->normal_terms[batch - k->batches];
        more->soft[j] = in->normal_terms[c - in->contacts].soft;
        more->floor[j] = in->normal_terms[c - in->contacts].floor;
    }
    if (k->patches) {
        k->patches[batch - k->batches].radius[j] = patch;
        k->patches[batch - k->batches].guess[j] = 1.0;
    }
}

/* Nothing happens in these lanes: no limits, no impulse, a gap. */
static void fill_empty(sweep_problem *k, size_t at, int from, uint32_t dummy) {
    sweep_batch *batch = &k->batches[at];
    for (int j = from; j < LANES; j++) {
        if (k->normal_terms) k->normal_terms[at].soft[j] = k->normal_terms[at].floor[j] = 0.0;
        if (k->patches) k->patches[at].radius[j] = k->patches[at].guess[j] = 0.0;
        batch->a[j] = batch->b[j] = dummy * (uint32_t)sizeof(sweep_body);
        batch->contact[j] = UINT32_MAX;
        for (int r = 0; r < 3; r++) batch->n[r][j] = batch->limit[r][j] = 0.0;
        for (int r = 0; r < 6; r++) batch->p[0][r][j] = batch->p[1][r][j] = 0.0;
        batch->bias[j] = 1.0;
        batch->shift[j] = batch->arm[0][j] = batch->arm[1][j] = 0.0;
    }
}

static void fill_single(sweep_problem *k, const sweep_input *in, size_t i, known_limits *known, sweep_single *s) {
    const contact *c = sweep_contact(in->contacts, in->chosen, i);
    const sweep_seat *seat = &k->seats[i];
    const bool both = seat->b < k->moving;
    if (!both) fill_still(&k->bodies[seat->b], in, c);
    *s = (sweep_single){.a = seat->a, .b = seat->b, .contact = (uint32_t)i, .n = c->c.normal, .arm_a = c->c.arm_a};
    s->arm_b = both ? c->c.arm_b : v3_zero();
    s->turn_a = &in->inverse[c->a].inverse;
    s->turn_b = both ? &in->inverse[c->b].inverse : NULL;
    s->bias = c->bias;
    if (in->normal_terms) s->normal_terms = in->normal_terms[c - in->contacts];
    find_limits(in, c, known, s->limit, &s->patch);
    s->guess = 1.0;
    const double inv_mass = in->inverse[c->a].inv_mass + in->inverse[c->b].inv_mass;
    const terms t = single_terms(s, inv_mass, c);
    s->length = t.length;
    TRU_ASSERT(s->patch >= 0.0 && (s->turn_b == NULL) == !both);
    TRU_ASSERT(!(fabs(v3_norm2(s->n) - 1.0) > 1e-9));
    s->answer = response(s, inv_mass, s->n, false);
    memcpy(s->cut, t.cut, sizeof s->cut);
    memcpy(s->metric, t.metric, sizeof s->metric);
    for (int r = 0; r < 3; r++) s->lean[r] = t.metric[0] / t.metric[r + 1] * s->limit[r];
    s->g[0] = s->g[1] = from_rows(c, c->dry);
}

/* Its part of a batch that is filled after this one: each lane asks for an eighth of it. */
static void fetch_batch(const sweep_problem *k, size_t at, int lane) {
    enum { PART = sizeof(sweep_batch) / LANES };
    const char *from = (const char *)&k->batches[at] + lane * PART;
    if (at < k->batch_count) fetch(from, from + PART);
}

/* In the order of contacts, which are many more bytes than batches. Contacts of one colour take its lanes in their order: a batch
 * that has its first and its last one from this range is whole. */
static void fill_contacts(void *context, size_t begin, size_t end) {
    const building *o = context;
    sweep_problem *k = o->k;
    const sweep_input *in = o->in;
    known_limits known = {.of = NULL};
    bool whole[COLOURS + 1] = {false};
    for (size_t i = begin; i < end; i++) {
        sweep_seat *seat = &k->seats[i];
        if (i + FETCH_AHEAD < end) {
            const contact *next = sweep_contact(in->contacts, in->chosen, i + FETCH_AHEAD);
            fetch(&next->c, &next->theta);
        }
        if (!seat->batch) {
            seat->at += (uint32_t)k->colours[seat->colour].single;
            TRU_ASSERT(seat->at < k->colours[seat->colour].single_end);
            fill_single(k, in, i, &known, &k->singles[seat->at]);
            continue;
        }
        const size_t at = k->colours[seat->colour].batch + seat->at / LANES;
        const int lane = (int)(seat->at % LANES);
        TRU_ASSERT(at < k->colours[seat->colour].batch_end);
        whole[seat->colour] = whole[seat->colour] || lane == 0;
        fetch_batch(k, at + 1, lane);
        fill_lane(k, in, i, &known, &k->batches[at], lane);
        seat->at = (uint32_t)(at * LANES) + (uint32_t)lane;
        if (lane < LANES - 1 || !whole[seat->colour]) continue;
        k->kernels->terms(k, at, at + 1);
        o->ready[at] = true;
    }
}

/* Batches that more than one range had a part in, and those with empty lanes, which are the last of their colours. */
static void complete_batches(const building *o, size_t counts[][2]) {
    sweep_problem *k = o->k;
    const uint32_t dummy = (uint32_t)k->body_count;
    k->bodies[k->body_count++] = (sweep_body){.inv_mass = 1.0, .inv_inertia = 1.0}; /* no impulse reaches it */
    for (int i = 0; i <= COLOURS; i++) {
        const int lanes = (int)(counts[i][1] % LANES);
        TRU_ASSERT(lanes == 0 || k->colours[i].batch_end > k->colours[i].batch);
        if (lanes > 0) fill_empty(k, k->colours[i].batch_end - 1, lanes, dummy);
    }
    for (size_t i = 0; i < k->batch_count; i++)
        if (!o->ready[i]) k->kernels->terms(k, i, i + 1);
}

/* [m/s] The fastest that a contact would close without impulses. */
static double fastest_approach(const sweep_input *in) {
    double fastest = 0.0;
    for (size_t i = 0; i < in->contact_count; i++) {
        const contact *c = sweep_contact(in->contacts, in->chosen, i);
        const twist *a = &in->free[c->a], *b = &in->free[c->b];
        const tru_vec3 va = v3_add(a->v, v3_cross(a->w, c->c.arm_a)), vb = v3_add(b->v, v3_cross(b->w, c->c.arm_b));
        fastest = fmax(fastest, v3_norm(v3_sub(va, vb)));
    }
    return fastest;
}

tru_status trui_sweep_build(sweep_problem *k, const sweep_input *in, tru_error *err) {
    const size_t n = in->contact_count;
    size_t counts[COLOURS + 1][2] = {{0}};
    *k = (sweep_problem){.contacts = in->contacts, .chosen = in->chosen, .contact_count = n, .threads = in->threads};
    k->clock = in->clock;
    k->exact = in->exact;
    k->free = in->free;
    k->scratch = in->scratch;
    k->kernels = SIMD_CHOOSE(trui_sweep);
    k->place = ARENA_ARRAY(in->scratch, uint32_t, in->body_count);
    k->world = ARENA_ARRAY(in->scratch, uint32_t, in->body_count);
    k->seats = ARENA_ARRAY(in->scratch, sweep_seat, n);
    uint64_t *used = ARENA_ARRAY(in->scratch, uint64_t, in->body_count);
    building o = {.k = k, .in = in, .marks = ARENA_ARRAY(in->scratch, uint8_t, in->body_count)};
    if (!k->place || !k->world || !k->seats || !used || !o.marks) return tru_no_memory(err);
    const unsigned kinds = trui_parallel_any(k->threads, n, SWEEP_GRAIN, find_bodies, &o);
    k->passing = kinds & PAIR_PASSING;
    number_bodies(&o);
    const size_t still = choose_colours(&o, used, counts);
    lay_out_colours(k, counts);
    TRU_ASSERT(still <= n && k->batch_count * LANES + k->single_count >= n);
    k->bodies = ARENA_ARRAY(in->scratch, sweep_body, k->moving + still + 1);
    const size_t copies = (k->moving + still + 2) / 2; /* room for all bodies in floats */
    k->before = ARENA_ARRAY(in->scratch, sweep_body, k->moving > copies ? k->moving : copies);
    for (int i = 0; i < 2; i++) k->mark[i] = ARENA_ARRAY(in->scratch, sweep_body, k->moving);
    k->mass = ARENA_ARRAY(in->scratch, sweep_mass, k->moving);
    k->batches = ARENA_ARRAY(in->scratch, sweep_batch, k->batch_count);
    k->singles = ARENA_ARRAY(in->scratch, sweep_single, k->single_count);
    k->work = ARENA_ARRAY(in->scratch, double, k->batch_count + k->single_count);
    o.ready = ARENA_ARRAY(in->scratch, bool, k->batch_count);
    const size_t looks = (k->batch_count * sizeof(sweep_batch32) + sizeof(sweep_residual) - 1) / sizeof(sweep_residual);
    k->residuals = ARENA_ARRAY(in->scratch, sweep_residual, n > looks ? n : looks); /* or for all batches in floats */
    if (kinds & PAIR_COUPLED && !(k->patches = ARENA_ARRAY(in->scratch, sweep_patch, k->batch_count)))
        return tru_no_memory(err);
    if (in->normal_terms && !(k->normal_terms = ARENA_ARRAY(in->scratch, sweep_normal_terms, k->batch_count)))
        return tru_no_memory(err);
    if (!k->bodies || !k->before || !k->mark[0] || !k->mark[1] || !k->mass || !k->batches || !k->singles || !k->work ||
        !k->residuals || !o.ready)
        return tru_no_memory(err);
    k->round = !trui_parallel_any(k->threads, k->moving, SWEEP_GRAIN, fill_moving, &o);
    k->from = k->bodies;
    k->body_count = k->moving + still;
    memset(o.ready, 0, k->batch_count * sizeof *o.ready);
    trui_parallel_for(k->threads, n, SWEEP_GRAIN, fill_contacts, &o);
    complete_batches(&o, counts);
    TRU_ASSERT(k->body_count == k->moving + still + 1);
    k->speed = in->speed > 0.0 ? in->speed : fastest_approach(in);
    trui_sweep_push_all(k);
    trui_sweep_forget(k);
    return TRU_OK;
}

/* New limits of the i-th contact; false: they are what it has. */
static bool change_limits(sweep_problem *k, size_t i, const double limit[3]) {
    const sweep_seat *seat = &k->seats[i];
    const size_t at = seat->batch ? seat->at / LANES : seat->at, lane = seat->at % LANES;
    bool other = false;
    TRU_ASSERT(at < (seat->batch ? k->batch_count : k->single_count));
    for (int r = 0; r < 3; r++) {
        double *to = seat->batch ? &k->batches[at].limit[r][lane] : &k->singles[at].limit[r];
        other = other || *to != limit[r];
        *to = limit[r];
        if (!seat->batch) {
            sweep_single *s = &k->singles[at];
            s->lean[r] = s->metric[TRU_KIND_NORMAL] / s->metric[r + 1] * limit[r];
        }
    }
    if (other && seat->batch) k->kernels->terms(k, at, at + 1);
    return other;
}

bool trui_sweep_revise(sweep_problem *k, const sweep_input *in) {
    bool again = false;
    for (size_t i = 0; k->passing && i < k->contact_count; i++) {
        const contact *c = sweep_contact(k->contacts, k->chosen, i);
        double limit[3], patch;
        const uint32_t held = c->c.stuck & TRU_KIND_BIT(TRU_KIND_SLIDE);
        if (!held || k->residuals[i].stuck & held) continue;
        collect_limits(in, c, true, k->residuals[i].stuck, limit, &patch);
        if (change_limits(k, i, limit)) again = true;
    }
    if (again) trui_sweep_forget(k);
    k->f32.sweeps = again ? 0 : k->f32.sweeps;
    return again;
}

static void write_contact(contact *c, const sweep_impulse *g, double soft, const sweep_residual *o,
                          double seen[TRU_ROWS]) {
    const sweep_impulse u = {v3_from(o->u), v3_from(o->u + 3)};
    to_rows(c, g, c->dry);
    memcpy(c->impulse, c->dry, sizeof c->impulse);
    to_rows(c, &u, seen);
    seen[TRU_ROW_NORMAL] += c->bias + soft * c->dry[TRU_ROW_NORMAL];
    c->stuck = o->stuck;
    c->steady = c->stuck == c->c.stuck;
}

typedef struct finishing {
    sweep_problem *k;
    body *bodies;
    double (*seen)[TRU_ROWS];
} finishing;

static void finish_bodies(void *context, size_t begin, size_t end) {
    const finishing *f = context;
    const sweep_problem *k = f->k;
    for (size_t i = begin; i < end; i++) {
        body *b = &f->bodies[k->world[i]];
        TRU_ASSERT(body_is_free(b));
        if (i + FETCH_AHEAD < end) {
            const body *next = &f->bodies[k->world[i + FETCH_AHEAD]];
            fetch(&next->v, &next->gain);
        }
        b->v = v3_from(k->bodies[i].v);
        b->w = v3_from(k->bodies[i].w);
    }
}

/* In the order of contacts, which take many more bytes than batches: a few batches of each colour stay in the cache. */
static void finish_contacts(void *context, size_t begin, size_t end) {
    const finishing *f = context;
    sweep_problem *k = f->k;
    for (size_t i = begin; i < end; i++) {
        const sweep_seat *seat = &k->seats[i];
        contact *c = sweep_contact(k->contacts, k->chosen, i);
        double *rates = f->seen[c - k->contacts];
        if (i + FETCH_AHEAD < end) {
            contact *next = sweep_contact(k->contacts, k->chosen, i + FETCH_AHEAD);
            fetch(&next->flags, &next->theta);
        }
        if (seat->batch) {
            const size_t at = seat->at / LANES, lane = seat->at % LANES;
            if (lane == 0) fetch(k->batches[at + 1].p[k->now], k->batches[at + 1].p[k->now] + 6);
            const sweep_impulse g = lane_impulse(k->batches[at].p[k->now][0] + lane);
            TRU_ASSERT(k->batches[at].contact[lane] == i);
            write_contact(c, &g, k->normal_terms ? k->normal_terms[at].soft[lane] : 0.0, &k->residuals[i], rates);
        } else {
            const sweep_single *s = &k->singles[seat->at];
            TRU_ASSERT(s->contact == i);
            write_contact(c, &s->g[k->now], s->normal_terms.soft, &k->residuals[i], rates);
        }
    }
}

void trui_sweep_finish(sweep_problem *k, body *bodies, double (*seen)[TRU_ROWS]) {
    finishing f = {k, bodies, seen};
    trui_parallel_for(k->threads, k->moving, SWEEP_GRAIN, finish_bodies, &f);
    trui_parallel_for(k->threads, k->contact_count, SWEEP_GRAIN, finish_contacts, &f);
}
