/* sim_emitter.h: the emitters of a simulation, which add bodies while it runs. */
#ifndef TRUNDLE_IO_SIM_EMITTER_H
#define TRUNDLE_IO_SIM_EMITTER_H

#include "sim_state.h"

/* Adds the bodies that are due by now. */
tru_status trio_sim_emit(tru_sim *sim, tru_error *err);
bool trio_sim_emitters_finished(const tru_sim *sim);
/* True if an emitter of the scene makes a body of this name, now or later: 'rain-3' of the emitter 'rain'. */
bool trio_sim_body_comes(const tru_sim *sim, const char *name);
/* Returns the largest number of bodies that the run can have, including those that leave; at least 1. */
size_t trio_sim_most_bodies(const tru_sim *sim);

#endif
