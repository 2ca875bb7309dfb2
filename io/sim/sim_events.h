/* sim_events.h: events of a simulation: what is fresh, what is kept, the first of each kind per body, counts. */
#ifndef TRUNDLE_IO_SIM_EVENTS_H
#define TRUNDLE_IO_SIM_EVENTS_H

#include "sim_state.h"

tru_status trio_sim_collect_events(tru_sim *sim, tru_error *err);
/* Counts and keeps one event. Returns false if memory ran out. */
bool trio_sim_keep_event(sim_events *e, const tru_event *event);
void trio_sim_events_release(sim_events *e);
/* Rebuilds the slots of the first events after a snapshot was read. */
void trio_sim_events_index(sim_events *e);

#endif
