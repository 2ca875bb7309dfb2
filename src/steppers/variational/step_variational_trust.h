/* step_variational_trust.h: whether the end of a step can be trusted. */
#ifndef TRUNDLE_STEPPERS_VARIATIONAL_STEP_VARIATIONAL_TRUST_H
#define TRUNDLE_STEPPERS_VARIATIONAL_STEP_VARIATIONAL_TRUST_H

#include "steppers/variational/scheme/rolling.h"

/* Fails if the end of a step is a spurious solution: it turns too far, or the numerical part of
 * the energy leaves the band. */
tru_status trui_rolling_trust(const rolling *r, const rolling_node *start, const rolling_result *out, tru_error *err);

#endif
