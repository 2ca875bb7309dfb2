/* collide.c: from bodies to contacts: candidate pairs, narrow phase, frames carried over, history matched by key. */
#include "contact/collide.h"

#include "base/error.h"
#include "contact/broad.h"
#include "contact/lever.h"
#include "contact/narrow.h"
#include "math/quat.h"
#include "shapes/shape.h"

#include <stdlib.h>

enum { FEW = 8 }; /* solids, up to which each is tried with each */

typedef broad_pair candidate; /* solids; A is the free one, or the one with the lower id */

static int compare_keys(const contact_key *p, const contact_key *q) {
    if (p->body_a != q->body_a) return p->body_a < q->body_a ? -1 : 1;
    if (p->body_b != q->body_b) return p->body_b < q->body_b ? -1 : 1;
    if (p->shape_a != q->shape_a) return p->shape_a < q->shape_a ? -1 : 1;
    if (p->shape_b != q->shape_b) return p->shape_b < q->shape_b ? -1 : 1;
    return p->feature < q->feature ? -1 : p->feature > q->feature;
}

static int compare_contacts(const void *p, const void *q) {
    return compare_keys(&((const contact *)p)->key, &((const contact *)q)->key);
}

/* A fixed body is always B, otherwise A has the lower id. Solids are in body order, bodies in id order. */
static candidate ordered(const tru_world *w, size_t i, size_t j) {
    const bool i_free = body_is_free(&w->bodies.items[w->solids.items[i].body]);
    const bool j_free = body_is_free(&w->bodies.items[w->solids.items[j].body]);
    const uint32_t p = (uint32_t)i, q = (uint32_t)j;
    return (i_free == j_free ? i < j : i_free) ? (candidate){p, q} : (candidate){q, p};
}

static bool can_meet(const tru_world *w, size_t i, size_t j) {
    const solid *a = &w->solids.items[i], *b = &w->solids.items[j];
    const pair *p = world_pair(w, a, b);
    if (a->body == b->body || (p && p->pass)) return false;
    if (w->joints.count > 0 && bodies_joined(w, a->body, b->body)) return false;
    return body_is_free(&w->bodies.items[a->body]) || body_is_free(&w->bodies.items[b->body]);
}

/* What a search for contacts looks for. */
typedef struct search {
    double margin;      /* [m] */
    double step;        /* [s] */
    const twist *moves; /* beside bodies: how they go on; NULL: only the present poses count */
    unsigned keeps;     /* KEEP_* */
} search;

static const search at_once = {0.0, 0.0, NULL, 0};

/* The box of a solid, half the margin around it, and where its bounding sphere goes in the step. */
static broad_item box_of(const tru_world *w, const solid *s, const search *look) {
    const double r = s->radius + 0.5 * look->margin;
    broad_item box = {v3_sub(s->pose.x, v3(r, r, r)), v3_add(s->pose.x, v3(r, r, r))};
    if (!look->moves) return box;
    const twist *t = &look->moves[s->body];
    const tru_vec3 arm = v3_sub(s->pose.x, w->bodies.items[s->body].x);
    const tru_vec3 d = v3_scale(look->step, v3_add(t->v, v3_cross(t->w, arm)));
    box.lo = v3_add(box.lo, v3(fmin(d.x, 0.0), fmin(d.y, 0.0), fmin(d.z, 0.0)));
    box.hi = v3_add(box.hi, v3(fmax(d.x, 0.0), fmax(d.y, 0.0), fmax(d.z, 0.0)));
    return box;
}

/* The sphere about a bounded solid, small enough for many to be looked at. */
typedef struct ball {
    tru_vec3 x;     /* [m] */
    double radius;  /* [m] */
    double way;     /* [m] that its centre can go in the step, if it is round */
    uint32_t solid; /* index */
    bool round;     /* it is the solid, about its body's centre of mass */
} ball;

static ball ball_of(const tru_world *w, const solid *s, const search *look) {
    const bool round = s->shape == &tru_shape_sphere && s->x.x == 0.0 && s->x.y == 0.0 && s->x.z == 0.0;
    return (ball){.x = s->pose.x,
                  .radius = s->radius,
                  .round = round,
                  .way = look->moves && round ? look->step * v3_norm(look->moves[s->body].v) : 0.0,
                  .solid = (uint32_t)(s - w->solids.items)};
}

/* Are two balls so far apart that within_reach will not have them? The spin of a ball about its centre closes no gap. A
 * little is added for round-off: this only saves a closer look. */
static bool far_apart(const ball *a, const ball *b, double margin) {
    if (!a->round || !b->round) return false;
    const double reach = (a->radius + b->radius + margin + (a->way + b->way)) * (1.0 + 0x1p-40);
    return v3_norm2(v3_sub(a->x, b->x)) > reach * reach && reach > 0.0;
}

/* Balls of all bounded solids; NULL: no memory. */
static ball *balls_of(tru_world *w, const search *look, size_t *count) {
    ball *balls = ARENA_ARRAY(&w->scratch, ball, w->solids.count);
    *count = 0;
    for (size_t i = 0; balls && i < w->solids.count; i++)
        if (w->solids.items[i].shape->bounded) balls[(*count)++] = ball_of(w, &w->solids.items[i], look);
    return balls;
}

/* Boxes around all bounded solids, and the pairs of them that overlap, in any order. */
static tru_status bounded_pairs(tru_world *w, const search *look, const ball *balls, size_t n, broad_pair **pairs,
                                size_t *count, tru_error *err) {
    *count = 0;
    if (n < 2) return TRU_OK;
    broad_item *items = ARENA_ARRAY(&w->scratch, broad_item, n);
    if (!items) return tru_no_memory(err);
    for (size_t i = 0; i < n; i++) items[i] = box_of(w, &w->solids.items[balls[i].solid], look);
    return broad_find(&w->scratch, items, n, pairs, count, err);
}

/* [m] How far the surfaces of two bodies can come towards each other in the step: A's centre seen from B, and the turn
 * of the bounded one. */
static double closing(const tru_world *w, const solid *sa, const solid *sb, const search *look) {
    if (!look->moves) return 0.0;
    const body *a = &w->bodies.items[sa->body], *b = &w->bodies.items[sb->body];
    const twist *ta = &look->moves[sa->body], *tb = &look->moves[sb->body];
    const bool on_a = sa->shape->bounded;
    const tru_vec3 between = v3_sub(a->x, b->x);
    const tru_vec3 v = v3_sub(v3_sub(ta->v, tb->v), v3_cross(on_a ? tb->w : ta->w, between));
    return look->step * (v3_norm(v) + (on_a ? a : b)->size * v3_norm(v3_sub(ta->w, tb->w)));
}

/* [m] What `closing` is for a solid beside one that does not move. */
static double reach_of(const tru_world *w, size_t i, const search *look) {
    if (!look->moves) return 0.0;
    const size_t k = w->solids.items[i].body;
    const twist *t = &look->moves[k];
    return look->step * (v3_norm(t->v) + w->bodies.items[k].size * v3_norm(t->w));
}

/* The same for all solids. */
static double *reaches(tru_world *w, const search *look) {
    double *reach = ARENA_ARRAY(&w->scratch, double, w->solids.count);
    for (size_t i = 0; reach && i < w->solids.count; i++) reach[i] = reach_of(w, i, look);
    return reach;
}

/* Can the bounded solid j not reach the unbounded one i, whatever its shape? `reach`: beside solids, NULL: not known yet. */
static bool beyond(const tru_world *w, size_t i, size_t j, const search *look, const double *reach) {
    const solid *plane = &w->solids.items[i], *s = &w->solids.items[j];
    const double height = v3_dot(placed_plane_normal(&plane->pose), v3_sub(s->pose.x, plane->pose.x)) - s->radius;
    if (height < look->margin) return false;
    const bool fixed = w->bodies.items[plane->body].kind == TRU_FIXED;
    const bool on_a = fixed || body_is_free(&w->bodies.items[s->body]);
    const double near =
        fixed ? (reach ? reach[j] : reach_of(w, j, look)) : closing(w, on_a ? s : plane, on_a ? plane : s, look);
    return height >= look->margin + near;
}

/* Bounded solids beside every unbounded one that they can reach, into `list` unless it is NULL; returns how many. */
static size_t unbounded_pairs(const tru_world *w, const search *look, const ball *balls, size_t count,
                              const double *reach, candidate *list) {
    size_t n = 0;
    for (size_t i = 0; i < w->solids.count; i++) {
        if (w->solids.items[i].shape->bounded) continue;
        const placed *plane = &w->solids.items[i].pose;
        const tru_vec3 normal = placed_plane_normal(plane);
        const bool fixed = w->bodies.items[w->solids.items[i].body].kind == TRU_FIXED;
        for (size_t k = 0; k < count; k++) {
            const double height = v3_dot(normal, v3_sub(balls[k].x, plane->x)) - balls[k].radius;
            if (fixed && height >= look->margin + reach[balls[k].solid]) continue; /* most: no closer look */
            if (beyond(w, i, balls[k].solid, look, reach) || !can_meet(w, i, balls[k].solid)) continue;
            if (list) list[n] = ordered(w, i, balls[k].solid);
            n++;
        }
    }
    return n;
}

/* The same of a handful of solids: each with each. */
static size_t few_pairs(const tru_world *w, const search *look, candidate *list) {
    size_t n = 0;
    for (size_t i = 1; i < w->solids.count; i++)
        for (size_t j = 0; j < i; j++) {
            const solid *a = &w->solids.items[i], *b = &w->solids.items[j];
            const bool both = a->shape->bounded && b->shape->bounded;
            if (!(a->shape->bounded || b->shape->bounded) || !can_meet(w, i, j)) continue;
            if (both) {
                const broad_item one = box_of(w, a, look), other = box_of(w, b, look);
                if (!broad_overlap(&one, &other)) continue;
            } else if (a->shape->bounded ? beyond(w, j, i, look, NULL) : beyond(w, i, j, look, NULL)) {
                continue;
            }
            list[n++] = ordered(w, i, j);
        }
    return n;
}

/* All pairs of solids worth a look: bounded ones whose boxes overlap, and those near an unbounded one; in the order of
 * contacts if no body has several shapes. */
static tru_status candidates(tru_world *w, const search *look, candidate **out, size_t *count, tru_error *err) {
    broad_pair *pairs = NULL;
    size_t pair_count = 0, bounded = 0, n = 0;
    const size_t solids = w->solids.count;
    if (solids <= FEW) {
        *out = ARENA_ARRAY(&w->scratch, candidate, solids * solids / 2);
        if (!*out) return tru_no_memory(err);
        *count = few_pairs(w, look, *out);
        return *count < 2 || broad_sort(&w->scratch, *out, *count, solids) ? TRU_OK : tru_no_memory(err);
    }
    const ball *balls = balls_of(w, look, &bounded);
    const double *reach = reaches(w, look);
    if (!balls || !reach) return tru_no_memory(err);
    const tru_status s = bounded_pairs(w, look, balls, bounded, &pairs, &pair_count, err);
    if (s < 0) return s;
    const size_t most = pair_count + (bounded < solids ? unbounded_pairs(w, look, balls, bounded, reach, NULL) : 0);
    candidate *list = ARENA_ARRAY(&w->scratch, candidate, most);
    if (!list) return tru_no_memory(err);
    for (size_t k = 0; k < pair_count; k++) {
        const ball *a = &balls[pairs[k].a], *b = &balls[pairs[k].b];
        if (far_apart(a, b, look->margin) || !can_meet(w, a->solid, b->solid)) continue;
        list[n++] = ordered(w, a->solid, b->solid);
    }
    if (most > pair_count) n += unbounded_pairs(w, look, balls, bounded, reach, list + n);
    if (n > 1 && !broad_sort(&w->scratch, list, n, solids)) return tru_no_memory(err);
    *out = list;
    *count = n;
    return TRU_OK;
}

/* Poses of all solids; those of fixed bodies are known unless something was changed from outside. */
static void pose_solids(tru_world *w, bool all) {
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        if (b->kind == TRU_FIXED && !all) continue;
        for (size_t k = b->solid_first; k < b->solid_first + b->solid_count; k++)
            w->solids.items[k].pose = solid_placed(&w->solids.items[k], b->x, &b->r);
    }
}

size_t contact_seek(const contact_array *all, const contact_key *key, size_t hint) {
    size_t lo = 0, hi = all->count;
    contact_key first = *key;
    first.feature = INT32_MIN;
    if (hint < hi && (hint == 0 || compare_keys(&all->items[hint - 1].key, &first) < 0))
        for (lo = hint; lo < hint + 8 && lo < hi; lo++)
            if (compare_keys(&all->items[lo].key, &first) >= 0) return lo;
    while (lo < hi) {
        const size_t mid = (lo + hi) / 2;
        if (compare_keys(&all->items[mid].key, &first) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool same_solids(const contact_key *p, const contact_key *q) {
    return p->body_a == q->body_a && p->body_b == q->body_b && p->shape_a == q->shape_a && p->shape_b == q->shape_b;
}

/* The run of last step's contacts between two solids, in key order. `hint`: where the last such search ended. */
static const contact *run_before(const contact_array *before, const contact_key *key, size_t *hint, int *count) {
    const size_t begin = contact_seek(before, key, *hint);
    *count = 0;
    for (size_t i = begin; i < before->count && same_solids(&before->items[i].key, key); i++) ++*count;
    *hint = begin + (size_t)*count;
    return before->items + begin;
}

/* Lay the old frame into the new tangent plane by the smallest rotation (closed form, contact-tracking note 2.2). */
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
                            const placed *pb, const meeting *m, tru_vec3 *arm_a, tru_vec3 *arm_b) {
    const bool on_a = sa->shape->bounded;
    tru_vec3 arm = on_a ? solid_arm(sa, &pa->r, &a->r, m->local) : solid_arm(sb, &pb->r, &b->r, m->local);
    if (on_a && sb->shape->bounded) arm = v3_madd(arm, -0.5 * m->gap, m->normal);
    *(on_a ? arm_a : arm_b) = arm;
    *(on_a ? arm_b : arm_a) = on_a ? v3_add(arm, v3_sub(a->x, b->x)) : v3_add(arm, v3_sub(b->x, a->x));
}

/* Has the shape really come down flat: could the gap have been closed within the step? */
static bool lands(const tru_world *w, const solid *a, const meeting *m, const search *look) {
    const body *b = &w->bodies.items[a->body];
    if (!(m->flags & TRU_TOUCH_LANDING)) return false;
    return m->gap <= 4.0 * look->margin + 2.0 * look->step * (v3_norm(b->v) + b->size * v3_norm(b->w));
}

/* Is a meeting near enough, now or by the end of the step? */
static bool within_reach(const meeting *m, const contact *c, const search *look) {
    if (!look->moves) return m->gap < look->margin;
    double u[TRU_ROWS];
    rates_of_rows(c->c.normal, c->c.t1, c->c.t2, c->c.arm_a, c->c.arm_b, &look->moves[c->a], &look->moves[c->b], u);
    return m->gap < look->margin + look->step * fmax(0.0, -u[TRU_ROW_NORMAL]);
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

/* A contact from a meeting, and from its record of the last step. */
static void contact_fill(contact *c, const tru_world *w, candidate cand, const meeting *m, const contact *old,
                         unsigned keeps) {
    const solid *sa = &w->solids.items[cand.a], *sb = &w->solids.items[cand.b];
    const body *a = &w->bodies.items[sa->body], *b = &w->bodies.items[sb->body];
    c->key = (contact_key){a->id, b->id, sa->k, sb->k, m->feature};
    memset(&c->dry, 0, sizeof *c - offsetof(contact, dry));
    if (old) {
        contact_take_over(c, old);
    } else {
        const start_mode start = world_start(w, a->id, b->id);
        c->flags = CONTACT_NEW | start.slipping << CONTACT_SLIPS;
        c->stuck = start.stuck;
        c->age = 0;
        c->steady = false;
    }
    c->a = (uint32_t)sa->body;
    c->b = (uint32_t)sb->body;
    c->solid_a = cand.a;
    c->solid_b = cand.b;
    c->pair = world_pair(w, sa, sb);
    c->local_a = m->local;
    c->c.normal = m->normal;
    c->c.gap = m->gap;
    if (old && old->end)
        carry_frame(&old->end->place.normal, &old->end->place.t1, &old->end->place.t2, m->normal, &c->c.t1, &c->c.t2);
    else if (old)
        carry_frame(&old->c.normal, &old->c.t1, &old->c.t2, m->normal, &c->c.t1, &c->c.t2);
    else
        v3_tangents(m->normal, &c->c.t1, &c->c.t2);
    set_arms(sa, sb, a, b, &sa->pose, &sb->pose, m, &c->c.arm_a, &c->c.arm_b);
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

static tru_status add_contacts(tru_world *w, candidate cand, const search *look, size_t *hint, tru_error *err) {
    const solid *sa = &w->solids.items[cand.a], *sb = &w->solids.items[cand.b];
    const contact_key key = {w->bodies.items[sa->body].id, w->bodies.items[sb->body].id, sa->k, sb->k, 0};
    int before_count;
    const contact *before = run_before(&w->contacts_before, &key, hint, &before_count);
    tru_touch touches[TRU_TOUCHES];
    meeting meetings[TRU_TOUCHES];
    const int touch_count = touches_of(before, before_count, touches);
    const double margin = look->margin + closing(w, sa, sb, look);
    const int count = narrow_find(&sa->pose, &sb->pose, margin, touches, touch_count, meetings);
    if (w->contacts.count + (size_t)count > w->contacts.capacity &&
        !array_reserve(&w->memory, &w->contacts, w->contacts.count + (size_t)count))
        return tru_no_memory(err);
    const size_t first = w->contacts.count;
    for (int i = 0; i < count; i++) {
        const meeting *m = &meetings[i];
        const bool landing = lands(w, sa, m, look);
        contact *c = &w->contacts.items[w->contacts.count++];
        contact_fill(c, w, cand, m, with_feature(before, before_count, m->feature), look->keeps);
        if (!landing && !within_reach(m, c, look)) {
            w->contacts.count--;
            continue;
        }
        if (landing) c->flags |= CONTACT_LANDING;
        if (!c->pair)
            return tru_fail(err, TRU_NO_LAW, "materials '%s' and '%s' touch but have no law",
                            w->materials.items[sa->material].name, w->materials.items[sb->material].name);
    }
    if (w->contacts.count > first + 1) count_rim_points(w->contacts.items + first, w->contacts.count - first);
    return TRU_OK;
}

void contacts_swap(tru_world *w) {
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
    }
    return true;
}

/* and its springs. */
static bool match_springs(tru_world *w, unsigned keeps) {
    const size_t n = keeps & KEEP_SPRINGS ? w->contacts.count : 0;
    if (n > 0 && !array_reserve(&w->memory, &w->springs, n)) return false;
    w->springs.count = n;
    for (size_t i = 0; i < n; i++) {
        const springs *old = w->contacts.items[i].springs;
        springs *k = w->contacts.items[i].springs = &w->springs.items[i];
        if (old)
            *k = *old;
        else
            memset(k, 0, sizeof *k);
    }
    return true;
}

static void count_contacts(tru_world *w) {
    for (size_t i = 0; i < w->bodies.count; i++) w->bodies.items[i].contacts = 0;
    for (size_t i = 0; i < w->contacts.count; i++) {
        w->bodies.items[w->contacts.items[i].a].contacts++;
        w->bodies.items[w->contacts.items[i].b].contacts++;
    }
}

static bool in_order(const contact_array *c) {
    for (size_t i = 1; i < c->count; i++)
        if (compare_keys(&c->items[i - 1].key, &c->items[i].key) > 0) return false;
    return true;
}

static tru_status find(tru_world *w, const search *look, tru_error *err) {
    candidate *list = NULL;
    size_t count = 0, hint = 0;
    pose_solids(w, false);
    tru_status s = candidates(w, look, &list, &count, err);
    if (s < 0) return s;
    contacts_swap(w);
    array_clear(&w->contacts);
    for (size_t i = 0; s >= 0 && i < count; i++) s = add_contacts(w, list[i], look, &hint, err);
    if (s >= 0 && !in_order(&w->contacts))
        qsort(w->contacts.items, w->contacts.count, sizeof *w->contacts.items, compare_contacts);
    if (s >= 0 && !(match_history(w) && match_ends(w, look->keeps) && match_springs(w, look->keeps)))
        s = tru_no_memory(err);
    if (s < 0) {
        contacts_swap(w);
        return s;
    }
    count_contacts(w);
    return TRU_OK;
}

tru_status collide(tru_world *w, double activation, double step, unsigned keeps, tru_error *err) {
    return find(w, &(search){activation, step, NULL, keeps}, err);
}

tru_status collide_ahead(tru_world *w, double margin, double step, const twist *moves, unsigned keeps, tru_error *err) {
    return find(w, &(search){margin, step, moves, keeps}, err);
}

void collide_poses(tru_world *w) { pose_solids(w, true); }

void collide_undo(tru_world *w) {
    contacts_swap(w);
    count_contacts(w);
}

int contact_key_order(const contact_key *p, const contact_key *q) { return compare_keys(p, q); }

int contact_run(const contact_array *all, size_t first) {
    size_t i = first + 1;
    while (i < all->count && all->items[i].solid_a == all->items[first].solid_a &&
           all->items[i].solid_b == all->items[first].solid_b)
        i++;
    return (int)(i - first);
}

/* A contact that the shapes do not have at another pose (an edge left a face): its two points stay where they are on
 * the bodies, its normal where it is. */
static meeting meeting_carried(const contact *c, const solid *sa, const solid *sb, const placed *pa, const placed *pb) {
    const bool on_a = sa->shape->bounded;
    const placed *own = on_a ? &sa->pose : &sb->pose, *own_now = on_a ? pa : pb;
    const placed *other = on_a ? &sb->pose : &sa->pose, *other_now = on_a ? pb : pa;
    const double side = on_a ? 1.0 : -1.0;
    const tru_vec3 far = v3_madd(placed_point_to_world(own, c->local_a), -side * c->c.gap, c->c.normal);
    const tru_vec3 here = placed_point_to_world(own_now, c->local_a);
    const tru_vec3 there = placed_point_to_world(other_now, placed_point_to_local(other, far));
    return (meeting){.normal = c->c.normal,
                     .gap = side * v3_dot(c->c.normal, v3_sub(here, there)),
                     .local = c->local_a,
                     .feature = c->key.feature};
}

void contact_run_places(const tru_world *w, const contact *run, int run_count, const body *a, const body *b,
                        contact_place *out) {
    const solid *sa = &w->solids.items[run->solid_a], *sb = &w->solids.items[run->solid_b];
    const placed pa = solid_placed(sa, a->x, &a->r);
    const placed *pb = &sb->pose;
    placed moved;
    if (b->kind != TRU_FIXED || !w->checked) { /* before a run nobody has placed the fixed ones */
        moved = solid_placed(sb, b->x, &b->r);
        pb = &moved;
    }
    tru_touch before[TRU_TOUCHES];
    meeting m[TRU_TOUCHES];
    before[0].feature = 0;
    for (int i = 0; i < run_count; i++) before[i] = (tru_touch){run[i].local_a, run[i].key.feature, 0};
    const int count = narrow_find(&pa, pb, DBL_MAX, before, run_count, m);
    for (int i = 0, k = 0; i < run_count; i++) {
        while (k < count && m[k].feature < run[i].key.feature) k++;
        const bool there = k < count && m[k].feature == run[i].key.feature;
        const contact_frame *c = &run[i].c;
        meeting carried;
        if (!there) carried = meeting_carried(&run[i], sa, sb, &pa, pb);
        const meeting *at = there ? &m[k] : &carried;
        out[i].normal = at->normal;
        out[i].gap = at->gap;
        carry_frame(&c->normal, &c->t1, &c->t2, at->normal, &out[i].t1, &out[i].t2);
        set_arms(sa, sb, a, b, &pa, pb, at, &out[i].arm_a, &out[i].arm_b);
    }
}

void contact_rates(const contact_place *p, const twist *a, const twist *b, double u[TRU_ROWS]) {
    rates_of_rows(p->normal, p->t1, p->t2, p->arm_a, p->arm_b, a, b, u);
}

void contact_now(const tru_world *w, size_t k, contact_place *place, double u[TRU_ROWS]) {
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
        contact_run_places(w, &w->contacts.items[first], contact_run(&w->contacts, first), a, b, places);
        *place = places[k - first];
    }
    contact_rates(place, &(twist){a->v, a->w}, &(twist){b->v, b->w}, u);
}

void contact_view(const contact *c, const placed *a, const placed *b, tru_vec3 centre, double step, tru_contact *out) {
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
        lever_of(a, b, out->normal, out->t1, out->t2, out->lever, &out->radius_effective, &out->radius_smaller);
}

tru_status collide_overlap(tru_world *w, double limit, tru_id first, overlap *out, bool *found, tru_error *err) {
    candidate *list = NULL;
    size_t count = 0;
    double worst = limit;
    *found = false;
    const tru_status s = candidates(w, &at_once, &list, &count, err);
    if (s < 0) return s;
    for (size_t i = 0; i < count; i++) {
        const solid *a = &w->solids.items[list[i].a], *b = &w->solids.items[list[i].b];
        if (w->bodies.items[a->body].id < first && w->bodies.items[b->body].id < first) continue;
        if (w->labels.items[a->body].allow_overlap || w->labels.items[b->body].allow_overlap) continue;
        meeting m[TRU_TOUCHES];
        const int n = narrow_meet(&a->pose, &b->pose, 0.0, NULL, 0, m);
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
