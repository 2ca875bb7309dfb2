/* execute.h: runs the attempts of a plan on one part of a step's contacts. */
#ifndef TRUNDLE_STEP_SOLVE_EXECUTE_H
#define TRUNDLE_STEP_SOLVE_EXECUTE_H

#include "solvers/plan/plan.h"
#include "step/step.h"

/* A part of the step's contacts while it is solved. */
typedef struct solving {
    step *s;
    const solver_choice *choice;
    island_facts *facts;
    const uint32_t *chosen; /* contacts of the part, `count` of them */
    size_t count;
    const twist *free;       /* per body: velocities that laws act on, without contacts */
    bool exact;              /* sweeps solve the exact form */
    const int32_t *number;   /* per body: place in a factorisation, after FACT_COST was measured */
    const int32_t *numbered; /* how many bodies have one */
    tru_problem *problem;    /* step.problem if it is built already; else NULL until an attempt needs one */
    tru_problem own;
    tru_solve_info info;  /* of the best result so far; iterations count on from what is in it */
    tru_solve_info swept; /* of a rescue; worst -1 without one */
    bool by_sweeps;       /* the result so far is that of sweeps, and on the bodies */
    bool divided;         /* its islands were solved one by one */
    /* solves the islands of all loose contacts one by one; only where the plan has CALL_DIVIDE */
    tru_status (*divide)(struct solving *k, tru_error *err);
    void *context; /* of divide */
} solving;

/* Returns the solver that the user chose for this world. */
solver_choice trui_world_choice(const tru_world *w);
/* Makes the attempts of a class in order until one converges. Impulses of a problem are not applied yet. Counts the class in the
 * profile. */
tru_status trui_execute(solving *k, plan_class class, tru_error *err);
/* Applies the best impulses of a part to its bodies, and merges its report into step.info. */
void trui_execute_apply(solving *k);
/* Solves with the free velocities of the last kick. Bodies get the velocities at the end of the step. */
tru_status trui_solve_contacts(step *s, tru_error *err);
/* Solves like trui_solve_contacts, and accepts a result of joints that is close to its tolerance. Islands use it. */
tru_status trui_solve_joints(step *s, tru_error *err);
/* Returns true if the plan gives the joints and this many contacts a dense matrix. */
bool trui_step_is_dense(const step *s, size_t contacts);
/* Builds the blocks of all contacts and joints. Bias and theta of each contact must be set. */
tru_status trui_problem_build(step *s, tru_error *err);

#endif
