/* stopping.h: when solvers for many contacts stop, and what they say of their result. */
#ifndef TRUNDLE_SOLVERS_SWEEPS_STOPPING_H
#define TRUNDLE_SOLVERS_SWEEPS_STOPPING_H

#include "solvers/sweep_problem/sweep_data.h"

/* When sweeps stop [solvers 4.1].
 *
 * The rule is checked after 10, 13, 16, 20, 25, 31, ... iterations. A check costs less than a sweep, so doubling would be too coarse.
 * The first check of n bodies comes after 2 n^(1/3) iterations, since a load has to cross all layers and come back: a heap of
 * 10 000 whose steps may end after ten sweeps comes loose again. Where bodies touch lighter ones (trui_sweep_uneven), the first
 * check comes later by the root of the mass ratio: a heap with 125 : 1 does not come to rest otherwise.
 *
 * Sweeps stop if the velocities have changed by at most `share` limit (mass-weighted rms) since the check before the last one,
 * which is a third of all iterations, and if the residual is below limit/2 (rms) and 10 limit (max) after smoothing.
 * If `ahead`, the rule is checked earlier too, with the limit times (iterations / first)^8, so that a heap at rest need not wait. */
typedef struct stopping_rule {
    double share;  /* [-] change in parts of the limit that is small enough */
    double rough;  /* [-] how much larger the residual's rms may be before it is smoothed */
    int smoothing; /* plain sweeps at the end */
    bool ahead;
} stopping_rule;

/* Without momentum, or in the exact form, the error may be larger than that change: 0.7. */
extern const stopping_rule trui_stopping_plain;
/* With momentum, relaxed, after 25 sweeps or more: the error is 0.45 to 0.88 of it (poured stones, errors around 2e-3 m/s). */
extern const stopping_rule trui_stopping_momentum;

typedef struct stopping {
    const stopping_rule *rule;
    double limit; /* [m/s] */
    int first;    /* iteration of the first check with the full limit */
    int next;     /* iteration of the next check */
    bool still;   /* at the last check the velocities had changed by at most `share` limit */
} stopping;

/* Returns the rule's state before the first iteration. `tolerance` [-] in parts of the problem's speed. */
stopping trui_stopping_begin(const sweep_problem *k, double tolerance, const stopping_rule *rule);
/* Returns true if sweeps may stop after this iteration. */
bool trui_stopping_now(stopping *s, sweep_problem *k, int iteration);
/* Solves by newton the few contacts that solvers for many leave to it. */
tru_status trui_solve_dense(const void *params, tru_problem *pb, tru_solve_info *info, tru_error *err);
/* Ends a solve: smooths the residual of single contacts by plain sweeps, computes velocities from impulses, and fills in `info`. */
tru_status trui_stopping_end(const stopping *s, sweep_problem *k, int iterations, tru_solve_info *info);

/* Fields that all of these solvers have. */
#define MANY_FIELDS(T, most)                                                                                           \
    TRU_REAL(T, tolerance, TRU_UNIT_ONE, 0.02, TRU_RANGE(1e-14, 1.0),                                                  \
             "Velocity error at which it stops, in parts of gravity times step (without gravity: of the fastest "      \
             "approach)."),                                                                                            \
        TRU_INTEGER(T, iterations, most, TRU_RANGE(1, 100000000), "Most sweeps over all contacts in one step."),       \
        TRU_INTEGER(T, dense_limit, 12, TRU_RANGE(0, 1000),                                                            \
                    "Islands of at most this number of contacts go to newton, to round-off; loose grains only if the " \
                    "whole step has at most this number."),                                                            \
        TRU_INTEGER(                                                                                                   \
            T, factor_cost_limit, 100, TRU_RANGE(0, 1000000),                                                          \
            "Islands go to proxnewton if one of its factorisations costs at most this number of sweeps, as in "        \
            "stacks and mechanisms; 0: only those with laws without constant limits do.")

#endif
