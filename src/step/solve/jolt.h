/* jolt.h: velocities that contradict joints are an impact before the step. */
#ifndef TRUNDLE_STEP_SOLVE_JOLT_H
#define TRUNDLE_STEP_SOLVE_JOLT_H

#include "step/step.h"

/* Before a step that moves poses with mean velocities: if velocities contradict joints that are new, or whose bodies were set from
 * outside, strikes the joints alone at the start pose. The loss is an impact, and the step begins with the velocities after it. */
tru_status trui_jolt_joints(step *s, tru_error *err);

#endif
