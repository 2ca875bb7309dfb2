/* jolt.h: velocities that contradict joints are an impact before the step. */
#ifndef TRUNDLE_STEP_SOLVE_JOLT_H
#define TRUNDLE_STEP_SOLVE_JOLT_H

#include "step/step.h"

/* Solves an impact on joints alone at the start pose, if velocities contradict joints that are new or whose bodies were set. The step
 * then starts with the velocities after it, and the loss is booked as impact. For steps that move poses with mean velocities. */
tru_status trui_jolt_joints(step *s, tru_error *err);

#endif
