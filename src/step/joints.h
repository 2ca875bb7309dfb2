/* joints.h: joints in a step: their rows, impulses and work. */
#ifndef TRUNDLE_STEP_JOINTS_H
#define TRUNDLE_STEP_JOINTS_H

#include "step/joints_repeat.h"

/* Computes rows and biases of the joints at the present pose; rows act on the rates at the end of the step, or (mean) on mean rates. */
tru_status trui_joints_place(step *s, bool mean, tru_error *err);
/* Checks joints before a run: refuses those that are violated at the start; rows that repeat others are a remark. */
tru_status trui_joints_check(tru_world *w, tru_error *err);
/* Fails if a joint that held its bodies would not hold them as `a` and `b`, which are the same bodies in other poses. */
tru_status trui_joint_holds(const tru_world *w, const joint *j, const body *a, const body *b, tru_error *err);

/* Appends their blocks to those of the contacts: limited ones, then bilateral ones. */
void trui_joints_blocks(step *s);
/* Computes r of the rows of a joint; gives the impulses of its solved block to joint and bodies. */
void trui_joint_free_rates(const step *s, const block *bl);
void trui_joint_push(const step *s, const block *bl);
/* Books the work of the joints in a solved step. */
void trui_joints_ledger(step *s);
/* Counts the step in the age of the joints. */
void trui_joints_accept(tru_world *w);
/* Adds momentum and angular momentum that joints gave a body in the last step. */
void trui_joints_explain(const tru_world *w, size_t who, tru_vec3 *push, tru_vec3 *turn);
/* Adds to `out` how far a joint is from its law, with velocities after the step in the axes where its rows acted. */
void trui_joint_judge(const joint *j, double h, const twist *a, const twist *b, tru_verdict *out);

#endif
