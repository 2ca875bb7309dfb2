/* impact.h: Poisson's impact law. */
#ifndef TRUNDLE_STEP_SOLVE_IMPACT_H
#define TRUNDLE_STEP_SOLVE_IMPACT_H

#include "step/step.h"

/* Poisson's law: compression and expansion of the islands that an impact is in; v_free and the biases of the contacts that
 * struck become those of the rest of the step. Biases are set. */
tru_status trui_impact_begin(step *s, bool exact, tru_error *err);
/* After that was solved: impulses and info of both parts together. */
void trui_impact_end(step *s);

#endif
