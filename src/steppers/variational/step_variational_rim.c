/* step_variational_rim.c: a thick disk passes upright: its other rim comes down, sticks, and the old one is released.
 *
 * After [variational-equations 6]: the crossing is located within the step; angular momentum about the new point of
 * contact is conserved, (J + m (|r|^2 - r r^T)) omega+ = J omega- + m r x v-, r from the new point to the centre. In
 * angles that is theta' (1 + I1 - e^2)/(1 + I1 + e^2), the ratio of the rocking block. Where crossings accumulate the
 * disk comes to stand on both rims, which is not rolling on a point: moreau takes over. */
#include "steppers/variational/step_variational_rim.h"
#include "base/assert.h"

#include "math/quat.h"
#include "math/root.h"
#include "steppers/variational/scheme/step_variational_view.h"
#include "steppers/variational/step_variational_advance.h"

bool trui_rolling_past_upright(const tru_variational *o, const rolling *r, const rolling_node *k) {
    return o->rim == TRU_RIM_LOWER && r->disk.radius > 0.0 && r->disk.k.e > 0.0 && k->disk.theta.c < 0.0;
}

typedef struct crossing {
    const tru_variational *o;
    rolling r;
    const rolling_node *start;
    rolling_result out;
    tru_status status;
    tru_error *err;
} crossing;

/* How far past upright a part of the step of length h goes: minus the cosine of theta. */
static double past(double h, void *context) {
    crossing *c = context;
    if (h == 0.0) return -c->start->disk.theta.c;
    c->r.h = h;
    c->out = (rolling_result){.stuck = TRU_KIND_BIT(TRU_KIND_SLIDE)};
    c->status = trui_rolling_advance(c->o, &c->r, c->start, &c->out, c->err);
    if (c->status < 0) return NAN;
    return -c->out.end.disk.theta.c;
}

/* Change to the other rim; the impulse of the new point and what it takes. */
static tru_vec3 change_rim(rolling *r, rolling_node *k, double *lost) {
    TRU_ASSERT(r->disk.k.e > 0.0); /* a thin disk has one rim */
    const body *b = &r->w->bodies.items[r->body];
    const tru_vec3 v = k->v, w = k->w;
    r->feature = r->feature >= TRU_RIM_POINTS ? 0 : TRU_RIM_POINTS;
    r->at = NULL;
    r->left.any = false;
    trui_rolling_support(r, k->q, k);
    const tru_mat3 inertia = m3_rotate_sym(quat_to_matrix(k->q), body_inertia_of(b));
    tru_mat3 whole = m3_madd(inertia, -b->mass, m3_outer(k->arm, k->arm)), inverse = whole;
    for (int i = 0; i < 3; i++) whole.m[i][i] += b->mass * v3_norm2(k->arm);
    m3_spd_inverse(whole, &inverse);
    k->w = m3_apply(inverse, v3_madd(m3_apply(inertia, w), b->mass, v3_cross(k->arm, v)));
    k->v = v3_cross(k->w, k->arm);
    const tru_vec3 impulse = v3_scale(b->mass, v3_sub(k->v, v));
    *lost = -0.5 * v3_dot(impulse, v3_sub(v, v3_cross(w, k->arm))); /* the point came to rest: half its velocity */
    return impulse;
}

rolling_way_on trui_rolling_cross(const tru_variational *o, rolling *r, const rolling_node *start, rolling_result *out,
                                  rolling_demand *d, tru_error *err) {
    tru_variational plain = *o;
    const double whole = r->h;
    double h = 0.0, lost;
    plain.start = TRU_START_LEGENDRE;
    crossing c = {.o = &plain, .r = *r, .start = start, .err = err};
    rolling_node node = *start;
    rolling_result first = {.end = *start};
    if (tru_root_bracket(past, &c, 0.0, whole, 0.0, &h) && h > 1e-9 * whole) {
        past(h, &c);
        if (c.status < 0) return WAY_FAILS;
        first = c.out;
        node = c.out.end;
        *d = trui_rolling_demand_of(&c.r, &c.out);
        if (trui_rolling_ends(o, d)) return WAY_ENDS;
    } else {
        h = 0.0;
    }
    r->h = whole - h;
    TRU_ASSERT(h >= 0.0 && h <= whole);
    r->time += h;
    const tru_vec3 impulse = change_rim(r, &node, &lost);
    const double speed = v3_dot(impulse, r->n) / r->w->bodies.items[r->body].mass;
    *d = trui_rolling_demand_of_impulse(r, impulse);
    if (d->slips && o->when_not_rolling == TRU_SLIP) return WAY_HANDS_OVER;
    if (trui_rolling_ends(o, d)) return WAY_ENDS;
    *out = (rolling_result){.stuck = TRU_KIND_BIT(TRU_KIND_SLIDE)};
    if (trui_rolling_advance(&plain, r, &node, out, err) < 0) return WAY_FAILS;
    if (trui_rolling_past_upright(o, r, &out->end)) return WAY_HANDS_OVER;
    *d = trui_rolling_demand_of(r, out);
    if (trui_rolling_ends(o, d)) return WAY_ENDS;
    ledger_add(&out->work, &first.work);
    out->work.impact += lost;
    out->couple = v3_add(out->couple, first.couple);
    out->first = v3_add(v3_add(out->first, impulse), v3_add(first.first, first.last));
    out->iterations += first.iterations;
    trui_rolling_announce(r, r->time, TRU_EVENT_TOUCH, TRU_KIND_NORMAL, speed);
    r->h = whole;
    return WAY_ON;
}
