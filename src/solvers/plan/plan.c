/* plan.c: the table of rules that chooses a solver for each part of a step's contacts. */
#include "solvers/plan/plan.h"

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
    .faces_per_pair = 2,
};

solver_choice trui_solver_choice(const tru_solver *solver, const void *params) {
    return (solver_choice){.solver = solver,
                           .params = params,
                           .dense_limit = solver->solve_many ? (uint32_t)solver->dense_limit(params) : 0,
                           .factor_cost_limit = solver->solve_many ? solver->factor_cost_limit(params) : 0};
}

/* ---- facts */

static void know(island_facts *f, island_fact fact) {
    if (f->known & (unsigned)fact) return;
    f->measure(f, fact);
    f->known |= (unsigned)fact;
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
    return f->mass_ratio;
}

double trui_fact_cost(island_facts *f) {
    know(f, FACT_COST);
    return f->factor_cost;
}

/* ---- conditions */

static bool is_one_contact(const solver_choice *c, island_facts *f) {
    return f->separate && (c->solver == &tru_solver_newton || c->dense_limit > 0);
}

static bool is_few_joints(const solver_choice *c, island_facts *f) {
    const solver_limits *l = &trui_solver_limits;
    const size_t rows = f->joint_rows + l->rows_per_contact * f->contacts;
    return f->joints && !f->singular && (c->solver->no_fallback || rows <= l->dense_rows);
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

/* Grains that touch in points come in crowds: a hundred dense matrices would cost more than sweeps over all of them. */
static bool is_small(const solver_choice *c, island_facts *f) {
    if (f->contacts > c->dense_limit) return false;
    return f->contacts == 1 || f->step_contacts <= c->dense_limit || trui_fact_faces(f);
}

static bool has_variable_laws(const solver_choice *c, island_facts *f) {
    (void)c;
    return !trui_fact_limits(f);
}

bool trui_plan_is_cheap(const solver_choice *c, island_facts *f) {
    if (c->factor_cost_limit == 0 || f->contacts > trui_solver_limits.ordered_contacts) return false;
    return trui_fact_cost(f) <= (double)c->factor_cost_limit * f->contacts;
}

static bool is_stack(const solver_choice *c, island_facts *f) { return trui_fact_faces(f) && trui_plan_is_cheap(c, f); }

/* Sweeps move what lies between heavy bodies by as small a part as its mass is of theirs. */
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

static const plan_rule rules[TRU_SOLVER_RULES] = {
    [PLAN_ONE_CONTACT] = {{"one contact", "A contact whose bodies have no other contact and no joint.",
                           "Newton's method on its rows", "planned as an island (cone)", NULL},
                          is_one_contact,
                          {{CALL_ONE, USE_NEWTON}},
                          false},
    [PLAN_JOINTS] = {{"joints", "Joints and all that touches them, with few rows.", "newton, dense",
                      "proxnewton, without a dense matrix", "dense_rows, rows_per_contact"},
                     is_few_joints,
                     {{CALL_SOLVE, USE_DENSE}, {CALL_CONTINUE, USE_PROXNEWTON}, {CALL_REBUILD, USE_PROXNEWTON}},
                     true},
    [PLAN_MANY_JOINTS] = {{"many joints",
                           "Joints and all that touches them, with many rows or a singular dense matrix.", "proxnewton",
                           NULL, "dense_rows, rows_per_contact"},
                          is_jointed,
                          {{CALL_SOLVE, USE_PROXNEWTON}},
                          true},
    [PLAN_AS_CHOSEN] = {{"as chosen", "Any part, if the chosen solver takes any problem.", "the chosen one",
                         "proxnewton after newton", NULL},
                        takes_any,
                        {{CALL_SOLVE, USE_CHOSEN}, {CALL_CONTINUE, USE_PROXNEWTON}},
                        false},
    [PLAN_WHOLE] = {{"undivided", "All contacts of a stepper that has no islands, if a solver by sweeps was chosen.",
                     "newton", NULL, NULL},
                    is_whole,
                    {{CALL_SOLVE, USE_NEWTON}},
                    false},
    [PLAN_SMALL] = {{"small", "At most dense_limit contacts: one, or with faces, or all there are.", "newton",
                     "proxnewton, then sweeps; the better result stays", "dense_limit, faces_per_pair, rescue_sweeps"},
                    is_small,
                    {{CALL_SOLVE, USE_NEWTON}, {CALL_CONTINUE, USE_PROXNEWTON}, {CALL_RESCUE, USE_NGS}},
                    true},
    [PLAN_VARIABLE_LAWS] = {{"variable laws", "Laws whose limits change within a solve: sweeps cannot take them.",
                             "proxnewton", NULL, NULL},
                            has_variable_laws,
                            {{CALL_SOLVE, USE_PROXNEWTON}},
                            true},
    [PLAN_STACK] = {{"stack", "Bodies on faces whose factorisation costs at most factor_cost_limit sweeps.",
                     "proxnewton", "sweeps; the better result stays",
                     "faces_per_pair, factor_cost_limit, ordered_contacts, rescue_sweeps"},
                    is_stack,
                    {{CALL_SOLVE, USE_PROXNEWTON}, {CALL_RESCUE, USE_NGS}},
                    true},
    [PLAN_SMALL_HARD] =
        {{"small, hard", "Few contacts with heavy bodies on light ones, or that sweeps left unsolved.",
          "a few steps of proxnewton, then sweeps", "proxnewton if it is cheap, then sweeps",
          "uneven_ratio, try_contacts, try_steps, factor_cost_limit, rescue_sweeps"},
         is_small_and_hard,
         {{CALL_TRY, USE_PROXNEWTON}, {CALL_SWEEP, USE_CHOSEN}, {CALL_SOLVE, USE_PROXNEWTON}, {CALL_RESCUE, USE_NGS}},
         true},
    [PLAN_HARD] = {{"hard", "More contacts with heavy bodies on light ones, or that sweeps left unsolved.",
                    "sweeps by itself", "proxnewton if it is cheap, then sweeps",
                    "uneven_ratio, ordered_contacts, factor_cost_limit, rescue_sweeps"},
                   is_hard,
                   {{CALL_SWEEP, USE_CHOSEN}, {CALL_SOLVE, USE_PROXNEWTON}, {CALL_RESCUE, USE_NGS}},
                   true},
    [PLAN_LOOSE] = {{"loose", "Everything else, in one problem.", "sweeps", "each island by itself, as hard",
                     "ordered_contacts, rescue_sweeps"},
                    is_any,
                    {{CALL_SWEEP_ALL, USE_CHOSEN}},
                    false},
};

plan_class trui_plan_choose(const solver_choice *choice, island_facts *facts) {
    plan_class k = PLAN_ONE_CONTACT;
    while (!rules[k].applies(choice, facts)) k++; /* the last one always does */
    return k;
}

const plan_rule *trui_plan_rule(plan_class c) { return &rules[c]; }

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

double trui_plan_close(void) { return trui_solver_limits.rescue_tolerance * tru_default_ngs().tolerance; }

bool trui_plan_swept_out(tru_status status, const tru_solve_info *info) {
    return status == TRU_UNCONVERGED && info->iterations >= trui_solver_limits.rescue_sweeps;
}

void trui_plan_parameters(const solver_choice *choice, const plan_attempt *attempt, plan_params *out) {
    const tru_solver *solver = trui_plan_solver(choice, attempt->solver);
    out->params = choice->params;
    if (attempt->call == CALL_RESCUE) {
        out->ngs = tru_default_ngs();
        out->ngs.iterations = trui_solver_limits.rescue_sweeps;
        out->ngs.tolerance *= trui_solver_limits.rescue_tolerance;
        out->params = &out->ngs;
    } else if (attempt->solver == USE_PROXNEWTON) {
        out->proxnewton = tru_default_proxnewton();
        if (attempt->call == CALL_TRY) out->proxnewton.iterations = trui_solver_limits.try_steps;
        out->params = &out->proxnewton;
    } else if (solver == &tru_solver_newton) {
        out->newton = trui_plan_newton(choice);
        out->params = &out->newton;
    }
}
