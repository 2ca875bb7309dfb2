/* body_on_plane.c: recognises a world of one body that keeps its contact with a plane, and finds what stays the same in it. */
#include "step/lot/body_on_plane.h"
#include "step/end/step_end.h"

#include "step/solve/one_contacts.h"

/* Two bodies with a shape each, one free and one fixed, one contact, and no action but gravity. The last step is known, so that its
 * records can be used again. */
static bool is_pair(const tru_world *w) {
    if (w->bodies.count != 2 || w->solids.count != 2 || w->contacts.count != 1) return false;
    if (w->joints.count + w->loads.count + w->at_start.count > 0 || w->moved || w->clock) return false;
    if (w->before.count != 2) return false;
    const contact *c = &w->contacts.items[0];
    const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
    return body_is_free(a) && b->kind == TRU_FIXED && !w->solids.items[c->solid_b].shape->bounded;
}

/* A sphere, or the lowest point of a disk's rim. */
static bool find_shape(body_on_plane *p, const contact *c) {
    const solid *s = p->solid_a;
    p->rim = s->shape == &tru_shape_disk;
    p->rim_z = 0.0;
    if (s->shape == &tru_shape_sphere) {
        p->radius = ((const tru_sphere *)s->params)->radius;
        return true;
    }
    if (!p->rim) return false;
    const tru_disk *d = s->params;
    p->radius = d->radius;
    p->rim_z = c->key.feature == 0 ? -(0.5 * d->thickness) : 0.5 * d->thickness;
    return c->key.feature % TRU_RIM_POINTS == 0;
}

/* True if the contact was closed in the last step and none of its laws has a history that trui_step_end would have to update. */
static bool is_steady(const contact *c, unsigned keeps) {
    if (c->flags & (CONTACT_APART | CONTACT_TRACKED | CONTACT_RELAXED)) return false;
    if (!c->end == !!(keeps & KEEP_ENDS)) return false;
    for (int i = 0; i < c->pair->law_count; i++)
        if (c->pair->laws[i].kept > 0) return false;
    return true;
}

/* True if w->contacts_before is a record of the same contact that points to its own end and history. */
static bool is_second_record(const tru_world *w, const contact *old) {
    const contact *c = w->contacts_before.items;
    return w->contacts_before.count == 1 && trui_contact_key_order(&c->key, &old->key) == 0 && c->pair == old->pair &&
           c->end == (old->end ? w->ends_before.items : NULL) &&
           c->c.memory == (old->c.memory ? w->history_before.items : NULL) && !c->springs;
}

/* Makes w->contacts_before the second record of the contact, with its key and pair. Returns false if there is no room for it or for
 * what it points to: steps of all bodies make room, and report a lack of memory. */
static bool make_second_record(tru_world *w, const contact *old) {
    const size_t ends = w->ends.count, doubles = w->history.count;
    if (w->contacts_before.capacity < 1 || w->ends_before.capacity < ends || w->history_before.capacity < doubles)
        return false;
    contact *c = w->contacts_before.items;
    w->contacts_before.count = 1;
    w->ends_before.count = ends;
    w->history_before.count = doubles;
    w->springs_before.count = w->springs.count;
    *c = *old;
    c->springs = NULL;
    if (old->c.memory) c->c.memory = w->history_before.items;
    if (!old->end) return true;
    c->end = w->ends_before.items;
    *c->end = *old->end;
    return true;
}

/* The frame of a plane that does not turn stays what it was at the end of the last step. */
static void set_frame(body_on_plane *p) {
    const contact_end *end = p->old->end;
    contact_frame *to = &p->now->c;
    to->normal = p->normal;
    to->t1 = end ? end->place.t1 : p->old->c.t1;
    to->t2 = end ? end->place.t2 : p->old->c.t2;
    to->rim_points = 1;
    if (!end) return;
    p->now->end->place.normal = to->normal;
    p->now->end->place.t1 = to->t1;
    p->now->end->place.t2 = to->t2;
}

static bool same(tru_vec3 p, tru_vec3 q) { return p.x == q.x && p.y == q.y && p.z == q.z; }

/* A step whose arrays are in the lot, and what it needs to know of the two bodies. What every step sets stays unset. */
static void begin_step(body_on_plane *p, tru_world *w, double h) {
    const size_t a = p->index, b = 1 - a;
    const twist still = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int i = 0; i < 2; i++) p->body_steps[i].dynamics = &p->dynamics[i];
    p->body_steps[b].start = p->free[b] = still;
    p->dynamics[a].force = p->dynamics[a].torque = v3_zero();
    p->dynamics[b].x_placed = p->b->x;
    p->inverse[a] = (problem_body){.inv_mass = p->a->inv_mass, .moves = true, .round = p->a->isotropic};
    p->inverse[b] = (problem_body){.round = p->b->isotropic};
    p->size[a] = p->a->size;
    p->size[b] = -p->b->size;
    p->s = (step){.w = w,
                  .h = h,
                  .acts = h,
                  .body_steps = p->body_steps,
                  .free = p->free,
                  .inverse = p->inverse,
                  .size = p->size,
                  .seen = p->seen,
                  .turning = !p->a->isotropic};
    p->s.fall = p->s.speed = v3_norm(w->gravity) * h;
    p->slow = flat_speed(&p->s);
}

bool trui_on_plane_begin(body_on_plane *p, tru_world *w, double h, unsigned keeps) {
    if (!is_pair(w)) return false;
    contact *c = &w->contacts.items[0];
    p->index = c->a;
    p->a = &w->bodies.items[c->a];
    p->b = &w->bodies.items[c->b];
    p->solid_a = &w->solids.items[c->solid_a];
    p->solid_b = &w->solids.items[c->solid_b];
    p->normal = placed_plane_normal(&p->solid_b->pose);
    p->old = c;
    if (!is_steady(c, keeps) || !find_shape(p, c) || !trui_one_contacts_newton(w, &p->newton)) return false;
    if (!same(c->end ? c->end->place.normal : c->c.normal, p->normal)) return false;
    if (!is_second_record(w, c) && !make_second_record(w, c)) return false;
    p->now = w->contacts_before.items;
    set_frame(p);
    begin_step(p, w, h);
    TRU_ASSERT(c->a + c->b == 1 && c->solid_a + c->solid_b == 1);
    TRU_ASSERT(p->old->end == w->ends.items || !p->old->end);
    return true;
}

void trui_on_plane_end(body_on_plane *p, uint64_t taken) {
    tru_world *w = p->s.w;
    TRU_ASSERT(p->old == w->contacts.items || p->old == w->contacts_before.items);
    if (p->old != w->contacts.items) trui_contacts_swap(w);
    if (taken == 0) return;
    w->before.items[p->index] = p->before;
    if (w->middle.count > 0) w->middle.items[p->index] = p->middle;
}
