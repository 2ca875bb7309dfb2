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
} solving;

/* The choice and the facts of a part that the world alone determines. */
solver_choice trui_world_choice(const tru_world *w);
/* Runs attempts in order until one converges; impulses of a problem are not yet applied. Counts the class in the profile. */
tru_status trui_execute(solving *k, plan_class class, tru_error *err);
/* Puts the best impulses of an island onto its bodies, and what is known of them into step.info. */
void trui_execute_apply(solving *k);
/* Solves with u_free of the last kick; velocities of the bodies become those at the end of the step. */
tru_status trui_solve_contacts(step *s, tru_error *err);
/* True if the joints and this many contacts get a dense matrix. */
bool trui_joints_dense(const step *s, size_t contacts);
/* Builds blocks of all contacts and joints; bias and theta of each contact must be set. */
tru_status trui_problem_build(step *s, tru_error *err);

#endif
