/* plan.c: the table of rules that chooses a solver for each part of a step's contacts. */
#include "solvers/plan/plan.h"
#include "solvers/sweep_problem/sweep_run.h"

#include "base/assert.h"
#include "fields/field.h"

#include <math.h>
#include <string.h>

const solver_limits trui_solver_limits = {
    .ordered_contacts = 4096,
    .try_contacts = 50,
    .try_steps = 10,
    .rescue_sweeps = 1000,
    .rescue_tolerance = 1e-3,
    .uneven_ratio = SWEEP_UNEVEN,
    .dense_rows = 100,
    .rows_per_contact = 3,
    .newton_tolerance = NEWTON_TOLERANCE,
    .newton_steps = NEWTON_STEPS,
    .newton_enough = 1e-9,
    .faces_per_pair = 2,
    .revise_rounds = 8,
};

solver_choice trui_solver_choice(const tru_solver *solver, const void *params) {
    return (solver_choice){.solver = solver,
                           .params = params,
                           .dense_limit = solver->solve_many ? (uint32_t)solver->dense_limit(params) : 0,
                           .factor_cost_limit = solver->solve_many ? solver->factor_cost_limit(params) : 0};
}

/* ---- facts */

/* Measures a fact unless it is known. */
static void know(island_facts *f, island_fact fact) {
    if (f->known & (unsigned)fact) return;
    f->measure(f, fact);
    f->known |= (unsigned)fact;
    TRU_ASSERT(f->contacts <= f->step_contacts);
}

bool trui_fact_faces(island_facts *f) {
    know(f, FACT_FACES);
    return f->faces;
}

bool trui_fact_limits(island_facts *f) {
    know(f, FACT_LIMITS);
    return f->constant_limits;
}

double trui_fact_masses(island_facts *f) {
    know(f, FACT_MASSES);
    TRU_ASSERT(f->mass_ratio == 1.0 || f->mass_ratio > trui_solver_limits.uneven_ratio);
    return f->mass_ratio;
}

double trui_fact_cost(island_facts *f) {
    know(f, FACT_COST);
    return f->factor_cost;
}

/* ---- conditions */

static bool is_one_contact(const solver_choice *c, island_facts *f) {
    if (!f->separate || f->special_normals || f->joints) return false;
    return c->solver == &tru_solver_newton || c->dense_limit > 0;
}

static bool is_few_joints(const solver_choice *c, island_facts *f) {
    const solver_limits *l = &trui_solver_limits;
    const size_t rows = f->joint_rows + l->rows_per_contact * f->contacts;
    if (!f->joints || f->matrix == MATRIX_NONE) return false;
    return f->matrix == MATRIX_DENSE || c->solver->no_fallback || rows <= l->dense_rows;
}

static bool is_jointed(const solver_choice *c, island_facts *f) {
    (void)c;
    return f->joints;
}

static bool takes_any(const solver_choice *c, island_facts *f) {
    (void)f;
    return !c->solver->solve_many;
}

static bool is_whole(const solver_choice *c, island_facts *f) {
    (void)c;
    return f->whole;
}

/* Grains that touch in points are many: a hundred dense matrices would cost more than sweeps over all of them. */
static bool is_small(const solver_choice *c, island_facts *f) {
    if (f->contacts > c->dense_limit) return false;
    return f->contacts == 1 || f->step_contacts <= c->dense_limit || trui_fact_faces(f);
}

static bool has_variable_laws(const solver_choice *c, island_facts *f) {
    (void)c;
    return !trui_fact_limits(f);
}

/* Returns true if a factorisation of the island costs at most factor_cost_limit sweeps over it. */
static bool is_cheap(const solver_choice *c, island_facts *f) {
    if (c->factor_cost_limit == 0 || f->contacts > trui_solver_limits.ordered_contacts) return false;
    return trui_fact_cost(f) <= (double)c->factor_cost_limit * f->contacts;
}

static bool is_stack(const solver_choice *c, island_facts *f) { return trui_fact_faces(f) && is_cheap(c, f); }

/* A sweep moves a light body between heavy ones by a fraction as small as the mass ratio. */
static bool is_hard(const solver_choice *c, island_facts *f) {
    (void)c;
    if (f->apart) return true;
    return f->contacts <= trui_solver_limits.ordered_contacts && trui_fact_masses(f) >= trui_solver_limits.uneven_ratio;
}

static bool is_small_and_hard(const solver_choice *c, island_facts *f) {
    return f->contacts <= trui_solver_limits.try_contacts && is_hard(c, f);
}

static bool is_any(const solver_choice *c, island_facts *f) {
    (void)c;
    (void)f;
    return true;
}

/* ---- the table */

/* What follows newton, sweeps and a factorisation in several rules. */
#define CONTINUE_NEEDS (NEED_NEWTON | NEED_NO_BILATERAL | NEED_MORE)
#define FACTOR_NEEDS   (NEED_SWEPT_OUT | NEED_CHEAP)
#define RESCUE_NEEDS   (NEED_NOT_SWEPT | NEED_FAR | NEED_CONSTANT_LIMITS)

static const plan_rule rules[TRU_SOLVER_RULES] = {
    [PLAN_ONE_CONTACT] = {{"one contact", "A contact whose bodies have no other contact and no joint.",
                           "Newton's method on its rows", "planned as an island (cone)", NULL},
                          is_one_contact,
                          {{CALL_ONE, USE_NEWTON, 0}},
                          .regular = 1},
    [PLAN_JOINTS] = {{"joints", "Joints and all that touches them, with few rows.", "newton, dense",
                      "proxnewton, without a dense matrix", "dense_rows, rows_per_contact"},
                     is_few_joints,
                     {{CALL_SOLVE, USE_DENSE, 0},
                      {CALL_CONTINUE, USE_PROXNEWTON, CONTINUE_NEEDS},
                      {CALL_REBUILD, USE_PROXNEWTON, NEED_DENSE | NEED_BILATERAL | NEED_FALLBACK}},
                     .regular = 1,
                     .close = true},
    [PLAN_MANY_JOINTS] = {{"many joints",
                           "Joints and all that touches them, with many rows or a singular dense matrix.", "proxnewton",
                           NULL, "dense_rows, rows_per_contact"},
                          is_jointed,
                          {{CALL_SOLVE, USE_PROXNEWTON, 0}},
                          .regular = 1,
                          .close = true},
    [PLAN_AS_CHOSEN] = {{"as chosen", "Any part, if the chosen solver takes any problem.", "the chosen one",
                         "proxnewton after newton", NULL},
                        takes_any,
                        {{CALL_SOLVE, USE_CHOSEN, 0}, {CALL_CONTINUE, USE_PROXNEWTON, CONTINUE_NEEDS}},
                        .regular = 1},
    [PLAN_WHOLE] = {{"undivided", "All contacts of a stepper that has no islands, if a solver by sweeps was chosen.",
                     "newton", NULL, NULL},
                    is_whole,
                    {{CALL_SOLVE, USE_NEWTON, 0}},
                    .regular = 1},
    [PLAN_SMALL] = {{"small", "At most dense_limit contacts: one, or with faces, or all there are.", "newton",
                     "proxnewton, then sweeps; the better result stays", "dense_limit, faces_per_pair, rescue_sweeps"},
                    is_small,
                    {{CALL_SOLVE, USE_NEWTON, 0},
                     {CALL_CONTINUE, USE_PROXNEWTON, CONTINUE_NEEDS},
                     {CALL_RESCUE, USE_NGS, RESCUE_NEEDS}},
                    .regular = 1,
                    .close = true,
                    .enough = true},
    [PLAN_VARIABLE_LAWS] = {{"variable laws", "Laws whose limits change within a solve: sweeps cannot take them.",
                             "proxnewton", NULL, NULL},
                            has_variable_laws,
                            {{CALL_SOLVE, USE_PROXNEWTON, 0}},
                            .regular = 1,
                            .close = true},
    [PLAN_STACK] = {{"stack", "Bodies on faces whose factorisation costs at most factor_cost_limit sweeps.",
                     "proxnewton", "sweeps; the better result stays",
                     "faces_per_pair, factor_cost_limit, ordered_contacts, rescue_sweeps"},
                    is_stack,
                    {{CALL_SOLVE, USE_PROXNEWTON, 0}, {CALL_RESCUE, USE_NGS, RESCUE_NEEDS}},
                    .regular = 1,
                    .close = true},
    [PLAN_SMALL_HARD] = {{"small, hard", "Few contacts with heavy bodies on light ones, or that sweeps left unsolved.",
                          "a few steps of proxnewton, then sweeps", "proxnewton if it is cheap, then sweeps",
                          "uneven_ratio, try_contacts, try_steps, factor_cost_limit, rescue_sweeps"},
                         is_small_and_hard,
                         {{CALL_TRY, USE_PROXNEWTON, 0},
                          {CALL_SWEEP, USE_CHOSEN, 0},
                          {CALL_SOLVE, USE_PROXNEWTON, FACTOR_NEEDS},
                          {CALL_RESCUE, USE_NGS, RESCUE_NEEDS}},
                         .regular = 2, /* the try is not its solver: the sweeps are */
                         .close = true},
    [PLAN_HARD] = {{"hard", "More contacts with heavy bodies on light ones, or that sweeps left unsolved.",
                    "sweeps by itself", "proxnewton if it is cheap, then sweeps",
                    "uneven_ratio, ordered_contacts, factor_cost_limit, rescue_sweeps"},
                   is_hard,
                   {{CALL_SWEEP, USE_CHOSEN, 0},
                    {CALL_SOLVE, USE_PROXNEWTON, FACTOR_NEEDS},
                    {CALL_RESCUE, USE_NGS, RESCUE_NEEDS}},
                   .regular = 1,
                   .close = true},
    [PLAN_LOOSE] = {{"loose", "Everything else, in one problem.", "sweeps", "each island by itself, as hard",
                     "ordered_contacts, rescue_sweeps"},
                    is_any,
                    {{CALL_SWEEP_ALL, USE_CHOSEN, 0}, {CALL_DIVIDE, USE_CHOSEN, NEED_SWEPT_OUT | NEED_FEW}},
                    .regular = 1},
};

plan_class trui_plan_choose(const solver_choice *choice, island_facts *facts) {
    plan_class k = PLAN_ONE_CONTACT;
    while (!rules[k].applies(choice, facts)) k++; /* the last one always does */
    TRU_ASSERT(k <= PLAN_LOOSE);
    return k;
}

const plan_rule *trui_plan_rule(plan_class c) {
    TRU_ASSERT(c >= PLAN_ONE_CONTACT && c <= PLAN_LOOSE);
    return &rules[c];
}

const tru_solver_rule *tru_solver_rule_at(size_t k) { return k < TRU_SOLVER_RULES ? &rules[k].told : NULL; }

bool trui_plan_limit(const solver_choice *c, size_t k, tru_solver_limit *out) {
    const solver_limits *l = &trui_solver_limits;
    const tru_solver_limit limits[] = {
        {"dense_limit", "Most contacts of a small island; a field of the solver.", "contacts", c->dense_limit},
        {"factor_cost_limit", "Most that a factorisation may cost; a field of the solver.", "sweeps",
         c->factor_cost_limit},
        {"dense_rows", "Most rows of joints and contacts in a dense matrix.", "rows", (double)l->dense_rows},
        {"rows_per_contact", "Rows that a contact counts in that sum.", "rows", (double)l->rows_per_contact},
        {"faces_per_pair", "Contacts per touching pair of bodies from which they lie on faces.", "contacts",
         l->faces_per_pair},
        {"uneven_ratio", "Mass ratio of touching bodies from which an island is hard.", "-", l->uneven_ratio},
        {"try_contacts", "Most contacts of a small, hard island.", "contacts", l->try_contacts},
        {"try_steps", "Newton steps of proxnewton before its sweeps.", "Newton steps", l->try_steps},
        {"ordered_contacts", "Most contacts of a part that is factorised.", "contacts", l->ordered_contacts},
        {"rescue_sweeps", "Sweeps after which the fallback follows, and at most in a fallback.", "sweeps",
         l->rescue_sweeps},
    };
    if (k >= sizeof limits / sizeof *limits) return false;
    *out = limits[k];
    return true;
}

void trui_plan_count(tru_profile *profile, plan_class c, uint64_t parts, uint64_t contacts) {
    profile->parts[c] += parts;
    profile->contacts[c] += parts * contacts;
    if (parts > 0 && contacts > profile->largest[c]) profile->largest[c] = contacts;
}

/* ---- solvers and their parameters */

const tru_solver *trui_plan_solver(const solver_choice *choice, plan_solver use) {
    switch (use) {
    case USE_NEWTON:
        return &tru_solver_newton;
    case USE_PROXNEWTON:
        return &tru_solver_proxnewton;
    case USE_NGS:
        return &tru_solver_ngs;
    case USE_DENSE:
        return choice->solver->matrix_free || choice->solver->solve_many ? &tru_solver_newton : choice->solver;
    default:
        return choice->solver;
    }
}

tru_newton trui_plan_newton(const solver_choice *choice) {
    if (choice->solver == &tru_solver_newton) return *(const tru_newton *)choice->params;
    return (tru_newton){.tolerance = trui_solver_limits.newton_tolerance, .max_steps = trui_solver_limits.newton_steps};
}

/* ---- what follows an attempt */

/* [-] Returns `tolerance`, or that of a chosen solver by sweeps if it is lower: solvers that act for it keep what the user asked for. */
static double as_asked(const solver_choice *choice, double tolerance) {
    if (!choice->solver->solve_many) return tolerance;
    for (const tru_field *f = choice->solver->fields; f->name; f++)
        if (strcmp(f->name, "tolerance") == 0)
            return fmin(tolerance, *(const double *)trui_field_in(f, choice->params));
    return tolerance;
}

/* [-] Returns the relative residual of newton that suffices for a rule. */
static double enough_of(const solver_choice *choice, const plan_rule *rule) {
    return rule->enough ? as_asked(choice, trui_solver_limits.newton_enough) : 0.0;
}

/* [-] Returns the tolerance of sweeps that rescue a part. */
static double rescue_tolerance(const solver_choice *choice) {
    return as_asked(choice, trui_solver_limits.rescue_tolerance * tru_default_ngs().tolerance);
}

bool trui_plan_is_close(const solver_choice *choice, const plan_rule *rule, const plan_result *r) {
    return rule->close && !r->by_sweeps && r->problem && r->relative <= rescue_tolerance(choice);
}

bool trui_plan_is_close_for_joints(const solver_choice *choice, const plan_result *r) {
    return choice->solver != (r->dense ? &tru_solver_newton : &tru_solver_proxnewton) &&
           r->relative <= rescue_tolerance(choice);
}

bool trui_plan_divides(size_t contacts) { return contacts <= trui_solver_limits.ordered_contacts; }

bool trui_plan_drops_matrix(const solver_choice *choice, bool joints) { return joints && !choice->solver->no_fallback; }

bool trui_plan_is_dense(const solver_choice *choice, island_facts *facts) {
    const plan_rule *rule = trui_plan_rule(trui_plan_choose(choice, facts));
    return !trui_plan_solver(choice, rule->attempts[0].solver)->matrix_free;
}

/* Returns true if one need holds. */
static bool holds(plan_need need, const plan_rule *rule, const solver_choice *choice, island_facts *facts,
                  const plan_result *r) {
    switch (need) {
    case NEED_NEWTON:
        return trui_plan_solver(choice, rule->attempts[0].solver) == &tru_solver_newton;
    case NEED_NO_BILATERAL:
        return !r->bilateral;
    case NEED_BILATERAL:
        return r->bilateral;
    case NEED_DENSE:
        return r->dense;
    case NEED_FALLBACK:
        return !choice->solver->no_fallback;
    case NEED_MORE:
        return !(r->relative <= enough_of(choice, rule));
    case NEED_SWEPT_OUT:
        return r->iterations >= trui_solver_limits.rescue_sweeps;
    case NEED_FEW:
        return trui_plan_divides(facts->contacts);
    case NEED_CHEAP:
        return is_cheap(choice, facts);
    case NEED_NOT_SWEPT:
        return !r->by_sweeps;
    case NEED_FAR:
        return !trui_plan_is_close(choice, rule, r);
    case NEED_CONSTANT_LIMITS:
        return trui_fact_limits(facts);
    }
    return false;
}

bool trui_plan_wants(const plan_rule *rule, int i, const solver_choice *choice, island_facts *facts,
                     const plan_result *r) {
    TRU_ASSERT(i >= 0 && i < PLAN_ATTEMPTS);
    TRU_ASSERT(rule->attempts[i].needs < 2u * NEED_CONSTANT_LIMITS);
    for (unsigned need = NEED_NEWTON; need <= NEED_CONSTANT_LIMITS; need *= 2)
        if ((rule->attempts[i].needs & need) && !holds((plan_need)need, rule, choice, facts, r)) return false;
    return true;
}

void trui_plan_parameters(const solver_choice *choice, const plan_rule *rule, int i, plan_params *out) {
    const plan_attempt *attempt = &rule->attempts[i];
    const tru_solver *solver = trui_plan_solver(choice, attempt->solver);
    out->params = choice->params;
    if (attempt->call == CALL_RESCUE) {
        out->ngs = tru_default_ngs();
        out->ngs.iterations = trui_solver_limits.rescue_sweeps;
        out->ngs.tolerance = rescue_tolerance(choice);
        out->params = &out->ngs;
    } else if (attempt->solver == USE_PROXNEWTON) {
        out->proxnewton = tru_default_proxnewton();
        out->proxnewton.tolerance = as_asked(choice, out->proxnewton.tolerance);
        if (attempt->call == CALL_TRY) out->proxnewton.iterations = trui_solver_limits.try_steps;
        if (attempt->call == CALL_CONTINUE)
            out->proxnewton.tolerance = larger(enough_of(choice, rule), trui_plan_newton(choice).tolerance);
        out->params = &out->proxnewton;
    } else if (solver == &tru_solver_newton) {
        out->newton = trui_plan_newton(choice);
        out->params = &out->newton;
    }
}
