/* find_contacts.c: from bodies to contacts: candidate pairs, narrow phase, frames carried over, history matched by key. */
#include "detect/find_contacts.h"

#include "base/error.h"
#include "lanes/fetch.h"
#include "detect/lever.h"
#include "detect/narrow/narrow.h"
#include "detect/candidates.h"
#include "math/quat.h"
#include "parallel/parallel.h"

#include <stdlib.h>

enum { MANY = 1024 }; /* bodies or contacts that are worth a thread, where each is little work */

static int compare_contacts(const void *p, const void *q) {
    return trui_contact_key_order(&((const contact *)p)->key, &((const contact *)q)->key);
}

/* ---- where solids are */

typedef struct posing {
    tru_world *w;
    bool all; /* also those of fixed bodies: they are known unless something was changed from outside */
} posing;

static void pose_some(void *context, size_t begin, size_t end) {
    tru_world *w = ((const posing *)context)->w;
    for (size_t i = begin; i < end; i++) {
        const body *b = &w->bodies.items[i];
        if (i + FETCH_AHEAD < end) {
            const solid *next = &w->solids.items[b[FETCH_AHEAD].solid_first];
            fetch(next, next + 1);
            fetch(&b[FETCH_AHEAD], &b[FETCH_AHEAD].v);
        }
        if (b->kind == TRU_FIXED && !((const posing *)context)->all) continue;
        const tru_mat3 r = body_axes(b);
        for (size_t k = b->solid_first; k < b->solid_first + b->solid_count; k++)
            w->solids.items[k].pose = solid_placed(&w->solids.items[k], b->x, &r);
    }
}

static void pose_solids(tru_world *w, bool all) {
    trui_parallel_for(w->threads, w->bodies.count, MANY, pose_some, &(posing){w, all});
}

/* By strides that double from `hint` on, then by halves of the last one. */
size_t trui_contact_seek(const contact_array *all, const contact_key *key, size_t hint) {
    size_t lo = 0, hi = all->count;
    contact_key first = *key;
    first.feature = INT32_MIN;
    const size_t from = hint < hi ? hint : hi;
    if (from < hi && trui_contact_key_order(&all->items[from].key, &first) < 0) {
        lo = from + 1;
        for (size_t stride = 1; lo + stride <= all->count; stride *= 2) {
            hi = lo + stride - 1;
            if (trui_contact_key_order(&all->items[hi].key, &first) >= 0) break;
            lo = hi + 1;
            hi = all->count;
        }
    } else {
        hi = from;
        for (size_t stride = 1; hi >= stride; stride *= 2) {
            lo = hi - stride;
            if (trui_contact_key_order(&all->items[lo].key, &first) < 0) {
                lo++;
                break;
            }
            hi = lo;
            lo = 0;
        }
    }
    while (lo < hi) {
        const size_t mid = (lo + hi) / 2;
        if (trui_contact_key_order(&all->items[mid].key, &first) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool same_solids(const contact_key *p, const contact_key *q) {
    return p->solid_a == q->solid_a && p->solid_b == q->solid_b;
}

/* The run of last step's contacts between two solids, in key order. `hint`: where the last such search ended. */
static const contact *run_before(const contact_array *before, const contact_key *key, size_t *hint, int *count) {
    const size_t here = *hint; /* mostly it is the next one */
    const bool next = here < before->count && same_solids(&before->items[here].key, key) &&
                      (here == 0 || !same_solids(&before->items[here - 1].key, key));
    const size_t begin = next ? here : trui_contact_seek(before, key, here);
    *count = 0;
    for (size_t i = begin; i < before->count && same_solids(&before->items[i].key, key); i++) ++*count;
    *hint = begin + (size_t)*count;
    return before->items + begin;
}

/* Lay the old frame into the new tangent plane by the smallest rotation in closed form
 * [contact-tracking-equations 2.2]. */
static inline void carry_frame(const tru_vec3 *old_n, const tru_vec3 *old_t1, const tru_vec3 *old_t2, tru_vec3 n,
                               tru_vec3 *t1, tru_vec3 *t2) {
    if (n.x == old_n->x && n.y == old_n->y && n.z == old_n->z) {
        *t1 = *old_t1;
        *t2 = *old_t2;
        return;
    }
    const tru_vec3 u = v3_reject(v3_add(*old_t1, v3_cross(*old_t2, n)), n);
    if (!v3_unit(u, t1)) { /* turned by half a turn: any frame is as good */
        v3_tangents(n, t1, t2);
        return;
    }
    *t2 = v3_cross(n, *t1);
}

/* Arms from the centres to the contact point. Against an unbounded shape the point lies on the bounded one, else in the
 * middle. */
static inline void set_arms(const solid *sa, const solid *sb, const body *a, const body *b, const placed *pa,
                            const placed *pb, const contact_point *m, tru_vec3 *arm_a, tru_vec3 *arm_b) {
    const bool on_a = sa->shape->bounded;
    tru_vec3 arm = on_a ? solid_arm(sa, &pa->r, a, m->local) : solid_arm(sb, &pb->r, b, m->local);
    if (on_a && sb->shape->bounded) arm = v3_madd(arm, -0.5 * m->gap, m->normal);
    *(on_a ? arm_a : arm_b) = arm;
    *(on_a ? arm_b : arm_a) = on_a ? v3_add(arm, v3_sub(a->x, b->x)) : v3_add(arm, v3_sub(b->x, a->x));
}

/* Has the shape really come down flat: could the gap have been closed within the step? */
static bool lands(const tru_world *w, const solid *a, const contact_point *m, const search *wanted) {
    const body *b = &w->bodies.items[a->body];
    if (!(m->flags & TRU_TOUCH_LANDING)) return false;
    return m->gap <= 4.0 * wanted->margin + 2.0 * wanted->step * (v3_norm(b->v) + b->size * v3_norm(b->w));
}

/* Touches of the last step for the narrow phase. Contacts that were only looked ahead at were none. */
static int touches_of(const contact *before, int count, tru_touch *touches) {
    int n = 0;
    for (int i = 0; i < count; i++)
        if (!(before[i].flags & CONTACT_APART)) touches[n++] = (tru_touch){before[i].local_a, before[i].key.feature, 0};
    return n;
}

static const contact *with_feature(const contact *run, int count, int32_t feature) {
    const contact *found = NULL;
    for (int k = 0; k < count; k++)
        if (run[k].key.feature == feature) found = &run[k];
    return found;
}

/* What the narrow phase says of a contact to be. */
typedef struct sighting {
    tru_vec3 normal;       /* [-] */
    tru_vec3 arm_a, arm_b; /* [m] */
    tru_vec3 local;        /* [m] meeting.local */
    double gap;            /* [m] */
    const contact *old;    /* its record of the last step, NULL: none */
    int32_t feature;
    bool landing;
} sighting;

/* A contact as it was seen: where it is; */
static inline void contact_set(contact *c, const tru_world *w, candidate cand, const sighting *at) {
    c->key = (contact_key){(uint32_t)w->solids.items[cand.a].body, (uint32_t)w->solids.items[cand.b].body, cand.a,
                           cand.b, at->feature};
    c->local_a = at->local;
    c->c.normal = at->normal;
    c->c.gap = at->gap;
    c->c.arm_a = at->arm_a;
    c->c.arm_b = at->arm_b;
}

/* and what its record of the last step says. */
static inline void contact_fill(contact *c, const tru_world *w, const contact *old, unsigned keeps) {
    for (int row = 0; row < TRU_ROWS; row++) c->dry[row] = c->impulse[row] = 0.0;
    c->bias = c->approach = 0.0;
    c->theta = 0.0f;
    if (old) {
        contact_take_over(c, old);
    } else {
        const start_mode start = trui_world_start(w, w->bodies.items[c->a].id, w->bodies.items[c->b].id);
        c->flags = CONTACT_NEW | start.slipping << CONTACT_SLIPS;
        c->stuck = start.stuck;
        c->age = 0;
        c->steady = false;
    }
    c->pair = trui_world_pair(w, &w->solids.items[c->solid_a], &w->solids.items[c->solid_b]);
    const bool tracked = (keeps & KEEP_SPRINGS) && (c->flags & CONTACT_FOLLOWED);
    if (tracked && (c->flags & CONTACT_SETTLED)) {
        const track_record *at = &old->springs->record;
        carry_frame(&at->at[0], &at->t1[0], &at->t2[0], c->c.normal, &c->c.t1, &c->c.t2);
    } else if (tracked) { /* both bodies carry the frame: who loads the springs lays it in */
        c->c.t1 = old->c.t1;
        c->c.t2 = old->c.t2;
    } else if (old && old->end)
        carry_frame(&old->end->place.normal, &old->end->place.t1, &old->end->place.t2, c->c.normal, &c->c.t1, &c->c.t2);
    else if (old)
        carry_frame(&old->c.normal, &old->c.t1, &old->c.t2, c->c.normal, &c->c.t1, &c->c.t2);
    else
        v3_tangents(c->c.normal, &c->c.t1, &c->c.t2);
    c->c.stuck = c->stuck;
    c->c.rim_points = 1;
    c->c.memory = old ? old->c.memory : NULL; /* where its parts were; matched below */
    c->end = old && (keeps & KEEP_ENDS) ? old->end : NULL;
    c->springs = old && (keeps & KEEP_SPRINGS) ? old->springs : NULL;
}

/* How many points of the same rim touch: a contour has a direction only where one does. */
static void count_rim_points(contact *run, size_t count) {
    for (size_t k = 0; k < count; k++) {
        run[k].c.rim_points = 0;
        for (size_t j = 0; j < count; j++)
            run[k].c.rim_points += run[j].key.feature / TRU_RIM_POINTS == run[k].key.feature / TRU_RIM_POINTS;
    }
}

static tru_status no_law(const tru_world *w, const contact *c, tru_error *err) {
    return tru_fail(err, TRU_NO_LAW, "materials '%s' and '%s' touch but have no law",
                    w->materials.items[w->solids.items[c->solid_a].material].name,
                    w->materials.items[w->solids.items[c->solid_b].material].name);
}

/* ---- one candidate */

/* Is a contact near enough, now or by the end of the step? */
static bool within_reach(const sighting *at, const twist *a, const twist *b, const search *wanted, double lift) {
    double u[TRU_ROWS]; /* of which the normal row is used */
    rates_of_rows(at->normal, at->normal, at->normal, at->arm_a, at->arm_b, a, b, u);
    return at->gap < wanted->margin + (wanted->step * (u[TRU_ROW_NORMAL] < 0.0 ? -u[TRU_ROW_NORMAL] : 0.0) + lift);
}

/* [m] How far the law lifts contacts of the last step in this one: the furthest of them. */
static double lifted(const search *wanted, const contact *run, int count) {
    double most = 0.0;
    for (int i = 0; wanted->lifted && i < count; i++)
        if (!(run[i].flags & CONTACT_APART)) most = fmax(most, wanted->step * wanted->lifted(wanted->context, &run[i]));
    return most;
}

/* [m] The same of a contact to be, whose limits of friction do not depend on what it is: with it the body lands where it is to stay. */
static double will_lift(const tru_world *w, const solid *sa, const solid *sb, const sighting *at,
                        const search *wanted) {
    const pair *p = trui_world_pair(w, sa, sb);
    if (!wanted->lifted || !p || !p->plain) return 0.0;
    const twist *a = &wanted->moves[sa->body], *b = &wanted->moves[sb->body];
    const tru_vec3 v = v3_sub(v3_add(a->v, v3_cross(a->w, at->arm_a)), v3_add(b->v, v3_cross(b->w, at->arm_b)));
    const tru_vec3 turn = v3_sub(a->w, b->w);
    return wanted->step *
           (p->limit[0] * v3_norm(v3_reject(v, at->normal)) + p->limit[1] * fabs(v3_dot(turn, at->normal)) +
            p->limit[2] * v3_norm(v3_reject(turn, at->normal)));
}

/* Two balls, which the search for pairs has found to meet (candidates.c): what their record of the last step says does not matter
 * to the narrow phase, one point is all, and both stand at the centres of their bodies' masses. */
static inline sighting sight_of_balls(const solid *sa, const solid *sb) {
    const double ra = sa->radius, rb = sb->radius;
    const tru_vec3 between = v3_sub(sa->pose.x, sb->pose.x);
    sighting at = {.normal = v3(0.0, 0.0, 1.0), .gap = v3_norm(between) - (ra + rb)};
    v3_unit(between, &at.normal);
    at.local = placed_point_to_local(&sa->pose, v3_madd(sa->pose.x, -ra, at.normal));
    at.arm_a = v3_madd(m3_apply(sa->pose.r, at.local), -0.5 * at.gap, at.normal);
    at.arm_b = v3_add(at.arm_a, between);
    return at;
}

/* All contacts of any two solids. `hint`: see run_before. */
static int sight_pair(const tru_world *w, candidate cand, const search *wanted, size_t *hint, sighting *out) {
    const solid *sa = &w->solids.items[cand.a], *sb = &w->solids.items[cand.b];
    const body *a = &w->bodies.items[sa->body], *b = &w->bodies.items[sb->body];
    const contact_key key = {(uint32_t)sa->body, (uint32_t)sb->body, cand.a, cand.b, 0};
    int before_count, n = 0;
    const contact *before = run_before(&w->contacts_before, &key, hint, &before_count);
    tru_touch touches[TRU_TOUCHES];
    contact_point meetings[TRU_TOUCHES];
    const int touch_count = touches_of(before, before_count, touches);
    const double margin =
        wanted->margin + fmax(trui_candidates_closing(w, sa, sb, wanted), lifted(wanted, before, before_count));
    const int count = trui_narrow_find(&sa->pose, &sb->pose, margin, touches, touch_count, meetings);
    for (int i = 0; i < count; i++) {
        const contact_point *m = &meetings[i];
        sighting *at = &out[n];
        *at = (sighting){.normal = m->normal, .local = m->local, .gap = m->gap, .feature = m->feature};
        at->landing = lands(w, sa, m, wanted);
        set_arms(sa, sb, a, b, &sa->pose, &sb->pose, m, &at->arm_a, &at->arm_b);
        at->old = with_feature(before, before_count, m->feature);
        bool near = at->gap < wanted->margin;
        if (wanted->moves && !near) {
            const double now = at->old ? lifted(wanted, at->old, 1) : 0.0;
            const double lift = fmax(now, will_lift(w, sa, sb, at, wanted));
            near = within_reach(at, &wanted->moves[sa->body], &wanted->moves[sb->body], wanted, lift);
        }
        n += at->landing || near;
    }
    return n;
}

static bool are_balls(const tru_world *w, candidate cand) {
    return solid_is_centred_ball(&w->solids.items[cand.a]) && solid_is_centred_ball(&w->solids.items[cand.b]);
}

/* ---- many candidates, by threads: first their contacts are sighted and counted, then written where they belong */

/* What the next candidates and their contacts need. */
static void fetch_ahead(const tru_world *w, const candidate *list, size_t left, size_t made, size_t hint) {
    const size_t old = hint + 3;
    made += 3;
    if (made < w->contacts.capacity) fetch(&w->contacts.items[made], &w->contacts.items[made] + 1);
    if (old < w->contacts_before.count) fetch(&w->contacts_before.items[old], w->contacts_before.items[old].impulse);
    if (left > FETCH_AHEAD) {
        const solid *b = &w->solids.items[list[FETCH_AHEAD].b];
        fetch(b, b + 1);
    }
}

enum {
    CHUNK = 64,   /* candidates that stay together, */
    CHUNKS = 32,  /* and how many of these threads share at a time, */
    A_THREAD = 4, /* of which one of them gets at least so many */
};

/* Candidates that are worked on at a time. */
typedef struct block {
    tru_world *w;
    const search *wanted;
    const contact_visitor *also;
    const candidate *list;
    size_t count;
    sighting *sightings;            /* of pairs that are not of balls: room for CHUNK * TRU_TOUCHES in each chunk */
    uint8_t seen[CHUNKS * CHUNK];   /* contacts of each candidate */
    size_t first[CHUNKS + 1];       /* place of the first contact of each chunk */
    const contact *lawless[CHUNKS]; /* the first contact of each chunk that has no law, NULL: all have */
    bool ordered[CHUNKS];           /* are the contacts of the chunk in order? */
    size_t hint;                    /* where among those of the last step contacts of the block may begin, */
    size_t hint_end;                /* and where its last one ended */
} block;

static size_t chunk_end(const block *b, size_t chunk) {
    const size_t end = (chunk + 1) * CHUNK;
    return end < b->count ? end : b->count;
}

static void sight_chunks(void *context, size_t begin, size_t end) {
    block *b = context;
    for (size_t chunk = begin; chunk < end; chunk++) {
        sighting *at = b->sightings + chunk * CHUNK * TRU_TOUCHES;
        size_t total = 0, hint = b->hint;
        for (size_t i = chunk * CHUNK; i < chunk_end(b, chunk); i++) {
            const bool balls = are_balls(b->w, b->list[i]);
            const int n = balls ? 1 : sight_pair(b->w, b->list[i], b->wanted, &hint, at);
            if (!balls) at += n;
            b->seen[i] = (uint8_t)n;
            total += (size_t)n;
        }
        b->first[chunk + 1] = total;
    }
}

/* The contacts of a candidate from `c` on. */
static void write_contacts(const block *b, candidate cand, const sighting *at, size_t n, contact *c) {
    for (size_t k = 0; k < n; k++) {
        contact_set(&c[k], b->w, cand, &at[k]);
        contact_fill(&c[k], b->w, at[k].old, b->wanted->keeps);
        if (at[k].landing) c[k].flags |= CONTACT_LANDING;
    }
    if (n > 1) count_rim_points(c, n);
}

static void write_ball_contact(const block *b, candidate cand, size_t *hint, contact *c) {
    const tru_world *w = b->w;
    int before_count;
    sighting at = sight_of_balls(&w->solids.items[cand.a], &w->solids.items[cand.b]);
    contact_set(c, w, cand, &at);
    const contact *before = run_before(&w->contacts_before, &c->key, hint, &before_count);
    contact_fill(c, w, before_count > 0 ? before : NULL, b->wanted->keeps);
}

static void write_chunks(void *context, size_t begin, size_t end) {
    block *b = context;
    for (size_t chunk = begin; chunk < end; chunk++) {
        const sighting *at = b->sightings + chunk * CHUNK * TRU_TOUCHES;
        contact *const first = b->w->contacts.items + b->first[chunk], *c = first;
        size_t hint = b->hint + (b->first[chunk] - b->first[0]);
        b->lawless[chunk] = NULL;
        b->ordered[chunk] = true;
        for (size_t i = chunk * CHUNK; i < chunk_end(b, chunk); i++) {
            const size_t n = b->seen[i];
            fetch_ahead(b->w, b->list + i, b->count - i, (size_t)(c - b->w->contacts.items), hint);
            if (are_balls(b->w, b->list[i])) {
                write_ball_contact(b, b->list[i], &hint, c);
            } else {
                write_contacts(b, b->list[i], at, n, c);
                at += n;
            }
            for (const contact *end_c = c + n; c < end_c; c++) {
                if (!c->pair && !b->lawless[chunk]) b->lawless[chunk] = c;
                if (c > first && trui_contact_key_order(&c[-1].key, &c->key) > 0) b->ordered[chunk] = false;
            }
        }
        if (b->also && !b->lawless[chunk]) b->also->work(b->also->context, first, (size_t)(c - first));
        if (chunk_end(b, chunk) == b->count) b->hint_end = hint;
    }
}

/* Contacts of a block behind those that are there; *ordered: false if they are not in order. */
static tru_status add_block(block *b, bool *ordered, tru_error *err) {
    tru_world *w = b->w;
    const size_t chunks = (b->count + CHUNK - 1) / CHUNK;
    trui_parallel_for(w->threads, chunks, A_THREAD, sight_chunks, b);
    b->first[0] = w->contacts.count;
    for (size_t k = 0; k < chunks; k++) b->first[k + 1] += b->first[k];
    const size_t total = b->first[chunks];
    if (total > w->contacts.capacity && !array_reserve(&w->memory, &w->contacts, total)) return tru_no_memory(err);
    trui_parallel_for(w->threads, chunks, A_THREAD, write_chunks, b);
    w->contacts.count = total;
    b->hint = b->hint_end;
    for (size_t k = 0; k < chunks; k++) {
        const contact *c = w->contacts.items + b->first[k];
        if (b->lawless[k]) return no_law(w, b->lawless[k], err);
        const bool follows =
            b->first[k] == b->first[k + 1] || b->first[k] == 0 || trui_contact_key_order(&c[-1].key, &c->key) <= 0;
        *ordered = *ordered && b->ordered[k] && follows;
    }
    return TRU_OK;
}

static tru_status add_contacts(tru_world *w, const candidate *list, size_t count, const search *wanted,
                               const contact_visitor *also, tru_error *err) {
    const size_t at_once = (size_t)CHUNK * (w->threads->threads > 1 ? CHUNKS : 1),
                 most = count < at_once ? count : at_once;
    block b; /* most of it is written before it is read */
    bool ordered = true;
    b.w = w;
    b.wanted = wanted;
    b.also = also;
    b.hint = 0;
    b.sightings = ARENA_ARRAY(&w->scratch, sighting, most * TRU_TOUCHES);
    if (!b.sightings) return tru_no_memory(err);
    for (size_t i = 0; i < count; i += b.count) {
        b.list = list + i;
        b.count = count - i < at_once ? count - i : at_once;
        const tru_status s = add_block(&b, &ordered, err);
        if (s < 0) return s;
    }
    if (!ordered) qsort(w->contacts.items, w->contacts.count, sizeof *w->contacts.items, compare_contacts);
    return TRU_OK;
}

/* ---- all contacts */

void trui_contacts_swap(tru_world *w) {
#define SWAP(T, part)                                                                                                  \
    const T part##_now = w->part;                                                                                      \
    w->part = w->part##_before;                                                                                        \
    w->part##_before = part##_now;
    SWAP(contact_array, contacts)
    SWAP(contact_end_array, ends)
    SWAP(springs_array, springs)
    SWAP(double_array, history)
#undef SWAP
}

/* Give every contact its row of the history array, with what it had. */
static bool match_history(tru_world *w) {
    const size_t stride = w->history_stride;
    array_clear(&w->history);
    if (!array_resize(&w->memory, &w->history, stride * w->contacts.count)) return false;
    for (size_t i = 0; stride > 0 && i < w->contacts.count; i++) {
        contact *c = &w->contacts.items[i];
        double *row = w->history.items + i * stride;
        if (c->c.memory) memcpy(row, c->c.memory, (size_t)c->pair->history * sizeof *row);
        c->c.memory = row;
    }
    return true;
}

/* Give every contact its end or none, as it was or zero; */
static bool match_ends(tru_world *w, unsigned keeps) {
    const size_t n = keeps & KEEP_ENDS ? w->contacts.count : 0;
    if (n > 0 && !array_reserve(&w->memory, &w->ends, n)) return false;
    w->ends.count = n;
    for (size_t i = 0; i < n; i++) {
        const contact_end *old = w->contacts.items[i].end;
        contact_end *end = w->contacts.items[i].end = &w->ends.items[i];
        if (old)
            *end = *old;
        else
            memset(end, 0, sizeof *end);
        memset(end->bias, 0, sizeof end->bias);
    }
    return true;
}

/* and room for its springs: who loads them takes them over from those of the step before, to which contacts point. */
static bool room_for_springs(tru_world *w, unsigned keeps) {
    const size_t n = keeps & KEEP_SPRINGS ? w->contacts.count : 0;
    if (n > 0 && !array_reserve(&w->memory, &w->springs, n)) return false;
    w->springs.count = n;
    return true;
}

static void count_contacts(tru_world *w) {
    for (size_t i = 0; i < w->bodies.count; i++) w->bodies.items[i].contacts = 0;
    for (size_t i = 0; i < w->contacts.count; i++) {
        const contact *c = &w->contacts.items[i];
        if (i + 2 * FETCH_AHEAD < w->contacts.count) __builtin_prefetch(&c[2 * FETCH_AHEAD].a);
        if (i + FETCH_AHEAD < w->contacts.count) __builtin_prefetch(&w->bodies.items[c[FETCH_AHEAD].b].contacts, 1);
        w->bodies.items[c->a].contacts++;
        w->bodies.items[c->b].contacts++;
    }
}

/* ---- contacts that stay though they have opened */

static int compare_candidates(const void *p, const void *q) {
    const candidate *a = p, *b = q;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

/* Has a run of contacts of the last step opened by no more than it may? Of balls, which get no closer wanted; others are looked at. */
static bool stays(const tru_world *w, const search *wanted, const contact *run, int count) {
    const solid *a = &w->solids.items[run->solid_a], *b = &w->solids.items[run->solid_b];
    const double most = lifted(wanted, run, count);
    if (!(solid_is_centred_ball(a) && solid_is_centred_ball(b))) return most > 0.0;
    return most > 0.0 && v3_norm(v3_sub(a->pose.x, b->pose.x)) - (a->radius + b->radius) < wanted->margin + most;
}

/* Adds pairs of the last step's contacts that stay to the list, at their places. */
static tru_status add_lifted(tru_world *w, const search *wanted, candidate **list, size_t *count, tru_error *err) {
    const contact_array *old = &w->contacts;
    candidate *sorted = *list;
    bool in_order = true;
    for (size_t i = 1; in_order && i < *count; i++) in_order = compare_candidates(&sorted[i - 1], &sorted[i]) < 0;
    candidate *all = ARENA_ARRAY(&w->scratch, candidate, *count + old->count);
    if (!all) return tru_no_memory(err);
    if (!in_order) qsort(sorted, *count, sizeof *sorted, compare_candidates); /* contacts are put in order afterwards */
    size_t n = 0, at = 0;
    for (size_t i = 0; i < old->count;) {
        const contact *run = &old->items[i];
        const candidate was = {run->solid_a, run->solid_b};
        const int run_count = trui_contact_run(old, i);
        if (!in_order) at = 0; /* contacts of bodies with several shapes come in another order than their pairs */
        while (at < *count && compare_candidates(&sorted[at], &was) < 0) {
            if (in_order) all[n++] = sorted[at];
            at++;
        }
        i += (size_t)run_count;
        if (at < *count && compare_candidates(&sorted[at], &was) == 0) continue;
        if (stays(w, wanted, run, run_count)) all[n++] = was;
    }
    if (!in_order) at = 0;
    while (at < *count) all[n++] = sorted[at++];
    *list = all;
    *count = n;
    return TRU_OK;
}

static tru_status find(tru_world *w, const search *wanted, const contact_visitor *also, tru_error *err) {
    candidate *list = NULL;
    size_t count = 0;
    const arena_mark mark = trui_arena_here(&w->scratch);
    pose_solids(w, false);
    tru_status s = trui_candidates_find(w, wanted, &list, &count, err);
    if (s >= 0 && wanted->lifted) s = add_lifted(w, wanted, &list, &count, err);
    if (s < 0) return s;
    trui_contacts_swap(w);
    array_clear(&w->contacts);
    s = add_contacts(w, list, count, wanted, also, err);
    trui_arena_rewind(&w->scratch, mark);
    if (s >= 0 && !(match_history(w) && match_ends(w, wanted->keeps) && room_for_springs(w, wanted->keeps)))
        s = tru_no_memory(err);
    if (s < 0) {
        trui_contacts_swap(w);
        return s;
    }
    count_contacts(w);
    return TRU_OK;
}

tru_status trui_find_contacts(tru_world *w, double activation, double step, unsigned keeps, tru_error *err) {
    return find(w, &(search){.margin = activation, .step = step, .keeps = keeps}, NULL, err);
}

tru_status trui_find_contacts_ahead(tru_world *w, double margin, double step, const twist *moves, unsigned keeps,
                                    const contact_visitor *also, tru_error *err) {
    search wanted = {.margin = margin, .step = step, .moves = moves, .keeps = keeps};
    if (also && also->lifted) {
        wanted.lifted = also->lifted;
        wanted.context = also->context;
        for (size_t i = 0; i < w->pairs.count; i++) {
            const pair *p = &w->pairs.items[i];
            wanted.slide = fmax(wanted.slide, p->limit[0]);
            wanted.turn = fmax(wanted.turn, p->limit[1] + p->limit[2]);
        }
    }
    return find(w, &wanted, also, err);
}

void trui_pose_solids(tru_world *w) { pose_solids(w, true); }

void trui_find_contacts_undo(tru_world *w) {
    trui_contacts_swap(w);
    count_contacts(w);
}

int trui_contact_run(const contact_array *all, size_t first) {
    size_t i = first + 1;
    while (i < all->count && all->items[i].solid_a == all->items[first].solid_a &&
           all->items[i].solid_b == all->items[first].solid_b)
        i++;
    return (int)(i - first);
}

/* A contact that the shapes do not have at another pose (an edge left a face): its two points stay where they are on
 * the bodies, its normal where it is. */
static contact_point meeting_carried(const contact *c, const solid *sa, const solid *sb, const placed *pa,
                                     const placed *pb) {
    const bool on_a = sa->shape->bounded;
    const placed *own = on_a ? &sa->pose : &sb->pose, *own_now = on_a ? pa : pb;
    const placed *other = on_a ? &sb->pose : &sa->pose, *other_now = on_a ? pb : pa;
    const double side = on_a ? 1.0 : -1.0;
    const tru_vec3 far = v3_madd(placed_point_to_world(own, c->local_a), -side * c->c.gap, c->c.normal);
    const tru_vec3 here = placed_point_to_world(own_now, c->local_a);
    const tru_vec3 there = placed_point_to_world(other_now, placed_point_to_local(other, far));
    return (contact_point){.normal = c->c.normal,
                           .gap = side * v3_dot(c->c.normal, v3_sub(here, there)),
                           .local = c->local_a,
                           .feature = c->key.feature};
}

void trui_contact_run_places(const tru_world *w, const contact *run, int run_count, const body *a, const body *b,
                             contact_place *out) {
    const solid *sa = &w->solids.items[run->solid_a], *sb = &w->solids.items[run->solid_b];
    const placed pa = solid_on(sa, a);
    const placed *pb = &sb->pose;
    placed moved;
    if (b->kind != TRU_FIXED || !w->checked) { /* before a run nobody has placed the fixed ones */
        moved = solid_on(sb, b);
        pb = &moved;
    }
    tru_touch before[TRU_TOUCHES];
    contact_point m[TRU_TOUCHES];
    before[0].feature = 0;
    for (int i = 0; i < run_count; i++) before[i] = (tru_touch){run[i].local_a, run[i].key.feature, 0};
    const int count = trui_narrow_find(&pa, pb, DBL_MAX, before, run_count, m);
    for (int i = 0, k = 0; i < run_count; i++) {
        while (k < count && m[k].feature < run[i].key.feature) k++;
        const bool there = k < count && m[k].feature == run[i].key.feature;
        const contact_frame *c = &run[i].c;
        contact_point carried;
        if (!there) carried = meeting_carried(&run[i], sa, sb, &pa, pb);
        const contact_point *at = there ? &m[k] : &carried;
        out[i].normal = at->normal;
        out[i].gap = at->gap;
        carry_frame(&c->normal, &c->t1, &c->t2, at->normal, &out[i].t1, &out[i].t2);
        set_arms(sa, sb, a, b, &pa, pb, at, &out[i].arm_a, &out[i].arm_b);
    }
}

void trui_contact_rates(const contact_place *p, const twist *a, const twist *b, double u[TRU_ROWS]) {
    rates_of_rows(p->normal, p->t1, p->t2, p->arm_a, p->arm_b, a, b, u);
}

void trui_contact_now(const tru_world *w, size_t k, contact_place *place, double u[TRU_ROWS]) {
    const contact *c = &w->contacts.items[k];
    const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
    if (c->end) {
        *place = c->end->place;
        memcpy(u, c->end->rate, sizeof c->end->rate);
        return;
    }
    if (c->flags & CONTACT_TRACKED) { /* where its loads acted */
        *place = (contact_place){c->c.normal, c->c.t1, c->c.t2, c->c.arm_a, c->c.arm_b, c->c.gap};
    } else {
        contact_place places[TRU_TOUCHES];
        size_t first = k;
        while (first > 0 && same_solids(&w->contacts.items[first - 1].key, &c->key)) first--;
        trui_contact_run_places(w, &w->contacts.items[first], trui_contact_run(&w->contacts, first), a, b, places);
        *place = places[k - first];
    }
    trui_contact_rates(place, &(twist){a->v, a->w}, &(twist){b->v, b->w}, u);
}

void trui_contact_view(const contact *c, const placed *a, const placed *b, tru_vec3 centre, double step,
                       tru_contact *out) {
    *out = (tru_contact){.point = v3_add(centre, c->c.arm_a),
                         .normal = c->c.normal,
                         .t1 = c->c.t1,
                         .t2 = c->c.t2,
                         .arm_a = c->c.arm_a,
                         .arm_b = c->c.arm_b,
                         .gap = c->c.gap,
                         .step = step,
                         .stuck = c->c.stuck,
                         .rim_points = c->c.rim_points,
                         .memory = c->c.memory};
    if (c->pair->needs & (TRU_NEEDS_LEVER | TRU_NEEDS_RADIUS))
        trui_lever_of(a, b, out->normal, out->t1, out->t2, out->lever, &out->radius_effective, &out->radius_smaller);
}

tru_status trui_find_overlap(tru_world *w, double limit, tru_id first, overlap *out, bool *found, tru_error *err) {
    candidate *list = NULL;
    size_t count = 0;
    double worst = limit;
    *found = false;
    const tru_status s = trui_candidates_of_new(w, &(search){.margin = 0.0}, first, &list, &count, err);
    if (s < 0) return s;
    for (size_t i = 0; i < count; i++) {
        const solid *a = &w->solids.items[list[i].a], *b = &w->solids.items[list[i].b];
        if (w->bodies.items[a->body].id < first && w->bodies.items[b->body].id < first) continue;
        if (w->bodies.items[a->body].overlaps || w->bodies.items[b->body].overlaps) continue;
        contact_point m[TRU_TOUCHES];
        const int n = trui_narrow_points(&a->pose, &b->pose, 0.0, NULL, 0, m);
        const double ea = a->shape->bounded ? a->shape->extent(a->params) : DBL_MAX;
        const double eb = b->shape->bounded ? b->shape->extent(b->params) : DBL_MAX;
        /* a thin disk has no smallest width of its own: its radius stands in */
        const double extent = fmin(ea > 0.0 ? ea : a->radius, eb > 0.0 ? eb : b->radius);
        for (int k = 0; k < n; k++)
            if (-m[k].gap > worst * extent) {
                worst = -m[k].gap / extent;
                *out = (overlap){list[i].a, list[i].b, -m[k].gap, extent};
                *found = true;
            }
    }
    return TRU_OK;
}
