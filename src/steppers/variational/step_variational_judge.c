/* step_variational_judge.c: how far a step of `variational` is from its equations, from the nodes and the contact record. */
#include "steppers/variational/step_variational_judge.h"
#include "step/judge.h"
#include "steppers/variational/scheme/step_variational_disk.h"
#include "steppers/variational/scheme/step_variational_rk.h"
#include "steppers/variational/scheme/step_variational_view.h"
#include "steppers/variational/se3/step_variational_roll.h"
#include "steppers/variational/se3/step_variational_se3.h"

static rolling_node node_of(const rolling *r, const body *b) {
    rolling_node k = {.x = b->x, .q = b->q, .v = b->v, .w = b->w};
    trui_rolling_support(r, b->q, &k);
    return k;
}

/* Momentum that impulses do not explain, and resistance that is not the law's. */
static void judge_impulses(const rolling *r, const rolling_node *start, const rolling_node *end, tru_verdict *out) {
    const contact *c = r->at;
    const body *b = &r->w->bodies.items[r->body];
    tru_vec3 force, torque;
    trui_rolling_loads(r, body_middle(r->w, r->body), trui_world_time(r->w) - 0.5 * r->h, &force, &torque);
    const tru_vec3 impulse =
        v3_madd(v3_madd(v3_scale(c->impulse[0], r->n), c->impulse[1], r->t1), c->impulse[2], r->t2);
    const tru_vec3 sum = v3_madd(v3_scale(r->h, v3_madd(force, b->mass, r->pull)), 1.0, impulse);
    out->momentum = v3_norm(v3_madd(v3_sub(end->v, start->v), -b->inv_mass, sum));
    const double moment = m3_trace(body_inertia_of(b)) / 3.0, *rate = c->end->bias + TRU_ROW_SPIN - 1;
    const double spin = c->impulse[3] + r->h * r->resist.spin_viscosity * rate[0];
    const double r1 = c->impulse[4] + r->h * r->resist.roll_viscosity * rate[1];
    const double r2 = c->impulse[5] + r->h * r->resist.roll_viscosity * rate[2];
    out->law[TRU_KIND_SPIN] = fabs(spin) / moment;
    out->law[TRU_KIND_ROLL] = sqrt(r1 * r1 + r2 * r2) / moment;
}

/* Distance of a couple or friction from the disc law at a rate, as a part of the limit's unit. */
static double off_disc(tru_vec3 force, tru_vec3 rate, double limit) {
    const double speed = v3_norm(rate), size = v3_norm(force);
    if (speed == 0.0) return fmax(0.0, size - limit);
    return v3_norm(v3_madd(force, limit / speed, rate));
}

static void judge_se3(const tru_variational *o, const rolling *at, const rolling_node *start, const rolling_node *end,
                      tru_verdict *out) {
    rolling r = *at;
    const contact *c = at->at;
    const double begun = trui_world_time(r.w) - r.h;
    const node_loads l0 = trui_se3_loads(&r, start->q, begun), l1 = trui_se3_loads(&r, end->q, trui_world_time(r.w));
    se3 p;
    trui_se3_problem(&r, start, &l0, &p);
    const tru_quat turn = quat_mul(quat_conj(start->q), end->q);
    const tru_vec3 xi = v3_scale(2.0 / turn.w, quat_vec(turn));
    trial t;
    tru_mat3 inverse = m3_diag(v3(NAN, NAN, NAN)); /* shows in the verdict if the inertia has no inverse */
    trui_se3_try(&p, xi, false, &t);
    m3_spd_inverse(p.inertia, &inverse);
    const tru_vec3 frame[3] = {r.n, r.t1, r.t2};
    tru_vec3 whole = v3_zero(), couple = v3_zero(), node = v3_zero(), dry = v3_zero(), mean = v3_zero();
    for (int i = 0; i < 3; i++) {
        whole = v3_madd(whole, c->impulse[i], frame[i]);
        couple = v3_madd(couple, c->impulse[3 + i], frame[i]);
        node = v3_madd(node, c->dry[i], frame[i]);
        dry = v3_madd(dry, c->dry[3 + i], frame[i]);
        if (i > 0) mean = v3_madd(mean, c->end->slip[i], frame[i]);
    }
    const tru_vec3 early = v3_madd(quat_rotate(start->q, trui_se3_viscous_half(&p, xi)), 0.5, dry),
                   late = v3_sub(couple, early);
    const tru_vec3 way = quat_unrotate(start->q, v3_sub(end->x, start->x));
    const tru_vec3 first = v3_sub(v3_scale(p.mass_rate, way), p.push);
    tru_vec3 left = v3_add(v3_sub(t.pi, p.turn), v3_cross(p.rho, first));
    left = v3_sub(left, quat_unrotate(start->q, early));
    out->spin = v3_norm(m3_apply(inverse, left));
    const tru_vec3 last = v3_sub(whole, quat_rotate(start->q, first));
    tru_vec3 push = v3_zero(), there = v3_sub(late, v3_cross(end->arm, last));
    trui_se3_half_momenta(&r, &l1, &push, &there);
    left = v3_sub(m3_apply(p.inertia, quat_unrotate(end->q, end->w)), trui_se3_momentum_at_end(&p, xi));
    left = v3_sub(left, quat_unrotate(end->q, there));
    out->spin = fmax(out->spin, v3_norm(m3_apply(inverse, left)));
    const tru_vec3 ends =
        v3_sub(v3_scale(p.mass, end->v), v3_add(v3_scale(p.mass_rate, v3_sub(end->x, start->x)), push));
    out->momentum = v3_norm(v3_sub(ends, last)) / p.mass;
    const tru_vec3 slip = v3_scale(1.0 / p.h, along_plane(&p, v3_sub(way, t.rolled)));
    const tru_vec3 w = v3_scale(1.0 / p.h, quat_rotate(start->q, xi)), wn = v3_scale(v3_dot(w, r.n), r.n);
    const double moment = m3_trace(p.inertia) / 3.0, normal = fmax(c->dry[0], 0.0);
    const tru_vec3 dry_n = v3_scale(v3_dot(dry, r.n), r.n), zero = v3_zero();
    const bool spins = !(c->stuck & TRU_KIND_BIT(TRU_KIND_SPIN)), turns = !(c->stuck & TRU_KIND_BIT(TRU_KIND_ROLL));
    out->law[TRU_KIND_SPIN] =
        fmax(off_disc(dry_n, spins ? wn : zero, p.spin * normal) / moment, spins ? 0.0 : v3_norm(wn));
    out->law[TRU_KIND_ROLL] = fmax(off_disc(v3_sub(dry, dry_n), turns ? v3_sub(w, wn) : zero, p.roll * normal) / moment,
                                   turns ? 0.0 : v3_norm(v3_sub(w, wn)));
    if (o->when_not_rolling != TRU_SLIP || (c->stuck & TRU_KIND_BIT(TRU_KIND_SLIDE))) {
        out->law[TRU_KIND_SLIDE] = v3_norm(slip);
        return;
    }
    const tru_vec3 friction = v3_madd(node, -v3_dot(node, r.n), r.n);
    out->law[TRU_KIND_SLIDE] =
        off_disc(friction, mean, trui_coulomb_friction(&r.friction, v3_norm(mean)) * normal) / p.mass;
}

tru_status trui_rolling_judge(const void *params, const tru_world *w, tru_verdict *out, tru_error *err) {
    const tru_variational *o = params;
    if (w->contacts.count != 1 || !(w->contacts.items[0].flags & CONTACT_NODE))
        return trui_judge_step(w, o->step, 0.0, out, err);
    tru_world view = *w; /* is only looked at */
    rolling r = trui_rolling_of(o, &view);
    *out = (tru_verdict){.worst = 0};
    r.at = &w->contacts.items[0];
    r.feature = r.at->key.feature;
    const body before = body_before(w, r.body);
    rolling_node start = node_of(&r, &before), end = node_of(&r, &w->bodies.items[r.body]);
    if (r.at->age == 0) trui_rolling_settle(o, &r, &start); /* where the first step set it down */
    const tru_vec3 slip = v3_sub(end.v, v3_cross(end.w, end.arm));
    if (o->scheme == TRU_SE3) {
        judge_se3(o, &r, &start, &end, out);
    } else {
        if (r.in_angles)
            trui_rolling_judge_reduced(o, &r, &start, &end, out);
        else
            trui_rolling_judge_rk(o, &r, &start, &end, out);
        judge_impulses(&r, &start, &end, out);
        out->law[TRU_KIND_SLIDE] = fmax(out->law[TRU_KIND_SLIDE], v3_norm(slip));
    }
    out->law[TRU_KIND_NORMAL] = fmax(fabs(v3_dot(slip, r.n)), fabs(trui_rolling_gap(&r, &end)) / r.h);
    return TRU_OK;
}
