/* start.h: contacts before the first step. */
#ifndef TRUNDLE_STEP_END_START_H
#define TRUNDLE_STEP_END_START_H

#include "step/step.h"

/* Finds them; nothing else of the world changes. */
tru_status trui_start_find(tru_world *w, tru_error *err);
/* Announces them as touches at the start of the first step, once. */
void trui_start_tell(tru_world *w);
/* Is there one between the solids of the key? Its touch was announced already. */
bool trui_start_knows(const tru_world *w, const contact_key *key);
/* After a step: those that are not closed have lifted; then they are forgotten. */
void trui_start_end(step *s, bool (*is_closed)(const step *s, const contact_key *key));

#endif
