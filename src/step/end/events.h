/* events.h: what begins and ends in a step, as events of the world. */
#ifndef TRUNDLE_STEP_END_EVENTS_H
#define TRUNDLE_STEP_END_EVENTS_H

#include "step/step.h"

/* Slip and stick of contact k's kinds that were `before` (bits of tru_kind stick), as events of the world; u: its rates. */
void trui_mode_events(step *s, size_t k, uint32_t before, const double u[TRU_ROWS]);
/* What began and ended in the step, as events of the world; and room for it before. */
void trui_step_events(step *s);
bool trui_step_due_room(step *s);

#endif
