/* step_moreau.c: nonsmooth time stepping on velocity level, after Moreau; impulses of a step obey the contact laws.
 *
 * | symbol | name | unit |
 * |---|---|---|
 * | q_A, q_M, q_E | start, middle, end pose | m, - |
 * | u_A, u_E | velocities before and after (body_step.start; body.v, w) | m/s, rad/s |
 * | W, Lambda | rows and impulses of the contacts | -, N s |
 * | theta, kappa | contact.theta; weight of the start-of-step slip s in the bias | - |
 *
 * paper     [LSLG05 section 3]: laws on W(q_M)^T u_E, gyroscopic term at u_A, first order.
 * midpoint  [rolling-disk-equations 4.2]: laws on the mean rate (W(q_M)^T u_E + W(q_M)^T u_A - kappa s)/2 with
 *           s = W(q_A)^T u_A, gyroscopic term at the mean rate; kappa = 1 on rows that stuck (their ring dies in one
 *           step) or that come to a stop within the step (they would end it reversed otherwise), 0 on rows
 *           that slip. Second order. Bodies with several contacts keep theta = 1: laws on u_E. */
#include "step/lot/lot_mean_rate.h"
#include "base/assert.h"
#include "step/end/start.h"
#include "step/judge.h"
#include "step/lot/project.h"
#include "step/solve/jolt.h"
#include "steppers/worlds/ball_lanes.h"

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

/* ---- the right side */

/* [m] Returns the gap below which a contact acts. The free half step moves a rim by O(g h^2); with less a rolling disk loses its
 * contact in some steps, and viscous laws lose that share of their work [rolling-disk-equations 6.1]. */
static inline double moreau_activation(const tru_moreau *o, const step *s) {
    if (o->activation != TRU_DERIVED) return o->activation;
    return larger(1e-9 * trui_smallest_free(s->w), s->fall * s->h);
}

/* Sets theta and bias of one contact from s and W(q_M)^T u_A: its law acts on theta (W^T u_E + bias). */
LOT_TEXT void moreau_bias(const step *s, contact *c, bool single, const double start[TRU_ROWS]) {
    double middle[TRU_ROWS];
    c->theta = single ? 0.5 : 1.0;
    c->approach = larger(0.0, -start[0]);
    c->bias = 0.0;
    memset(c->end->bias, 0, sizeof c->end->bias);
    const bool impact = c->approach > 2.0 * s->fall;
    if (impact) c->flags |= CONTACT_IMPACT;
    if (c->flags & CONTACT_NEW)
        c->c.stuck |= rates_at_rest(start) & ~(c->flags >> CONTACT_SLIPS); /* unless the scene says that it slips */
    if (single) {
        const bool fresh = impact || (c->flags & CONTACT_NEW);
        middle_rates(c, &s->body_steps[c->a].start, &s->body_steps[c->b].start, middle);
        c->bias = middle[0] - (fresh || c->age == 1 ? 1.0 : 0.1) * start[0];
        for (int row = 1; row < TRU_ROWS; row++) {
            const bool stuck = c->c.stuck & TRU_KIND_BIT(LAW_KIND_OF_ROW(row - 1));
            c->end->bias[row - 1] = impact || stuck ? middle[row] - start[row] : middle[row];
        }
    }
    if (impact) c->bias -= c->pair->restitution * c->approach; /* Newton: u_n after = -e u_n before */
}

/* Returns the kinds of a contact that slid at the start and that the step reversed. Their bias is W(q_M)^T u_A. */
static inline uint32_t reversed_kinds(const step *s, const contact *c) {
    const tru_world *w = s->w;
    const twist a = {w->bodies.items[c->a].v, w->bodies.items[c->a].w},
                b = {w->bodies.items[c->b].v, w->bodies.items[c->b].w};
    double end[TRU_ROWS], along[TRU_KINDS] = {0.0};
    uint32_t kinds = 0;
    middle_rates(c, &a, &b, end);
    for (int row = 1; row < TRU_ROWS; row++) along[row_kind(row)] += end[row] * c->end->bias[row - 1];
    for (int kind = TRU_KIND_SLIDE; kind < TRU_KINDS; kind++)
        if (along[kind] < 0.0) kinds |= TRU_KIND_BIT(kind);
    return kinds & c->pair->claims & ~c->c.stuck;
}

/* Computes start-of-step rates s = W(q_A)^T u_A of a run; places are known from the end of the last step unless something is new,
 * and rates too unless a body is driven. */
static void start_rates(const step *s, contact *run, int count, double rates[TRU_TOUCHES][TRU_ROWS]) {
    const tru_world *w = s->w;
    TRU_ASSERT(count >= 1 && count <= TRU_TOUCHES && run->end);
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

/* Sets theta and bias of all contacts; `theta_half`: of contacts that are alone on their bodies theta is 1/2. */
LOT_TEXT void set_biases(lot l, bool theta_half) {
    tru_world *w = l.s->w;
    if (l.on_plane) {
        moreau_bias(l.s, l.on_plane->now, theta_half, l.on_plane->old->end->rate);
        return;
    }
    for (size_t i = 0; i < w->contacts.count;) {
        contact *run = &w->contacts.items[i];
        const int count = trui_contact_run(&w->contacts, i);
        double rates[TRU_TOUCHES][TRU_ROWS];
        start_rates(l.s, run, count, rates);
        for (int k = 0; k < count; k++)
            moreau_bias(l.s, &run[k], theta_half && trui_contact_is_separate(w, &run[k]), rates[k]);
        i += (size_t)count;
    }
}

/* Returns those of `kinds` that would stick with kappa = 1 and all else equal; u: rates that the laws acted on. */
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

/* Sets kappa of some kinds to 1 (sign -1) or to 0 again (sign 1). */
static void shift_bias(contact *c, uint32_t kinds, double sign, const double start[TRU_ROWS]) {
    TRU_ASSERT((sign == 1.0 || sign == -1.0) && (kinds & ~c->pair->claims) == 0);
    for (int row = 1; row < TRU_ROWS; row++)
        if (kinds & TRU_KIND_BIT(row_kind(row))) c->end->bias[row - 1] += sign * start[row];
}

/* Start-of-step rates of one contact of a lot. */
LOT_TEXT void start_rates_of(lot l, contact *c, double rates[TRU_TOUCHES][TRU_ROWS]) {
    if (l.on_plane)
        memcpy(rates[0], l.on_plane->old->end->rate, sizeof rates[0]);
    else
        start_rates(l.s, c, 1, rates);
}

/* Sets kappa = 1, as for rows that stuck before, where the step reversed a row that its law can hold: the row stops within the
 * step. Otherwise it would end the step reversed, and the next one at rest [rolling-disk-equations 4.2]. Returns true if there is
 * such a row: then the step has to be solved again. */
LOT_TEXT bool stop_reversed_rows(lot l) {
    bool any = false;
    LOT_EACH_CONTACT(l, i) {
        contact *c = &lot_contacts(l)[i];
        double start[TRU_TOUCHES][TRU_ROWS];
        c->end->held = c->theta == 0.5 && !(c->flags & CONTACT_IMPACT) ? reversed_kinds(l.s, c) : 0;
        if (!c->end->held) continue;
        start_rates_of(l, c, start);
        c->end->held = holdable(l.s, c, l.s->seen[i], c->end->held, start[0]);
        shift_bias(c, c->end->held, -1.0, start[0]);
        any |= c->end->held != 0;
    }
    return any;
}

/* Sets kappa = 0 again where a stopped row could not be held: it slides on as it did. Returns true if there is such a row. */
LOT_TEXT bool restore_sliding_rows(lot l) {
    bool any = false;
    LOT_EACH_CONTACT(l, i) {
        contact *c = &lot_contacts(l)[i];
        const uint32_t slides = c->end->held & ~c->stuck;
        TRU_ASSERT((c->end->held & c->c.stuck) == 0); /* only rows that slid are stopped */
        double start[TRU_TOUCHES][TRU_ROWS];
        if (!slides) continue;
        start_rates_of(l, c, start);
        shift_bias(c, slides, 1.0, start[0]);
        any = true;
    }
    return any;
}

/* ---- the step */

/* Projects overlaps and ends the step, or undoes it. */
LOT_TEXT tru_status end_lot(lot l, bool r7, tru_status solved, tru_error *err) {
    if (l.s->jolt_unsolved) {
        l.s->info.converged = false;
        solved = TRU_UNCONVERGED;
    }
    const tru_status status = lot_project_overlaps(l, r7, err);
    return status < 0 ? lot_undo(l, status) : lot_end(l, solved, err);
}

/* One copy for both schemes, as on_plane_book. */
static tru_status end_on_plane(body_on_plane *p, bool r7) { return end_lot(lot_on_plane(p), r7, TRU_OK, NULL); }

LOT_TEXT tru_status end_step(lot l, bool r7, tru_status solved, tru_error *err) {
    return l.on_plane ? end_on_plane(l.on_plane, r7) : end_lot(l, r7, solved, err);
}

/* Scheme paper. */
LOT_TEXT tru_status step_paper(const tru_moreau *o, lot l, double activation, tru_error *err) {
    lot_drift(l, 0.5 * l.s->h, true);
    tru_status status = lot_find_contacts(l, activation, KEEP_ENDS, err);
    if (status < 0) return lot_undo(l, status);
    lot_inertia(l);
    set_biases(l, false);
    status = lot_choose(l, false, err);
    if (status >= 0) status = lot_build(l, err);
    if (status >= 0) {
        lot_kick(l);
        status = lot_solve(l, err);
    }
    if (status < 0) return lot_undo(l, status);
    lot_book(l);
    lot_drift(l, 0.5 * l.s->h, true);
    return end_step(l, o->correction == TRU_R7, status, err);
}

/* Scheme midpoint. */
LOT_TEXT tru_status step_midpoint(const tru_moreau *o, lot l, double activation, tru_error *err) {
    lot_drift(l, 0.5 * l.s->h, false);
    tru_status status = lot_find_contacts(l, activation, KEEP_ENDS, err);
    if (status < 0) return lot_undo(l, status);
    lot_inertia(l);
    set_biases(l, true);
    lot_predict_gyro(l);
    status = lot_choose(l, true, err);
    lot_linearise_gyro(l);
    if (status >= 0) status = lot_build(l, err);
    if (status >= 0) status = lot_solve_at_mean(l, o->sweeps, err);
    if (status >= 0 && stop_reversed_rows(l)) {
        status = lot_solve_at_mean(l, o->sweeps, err);
        if (status >= 0 && restore_sliding_rows(l)) status = lot_solve_at_mean(l, o->sweeps, err);
    }
    if (status < 0) return lot_undo(l, status);
    lot_book(l);
    lot_place(l, true);
    return end_step(l, false, status, err);
}

/* Reserves the gains from which lot_predict_gyro expects mean rates. */
static tru_status make_gains(step *s, tru_error *err) {
    tru_world *w = s->w;
    for (size_t i = 0; i < w->bodies.count; i++)
        if (!trui_body_make_gains(&w->memory, &w->bodies.items[i])) return tru_no_memory(err);
    return TRU_OK;
}

/* A step of all bodies. */
static tru_status step_all(const void *params, tru_world *w, tru_error *err) {
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
    const double activation = moreau_activation(o, &s);
    const lot all = lot_of_all(&s);
    return o->scheme == TRU_PAPER ? step_paper(o, all, activation, err) : step_midpoint(o, all, activation, err);
}

/* Returns false if the world is not one body on a plane, or if its next step needs all bodies. */
static bool begin_on_plane(const tru_moreau *o, tru_world *w, body_on_plane *p) {
    const bool paper = o->scheme == TRU_PAPER;
    if (!trui_on_plane_begin(p, w, o->step, KEEP_ENDS) || !(paper || p->a->gain))
        return false; /* step_all makes gains */
    p->s.by_force = !paper;
    return paper || p->old->impulse[TRU_ROW_NORMAL] > 0.0; /* else it may touch again, which is an event */
}

/* Takes steps of one body on a plane until one is refused. */
static uint64_t steps_on_plane(const tru_moreau *o, tru_world *w, uint64_t most) {
    const bool paper = o->scheme == TRU_PAPER;
    body_on_plane p;
    uint64_t taken = 0;
    if (!begin_on_plane(o, w, &p)) return 0;
    const double activation = moreau_activation(o, &p.s);
    for (; taken < most; taken++) {
        on_plane_start(&p);
        const tru_status status = paper ? step_paper(o, lot_on_plane(&p), activation, NULL)
                                        : step_midpoint(o, lot_on_plane(&p), activation, NULL);
        if (status != TRU_OK) break;
    }
    trui_on_plane_end(&p, taken);
    return taken;
}

static tru_status run_moreau(const void *params, tru_world *w, uint64_t most, uint64_t *taken, tru_error *err) {
    TRU_ASSERT(most > 0);
    *taken = steps_on_plane(params, w, most);
    TRU_ASSERT(*taken <= most);
    if (*taken == most) return TRU_OK;
    ++*taken;
    return step_all(params, w, err);
}

static bool begin_ball(tru_world *w, body_on_plane *p, ball_scales *scales) {
    const tru_moreau *o = w->stepper_params;
    if (o->scheme != TRU_MIDPOINT || !begin_on_plane(o, w, p)) return false;
    *scales = (ball_scales){.margin = moreau_activation(o, &p->s), .strikes = 2.0 * p->s.fall};
    return true;
}

static void run_many(tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status, tru_error *err) {
    const ball_stepper moreau = {.begin = begin_ball};
    trui_balls_run(&moreau, worlds, count, steps, status, err);
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
    .step = step_all,
    .run = run_moreau,
    .step_size = step_size,
    .order = order,
    .judge = judge,
    .run_many = run_many,
    .lanes = WORLD_LANES,
    .joints = true,
};
