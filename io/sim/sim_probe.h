/* sim_probe.h: the probes of a simulation, by name; those of bodies that come later are found when these come. */
#ifndef TRUNDLE_IO_SIM_PROBE_H
#define TRUNDLE_IO_SIM_PROBE_H

#include "sim_state.h"

/* Finds the bodies that have come since the last call, for probes that wait for them. */
void trio_sim_find_probes(tru_sim *sim);

#endif
