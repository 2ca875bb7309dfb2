/* one_contacts.h: contacts whose bodies have no other contact. */
#ifndef TRUNDLE_STEP_SOLVE_ONE_CONTACTS_H
#define TRUNDLE_STEP_SOLVE_ONE_CONTACTS_H

#include "step/step.h"

/* Chooses the contacts that are solved alone, and allocates the rates of all contacts. */
tru_status trui_one_contacts_choose(step *s, tru_error *err);
/* Builds their problems. */
tru_status trui_one_contacts_build(step *s, tru_error *err);
/* Builds their matrices again after inverse inertias changed. */
void trui_one_contacts_rebuild(step *s);
/* Solves one of them by Newton's method and applies its impulses to its bodies, which have their free velocities. */
tru_status trui_one_contacts_solve(step *s, one_contact *l, tru_solve_info *info);
/* Solves one of them with given parameters of newton, without applying its impulses. `seen` gets the rates that its laws acted on. */
tru_status trui_one_contacts_solve_with(step *s, one_contact *l, const tru_newton *o, double *seen,
                                        tru_solve_info *info);
/* Stores the parameters of newton for separate contacts. Returns false if the plan does not solve contacts alone. */
bool trui_one_contacts_newton(const tru_world *w, tru_newton *out);
/* Returns true if neither body of a contact has another contact or a joint. */
bool trui_contact_is_separate(const tru_world *w, const contact *c);

#endif
