/* impact.h: Poisson's impact law. */
#ifndef TRUNDLE_STEP_SOLVE_IMPACT_H
#define TRUNDLE_STEP_SOLVE_IMPACT_H

#include "step/step.h"

/* Solves compression and expansion of the islands with an impact by Poisson's law. Free velocities and biases of struck contacts
 * become those of the rest of the step. Biases must be set before. */
tru_status trui_impact_begin(step *s, bool exact, tru_error *err);
/* Adds impulses and report of the impact to those of the rest of the step, after that was solved. */
void trui_impact_end(step *s);

#endif
