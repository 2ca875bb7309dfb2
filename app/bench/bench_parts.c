/* bench_parts.c: benchmark of whole steps of a run and the parts they consist of. */
#include "bench_parts.h"

#include "cli/app.h"

#include <trundle/plugin.h>

#include <math.h>
#include <stdlib.h>

typedef struct parts {
    sample collide, pack, solve, rest; /* [ms] of each step */
    double contacts, sweeps;           /* of all steps together */
    double (*clock)(void);             /* CPU time of the thread; wall clock of several */
} parts;

static tru_status measure_step(tru_sim *sim, parts *p, bench_reading *out, tru_error *err) {
    tru_world *w = tru_sim_world(sim);
    tru_profile_set(w, p->clock);
    const double begun = p->clock();
    const tru_status status = tru_sim_run(sim, 1, err);
    const double whole = 1e3 * (p->clock() - begun);
    const tru_profile one = tru_profile_get(w);
    sample_add(&out->values, whole);
    sample_add(&p->collide, 1e3 * one.collide);
    sample_add(&p->pack, 1e3 * one.pack);
    sample_add(&p->solve, 1e3 * one.solve);
    sample_add(&p->rest, whole - 1e3 * (one.collide + one.pack + one.solve));
    p->contacts += (double)tru_contact_count(w);
    p->sweeps += (double)tru_world_solve_info(w).iterations;
    return status;
}

static void tell_parts(const parts *p, bench_reading *out) {
    const double steps = out->values.count;
    snprintf(out->remark, sizeof out->remark,
             ": finding contacts %.2f, packing %.2f, sweeps %.2f, the rest %.2f ms; %.0f contacts, %.0f sweeps",
             sample_median(&p->collide), sample_median(&p->pack), sample_median(&p->solve), sample_median(&p->rest),
             p->contacts / steps, p->sweeps / steps);
}

tru_status bench_parts(const tru_scene *scene, const bench_wish *wish, bench_reading *out, tru_error *err) {
    tru_sim *sim = NULL;
    parts *p = need(1, sizeof *p);
    out->middle = true;
    p->clock = wish->threads > 1 ? now : thread_seconds;
    tru_status status = tru_sim_create(scene, wish->stepper, wish->threads, &sim, err);
    if (status >= 0) {
        tru_world *w = tru_sim_world(sim);
        status = tru_sim_run(sim, (uint64_t)fmax(1.0, floor(wish->from / tru_step_size(w) + 0.5)), err);
        while (status >= 0 && !tru_sim_done(sim) && out->values.count < SAMPLE_MOST)
            status = measure_step(sim, p, out, err);
        if (status >= 0) out->hash = tru_state_hash(w);
        if (status >= 0 && out->values.count > 0) tell_parts(p, out);
    }
    tru_sim_free(sim);
    free(p);
    return status;
}
