/* step_variational_slip.h: slip and dry resistance of scheme se3. */
#ifndef TRUNDLE_STEPPERS_VARIATIONAL_SE3_STEP_VARIATIONAL_SLIP_H
#define TRUNDLE_STEPPERS_VARIATIONAL_SE3_STEP_VARIATIONAL_SLIP_H

#include "steppers/variational/se3/se3_problem.h"

/* Dry resistance with pure rolling, from f. */
bool trui_se3_roll_dry(const se3 *p, found *f);
/* Slip by the retry ladder, from the stuck solution (NULL: none) or a guess. */
bool trui_se3_slide(const se3 *p, const found *stuck, const found *guess, found *f);

#endif
