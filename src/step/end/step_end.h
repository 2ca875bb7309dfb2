/* step_end.h: the end of a step. */
#ifndef TRUNDLE_STEP_END_STEP_END_H
#define TRUNDLE_STEP_END_STEP_END_H

#include "step/step.h"

/* Everything is finite: advance time, publish solver info, emit events. Otherwise undo. */
tru_status trui_step_end(step *s, tru_status solved, tru_error *err);
/* Count a step that ended at time `end` [s], and publish what its solver says. */
void trui_step_count(tru_world *w, const tru_solve_info *info, double end);

#endif
