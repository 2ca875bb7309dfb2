/* contact_problem.h: the problem of some contacts and joints, built, solved and applied. */
#ifndef TRUNDLE_STEP_SOLVE_CONTACT_PROBLEM_H
#define TRUNDLE_STEP_SOLVE_CONTACT_PROBLEM_H

#include "step/step.h"

/* Builds blocks of some contacts (NULL: of all `count`), with a matrix or without; step.problem gets those of the joints too. */
tru_status trui_problem_of_contacts(step *s, tru_problem *pb, const uint32_t *chosen, size_t count, bool matrix,
                                    tru_error *err);
/* Sets r = W^T u_free + bias. */
void trui_problem_begin(const step *s, tru_problem *pb);
/* Finds its impulses by some solver, from those in it, also where sets depend on what sticks. */
tru_status trui_problem_solve(step *s, tru_problem *pb, const tru_solver *solver, const void *params,
                              tru_solve_info *info, tru_error *err);
/* Continues by proxnewton where newton stalled; the better of the two stays (no bilateral rows were eliminated). */
tru_status trui_problem_go_on(step *s, tru_problem *pb, double tolerance, tru_solve_info *info, tru_error *err);
/* Velocities without contacts, of one body and of all; and the impulses onto them and into the contacts. */
void trui_body_to_free(step *s, size_t body);
void trui_bodies_to_free(step *s);
void trui_problem_apply(step *s, const tru_problem *pb);

/* What a part of the step's contacts says of its solve (contacts[part->worst], `count` of them) into what the step says;
 * iterations are those of the part that took most. */
void trui_merge_info(tru_solve_info *all, const tru_solve_info *part, const uint32_t *contacts, size_t count,
                     size_t step_count);
/* Rates of a solved problem into step.seen. */
void trui_take_rates(const step *s, const tru_problem *pb);

#endif
