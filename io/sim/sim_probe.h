/* sim_probe.h: the probes of a simulation by name, also of bodies that an emitter adds later. */
#ifndef TRUNDLE_IO_SIM_PROBE_H
#define TRUNDLE_IO_SIM_PROBE_H

#include "sim_state.h"

/* Finds the bodies of probes that an emitter has added since the last call. */
void trio_sim_find_probes(tru_sim *sim);

#endif
