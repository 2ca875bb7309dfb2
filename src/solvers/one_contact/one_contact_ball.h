/* one_contact_ball.h: the contact of a ball, whose rows decouple, in closed form. */
#ifndef TRUNDLE_SOLVERS_ONE_CONTACT_ONE_CONTACT_BALL_H
#define TRUNDLE_SOLVERS_ONE_CONTACT_ONE_CONTACT_BALL_H

#include "solvers/one_contact/one_contact_data.h"

#define ONE_CONTACT_STRAIGHT 0x1p-46 /* [-] largest part of an arm across the normal that counts as round-off */
#define ONE_CONTACT_TURNS    20      /* [iterations] of the directions of two slipping discs */

/* Returns true if this is the contact of a ball whose laws have limits, and fills in its responses. */
bool trui_one_contact_is_ball(one_contact *l, const problem_body *a, const problem_body *b);
/* Finds p and u of a ball in closed form. Returns false if no case obeys the laws to round-off. */
bool trui_one_contact_solve_ball(one_contact *l);

#endif
