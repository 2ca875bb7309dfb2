/* step_variational_view.h: reads a rolling body from the world, sets it down, and records what a step did. */
#ifndef TRUNDLE_STEPPERS_VARIATIONAL_SCHEME_STEP_VARIATIONAL_VIEW_H
#define TRUNDLE_STEPPERS_VARIATIONAL_SCHEME_STEP_VARIATIONAL_VIEW_H

#include "steppers/variational/scheme/rolling.h"

rolling trui_rolling_of(const tru_variational *o, tru_world *w);
/* The body as it stands, with the arm of the rim or support point in contact. */
rolling_node trui_rolling_start(const tru_variational *o, rolling *r);
/* [m] of the contact point above the plane. */
double trui_rolling_gap(const rolling *r, const rolling_node *k);
/* Point X from the centre of mass, and second derivative of the support function (unless NULL), where the outward normal is
 * `dir`; body axes. [m] */
void trui_rolling_surface(const rolling *r, tru_vec3 dir, tru_vec3 *point, tru_mat3 *hessian);
/* Arm of a body turned by q. */
void trui_rolling_support(const rolling *r, tru_quat q, rolling_node *k);
/* [N], [N m] of loads on the body turned by q at a time [s]. */
void trui_rolling_loads(const rolling *r, tru_quat q, double time, tru_vec3 *force, tru_vec3 *torque);
/* Energy that setting a body down adds. [J] */
typedef struct rolling_settling {
    double asked;     /* by option project: the scene starts with it */
    double projected; /* onto the plane, and within round-off of rolling */
} rolling_settling;
/* Sets the body onto the plane and takes away slip that its scheme cannot have. */
rolling_settling trui_rolling_settle(const tru_variational *o, const rolling *r, rolling_node *k);
/* Writes the contact record of the step; the one of the step before stays in w->contacts_before. False: no memory. */
bool trui_rolling_record(rolling *r, const rolling_result *out);
/* What a step leaves to the next one. */
void trui_rolling_leave(rolling *r, const rolling_result *out);

/* Axes of a disk turned by q, and the arm of its rim in contact [m]. */
disk_frame trui_rolling_disk_frame(const rolling *r, tru_quat q);
tru_vec3 trui_rolling_disk_arm(const rolling *r, const disk_frame *f);

#endif
