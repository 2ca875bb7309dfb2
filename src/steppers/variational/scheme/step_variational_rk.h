/* step_variational_rk.h: Runge-Kutta steps of any convex body. */
#ifndef TRUNDLE_STEPPERS_VARIATIONAL_SCHEME_STEP_VARIATIONAL_RK_H
#define TRUNDLE_STEPPERS_VARIATIONAL_SCHEME_STEP_VARIATIONAL_RK_H

#include "steppers/variational/scheme/rolling.h"

/* Any convex body, by Runge-Kutta on its rolling equations; whether a step of it is one. */
tru_status trui_rolling_step_rk(const tru_variational *o, const rolling *r, const rolling_node *start,
                                rolling_result *out, tru_error *err);
void trui_rolling_judge_rk(const tru_variational *o, const rolling *r, const rolling_node *start,
                           const rolling_node *end, tru_verdict *out);

#endif
