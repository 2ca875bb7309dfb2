/* frozen.h: the contact problem of one step of spheres, frozen in a file, and our judge of any answer to it.
 *
 * A problem file is text, SI units, one object a line; bodies and contacts are counted from 0:
 *
 *     frozen 1
 *     body INV_MASS INV_INERTIA  VX VY VZ  WX WY WZ          velocities as they were without contacts
 *     contact A B  NX NY NZ  ARM_A ARM_B  BIAS  SLIDE SPIN ROLL
 *
 * B = -1: does not move. n points from B to A; the contact point lies at -ARM_A n from A's centre and ARM_B n from B's.
 * Find an impulse p and a couple t on A for every contact such that, with the velocities they lead to,
 *     0 <= p_n  _|_  u_n + BIAS >= 0,  |p_t| <= SLIDE p_n,  |t_n| <= SPIN p_n,  |t_t| <= ROLL p_n,
 * friction opposing slip u_t, spin w_n and roll w_t. An answer is one line a contact: PX PY PZ TX TY TZ, world axes. */
#ifndef PEERS_FROZEN_H
#define PEERS_FROZEN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct frozen_body {
    double inv_mass, inv_inertia; /* [1/kg], [1/(kg m^2)] */
    double v[3], w[3];            /* [m/s], [rad/s] */
} frozen_body;

enum { FROZEN_SLIDE, FROZEN_SPIN, FROZEN_ROLL, FROZEN_LIMITS };

typedef struct frozen_contact {
    long a, b;
    double n[3];                 /* [-] */
    double arm_a, arm_b;         /* [m] */
    double bias;                 /* [m/s] */
    double limit[FROZEN_LIMITS]; /* [-], [m], [m] */
} frozen_contact;

typedef struct frozen {
    frozen_body *bodies;
    frozen_contact *contacts;
    size_t body_count, contact_count;
} frozen;

typedef struct frozen_impulse {
    double p[3], t[3]; /* [N s], [N m s] on A */
} frozen_impulse;

typedef struct frozen_verdict {
    double rms, max; /* [m/s] natural residual over contacts, couples times their length */
} frozen_verdict;

/* Each of these exits with a sentence when something is wrong. */
frozen frozen_read(const char *path);
void frozen_write(const char *path, const frozen *f);
void frozen_free(frozen *f);

/* How far an answer is from the laws: the natural map of the exact form (De Saxce), or of the relaxed one, in the metric that
 * Trundle's own solvers use. Velocities are computed from the impulses. */
frozen_verdict frozen_judge(const frozen *f, const frozen_impulse *answer, bool relaxed);
/* [m/s] A bound that every answer of the relaxed form obeys, from any impulses g within the cones: velocities v that meet the
 * laws have g.(W^T v + bias) >= 0, so their mass-weighted rms is at least -g.bias / |M^-1 W g|, in the norm of the masses. A
 * self-stress that works against the bias makes it as large as one likes: there is no answer then. */
double frozen_least_speed(const frozen *f, const frozen_impulse *g);
/* Velocities that an answer leads to, a line VX VY VZ WX WY WZ for every body: answers are compared by them, impulses of
 * redundant contacts may differ. */
void frozen_write_ends(const char *path, const frozen *f, const frozen_impulse *answer);
/* Makes couples comparable with forces at a contact [m]. */
double frozen_length(const frozen *f, const frozen_contact *c);

#endif
