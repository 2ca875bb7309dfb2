/* test_plan.c: which rule of the plan an island gets, from facts alone. */
#include "plugins.h"

#include "solvers/plan/plan.h"

enum { ALL_FACTS = FACT_FACES | FACT_LIMITS | FACT_MASSES | FACT_COST };

/* A heap of grains among others: no faces, equal masses, expensive to factorise. */
static island_facts heap(void) {
    return (island_facts){.contacts = 200,
                          .step_contacts = 1000,
                          .known = ALL_FACTS,
                          .constant_limits = true,
                          .mass_ratio = 1.0,
                          .factor_cost = 1e9};
}

static island_facts stack(uint32_t contacts) {
    island_facts f = heap();
    f.contacts = contacts;
    f.faces = true;
    f.factor_cost = 10.0 * contacts;
    return f;
}

static plan_class class_of(const tru_solver *solver, const void *params, island_facts f) {
    const solver_choice choice = trui_solver_choice(solver, params);
    return trui_plan_choose(&choice, &f);
}

static plan_class by_ngs(island_facts f) {
    const tru_ngs ngs = tru_default_ngs();
    return class_of(&tru_solver_ngs, &ngs, f);
}

TEST(islands_of_sweeps) {
    island_facts one = {.contacts = 1, .step_contacts = 1, .separate = true};
    check_status(by_ngs(one), PLAN_ONE_CONTACT);
    check_status(by_ngs(heap()), PLAN_LOOSE);
    check_status(by_ngs(stack(12)), PLAN_SMALL);
    check_status(by_ngs(stack(13)), PLAN_STACK);
    island_facts f = stack(200);
    f.factor_cost = 100.5 * 200;
    check_status(by_ngs(f), PLAN_LOOSE);
    f = heap();
    f.mass_ratio = 60.0;
    check_status(by_ngs(f), PLAN_HARD);
    f.contacts = 50;
    check_status(by_ngs(f), PLAN_SMALL_HARD);
    f = heap();
    f.apart = true;
    check_status(by_ngs(f), PLAN_HARD);
    f = heap();
    f.constant_limits = false;
    check_status(by_ngs(f), PLAN_VARIABLE_LAWS);
    f = heap();
    f.whole = true;
    check_status(by_ngs(f), PLAN_WHOLE);
}

TEST(joints_and_other_solvers) {
    const tru_newton newton = tru_default_newton();
    const tru_prox prox = tru_default_prox();
    island_facts f = {.joints = true, .joint_rows = 70, .contacts = 10};
    check_status(by_ngs(f), PLAN_JOINTS);
    f.contacts = 11;
    check_status(by_ngs(f), PLAN_MANY_JOINTS);
    check_status(class_of(&tru_solver_prox, &prox, f), PLAN_JOINTS); /* takes every problem by itself */
    f.contacts = 10;
    f.matrix = MATRIX_NONE;
    check_status(by_ngs(f), PLAN_MANY_JOINTS);
    check_status(class_of(&tru_solver_newton, &newton, heap()), PLAN_AS_CHOSEN);
    check_status(class_of(&tru_solver_newton, &newton, stack(20)), PLAN_AS_CHOSEN);
}

/* The number of rows decides about the matrix only until it is built. */
TEST(matrix_of_joints) {
    const tru_ngs ngs = tru_default_ngs();
    const tru_prox prox = tru_default_prox();
    const solver_choice sweeps = trui_solver_choice(&tru_solver_ngs, &ngs);
    const solver_choice alone = trui_solver_choice(&tru_solver_prox, &prox);
    island_facts f = {.joints = true, .joint_rows = 70, .contacts = 10, .step_contacts = 10, .whole = true};
    check(trui_plan_is_dense(&sweeps, &f));
    f.contacts = 11;
    check(!trui_plan_is_dense(&sweeps, &f) && trui_plan_is_dense(&alone, &f));
    f.matrix = MATRIX_DENSE;
    check_status(by_ngs(f), PLAN_JOINTS);
    check(trui_plan_drops_matrix(&sweeps, true) && !trui_plan_drops_matrix(&sweeps, false));
    check(!trui_plan_drops_matrix(&alone, true));
}

/* Contacts with compliance, in an impact or with joints are never solved alone. */
TEST(separate_contacts) {
    island_facts f = {.contacts = 1, .step_contacts = 1, .separate = true, .whole = true};
    check_status(by_ngs(f), PLAN_ONE_CONTACT);
    f.special_normals = true;
    check_status(by_ngs(f), PLAN_WHOLE);
    f.special_normals = false;
    f.joints = true;
    check_status(by_ngs(f), PLAN_JOINTS);
}

/* Makes the attempts of a class that the plan wants if none of them changes the result; returns their calls, 4 bits each. */
static unsigned wanted(plan_class class, const tru_solver *solver, const void *params, island_facts f, plan_result r) {
    const solver_choice choice = trui_solver_choice(solver, params);
    const plan_rule *rule = trui_plan_rule(class);
    unsigned calls = 0;
    for (int i = 0; i < PLAN_ATTEMPTS && rule->attempts[i].call != CALL_NONE; i++)
        if (trui_plan_wants(rule, i, &choice, &f, &r)) calls = calls << 4 | (unsigned)rule->attempts[i].call;
    return calls;
}

#define CALLS2(a, b)    ((unsigned)(a) << 4 | (unsigned)(b))
#define CALLS3(a, b, c) (CALLS2(a, b) << 4 | (unsigned)(c))

TEST(what_follows_newton) {
    const tru_newton newton = tru_default_newton();
    const tru_prox prox = tru_default_prox();
    const tru_ngs ngs = tru_default_ngs();
    const solver_limits *l = &trui_solver_limits;
    plan_result r = {.relative = 1e-3, .problem = true, .dense = true};
    check_status(wanted(PLAN_AS_CHOSEN, &tru_solver_newton, &newton, heap(), r), CALLS2(CALL_SOLVE, CALL_CONTINUE));
    check_status(wanted(PLAN_AS_CHOSEN, &tru_solver_prox, &prox, heap(), r), CALL_SOLVE); /* only newton is continued */
    check_status(wanted(PLAN_JOINTS, &tru_solver_ngs, &ngs, heap(), r), CALLS2(CALL_SOLVE, CALL_CONTINUE));
    r.bilateral = true; /* eliminated rows: newton cannot continue, the problem is built again */
    check_status(wanted(PLAN_JOINTS, &tru_solver_ngs, &ngs, heap(), r), CALLS2(CALL_SOLVE, CALL_REBUILD));
    check_status(wanted(PLAN_JOINTS, &tru_solver_prox, &prox, heap(), r), CALL_SOLVE); /* allows no fallback */
    r.bilateral = false;
    check_status(wanted(PLAN_SMALL, &tru_solver_ngs, &ngs, stack(8), r),
                 CALLS3(CALL_SOLVE, CALL_CONTINUE, CALL_RESCUE));
    r.relative = l->newton_enough; /* enough for a small island, and close */
    check_status(wanted(PLAN_SMALL, &tru_solver_ngs, &ngs, stack(8), r), CALL_SOLVE);
    check_status(wanted(PLAN_AS_CHOSEN, &tru_solver_newton, &newton, heap(), r), CALLS2(CALL_SOLVE, CALL_CONTINUE));
    check_close(l->newton_enough, tru_default_proxnewton().tolerance, 0.0, 0.0);
}

TEST(what_follows_sweeps) {
    const tru_ngs ngs = tru_default_ngs();
    plan_result r = {.relative = 1.0, .iterations = trui_solver_limits.rescue_sweeps, .by_sweeps = true};
    island_facts cheap = stack(40);
    check_status(wanted(PLAN_HARD, &tru_solver_ngs, &ngs, cheap, r), CALLS2(CALL_SWEEP, CALL_SOLVE));
    check_status(wanted(PLAN_HARD, &tru_solver_ngs, &ngs, heap(), r),
                 CALL_SWEEP); /* a factorisation is too expensive */
    check_status(wanted(PLAN_SMALL_HARD, &tru_solver_ngs, &ngs, cheap, r), CALLS3(CALL_TRY, CALL_SWEEP, CALL_SOLVE));
    check_status(wanted(PLAN_LOOSE, &tru_solver_ngs, &ngs, heap(), r), CALLS2(CALL_SWEEP_ALL, CALL_DIVIDE));
    island_facts many = heap();
    many.contacts = trui_solver_limits.ordered_contacts + 1;
    check_status(wanted(PLAN_LOOSE, &tru_solver_ngs, &ngs, many, r), CALL_SWEEP_ALL);
    r.iterations--; /* a low limit of the user disables the fallback */
    check_status(wanted(PLAN_HARD, &tru_solver_ngs, &ngs, cheap, r), CALL_SWEEP);
    check_status(wanted(PLAN_LOOSE, &tru_solver_ngs, &ngs, heap(), r), CALL_SWEEP_ALL);
}

TEST(what_follows_a_factorisation) {
    const tru_ngs ngs = tru_default_ngs();
    const tru_proxnewton proxnewton = tru_default_proxnewton();
    const solver_choice sweeps = trui_solver_choice(&tru_solver_ngs, &ngs);
    const solver_choice own = trui_solver_choice(&tru_solver_proxnewton, &proxnewton);
    const double close = trui_solver_limits.rescue_tolerance * ngs.tolerance;
    plan_result r = {.relative = 2.0 * close, .problem = true};
    island_facts f = stack(40);
    check_status(wanted(PLAN_STACK, &tru_solver_ngs, &ngs, f, r), CALLS2(CALL_SOLVE, CALL_RESCUE));
    check(!trui_plan_is_close_for_joints(&sweeps, &r));
    f.constant_limits = false; /* sweeps cannot take these laws */
    check_status(wanted(PLAN_STACK, &tru_solver_ngs, &ngs, f, r), CALL_SOLVE);
    f.constant_limits = true;
    r.relative = close;
    check_status(wanted(PLAN_STACK, &tru_solver_ngs, &ngs, f, r), CALL_SOLVE);
    check(trui_plan_is_close(&sweeps, trui_plan_rule(PLAN_STACK), &r));
    check(!trui_plan_is_close(&sweeps, trui_plan_rule(PLAN_WHOLE), &r));
    check(trui_plan_is_close_for_joints(&sweeps, &r) && !trui_plan_is_close_for_joints(&own, &r));
}

TEST(parameters_of_attempts) {
    const tru_newton newton = {.tolerance = 1e-6, .max_steps = 7};
    const tru_ngs ngs = {.tolerance = 0.5, .iterations = 3};
    const solver_choice exact = {.solver = &tru_solver_newton, .params = &newton};
    const solver_choice sweeps = {.solver = &tru_solver_ngs, .params = &ngs, .dense_limit = 12};
    plan_params p;
    trui_plan_parameters(&exact, trui_plan_rule(PLAN_AS_CHOSEN), 0, &p);
    check_close(((const tru_newton *)p.params)->tolerance, 1e-6, 0.0, 0.0);
    trui_plan_parameters(&exact, trui_plan_rule(PLAN_AS_CHOSEN), 1, &p); /* continues to the tolerance of newton */
    check_close(((const tru_proxnewton *)p.params)->tolerance, 1e-6, 0.0, 0.0);
    trui_plan_parameters(&sweeps, trui_plan_rule(PLAN_SMALL), 1, &p);
    check_close(((const tru_proxnewton *)p.params)->tolerance, trui_solver_limits.newton_enough, 0.0, 0.0);
    trui_plan_parameters(&sweeps, trui_plan_rule(PLAN_SMALL), 2, &p); /* a rescue does not take the user's limit */
    check_status(((const tru_ngs *)p.params)->iterations, trui_solver_limits.rescue_sweeps);
    trui_plan_parameters(&sweeps, trui_plan_rule(PLAN_SMALL_HARD), 0, &p);
    check_status(((const tru_proxnewton *)p.params)->iterations, trui_solver_limits.try_steps);
    trui_plan_parameters(&sweeps, trui_plan_rule(PLAN_SMALL_HARD), 1, &p);
    check(p.params == &ngs);
}

/* A user who asks sweeps for more than their fallbacks give by default gets that from the fallbacks too. */
TEST(fallbacks_keep_the_tolerance_of_sweeps) {
    const tru_ngs ngs = {.tolerance = 1e-11, .iterations = 3};
    const tru_sor sor = {.tolerance = 1e-11, .iterations = 3};
    const tru_apgd apgd = {.tolerance = 1e-11, .iterations = 3};
    const solver_choice choices[] = {{.solver = &tru_solver_ngs, .params = &ngs},
                                     {.solver = &tru_solver_sor, .params = &sor},
                                     {.solver = &tru_solver_apgd, .params = &apgd}};
    for (size_t k = 0; k < sizeof choices / sizeof *choices; k++) {
        const solver_choice *c = &choices[k];
        plan_result r = {.relative = 1e-10, .problem = true};
        plan_params p;
        island_facts f = stack(8);
        trui_plan_parameters(c, trui_plan_rule(PLAN_SMALL_HARD), 2, &p);
        check_close(((const tru_proxnewton *)p.params)->tolerance, 1e-11, 0.0, 0.0);
        trui_plan_parameters(c, trui_plan_rule(PLAN_SMALL), 1, &p);
        check_close(((const tru_proxnewton *)p.params)->tolerance, 1e-11, 0.0, 0.0);
        trui_plan_parameters(c, trui_plan_rule(PLAN_SMALL), 2, &p);
        check_close(((const tru_ngs *)p.params)->tolerance, 1e-11, 0.0, 0.0);
        check(!trui_plan_is_close(c, trui_plan_rule(PLAN_STACK), &r) && !trui_plan_is_close_for_joints(c, &r));
        check_status(wanted(PLAN_SMALL, c->solver, c->params, f, r), CALLS3(CALL_SOLVE, CALL_CONTINUE, CALL_RESCUE));
        r.relative = 1e-11;
        check(trui_plan_is_close(c, trui_plan_rule(PLAN_STACK), &r) && trui_plan_is_close_for_joints(c, &r));
    }
}

/* Facts to which two rules apply get the earlier one: each line fails if the two change places. */
TEST(order_of_rules) {
    island_facts f = {.contacts = 1, .step_contacts = 1, .separate = true, .whole = true};
    const tru_newton newton = tru_default_newton();
    check_status(class_of(&tru_solver_newton, &newton, f), PLAN_ONE_CONTACT); /* before as chosen */
    f = (island_facts){.joints = true, .joint_rows = 6};
    check_status(class_of(&tru_solver_newton, &newton, f), PLAN_JOINTS); /* before many joints and as chosen */
    f = stack(4);
    f.whole = true;
    check_status(class_of(&tru_solver_newton, &newton, f), PLAN_AS_CHOSEN); /* before undivided */
    check_status(by_ngs(f), PLAN_WHOLE);                                    /* before small */
    f.whole = false;
    f.constant_limits = false;
    check_status(by_ngs(f), PLAN_SMALL); /* before variable laws */
    f = stack(40);
    f.constant_limits = false;
    check_status(by_ngs(f), PLAN_VARIABLE_LAWS); /* before stack */
    f.constant_limits = true;
    f.mass_ratio = 60.0;
    check_status(by_ngs(f), PLAN_STACK); /* before hard */
    f.faces = false;
    check_status(by_ngs(f), PLAN_SMALL_HARD); /* before hard and loose */
    for (size_t k = 0; k < TRU_SOLVER_RULES; k++) check(tru_solver_rule_at(k)->name && tru_solver_rule_at(k)->doc);
    check(tru_solver_rule_at(TRU_SOLVER_RULES) == NULL);
}
