/* judge.c: how far a step is from the laws of motion and of contact, from bodies before and after and impulses alone.
 */
#include "step/judge.h"
#include "base/assert.h"
#include "step/motion.h"
#include "step/joints.h"

#include "base/error.h"
#include "math/quat.h"

/* The body after the step with its angular velocity in the axes of the middle pose, where the impulses acted. */
static body after_in_middle(const tru_world *w, size_t i) {
    body b = w->bodies.items[i];
    if (body_is_free(&b) && !b.isotropic) b.w = quat_rotate(body_middle(w, i), quat_unrotate(b.q, b.w));
    return b;
}

/* Momentum and angular momentum that loads, gravity and contacts gave body i in the step. */
static void explained(const tru_world *w, const step *s, size_t i, tru_vec3 *push, tru_vec3 *turn) {
    const body_step *m = &s->body_steps[i];
    *push = v3_scale(s->h, v3_madd(m->dynamics->force, w->bodies.items[i].mass, w->gravity));
    *turn = v3_scale(s->h, m->dynamics->torque);
    for (size_t k = 0; k < w->contacts.count; k++) {
        const contact *c = &w->contacts.items[k];
        if (c->a != i && c->b != i) continue;
        const double sign = c->a == i ? 1.0 : -1.0;
        const double *p = c->impulse;
        const tru_vec3 force = v3_madd(v3_madd(v3_scale(p[0], c->c.normal), p[1], c->c.t1), p[2], c->c.t2);
        tru_vec3 couple = v3_madd(v3_madd(v3_scale(p[3], c->c.normal), p[4], c->c.t1), p[5], c->c.t2);
        if (c->b == i && (c->flags & CONTACT_TRACKED)) { /* roll springs of the bodies' own need not balance */
            couple = v3_madd(couple, -c->springs->couple_b[0], c->c.t1);
            couple = v3_madd(couple, -c->springs->couple_b[1], c->c.t2);
        }
        *push = v3_madd(*push, sign, force);
        *turn = v3_madd(*turn, sign, v3_add(couple, v3_cross(c->a == i ? c->c.arm_a : c->c.arm_b, force)));
    }
    trui_joints_explain(w, i, push, turn);
}

/* What impulses do not explain: M (u_after - u_before) - h f - W p, as velocities. */
static void judge_motion(const tru_world *w, const step *s, judge_gyro gyro, tru_verdict *out) {
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body start = body_before(w, i), *b0 = &start;
        if (!body_is_free(b0)) continue;
        const body b1 = after_in_middle(w, i);
        const body_step *m = &s->body_steps[i];
        tru_vec3 push, turn, dw;
        explained(w, s, i, &push, &turn);
        const tru_vec3 dv = v3_sub(v3_sub(b1.v, b0->v), v3_scale(b0->inv_mass, push));
        if (gyro == JUDGE_MOMENTUM && !b0->isotropic) {
            const body *end = &w->bodies.items[i];
            const tru_mat3 inertia = body_turned(end, body_inertia_of(end));
            const tru_vec3 gain = v3_sub(m3_apply(inertia, end->w), m3_apply(m->dynamics->inertia, b0->w));
            dw = m3_apply(s->inverse[i].inverse, v3_sub(gain, turn));
        } else {
            tru_vec3 rate = gyro == JUDGE_START ? b0->w : v3_scale(0.5, v3_add(b0->w, b1.w));
            if (gyro == JUDGE_FREE) /* less half of what contacts and joints gave */
                rate = v3_sub(
                    rate, m3_apply(s->inverse[i].inverse, v3_scale(0.5, v3_madd(turn, -s->h, m->dynamics->torque))));
            if (!b0->isotropic) turn = v3_madd(turn, -s->h, v3_cross(rate, m3_apply(m->dynamics->inertia, rate)));
            dw = v3_sub(v3_sub(b1.w, b0->w), m3_apply(s->inverse[i].inverse, turn));
        }
        out->momentum = fmax(out->momentum, v3_norm(dv));
        out->spin = fmax(out->spin, v3_norm(dw));
    }
}

void trui_judge_note(tru_verdict *out, const double gap[TRU_KINDS], double arm, int32_t k, double *worst) {
    double relative = 0.0;
    TRU_ASSERT(k >= 0 && arm >= 0.0);
    for (int kind = 0; kind < TRU_KINDS; kind++) {
        out->law[kind] = fmax(out->law[kind], gap[kind]);
        relative = fmax(relative, gap[kind] * (kind >= TRU_KIND_SPIN ? arm : 1.0));
    }
    if (relative > *worst || out->worst < 0) {
        *worst = relative;
        out->worst = k;
    }
}

void trui_laws_again(const contact *c, tru_contact *view, double work[][TRU_LAW_WORK], law_use *laws) {
    TRU_ASSERT(c->pair->law_count >= 0 && c->pair->law_count <= TRU_PAIR_LAWS);
    for (int i = 0; i < c->pair->law_count; i++) {
        const pair_law *l = &c->pair->laws[i];
        view->memory = c->c.memory ? c->c.memory + l->memory : NULL;
        if (l->kept == 0) l->law->prepare(l->params, view, work[i]);
        laws[i] = (law_use){l->law, l->kept > 0 ? c->c.memory + l->kept : work[i], NULL, l->claims};
        if (l->kept == 0 && l->law->revise) l->law->revise(work[i], c->stuck);
    }
}

/* A body as it was where the impulses acted; only its orientation counts for what laws see of its shapes. */
static body in_middle(const tru_world *w, size_t i) {
    body b = body_before(w, i);
    b.q = body_middle(w, i);
    return b;
}

static problem_body inverse_of(const body *b) {
    return (problem_body){b->inv_mass, b->kind != TRU_FIXED, b->isotropic,
                          b->isotropic ? body_inverse_of(b) : body_turned(b, body_inverse_of(b))};
}

/* The laws of a contact as they were in the step, and a metric for them. */
static void judge_laws(const tru_world *w, const contact *c, double h, double work[][TRU_LAW_WORK], law_use *laws,
                       double metric[TRU_KINDS]) {
    const body a = in_middle(w, c->a), b = in_middle(w, c->b);
    const placed pa = solid_on(&w->solids.items[c->solid_a], &a), pb = solid_on(&w->solids.items[c->solid_b], &b);
    const problem_body ia = inverse_of(&a), ib = inverse_of(&b);
    tru_contact view;
    trui_problem_contact_metric(c, &ia, &ib, metric);
    trui_contact_view(c, &pa, &pb, a.x, h, &view);
    trui_laws_again(c, &view, work, laws);
}

/* Returns the distance of an impulse p from y, the projection of x = p - metric u, as a velocity. Inside its set x is its own projection,
 * and the distance is u, of which p - x would keep only what is above the last bit of p. */
static double natural(double p, double u, double x, double y, double metric) {
    return x == y ? fabs(u) : fabs(p - y) / metric;
}

/* Distance from the laws of one contact: the natural map in velocities, with rates recomputed from the bodies. */
static void judge_contact(const tru_world *w, double h, int32_t k, double *worst, tru_verdict *out) {
    const contact *c = &w->contacts.items[k];
    const body a = after_in_middle(w, c->a), b = after_in_middle(w, c->b);
    double u[TRU_ROWS], x[TRU_ROWS], y[TRU_ROWS], d[TRU_FRICTION_ROWS * TRU_FRICTION_ROWS] = {0};
    double work[TRU_PAIR_LAWS][TRU_LAW_WORK] = {{0.0}}, metric[TRU_KINDS];
    law_use laws[TRU_PAIR_LAWS];
    judge_laws(w, c, h, work, laws, metric);
    middle_rates(c, &(twist){a.v, a.w}, &(twist){b.v, b.w}, u);
    for (int row = 0; row < TRU_ROWS; row++) u[row] += contact_bias(c, row);
    u[0] += contact_soft(c, h) * contact_rest(c, TRU_ROW_NORMAL);
    for (int i = 0; i < c->pair->law_count; i++)
        if (laws[i].law->viscosity) laws[i].law->viscosity(laws[i].work, d);
    for (int row = 0; row < TRU_FRICTION_ROWS; row++) {
        double dry = contact_rest(c, row + 1);
        for (int col = 0; col < TRU_FRICTION_ROWS; col++)
            dry += d[row * TRU_FRICTION_ROWS + col] * h * c->theta * u[col + 1];
        x[row + 1] = dry - metric[LAW_KIND_OF_ROW(row)] * u[row + 1];
        y[row + 1] = 0.0;
    }
    x[0] = contact_rest(c, TRU_ROW_NORMAL) - metric[TRU_KIND_NORMAL] * u[0];
    const double slip = c->theta * sqrt(u[1] * u[1] + u[2] * u[2]);
    if (c->flags & CONTACT_RELAXED) {
        for (int row = 0; row < TRU_FRICTION_ROWS; row++)
            if (!(c->pair->claims & TRU_KIND_BIT(LAW_KIND_OF_ROW(row)))) x[row + 1] = 0.0;
        trui_laws_cone(laws, c->pair->law_count, metric, slip, x, y);
    } else {
        y[0] = fmax(0.0, x[0]);
        tru_section s = {y[0], slip, metric, x + 1, y + 1, 0, NULL, NULL};
        trui_laws_section(laws, c->pair->law_count, &s);
    }
    double gap[TRU_KINDS] = {natural(contact_rest(c, TRU_ROW_NORMAL), u[0], x[0], y[0], metric[TRU_KIND_NORMAL])};
    for (int row = 0; row < TRU_FRICTION_ROWS; row++) {
        const int kind = LAW_KIND_OF_ROW(row);
        if (!(c->pair->claims & TRU_KIND_BIT(kind))) continue;
        const double dry = x[row + 1] + metric[kind] * u[row + 1];
        gap[kind] = fmax(gap[kind], natural(dry, u[row + 1], x[row + 1], y[row + 1], metric[kind]));
    }
    trui_judge_note(out, gap, v3_norm(c->c.arm_a), k, worst);
}

tru_status trui_judge_bodies(const tru_world *w, double h, judge_gyro gyro, tru_verdict *out, tru_error *err) {
    tru_world copy = *w; /* loads and inertia at the middle pose, in scratch memory of its own */
    TRU_ASSERT(w->before.count == w->bodies.count && (w->middle.count == 0 || w->middle.count == w->bodies.count));
    *out = (tru_verdict){.worst = -1};
    trui_arena_init(&copy.scratch, &copy.memory);
    step s = {.w = &copy, .h = h, .time = trui_world_time(w) - h};
    s.body_steps = ARENA_ARRAY(&copy.scratch, body_step, w->bodies.count);
    s.inverse = ARENA_ARRAY(&copy.scratch, problem_body, w->bodies.count);
    copy.bodies.items = ARENA_ARRAY(&copy.scratch, body, w->bodies.count);
    copy.middle.count = 0;
    body_dynamics *rare = ARENA_ARRAY(&copy.scratch, body_dynamics, w->bodies.count);
    const bool room = s.body_steps && s.inverse && copy.bodies.items && rare;
    if (room) {
        for (size_t i = 0; i < w->bodies.count; i++) {
            s.body_steps[i].dynamics = &rare[i];
            copy.bodies.items[i] = body_before(w, i);
            copy.bodies.items[i].q = body_middle(w, i);
        }
        trui_inertia_here(&s);
        judge_motion(w, &s, gyro, out);
    }
    trui_arena_release(&copy.scratch);
    return room ? TRU_OK : tru_no_memory(err);
}

tru_status trui_judge_step(const tru_world *w, double h, judge_gyro gyro, tru_verdict *out, tru_error *err) {
    const tru_status s = trui_judge_bodies(w, h, gyro, out, err);
    if (s < 0) return s;
    double worst = 0.0;
    for (int32_t k = 0; k < (int32_t)w->contacts.count; k++) judge_contact(w, h, k, &worst, out);
    for (size_t k = 0; k < w->joints.count; k++) {
        const joint *j = &w->joints.items[k];
        const body a = after_in_middle(w, j->a), b = after_in_middle(w, j->b);
        trui_joint_judge(j, h, &(twist){a.v, a.w}, &(twist){b.v, b.w}, out);
    }
    return TRU_OK;
}
