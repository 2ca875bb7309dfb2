/* validate.c: the invariants of a world, one function per part of it. Each returns a sentence about the first violation, or NULL. */
#include "world/validate.h"

#include "world/names.h"

#include <float.h>
#include <math.h>

/* [-] Deviation from unit length or from right angles: frames are carried from step to step and pick up round-off. */
#define UNIT_TOLERANCE 1e-6

static bool is_unit(tru_vec3 v) { return fabs(v3_norm2(v) - 1.0) < UNIT_TOLERANCE; }

static bool is_unit_quat(tru_quat q) { return fabs(quat_norm2(q) - 1.0) < UNIT_TOLERANCE; }

static bool is_frame(tru_vec3 n, tru_vec3 t1, tru_vec3 t2) {
    return is_unit(n) && is_unit(t1) && v3_max_abs(v3_sub(v3_cross(n, t1), t2)) < UNIT_TOLERANCE;
}

/* ---- memory ---- */

#define ARRAY_FITS(a) ((a).count <= (a).capacity && ((a).capacity == 0 || (a).items))

static const char *check_arrays(const tru_world *w) {
    const bool parts = ARRAY_FITS(w->materials) && ARRAY_FITS(w->pairs) && ARRAY_FITS(w->pair_table) &&
                       ARRAY_FITS(w->own_laws) && ARRAY_FITS(w->bodies) && ARRAY_FITS(w->labels) &&
                       ARRAY_FITS(w->solids) && ARRAY_FITS(w->loads) && ARRAY_FITS(w->motions) &&
                       ARRAY_FITS(w->joints) && ARRAY_FITS(w->starts);
    const bool contacts = ARRAY_FITS(w->contacts) && ARRAY_FITS(w->contacts_before) && ARRAY_FITS(w->contacts_kept) &&
                          ARRAY_FITS(w->ends) && ARRAY_FITS(w->ends_before) && ARRAY_FITS(w->ends_kept) &&
                          ARRAY_FITS(w->springs) && ARRAY_FITS(w->springs_before) && ARRAY_FITS(w->history) &&
                          ARRAY_FITS(w->history_before) && ARRAY_FITS(w->at_start);
    const bool derived = ARRAY_FITS(w->pair_list.pairs) && ARRAY_FITS(w->pair_list.boxes) && ARRAY_FITS(w->before) &&
                         ARRAY_FITS(w->middle);
    if (!parts || !contacts || !derived) return "an array has more items than its memory holds";
    for (const arena_block *b = w->scratch.first; b; b = b->next)
        if (b->used > b->room) return "a block of scratch memory has more bytes in use than it has";
    return NULL;
}

/* ---- materials and pairs ---- */

static const char *check_pair(const tru_world *w, const pair *p) {
    const size_t n = w->materials.count;
    unsigned claims = 0;
    if ((p->a == TRU_NONE) != (p->b == TRU_NONE) || p->a > n || p->b > n) return "a pair is of unknown materials";
    if (p->law_count < 0 || p->law_count > TRU_PAIR_LAWS) return "a pair has too many laws";
    for (int i = 0; i < p->law_count; i++) {
        if (p->laws[i].claims & claims) return "two laws of a pair claim the same rows";
        if (p->laws[i].memory < 0 || p->laws[i].memory > p->history)
            return "a law has its memory outside of the history";
        claims |= p->laws[i].claims;
    }
    if (claims != p->claims) return "a pair claims other rows than its laws";
    if (p->history < 0 || (size_t)p->history > w->history_stride) return "a pair has more history than contacts have";
    return p->restitution >= 0.0 && p->restitution <= 1.0 ? NULL : "a restitution is not between 0 and 1";
}

/* The table of pairs is complete after tru_check: every two materials have an entry, the same in both orders. */
static const char *check_pair_table(const tru_world *w) {
    const size_t n = w->materials.count;
    if (w->pair_table.count != n * n) return "the table of pairs does not have an entry for every two materials";
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            const int32_t k = w->pair_table.items[a * n + b];
            if (k < -1 || k >= (int32_t)w->pairs.count) return "the table of pairs has an index out of range";
            if (k != w->pair_table.items[b * n + a]) return "the table of pairs is not symmetric";
            if ((k < 0 ? NULL : &w->pairs.items[k]) != trui_pair_between(w, (uint32_t)a, (uint32_t)b))
                return "the table of pairs has a wrong entry";
        }
    return NULL;
}

static const char *check_pairs(const tru_world *w) {
    for (size_t i = 0; i < w->materials.count; i++)
        if (w->materials.items[i].id != i + 1) return "materials are not numbered from 1 on";
    for (size_t i = 0; i < w->pairs.count; i++) {
        const char *wrong = check_pair(w, &w->pairs.items[i]);
        if (wrong) return wrong;
    }
    return w->checked ? check_pair_table(w) : NULL;
}

/* ---- bodies and solids ---- */

static const char *check_solids(const tru_world *w, const body *b, size_t i) {
    for (uint32_t k = 0; k < b->solid_count; k++) {
        const solid *s = &w->solids.items[b->solid_first + k];
        if (s->body != i || s->k != (int32_t)k) return "a solid does not know its body";
        if (s->material >= w->materials.count) return "a solid has an unknown material";
        if (!s->at || s->at->holders == 0 || !s->params) return "a solid does not own its mount and parameters";
        if (!is_unit_quat(s->at->q) || !v3_is_finite(s->at->x))
            return "a solid has an orientation that is not a unit quaternion";
        if (!(s->radius >= 0.0 && s->radius <= DBL_MAX)) return "a solid has an impossible radius";
    }
    return NULL;
}

/* Returns true if all principal moments are positive, by the leading minors of the matrix. */
static bool has_inertia(const body *b) {
    const tru_mat3 m = body_inertia_of(b);
    const tru_vec3 x = m3_column(m, 0), y = m3_column(m, 1);
    return x.x > 0.0 && x.x * y.y > y.x * x.y && m3_det(m) > 0.0 && m3_det(m) <= DBL_MAX;
}

static const char *check_body(const tru_world *w, const body *b) {
    if (b->kind < TRU_FREE || b->kind > TRU_DRIVEN) return "a body has an unknown kind";
    if (!v3_is_finite(b->x) || !v3_is_finite(b->v) || !v3_is_finite(b->w)) return "the state of a body is not finite";
    if (!is_unit_quat(b->q)) return "the orientation of a body is not a unit quaternion";
    if (body_is_free(b) && !(b->mass > 0.0 && b->inv_mass == 1.0 / b->mass))
        return "a free body has an impossible mass";
    if (body_is_free(b) && !has_inertia(b)) return "a free body has an impossible inertia";
    if (!body_is_free(b) && (b->inv_mass != 0.0 || b->inv_moment != 0.0))
        return "a body that is not free has inverse inertia";
    if (b->isotropic && !b->diagonal) return "an isotropic inertia is not diagonal";
    if (!(b->size >= 0.0 && b->size <= DBL_MAX)) return "a body has an impossible size";
    return b->id < w->next_id ? NULL : "a body has an id that was not given out";
}

static const char *check_bodies(const tru_world *w) {
    tru_id last = TRU_NONE;
    size_t solids = 0;
    if (w->labels.count != w->bodies.count) return "bodies and their labels differ in number";
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        if (b->id <= last) return "ids of bodies do not increase";
        if (b->solid_first != solids || b->solid_count == 0) return "solids are not in the order of bodies";
        solids += b->solid_count;
        if (solids > w->solids.count) return "a body has solids that do not exist";
        const char *wrong = check_body(w, b);
        if (!wrong) wrong = check_solids(w, b, i);
        if (wrong) return wrong;
        last = b->id;
    }
    if (solids != w->solids.count) return "a solid has no body";
    return w->overlap_checked <= w->next_id && w->stepped <= w->next_id ? NULL : "a mark is beyond the last body";
}

/* The judge reads the bodies before the last step, and their orientations within it. */
static const char *check_before(const tru_world *w) {
    for (size_t i = 0; i < w->before.count; i++)
        if (!is_unit_quat(w->before.items[i].q)) return "an orientation before the last step is not a unit quaternion";
    const size_t middles = w->before.count == w->bodies.count ? w->middle.count : 0; /* nothing reads them otherwise */
    for (size_t i = 0; i < middles; i++) /* steppers set them for free bodies only */
        if (body_is_free(&w->bodies.items[i]) && !is_unit_quat(w->middle.items[i]))
            return "an orientation in the last step is not a unit quaternion";
    return NULL;
}

/* Open addressing needs empty slots to end a search, so at most three quarters of the table are in use. */
static const char *check_names(const tru_world *w) {
    const name_table *t = &w->names;
    if (t->room & (t->room - 1)) return "the size of the table of names is not a power of two";
    if (t->used != w->bodies.count || 4 * t->used > 3 * t->room)
        return "the table of names has a wrong number of entries";
    for (size_t k = 0; k < w->bodies.count; k++)
        if (trui_names_find(w, body_name(w, k)) != w->bodies.items[k].id)
            return "the name of a body leads to another body";
    return NULL;
}

/* ---- loads, motions and declared starts ---- */

static const char *check_schedule(const schedule *s) {
    for (size_t i = 1; i < s->count; i++)
        if (!(s->knots[i - 1].time < s->knots[i].time)) return "times of a schedule do not increase";
    return NULL;
}

static const char *check_loads(const tru_world *w) {
    for (size_t i = 0; i < w->loads.count; i++) {
        const load *l = &w->loads.items[i];
        if (trui_body_index(w, l->body) == SIZE_MAX) return "a load acts on a body that does not exist";
        if (check_schedule(&l->schedule)) return check_schedule(&l->schedule);
    }
    for (size_t i = 0; i < w->motions.count; i++) {
        const motion *m = &w->motions.items[i];
        const size_t k = trui_body_index(w, m->body);
        if (k == SIZE_MAX || body_is_free(&w->bodies.items[k]))
            return "a motion drives a body that is free or does not exist";
        if (check_schedule(&m->schedule)) return check_schedule(&m->schedule);
    }
    return NULL;
}

/* ---- joints ---- */

static const char *check_joint(const tru_world *w, const joint *j) {
    if (j->a >= w->bodies.count || j->b >= w->bodies.count || j->a == j->b) return "a joint has an index out of range";
    if (w->bodies.items[j->a].id != j->body_a || w->bodies.items[j->b].id != j->body_b)
        return "a joint has the index of another body";
    if (j->rows < 0 || j->rows > TRU_JOINT_ROWS) return "a joint has too many rows";
    const tru_mat3 *axes[2] = {&j->axes_a, &j->axes_b};
    for (int k = 0; k < 2; k++)
        if (!is_frame(m3_column(*axes[k], 0), m3_column(*axes[k], 1), m3_column(*axes[k], 2)))
            return "the axes of a joint are not orthonormal";
    for (int k = 0; k < j->rows; k++)
        if (!isfinite(j->impulse[k])) return "an impulse of a joint is not finite";
    return NULL;
}

static const char *check_joints(const tru_world *w) {
    tru_id last = TRU_NONE;
    size_t ends = 0;
    for (size_t i = 0; i < w->joints.count; i++) {
        const joint *j = &w->joints.items[i];
        if (j->id <= last || j->id >= w->next_joint) return "ids of joints do not increase";
        const char *wrong = check_joint(w, j);
        if (wrong) return wrong;
        last = j->id;
    }
    for (size_t i = 0; i < w->bodies.count; i++) ends += (size_t)w->bodies.items[i].joints;
    return ends == 2 * w->joints.count ? NULL : "bodies count other joints than there are";
}

/* ---- contacts ---- */

#define POINTS_INTO(p, a) ((a).count > 0 && (p) >= (a).items && (p) < (a).items + (a).count)

static const char *check_contact_key(const tru_world *w, const contact_key *k) {
    if (k->a >= w->bodies.count || k->b >= w->bodies.count || k->a == k->b)
        return "a contact is of bodies that do not exist";
    if (k->solid_a >= w->solids.count || k->solid_b >= w->solids.count)
        return "a contact is of solids that do not exist";
    if (w->solids.items[k->solid_a].body != k->a || w->solids.items[k->solid_b].body != k->b)
        return "a contact is of solids of other bodies";
    const bool b_free = body_is_free(&w->bodies.items[k->b]);
    return body_is_free(&w->bodies.items[k->a]) && (k->a < k->b || !b_free)
               ? NULL
               : "the bodies of a contact are in the wrong order";
}

/* A contact of the last step; its pair and pointers are valid until the world is changed from outside. */
static const char *check_contact(const tru_world *w, const contact *c) {
    if (!is_frame(c->c.normal, c->c.t1, c->c.t2)) return "the frame of a contact is not orthonormal";
    if (!v3_is_finite(c->c.arm_a) || !v3_is_finite(c->c.arm_b) || !isfinite(c->c.gap))
        return "the place of a contact is not finite";
    for (int row = 0; row < TRU_ROWS; row++)
        if (!isfinite(c->impulse[row]) || !isfinite(c->dry[row])) return "an impulse of a contact is not finite";
    if (c->end && !POINTS_INTO(c->end, w->ends)) return "the end of a contact is not in the world";
    if (c->springs && !POINTS_INTO(c->springs, w->springs) && !POINTS_INTO(c->springs, w->springs_before))
        return "the springs of a contact are not in the world";
    if (c->c.memory && !POINTS_INTO(c->c.memory, w->history)) return "the history of a contact is not in the world";
    return POINTS_INTO(c->pair, w->pairs) ? NULL : "the pair of a contact is not in the world";
}

static const char *check_contacts(const tru_world *w) {
    size_t ends = 0;
    for (size_t i = 0; i < w->contacts.count; i++) {
        const contact *c = &w->contacts.items[i];
        if (i > 0 && trui_contact_key_order(&c[-1].key, &c->key) >= 0)
            return "contacts are not in the order of their keys";
        const char *wrong = check_contact_key(w, &c->key);
        if (!wrong) wrong = check_contact(w, c);
        if (wrong) return wrong;
    }
    for (size_t i = 0; i < w->bodies.count; i++) {
        if (w->bodies.items[i].contacts < 0) return "a body counts fewer than 0 contacts";
        ends += (size_t)w->bodies.items[i].contacts;
    }
    if (ends != 2 * w->contacts.count) return "bodies count other contacts than there are";
    for (size_t i = 1; i < w->at_start.count; i++)
        if (trui_contact_key_order(&w->at_start.items[i - 1].key, &w->at_start.items[i].key) >= 0)
            return "contacts at the start are not in the order of their keys";
    return NULL;
}

static const char *check_pair_list(const tru_world *w) {
    const pair_list *l = &w->pair_list;
    if (!l->good) return NULL;
    for (size_t i = 0; i < l->pairs.count; i++)
        if (l->pairs.items[i].a >= w->solids.count || l->pairs.items[i].b >= w->solids.count ||
            l->pairs.items[i].a == l->pairs.items[i].b)
            return "the pair list has an index out of range";
    if (l->boxes.count > w->solids.count) return "the pair list has boxes of solids that do not exist";
    for (size_t i = 0; i < l->boxes.count; i++)
        for (int k = 0; k < 3 && w->solids.items[i].shape->bounded; k++)
            if (!(l->boxes.items[i].lo[k] <= l->boxes.items[i].hi[k])) return "a box of the pair list is inside out";
    return NULL;
}

/* ---- time, energy and events ---- */

static const char *check_run(const tru_world *w) {
    if (!v3_is_finite(w->gravity)) return "gravity is not finite";
    if (!(w->step >= 0.0) || !isfinite(trui_world_time(w))) return "the time is not finite";
    if (w->steps_here > w->steps_done) return "more steps were done at this step size than in all";
    return isfinite(w->energy_seen) ? NULL : "the largest energy so far is not finite";
}

static const char *check_events(const tru_world *w) {
    const event_ring *r = &w->events;
    if (r->first >= EVENT_ROOM || r->count > EVENT_ROOM) return "the event ring has an index out of range";
    if (r->count > 0 && !r->items) return "the event ring has no memory";
    for (size_t i = 0; i < r->count; i++)
        if (!isfinite(r->items[(r->first + i) % EVENT_ROOM].time)) return "an event has a time that is not finite";
    return NULL;
}

const char *trui_world_validate(const tru_world *w) {
    static const char *(*const checks[])(const tru_world *) = {
        check_arrays, check_pairs,    check_bodies,    check_before, check_names, check_loads,
        check_joints, check_contacts, check_pair_list, check_run,    check_events};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        const char *wrong = checks[i](w);
        if (wrong) return wrong;
    }
    return NULL;
}
