/* islands.h: the contact problem of a step in independent parts. */
#ifndef TRUNDLE_STEP_SOLVE_ISLANDS_H
#define TRUNDLE_STEP_SOLVE_ISLANDS_H

#include "step/step.h"

/* Divides the contacts of a step into islands and solves each by the solver that the plan chooses. Laws act on the velocities `free`
 * plus impulses, and on biases. `exact`: sweeps solve the exact form. */
tru_status trui_solve_islands(step *s, const twist *free, bool exact, tru_error *err);

#endif
