/* bench_api.c: benchmarks of single calls of the library, as control loops and bindings make them. */
#include "bench_api.h"

#include "cli/app.h"

#include <stdlib.h>
#include <string.h>

enum { REPEATS = 15, FIRST = 5, MANY = 20000, COPIES = 20 }; /* measurements, steps before them, calls in each */

/* What the calls work on. */
typedef struct api_bench {
    tru_sim *sim;
    tru_world *world;
    tru_id load;
    size_t bodies, contacts;
    tru_body_state *states, *copies;
    tru_contact_info *infos;
    size_t seen; /* what a measurement read, so that no compiler drops it */
} api_bench;

static void api_release(api_bench *b) {
    free(b->states);
    free(b->copies);
    free(b->infos);
    tru_sim_free(b->sim);
}

/* Builds the world of a scene, takes a few steps, and makes room for copies. */
static tru_status api_begin(const tru_scene *scene, api_bench *b, tru_error *err) {
    *b = (api_bench){.sim = NULL};
    tru_status status = tru_sim_create(scene, NULL, 1, &b->sim, err);
    if (status < 0) return status;
    b->world = tru_sim_world(b->sim);
    status = tru_run(b->world, FIRST, err);
    b->bodies = tru_body_count(b->world);
    b->contacts = tru_contact_count(b->world);
    b->states = need(b->bodies, sizeof *b->states);
    b->copies = need(b->bodies, sizeof *b->copies);
    b->infos = need(b->contacts + 1, sizeof *b->infos);
    return status;
}

typedef tru_status measured_call(api_bench *b, tru_error *err);

/* Measures `calls` calls at a time; `unit` is what one second per call counts as. */
static tru_status api_measure(const tru_scene *scene, measured_call *call, int calls, double unit, bench_reading *out,
                              tru_error *err) {
    api_bench b;
    tru_status status = api_begin(scene, &b, err);
    for (int k = 0; k < REPEATS && status >= 0; k++) {
        const double begun = thread_seconds();
        for (int i = 0; i < calls && status >= 0; i++) status = call(&b, err);
        sample_add(&out->values, unit * (thread_seconds() - begun) / calls);
    }
    if (status >= 0) out->hash = tru_state_hash(b.world);
    snprintf(out->remark, sizeof out->remark, ", %zu bodies, %zu contacts", b.bodies, b.contacts);
    api_release(&b);
    return status;
}

static tru_status one_step(api_bench *b, tru_error *err) { return tru_run(b->world, 1, err); }

tru_status bench_api_step(const tru_scene *scene, const bench_wish *wish, bench_reading *out, tru_error *err) {
    (void)wish;
    return api_measure(scene, one_step, MANY, 1e9, out, err);
}

/* The first call adds the load, to the last body. */
static tru_status one_force(api_bench *b, tru_error *err) {
    const tru_vec3 force = {1e-9 * (double)(b->seen++ & 255), 0.0, 0.0}, torque = {0.0, 0.0, 0.0};
    if (b->load != TRU_NONE) return tru_load_set(b->world, b->load, force, torque, err);
    tru_load_def def = tru_default_load_def();
    def.body = tru_body_at(b->world, b->bodies - 1);
    return tru_load_add(b->world, &def, &b->load, err);
}

tru_status bench_api_force(const tru_scene *scene, const bench_wish *wish, bench_reading *out, tru_error *err) {
    (void)wish;
    return api_measure(scene, one_force, MANY, 1e9, out, err);
}

static tru_status one_view(api_bench *b, tru_error *err) {
    const tru_body_view view = tru_bodies_view(b->world);
    b->seen += view.count;
    return tru_bodies_check(b->world, &view, err);
}

tru_status bench_api_view(const tru_scene *scene, const bench_wish *wish, bench_reading *out, tru_error *err) {
    (void)wish;
    return api_measure(scene, one_view, MANY, 1e9, out, err);
}

static tru_status one_copy(api_bench *b, tru_error *err) {
    return tru_bodies_get(b->world, NULL, b->states, b->bodies, err);
}

static tru_status one_memcpy(api_bench *b, tru_error *err) {
    (void)err;
    memcpy(b->copies, b->states, b->bodies * sizeof *b->copies);
    b->seen += b->copies[b->bodies / 2].position.x > 0.0;
    return TRU_OK;
}

/* The remark has what memcpy takes for the copies themselves. */
tru_status bench_api_copy(const tru_scene *scene, const bench_wish *wish, bench_reading *out, tru_error *err) {
    (void)wish;
    bench_reading plain = {.hash = 0};
    tru_status status = api_measure(scene, one_memcpy, COPIES, 1e6, &plain, err);
    if (status >= 0) status = api_measure(scene, one_copy, COPIES, 1e6, out, err);
    const size_t end = strlen(out->remark);
    snprintf(out->remark + end, sizeof out->remark - end, ", memcpy of packed states takes %.0f us",
             sample_least(&plain.values));
    return status;
}

static tru_status all_contacts(api_bench *b, tru_error *err) {
    return tru_contacts_get(b->world, b->infos, b->contacts, err);
}

tru_status bench_api_contacts(const tru_scene *scene, const bench_wish *wish, bench_reading *out, tru_error *err) {
    (void)wish;
    return api_measure(scene, all_contacts, 1, 1e3, out, err);
}
