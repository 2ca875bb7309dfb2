/* find_contacts.c: from bodies to contacts. Candidates go through the narrow phase; contacts take over frame and history by key. */
#include "detect/find_contacts.h"

#include "base/error.h"
#include "lanes/fetch.h"
#include "detect/narrow/narrow.h"
#include "detect/candidates.h"
#include "math/quat.h"
#include "parallel/parallel.h"

#include <stdlib.h>

enum { BODIES_PER_THREAD = 1024 }; /* fewer bodies are not worth a thread, since placing their solids is little work */

static int compare_contacts(const void *p, const void *q) {
    return trui_contact_key_order(&((const contact *)p)->key, &((const contact *)q)->key);
}

/* ---- poses of solids ---- */

typedef struct posing {
    tru_world *w;
    bool all; /* also of fixed bodies, whose poses are known unless something was changed from outside */
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
    trui_parallel_for(w->threads, w->bodies.count, BODIES_PER_THREAD, pose_some, &(posing){w, all});
}

/* Searches in strides that double from `hint` on, then bisects the last stride. */
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
    TRU_ASSERT(lo == all->count || trui_contact_key_order(&all->items[lo].key, &first) >= 0);
    TRU_ASSERT(lo == 0 || trui_contact_key_order(&all->items[lo - 1].key, &first) < 0);
    return lo;
}

/* Returns the contacts of two solids in the last step, in the order of keys, and their number. `hint` is where the previous search ended. */
static const contact *run_before(const contact_array *before, const contact_key *key, size_t *hint, int *count) {
    const size_t here = *hint; /* in order of keys the next contacts usually are here */
    const bool next = here < before->count && contact_same_solids(&before->items[here].key, key) &&
                      (here == 0 || !contact_same_solids(&before->items[here - 1].key, key));
    const size_t begin = next ? here : trui_contact_seek(before, key, here);
    *count = 0;
    for (size_t i = begin; i < before->count && contact_same_solids(&before->items[i].key, key); i++) ++*count;
    *hint = begin + (size_t)*count;
    return before->items + begin;
}

/* Returns true if a shape has fallen flat in this step: the speed of the body could have closed the gap within it. */
static bool lands(const tru_world *w, const solid *a, const contact_point *m, const search *wanted) {
    const body *b = &w->bodies.items[a->body];
    if (!(m->flags & TRU_TOUCH_LANDING)) return false;
    return m->gap <= 4.0 * wanted->margin + 2.0 * wanted->step * (v3_norm(b->v) + b->size * v3_norm(b->w));
}

/* Lists contact points of the last step for the narrow phase and returns their number. Contacts that carried no load are left out. */
static int touches_of(const contact *before, int count, tru_touch *touches) {
    TRU_ASSERT(count <= TRU_TOUCHES);
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

/* A contact point before its contact is written. */
typedef struct sighting {
    tru_vec3 normal;       /* [-] */
    tru_vec3 arm_a, arm_b; /* [m] */
    tru_vec3 local;        /* [m] contact_point.local */
    double gap;            /* [m] */
    const contact *old;    /* this contact in the last step; NULL: it is new */
    int32_t feature;
    bool landing;
} sighting;

/* Writes key and place of a contact. */
static inline void contact_set(contact *c, const tru_world *w, candidate cand, const sighting *at) {
    c->key = (contact_key){(uint32_t)w->solids.items[cand.a].body, (uint32_t)w->solids.items[cand.b].body, cand.a,
                           cand.b, at->feature};
    c->local_a = at->local;
    c->c.normal = at->normal;
    c->c.gap = at->gap;
    c->c.arm_a = at->arm_a;
    c->c.arm_b = at->arm_b;
}

/* Writes the other members of a contact, from the last step if it existed then. */
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
        contact_carry_frame(&at->at[0], &at->t1[0], &at->t2[0], c->c.normal, &c->c.t1, &c->c.t2);
    } else if (tracked) { /* the spring model rotates the frame into the tangent plane, because both bodies carry it */
        c->c.t1 = old->c.t1;
        c->c.t2 = old->c.t2;
    } else if (old && old->end)
        contact_carry_frame(&old->end->place.normal, &old->end->place.t1, &old->end->place.t2, c->c.normal, &c->c.t1,
                            &c->c.t2);
    else if (old)
        contact_carry_frame(&old->c.normal, &old->c.t1, &old->c.t2, c->c.normal, &c->c.t1, &c->c.t2);
    else
        v3_tangents(c->c.normal, &c->c.t1, &c->c.t2);
    c->c.stuck = c->stuck;
    c->c.rim_points = 1;
    c->c.memory =
        old ? old->c.memory : NULL; /* of the last step; match_history copies it, match_ends does so for `end` */
    c->end = old && (keeps & KEEP_ENDS) ? old->end : NULL;
    c->springs = old && (keeps & KEEP_SPRINGS) ? old->springs : NULL;
}

/* Counts the points of each rim that touch, because law contour has a direction only where a single point touches. */
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

/* ---- one candidate ---- */

/* Returns true if the gap is within the margin now or can be at the end of the step. */
static bool within_reach(const sighting *at, const twist *a, const twist *b, const search *wanted, double lift) {
    double u[TRU_ROWS]; /* only the normal row is used */
    rates_of_rows(at->normal, at->normal, at->normal, at->arm_a, at->arm_b, a, b, u);
    return at->gap < wanted->margin + (wanted->step * (u[TRU_ROW_NORMAL] < 0.0 ? -u[TRU_ROW_NORMAL] : 0.0) + lift);
}

/* Returns the largest distance [m] by which the law lifts these contacts of the last step within this step. */
static double lifted(const search *wanted, const contact *run, int count) {
    double most = 0.0;
    for (int i = 0; wanted->lifted && i < count; i++)
        if (!(run[i].flags & CONTACT_APART)) most = fmax(most, wanted->step * wanted->lifted(wanted->context, &run[i]));
    return most;
}

/* Returns the same [m] for a new contact, if the limits of friction are constant. The margin includes it, so that a body lands at the height
 * at which the relaxed law will keep it. */
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

/* Returns the contact point of two spheres about their bodies' centres of mass. The search for candidates has found that they meet. The
 * narrow phase does not depend on the last step here. */
static inline sighting sight_of_balls(const solid *sa, const solid *sb) {
    const double ra = sa->radius, rb = sb->radius;
    const tru_vec3 between = v3_sub(sa->pose.x, sb->pose.x);
    sighting at = {.normal = v3(0.0, 0.0, 1.0), .gap = v3_norm(between) - (ra + rb)};
    v3_unit(between, &at.normal);
    TRU_ASSERT(ra >= 0.0 && rb >= 0.0 && fabs(v3_norm2(at.normal) - 1.0) < 1e-9);
    at.local = placed_point_to_local(&sa->pose, v3_madd(sa->pose.x, -ra, at.normal));
    at.arm_a = v3_madd(m3_apply(sa->pose.r, at.local), -0.5 * at.gap, at.normal);
    at.arm_b = v3_add(at.arm_a, between);
    return at;
}

/* Finds all contact points of two solids and returns their number. `hint` as in run_before. */
static int sight_pair(const tru_world *w, candidate cand, const search *wanted, size_t *hint, sighting *out) {
    const solid *sa = &w->solids.items[cand.a], *sb = &w->solids.items[cand.b];
    const body *a = &w->bodies.items[sa->body], *b = &w->bodies.items[sb->body];
    const contact_key key = {(uint32_t)sa->body, (uint32_t)sb->body, cand.a, cand.b, 0};
    int before_count, n = 0;
    const contact *before = run_before(&w->contacts_before, &key, hint, &before_count);
    tru_touch touches[TRU_TOUCHES];
    contact_point points[TRU_TOUCHES];
    const int touch_count = touches_of(before, before_count, touches);
    const double margin =
        wanted->margin + fmax(trui_candidates_closing(w, sa, sb, wanted), lifted(wanted, before, before_count));
    const int count = trui_narrow_find(&sa->pose, &sb->pose, margin, touches, touch_count, points);
    for (int i = 0; i < count; i++) {
        const contact_point *m = &points[i];
        sighting *at = &out[n];
        *at = (sighting){.normal = m->normal, .local = m->local, .gap = m->gap, .feature = m->feature};
        at->landing = lands(w, sa, m, wanted);
        contact_set_arms(sa, sb, a, b, &sa->pose, &sb->pose, m, &at->arm_a, &at->arm_b);
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

/* ---- many candidates by threads: contact points are found and counted first, then contacts are written in order ---- */

/* Prefetches the data of the next candidates and contacts. */
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
    CHUNK = 64,            /* candidates that one thread works on together */
    CHUNKS = 32,           /* chunks of a block, which threads share */
    CHUNKS_PER_THREAD = 4, /* fewer chunks are not worth a thread */
};

/* Candidates that all threads work on together. */
typedef struct block {
    tru_world *w;
    const search *wanted;
    const contact_visitor *visitor; /* NULL: none */
    const candidate *list;
    size_t count;
    sighting *sightings;            /* CHUNK * TRU_TOUCHES per chunk; pairs of balls have none */
    uint8_t seen[CHUNKS * CHUNK];   /* number of contacts of each candidate */
    size_t first[CHUNKS + 1];       /* index of the first contact of each chunk */
    const contact *lawless[CHUNKS]; /* the first contact of each chunk without a law; NULL: all have laws */
    bool ordered[CHUNKS];           /* the contacts of the chunk are in the order of keys */
    size_t hint;                    /* index in contacts_before where the contacts of the block probably begin */
    size_t hint_end;                /* index in contacts_before where those of its last chunk ended */
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
            TRU_ASSERT(n >= 0 && n <= TRU_TOUCHES);
            b->seen[i] = (uint8_t)n;
            total += (size_t)n;
        }
        b->first[chunk + 1] = total;
    }
}

/* Writes the n contacts of a candidate from `c` on. */
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
        TRU_ASSERT(c == b->w->contacts.items + b->first[chunk + 1]);
        if (b->visitor && !b->lawless[chunk]) b->visitor->work(b->visitor->context, first, (size_t)(c - first));
        if (chunk_end(b, chunk) == b->count) b->hint_end = hint;
    }
}

/* Appends the contacts of a block. Sets *ordered to false if contacts are not in the order of keys. */
static tru_status add_block(block *b, bool *ordered, tru_error *err) {
    tru_world *w = b->w;
    const size_t chunks = (b->count + CHUNK - 1) / CHUNK;
    trui_parallel_for(w->threads, chunks, CHUNKS_PER_THREAD, sight_chunks, b);
    b->first[0] = w->contacts.count;
    for (size_t k = 0; k < chunks; k++) b->first[k + 1] += b->first[k];
    const size_t total = b->first[chunks];
    TRU_ASSERT(chunks <= CHUNKS && total >= w->contacts.count);
    if (total > w->contacts.capacity && !array_reserve(&w->memory, &w->contacts, total)) return tru_no_memory(err);
    trui_parallel_for(w->threads, chunks, CHUNKS_PER_THREAD, write_chunks, b);
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
                               const contact_visitor *visitor, tru_error *err) {
    const size_t at_once = (size_t)CHUNK * (w->threads->threads > 1 ? CHUNKS : 1),
                 most = count < at_once ? count : at_once;
    block b; /* not initialised, because it is large and add_block writes the rest before reading it */
    bool ordered = true;
    b.w = w;
    b.wanted = wanted;
    b.visitor = visitor;
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

/* ---- all contacts ---- */

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

/* Gives every contact its row of the history array and copies the row of the last step. */
static bool match_history(tru_world *w) {
    const size_t stride = w->history_stride;
    array_clear(&w->history);
    if (!array_resize(&w->memory, &w->history, stride * w->contacts.count)) return false;
    for (size_t i = 0; stride > 0 && i < w->contacts.count; i++) {
        contact *c = &w->contacts.items[i];
        double *row = w->history.items + i * stride;
        TRU_ASSERT(c->pair->history >= 0 && (size_t)c->pair->history <= stride);
        if (c->c.memory) memcpy(row, c->c.memory, (size_t)c->pair->history * sizeof *row);
        c->c.memory = row;
    }
    return true;
}

/* Gives every contact its end, if ends are kept: a copy of that of the last step, or zeros. */
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

/* Reserves the springs, if they are kept. The spring model fills them from those of the step before, to which contacts still point. */
static bool reserve_springs(tru_world *w, unsigned keeps) {
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
        TRU_ASSERT(c->a < w->bodies.count && c->b < w->bodies.count && c->a != c->b);
        w->bodies.items[c->a].contacts++;
        w->bodies.items[c->b].contacts++;
    }
}

/* ---- contacts that the relaxed law keeps although they have opened ---- */

static int compare_candidates(const void *p, const void *q) {
    const candidate *a = p, *b = q;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

/* Returns true if contacts of two solids in the last step may still be contacts. Balls are decided here; for other shapes the narrow phase
 * decides. */
static bool stays(const tru_world *w, const search *wanted, const contact *run, int count) {
    const solid *a = &w->solids.items[run->solid_a], *b = &w->solids.items[run->solid_b];
    const double most = lifted(wanted, run, count);
    if (!(solid_is_centred_ball(a) && solid_is_centred_ball(b))) return most > 0.0;
    return most > 0.0 && v3_norm(v3_sub(a->pose.x, b->pose.x)) - (a->radius + b->radius) < wanted->margin + most;
}

/* Merges candidates with the pairs of contacts of the last step that stay. */
static tru_status add_lifted(tru_world *w, const search *wanted, candidate **list, size_t *count, tru_error *err) {
    const contact_array *old = &w->contacts;
    candidate *sorted = *list;
    bool in_order = true;
    for (size_t i = 1; in_order && i < *count; i++) in_order = compare_candidates(&sorted[i - 1], &sorted[i]) < 0;
    candidate *all = ARENA_ARRAY(&w->scratch, candidate, *count + old->count);
    if (!all) return tru_no_memory(err);
    if (!in_order) qsort(sorted, *count, sizeof *sorted, compare_candidates); /* contacts are sorted afterwards */
    size_t n = 0, at = 0;
    for (size_t i = 0; i < old->count;) {
        const contact *run = &old->items[i];
        const candidate was = {run->solid_a, run->solid_b};
        const int run_count = trui_contact_run(old, i);
        if (!in_order) at = 0; /* with several shapes per body, contacts and pairs have different orders */
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
    TRU_ASSERT(n >= *count && n <= *count + old->count);
    *list = all;
    *count = n;
    return TRU_OK;
}

static tru_status find(tru_world *w, const search *wanted, const contact_visitor *visitor, tru_error *err) {
    candidate *list = NULL;
    size_t count = 0;
    const arena_mark mark = trui_arena_here(&w->scratch);
    pose_solids(w, false);
    tru_status s = trui_candidates_find(w, wanted, &list, &count, err);
    if (s >= 0 && wanted->lifted) s = add_lifted(w, wanted, &list, &count, err);
    if (s < 0) return s;
    trui_contacts_swap(w);
    array_clear(&w->contacts);
    s = add_contacts(w, list, count, wanted, visitor, err);
    trui_arena_rewind(&w->scratch, mark);
    if (s >= 0 && !(match_history(w) && match_ends(w, wanted->keeps) && reserve_springs(w, wanted->keeps)))
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
                                    const contact_visitor *visitor, tru_error *err) {
    search wanted = {.margin = margin, .step = step, .moves = moves, .keeps = keeps};
    if (visitor && visitor->lifted) {
        wanted.lifted = visitor->lifted;
        wanted.context = visitor->context;
        for (size_t i = 0; i < w->pairs.count; i++) {
            const pair *p = &w->pairs.items[i];
            wanted.slide = fmax(wanted.slide, p->limit[0]);
            wanted.turn = fmax(wanted.turn, p->limit[1] + p->limit[2]);
        }
    }
    return find(w, &wanted, visitor, err);
}

void trui_pose_solids(tru_world *w) { pose_solids(w, true); }

void trui_find_contacts_undo(tru_world *w) {
    trui_contacts_swap(w);
    count_contacts(w);
}
