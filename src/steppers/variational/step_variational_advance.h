/* step_variational_advance.h: a step by the scheme that was chosen, and what the contact has to do in it. */
#ifndef TRUNDLE_STEPPERS_VARIATIONAL_STEP_VARIATIONAL_ADVANCE_H
#define TRUNDLE_STEPPERS_VARIATIONAL_STEP_VARIATIONAL_ADVANCE_H

#include "steppers/variational/scheme/rolling.h"

/* What the contact has to do at a node, and whether it can. */
typedef struct rolling_demand {
    double normal;   /* [N s] */
    double friction; /* [-] needed per normal impulse */
    bool lifts, slips;
} rolling_demand;
rolling_demand trui_rolling_demand_of_impulse(const rolling *r, tru_vec3 impulse);
/* Of the first node of a step: with the half of the step before. */
rolling_demand trui_rolling_demand_of(const rolling *r, const rolling_result *out);
/* Does a demand end the run? */
bool trui_rolling_ends(const tru_variational *o, const rolling_demand *d);
void trui_rolling_announce(const rolling *r, double time, int kind, int row_kind, double speed);

/* Contacts that were left to moreau stay with it. */
bool trui_rolling_handed_over(const tru_world *w);
/* The body at the end of a step. */
void trui_rolling_write(const rolling *r, const rolling_result *out);

/* A step by the scheme that was chosen, which can be trusted. */
tru_status trui_rolling_advance(const tru_variational *o, const rolling *r, const rolling_node *start,
                                rolling_result *out, tru_error *err);

#endif
