/* step_event_change.h: decisions between legs. */
#ifndef TRUNDLE_STEPPERS_EVENT_STEP_EVENT_CHANGE_H
#define TRUNDLE_STEPPERS_EVENT_STEP_EVENT_CHANGE_H

#include "steppers/event/step_event_leg.h"

/* Adds an event of the present state to the world. */
void trui_event_announce(event_machine *m, int kind, int row_kind, double speed);
/* Lets moreau take over, with the limit case that is the reason, or -1. */
void trui_event_hand_over(event_machine *m, int limit_case);
/* Begins or continues the contact at a point: impact, rebound, slip, roll or lift. `lasting`: it was a contact before, and `stuck`
 * says in which mode. */
void trui_event_touch_down(event_machine *m, const event_touch *at, bool lasting, bool stuck);
/* Decides how to continue after a leg. */
void trui_event_next_mode(event_machine *m);

#endif
