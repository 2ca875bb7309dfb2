/* solver_ngs.c: Gauss-Seidel sweeps with Nesterov's momentum and restart, for many contacts [solvers 3].
 *
 * | symbol | name |
 * |---|---|
 * | theta, beta | theta, beta |
 * | f = 1/2 v^T M v + sum (b + s) gamma_n | f: the dual objective up to a constant [J] |
 *
 * Velocities are linear in the impulses, so they are extrapolated together. A sweep that raises f is followed by a plain
 * one, which cannot.
 * Exact form: sweeps by sections (trui_sweep_sections) go straight for the law and have no f: instead, WINDOW sweeps that
 * change more than the WINDOW before them end the momentum. With it sweeps may go round in circles: balls have a little less of it
 * (WARY) after each such end; bodies that are no balls, where PATIENCE windows did not halve what a sweep changes, go on with plain
 * sweeps, and then with shorter and shorter steps. Exact form,
 * coupled laws: s is held for REFRESH sweeps, then brought half the way to s(u). Both bear less momentum. */
#include "solvers/sweep_problem/sweep_f32.h"
#include "solvers/sweep_problem/sweep_run.h"
#include "base/assert.h"
#include "solvers/sweeps/stopping.h"

#include <stddef.h>

#define MOMENTUM 0.98 /* largest beta */
#define LEAD                                                                                                           \
    10 /* relaxed: beta = (i + LEAD) / (i + LEAD + SPAN), i sweeps after a plain one. Nesterov's own has 0 and 3: */
#define SPAN           5   /* that needs a tenth more sweeps to a velocity error, and leaves a third more residual */
#define OMEGA          1.1 /* relaxed: over-relaxation, worth another tenth */
#define MOMENTUM_EXACT 0.9
#define WARY           0.97
#define WINDOW         10
#define PATIENCE       8
#define SHORTER        0.7
#define SHORTEST       0.3 /* what creeps is not still */
#define REFRESH        5 /* sweeps; poured stones need 0.6 times as many as with 10 to a velocity error [solvers 3.3] */
#define DAMPING        0.5
#define FLOATS         500 /* most sweeps in floats: what needs more is hard enough for doubles */

static const tru_field fields[] = {
    MANY_FIELDS(tru_ngs, 1000),
    TRU_CHOICE(tru_ngs, precision, "mixed|double", TRU_MIXED,
               "mixed: sweeps in single precision while that is enough for the tolerance, and the last ones and the "
               "residual in double; balls only."),
    {.name = NULL}};

/* What tells that momentum has to end. */
typedef struct course {
    double theta;   /* of Nesterov's sequence; exact form */
    int since;      /* sweeps since a plain one; relaxed form */
    double before;  /* [J] f of the last sweep, or the change of the last window */
    double changed; /* [J] of this one */
    double least;   /* [J] of a window, */
    int stale;      /* and how many since then were not half of it */
    double cap;     /* largest beta; exact form */
    double omega;   /* length of a step */
    bool over;
} course;

/* Another window went by without half the change: less momentum, then shorter steps. */
static void lose_patience(course *c) {
    if (c->cap == 0.0) c->omega = fmax(SHORTEST, SHORTER * c->omega);
    TRU_ASSERT(c->omega >= SHORTEST && c->omega < 2.0 && c->stale >= PATIENCE);
    c->cap = 0.0;
    c->stale = 0;
}

/* After sweep i by sections changed so much. */
static void watch_window(course *c, int i, double changed, bool balls) {
    c->changed += changed;
    TRU_ASSERT(!(changed < 0.0) && c->cap >= 0.0 && c->cap < 1.0);
    if (i % WINDOW != 0) return;
    c->stale = c->changed < 0.5 * c->least ? 0 : c->stale + 1;
    if (c->stale == 0) c->least = c->changed;
    if (c->stale >= PATIENCE && !balls) lose_patience(c);
    c->over = c->changed > c->before;
    if (c->over && balls) c->cap *= WARY;
    c->before = c->over ? HUGE_VAL : c->changed;
    c->changed = 0.0;
}

static double next_momentum(const sweep_problem *k, course *c) {
    if (k->exact) return trui_sweep_momentum(&c->theta, c->cap);
    const double at = LEAD + c->since++;
    return fmin(at / (at + SPAN), MOMENTUM);
}

/* One sweep; `work` is what the last one returned, i its number; fresh: there is nothing to go on from. */
static double sweep_on(sweep_problem *k, course *c, double work, int i, bool fresh) {
    /* one pass over the bodies: momentum as if the last sweep had not raised f, and f itself */
    double beta = fresh ? 0.0 : next_momentum(k, c);
    const double f = trui_sweep_extrapolate(k, beta) + work;
    if (k->sections ? c->over : f > c->before) {
        trui_sweep_restart(k);
        beta = 0.0;
        c->theta = 1.0;
        c->since = 0;
        c->over = false;
    }
    if (!k->sections) /* none yet, or of another objective */
        c->before = fresh || (k->exact && i % REFRESH == 0) ? HUGE_VAL : f;
    return trui_sweep_run(k, c->omega, beta);
}

static void begin_anew(course *c) {
    c->theta = 1.0;
    c->since = 0;
    c->before = HUGE_VAL;
    c->changed = 0.0;
}

/* Sweeps from number `from` on, until it may stop; returns how many there were in all. */
static int sweep_down(const tru_ngs *o, sweep_problem *k, course *c, stopping *stop, int from) {
    double work = 0.0;
    bool fresh = true;
    int i = from;
    begin_anew(c);
    while (i < o->iterations) {
        work = sweep_on(k, c, work, i, fresh);
        fresh = false;
        i++;
        if (i == 1 && o->precision == TRU_MIXED) trui_sweep_f32_enter(k, stop->limit);
        if (k->sections)
            watch_window(c, i, work, k->single_count == 0);
        else if (k->exact && i % REFRESH == 0)
            trui_sweep_refresh(k, DAMPING);
        if (trui_stopping_now(stop, k, i)) break;
        if (k->f32.on && i >= FLOATS) { /* not a reason to stop */
            trui_sweep_f32_leave(k);
            begin_anew(c);
            fresh = true;
        }
    }
    if (k->f32.on) trui_sweep_f32_leave(k);
    return i;
}

/* If the plain sweeps at the end show that it was too early to stop, sweeps continue with momentum from zero. */
static tru_status solve_many(const void *params, sweep_problem *k, tru_solve_info *info, tru_error *err) {
    (void)err;
    const tru_ngs *o = params;
    stopping stop = trui_stopping_begin(k, o->tolerance, k->exact ? &trui_stopping_plain : &trui_stopping_momentum);
    course c = {.least = HUGE_VAL, .cap = MOMENTUM_EXACT, .omega = k->exact ? 1.0 : OMEGA};
    tru_status status = TRU_UNCONVERGED;
    k->sections = trui_sweep_sections(k);
    if (!k->sections) trui_sweep_refresh(k, 1.0);
    for (int i = 0; i < o->iterations && status == TRU_UNCONVERGED;) {
        const int before = i;
        i = sweep_down(o, k, &c, &stop, i);
        status = trui_stopping_end(&stop, k, i - before, info);
    }
    info->single += k->f32.sweeps;
    return status;
}

static int32_t few(const void *params) { return ((const tru_ngs *)params)->dense_limit; }
static int32_t chain(const void *params) { return ((const tru_ngs *)params)->factor_cost_limit; }

TRU_DEFAULTS(tru_ngs, tru_default_ngs, fields)

const tru_solver tru_solver_ngs = {
    .name = "ngs",
    .doc = "Gauss-Seidel sweeps with momentum and restart, for many contacts.",
    .fields = fields,
    .size = sizeof(tru_ngs),
    .solve = trui_solve_dense,
    .solve_many = solve_many,
    .dense_limit = few,
    .factor_cost_limit = chain,
};
