/* lever.h: the lever, which maps roll rate to the speed of the contact point over the surfaces, and the radii of a contact. */
#ifndef TRUNDLE_DETECT_LEVER_H
#define TRUNDLE_DETECT_LEVER_H

#include "shapes/placed.h"

/* At a contact of a and b with frame (normal from B to A, t1, t2 = normal x t1), all in world axes:
 * lever [m]: (speed along t1, t2) = lever (roll rate omega_A - omega_B about t1, t2), when the contact rolls without
 *   slip. With S the curvatures [1/m] it is (S_A + S_B)^-1 (omega x n)_t; on a plane H (omega x n)_t, H = 1/S_A.
 * radius_effective [m]: 2 / trace(S_A + S_B). Where a curvature is infinite (rim, corner, edge): 2 / trace S of the
 *   other body if that is bounded and round, else 0.
 * radius_smaller [m]: the smaller of the bounded shapes' radii; that of the round body where the other one is not. */
void trui_lever_of(const placed *a, const placed *b, tru_vec3 normal, tru_vec3 t1, tru_vec3 t2, double lever[2][2],
                   double *radius_effective, double *radius_smaller);

/* Returns whether the contact of this lever has finite curvatures in both directions. */
bool trui_lever_is_curved(double lever[2][2]);

#endif
