/* sim_events.h: events of a simulation: what is fresh, what is kept, the first of each kind per body, counts. */
#ifndef TRUNDLE_IO_SIM_EVENTS_H
#define TRUNDLE_IO_SIM_EVENTS_H

#include "sim_state.h"

tru_status trio_sim_collect_events(tru_sim *sim, tru_error *err);
/* Count and keep one event; false: no memory. */
bool trio_sim_keep_event(sim_events *e, const tru_event *event);
void trio_sim_events_release(sim_events *e);
/* After a snapshot was read: put the slots of the firsts back. */
void trio_sim_events_index(sim_events *e);

#endif
