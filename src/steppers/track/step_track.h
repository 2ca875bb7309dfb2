/* step_track.h: what others need of stepper track beside its descriptor. */
#ifndef TRUNDLE_STEPPERS_STEP_TRACK_H
#define TRUNDLE_STEPPERS_STEP_TRACK_H

#include "world/world.h"

/* Before body `who` is moved from outside to the pose of `there`: springs_carry, whatever stepper the world has. */
void track_carry(tru_world *w, size_t who, const body *there);

#endif
