/* sweep_f32.h: sweeps in floats. */
#ifndef TRUNDLE_SOLVERS_SWEEP_PROBLEM_SWEEP_F32_H
#define TRUNDLE_SOLVERS_SWEEP_PROBLEM_SWEEP_F32_H

#include "solvers/sweep_problem/sweep_data.h"

/* After the first sweep: if floats are fine enough to bring velocities within limit [m/s], passes go over a copy in floats from
 * now on, and true is returned. Else nothing happens. */
bool trui_sweep_f32_enter(sweep_problem *k, double limit);
/* Impulses to doubles, velocities from them; no momentum is left. */
void trui_sweep_f32_leave(sweep_problem *k);

#endif
