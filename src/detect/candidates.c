/* candidates.c: pairs of solids that the narrow phase has to examine, from a list that is kept from step to step.
 *
 * Two bounded solids are a candidate if their boxes overlap. A box holds the bounding sphere with half the margin around it, at the start and
 * at the end of the step. The broad phase works on enlarged boxes, and its pairs are kept in a list (Verlet list). The list is valid while
 * the box of every solid is inside its enlarged box, because two boxes that overlap then belong to a listed pair. Solids that left their
 * enlarged boxes, and new ones, get new boxes and their pairs are searched again; other pairs stay. Every step leaves out listed pairs whose
 * boxes do not overlap. So results do not depend on the time at which the list was made, and snapshots do not need it. */
#include "detect/candidates.h"

#include "base/error.h"
#include "lanes/fetch.h"
#include "detect/broad.h"
#include "parallel/parallel.h"
#include "shapes/shape.h"

#include <string.h>

enum {
    FEW_SOLIDS = 8,       /* up to which every solid is tried with every other */
    STEPS_AHEAD = 5,      /* steps at the present speed for which a box is enlarged */
    THIN_BUILDS = 8,      /* number of lists built without enlarged boxes after one that did not last two steps */
    REBUILD_PART = 4,     /* the list is rebuilt if more than 1 of 4 solids left their boxes */
    ITEMS_PER_PART = 1024 /* solids or pairs that one thread works on together */
};
#define BOX_MARGIN 0.05 /* [-] enlargement of a box at rest on each side, in parts of the radius */
#define BOX_WIDEST 6.0  /* [-] largest enlargement for speed, in parts of the radius */

/* A fixed body is always B, otherwise A has the lower id. Solids are in body order, bodies in id order. */
static candidate ordered(const tru_world *w, size_t i, size_t j) {
    const bool i_free = body_is_free(&w->bodies.items[w->solids.items[i].body]);
    const bool j_free = body_is_free(&w->bodies.items[w->solids.items[j].body]);
    const uint32_t p = (uint32_t)i, q = (uint32_t)j;
    return (i_free == j_free ? i < j : i_free) ? (candidate){p, q} : (candidate){q, p};
}

static bool can_meet(const tru_world *w, size_t i, size_t j) {
    const solid *a = &w->solids.items[i], *b = &w->solids.items[j];
    TRU_ASSERT(i != j && i < w->solids.count && j < w->solids.count);
    const pair *p = trui_world_pair(w, a, b);
    if (a->body == b->body || (p && p->pass)) return false;
    if (w->joints.count > 0 && trui_bodies_joined(w, a->body, b->body)) return false;
    return body_is_free(&w->bodies.items[a->body]) || body_is_free(&w->bodies.items[b->body]);
}

/* ---- one solid ---- */

/* Bounding sphere of a solid and its motion in the step; it fills one cache line. */
typedef struct ball {
    tru_vec3 x;    /* [m] */
    double radius; /* [m] < 0: the solid is not bounded */
    tru_vec3 way;  /* [m] motion of its centre in the step */
    double
        reach; /* [m] largest motion of its surface towards another one: |way| for a sphere about its body's centre of mass, whose
                      rotation closes no gap; DBL_MAX for other shapes */
} ball;

static ball ball_of(const tru_world *w, const solid *s, const search *wanted) {
    ball b = {.x = s->pose.x, .radius = s->shape->bounded ? s->radius : -1.0};
    const bool round = solid_is_centred_ball(s);
    if (wanted->moves) {
        const twist *t = &wanted->moves[s->body];
        const tru_vec3 turn = round ? v3_zero() : v3_cross(t->w, v3_sub(s->pose.x, w->bodies.items[s->body].x));
        b.way = v3_scale(wanted->step, v3_add(t->v, turn));
    }
    TRU_ASSERT(!s->shape->bounded || b.radius >= 0.0);
    b.reach = round ? v3_norm(b.way) : DBL_MAX;
    return b;
}

static inline double below(double x) { return x < 0.0 ? x : 0.0; }
static inline double above(double x) { return x > 0.0 ? x : 0.0; }

static inline broad_item box_of(const ball *b, double margin) {
    const double r = b->radius + 0.5 * margin;
    return (broad_item){
        {b->x.x - r + below(b->way.x), b->x.y - r + below(b->way.y), b->x.z - r + below(b->way.z)},
        {b->x.x + r + above(b->way.x), b->x.y + r + above(b->way.y), b->x.z + r + above(b->way.z)},
    };
}

/* Returns true if two solids are too far apart to be a contact. The reach is enlarged for round-off, since this test only saves work. */
static inline bool far_apart(const ball *a, const ball *b, double margin) {
    const double reach = (a->radius + b->radius + margin + (a->reach + b->reach)) * (1.0 + 0x1p-40);
    return v3_norm2(v3_sub(a->x, b->x)) > reach * reach && reach > 0.0;
}

/* Returns true if two spheres meet by the end of the step: gap + h u_n < margin. Their rotations do not matter. */
static inline bool balls_meet(const ball *a, const ball *b, double margin) {
    const tru_vec3 d = v3_sub(a->x, b->x);
    const double distance = v3_norm(d), gap = distance - (a->radius + b->radius);
    return gap < margin || gap < margin - v3_dot(d, v3_sub(a->way, b->way)) / distance;
}

static inline bool are_balls(const ball *a, const ball *b) { return a->reach < DBL_MAX && b->reach < DBL_MAX; }

static inline bool boxes_meet(const ball *a, const ball *b, double margin) {
    const broad_item one = box_of(a, margin), other = box_of(b, margin);
    return broad_overlap(&one, &other);
}

/* ---- one solid and an unbounded one ---- */

double trui_candidates_closing(const tru_world *w, const solid *sa, const solid *sb, const search *wanted) {
    if (!wanted->moves) return 0.0;
    const body *a = &w->bodies.items[sa->body], *b = &w->bodies.items[sb->body];
    const twist *ta = &wanted->moves[sa->body], *tb = &wanted->moves[sb->body];
    const bool on_a = sa->shape->bounded;
    const tru_vec3 between = v3_sub(a->x, b->x);
    /* velocity of A's centre relative to B, and rotation of the bounded one */
    const tru_vec3 v = v3_sub(v3_sub(ta->v, tb->v), v3_cross(on_a ? tb->w : ta->w, between));
    const double turn = v3_norm(v3_sub(ta->w, tb->w)), speed = v3_norm(v) + (on_a ? a : b)->size * turn;
    return wanted->step * (speed + (wanted->slide * speed + wanted->turn * turn));
}

/* Returns the same [m] if the other solid does not move. */
static double closing_alone(const tru_world *w, const solid *s, const search *wanted) {
    if (!wanted->moves) return 0.0;
    const twist *t = &wanted->moves[s->body];
    const double turn = v3_norm(t->w), speed = v3_norm(t->v) + w->bodies.items[s->body].size * turn;
    return wanted->step * (speed + (wanted->slide * speed + wanted->turn * turn));
}

static bool is_fixed(const tru_world *w, const solid *s) { return w->bodies.items[s->body].kind == TRU_FIXED; }

/* Returns true if a bounded solid of any shape cannot reach the unbounded one within the step. */
static bool beyond(const tru_world *w, const solid *plane, const solid *s, const search *wanted) {
    const double height = v3_dot(placed_plane_normal(&plane->pose), v3_sub(s->pose.x, plane->pose.x)) - s->radius;
    if (height < wanted->margin) return false;
    const bool on_a = is_fixed(w, plane) || body_is_free(&w->bodies.items[s->body]);
    const double near = is_fixed(w, plane) ? closing_alone(w, s, wanted)
                                           : trui_candidates_closing(w, on_a ? s : plane, on_a ? plane : s, wanted);
    return height >= wanted->margin + near;
}

/* Returns true if a sphere in this enlarged box cannot touch a fixed plane. The box of a sphere that touches it reaches down to half the margin
 * above the plane. */
static bool box_beyond(const solid *plane, const broad_item *box, double margin, double radius) {
    const tru_vec3 n = placed_plane_normal(&plane->pose), half = v3_scale(0.5, v3_sub(box->hi, box->lo));
    const tru_vec3 middle = v3_add(box->lo, half);
    const double low =
        v3_dot(n, v3_sub(middle, plane->pose.x)) - (fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z);
    return low > 0.5 * margin + BOX_MARGIN * radius;
}

/* ---- the list ---- */

#define FLOAT_FAR 0x1p126 /* [m] beyond it a float cannot hold the place of a box, which then covers everything */

/* Returns a float below x: one or two floats below the nearest one. */
static inline float float_below(double x) {
    const float f = (float)x;
    return f - (fabsf(f) * FLT_EPSILON + FLT_TRUE_MIN);
}

static inline float float_above(double x) { return -float_below(-x); }

static pair_list_box box_kept(const broad_item *b) {
    const double lo[3] = {b->lo.x, b->lo.y, b->lo.z}, hi[3] = {b->hi.x, b->hi.y, b->hi.z};
    pair_list_box kept;
    for (int i = 0; i < 3; i++) {
        const bool there = fabs(lo[i]) < FLOAT_FAR && fabs(hi[i]) < FLOAT_FAR;
        kept.lo[i] = float_below(there ? lo[i] : -FLOAT_FAR);
        kept.hi[i] = float_above(there ? hi[i] : FLOAT_FAR);
        TRU_ASSERT(!there || ((double)kept.lo[i] <= lo[i] && (double)kept.hi[i] >= hi[i]));
    }
    return kept;
}

static inline broad_item kept_box(const pair_list_box *k) {
    return (broad_item){v3((double)k->lo[0], (double)k->lo[1], (double)k->lo[2]),
                        v3((double)k->hi[0], (double)k->hi[1], (double)k->hi[2])};
}

/* Enlarges a box in the directions in which the solid moves, and by a small margin in all directions. */
static broad_item enlarged(broad_item box, const ball *b) {
    const double room = BOX_MARGIN * b->radius, most = BOX_WIDEST * b->radius;
    const tru_vec3 way = v3_scale(STEPS_AHEAD, b->way);
    const tru_vec3 lo = v3(fmax(below(way.x), -most), fmax(below(way.y), -most), fmax(below(way.z), -most));
    const tru_vec3 hi = v3(fmin(above(way.x), most), fmin(above(way.y), most), fmin(above(way.z), most));
    return (broad_item){v3_add(box.lo, v3_sub(lo, v3(room, room, room))),
                        v3_add(box.hi, v3_add(hi, v3(room, room, room)))};
}

/* Inputs of a search for pairs; the arrays have one entry per solid unless said otherwise. */
typedef struct making {
    tru_world *w;
    pair_list *list;
    const ball *balls;
    const bool *fresh; /* only pairs with one of these are searched; NULL: all pairs */
    const bool
        *included;    /* the others meet none of the fresh ones and have neither ball nor box; NULL: all are included */
    uint32_t *solids; /* index of the solid per item of the broad phase */
} making;

static bool is_fresh(const making *m, size_t i) { return !m->fresh || m->fresh[i]; }

static inline bool lies_in(const broad_item *a, const broad_item *box) {
    return (a->lo.x >= box->lo.x) & (a->lo.y >= box->lo.y) & (a->lo.z >= box->lo.z) & (a->hi.x <= box->hi.x) &
           (a->hi.y <= box->hi.y) & (a->hi.z <= box->hi.z);
}

/* Bounding spheres of all solids, and which solids left their boxes; threads fill it. */
typedef struct survey {
    const tru_world *w;
    const search *wanted;
    bool good;          /* the list is valid for solids in their boxes */
    ball *balls;        /* one per solid */
    bool *fresh;        /* one per solid: it is new or left its box */
    uint32_t *fresh_of; /* number of these per part of ITEMS_PER_PART solids */
} survey;

static void survey_parts(void *context, size_t begin, size_t end) {
    const survey *s = context;
    const pair_list *list = &s->w->pair_list;
    const size_t listed = list->boxes.count;
    for (size_t part = begin; part < end; part++) {
        uint32_t out = 0;
        for (size_t i = part * ITEMS_PER_PART; i < s->w->solids.count && i < (part + 1) * ITEMS_PER_PART; i++) {
            const ball b = s->balls[i] = ball_of(s->w, &s->w->solids.items[i], s->wanted);
            bool fresh = i >= listed;
            if (s->good && !fresh && b.radius >= 0.0) {
                const broad_item now = box_of(&b, s->wanted->margin), kept = kept_box(&list->boxes.items[i]);
                fresh = !lies_in(&now, &kept);
            }
            s->fresh[i] = fresh;
            out += fresh;
        }
        s->fresh_of[part] = out;
    }
}

static size_t parts_of(size_t n) { return (n + ITEMS_PER_PART - 1) / ITEMS_PER_PART; }

/* Fills balls and fresh and counts the fresh solids; SIZE_MAX if the list is not valid at all. False if there is no memory. */
static bool survey_solids(tru_world *w, const search *wanted, ball *balls, bool *fresh, size_t *out) {
    const pair_list *list = &w->pair_list;
    const size_t n = w->solids.count, parts = parts_of(n);
    const bool good = list->good && w->checked && list->boxes.count <= n && wanted->margin == list->margin;
    survey s = {w, wanted, good, balls, fresh, ARENA_ARRAY(&w->scratch, uint32_t, parts)};
    if (!s.fresh_of) return false;
    trui_parallel_for(w->threads, parts, 1, survey_parts, &s);
    *out = good ? 0 : SIZE_MAX;
    for (size_t k = 0; good && k < parts; k++) *out += s.fresh_of[k];
    return true;
}

/* Adds a pair to the list if its solids can meet; false if there is no memory. */
static bool add_pair(const making *m, size_t i, size_t j) {
    pair_list *list = m->list;
    if (!can_meet(m->w, i, j)) return true;
    if (list->pairs.count == list->pairs.capacity && !array_reserve(&m->w->memory, &list->pairs, list->pairs.count + 1))
        return false;
    list->pairs.items[list->pairs.count++] = ordered(m->w, i, j);
    return true;
}

/* Lists every bounded solid with every unbounded one, except spheres that are far from a fixed one. False if there is no memory. */
static bool list_unbounded(const making *m) {
    const tru_world *w = m->w;
    const pair_list *list = m->list;
    for (size_t i = 0; i < w->solids.count; i++) {
        const solid *plane = &w->solids.items[i];
        if ((m->included && !m->included[i]) || m->balls[i].radius >= 0.0) continue;
        const bool fixed = is_fixed(w, plane);
        for (size_t k = 0; k < w->solids.count; k++) {
            const solid *s = &w->solids.items[k];
            if (!(is_fresh(m, i) || is_fresh(m, k)) || !s->shape->bounded) continue;
            const broad_item box = kept_box(&list->boxes.items[k]);
            if (fixed && solid_is_centred_ball(s) && box_beyond(plane, &box, list->margin, m->balls[k].radius))
                continue;
            if (!add_pair(m, i, k)) return false;
        }
    }
    return true;
}

/* Returns true if two spheres cannot meet while they are in their enlarged boxes. Let d and e be the vectors between their centres at the start
 * and at the end of a step; both are in a box about c. With n = d/|d| the spheres meet if n.e < reach (gap + h u_n < margin), and
 * n.e = (|d|^2 + |e|^2 - |d - e|^2) / (2 |d|) >= |e| - |d - e|^2 / (2 |d|). */
static bool balls_beyond(const ball *a, const broad_item *box_a, const ball *b, const broad_item *box_b,
                         double margin) {
    const double reach = a->radius + b->radius + margin;
    const tru_vec3 c = v3_scale(0.5, v3_sub(v3_add(box_a->lo, box_a->hi), v3_add(box_b->lo, box_b->hi)));
    const tru_vec3 wide = v3_sub(v3_add(v3_sub(box_a->hi, box_a->lo), v3_sub(box_b->hi, box_b->lo)),
                                 v3(2.0 * reach, 2.0 * reach, 2.0 * reach)); /* extent of d - e */
    const tru_vec3 least = v3(above(fabs(c.x) - 0.5 * wide.x), above(fabs(c.y) - 0.5 * wide.y),
                              above(fabs(c.z) - 0.5 * wide.z)); /* least size of d and e */
    const double low = v3_norm(least);
    return low > 0.0 && low - 0.5 * v3_norm2(wide) / low > reach * (1.0 + 0x1p-30);
}

static bool wanted(const void *context, uint32_t a, uint32_t b) {
    const making *m = context;
    const uint32_t i = m->solids[a], j = m->solids[b];
    const ball *one = &m->balls[i], *other = &m->balls[j];
    const pair_list *list = m->list;
    const broad_item box = kept_box(&list->boxes.items[i]), box_other = kept_box(&list->boxes.items[j]);
    if (are_balls(one, other) && balls_beyond(one, &box, other, &box_other, list->margin)) return false;
    return can_meet(m->w, i, j);
}

/* Lists pairs of bounded solids, found by the broad phase. */
static tru_status list_bounded(making *m, tru_error *err) {
    arena *scratch = &m->w->scratch;
    pair_list *list = m->list;
    const size_t n = m->w->solids.count, had = list->pairs.count;
    broad_item *items = ARENA_ARRAY(scratch, broad_item, n);
    bool *fresh = ARENA_ARRAY(scratch, bool, n);
    broad_pair *pairs = NULL;
    size_t item_count = 0, count = 0;
    m->solids = ARENA_ARRAY(scratch, uint32_t, n);
    if (!items || !m->solids || !fresh) return tru_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        if ((m->included && !m->included[i]) || m->balls[i].radius < 0.0) continue;
        fresh[item_count] = is_fresh(m, i);
        m->solids[item_count] = (uint32_t)i;
        items[item_count++] = kept_box(&list->boxes.items[i]);
    }
    const tru_status s =
        trui_broad_find(scratch, items, item_count, m->fresh ? fresh : NULL, wanted, m, &pairs, &count, err);
    if (s < 0) return s;
    if (!array_reserve(&m->w->memory, &list->pairs, had + count)) return tru_no_memory(err);
    for (size_t k = 0; k < count; k++)
        list->pairs.items[had + k] = ordered(m->w, m->solids[pairs[k].a], m->solids[pairs[k].b]);
    list->pairs.count = had + count;
    return TRU_OK;
}

/* Adds the pairs of fresh solids to the list and sorts it. */
static tru_status find_pairs(making *m, tru_error *err) {
    pair_list *list = m->list;
    const tru_status s = list_bounded(m, err);
    if (s < 0) return s;
    if (!list_unbounded(m)) return tru_no_memory(err);
    const size_t count = list->pairs.count;
    return count < 2 || trui_broad_sort(&m->w->scratch, list->pairs.items, count, m->w->solids.count)
               ? TRU_OK
               : tru_no_memory(err);
}

/* Builds the whole list; with boxes that are not enlarged if the last list was valid for one step only. */
static tru_status build_list(tru_world *w, const search *wanted, const ball *balls, tru_error *err) {
    pair_list *list = &w->pair_list;
    const size_t n = w->solids.count;
    making m = {.w = w, .list = list, .balls = balls};
    if (list->good && list->age < 2) list->thin = THIN_BUILDS;
    const bool enlarge = w->checked && list->thin == 0;
    list->thin -= list->thin > 0;
    list->good = false;
    list->age = 0;
    list->margin = wanted->margin;
    array_clear(&list->pairs);
    if (!array_resize(&w->memory, &list->boxes, n)) return tru_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        const broad_item box = box_of(&balls[i], wanted->margin), wide = enlarge ? enlarged(box, &balls[i]) : box;
        list->boxes.items[i] = box_kept(&wide);
    }
    const tru_status s = find_pairs(&m, err);
    TRU_ASSERT(s < 0 || list->boxes.count == n);
    list->good = s >= 0 && enlarge;
    return s;
}

/* Gives fresh solids new boxes and replaces their pairs. */
static tru_status update_list(tru_world *w, const search *wanted, const ball *balls, const bool *fresh,
                              tru_error *err) {
    pair_list *list = &w->pair_list;
    making m = {.w = w, .list = list, .balls = balls, .fresh = fresh};
    size_t kept = 0;
    list->good = false;
    if (!array_resize(&w->memory, &list->boxes, w->solids.count)) return tru_no_memory(err);
    for (size_t i = 0; i < w->solids.count; i++) {
        if (!fresh[i]) continue;
        const broad_item box = enlarged(box_of(&balls[i], wanted->margin), &balls[i]);
        list->boxes.items[i] = box_kept(&box);
    }
    for (size_t k = 0; k < list->pairs.count; k++) {
        const candidate c = list->pairs.items[k];
        list->pairs.items[kept] = c;
        kept += !(fresh[c.a] | fresh[c.b]);
    }
    TRU_ASSERT(kept <= list->pairs.count);
    list->pairs.count = kept;
    const tru_status s = find_pairs(&m, err);
    list->good = s >= 0;
    return s;
}

/* Makes the list valid for this step. */
static tru_status renew_list(tru_world *w, const search *wanted, ball *balls, tru_error *err) {
    const arena_mark mark = trui_arena_here(&w->scratch);
    bool *fresh = ARENA_ARRAY(&w->scratch, bool, w->solids.count);
    size_t out;
    if (!fresh || !survey_solids(w, wanted, balls, fresh, &out)) return tru_no_memory(err);
    tru_status s = TRU_OK;
    if (out > w->solids.count / REBUILD_PART)
        s = build_list(w, wanted, balls, err);
    else if (out > 0)
        s = update_list(w, wanted, balls, fresh, err);
    array_trim(&w->memory,
               &w->pair_list.pairs); /* falling bodies have larger boxes and more pairs than bodies at rest */
    trui_arena_rewind(&w->scratch, mark);
    return s;
}

/* ---- the candidates of a step ---- */

/* Returns true if a listed pair is a candidate in this step. */
static bool is_candidate(const tru_world *w, const search *wanted, const ball *balls, candidate c) {
    const ball *a = &balls[c.a], *b = &balls[c.b];
    const solid *solids = w->solids.items;
    if (a->radius < 0.0) return !beyond(w, &solids[c.a], &solids[c.b], wanted);
    if (b->radius < 0.0) return !beyond(w, &solids[c.b], &solids[c.a], wanted);
    if (far_apart(a, b, wanted->margin)) return false;
    return (!are_balls(a, b) || balls_meet(a, b, wanted->margin)) && boxes_meet(a, b, wanted->margin);
}

/* Finds the candidates among few solids without a list and returns their number. */
static size_t few_pairs(const tru_world *w, const search *wanted, candidate *list) {
    size_t n = 0;
    for (size_t i = 1; i < w->solids.count; i++)
        for (size_t j = 0; j < i; j++) {
            const solid *a = &w->solids.items[i], *b = &w->solids.items[j];
            if (!(a->shape->bounded || b->shape->bounded) || !can_meet(w, i, j)) continue;
            if (a->shape->bounded && b->shape->bounded) {
                const ball one = ball_of(w, a, wanted), other = ball_of(w, b, wanted);
                if (!boxes_meet(&one, &other, wanted->margin)) continue;
                if (are_balls(&one, &other) && !balls_meet(&one, &other, wanted->margin)) continue;
            } else if (a->shape->bounded ? beyond(w, b, a, wanted) : beyond(w, a, b, wanted)) {
                continue;
            }
            list[n++] = ordered(w, i, j);
        }
    return n;
}

/* Candidates of a list, chosen by threads. Each part is written to its own place; choose_pairs closes the gaps. */
typedef struct choice {
    const tru_world *w;
    const search *wanted;
    const pair_list *list;
    const ball *balls;
    candidate *chosen;
    uint32_t *chosen_of; /* number of candidates per part of ITEMS_PER_PART pairs */
} choice;

static void choose_parts(void *context, size_t begin, size_t end) {
    const choice *c = context;
    const candidate *pairs = c->list->pairs.items;
    const size_t all = c->list->pairs.count;
    for (size_t part = begin; part < end; part++) {
        const size_t first = part * ITEMS_PER_PART, last = first + ITEMS_PER_PART < all ? first + ITEMS_PER_PART : all;
        candidate *chosen = c->chosen + first;
        for (size_t k = first; k < last; k++) {
            if (k + FETCH_AHEAD < last) __builtin_prefetch(&c->balls[pairs[k + FETCH_AHEAD].b]);
            *chosen = pairs[k];
            chosen += is_candidate(c->w, c->wanted, c->balls, pairs[k]);
        }
        c->chosen_of[part] = (uint32_t)(chosen - (c->chosen + first));
    }
}

static tru_status choose_pairs(tru_world *w, const search *wanted, const pair_list *list, const ball *balls,
                               candidate **out, size_t *count, tru_error *err) {
    const size_t all = list->pairs.count, parts = parts_of(all);
    candidate *chosen = ARENA_ARRAY(&w->scratch, candidate, all);
    uint32_t *chosen_of = ARENA_ARRAY(&w->scratch, uint32_t, parts);
    if (!chosen || !chosen_of) return tru_no_memory(err);
    trui_parallel_for(w->threads, parts, 1, choose_parts, &(choice){w, wanted, list, balls, chosen, chosen_of});
    *out = chosen;
    *count = 0;
    for (size_t k = 0; k < parts; k++) {
        const candidate *from = chosen + k * ITEMS_PER_PART;
        if (chosen + *count != from) memmove(chosen + *count, from, chosen_of[k] * sizeof *chosen);
        TRU_ASSERT(chosen_of[k] <= ITEMS_PER_PART && *count <= k * ITEMS_PER_PART);
        *count += chosen_of[k];
    }
    return TRU_OK;
}

static tru_status pairs_of_few(tru_world *w, const search *wanted, candidate **out, size_t *count, tru_error *err) {
    const size_t solids = w->solids.count;
    *out = ARENA_ARRAY(&w->scratch, candidate, solids * solids / 2);
    if (!*out) return tru_no_memory(err);
    *count = few_pairs(w, wanted, *out);
    TRU_ASSERT(*count <= solids * solids / 2);
    return *count < 2 || trui_broad_sort(&w->scratch, *out, *count, solids) ? TRU_OK : tru_no_memory(err);
}

tru_status trui_candidates_find(tru_world *w, const search *wanted, candidate **out, size_t *count, tru_error *err) {
    if (w->solids.count <= FEW_SOLIDS) return pairs_of_few(w, wanted, out, count, err);
    ball *balls = ARENA_ARRAY(&w->scratch, ball, w->solids.count);
    if (!balls) return tru_no_memory(err);
    const tru_status s = renew_list(w, wanted, balls, err);
    if (s < 0) return s;
    w->pair_list.age++;
    return choose_pairs(w, wanted, &w->pair_list, balls, out, count, err);
}

/* Fills balls and boxes of the solids from `from` on and of all solids that can meet them, and marks these as included. */
static void boxes_about(const making *m, const search *wanted, size_t from, ball *balls, bool *included) {
    const tru_world *w = m->w;
    pair_list_box *boxes = m->list->boxes.items;
    broad_item about = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    bool all = from == 0;
    for (size_t i = w->solids.count; i-- > 0;) {
        const ball b = ball_of(w, &w->solids.items[i], wanted);
        const broad_item box = box_of(&b, wanted->margin);
        if (i >= from && b.radius < 0.0) all = true;
        if (i >= from && b.radius >= 0.0) about = broad_around(&about, &box);
        included[i] = i >= from || all || b.radius < 0.0 || broad_overlap(&about, &box);
        if (!included[i]) continue;
        balls[i] = b;
        boxes[i] = box_kept(&box);
    }
}

/* Returns the index of the first solid of the bodies with ids of at least `first`. */
static size_t solids_from(const tru_world *w, tru_id first) {
    size_t n = w->bodies.count;
    while (n > 0 && w->bodies.items[n - 1].id >= first) n--;
    return n < w->bodies.count ? w->bodies.items[n].solid_first : w->solids.count;
}

tru_status trui_candidates_of_new(tru_world *w, const search *wanted, tru_id first, candidate **out, size_t *count,
                                  tru_error *err) {
    const size_t n = w->solids.count, from = first == TRU_NONE ? 0 : solids_from(w, first);
    if (n <= FEW_SOLIDS) return pairs_of_few(w, wanted, out, count, err);
    pair_list list = {.margin = wanted->margin};
    ball *balls = ARENA_ARRAY(&w->scratch, ball, n);
    bool *fresh = ARENA_ARRAY(&w->scratch, bool, n), *included = ARENA_ARRAY(&w->scratch, bool, n);
    making m = {.w = w, .list = &list, .balls = balls, .fresh = from == 0 ? NULL : fresh, .included = included};
    if (!balls || !fresh || !included || !array_reserve(&w->memory, &list.boxes, n)) return tru_no_memory(err);
    for (size_t i = 0; i < n; i++) fresh[i] = i >= from;
    boxes_about(&m, wanted, from, balls, included);
    tru_status s = find_pairs(&m, err);
    if (s >= 0) s = choose_pairs(w, wanted, &list, balls, out, count, err);
    array_release(&w->memory, &list.boxes);
    array_release(&w->memory, &list.pairs);
    return s;
}
