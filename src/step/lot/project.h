/* project.h: contact places at the end of a step, and overlaps closed there (stepper moreau). */
#ifndef TRUNDLE_STEP_LOT_PROJECT_H
#define TRUNDLE_STEP_LOT_PROJECT_H

#include "base/assert.h"
#include "step/lot/lot.h"
#include "step/project_joined.h"

/* ---- one body and one contact */

/* The paper's correction of one overlap, by l = -gap / slope along the normal: dx = l n, rotation = 4 l (arm x n). */
static inline void body_correct_r7(body *a, tru_vec3 n, tru_vec3 lever, double l) {
    const tru_quat r = quat_exp(v3_scale(4.0 * l, lever));
    a->x = v3_madd(a->x, l, n);
    a->q = quat_renormalise(quat_mul(r, a->q));
    if (!a->isotropic) a->w = quat_rotate(r, a->w);
}

/* [m] Closes the overlap of a contact, or sets it down if it carried load under midpoint (lot_lift); returns the gap it closed. */
LOT_TEXT double contact_lift(const step *s, const contact *c) {
    TRU_ASSERT(c->a != c->b && c->end);
    body *a = &s->w->bodies.items[c->a], *b = &s->w->bodies.items[c->b];
    const tru_vec3 moved_a = v3_sub(a->x, s->body_steps[c->a].dynamics->x_placed),
                   moved_b = v3_sub(b->x, s->body_steps[c->b].dynamics->x_placed);
    const double gap = c->end->place.gap + v3_dot(c->end->place.normal, v3_sub(moved_a, moved_b));
    const double weight = a->inv_mass + b->inv_mass;
    const bool carried = c->theta < 1.0 && c->impulse[0] > 0.0 && !(c->flags & CONTACT_IMPACT);
    if (!(gap < 0.0 || (carried && gap > 0.0)) || weight == 0.0) return 0.0;
    a->x = v3_madd(a->x, -gap * a->inv_mass / weight, c->end->place.normal);
    b->x = v3_madd(b->x, gap * b->inv_mass / weight, c->end->place.normal);
    return gap;
}

/* True if a contact ends the step overlapped by more than the size of its free bodies. */
static inline bool contact_sank(const step *s, const contact *c) {
    const body *a = &s->w->bodies.items[c->a], *b = &s->w->bodies.items[c->b];
    return c->end->place.gap < -a->size && (b->kind != TRU_FREE || c->end->place.gap < -b->size);
}

/* [J] Returns the potential energy that a body gained by moving from x_placed. */
LOT_TEXT double placed_work(const tru_world *w, const body *b, const body_step *m) {
    return body_is_free(b) ? -b->mass * v3_dot(w->gravity, v3_sub(b->x, m->dynamics->x_placed)) : 0.0;
}

/* Moves the place of a contact along with its bodies, which moved from x_placed, and computes its rates there. */
LOT_TEXT void contact_follow(const step *s, const contact *c) {
    const body *a = &s->w->bodies.items[c->a], *b = &s->w->bodies.items[c->b];
    const tru_vec3 da = v3_sub(a->x, s->body_steps[c->a].dynamics->x_placed),
                   db = v3_sub(b->x, s->body_steps[c->b].dynamics->x_placed);
    contact_place *p = &c->end->place;
    p->gap += v3_dot(p->normal, v3_sub(da, db));
    p->arm_b = v3_add(p->arm_b, v3_sub(da, db));
    rates_of_rows(p->normal, p->t1, p->t2, p->arm_a, p->arm_b, &(twist){a->v, a->w}, &(twist){b->v, b->w},
                  c->end->rate);
}

/* ---- all bodies */

/* Writes where contacts are at the present poses into their ends. */
void trui_place_contacts(step *s);
/* Fails a step that ends with a body under the surface of a contact by more than its size (contact_sank), if the step with that
 * overlap closed adds energy: it is longer than the fall, and every impact would add as much. Slow impacts, which lose more, and
 * fast bodies pass. */
tru_status trui_check_sunk(const step *s, const contact *c, tru_error *err);
/* Lays a face that three or more points of a run define parallel to the other surface and on it, if it fell flat; true if it moved. */
bool trui_lay_flat(step *s, contact *run, int count);
/* Closes overlaps of joined bodies by moving whole mechanisms; *moved becomes true if there were some. */
tru_status trui_lift_joined(step *s, joined_shift *j, bool *moved, tru_error *err);
/* Computes contact places and rates at the end pose, if contacts keep their ends. */
void trui_refresh_contact_places(step *s);

/* ---- a lot */

/* Writes where contacts are at the present poses into their ends; the lot on a plane refuses what one point does not describe. */
LOT_TEXT tru_status lot_place_contacts(lot l) {
    if (l.on_plane) return on_plane_place(l.on_plane) ? TRU_OK : TRU_REFUSED;
    trui_place_contacts(l.s);
    return TRU_OK;
}

/* Closes an overlap as the paper does: nearest point in the metric |dx|^2 + |dq|^2 with |dq| = |rotation|/2, tangent frozen
 * [LSLG05 (3.9)-(3.12)]: dx = l n, rotation = 4 l (arm x n). It mixes metres with pure numbers, so it depends on the unit. The
 * contact's place follows. Only for a free body with one contact of this run on a body that is not free. */
LOT_TEXT tru_status lot_correct_r7(lot l, contact *c) {
    tru_world *w = l.s->w;
    body *a = lot_body(l, c->a);
    const body *b = &w->bodies.items[c->b];
    contact_place *at = &c->end->place, places[TRU_TOUCHES];
    TRU_ASSERT(body_is_free(a) && !body_is_free(b));
    const tru_vec3 n = at->normal, lever = v3_cross(at->arm_a, n);
    const double slope = 1.0 + 4.0 * v3_norm2(lever);
    for (int i = 0; i < 5 && at->gap < 0.0; i++) {
        body_correct_r7(a, n, lever, -at->gap / slope);
        if (l.on_plane) {
            if (!on_plane_place(l.on_plane)) return TRU_REFUSED;
        } else {
            trui_contact_run_places(w, c, 1, a, b, places);
            *at = places[0];
        }
    }
    return TRU_OK;
}

/* Returns true if a contact belongs to a mechanism, whose bodies move together; `joined` is per body, NULL without joints. */
LOT_TEXT bool contact_is_joined(const contact *c, const bool *joined) {
    return joined && (joined[c->a] || joined[c->b]);
}

/* Lays fallen faces flat and closes overlaps by lot_correct_r7 if `r7`, but for joined bodies. *moved: places of other contacts do
 * not follow yet. */
LOT_TEXT tru_status lot_correct(lot l, bool r7, const bool *joined, bool *moved) {
    const tru_world *w = l.s->w;
    tru_status status = TRU_OK;
    *moved = false;
    if (l.on_plane) return r7 ? lot_correct_r7(l, l.on_plane->now) : TRU_OK;
    for (size_t i = 0, count; i < w->contacts.count; i += count) {
        contact *run = &w->contacts.items[i];
        const body *a = &w->bodies.items[run->a];
        count = (size_t)trui_contact_run(&w->contacts, i);
        if (contact_is_joined(run, joined)) continue;
        *moved |= trui_lay_flat(l.s, run, (int)count);
        if (!r7 || count != 1 || !body_is_free(a) || body_is_free(&w->bodies.items[run->b])) continue;
        *moved |= run->end->place.gap < 0.0 && a->contacts > 1;
        status = lot_correct_r7(l, run);
    }
    return status;
}

#define LIFT_PASSES 20    /* most passes over all contacts, for bodies that share them */
#define LIFT_SLIGHT 1e-12 /* [-] overlap in parts of a body's size that is not worth another pass: round-off */
#define LIFT_JAMMED 1e-4 /* [-] overlap in parts of a joined body that its joints do not let it leave: it moves alone */

/* Closes overlaps by shifts along the normals, shared by inverse mass; gaps of other contacts follow. Under midpoint a contact that
 * carried load is also set down: its gap is an error of the step, O(h^2), that would let the contact drop out when a disk nutates
 * close to flat, and whose one-sided correction feeds energy. */
LOT_TEXT void lot_lift(lot l, const bool *joined) {
    bool again = true;
    for (int pass = 0; again && pass < LIFT_PASSES; pass++) {
        again = false;
        LOT_EACH_CONTACT(l, i) {
            const contact *c = &lot_contacts(l)[i];
            const body *a = lot_body(l, c->a), *b = &l.s->w->bodies.items[c->b];
            if (contact_is_joined(c, joined) && c->end->place.gap > -LIFT_JAMMED * a->size) continue;
            const double gap = contact_lift(l.s, c);
            if (lot_contact_count(l) == 1) break;
            again |= (a->contacts > 1 || (body_is_free(b) && b->contacts > 1)) && gap < -LIFT_SLIGHT * a->size;
        }
    }
}

/* Moves bodies out of their overlaps at the end pose and books the work of that. Fails if a body sank by more than its size and
 * closing that would add energy. */
LOT_TEXT tru_status lot_project_overlaps(lot l, bool r7, tru_error *err) {
    step *s = l.s;
    tru_world *w = s->w;
    double before = 0.0, after = 0.0;
    joined_shift mechanisms = {.joined = NULL};
    bool moved;
    LOT_EACH_BODY(l, i) s->body_steps[i].dynamics->x_placed = lot_body(l, i)->x;
    if (lot_contact_count(l) == 0) return TRU_OK;
    tru_status status = lot_place_contacts(l);
    for (size_t i = 0; status >= 0 && i < lot_contact_count(l); i++)
        if (contact_sank(s, &lot_contacts(l)[i])) status = trui_check_sunk(s, &lot_contacts(l)[i], err);
    if (status >= 0 && !l.on_plane) status = trui_joined_begin(s, &mechanisms, err);
    if (status >= 0) status = lot_correct(l, r7, mechanisms.joined, &moved);
    if (status < 0) return status;
    if (moved) lot_place_contacts(l);
    if (mechanisms.joined) status = trui_lift_joined(s, &mechanisms, &moved, err);
    if (status < 0) return status;
    if (r7 || moved) LOT_EACH_BODY(l, i) {
            before += placed_work(w, lot_body(l, i), &s->body_steps[i]);
            s->body_steps[i].dynamics->x_placed = lot_body(l, i)->x;
        }
    lot_lift(l, mechanisms.joined);
    LOT_EACH_BODY(l, i) after += placed_work(w, lot_body(l, i), &s->body_steps[i]);
    w->ledger.projection += before + after;
    LOT_EACH_CONTACT(l, i) contact_follow(s, &lot_contacts(l)[i]);
    return TRU_OK;
}

#endif
