/* step_moreau.c: nonsmooth time stepping on velocity level, after Moreau; impulses of a step obey the contact laws.
 *
 * | symbol | name | unit |
 * |---|---|---|
 * | q_A, q_M, q_E | start, middle, end pose | m, - |
 * | u_A, u_E | velocities before and after (moving.v0, w0; body.v, w) | m/s, rad/s |
 * | W, Lambda | rows and impulses of the contacts | -, N s |
 * | theta, kappa | contact.theta; weight of the start-of-step slip s in the bias | - |
 *
 * paper     [LSLG05 section 3]: laws on W(q_M)^T u_E, gyroscopic term at u_A, first order.
 * midpoint  [rolling-disk-equations 4.2]: laws on the mean rate (W(q_M)^T u_E + W(q_M)^T u_A - kappa s)/2 with
 *           s = W(q_A)^T u_A, gyroscopic term at the mean rate; kappa = 1 on rows that stuck (their ring dies in one
 *           step) or that come to a stop within the step (they would end it reversed otherwise), 0 on rows
 *           that slip. Second order. Bodies with several contacts keep theta = 1: laws on u_E. */
#include "steppers/moreau/step_moreau.h"

#include "base/error.h"

#include <stddef.h>

#define MOREAU_SWEEPS 3 /* iterations on the mean rate that are the default */

static const tru_field fields[] = {
    TRU_REAL(tru_moreau, step, TRU_UNIT_S, TRU_REQUIRED, TRU_POSITIVE, "Time step."),
    TRU_CHOICE(tru_moreau, scheme, "midpoint|paper", TRU_MIDPOINT,
               "midpoint: second order, stuck rows do not ring; paper: the algorithm as published, first order, in "
               "which bodies that are not isotropic gain energy by spinning and lose their contact for a step by "
               "rolling."),
    TRU_CHOICE(tru_moreau, correction, "height|r7", TRU_HEIGHT,
               "How overlaps are closed: along the normal, or (scheme paper) to the nearest point in metres and "
               "Euler parameters together, which depends on the unit of length."),
    TRU_REAL(tru_moreau, activation, TRU_UNIT_M, TRU_DERIVED, TRU_FROM_ZERO,
             "Gap below which a contact acts; default gravity times step squared, at least 1e-9 of the smallest body."),
    TRU_INTEGER(tru_moreau, sweeps, MOREAU_SWEEPS, TRU_RANGE(1, 10),
                "Scheme midpoint: how often the gyroscopic torque is brought to the mean rate of the step; up to 30 "
                "times while it still changes the energy of a body by more than 1e-3, and a step in which that does "
                "not help fails."),
    TRU_PLUGIN(tru_moreau, solver, "solver", 0, "newton", "Solver of the contact problem."),
    {.name = NULL},
};

static tru_status check(const void *params, tru_error *err) {
    const tru_moreau *o = params;
    if (o->correction == TRU_R7 && o->scheme != TRU_PAPER)
        return tru_fail(err, TRU_CONFLICT, "stepper moreau: correction r7 belongs to scheme paper");
    if (o->sweeps != MOREAU_SWEEPS && o->scheme == TRU_PAPER)
        return tru_fail(err, TRU_CONFLICT, "stepper moreau: sweeps is %d but has no effect with scheme paper",
                        (int)o->sweeps);
    return TRU_OK;
}

static const char *refuses_law(const tru_law *law, const void *law_params) {
    (void)law_params;
    return law->section ? NULL : "moreau needs a set-valued law";
}

#define TURN_TOLD                                                                                                      \
    0.01 /* [rad] in a step: what scheme paper adds to the energy of turning is up to its square per step */

/* Says which free body turns so fast that the gyroscopic torque of scheme paper, at the start of the step, adds energy. */
static tru_status remark_gyro(const tru_moreau *o, const tru_world *w, tru_error *err) {
    for (size_t i = 0; o->scheme == TRU_PAPER && i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        const double turn = o->step * v3_norm(b->w);
        if (!body_is_free(b) || b->isotropic || !(turn > TURN_TOLD)) continue;
        return tru_remark(
            err, TRU_REMARK,
            "stepper moreau: body '%s' turns by %.3g rad per step, and scheme paper takes the gyroscopic "
            "torque at the start of the step, so the energy can grow, and may lose the contact of a rolling body for a "
            "step; scheme midpoint does neither",
            body_name(w, i), turn);
    }
    return TRU_OK;
}

static tru_status ready(const void *params, tru_world *w, tru_error *err) {
    const tru_status status = trui_ready_rigid(w, "moreau", err);
    return status == TRU_OK ? remark_gyro(params, w, err) : status;
}

/* Start-of-step rates s = W(q_A)^T u_A of a run; places are known from the end of the last step unless something is new,
 * and rates too unless a body is driven. */
static void start_rates(const step *s, contact *run, int count, double rates[TRU_TOUCHES][TRU_ROWS]) {
    const tru_world *w = s->w;
    const bool driven = w->bodies.items[run->a].kind == TRU_DRIVEN || w->bodies.items[run->b].kind == TRU_DRIVEN;
    bool known = !w->moved;
    for (int i = 0; i < count; i++) known = known && (run[i].flags & (CONTACT_NEW | CONTACT_KNOWN)) == CONTACT_KNOWN;
    contact_place places[TRU_TOUCHES];
    if (!known) {
        const body a = body_before(w, run->a), b = body_before(w, run->b);
        trui_contact_run_places(w, run, count, &a, &b, places);
    }
    for (int i = 0; i < count; i++)
        if (known && !driven)
            memcpy(rates[i], run[i].end->rate, sizeof rates[i]);
        else
            trui_contact_rates(known ? &run[i].end->place : &places[i], &s->body_steps[run->a].start,
                               &s->body_steps[run->b].start, rates[i]);
}

static void set_biases(const step *s, bool theta_half) {
    tru_world *w = s->w;
    for (size_t i = 0; i < w->contacts.count;) {
        contact *run = &w->contacts.items[i];
        const int count = trui_contact_run(&w->contacts, i);
        double rates[TRU_TOUCHES][TRU_ROWS];
        start_rates(s, run, count, rates);
        for (int k = 0; k < count; k++)
            moreau_bias(s, &run[k], theta_half && trui_contact_is_separate(w, &run[k]), rates[k]);
        i += (size_t)count;
    }
}

static tru_status end_step(step *s, bool r7, tru_status solved, tru_error *err) {
    if (s->jolt_unsolved) {
        s->info.converged = false;
        solved = TRU_UNCONVERGED;
    }
    const tru_status status = trui_project_overlaps(s, r7, err);
    if (status >= 0) return trui_step_end(s, solved, err);
    trui_find_contacts_undo(s->w);
    return trui_step_undo(s, status);
}

static tru_status step_paper(const tru_moreau *o, step *s, tru_error *err) {
    tru_world *w = s->w;
    trui_drift(w, 0.5 * s->h, true);
    tru_status status = trui_find_contacts(w, moreau_activation(o, s), s->h, KEEP_ENDS, err);
    if (status < 0) return trui_step_undo(s, status);
    trui_inertia_here(s);
    set_biases(s, false);
    status = trui_one_contacts_choose(s, err);
    if (status >= 0) status = trui_joints_place(s, false, err);
    if (status >= 0 && (status = trui_problem_build(s, err)) >= 0) {
        trui_kick(s);
        status = trui_solve_contacts(s, err);
    }
    if (status < 0) {
        trui_find_contacts_undo(w);
        return trui_step_undo(s, status);
    }
    trui_ledger_book(s);
    trui_drift(w, 0.5 * s->h, true);
    return end_step(s, o->correction == TRU_R7, status, err);
}

/* Where the mean rate of the step will be if it goes on as it went. */
static void gyro_predict(step *s) {
    const tru_world *w = s->w;
    for (size_t i = 0; s->turning && i < w->bodies.count; i++) gyro_expect(&w->bodies.items[i], &s->body_steps[i]);
}

/* Those of some kinds that would stick if kappa were 1, all else being equal; u: the rates its laws saw. */
static uint32_t holdable(const step *of, const contact *c, const double u[TRU_ROWS], uint32_t kinds,
                         const double start[TRU_ROWS]) {
    double x[TRU_ROWS], y[TRU_ROWS] = {0.0};
    double work[TRU_PAIR_LAWS][TRU_LAW_WORK] = {{0.0}}, metric[TRU_KINDS];
    law_use laws[TRU_PAIR_LAWS];
    tru_contact view;
    trui_problem_contact_metric(c, &of->inverse[c->a], &of->inverse[c->b], metric);
    step_view(of, c, &view);
    trui_laws_again(c, &view, work, laws);
    for (int row = 0; row < TRU_ROWS; row++) {
        const bool shifted = kinds & TRU_KIND_BIT(row_kind(row));
        x[row] = c->dry[row] - metric[row_kind(row)] * (u[row] - (shifted ? start[row] : 0.0));
    }
    const double slip = c->theta * sqrt(u[1] * u[1] + u[2] * u[2]);
    tru_section s = {larger(0.0, x[0]), slip, metric, x + 1, y + 1, 0, NULL, NULL};
    trui_laws_section(laws, c->pair->law_count, &s);
    return x[0] > 0.0 ? kinds & s.stuck : 0;
}

/* kappa of some kinds becomes 1 (sign -1) or 0 again (sign 1). */
static void shift_bias(contact *c, uint32_t kinds, double sign, const double start[TRU_ROWS]) {
    for (int row = 1; row < TRU_ROWS; row++)
        if (kinds & TRU_KIND_BIT(row_kind(row))) c->end->bias[row - 1] += sign * start[row];
}

/* What the step turned round stops within it, if its law can hold it: kappa = 1, as for rows that stuck before. Left
 * alone it would end the step reversed, and the next one at rest [rolling-disk-equations 4.2]. True if there is
 * something to try. */
static bool hold_turned(const step *s) {
    bool any = false;
    for (size_t i = 0; i < s->w->contacts.count; i++) {
        contact *c = &s->w->contacts.items[i];
        double start[TRU_TOUCHES][TRU_ROWS];
        c->end->held = c->theta == 0.5 && !(c->flags & CONTACT_IMPACT) ? moreau_turned(s, c) : 0;
        if (!c->end->held) continue;
        start_rates(s, c, 1, start);
        c->end->held = holdable(s, c, s->seen[i], c->end->held, start[0]);
        shift_bias(c, c->end->held, -1.0, start[0]);
        any |= c->end->held != 0;
    }
    return any;
}

/* What could not be held slides on as it did. True if there is any. */
static bool release_held(const step *s) {
    bool any = false;
    for (size_t i = 0; i < s->w->contacts.count; i++) {
        contact *c = &s->w->contacts.items[i];
        const uint32_t slides = c->end->held & ~c->stuck;
        double start[TRU_TOUCHES][TRU_ROWS];
        if (!slides) continue;
        start_rates(s, c, 1, start);
        shift_bias(c, slides, 1.0, start[0]);
        any = true;
    }
    return any;
}

static tru_status step_midpoint(const tru_moreau *o, step *s, tru_error *err) {
    tru_world *w = s->w;
    trui_drift(w, 0.5 * s->h, false);
    tru_status status = trui_find_contacts(w, moreau_activation(o, s), s->h, KEEP_ENDS, err);
    if (status < 0) return trui_step_undo(s, status);
    trui_inertia_here(s);
    set_biases(s, true);
    gyro_predict(s);
    status = trui_one_contacts_choose(s, err);
    if (status >= 0) status = trui_joints_place(s, true, err);
    trui_gyro_linear(s);
    if (status >= 0) status = trui_problem_build(s, err);
    if (status >= 0) status = trui_solve_at_mean(s, o->sweeps, err);
    if (status >= 0 && hold_turned(s)) {
        status = trui_solve_at_mean(s, o->sweeps, err);
        if (status >= 0 && release_held(s)) status = trui_solve_at_mean(s, o->sweeps, err);
    }
    if (status < 0) {
        trui_find_contacts_undo(w);
        return trui_step_undo(s, status);
    }
    trui_ledger_book(s);
    trui_place_bodies(s, true);
    return end_step(s, false, status, err);
}

/* Room for what the scheme looks for mean rates from. */
static tru_status make_gains(step *s, tru_error *err) {
    tru_world *w = s->w;
    for (size_t i = 0; i < w->bodies.count; i++)
        if (!trui_body_make_gains(&w->memory, &w->bodies.items[i])) return tru_no_memory(err);
    return TRU_OK;
}

static tru_status step_moreau(const void *params, tru_world *w, tru_error *err) {
    const tru_moreau *o = params;
    step s;
    tru_status status = trui_step_begin(&s, w, o->step, err);
    if (status < 0) return status;
    trui_start_tell(w);
    s.by_force = o->scheme != TRU_PAPER; /* the published scheme loses contact every other step on curved ground */
    status = trui_step_reserve_dynamics(&s, err);
    if (status >= 0 && o->scheme != TRU_PAPER) status = make_gains(&s, err);
    if (status >= 0) status = trui_jolt_joints(&s, err);
    if (status < 0) return trui_step_undo(&s, status);
    return o->scheme == TRU_PAPER ? step_paper(o, &s, err) : step_midpoint(o, &s, err);
}

static tru_status judge(const void *params, const tru_world *w, tru_verdict *out, tru_error *err) {
    const tru_moreau *o = params;
    return trui_judge_step(w, o->step, o->scheme == TRU_PAPER ? JUDGE_START : JUDGE_MEAN, out, err);
}

static double step_size(const void *params) { return ((const tru_moreau *)params)->step; }

/* Second order needs laws on the mean rate, theta = 1/2: one contact per body, or joints alone. */
static int order(const void *params, const tru_world *w) {
    if (((const tru_moreau *)params)->scheme == TRU_PAPER) return 1;
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        if (body_is_free(b) && b->contacts > (b->joints > 0 ? 0 : 1)) return 1;
    }
    return 2;
}

TRU_DEFAULTS(tru_moreau, tru_default_moreau, fields)

const tru_stepper tru_stepper_moreau = {
    .name = "moreau",
    .doc = "Nonsmooth time stepping: impulses that obey the contact laws, second order through slip and stick.",
    .fields = fields,
    .size = sizeof(tru_moreau),
    .check = check,
    .refuses_law = refuses_law,
    .ready = ready,
    .step = step_moreau,
    .cruise = trui_moreau_cruise,
    .step_size = step_size,
    .order = order,
    .judge = judge,
    .joints = true,
};
