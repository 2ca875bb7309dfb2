/* sweep_single.h: sweeps of single contacts. */
#ifndef TRUNDLE_SOLVERS_SWEEP_PROBLEM_SWEEP_SINGLE_H
#define TRUNDLE_SOLVERS_SWEEP_PROBLEM_SWEEP_SINGLE_H

#include "solvers/sweep_problem/sweep_data.h"

void trui_sweep_single_sweep(sweep_problem *k, size_t begin, size_t end, double omega, double beta);
void trui_sweep_single_refresh(sweep_problem *k, size_t begin, size_t end, double damping);
void trui_sweep_single_residuals(sweep_problem *k, size_t begin, size_t end);
void trui_sweep_single_distance(sweep_problem *k, size_t begin, size_t end);
void trui_sweep_push(sweep_problem *k, const sweep_single *c, sweep_impulse d);

/* Returns y_n of the point nearest to x on the cone { |l_i| <= c_i y_n } (cone_root); l: sizes of its slide, spin and roll parts. */
double trui_sweep_cone(double x, const double l[3], const double c[3], const double lean[3]);

#endif
