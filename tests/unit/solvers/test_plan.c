/* test_plan.c: which rule of the plan an island gets, from facts alone. */
#include "check.h"

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
    f.singular = true;
    check_status(by_ngs(f), PLAN_MANY_JOINTS);
    check_status(class_of(&tru_solver_newton, &newton, heap()), PLAN_AS_CHOSEN);
    check_status(class_of(&tru_solver_newton, &newton, stack(20)), PLAN_AS_CHOSEN);
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
