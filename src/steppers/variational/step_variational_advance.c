/* step_variational_advance.c: a step by the chosen scheme, what it demands of the contact, and what it leaves in the world. */
#include "steppers/variational/step_variational_advance.h"
#include "base/assert.h"

#include "math/quat.h"
#include "steppers/variational/scheme/step_variational_disk.h"
#include "steppers/variational/scheme/step_variational_rk.h"
#include "steppers/variational/se3/step_variational_se3.h"
#include "steppers/variational/step_variational_trust.h"

bool trui_rolling_handed_over(const tru_world *w) {
    return w->contacts.count > 0 && (w->contacts.items[0].flags & CONTACT_HANDED) && !w->moved;
}

rolling_demand trui_rolling_demand_of_impulse(const rolling *r, tru_vec3 impulse) {
    rolling_demand d = {.normal = v3_dot(impulse, r->n)};
    d.lifts = !(d.normal > 0.0);
    if (!d.lifts) d.friction = v3_norm(v3_madd(impulse, -d.normal, r->n)) / d.normal;
    d.slips = !d.lifts && r->friction.slide_static > 0.0 && d.friction > r->friction.slide_static;
    return d;
}

rolling_demand trui_rolling_demand_of(const rolling *r, const rolling_result *out) {
    tru_vec3 whole = v3_add(out->first, out->balance);
    if (r->left.any) {
        const double *p = r->left.last;
        whole = v3_madd(v3_madd(v3_madd(whole, p[0], r->n), p[1], r->t1), p[2], r->t2);
    }
    rolling_demand d = trui_rolling_demand_of_impulse(r, whole);
    if (!r->left.any) d.normal *= 2.0; /* half a step's impulse */
    return d;
}

bool trui_rolling_ends(const tru_variational *o, const rolling_demand *d) {
    if (o->when_not_rolling == TRU_IDEAL) return false;
    return d->lifts || (d->slips && o->when_not_rolling == TRU_STOP);
}

void trui_rolling_announce(const rolling *r, double time, int kind, int row_kind, double speed) {
    const body *b = &r->w->bodies.items[r->body];
    tru_event e = trui_body_event(b, time, kind);
    e.row_kind = row_kind;
    e.body_b = r->w->bodies.items[r->plane].id;
    e.speed = speed;
    trui_world_event(r->w, &e);
}

void trui_rolling_write(const rolling *r, const rolling_result *out) {
    body *b = &r->w->bodies.items[r->body];
    TRU_ASSERT(body_is_free(b) && b->gain);
    b->x = out->end.x;
    b->q = out->end.q;
    b->gain->last = out->end.gain;
    b->v = out->end.v;
    b->w = out->end.w;
}

tru_status trui_rolling_advance(const tru_variational *o, const rolling *r, const rolling_node *start,
                                rolling_result *out, tru_error *err) {
    tru_status s;
    if (r->in_angles)
        s = trui_rolling_step_reduced(o, r, start, out, err);
    else
        s = o->scheme == TRU_SE3 ? trui_rolling_step_se3(o, r, start, out, err)
                                 : trui_rolling_step_rk(o, r, start, out, err);
    return s < 0 ? s : trui_rolling_trust(r, start, out, err);
}
