/* one_contact.h: one contact whose bodies touch nothing else: its six rows, solved to the result of newton.
 *
 * The problem is that of problem.h for a single block: u = G p + r, 0 <= p_n _|_ u_n >= 0, friction rows in the sets of the
 * laws (exact form). Rows that no law claims stay in the problem, with 1 on the diagonal and 0 elsewhere: their impulses are 0, and
 * all loops have 3 rows (no couples) or 6. */
#ifndef TRUNDLE_SOLVERS_ONE_CONTACT_ONE_CONTACT_H
#define TRUNDLE_SOLVERS_ONE_CONTACT_ONE_CONTACT_H

#include "solvers/one_contact/one_contact_data.h"

/* Returns true if this contact can be solved alone, given that its bodies have no other contact. The relaxed form cannot. */
static inline bool one_contact_possible(const contact *c) { return !(c->flags & CONTACT_RELAXED); }
/* Prepares laws, matrix, metric and the warm start, which extrapolates the impulses of the last steps. `view` is the contact as laws
 * see it; it is not read if the pair is plain. Returns false if viscous impulses make the problem singular. */
bool trui_one_contact_build(one_contact *l, contact *c, tru_contact *view, const problem_body *a, const problem_body *b,
                            double least_speed);
/* Computes matrix and metric for other inverse inertias. Returns false if viscous impulses make the problem singular. */
bool trui_one_contact_matrix(one_contact *l, const problem_body *a, const problem_body *b);
/* Computes r = W^T u_free + bias from velocities without the contact. */
void trui_one_contact_free_rates(one_contact *l, const twist *a, const twist *b);
/* Finds p and u to a relative residual <= tolerance in at most max_steps Newton steps, and stores the residual in *worst. Returns the
 * number of steps. */
int trui_one_contact_solve(one_contact *l, double tolerance, int max_steps, double *worst);
/* Lets laws change their sets. Returns true if one did, so that the contact must be solved again. */
bool trui_one_contact_revise(const one_contact *l);
/* Stores impulses and modes in the contact, and in `seen` the rates that its laws saw, up to theta; 0 in unclaimed rows. */
void trui_one_contact_finish(one_contact *l, double seen[TRU_ROWS]);
/* Reports the residuals like those of a problem of one block. */
void trui_one_contact_report(const one_contact *l, double worst, int steps, double tolerance, tru_solve_info *info);

#endif
