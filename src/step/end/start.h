/* start.h: contacts before the first step. */
#ifndef TRUNDLE_STEP_END_START_H
#define TRUNDLE_STEP_END_START_H

#include "step/step.h"

/* Finds contacts at the start poses into w->at_start; nothing else of the world changes. */
tru_status trui_start_find(tru_world *w, tru_error *err);
/* Emits them as touches at the start of the first step, once. */
void trui_start_tell(tru_world *w);
/* True if one of them is between the solids of the key: its touch was emitted already. */
bool trui_start_knows(const tru_world *w, const contact_key *key);
/* Emits a lift for those that are not closed after a step, and drops them once the stepper has its own contacts. */
void trui_start_end(step *s, bool (*is_closed)(const step *s, const contact_key *key));

#endif
