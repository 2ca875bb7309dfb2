/* step_variational_judge.h: whether a step of `variational` obeys its equations. */
#ifndef TRUNDLE_STEPPERS_VARIATIONAL_STEP_VARIATIONAL_JUDGE_H
#define TRUNDLE_STEPPERS_VARIATIONAL_STEP_VARIATIONAL_JUDGE_H

#include "step/step.h"

tru_status trui_rolling_judge(const void *params, const tru_world *w, tru_verdict *out, tru_error *err);

#endif
