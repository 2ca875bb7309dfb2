/* stopping.c: when solvers for many contacts stop, and what they say of their result. */
#include "solvers/stopping.h"

/* Sweeps that carry a load through a heap of so many bodies and back: twice the side of a cube of them. */
static int across(size_t bodies) {
    size_t side = 1;
    while (side * side * side < bodies) side++;
    return (int)(2 * side);
}

stopping stopping_begin(const packed *k, double tolerance, double share) {
    return (stopping){.limit = tolerance * k->speed,
                      .share = share,
                      .next = across(k->moving) > 10 ? across(k->moving) : 10,
                      .still = false};
}

static bool small(const stopping *s, const packed_error *e) {
    return e->rms <= 0.5 * s->limit && e->max <= 10.0 * s->limit;
}

bool stopping_now(stopping *s, packed *k, int iteration) {
    if (iteration < s->next) return false;
    s->next += (2 * s->next + 8) / 9; /* twice: times 3/2 */
    s->still = packed_change(k) <= s->share * s->limit;
    if (!s->still) return false;
    const packed_error e = packed_measure(k);
    return small(s, &e);
}

tru_status stopping_end(const stopping *s, packed *k, int iterations, tru_solve_info *info) {
    for (int i = 0; i < SMOOTHING; i++) packed_sweep(k, 1.0, 0.0);
    packed_flush(k);
    packed_resync(k);
    const packed_error e = packed_measure(k);
    info->iterations += iterations + SMOOTHING;
    info->converged = s->still && small(s, &e);
    info->worst = e.worst;
    info->rms = e.rms;
    info->max = e.max;
    info->relative = e.max > 0.0 ? e.max / k->speed : e.max;
    for (int kind = 0; kind < TRU_KINDS; kind++) {
        info->residual[kind] = 0.0;
        for (size_t i = 0; i < k->contact_count; i++)
            info->residual[kind] = fmax(info->residual[kind], k->looks[i].gap[kind]);
    }
    return info->converged ? TRU_OK : TRU_UNCONVERGED;
}

tru_status few_solve(const void *params, tru_problem *pb, tru_solve_info *info, tru_error *err) {
    (void)params;
    const tru_newton few = tru_default_newton();
    return tru_solver_newton.solve(&few, pb, info, err);
}
