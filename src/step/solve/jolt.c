/* jolt.c: velocities that contradict joints, at the start of a run or set from outside, are an impact before the step.
 *
 * | symbol | name | unit |
 * |---|---|---|
 * | J | rows of all joints without a limit, at the start pose | - |
 * | u-, u+ | step.unstruck, body_step.start | m/s, rad/s |
 * | l | joint impulses of the impact | N s, N m s |
 *
 *   M (u+ - u-) = J^T l,   J u+ = speed:   u+ is the point nearest to u- in the metric of the masses.
 *
 * A step that moved poses with the mean of u- and u+ would open the joint by h J u-/2, and close it in the next step at a speed
 * that does not fall with h. Contacts need no part in it. With the joint rows eliminated, contact impulses p act on the
 * projection of u- alone: u = P u- + P M^-1 H p, and P P u- = P u-. So contacts that the first step solves, together with the
 * joints, end with the same velocities, with friction too; they see the speeds of approach after the impact.
 *
 * The impulses of the impact stand in joint.jolt, not in joint.impulse: they act at the start pose, the others in the middle of
 * the step. Reactions that tru_joint_get reports contain both. */
#include "step/motion.h"
#include "step/joints.h"
#include "step/solve/contact_problem.h"
#include "step/solve/execute.h"
#include "step/solve/jolt.h"

#include "base/assert.h"
#include "base/error.h"

/* [-] rate that counts as round-off, of poses and of typed velocities, relative to the terms that it is the sum of */
#define RATE_NOISE 1e-12

/* Returns true if some row of a joint has a rate beyond round-off. Motors and seals prescribe no position that a rate could violate. */
static bool contradicted(const step *s, const joint *j) {
    const tru_world *w = s->w;
    const body *a = &w->bodies.items[j->a], *b = &w->bodies.items[j->b];
    const tru_joint_place at = trui_joint_place(j, a, b);
    const twist *ta = &s->body_steps[j->a].start, *tb = &s->body_steps[j->b].start;
    tru_joint_row row[TRU_JOINT_ROWS];
    if (j->type->rates) return false;
    const int rows = j->type->rows(j->params, &at, row);
    TRU_ASSERT(rows > 0 && rows <= TRU_JOINT_ROWS);
    for (int k = 0; k < rows; k++) {
        const double lin = v3_norm(row[k].lin);
        const double sum = lin * (v3_norm(ta->v) + v3_norm(tb->v)) +
                           larger(v3_norm(row[k].ang_a), lin * v3_norm(at.arm_a)) * v3_norm(ta->w) +
                           larger(v3_norm(row[k].ang_b), lin * v3_norm(at.arm_b)) * v3_norm(tb->w);
        if (fabs(trui_joint_rate(&row[k], ta, tb)) > RATE_NOISE * sum) return true;
    }
    return false;
}

/* Returns true if velocities contradict a joint that is new, or any joint after bodies were set. */
static bool any_contradicted(const step *s) {
    const tru_world *w = s->w;
    for (size_t i = 0; i < w->joints.count; i++) {
        const joint *j = &w->joints.items[i];
        if ((j->age == 0 || w->moved) && contradicted(s, j)) return true;
    }
    return false;
}

/* Starts the step with the velocities after the impact, and keeps those before in `unstruck`. */
static void begin_struck(step *s, twist *unstruck) {
    tru_world *w = s->w;
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        body_step *m = &s->body_steps[i];
        unstruck[i] = (twist){w->before.items[i].v, w->before.items[i].w};
        m->start = (twist){b->v, b->w};
        if (m->dynamics) m->dynamics->gyro_rate = b->w;
        if (!body_is_free(b)) continue;
        w->before.items[i].v = b->v;
        w->before.items[i].w = b->w;
    }
    s->unstruck = unstruck;
}

/* Solves the joints at the present pose, and books their work. */
static tru_status strike_joints(step *s, tru_error *err) {
    tru_world *w = s->w;
    for (size_t i = 0; i < w->joints.count; i++) s->struck_joints[i].struck = true;
    for (size_t i = 0; i < w->bodies.count; i++) s->free[i] = s->body_steps[i].start;
    trui_inertia_here(s);
    tru_status status = trui_joints_place(s, false, err);
    if (status >= 0) status = trui_problem_of_contacts(s, &s->problem, NULL, 0, trui_step_is_dense(s, 0), err);
    if (status >= 0) status = trui_solve_contacts(s, err);
    if (status < 0) return status;
    for (size_t i = 0; i < w->joints.count; i++)
        memcpy(s->struck_joints[i].impulse, w->joints.items[i].impulse, sizeof w->joints.items[i].impulse);
    trui_joints_ledger(s);
    return status;
}

/* Returns the impulses of the impact on both bodies of a joint. */
static joint_jolt jolt_of(const joint *j) {
    joint_jolt sum = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < j->rows && !joint_limited(j); k++) {
        sum.push = v3_madd(sum.push, j->impulse[k], j->row[k].lin);
        sum.turn_a = v3_madd(sum.turn_a, j->impulse[k], j->row[k].ang_a);
        sum.turn_b = v3_madd(sum.turn_b, -j->impulse[k], j->row[k].ang_b);
    }
    return sum;
}

tru_status trui_jolt_joints(step *s, tru_error *err) {
    tru_world *w = s->w;
    if (w->joints.count == 0 || !any_contradicted(s)) return TRU_OK;
    TRU_ASSERT(!s->strikes && !s->struck_joints); /* before any impact of the step */
    twist *unstruck = ARENA_ARRAY(&w->scratch, twist, w->bodies.count);
    s->struck_joints = ARENA_ARRAY(&w->scratch, joint_strike, w->joints.count);
    if (!unstruck || !s->struck_joints) return tru_no_memory(err);
    memset(s->struck_joints, 0, w->joints.count * sizeof *s->struck_joints);
    s->strikes = true;
    const tru_status status = strike_joints(s, err);
    s->strikes = false;
    s->struck_joints = NULL;
    if (status < 0) return status;
    begin_struck(s, unstruck);
    for (size_t i = 0; i < w->joints.count; i++) { /* joints start the step as they were before the impact */
        const joint_jolt jolt = jolt_of(&w->joints.items[i]);
        w->joints.items[i] = s->joints[i];
        w->joints.items[i].jolt = jolt;
    }
    /* rates of contacts changed since the last step */
    s->was_moved = w->moved;
    w->moved = true;
    s->jolt_unsolved = status == TRU_UNCONVERGED;
    s->info = (tru_solve_info){0};
    return TRU_OK;
}
