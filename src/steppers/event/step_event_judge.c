/* step_event_judge.c: how far a step between two records is from the laws, from bodies before and after and impulses.
 *
 * The path of the contact point during the step is not kept, so angular momentum cannot be judged. Linear momentum can, unless a
 * force turned with the body. A step that moreau finished cannot be judged. */
#include "steppers/event/step_event_judge.h"

#include "base/assert.h"
#include "laws/law.h"
#include "step/one_body/one_body.h"

/* Returns the integral [s] of a load's factor from t0 to t1. It is exact, because the factor is linear between knots. */
static double factor_integral(const schedule *s, double t0, double t1) {
    TRU_ASSERT(t0 <= t1);
    double sum = 0.0, from = t0;
    for (size_t k = 0; k <= s->count; k++) {
        const double to = k < s->count ? fmin(fmax(s->knots[k].time, from), t1) : t1;
        sum += 0.5 * (to - from) * (trui_schedule_factor(s, from) + trui_schedule_factor(s, to));
        from = to;
    }
    return sum;
}

/* [m/s] Returns the momentum that gravity, loads and impulses do not explain, per mass. */
static double unexplained(const tru_world *w, size_t i, double h) {
    const body *b = &w->bodies.items[i];
    tru_vec3 push = v3_scale(h * b->mass, w->gravity);
    for (size_t k = 0; k < w->loads.count; k++) {
        const load *l = &w->loads.items[k];
        if (l->body != b->id) continue;
        if (l->body_axes && v3_max_abs(l->force) > 0.0) return 0.0;
        push = v3_madd(push, factor_integral(&l->schedule, trui_world_time(w) - h, trui_world_time(w)), l->force);
    }
    for (size_t k = 0; k < w->contacts.count; k++) {
        const contact *c = &w->contacts.items[k];
        push = v3_madd(push, c->impulse[TRU_ROW_NORMAL], c->end->place.normal);
        push = v3_madd(push, c->impulse[TRU_ROW_SLIDE1], c->end->place.t1);
        push = v3_madd(push, c->impulse[TRU_ROW_SLIDE2], c->end->place.t2);
    }
    return v3_norm(v3_sub(v3_sub(b->v, w->before.items[i].v), v3_scale(b->inv_mass, push)));
}

/* Judges a contact: it stays closed, it pushes, friction stays within its largest coefficient, it does not slip while stuck, and it
 * has no couples. */
static void judge_contact(const tru_world *w, int32_t k, tru_verdict *out) {
    const contact *c = &w->contacts.items[k];
    const body *b = &w->bodies.items[c->a];
    TRU_ASSERT(body_is_free(b) && c->end);
    const double *p = c->impulse, *u = c->end->rate;
    const double mu = trui_coulomb_of_pair(c->pair).slide_static, arm = v3_norm(c->end->place.arm_a);
    const double friction = sqrt(p[1] * p[1] + p[2] * p[2]), slip = sqrt(u[1] * u[1] + u[2] * u[2]);
    const double law[TRU_KINDS] = {
        fmax(fabs(u[0]), -p[0] * b->inv_mass),
        fmax((friction - mu * p[0]) * b->inv_mass, c->stuck & TRU_KIND_BIT(TRU_KIND_SLIDE) ? slip : 0.0),
        fabs(p[3]) * b->inv_mass / (arm * arm), (fabs(p[4]) + fabs(p[5])) * b->inv_mass / (arm * arm)};
    for (int i = 0; i < TRU_KINDS; i++) out->law[i] = fmax(out->law[i], law[i]);
    out->worst = k;
}

tru_status trui_event_judge(const void *params, const tru_world *w, tru_verdict *out, tru_error *err) {
    const tru_event_driven *o = params;
    (void)err;
    *out = (tru_verdict){.worst = -1};
    for (size_t i = 0; i < w->bodies.count; i++)
        if (body_is_free(&w->bodies.items[i])) out->momentum = unexplained(w, i, o->step);
    for (int32_t k = 0; k < (int32_t)w->contacts.count; k++) judge_contact(w, k, out);
    return TRU_OK;
}
