/* joints.h: joints in a step: their rows, impulses and work. */
#ifndef TRUNDLE_STEP_JOINTS_H
#define TRUNDLE_STEP_JOINTS_H

#include "step/joints_repeat.h"

/* Rows of the joints at the present pose and what they ask for: of the rates at the end of the step, or of the mean ones. */
tru_status trui_joints_place(step *s, bool mean, tru_error *err);
/* Before a run: joints that are violated at the start are refused, rows that repeat others are a remark. */
tru_status trui_joints_check(tru_world *w, tru_error *err);

/* Their blocks behind those of the contacts: limited ones, then bilateral ones. */
void trui_joints_blocks(step *s);
/* r of the rows of a joint, and the impulses of its solved block onto joint and bodies. */
void trui_joint_free_rates(const step *s, const block *bl);
void trui_joint_push(const step *s, const block *bl);
/* Work of the joints in a solved step. */
void trui_joints_ledger(step *s);
/* The step is done. */
void trui_joints_accept(tru_world *w);
/* Momentum and angular momentum that joints gave a body in the last step. */
void trui_joints_explain(const tru_world *w, size_t who, tru_vec3 *push, tru_vec3 *turn);
/* How far a joint is from its law, with the velocities of its bodies after the step where its rows acted. */
void trui_joint_judge(const joint *j, double h, const twist *a, const twist *b, tru_verdict *out);

#endif
