/* one_body.h: what the steppers of one body on planes, `event` and `variational`, share: friction of a pair, loads. */
#ifndef TRUNDLE_STEP_ONE_BODY_ONE_BODY_H
#define TRUNDLE_STEP_ONE_BODY_ONE_BODY_H

#include "world/world.h"

/* Coefficients of law coulomb. */
typedef struct coulomb_numbers {
    double slide, slide_static; /* [-] */
    double stribeck;            /* [m/s]; 0: no fall of friction with speed */
} coulomb_numbers;

/* Those of a pair; zero without the law. */
coulomb_numbers trui_coulomb_of_pair(const pair *p);
/* [-] friction per normal force at a speed of slip in the unit of c->stribeck, and its derivative by the speed. */
double trui_coulomb_friction(const coulomb_numbers *c, double speed);
double trui_coulomb_slope(const coulomb_numbers *c, double speed);

/* [N], [N m] of all loads at a time [s] on the only free body, turned by r; world axes. */
void trui_loads_on_body(const tru_world *w, const tru_mat3 *r, double time, tru_vec3 *force, tru_vec3 *torque);

#endif
