/* One step at a time of a stiff ordinary differential equation, order 9, with integrals along the way.

   Radau IIA with 5 stages: implicit, L-stable, so that fast decaying parts cost nothing. The caller owns the loop: it
   asks for a trial step, looks at its end and its stages, and accepts it or tries a shorter one; events are found by
   choosing the step that ends on them, with the full accuracy of the method. The unknowns are pure numbers of size
   about `scale`: whoever has units divides by them first, so that no result depends on them. No allocation. */
#ifndef TRUNDLE_MATH_RADAU_H
#define TRUNDLE_MATH_RADAU_H

#include <stdbool.h>

enum { RADAU_STAGES = 5, RADAU_MOST = 14, RADAU_EXTRAS = 16 };

/* dy = f(y); extra, unless NULL, gets what is integrated along and what is only looked at. */
typedef void radau_rate(void *context, const double *y, double *dy, double *extra);

typedef struct radau {
    /* set by the caller before tru_radau_start */
    radau_rate *rate;
    void *context;
    int n, extras;            /* unknowns, and how many extras */
    double tolerance;         /* [-] error of a step in parts of the size of each unknown, 1e-13 .. 1e-3; in parts that
                                 decay about as fast as a step is long it may be up to tolerance^0.6 / 10 */
    double scale[RADAU_MOST]; /* [-] the error of unknown i is measured against max(scale[i], |y[i]|) */

    /* the present point */
    double y[RADAU_MOST], dy[RADAU_MOST], extra[RADAU_EXTRAS];

    /* the last trial */
    double h;                                    /* its length */
    double end[RADAU_MOST], end_dy[RADAU_MOST];  /* at its end */
    double at[RADAU_STAGES][RADAU_MOST];         /* at its stages, the last one is its end */
    double extra_at[RADAU_STAGES][RADAU_EXTRAS]; /* */
    double gained[RADAU_EXTRAS];                 /* integrals of the extras over the step; not part of `error` */
    double error;                                /* [-] estimated, 1 is the tolerance */
    int iterations;                              /* Newton iterations, summed over all trials since the start */
    int trials;                                  /* */

    /* private */
    double jacobian[RADAU_MOST * RADAU_MOST], lu[RADAU_MOST * RADAU_MOST];
    double lu_re[2][RADAU_MOST * RADAU_MOST], lu_im[2][RADAU_MOST * RADAU_MOST];
    int perm[RADAU_MOST], perm_c[2][RADAU_MOST];
    double z[RADAU_STAGES][RADAU_MOST], last[RADAU_STAGES][RADAU_MOST];
    double factored_h, last_h, last_error, rate_of_convergence, steepness;
    bool jacobian_here, jacobian_known, rejected;
} radau;

/* Where stage k lies in the step, 0 < c < 1 = c[RADAU_STAGES - 1]. */
extern const double tru_radau_node[RADAU_STAGES];

/* Begin at y; everything learned before is forgotten. */
void tru_radau_start(radau *r, const double *y);
/* A step of length h from the present point; false when it cannot be solved (then try a shorter one). It is good when
   error <= 1. */
bool tru_radau_try(radau *r, double h);
/* Go to the end of the last trial. */
void tru_radau_accept(radau *r);
/* The length that would meet the tolerance, from the last trial: between 1/8 and 8 times it. */
double tru_radau_next(const radau *r);

#endif
