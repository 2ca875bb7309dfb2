/* step_event_judge.h: the judge of stepper event. */
#ifndef TRUNDLE_STEPPERS_EVENT_STEP_EVENT_JUDGE_H
#define TRUNDLE_STEPPERS_EVENT_STEP_EVENT_JUDGE_H

#include "world/world.h"

/* Computes the residuals of the last step; always returns TRU_OK. */
tru_status trui_event_judge(const void *params, const tru_world *w, tru_verdict *out, tru_error *err);

#endif
