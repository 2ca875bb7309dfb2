/* step_variational_judge.c: how far a step of `variational` is from its equations, from the nodes and the contact record. */
#include "steppers/step_variational.h"

#include "math/quat.h"

static rolling_node node_of(const rolling *r, const body *b) {
    rolling_node k = {.x = b->x, .q = b->q, .v = b->v, .w = b->w};
    rolling_support(r, b->q, &k);
    return k;
}

/* Momentum that impulses do not explain, and resistance that is not the law's. */
static void judge_impulses(const rolling *r, const rolling_node *start, const rolling_node *end, tru_verdict *out) {
    const contact *c = r->at;
    const body *b = &r->w->bodies.items[r->body];
    tru_vec3 force, torque;
    rolling_loads(r, r->w->middle.items[r->body], world_time(r->w) - 0.5 * r->h, &force, &torque);
    const tru_vec3 impulse =
        v3_madd(v3_madd(v3_scale(c->impulse[0], r->n), c->impulse[1], r->t1), c->impulse[2], r->t2);
    const tru_vec3 sum = v3_madd(v3_scale(r->h, v3_madd(force, b->mass, r->pull)), 1.0, impulse);
    out->momentum = v3_norm(v3_madd(v3_sub(end->v, start->v), -b->inv_mass, sum));
    const double moment = m3_trace(b->inertia) / 3.0, *rate = c->bias;
    const double spin = c->impulse[3] + r->h * r->resist.spin_viscosity * rate[3];
    const double r1 = c->impulse[4] + r->h * r->resist.roll_viscosity * rate[4];
    const double r2 = c->impulse[5] + r->h * r->resist.roll_viscosity * rate[5];
    out->law[TRU_KIND_SPIN] = fabs(spin) / moment;
    out->law[TRU_KIND_ROLL] = sqrt(r1 * r1 + r2 * r2) / moment;
}

tru_status rolling_judge(const void *params, const tru_world *w, tru_verdict *out, tru_error *err) {
    const tru_variational *o = params;
    if (w->contacts.count != 1 || !(w->contacts.items[0].flags & CONTACT_NODE))
        return judge_step(w, o->step, 0.0, out, err);
    tru_world view = *w; /* is only looked at */
    rolling r = rolling_of(o, &view);
    *out = (tru_verdict){.worst = 0};
    r.at = &w->contacts.items[0];
    r.feature = r.at->key.feature;
    rolling_node start = node_of(&r, &w->before.items[r.body]), end = node_of(&r, &w->bodies.items[r.body]);
    if (r.at->age == 0) rolling_settle(o, &r, &start); /* where the first step set it down */
    const tru_vec3 slip = v3_sub(end.v, v3_cross(end.w, end.arm));
    if (o->scheme == TRU_SE3) {
        rolling_judge_se3(o, &r, &start, &end, out);
    } else {
        rolling_judge_reduced(o, &r, &start, &end, out);
        judge_impulses(&r, &start, &end, out);
        out->law[TRU_KIND_SLIDE] = fmax(out->law[TRU_KIND_SLIDE], v3_norm(slip));
    }
    out->law[TRU_KIND_NORMAL] = fmax(fabs(v3_dot(slip, r.n)), fabs(rolling_gap(&r, &end)) / r.h);
    return TRU_OK;
}
