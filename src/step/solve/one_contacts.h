/* one_contacts.h: contacts whose bodies have no other. */
#ifndef TRUNDLE_STEP_SOLVE_ONE_CONTACTS_H
#define TRUNDLE_STEP_SOLVE_ONE_CONTACTS_H

#include "step/step.h"

/* Which contacts are solved alone; room for the rates of all. */
tru_status trui_one_contacts_choose(step *s, tru_error *err);
/* Their matrices; the same again after the bodies' answers to impulses changed. */
tru_status trui_one_contacts_build(step *s, tru_error *err);
void trui_one_contacts_rebuild(step *s);
/* One of them by Newton, from u_free of the last kick; its impulses go onto its bodies, which are at u_free. */
tru_status trui_one_contacts_solve(step *s, one_contact *l, tru_solve_info *info);
/* The same where Newton's parameters are known, without a push; seen: what becomes of the rates its laws acted on. */
tru_status trui_one_contacts_solve_with(step *s, one_contact *l, const tru_newton *o, double *seen,
                                        tru_solve_info *info);
/* Newton's parameters for contacts alone; false: another solver was chosen, which gets them all. */
bool trui_one_contacts_newton(const tru_world *w, tru_newton *out);
/* Neither of its bodies has another contact or a joint. */
bool trui_contact_is_separate(const tru_world *w, const contact *c);

#endif
