/* springs_energy.h: what contacts with springs do to the ledger, and how far a step is from their laws. */
#ifndef TRUNDLE_STEPPERS_SPRINGS_SPRINGS_ENERGY_H
#define TRUNDLE_STEPPERS_SPRINGS_SPRINGS_ENERGY_H

#include "steppers/springs/springs.h"

/* Energy of springs whose contacts opened goes where it belongs. */
void trui_springs_release(step *s);
/* Books the work of the contacts' impulses once the velocities at the end are known. *deepest [m]: the largest overlap. */
tru_status trui_springs_ledger(const tru_track *o, step *s, double *deepest, tru_error *err);
/* Residuals of the last step: of momentum, and of every contact from what the record of its springs says. */
tru_status trui_springs_judge(const tru_track *o, const tru_world *w, tru_verdict *out, tru_error *err);

#endif
