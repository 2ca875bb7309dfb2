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
#define REFRESH        10
#define DAMPING        0.5

static const tru_field fields[] = {MANY_FIELDS(tru_ngs, 200), {.name = NULL}};

/* Nesterov's sequence; a capped beta keeps theta where it is. */
static double next_beta(double *theta, double cap) {
    const double t = *theta, next = 0.5 * (t * sqrt(t * t + 4.0) - t * t), beta = t * (1.0 - t) / (t * t + next);
    if (beta > cap) return cap;
    *theta = next;
    return beta;
}

static tru_status solve_many(const void *params, packed *k, tru_solve_info *info, tru_error *err) {
    (void)err;
    const tru_ngs *o = params;
    const double cap = k->exact ? MOMENTUM_EXACT : MOMENTUM;
    stopping stop = stopping_begin(k, o->tolerance);
    double theta = 1.0, beta = 0.0, before = HUGE_VAL;
    int i = 0;
    packed_refresh(k, 1.0);
    while (i < o->iterations) {
        packed_extrapolate(k, beta);
        const double work = packed_sweep(k, 1.0, beta), f = packed_energy(k) + work;
        i++;
        if (f > before) {
            beta = 0.0;
            theta = 1.0;
        } else {
            beta = next_beta(&theta, cap);
        }
        before = f;
        if (k->exact && i % REFRESH == 0) {
            packed_refresh(k, DAMPING);
            before = HUGE_VAL; /* another objective */
        }
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
};
