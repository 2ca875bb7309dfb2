/* many_api.c: several worlds advanced together. */
#include "world/world.h"

size_t tru_run_lanes(const tru_world *w) { return w->stepper && w->stepper->lanes > 1 ? (size_t)w->stepper->lanes : 1; }

/* Runs worlds of one stepper: together if it can, in their order. tru_run checks each world itself. */
static void run_alike(tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status, tru_error *err) {
    const tru_stepper *stepper = worlds[0]->stepper;
    const bool together = stepper && stepper->run_many;
    for (size_t i = 0; i < count; i++)
        status[i] = together || !stepper ? tru_check(worlds[i], &err[i]) : tru_run(worlds[i], steps, &err[i]);
    if (together) stepper->run_many(worlds, count, steps, status, err);
}

void tru_run_many(tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status, tru_error *err) {
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && worlds[end]->stepper == worlds[begin]->stepper; end++) {}
        run_alike(worlds + begin, end - begin, steps, status + begin, err + begin);
    }
    for (size_t i = 0; i < count; i++)
        if (status[i] >= 0) trui_world_energy(worlds[i]);
}
