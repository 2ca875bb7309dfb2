/* gyro.h: the mean rate of a body that rotates freely in a long step. */
#ifndef TRUNDLE_WORLD_ROTATION_GYRO_H
#define TRUNDLE_WORLD_ROTATION_GYRO_H

#include "math/mat.h"

#include <stdbool.h>

#define GYRO_DONE                                                                                                      \
    1e-24 /* [-] squared relative size of the last change; Newton's method squares it in the next iteration */

/* Solves I u + h/2 u x I u = aim for u, from the u given, by Newton's method with a line search. False if it does not converge. A
 * solution exists for every step: the product with u gives u.I u = u.aim, so that no solution is larger than I^-1 aim. */
bool trui_gyro_search(const tru_mat3 *inertia, tru_vec3 aim, double h, tru_vec3 *u);

#endif
