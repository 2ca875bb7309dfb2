/* springs_many.h: eight contacts of balls with balls or planes side by side in vector registers (stepper track).
 *
 * A lane goes through the operations of trui_springs_load for a contact that was followed before, in the same order, so its bits
 * are those of the contact alone. Contacts for which anything else holds (new ones, other shapes, laws whose coefficients depend
 * on the moment in other ways, a number out of the range of a series) are loaded alone. */
#ifndef TRUNDLE_STEPPERS_SPRINGS_SPRINGS_MANY_H
#define TRUNDLE_STEPPERS_SPRINGS_SPRINGS_MANY_H

#include "steppers/springs/springs_kernel.h"

/* Whether contacts of a pair have a form that the kernel knows. */
bool trui_spring_form_of(const tru_track *o, const tru_world *w, const pair *p, spring_form *f);

/* Loads all contacts (trui_springs_load), with their books in the ledger: eight at a time where they are alike. */
tru_status trui_springs_load_all(const tru_track *o, step *s, tru_error *err);

#endif
