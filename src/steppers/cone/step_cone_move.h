/* step_cone_move.h: poses at the end of a step of cone with impacts. */
#ifndef TRUNDLE_STEPPERS_CONE_STEP_CONE_MOVE_H
#define TRUNDLE_STEPPERS_CONE_STEP_CONE_MOVE_H

#include "step/step.h"

/* Moves all bodies to the end of the step; some contact is an impact that rebounds within it. */
tru_status trui_cone_move_struck(step *s, tru_error *err);
/* True if some pair has restitution. */
bool trui_cone_any_rebounds(const tru_world *w);

#endif
