/* step_end.h: the end of a step. */
#ifndef TRUNDLE_STEP_END_STEP_END_H
#define TRUNDLE_STEP_END_STEP_END_H

#include "step/step.h"

/* Ends a step: if bodies and ledger are finite and plausible, advances time, publishes solver info and emits events; otherwise undoes it
 * and fails. */
tru_status trui_step_end(step *s, tru_status solved, tru_error *err);
/* Counts a step that ended at time `end` [s] and publishes its solver info. */
void trui_step_count(tru_world *w, const tru_solve_info *info, double end);

#endif
