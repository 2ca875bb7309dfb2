/* contact_problem.h: the problem of some contacts and joints, built, solved and applied. */
#ifndef TRUNDLE_STEP_SOLVE_CONTACT_PROBLEM_H
#define TRUNDLE_STEP_SOLVE_CONTACT_PROBLEM_H

#include "step/step.h"

/* Builds the blocks of the `count` contacts in `chosen` (NULL: all), with or without a dense matrix. step.problem gets the blocks
 * of the joints too. */
tru_status trui_problem_of_contacts(step *s, tru_problem *pb, const uint32_t *chosen, size_t count, bool matrix,
                                    tru_error *err);
/* Sets r = W^T u_free + bias. */
void trui_problem_begin(const step *s, tru_problem *pb);
/* Finds the impulses by a solver, from those in the problem. Solves again while laws revise their sets. */
tru_status trui_problem_solve(step *s, tru_problem *pb, const tru_solver *solver, const void *params,
                              tru_solve_info *info, tru_error *err);
/* Continues by proxnewton where newton stalled, without the dense matrix. The better result of the two stays. The problem must not
 * have eliminated bilateral rows. */
tru_status trui_problem_continue(step *s, tru_problem *pb, const tru_proxnewton *params, tru_solve_info *info,
                                 tru_error *err);
/* Sets one body, or all, to the velocities without contacts. */
void trui_body_to_free(step *s, size_t body);
void trui_bodies_to_free(step *s);
/* Applies the impulses of a problem to its bodies, and stores them in its contacts and joints. */
void trui_problem_apply(step *s, const tru_problem *pb);

/* Merges the report of a part with `count` contacts into that of the step. part->worst is an index into `contacts`. The number of
 * iterations becomes that of the part with the most. */
void trui_merge_info(tru_solve_info *all, const tru_solve_info *part, const uint32_t *contacts, size_t count,
                     size_t step_count);
/* Stores the rates of a solved problem in step.seen. */
void trui_take_rates(const step *s, const tru_problem *pb);

#endif
