/* solver_ngs.c: Gauss-Seidel sweeps with Nesterov's momentum and restart, for many contacts [speed note, section 3].
 *
 * | symbol | name |
 * |---|---|
 * | theta, beta | theta, beta |
 * | f = 1/2 v^T M v + sum (b + s) gamma_n | f: the dual objective up to a constant [J] |
 *
 * Velocities are linear in the impulses, so they are extrapolated together. A sweep that raises f is followed by a plain
 * one, which cannot. Exact form: s is held for REFRESH sweeps, then brought half the way to s(u), with less momentum. */
#include "solvers/packed.h"
#include "solvers/stopping.h"

#include <stddef.h>

#define MOMENTUM       0.98 /* largest beta */
#define MOMENTUM_EXACT 0.9
#define REFRESH        5 /* the note has 10; poured stones settle to a velocity error in 0.6 times the sweeps with 5 */
#define DAMPING        0.5

static const tru_field fields[] = {MANY_FIELDS(tru_ngs, 400), {.name = NULL}};

static tru_status solve_many(const void *params, packed *k, tru_solve_info *info, tru_error *err) {
    (void)err;
    const tru_ngs *o = params;
    const double cap = k->exact ? MOMENTUM_EXACT : MOMENTUM;
    stopping stop = stopping_begin(k, o->tolerance);
    double theta = 1.0, before = HUGE_VAL, work = 0.0;
    int i = 0;
    packed_refresh(k, 1.0);
    while (i < o->iterations) {
        /* one pass over the bodies: momentum as if the last sweep had not raised f, and f itself */
        double beta = i > 0 ? packed_momentum(&theta, cap) : 0.0;
        const double f = packed_extrapolate(k, beta) + work;
        if (f > before) {
            packed_restart(k);
            beta = 0.0;
            theta = 1.0;
        }
        before = i == 0 || (k->exact && i % REFRESH == 0) ? HUGE_VAL : f; /* none yet, or of another objective */
        work = packed_sweep(k, 1.0, beta);
        i++;
        if (k->exact && i % REFRESH == 0) packed_refresh(k, DAMPING);
        if (stopping_now(&stop, k, i)) break;
    }
    return stopping_end(&stop, k, i, info);
}

static tru_status solve(const void *params, tru_problem *pb, tru_solve_info *info, tru_error *err) {
    (void)params;
    const tru_newton few = tru_default_newton();
    return tru_solver_newton.solve(&few, pb, info, err);
}

static int32_t few(const void *params) { return ((const tru_ngs *)params)->few; }
static int32_t chain(const void *params) { return ((const tru_ngs *)params)->chain; }

tru_ngs tru_default_ngs(void) {
    tru_ngs p;
    tru_fields_defaults(fields, &p);
    return p;
}

const tru_solver tru_solver_ngs = {
    .name = "ngs",
    .doc = "Gauss-Seidel sweeps with momentum and restart, for many contacts.",
    .fields = fields,
    .size = sizeof(tru_ngs),
    .solve = solve,
    .solve_many = solve_many,
    .few = few,
    .chain = chain,
};
