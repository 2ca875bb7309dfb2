/* step_variational_se3.h: a step of scheme se3. */
#ifndef TRUNDLE_STEPPERS_VARIATIONAL_SE3_STEP_VARIATIONAL_SE3_H
#define TRUNDLE_STEPPERS_VARIATIONAL_SE3_STEP_VARIATIONAL_SE3_H

#include "steppers/variational/se3/se3_problem.h"

node_loads trui_se3_loads(const rolling *r, tru_quat q, double time);
/* Momenta of a node in world axes get half a step of gravity and loads. */
void trui_se3_half_momenta(const rolling *r, const node_loads *l, tru_vec3 *push, tru_vec3 *turn);
void trui_se3_problem(const rolling *r, const rolling_node *k, const node_loads *l, se3 *p);

/* Any convex body, rolling or slipping. */
tru_status trui_rolling_step_se3(const tru_variational *o, const rolling *r, const rolling_node *start,
                                 rolling_result *out, tru_error *err);

#endif
