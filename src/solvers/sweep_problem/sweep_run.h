/* sweep_run.h: passes over a sweep problem, and how far it is from its solution. */
#ifndef TRUNDLE_SOLVERS_SWEEP_PROBLEM_SWEEP_RUN_H
#define TRUNDLE_SOLVERS_SWEEP_PROBLEM_SWEEP_RUN_H

#include "solvers/sweep_problem/sweep_data.h"

/* One forward sweep from y = now + beta (now - previous), velocities at y: `previous` becomes the result and the present
 * iterate. Returns sum (b + s) gamma_n, with sections how much the sweep changed. [J] */
double trui_sweep_run(sweep_problem *k, double omega, double beta);
/* Velocities to v + beta (v - v of the previous iterate), which v itself becomes. Returns the kinetic energy of v. [J] */
double trui_sweep_extrapolate(sweep_problem *k, double beta);
/* Undo it but for what the previous iterate is: velocities without momentum. */
void trui_sweep_restart(sweep_problem *k);
/* Nesterov's sequence: the next beta, and theta after it; a capped beta keeps theta where it is. */
double trui_sweep_momentum(double *theta, double cap);
/* Kinetic energy of the moving bodies. [J] */
double trui_sweep_energy(const sweep_problem *k);
/* Can sweeps of the exact form do without shifts: friction within what the normal impulse allows is the law itself. Of balls
 * the rows of a contact do not act on each other; others take their normal row first, then friction at the rates it leaves. Not
 * for coupled slide and spin. */
bool trui_sweep_sections(const sweep_problem *k);
/* Exact form: bring the shifts by the part `damping` towards s(u) at the present velocities. */
void trui_sweep_refresh(sweep_problem *k, double damping);
/* Forget impulses so small that they are nothing but what sweeps leave of nothing. */
void trui_sweep_flush(sweep_problem *k);
/* Velocities from the impulses alone, without what sweeps have rounded; and all impulses onto velocities without contacts. */
void trui_sweep_resync(sweep_problem *k);
void trui_sweep_push_all(sweep_problem *k);
/* Earlier iterates become the present one. */
void trui_sweep_forget(sweep_problem *k);
/* How many times heavier than the other a body is that touches it, at most; 1: nowhere more than PACKED_UNEVEN times. */
#define SWEEP_UNEVEN 50.0
double trui_sweep_uneven(const sweep_problem *k);
/* Mass-weighted rms of a sum of m |v|^2 + I |w|^2. [m/s] */
double trui_sweep_rms(const sweep_problem *k, double sum);
/* Mass-weighted rms change of the velocities since the call before the last one (or since trui_sweep_build). [m/s] */
double trui_sweep_change(sweep_problem *k);

/* Squared change of the velocities since these, in the bodies' mass. [J] */
double trui_sweep_moved(const sweep_problem *k, const sweep_body *since);

/* How far the present iterate is from the laws. */
typedef struct sweep_error {
    double rms, max; /* [m/s] over contacts, couples times their length */
    int32_t worst;   /* contact */
} sweep_error;
sweep_error trui_sweep_measure(sweep_problem *k);

#endif
