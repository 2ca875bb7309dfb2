/* stopping.c: when solvers for many contacts stop, and what they say of their result. */
#include "solvers/sweeps/stopping.h"
#include "solvers/sweep_problem/sweep_run.h"
#include "base/assert.h"

#include <math.h>

/* Returns the sweeps that carry a load through a heap of `bodies` and back: twice the side of a cube of them. */
static int across(size_t bodies) {
    size_t side = 1;
    while (side * side * side < bodies) side++;
    return (int)(2 * side);
}

#define MOST_FIRST 1000.0

const stopping_rule trui_stopping_plain = {.share = 0.7, .rough = 1.0, .smoothing = 5};
const stopping_rule trui_stopping_momentum = {.share = 1.15, .rough = 1.3, .smoothing = 2, .ahead = true};

stopping trui_stopping_begin(const sweep_problem *k, double tolerance, const stopping_rule *rule) {
    const int layers = across(k->moving) > 10 ? across(k->moving) : 10;
    const int first = (int)fmin(layers * sqrt(trui_sweep_uneven(k)), MOST_FIRST);
    TRU_ASSERT(first >= 10 && first <= MOST_FIRST && tolerance > 0.0);
    int next = first;
    while (rule->ahead && next * 9 / 11 >= 8) next = next * 9 / 11;
    TRU_ASSERT(next >= 8 && next <= first);
    return (stopping){.rule = rule, .limit = tolerance * k->speed, .first = first, .next = next};
}

/* Returns the part of the limit that counts at an iteration. */
static double part(const stopping *s, int iteration) {
    const double of = iteration < s->first ? (double)iteration / s->first : 1.0, square = of * of;
    return (square * square) * (square * square);
}

static bool small(const sweep_error *e, double limit, double rough) {
    return e->rms <= rough * (0.5 * limit) && e->max <= 10.0 * limit;
}

bool trui_stopping_now(stopping *s, sweep_problem *k, int iteration) {
    if (iteration < s->next) return false;
    s->next += (2 * s->next + 8) / 9; /* twice: times 3/2 */
    if (iteration < s->first && 10 * s->next > 9 * s->first) s->next = s->first;
    TRU_ASSERT(s->next > iteration || s->next == s->first);
    const double limit = part(s, iteration) * s->limit;
    s->still = trui_sweep_change(k) <= s->rule->share * limit;
    if (!s->still) return false;
    const sweep_error e = trui_sweep_measure(k);
    return small(&e, limit, s->rule->rough);
}

tru_status trui_stopping_end(const stopping *s, sweep_problem *k, int iterations, tru_solve_info *info) {
    for (int i = 0; i < s->rule->smoothing; i++) trui_sweep_run(k, 1.0, 0.0);
    trui_sweep_flush(k);
    trui_sweep_resync(k);
    const sweep_error e = trui_sweep_measure(k);
    info->iterations += iterations + s->rule->smoothing;
    info->converged = s->still && small(&e, s->limit, 1.0);
    info->worst = e.worst;
    TRU_ASSERT(e.worst < (int32_t)k->contact_count && !(e.rms > e.max * (1.0 + 1e-12)));
    info->rms = e.rms;
    info->max = e.max;
    info->relative = e.max > 0.0 ? e.max / k->speed : e.max;
    for (int kind = 0; kind < TRU_KINDS; kind++) info->residual[kind] = 0.0;
    for (size_t i = 0; i < k->contact_count; i++)
        for (int kind = 0; kind < TRU_KINDS; kind++)
            info->residual[kind] = larger(info->residual[kind], k->residuals[i].gap[kind]);
    return info->converged ? TRU_OK : TRU_UNCONVERGED;
}

tru_status trui_solve_dense(const void *params, tru_problem *pb, tru_solve_info *info, tru_error *err) {
    (void)params;
    const tru_newton few = tru_default_newton();
    return tru_solver_newton.solve(&few, pb, info, err);
}
