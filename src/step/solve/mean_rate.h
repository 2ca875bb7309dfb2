/* mean_rate.h: gyroscopic torques at the mean rates of a step. */
#ifndef TRUNDLE_STEP_SOLVE_MEAN_RATE_H
#define TRUNDLE_STEP_SOLVE_MEAN_RATE_H

#include "step/step.h"

/* The gyroscopic torque of bodies alone follows their mean rate to first order from gyro_rate on. */
void trui_gyro_linear(step *s);
/* Undoes that: all bodies as if they had many contacts. */
void trui_gyro_plain(step *s);
/* Returns the body whose energy a gyroscopic torque away from the mean rate changes most, and by which part of it. */
size_t trui_gyro_worst(const step *s, double *error);
/* Fails a step in which that is too much. */
tru_status trui_gyro_fail(const step *s, tru_error *err);
/* Fails the step if the mean rate of some turning body was not found by gyro_free. */
tru_status trui_gyro_check(const step *s, tru_error *err);

#endif
