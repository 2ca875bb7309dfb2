/* events.h: what begins and ends in a step, as events of the world. */
#ifndef TRUNDLE_STEP_END_EVENTS_H
#define TRUNDLE_STEP_END_EVENTS_H

#include "step/step.h"

/* Emits slip and stick of contact k's kinds; `before`: bits of tru_kind that stuck, u: rates. */
void trui_mode_events(step *s, size_t k, uint32_t before, const double u[TRU_ROWS]);
/* Emits what began and ended in the step. */
void trui_step_events(step *s);
/* Reserves the memory for that before the step is accepted; false: no memory. */
bool trui_step_due_room(step *s);

#endif
