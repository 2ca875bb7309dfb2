/* mean_rate.h: gyroscopic torques at the mean rates of a step. */
#ifndef TRUNDLE_STEP_SOLVE_MEAN_RATE_H
#define TRUNDLE_STEP_SOLVE_MEAN_RATE_H

#include "step/verbs.h"

/* The gyroscopic torque of bodies alone follows their mean rate to first order from gyro_rate on. */
void trui_gyro_linear(step *s);
/* `trui_kick` and `trui_solve_contacts` with gyroscopic torques at the mean rates of the solution. */
tru_status trui_solve_at_mean(step *s, int sweeps, tru_error *err);

/* Fails the step if the mean rate of some turning body was not found by gyro_free. */
tru_status trui_gyro_check(const step *s, tru_error *err);

#endif
