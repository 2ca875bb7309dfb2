/* sim_emitter.c: the emitters of a simulation, which add bodies while it runs. */
#include "sim_emitter.h"

#include "scene/scene_world.h"

#include <stdlib.h>
#include <string.h>

/* Adds the bodies that are due. If a body finds no free place, it is tried again after the next step. */
tru_status trio_sim_emit(tru_sim *sim, tru_error *err) {
    sim->came_now = false;
    for (size_t e = 0; e < sim->emitter_count; e++) {
        sim_emitter *mine = &sim->emitters[e];
        const uint64_t due = trio_scene_emitter_due(sim->scene, e, tru_time(sim->world));
        const uint64_t before = mine->made;
        const tru_status s = trio_scene_emit(sim->scene, e, &mine->made, due, &mine->tries, sim->world, err);
        sim->came_now |= mine->made > before;
        if (s < 0) return s;
    }
    return TRU_OK;
}

bool trio_sim_body_comes(const tru_sim *sim, const char *name) {
    const char *dash = strrchr(name, '-');
    if (!dash || dash == name || dash[1] < '1' || dash[1] > '9' || strspn(dash + 1, "0123456789") != strlen(dash + 1))
        return false;
    const unsigned long long number = strtoull(dash + 1, NULL, 10);
    for (size_t e = 0; e < sim->emitter_count; e++) {
        const char *own = trio_scene_emitter_name(sim->scene, e);
        const size_t length = strlen(own) < 40 ? strlen(own) : 40; /* as much as its bodies get of it */
        if ((size_t)(dash - name) == length && strncmp(own, name, length) == 0)
            return number <= trio_scene_emitter_due(sim->scene, e, 1e300);
    }
    return false;
}

bool trio_sim_emitters_finished(const tru_sim *sim) {
    for (size_t e = 0; e < sim->emitter_count; e++)
        if (sim->emitters[e].made < trio_scene_emitter_due(sim->scene, e, sim->plan.until)) return false;
    return true;
}

size_t trio_sim_most_bodies(const tru_sim *sim) {
    size_t count = sim->first_bodies;
    for (size_t e = 0; e < sim->emitter_count; e++)
        count += (size_t)trio_scene_emitter_due(sim->scene, e, sim->plan.until);
    if (count < tru_body_count(sim->world)) count = tru_body_count(sim->world);
    return count > 0 ? count : 1;
}
