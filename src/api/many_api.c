/* many_api.c: several worlds advanced together. */
#include "api/check_api.h"

#include "world/world.h"

enum {
    TOGETHER = 64, /* [worlds] checked and advanced at once, so that their remarks fit on the stack */
    ALONE = 256    /* [bodies] from which a world runs alone, because tru_run keeps its threads waiting between loops */
};

size_t tru_run_lanes(const tru_world *w) { return w->stepper && w->stepper->lanes > 1 ? (size_t)w->stepper->lanes : 1; }

static bool runs_alone(const tru_world *w) { return !w->stepper || !w->stepper->run_many || w->bodies.count >= ALONE; }

/* Checks worlds of one stepper and advances them by its run_many. A remark of the check stands before that of a step. */
static void run_together(tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status, tru_error *err) {
    tru_error remark[TOGETHER];
    for (size_t i = 0; i < count; i++) {
        status[i] = tru_check(worlds[i], &err[i]);
        remark[i] = status[i] > 0 ? err[i] : (tru_error){TRU_OK, ""};
        if (status[i] > 0) status[i] = TRU_OK;
    }
    worlds[0]->stepper->run_many(worlds, count, steps, status, err);
    for (size_t i = 0; i < count; i++) status[i] = trui_join_remarks(&remark[i], status[i], &err[i]);
}

void tru_run_many(tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status, tru_error *err) {
    for (size_t begin = 0, end; begin < count; begin = end) {
        end = begin + 1;
        if (runs_alone(worlds[begin])) {
            status[begin] = tru_run(worlds[begin], steps, &err[begin]);
            continue;
        }
        while (end < count && end - begin < TOGETHER && worlds[end]->stepper == worlds[begin]->stepper &&
               !runs_alone(worlds[end]))
            end++;
        run_together(worlds + begin, end - begin, steps, status + begin, err + begin);
    }
}
