/* step_variational_disk.h: steps of a disk in its three angles, and how they are judged. */
#ifndef TRUNDLE_STEPPERS_VARIATIONAL_SCHEME_STEP_VARIATIONAL_DISK_H
#define TRUNDLE_STEPPERS_VARIATIONAL_SCHEME_STEP_VARIATIONAL_DISK_H

#include "steppers/variational/scheme/rolling.h"

tru_status trui_rolling_step_reduced(const tru_variational *o, const rolling *r, const rolling_node *start,
                                     rolling_result *out, tru_error *err);
/* Of the reduced schemes: residuals of the equations they solve, from the two nodes and the contact record. */
void trui_rolling_judge_reduced(const tru_variational *o, const rolling *r, const rolling_node *start,
                                const rolling_node *end, tru_verdict *out);

/* Kinetic energy [J] and height [m] of a disk in the middle of a step between two attitudes, in its angles. */
void trui_rolling_middle_of_disk(const rolling *r, tru_quat start, tru_quat end, double *kinetic, double *height);

#endif
