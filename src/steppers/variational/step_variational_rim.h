/* step_variational_rim.h: a thick disk passes upright: its contact changes to the other rim. */
#ifndef TRUNDLE_STEPPERS_VARIATIONAL_STEP_VARIATIONAL_RIM_H
#define TRUNDLE_STEPPERS_VARIATIONAL_STEP_VARIATIONAL_RIM_H

#include "steppers/variational/step_variational_advance.h"

/* Has a thick disk passed upright? Then the step again, with its change to the other rim. */
typedef enum rolling_way_on { WAY_ON, WAY_ENDS, WAY_FAILS, WAY_HANDS_OVER } rolling_way_on;
bool trui_rolling_past_upright(const tru_variational *o, const rolling *r, const rolling_node *k);
rolling_way_on trui_rolling_cross(const tru_variational *o, rolling *r, const rolling_node *start, rolling_result *out,
                                  rolling_demand *d, tru_error *err);

#endif
