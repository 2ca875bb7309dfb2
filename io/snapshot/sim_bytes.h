/* sim_bytes.h: what a simulation is besides its world and its scene, as bytes. */
#ifndef TRUNDLE_IO_SIM_BYTES_H
#define TRUNDLE_IO_SIM_BYTES_H

#include "common/stream.h"
#include "sim/sim_state.h"

/* Counts, writes or reads the bytes. Writing does not change the simulation. Reading needs a copy of trio_sim_copy.
 * *wall [s] is the wall time spent on the simulation so far. */
void trio_sim_stream(stream *s, tru_sim *sim, double *wall);
/* Copies what trio_sim_stream reads, so that damaged bytes change nothing. Returns false if memory ran out. */
bool trio_sim_copy(const tru_sim *sim, tru_sim *out);
/* Frees what trio_sim_copy and reading have allocated. */
void trio_sim_drop(tru_sim *copy);
/* Replaces the state by the one of the copy, releases the old one, and finds probes and the end of the run for it. */
void trio_sim_exchange(tru_sim *sim, tru_sim *copy);

#endif
