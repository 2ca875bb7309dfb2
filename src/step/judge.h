/* judge.h: how far a step is from the laws of motion and of contact. */
#ifndef TRUNDLE_STEP_JUDGE_H
#define TRUNDLE_STEP_JUDGE_H

#include "step/step.h"

/* Returns the laws of a contact as its last solve left them; work that was not kept is prepared again, into `work`. */
void trui_laws_again(const contact *c, tru_contact *view, double work[][TRU_LAW_WORK], law_use *laws);

/* Where a stepper takes the gyroscopic torque: at the mean rate of the step, at its start, at the mean rate that the body has
 * without contacts and joints, or not at all, because it keeps the angular momentum itself. */
typedef enum judge_gyro { JUDGE_MEAN, JUDGE_START, JUDGE_FREE, JUDGE_MOMENTUM } judge_gyro;
/* Computes residuals of the last step from bodies before and after, contacts and impulses. */
tru_status trui_judge_step(const tru_world *w, double h, judge_gyro gyro, tru_verdict *out, tru_error *err);
/* Computes the part of the bodies. */
tru_status trui_judge_bodies(const tru_world *w, double h, judge_gyro gyro, tru_verdict *out, tru_error *err);
/* Adds contact k: `gap` is how far it is from its law, as velocities. */
void trui_judge_note(tru_verdict *out, const double gap[TRU_KINDS], double arm, int32_t k, double *worst);

#endif
