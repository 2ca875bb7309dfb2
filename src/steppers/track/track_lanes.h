/* track_lanes.h: eight worlds of one ball on one plane side by side in the lanes of vector registers (stepper track). */
#ifndef TRUNDLE_STEPPERS_TRACK_TRACK_LANES_H
#define TRUNDLE_STEPPERS_TRACK_TRACK_LANES_H

#include "world/world.h"

/* Advance several worlds by `steps`, each as the stepper would alone; status[i] and err[i] of each. */
void trui_track_run_many(tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status, tru_error *err);

#endif
