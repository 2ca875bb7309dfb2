/* joints.c: joints in a step: their rows where they act, what the rows ask for, blocks in the problem, the ledger, the judge.
 *
 * | symbol | name | unit |
 * |---|---|---|
 * | Psi, dPsi/dt | tru_joint_row.apart, trui_joint_rate | m or rad, per s |
 * | b = Psi/h + dPsi/dt [cone-equations 7.4] | joint.bias | m/s or rad/s |
 * | gamma | joint.impulse | N s or N m s |
 *
 * Rows act on the rates u_E at the end of the step: u_E + Psi/h - speed = 0. With rates at the start pose (cone) that closes
 * the joint by the end of the step; with those of the middle (moreau, scheme paper) Psi/h is half of what the second half of
 * the step could close, so that the velocity is not reversed in the next one.
 *
 * Midpoint: rows of the middle pose act on mean rates. With s = W(q_A)^T u_A and Psi_A of the start pose,
 *   W^T u_E + W^T u_A - s/2 + Psi_A/h = 0   gives   s_E = -s/2 - Psi_A/h,  Psi_E = Psi_A/2 + h s/4:
 * both are gone after two steps (the matrix is nilpotent), and the errors that the step itself makes, O(h^3) of Psi, do not
 * pile up: second order. Rows of rates have no Psi: s is taken whole, the rate is right at the end of the step; at their
 * limit they act on the mean, as sliding contacts do. */
#include "step/joints.h"
#include "step/motion.h"

#include "base/error.h"
#include "math/mat.h"

#include <stdio.h>

/* [-] Violation in parts of the smaller body, or [rad]: */
#define START_APART 1e-6 /* most at the start, */
#define SET_APART                                                                                                      \
    0.01              /* of poses that a call sets: those of an earlier step are as far apart as that step left them, */
#define TORN      0.1 /* and later of a row that is left out, since others only seemed to hold it; */
#define FAR_APART 1.0 /* of any other: a step closes what it can see as small */

/* ---- rows and what they ask for ---- */

static int rows_at(const joint *j, const body *a, const body *b, tru_joint_row *out) {
    const tru_joint_place place = trui_joint_place(j, a, b);
    return j->type->rows(j->params, &place, out);
}

/* An impact takes no time: it closes nothing. */
static void bias_at_end(const step *s, joint *j) {
    j->theta = 1.0;
    for (int k = 0; k < j->rows; k++) j->bias[k] = (s->strikes ? 0.0 : j->row[k].apart / s->h) - j->row[k].speed;
}

static void bias_at_mean(const step *s, joint *j) {
    const tru_world *w = s->w;
    const twist *a = &s->body_steps[j->a].start, *b = &s->body_steps[j->b].start;
    tru_joint_row at_start[TRU_JOINT_ROWS];
    const body start_a = body_before(w, j->a), start_b = body_before(w, j->b);
    rows_at(j, &start_a, &start_b, at_start);
    j->theta = 0.5;
    for (int k = 0; k < j->rows; k++) {
        const double start = trui_joint_rate(&at_start[k], a, b), middle = trui_joint_rate(&j->row[k], a, b);
        const double speed = j->row[k].speed;
        if (j->age == 0 && start == speed) j->stuck |= 1u << k;
        if (!j->type->rates)
            j->bias[k] = middle - (j->age == 0 ? 1.0 : 0.5) * start + at_start[k].apart / s->h;
        else if (joint_limited(j) && !(j->stuck & 1u << k))
            j->bias[k] = middle - 2.0 * speed;
        else
            j->bias[k] = middle - start - speed;
    }
}

/* [m] of the smaller free body. */
static double joint_size(const tru_world *w, const joint *j) {
    const body *a = &w->bodies.items[j->a], *b = &w->bodies.items[j->b];
    if (body_is_free(a) && body_is_free(b)) return fmin(a->size, b->size);
    return body_is_free(a) ? a->size : b->size;
}

/* Joints that ask for what cannot be, such as a rod between bodies that a motion takes apart, end the run. */
static tru_status check_together(const step *s, tru_error *err) {
    const tru_world *w = s->w;
    for (size_t i = 0; i < w->joints.count; i++) {
        const joint *j = &w->joints.items[i];
        const double size = joint_size(w, j);
        for (int k = 0; k < j->rows; k++) {
            const bool turns = joint_row_turns(&j->row[k]), left_out = j->left_out >> k & 1u;
            if (fabs(j->row[k].apart) <= (left_out ? TORN : FAR_APART) * (turns ? 1.0 : size)) continue;
            return tru_fail(
                err, TRU_NO_SOLUTION,
                "joint '%s' (%s) is torn at t = %.9g s (step %llu): bodies '%s' and '%s' are %.6g %s away from "
                "where it holds them; other joints, contacts and motions do not let it close, or the step is too long",
                j->name, j->type->name, s->time, (unsigned long long)w->steps_done + 1, body_name(w, j->a),
                body_name(w, j->b), fabs(j->row[k].apart), turns ? "rad" : "m");
        }
    }
    return TRU_OK;
}

tru_status trui_joints_place(step *s, bool mean, tru_error *err) {
    tru_world *w = s->w;
    if (w->joints.count == 0) return TRU_OK;
    for (size_t i = 0; i < w->joints.count; i++) {
        joint *j = &w->joints.items[i];
        const body *a = &w->bodies.items[j->a];
        j->rows = rows_at(j, a, &w->bodies.items[j->b], j->row);
        j->arm = m3_apply(body_axes(a), j->point_a);
        if (mean)
            bias_at_mean(s, j);
        else
            bias_at_end(s, j);
    }
    const tru_status status = trui_joints_leave_out(s, err);
    return status < 0 ? status : check_together(s, err);
}

/* ---- in the problem ---- */

/* A row for the pair of bodies of the block, whose A is free: if that is the joint's b, row and sides change their sign,
 * and so rate and impulse mean the same. */
static void add_row(step *s, block *bl, const joint *j, int k) {
    tru_problem *pb = &s->problem;
    const tru_joint_row *r = &j->row[k];
    const bool swapped = bl->a != j->a, turns = joint_row_turns(r);
    const double size = s->w->bodies.items[bl->a].size;
    problem_row *row = &pb->rows[pb->n];
    row->lin = swapped ? v3_neg(r->lin) : r->lin;
    row->ang_a = swapped ? v3_neg(r->ang_b) : r->ang_a;
    row->ang_b = swapped ? v3_neg(r->ang_a) : r->ang_b;
    row->moved_a = m3_apply(s->inverse[bl->a].inverse, row->ang_a);
    row->moved_b = s->inverse[bl->b].inv_mass > 0.0 ? m3_apply(s->inverse[bl->b].inverse, row->ang_b) : v3_zero();
    row->length = turns && size > 0.0 ? size : 1.0;
    if (!turns) bl->forces = bl->rows + 1;
    pb->p[pb->n++] = j->impulse[k];
    bl->row[bl->rows++] = (int8_t)k;
}

static void add_block(step *s, joint *j, block *bl) {
    const tru_world *w = s->w;
    const bool swapped = !body_is_free(&w->bodies.items[j->a]);
    *bl = (block){.kind = joint_limited(j) ? BLOCK_BOX : BLOCK_BILATERAL,
                  .a = swapped ? j->b : j->a,
                  .b = swapped ? j->a : j->b,
                  .first = s->problem.n,
                  .theta = j->theta,
                  .joint = j,
                  .bound = joint_limited(j) ? s->h * j->row[0].limit : 0.0,
                  .least_speed = s->fall};
    for (int k = 0; k < j->rows; k++)
        if (!(j->left_out & 1u << k)) add_row(s, bl, j, k);
}

/* A force with a limit gives no impulse in no time. */
static bool takes_part(const step *s, size_t i) {
    return !s->strikes || (s->struck_joints[i].struck && !joint_limited(&s->w->joints.items[i]));
}

void trui_joints_blocks(step *s) {
    tru_world *w = s->w;
    for (int held = 0; held < 2; held++)
        for (size_t i = 0; i < w->joints.count; i++) {
            joint *j = &w->joints.items[i];
            if (joint_limited(j) == (held == 0) && takes_part(s, i))
                add_block(s, j, &s->problem.blocks[s->problem.block_count++]);
        }
}

void trui_joint_free_rates(const step *s, const block *bl) {
    const joint *j = bl->joint;
    const twist *a = &s->free[j->a], *b = &s->free[j->b];
    for (int k = 0; k < bl->rows; k++)
        s->problem.r[bl->first + k] = trui_joint_rate(&j->row[bl->row[k]], a, b) + j->bias[bl->row[k]];
}

/* The impulses of a block on one of its bodies; sign -1 for B. */
static void push_body(const tru_problem *pb, const block *bl, double sign, body *to) {
    const double *p = pb->p + bl->first;
    for (int k = 0; k < bl->rows; k++) {
        const problem_row *r = &pb->rows[bl->first + k];
        to->v = v3_madd(to->v, sign * p[k] * to->inv_mass, r->lin);
        to->w = v3_madd(to->w, sign * p[k], sign > 0.0 ? r->moved_a : r->moved_b);
    }
}

/* Impulses of a solved block into its joint and onto its bodies. */
void trui_joint_push(const step *s, const block *bl) {
    const tru_problem *pb = &s->problem;
    body *bodies = s->w->bodies.items;
    joint *j = bl->joint;
    memset(j->impulse, 0, sizeof j->impulse);
    memset(j->metric, 0, sizeof j->metric);
    for (int k = 0; k < bl->rows; k++) {
        j->impulse[bl->row[k]] = pb->p[bl->first + k];
        j->metric[bl->row[k]] = bl->rho[k];
    }
    j->stuck = bl->stuck;
    push_body(pb, bl, 1.0, &bodies[bl->a]);
    if (body_is_free(&bodies[bl->b])) push_body(pb, bl, -1.0, &bodies[bl->b]);
}

/* ---- the ledger ---- */

/* Are bodies still being brought to the velocity that the joint asks for at its start? Rows at the end of a step whose middle pose
 * has drifted apart (moreau, scheme paper) leave half of the rate reversed, which goes in the next step. */
static bool joint_begins(const step *s, const joint *j) {
    return j->age == 0 || (j->age == 1 && j->theta == 1.0 && !s->ends);
}

/* Work p m of a row with mean rate m, where its law saw `seen` (zero, but for a limited row at its limit). Where an impact
 * went through the joint, what its loss is of all rows together stands under impact. */
static void account_row(step *s, const joint *j, int k, double m, double seen) {
    tru_ledger *l = &s->w->ledger;
    const tru_joint_row *r = &j->row[k];
    const joint_strike *hit = s->struck_joints ? &s->struck_joints[j - s->w->joints.items] : NULL;
    const bool struck = hit && hit->struck;
    const double p = j->impulse[k];
    if (j->type->rates) {
        l->motors += p * r->speed;
        l->seals -= p * seen;
        if (j->age == 0 || struck)
            l->impact -= p * (m - r->speed - seen); /* a motor that is switched on jerks */
        else
            l->theta_shift += p * (m - r->speed - seen);
    } else if (joint_begins(s, j)) {
        l->impact -= p * m; /* bodies that are joined at different speeds collide */
    } else if (j->theta < 1.0) {
        l->stabilisation += p * m;
    } else {
        const double closing = -(struck ? p - hit->impulse[k] : p) * r->apart / s->h;
        l->stabilisation += closing;
        if (struck)
            l->impact -= p * m - closing;
        else
            l->theta_shift += p * m - closing;
    }
}

void trui_joints_ledger(step *s) {
    tru_world *w = s->w;
    const twist still = {{0, 0, 0}, {0, 0, 0}};
    const int end = s->problem.block_count + s->problem.held.blocks;
    for (int i = 0; i < end; i++) {
        const block *bl = &s->problem.blocks[i];
        const joint *j = bl->joint;
        if (!j) continue;
        const twist a = mean_twist(s, j->a), b = mean_twist(s, j->b);
        for (int n = 0; n < bl->rows; n++) {
            const int k = bl->row[n];
            const double p = j->impulse[k];
            account_row(s, j, k, trui_joint_rate(&j->row[k], &a, &b), j->theta * s->problem.u[bl->first + n]);
            if (!body_is_free(&w->bodies.items[j->a])) w->ledger.drives -= p * trui_joint_rate(&j->row[k], &a, &still);
            if (!body_is_free(&w->bodies.items[j->b])) w->ledger.drives -= p * trui_joint_rate(&j->row[k], &still, &b);
        }
    }
}

void trui_joints_accept(tru_world *w) {
    for (size_t i = 0; i < w->joints.count; i++) w->joints.items[i].age++;
}

/* ---- the judge ---- */

void trui_joints_explain(const tru_world *w, size_t who, tru_vec3 *push, tru_vec3 *turn) {
    for (size_t i = 0; i < w->joints.count; i++) {
        const joint *j = &w->joints.items[i];
        if (j->a != who && j->b != who) continue;
        const double sign = j->a == who ? 1.0 : -1.0;
        for (int k = 0; k < j->rows; k++) {
            const tru_joint_row *r = &j->row[k];
            *push = v3_madd(*push, sign * j->impulse[k], r->lin);
            *turn = v3_madd(*turn, sign * j->impulse[k], j->a == who ? r->ang_a : r->ang_b);
        }
    }
}

void trui_joint_judge(const joint *j, double h, const twist *a, const twist *b, tru_verdict *out) {
    for (int k = 0; k < j->rows; k++) {
        if (j->left_out & 1u << k) continue;
        const double u = trui_joint_rate(&j->row[k], a, b) + j->bias[k], rho = j->metric[k], p = j->impulse[k];
        const double far = joint_limited(j) ? fabs(p - clamp(p - rho * u, h * j->row[k].limit)) / rho : fabs(u);
        double *worst = joint_row_turns(&j->row[k]) ? &out->joint_turn : &out->joint;
        *worst = fmax(*worst, far);
    }
}

/* ---- before a run ---- */

/* A belt's surface moves while the belt stays: a joint would have to follow both. */
static tru_status refuse_belt(const tru_world *w, const joint *j, size_t who, tru_error *err) {
    if (!w->bodies.items[who].belt) return TRU_OK;
    return tru_fail(
        err, TRU_CONFLICT,
        "joint '%s' (%s): body '%s' is a belt, whose surface moves while it stays where it is; join a fixed "
        "body at its place instead",
        j->name, j->type->name, body_name(w, who));
}

/* Fails with how far a row is from where the joint holds its bodies, and a hint. */
static tru_status fail_apart(const tru_world *w, const joint *j, const tru_joint_row *row, const char *hint,
                             tru_error *err) {
    return tru_fail(err, TRU_CONFLICT,
                    "joint '%s' (%s): bodies '%s' and '%s' are %.6g %s away from where it holds them%s", j->name,
                    j->type->name, body_name(w, j->a), body_name(w, j->b), fabs(row->apart),
                    joint_row_turns(row) ? "rad" : "m", hint);
}

static tru_status check_start(const tru_world *w, joint *j, tru_error *err) {
    const double size = joint_size(w, j);
    if (refuse_belt(w, j, j->a, err) < 0 || refuse_belt(w, j, j->b, err) < 0) return TRU_CONFLICT;
    tru_joint_row row[TRU_JOINT_ROWS];
    const int rows = rows_at(j, &w->bodies.items[j->a], &w->bodies.items[j->b], row);
    for (int k = 0; k < rows && !j->accepted; k++) {
        if (fabs(row[k].apart) <= START_APART * (joint_row_turns(&row[k]) ? 1.0 : size)) continue;
        return fail_apart(w, j, &row[k], "", err);
    }
    return TRU_OK;
}

tru_status trui_joint_holds(const tru_world *w, const joint *j, const body *a, const body *b, tru_error *err) {
    tru_joint_row now[TRU_JOINT_ROWS], then[TRU_JOINT_ROWS];
    const double size = joint_size(w, j);
    rows_at(j, &w->bodies.items[j->a], &w->bodies.items[j->b], now);
    const int rows = rows_at(j, a, b, then);
    for (int k = 0; k < rows && j->accepted; k++) {
        const double most = SET_APART * (joint_row_turns(&then[k]) ? 1.0 : size);
        if (fabs(then[k].apart) <= most || fabs(then[k].apart) <= fabs(now[k].apart)) continue;
        return fail_apart(w, j, &then[k], "; tru_bodies_set moves both at once", err);
    }
    return TRU_OK;
}

/* "'c' (1 of 5 rows), 'd' (2 of 5 rows)" */
static void name_left_out(const tru_world *w, char *out, size_t room) {
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < w->joints.count && used + NAME_ROOM + 40 < room; i++) {
        const joint *j = &w->joints.items[i];
        int count = 0;
        for (int k = 0; k < j->rows; k++) count += (j->left_out >> k & 1u) != 0;
        if (count > 0)
            used += (size_t)snprintf(out + used, room - used, "%s'%s' (%d of %d rows)", used > 0 ? ", " : "", j->name,
                                     count, j->rows);
    }
}

tru_status trui_joints_check(tru_world *w, tru_error *err) {
    step s = {.w = w};
    char names[300];
    tru_status status = TRU_OK;
    for (size_t i = 0; status >= 0 && i < w->joints.count; i++) status = check_start(w, &w->joints.items[i], err);
    if (status < 0 || w->joints.count == 0) return status;
    trui_arena_reset(&w->scratch);
    s.inverse = ARENA_ARRAY(&w->scratch, problem_body, w->bodies.count);
    if (!s.inverse) return tru_no_memory(err);
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        s.inverse[i] =
            (problem_body){b->inv_mass, b->kind != TRU_FIXED, b->isotropic, body_turned(b, body_inverse_of(b))};
    }
    for (size_t i = 0; i < w->joints.count; i++) {
        joint *j = &w->joints.items[i];
        j->accepted = true;
        if (j->age == 0) j->rows = rows_at(j, &w->bodies.items[j->a], &w->bodies.items[j->b], j->row);
    }
    if ((status = trui_joints_leave_out(&s, err)) < 0) return status;
    name_left_out(w, names, sizeof names);
    if (!names[0]) return TRU_OK;
    return tru_remark(
        err, TRU_REMARK,
        "joints %s repeat what other joints hold already; these rows are left out, and how the joints share "
        "their reactions is not unique",
        names);
}
