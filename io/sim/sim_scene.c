/* sim_scene.c: a simulation from a scene: its world, plan, stop conditions. */
#include "sim.h"

#include "common/fail.h"
#include "common/grow.h"
#include "sim_outlet.h"
#include "sim_stop.h"
#include "scene/scene_world.h"
#include "scene/scene_api.h"

#include <stdio.h>

/* Adds the probes of the plan one by one, so that the error of a wrong name has its place in the file. */
static tru_status add_probes(tru_sim *sim, const tru_scene *scene, const tru_plan *plan, tru_error *err) {
    for (size_t i = 0; i < plan->probe_count; i++) {
        char path[64];
        snprintf(path, sizeof path, "record.probes.%zu", i);
        if (tru_sim_probe(sim, plan->probe_names[i], NULL, NULL, err) < 0) return trio_scene_error_at(scene, path, err);
        sim->plan.probe_count = sim->probe_count;
    }
    return TRU_OK;
}

static tru_status add_stops(tru_sim *sim, const tru_scene *scene, tru_error *err) {
    size_t count;
    const scene_stop *stops = trio_scene_stops(scene, &count);
    for (size_t i = 0; i < count; i++)
        if (trio_sim_add_stop(sim, &stops[i], err) < 0) return trio_scene_error_at(scene, stops[i].path, err);
    return TRU_OK;
}

tru_status tru_sim_create(const tru_scene *scene, const char *stepper, int threads, tru_sim **out, tru_error *err) {
    tru_world *world;
    tru_sim *sim;
    tru_error inner = {TRU_OK, ""}; /* trio_scene_error_at puts the place before an existing sentence */
    if (!scene || !out)
        return trio_fail(err, TRU_BAD_ARGUMENT, "tru_sim_create needs a scene and a place for the result");
    tru_status s = trio_scene_build_world(scene, stepper, threads, &world, err);
    if (s < 0) return s;
    tru_plan plan = *tru_scene_plan(scene), bare = plan;
    bare.probe_count = 0;
    s = trio_sim_from_world(world, stepper ? stepper : tru_scene_stepper(scene, 0), &bare, &sim, &inner);
    if (s < 0) {
        if (s == TRU_OUT_OF_RANGE) trio_scene_error_at(scene, "record.until", &inner);
        if (err) *err = inner;
        return s;
    }
    sim->scene = scene;
    sim->threads = threads;
    sim->emitter_count = trio_scene_emitter_count(scene);
    if (sim->emitter_count > 0) sim->emitters = calloc(sim->emitter_count, sizeof *sim->emitters);
    s = sim->emitter_count > 0 && !sim->emitters ? trio_no_memory(&inner)
                                                 : trio_scene_check_world(scene, world, &inner);
    const tru_status remark = s; /* its sentence stays unless a failure follows */
    if (s >= 0) s = trio_scene_check_emitters(scene, stepper, world, &inner);
    if (s >= 0) s = trio_sim_set_outlets(sim, scene, &inner);
    if (s >= 0) s = add_probes(sim, scene, &plan, &inner);
    if (s >= 0) s = add_stops(sim, scene, &inner);
    if (err && (s < 0 || remark > 0)) *err = inner;
    if (s < 0) {
        tru_sim_free(sim);
        return s;
    }
    if (remark > 0) snprintf(sim->remark, sizeof sim->remark, "%s", inner.text);
    *out = sim;
    return remark;
}
