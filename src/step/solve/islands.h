/* islands.h: the contact problem of a step in independent parts. */
#ifndef TRUNDLE_STEP_SOLVE_ISLANDS_H
#define TRUNDLE_STEP_SOLVE_ISLANDS_H

#include "step/step.h"

/* `trui_problem_build` and `trui_solve_contacts` in one: every island to the solver that suits it. Laws act on `free` + bias at the end of
 * the step. */
tru_status trui_solve_islands(step *s, const twist *free, bool exact, tru_error *err);

#endif
