/* sim_stop.h: stop conditions: rest, flat, the n-th event of a kind, a probe beyond a value. */
#ifndef TRUNDLE_IO_SIM_STOP_H
#define TRUNDLE_IO_SIM_STOP_H

#include "sim_state.h"

tru_status trio_sim_add_stop(tru_sim *sim, const scene_stop *stop, tru_error *err);
/* Checks events [first, fresh_count) and probes. Sets done and reason if a condition holds. */
void trio_sim_check_stops(tru_sim *sim, size_t first);
bool trio_sim_stops_every_step(const tru_sim *sim);

#endif
