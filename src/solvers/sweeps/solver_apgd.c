/* solver_apgd.c: accelerated projected gradient with restart and step search, for many contacts [cone-equations 5.2],
 * preconditioned by the metric.
 *
 * | symbol | name |
 * |---|---|
 * | g, y, g+ | present iterate, extrapolated one, its projected step |
 * | theta, beta | theta, beta |
 * | L | slope: the step is P/L |
 * | f = 1/2 v^T M v + sum (b + s) gamma_n | f: the dual objective up to a constant [J] |
 *
 * Velocities stand for products with N: grad f(y) = D^T v(y) + b, and 1/2 d^T N d = 1/2 dv^T M dv. A step is accepted if
 * 1/2 |dv|_M^2 <= L/2 |d|_P^2, so that the model lies above f; otherwise L doubles. A step that raises f is followed by one
 * without momentum. All contacts move at once: unlike sweeps, no order of contacts enters, symmetric problems stay so.
 * Exact form: s is held for REFRESH steps, then brought half the way to s(u), with less momentum. */
#include "base/error.h"
#include "solvers/sweep_problem/sweep_run.h"
#include "solvers/sweeps/sweep_gradient.h"
#include "solvers/sweeps/stopping.h"

#include <stddef.h>

#define MOMENTUM_EXACT 0.9 /* largest beta */
#define REFRESH        10
#define DAMPING        0.5
#define EASE           0.9 /* factor on L after every step */
#define SLACK          (1.0 + 1e-9)
#define MOST_TRIES     60

static const tru_field fields[] = {MANY_FIELDS(tru_apgd, 1000), {.name = NULL}};

/* From y, with momentum beta in it, to the next iterate; L is doubled until the step is one that f obeys. Returns sum
 * (b + s) gamma_n of the result. */
static double search_step(sweep_problem *k, double *slope) {
    sweep_step s = trui_sweep_gradient_try(k, *slope);
    for (int tries = 0; s.moved > SLACK * *slope * s.size && tries < MOST_TRIES; tries++) {
        *slope *= 2.0;
        s = trui_sweep_gradient_try(k, *slope);
    }
    trui_sweep_gradient_accept(k);
    return s.work;
}

static tru_status solve_many(const void *params, sweep_problem *k, tru_solve_info *info, tru_error *err) {
    const tru_apgd *o = params;
    stopping stop = trui_stopping_begin(k, o->tolerance, &trui_stopping_plain);
    double theta = 1.0, slope = 1.0, before = HUGE_VAL, work = 0.0, beta = 0.0;
    int i = 0;
    if (!trui_sweep_gradient_room(k)) return tru_no_memory(err);
    trui_sweep_refresh(k, 1.0);
    while (i < o->iterations) {
        trui_sweep_gradient_begin(k, beta);
        work = search_step(k, &slope);
        const double f = trui_sweep_energy(k) + work;
        i++;
        slope *= EASE;
        if (f > before) theta = 1.0;
        beta = f > before ? 0.0 : trui_sweep_momentum(&theta, k->exact ? MOMENTUM_EXACT : 1.0);
        before = f;
        if (k->exact && i % REFRESH == 0) {
            trui_sweep_refresh(k, DAMPING);
            before = HUGE_VAL; /* another objective */
        }
        if (trui_stopping_now(&stop, k, i)) break;
    }
    return trui_stopping_end(&stop, k, i, info);
}

static int32_t few(const void *params) { return ((const tru_apgd *)params)->dense_limit; }
static int32_t chain(const void *params) { return ((const tru_apgd *)params)->factor_cost_limit; }

TRU_DEFAULTS(tru_apgd, tru_default_apgd, fields)

const tru_solver tru_solver_apgd = {
    .name = "apgd",
    .doc =
        "Accelerated projected gradient with restart and step search, for many contacts; no order of contacts enters.",
    .fields = fields,
    .size = sizeof(tru_apgd),
    .solve = trui_solve_dense,
    .solve_many = solve_many,
    .dense_limit = few,
    .factor_cost_limit = chain,
};
