/* bench_track.c: benchmarks of stepper track: what springs cost per contact of a pile, what ellipsoids cost to meet. */
#include "bench_track.h"

#include "cli/app.h"

#include <trundle/plugin.h>

/* Single steps after a few; `part` chooses what of the profile counts, or of the whole step [s]. */
static tru_status single_steps(const tru_scene *scene, double (*part)(const tru_profile *, double), bench_reading *out,
                               tru_error *err) {
    enum { FIRST = 5, STEPS = 25 };
    tru_sim *sim = NULL;
    tru_status status = tru_sim_create(scene, NULL, 1, &sim, err);
    if (status < 0) return status;
    tru_world *w = tru_sim_world(sim);
    status = tru_run(w, FIRST, err);
    for (int k = 0; k < STEPS && status >= 0; k++) {
        tru_profile_set(w, thread_seconds);
        const double begun = thread_seconds();
        status = tru_run(w, 1, err);
        const double whole = thread_seconds() - begun;
        const tru_profile p = tru_profile_get(w);
        if (p.packed > 0) sample_add(&out->values, 1e9 * part(&p, whole) / (double)p.packed);
    }
    out->hash = tru_state_hash(w);
    tru_sim_free(sim);
    return status;
}

static double loads_of(const tru_profile *p, double whole) {
    (void)whole;
    return p->solve;
}

static double collide_of(const tru_profile *p, double whole) {
    (void)whole;
    return p->collide;
}

static double step_of(const tru_profile *p, double whole) {
    (void)p;
    return whole;
}

tru_status bench_track_loads(const tru_scene *scene, const bench_wish *wish, bench_reading *out, tru_error *err) {
    (void)wish;
    return single_steps(scene, loads_of, out, err);
}

tru_status bench_track_collide(const tru_scene *scene, const bench_wish *wish, bench_reading *out, tru_error *err) {
    (void)wish;
    return single_steps(scene, collide_of, out, err);
}

tru_status bench_track_step(const tru_scene *scene, const bench_wish *wish, bench_reading *out, tru_error *err) {
    (void)wish;
    return single_steps(scene, step_of, out, err);
}
