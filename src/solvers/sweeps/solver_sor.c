/* solver_sor.c: the published Gauss-Seidel sweeps with over-relaxation, for many contacts [TA13 (46)], in the metric of
 * [cone-equations 4].
 *
 * Sweeps always go forward: over-relaxation pays only so. The exact form converges with omega = 1 alone; it goes by sections
 * (trui_sweep_sections), or takes s from the velocities after every REFRESH sweeps. */
#include "solvers/sweep_problem/sweep_run.h"
#include "solvers/sweeps/stopping.h"

#include <stddef.h>

#define REFRESH       5
#define OMEGA_RELAXED 1.6 /* [-] relaxation that is not given [cone-equations 5.1] */

static const tru_field fields[] = {
    MANY_FIELDS(tru_sor, 100),
    TRU_REAL(tru_sor, relaxation, TRU_UNIT_ONE, TRU_DERIVED, TRU_ABOVE(0.0, 1.99),
             "Factor on every update; default 1.6 in the relaxed form, 1 in the exact form, which converges with 1 "
             "alone."),
    {.name = NULL},
};

static tru_status solve_many(const void *params, sweep_problem *k, tru_solve_info *info, tru_error *err) {
    (void)err;
    const tru_sor *o = params;
    const double given = o->relaxation != TRU_DERIVED ? o->relaxation : OMEGA_RELAXED;
    const double omega = k->exact ? 1.0 : given; /* cone refuses others */
    stopping stop = trui_stopping_begin(k, o->tolerance, &trui_stopping_plain);
    int i = 0;
    k->sections = trui_sweep_sections(k);
    if (!k->sections) trui_sweep_refresh(k, 1.0);
    while (i < o->iterations) {
        trui_sweep_run(k, omega, 0.0);
        i++;
        if (!k->sections && i % REFRESH == 0) trui_sweep_refresh(k, 1.0);
        if (trui_stopping_now(&stop, k, i)) break;
    }
    return trui_stopping_end(&stop, k, i, info);
}

static int32_t few(const void *params) { return ((const tru_sor *)params)->dense_limit; }
static int32_t chain(const void *params) { return ((const tru_sor *)params)->factor_cost_limit; }

TRU_DEFAULTS(tru_sor, tru_default_sor, fields)

const tru_solver tru_solver_sor = {
    .name = "sor",
    .doc = "Gauss-Seidel sweeps with over-relaxation as published, for many contacts.",
    .fields = fields,
    .size = sizeof(tru_sor),
    .solve = trui_solve_dense,
    .solve_many = solve_many,
    .dense_limit = few,
    .factor_cost_limit = chain,
};
