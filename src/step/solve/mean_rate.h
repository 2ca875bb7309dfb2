/* mean_rate.h: gyroscopic torques at the mean rates of a step. */
#ifndef TRUNDLE_STEP_SOLVE_MEAN_RATE_H
#define TRUNDLE_STEP_SOLVE_MEAN_RATE_H

#include "step/step.h"

/* Linearises the gyroscopic torques of bodies with at most one contact about gyro_rate. */
void trui_gyro_linear(step *s);
/* Sets all bodies to plain inverse inertias, as if they had many contacts. */
void trui_gyro_plain(step *s);
/* Returns the body whose energy a gyroscopic torque away from the mean rate changes most, and by which part of it. */
size_t trui_gyro_worst(const step *s, double *error);
/* Fails a step in which that is too much. */
tru_status trui_gyro_fail(const step *s, tru_error *err);
/* Fails the step if gyro_free did not find the mean rate of some turning body. */
tru_status trui_gyro_check(const step *s, tru_error *err);

#endif
