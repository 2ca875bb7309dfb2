/* mean_rate.h: gyroscopic torques at the mean rates of a step. */
#ifndef TRUNDLE_STEP_SOLVE_MEAN_RATE_H
#define TRUNDLE_STEP_SOLVE_MEAN_RATE_H

#include "step/verbs.h"

/* Linearises the gyroscopic torques of bodies with at most one contact about gyro_rate. */
void trui_gyro_linear(step *s);
/* Repeats trui_kick and trui_solve_contacts until gyroscopic torques are those of the mean rates, at least `sweeps` times. */
tru_status trui_solve_at_mean(step *s, int sweeps, tru_error *err);

/* Fails the step if gyro_free did not find the mean rate of some turning body. */
tru_status trui_gyro_check(const step *s, tru_error *err);

#endif
