/* free_turn.h: torque-free rotation of a body that conserves angular momentum and energy for any step.
 *
 * The body turns by exp(h y) with a rate y that is constant over the step. L is the angular momentum, I the inertia at the
 * start, both in world axes; in body axes the momentum goes from L to exp(-h y) L. If y is the mean of the rates at both ends,
 * seen from the body, then the energy changes by (difference of momenta).y, and a rotation about y leaves the component
 * along y as it is: the energy stays for every angle h |y|. The mean momentum is I y, so y is a root of
 *
 *   I y + g y x I y = L,   g = tan(h |y| / 2) / |y|. */
#ifndef TRUNDLE_WORLD_ROTATION_FREE_TURN_H
#define TRUNDLE_WORLD_ROTATION_FREE_TURN_H

#include "world/body.h"

/* Turns an anisotropic free body, whose inertia at its pose is `inertia` (world axes), for h [s]: sets q and w. Returns the
 * energy [J] that it gained, which is round-off; NAN if the rotation is too large, and then nothing is set. */
double trui_free_turn(body *b, tru_mat3 inertia, double h);

#endif
