/* sweep_gradient.h: gradient steps: all contacts at once. */
#ifndef TRUNDLE_SOLVERS_SWEEPS_SWEEP_GRADIENT_H
#define TRUNDLE_SOLVERS_SWEEPS_SWEEP_GRADIENT_H

#include "solvers/sweep_problem/sweep_data.h"

/* Room for them; false: no memory. */
bool trui_sweep_gradient_room(sweep_problem *k);
/* From the present iterate g to y = g + beta (g - the previous one), velocities with it; returns the kinetic energy of g.
 * [J] */
double trui_sweep_gradient_begin(sweep_problem *k, double beta);
/* What a step of P/slope from y, projected, did. */
typedef struct sweep_step {
    double work;  /* [J] sum (b + s) gamma_n after it */
    double moved; /* [J] |dv|^2 in the bodies' mass */
    double size;  /* [J] |d|^2 in the metric P */
} sweep_step;
sweep_step trui_sweep_gradient_try(sweep_problem *k, double slope);
/* Its result is the present iterate, g the previous one. */
void trui_sweep_gradient_accept(sweep_problem *k);

#endif
