/* step_variational_roll.h: a trial of a step of scheme se3, and pure rolling. */
#ifndef TRUNDLE_STEPPERS_VARIATIONAL_SE3_STEP_VARIATIONAL_ROLL_H
#define TRUNDLE_STEPPERS_VARIATIONAL_SE3_STEP_VARIATIONAL_ROLL_H

#include "steppers/variational/se3/se3_problem.h"

/* Values of a step xi; with slopes, its derivatives too. */
void trui_se3_try(const se3 *p, tru_vec3 xi, bool slopes, trial *t);
/* Pi- at the end of the step, body axes there. [N m s] */
tru_vec3 trui_se3_momentum_at_end(const se3 *p, tru_vec3 xi);
/* Half of the viscous couple over the step, [N m s], and its derivative by xi (it is linear). */
tru_vec3 trui_se3_viscous_half(const se3 *p, tru_vec3 xi);
tru_mat3 trui_se3_viscous_slope(const se3 *p);
/* What is small against a step: round-off leaves of xi, and what gravity turns in it. [rad] */
double trui_se3_angle_scale(const se3 *p, tru_vec3 xi);
/* Impulses of the first node from the way. */
void trui_se3_impulses(const se3 *p, found *f);
/* Pure rolling from the guess f->xi: three unknowns. False: no solution. */
bool trui_se3_roll(const se3 *p, found *f);

#endif
