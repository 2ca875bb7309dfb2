/* stopping.h: when solvers for many contacts stop, and what they say of their result. */
#ifndef TRUNDLE_SOLVERS_SWEEPS_STOPPING_H
#define TRUNDLE_SOLVERS_SWEEPS_STOPPING_H

#include "solvers/sweep_problem/sweep_data.h"

/* Looked at after 10, 13, 16, 20, 25, 31, ... iterations [solvers 4.1] (doubling would be too coarse: a look costs less
 * than a sweep), of a heap of n bodies first after 2 n^(1/3): what creeps through all its layers changes little in ten
 * sweeps, and a heap of 10 000 whose steps may end there comes loose again. Where bodies touch lighter ones
 * (trui_sweep_uneven) it takes as many times longer as the root of how much: a heap with 125 : 1 did not come to rest
 * otherwise. Stop when the velocities have changed by no more than `share` limit (mass-weighted rms) since the look
 * before the last one, that is over a third of all iterations, and the residual is below limit/2 (rms) and 10 limit
 * (max) once the plain sweeps at the end have smoothed it.
 * ahead: looks before the first one too. It then knows earlier velocities, and a heap at rest need not wait for it if it keeps
 * the limit times (iterations / first)^8. */
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
    int first;    /* iteration of the first look that counts in full */
    int next;     /* iteration of the next look */
    bool still;   /* the velocities hardly changed before the last look */
} stopping;

stopping trui_stopping_begin(const sweep_problem *k, double tolerance, const stopping_rule *rule);
bool trui_stopping_now(stopping *s, sweep_problem *k, int iteration);
/* The few contacts that solvers for many leave to newton. */
tru_status trui_solve_dense(const void *params, tru_problem *pb, tru_solve_info *info, tru_error *err);
/* After the loop: plain sweeps that smooth the residual of single contacts, velocities from impulses, and the report. */
tru_status trui_stopping_end(const stopping *s, sweep_problem *k, int iterations, tru_solve_info *info);

/* Fields that all of these solvers have. */
#define MANY_FIELDS(T, most)                                                                                           \
    TRU_REAL(T, tolerance, TRU_UNIT_ONE, 0.02, TRU_RANGE(1e-14, 1.0),                                                  \
             "Velocity error at which it stops, in parts of gravity times step (without gravity: of the fastest "      \
             "approach)."),                                                                                            \
        TRU_INTEGER(T, iterations, most, TRU_RANGE(1, 100000000), "Most sweeps over all contacts in one step."),       \
        TRU_INTEGER(T, dense_limit, 12, TRU_RANGE(0, 1000),                                                            \
                    "Islands of at most so many contacts go to newton, to round-off; loose grains only if there "      \
                    "are no more in all."),                                                                            \
        TRU_INTEGER(T, factor_cost_limit, 100, TRU_RANGE(0, 1000000),                                                  \
                    "Islands go to proxnewton if one of its factorisations costs at most so many sweeps, as in "       \
                    "stacks and mechanisms; 0: none does, but those with laws without constant limits.")

#endif
