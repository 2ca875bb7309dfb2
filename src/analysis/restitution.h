/* restitution.h: restitution of a spring with a dashpot, and the damping that gives a restitution.
 *
 * A body meets a spring and a dashpot with damping ratio z. Hooke: m x" = -k x - 2 z sqrt(k m) x'. Hertz with the dashpot of
 * Tsuji: m x" = -k x^(3/2) - z sqrt(5 k m) x^(1/4) x'. With y = x^(5/4) the speed as a function of y obeys the same equation
 * as that over Hooke's spring, and the force vanishes on the same line, so one formula holds for both [Antypov and Elliott
 * 2011].
 *
 * The contact ends where its force does, while the spring is still compressed, unless the dashpot may pull [Schwager and
 * Poeschel 2007]:
 *
 *   cut at zero    -ln e = 2 z acos(z) / sqrt(1 - z^2), continued beyond z = 1 by acosh(z) / sqrt(z^2 - 1)
 *   may pull       -ln e = pi z / sqrt(1 - z^2), z < 1 */
#ifndef TRUNDLE_ANALYSIS_RESTITUTION_H
#define TRUNDLE_ANALYSIS_RESTITUTION_H

/* [-] Least restitution. A lower one would need more damping than steps can resolve, 0 an infinite one, so this one replaces it. */
#define RESTITUTION_LEAST 0.05

/* Returns the restitution of a damping ratio of 0 or more, force cut at zero. */
double trui_restitution_of_damping(double ratio);
/* Returns the damping ratio for a restitution from 0 to 1, force cut at zero; below RESTITUTION_LEAST that of
 * RESTITUTION_LEAST. */
double trui_damping_of_restitution(double e);
/* Returns the damping ratio for a restitution from 0 to 1 of a dashpot that may pull: 1 for e = 0. */
double trui_damping_of_pulling(double e);

#endif
