/* solver_newton.h: Newton's method on the natural map, for other solvers too. */
#ifndef TRUNDLE_SOLVERS_NEWTON_SOLVER_NEWTON_H
#define TRUNDLE_SOLVERS_NEWTON_SOLVER_NEWTON_H

#include "problem/problem.h"

/* Goal of Newton's method on the natural map. */
typedef struct newton_goal {
    double tolerance; /* [-] relative residual at which it ends */
    double enough;    /* [-] relative residual that is accepted where steps no longer reduce it */
    int max_steps;
} newton_goal;

/* Solves like solver newton, also problems without a matrix. */
tru_status trui_newton_solve(const newton_goal *o, tru_problem *pb, tru_solve_info *info, tru_error *err);

#endif
