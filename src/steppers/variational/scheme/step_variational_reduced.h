/* step_variational_reduced.h: a disk in its three angles: momenta, accelerations, and one step of its schemes.
 *
 * Symbols of [variational-equations 1] and [C12] stand next to the names. Everything that the schemes solve for is a pure
 * number: angles of a step, lengths in radii, rates times the step. */
#ifndef TRUNDLE_STEPPERS_VARIATIONAL_SCHEME_STEP_VARIATIONAL_REDUCED_H
#define TRUNDLE_STEPPERS_VARIATIONAL_SCHEME_STEP_VARIATIONAL_REDUCED_H

#include <stdbool.h>
#include "math/elementary/elementary.h"

enum { THETA, PHI, PSI, ANGLES };

/* Disk of radius r, mass M and thickness 2 e r on one rim; g is along the normal of the plane. */
typedef struct reduced_disk {
    double e;                               /* [-] e/2 of [C12]: half the thickness over the radius */
    double i1, i3;                          /* [-] moments across and about the axis over M r^2 */
    double g;                               /* [-] h^2 g/r */
    double a, tip, roll, per_tip, per_roll; /* 1 - I1 + I3 - e^2, 1 + I1 + e^2, 1 + I3, and one over the last two */
    double det;                             /* I1 (1 + I3) + I3 e^2 */
} reduced_disk;
reduced_disk trui_reduced_disk_of(double e, double i1, double i3, double g);

/* An angle by its sine and cosine. */
typedef struct reduced_angle {
    double s, c; /* [-] */
} reduced_angle;

/* Where a force is asked for. */
typedef struct reduced_at {
    reduced_angle theta;
    double gone[ANGLES]; /* [rad] from the start of the step */
    double part;         /* [-] of the step that has passed */
    double rate[ANGLES]; /* [-] h times the rates of theta, phi, psi */
} reduced_at;
/* h^2 Q/(M r^2): generalised forces that are compatible with rolling. NULL: none. */
typedef void reduced_force(const void *context, const reduced_at *at, double q[ANGLES]);

/* One step. */
typedef struct reduced_step {
    reduced_disk disk;
    reduced_force *force;
    const void *context;
    reduced_angle theta, theta_end; /* at the start and at the end */
    double rate[ANGLES];            /* [-] h times the rates at the start */
    double d[ANGLES];               /* [rad] change of the angles; before trui_reduced_solve: where to begin */
    double plain[ANGLES];           /* [rad] where to begin without experience */
    reduced_angle half[ANGLES];     /* of d/2 */
    double path[2];                 /* [-] way of the contact point over r, along the heading of the start and across */
    double end[ANGLES];             /* [-] h times the rates at the end */
    double p[ANGLES], p_end[ANGLES]; /* [-] momenta at the two nodes */
    double force_mean[3];            /* [-] q at the middle of the step (variational schemes) */
    int iterations;
} reduced_step;

reduced_angle trui_reduced_angle_of(double theta);
static inline reduced_angle reduced_angle_turned(reduced_angle a, double by) {
    double s, c;
    tru_sincos_small(by, &s, &c);
    return (reduced_angle){a.s * c + a.c * s, a.c * c - a.s * s};
}

/* h p/(M r^2) of rates at a node: the Legendre transform. */
void trui_reduced_momenta(const reduced_disk *k, reduced_angle theta, const double rate[ANGLES], double p[ANGLES]);
/* Its inverse; false at theta = 0. */
bool trui_reduced_rates(const reduced_disk *k, reduced_angle theta, const double p[ANGLES], double rate[ANGLES]);
/* Discrete momenta of a step d from theta: `start` at its first node, `end` at its last, without forces; `slope`
 * (unless NULL) is the derivative of `start` by d. (14), (15), (16) of [C12], corrected, over 4, 2, 1. */
void trui_reduced_discrete(const reduced_disk *k, reduced_angle theta, const double d[ANGLES], double start[ANGLES],
                           double end[ANGLES], double slope[ANGLES][ANGLES]);
/* h^2 E/(M r^2), potential zero at the plane. */
double trui_reduced_energy(const reduced_disk *k, reduced_angle theta, const double rate[ANGLES]);
/* h^2 times the accelerations (10)-(12) under forces q. */
void trui_reduced_accelerate(const reduced_disk *k, reduced_angle theta, const double rate[ANGLES],
                             const double q[ANGLES], double out[ANGLES]);
/* q in the middle of a step d. */
void trui_reduced_middle_force(const reduced_step *s, double q[ANGLES]);
/* Where to begin: by rates and accelerations of the start; unless NULL, lag is d - end of the last step and missed what
 * this guess was then short of. */
void trui_reduced_guess(reduced_step *s, const double *lag, const double *missed);
/* Variational step; with `as_published` the angles change by d = rate, whatever momentum that is. False: no solution. */
bool trui_reduced_solve(reduced_step *s, bool as_published);
/* Explicit Runge-Kutta step of the same equations, a tru_rolling_scheme. False: flat, or turned over. */
bool trui_reduced_runge_kutta(reduced_step *s, int scheme);

/* Explicit methods of up to four stages: c and a below the diagonal (only the stage before counts), weights b. */
typedef struct rolling_tableau {
    int stages;
    double c[4], b[4];
} rolling_tableau;
const rolling_tableau *trui_rolling_tableau_of(int scheme);

#endif
