/* lot.h: the verbs of a step over a lot, that is, over the bodies and contacts that the step works on.
 *
 * A scheme is written once as a LOT_TEXT function of a lot. The compiler makes two functions of it: `lot_of_all` works on all bodies of
 * the world in arrays, by threads; `lot_on_plane` on one body in contact with a plane, where every loop has one pass and `on_plane`
 * is known not to be NULL. Both do the same to a body and to a contact (motion.h, ledger.h), so both give the same bits
 * (docs/design/lot.md).
 *
 * The lot of one body refuses a step in which something begins or ends: the verbs that can find that out return TRU_REFUSED. */
#ifndef TRUNDLE_STEP_LOT_LOT_H
#define TRUNDLE_STEP_LOT_LOT_H

#include "base/assert.h"
#include "step/joints.h"
#include "step/end/step_end.h"
#include "step/lot/body_on_plane.h"
#include "step/solve/execute.h"
#include "step/solve/mean_rate.h"
#include "step/solve/one_contacts.h"

typedef struct lot {
    step *s;
    body_on_plane *on_plane; /* NULL: the lot is all bodies of the world */
} lot;

LOT_TEXT lot lot_of_all(step *s) { return (lot){s, NULL}; }
LOT_TEXT lot lot_on_plane(body_on_plane *p) { return (lot){&p->s, p}; }

/* ---- what is in it */

LOT_TEXT size_t lot_first_body(lot l) { return l.on_plane ? l.on_plane->index : 0; }
LOT_TEXT size_t lot_body_count(lot l) { return l.on_plane ? 1 : l.s->w->bodies.count; }
LOT_TEXT body *lot_body(lot l, size_t i) { return l.on_plane ? l.on_plane->a : &l.s->w->bodies.items[i]; }
LOT_TEXT contact *lot_contacts(lot l) { return l.on_plane ? l.on_plane->now : l.s->w->contacts.items; }
LOT_TEXT size_t lot_contact_count(lot l) { return l.on_plane ? 1 : l.s->w->contacts.count; }
#define LOT_EACH_BODY(l, i)                                                                                            \
    for (size_t i = lot_first_body(l), i##_left = lot_body_count(l); i##_left > 0; i++, i##_left--)
#define LOT_EACH_CONTACT(l, i) for (size_t i = 0; i < lot_contact_count(l); i++)

/* ---- begin and end */

/* The world is as before the step; returns the status of a step that failed. */
LOT_TEXT tru_status lot_undo(lot l, tru_status failed) {
    if (l.on_plane) return on_plane_undo(l.on_plane);
    if (l.s->has_contacts) trui_find_contacts_undo(l.s->w);
    return trui_step_undo(l.s, failed);
}

/* Checks the step, counts it and emits its events; or undoes it. */
LOT_TEXT tru_status lot_end(lot l, tru_status solved, tru_error *err) {
    return l.on_plane ? on_plane_accept(l.on_plane) : trui_step_end(l.s, solved, err);
}

/* ---- bodies */

LOT_TEXT void lot_drift(lot l, double h, bool additive) {
    if (l.on_plane)
        body_drift(l.on_plane->a, h, additive);
    else
        trui_drift(l.s->w, h, additive);
}

/* Inertia and loads at the present pose; the lot on a plane has no loads. */
LOT_TEXT void lot_inertia(lot l) {
    if (!l.on_plane) {
        trui_inertia_here(l.s);
        return;
    }
    const size_t i = l.on_plane->index;
    l.on_plane->middle = l.on_plane->a->q;
    body_inertia(l.on_plane->a, &l.s->body_steps[i], &l.s->inverse[i]);
}

/* Velocities at the end of the step without contacts. */
LOT_TEXT void lot_kick(lot l) {
    const size_t i = lot_first_body(l);
    if (l.on_plane)
        body_kick(l.s, l.on_plane->a, &l.s->body_steps[i], &l.s->inverse[i], &l.s->free[i]);
    else
        trui_kick(l.s);
}

/* lot_inertia and lot_kick in one pass over the bodies. */
LOT_TEXT void lot_inertia_and_kick(lot l) {
    if (!l.on_plane) {
        trui_inertia_and_kick(l.s);
        return;
    }
    lot_inertia(l);
    lot_kick(l);
}

/* Fails if the kick did not find the mean rate of a turning body (gyro_free). */
LOT_TEXT tru_status lot_check_gyro(lot l, tru_error *err) {
    if (!l.on_plane) return trui_gyro_check(l.s, err);
    return gyro_found(l.on_plane->a, &l.s->body_steps[l.on_plane->index]) ? TRU_OK : TRU_REFUSED;
}

/* From the start pose with the mean of start and end velocities. */
LOT_TEXT void lot_place(lot l, bool hold_spin_in_body) {
    const body_on_plane *p = l.on_plane;
    if (p)
        body_place(p->a, &l.s->body_steps[p->index], p->before.x, p->before.q, p->middle, l.s->h, hold_spin_in_body);
    else
        trui_place_bodies(l.s, hold_spin_in_body);
}

/* ---- contacts */

/* Finds the contacts with a gap below `activation` [m]; `keeps`: KEEP_* of them. */
LOT_TEXT tru_status lot_find_contacts(lot l, double activation, unsigned keeps, tru_error *err) {
    TRU_ASSERT(activation >= 0.0 && keeps <= (KEEP_ENDS | KEEP_SPRINGS));
    if (l.on_plane) return on_plane_find(l.on_plane, activation, activation) ? TRU_OK : TRU_REFUSED;
    const tru_status status = trui_find_contacts(l.s->w, activation, l.s->h, keeps, err);
    l.s->has_contacts = status >= 0;
    return status;
}

/* Decides which contacts are solved alone, and places the joints: their rows act on mean rates or on those of the end. */
LOT_TEXT tru_status lot_choose(lot l, bool mean, tru_error *err) {
    if (l.on_plane) return TRU_OK;
    const tru_status status = trui_one_contacts_choose(l.s, err);
    return status < 0 ? status : trui_joints_place(l.s, mean, err);
}

/* Builds the problem; bias and theta of each contact are set. */
LOT_TEXT tru_status lot_build(lot l, tru_error *err) {
    if (!l.on_plane) return trui_problem_build(l.s, err);
    body_on_plane *p = l.on_plane;
    contact *c = p->now;
    tru_contact view;
    TRU_ASSERT(c->theta == 0.5f || c->theta == 1.0f);
    view.step = l.s->acts;
    if (!c->pair->plain) {
        p->solid_a->pose = solid_on(p->solid_a, p->a);
        trui_contact_view(c, &p->solid_a->pose, &p->solid_b->pose, p->a->x, l.s->acts, &view);
    }
    const bool built =
        trui_one_contact_build(&p->one_contact, c, &view, &p->inverse[c->a], &p->inverse[c->b], l.s->fall);
    return built ? TRU_OK : TRU_REFUSED;
}

/* Solves one contact for the free velocities of the last kick, and gives its impulses to the body. */
LOT_TEXT tru_status on_plane_solve(body_on_plane *p, tru_solve_info *info) {
    const contact *c = p->now;
    if (trui_one_contacts_solve_with(&p->s, &p->one_contact, &p->newton, p->seen[0], info) != TRU_OK)
        return TRU_REFUSED;
    const twist t = contact_push(c, c->c.arm_a, 1.0, p->a->inv_mass, &p->inverse[c->a], &p->free[c->a]);
    p->a->v = t.v;
    p->a->w = t.w;
    return TRU_OK;
}

/* Solves for the free velocities of the last kick; velocities of the bodies become those at the end of the step. */
LOT_TEXT tru_status lot_solve(lot l, tru_error *err) {
    return l.on_plane ? on_plane_solve(l.on_plane, &l.s->info) : trui_solve_contacts(l.s, err);
}

/* One copy for all schemes of a file: inlined into each, it costs registers that the scheme needs. */
static inline void on_plane_book(body_on_plane *p) {
    step *s = &p->s;
    const contact *c = p->now;
    const twist a = mean_twist(s, c->a), b = mean_twist(s, c->b);
    ledger_body(s, c->a, &s->w->ledger);
    ledger_contact(s, c, &a, &b, s->seen[0], &s->w->ledger, &s->info);
}

/* Books the step's work in the ledger. */
LOT_TEXT void lot_book(lot l) {
    if (l.on_plane)
        on_plane_book(l.on_plane);
    else
        trui_ledger_book(l.s);
}

#endif
