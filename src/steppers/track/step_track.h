/* step_track.h: what others need of stepper track beside its descriptor. */
#ifndef TRUNDLE_STEPPERS_TRACK_STEP_TRACK_H
#define TRUNDLE_STEPPERS_TRACK_STEP_TRACK_H

#include "world/world.h"

/* Before body `who` is moved from outside to the pose of `there`: trui_springs_carry, whatever stepper the world has. */
void trui_track_carry(tru_world *w, size_t who, const body *there);

#endif
