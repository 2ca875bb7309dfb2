/* radau.h: steps of order 9 for stiff ordinary differential equations, with integrals over each step.

   Radau IIA with 5 stages is implicit and L-stable, so that fast decaying parts do not limit the step. The caller has the loop: it tries a
   step, examines its end and its stages, and accepts it or tries a shorter one. Events are found by choosing the step that ends at them, with
   the full accuracy of the method. The unknowns are numbers of size about `scale`; callers with units divide by them first, so that results
   do not depend on units. Nothing is allocated. */
#ifndef TRUNDLE_MATH_RADAU_H
#define TRUNDLE_MATH_RADAU_H

#include <stdbool.h>

enum { RADAU_STAGES = 5, RADAU_MOST = 14, RADAU_EXTRAS = 16 };

/* Sets dy = f(y). extra, unless NULL, gets further quantities, of which the step computes integrals. */
typedef void radau_rate(void *context, const double *y, double *dy, double *extra);

typedef struct radau {
    /* set by the caller before tru_radau_start */
    radau_rate *rate;
    void *context;
    int n, extras;            /* number of unknowns and of extras */
    double tolerance;         /* [-] error of a step in parts of the size of each unknown, 1e-13 .. 1e-3; in parts that
                                 decay about as fast as a step is long it may be up to tolerance^0.6 / 10 */
    double scale[RADAU_MOST]; /* [-] the error of unknown i is measured against max(scale[i], |y[i]|) */

    /* the present point */
    double y[RADAU_MOST], dy[RADAU_MOST], extra[RADAU_EXTRAS];

    /* the last trial */
    double h;                                    /* its length */
    double end[RADAU_MOST], end_dy[RADAU_MOST];  /* at its end */
    double at[RADAU_STAGES][RADAU_MOST];         /* at its stages, the last one is its end */
    double extra_at[RADAU_STAGES][RADAU_EXTRAS]; /* extras at its stages */
    double gained[RADAU_EXTRAS];                 /* integrals of the extras over the step; not part of `error` */
    double error;                                /* [-] estimated, 1 is the tolerance */
    int iterations;                              /* Newton iterations, summed over all trials since the start */
    int trials;                                  /* number of trials since the start */

    /* private */
    double jacobian[RADAU_MOST * RADAU_MOST], lu[RADAU_MOST * RADAU_MOST];
    double lu_re[2][RADAU_MOST * RADAU_MOST], lu_im[2][RADAU_MOST * RADAU_MOST];
    int perm[RADAU_MOST], perm_c[2][RADAU_MOST];
    double z[RADAU_STAGES][RADAU_MOST], last[RADAU_STAGES][RADAU_MOST];
    double factored_h, last_h, last_error, rate_of_convergence, steepness;
    bool jacobian_here, jacobian_known, rejected;
} radau;

/* Places of the stages in a step of length 1, increasing; the last one is 1. */
extern const double tru_radau_node[RADAU_STAGES];

/* Begins at y and forgets what earlier steps have found. */
void tru_radau_start(radau *r, const double *y);
/* Tries a step of length h from the present point. False if its equations cannot be solved; a shorter one may be. The step meets the
   tolerance if error <= 1. */
bool tru_radau_try(radau *r, double h);
/* Moves the present point to the end of the last trial. */
void tru_radau_accept(radau *r);
/* Returns the step that should meet the tolerance, between 1/8 and 8 times that of the last trial. */
double tru_radau_next(const radau *r);

#endif
