/* run_api.c: choosing a stepper and running a world. */
#include "api/check_api.h"
#include "api/registry.h"

#include "base/assert.h"
#include "base/error.h"
#include "step/motion.h"
#include "world/validate.h"

/* ---- stepper */

/* Finds the solver that a stepper's parameters name, in the plug-in field of kind "solver", and copies its parameters. */
static tru_status find_solver(tru_world *w, const tru_stepper *stepper, const void *params, const tru_solver **solver,
                              void **solver_params, tru_error *err) {
    *solver = NULL;
    *solver_params = NULL;
    for (const tru_field *f = stepper->fields; f && f->name; f++) {
        if (f->type != TRU_FIELD_PLUGIN || strcmp(f->words, "solver") != 0) continue;
        const tru_use *use = (const tru_use *)(const void *)((const char *)params + f->offset);
        tru_error inner = {TRU_OK, ""};
        *solver = trui_solver_named(use->name ? use->name : f->text, &inner);
        if (*solver)
            *solver_params = trui_plugin_params(&w->memory, "solver", (*solver)->name, (*solver)->fields,
                                                (*solver)->size, (*solver)->check, use->params, &inner);
        if (inner.status < 0 && err) *err = inner;
        if (inner.status < 0) return inner.status;
    }
    return TRU_OK;
}

/* Sets plug-in fields of the copy to the copied solver, so that they do not point into the caller's memory. */
static void own_names(const tru_stepper *stepper, void *params, const tru_solver *solver, void *solver_params) {
    for (const tru_field *f = stepper->fields; f && f->name; f++)
        if (f->type == TRU_FIELD_PLUGIN && solver)
            *(tru_use *)(void *)((char *)params + f->offset) = (tru_use){solver->name, solver_params};
}

tru_status tru_stepper_set(tru_world *w, const char *name, const void *params, tru_error *err) {
    tru_error inner = {TRU_OK, ""};
    const tru_solver *solver;
    void *solver_params;
    if (!w) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_stepper_set needs a world");
    const tru_stepper *stepper = trui_stepper_named(name, err);
    if (!stepper) return TRU_UNKNOWN_NAME;
    void *copy = trui_plugin_params(&w->memory, "stepper", stepper->name, stepper->fields, stepper->size,
                                    stepper->check, params, &inner);
    if (!copy) {
        if (err) *err = inner;
        return inner.status;
    }
    const tru_status s = find_solver(w, stepper, copy, &solver, &solver_params, err);
    if (s < 0) {
        trui_mem_release(&w->memory, copy, stepper->size);
        return s;
    }
    own_names(stepper, copy, solver, solver_params);
    if (w->stepper) trui_mem_release(&w->memory, w->stepper_params, w->stepper->size);
    if (w->solver) trui_mem_release(&w->memory, w->solver_params, w->solver->size);
    const double seconds = stepper->step_size(copy);
    TRU_ASSERT(seconds > 0.0 && (!solver || solver_params || solver->size == 0));
    if (seconds != w->step) { /* with the same step, time keeps its bits */
        w->time_base = trui_world_time(w);
        w->steps_here = 0;
    }
    w->stepper = stepper;
    w->stepper_params = copy;
    w->solver = solver;
    w->solver_params = solver_params;
    w->step = seconds;
    array_clear(&w->before); /* the last step was that of another stepper, so it cannot be judged */
    world_changed(w);
    return TRU_OK;
}

/* ---- run */

/* Returns the number of events that were not taken, lost ones included. */
static uint64_t event_count(const tru_world *w) { return w->events.count + w->events.lost; }

enum { MANY = 256 }; /* [bodies] from which threads that wait between loops pay off */

/* A run in progress. */
typedef struct running {
    tru_world *w;
    uint64_t steps;
    bool to_event;
    tru_status worst;
    tru_error *err;
} running;

/* Takes `steps` steps, or up to the one that emits an event, which is always the last of what a stepper takes in one call. */
static void take_steps(void *context) {
    running *r = context;
    tru_world *w = r->w;
    const tru_stepper *by = w->stepper;
    const uint64_t events = event_count(w);
    for (uint64_t i = 0, taken = 1; i < r->steps && !(r->to_event && event_count(w) != events); i += taken) {
        TRU_ASSERT(i < r->steps && taken <= r->steps && w->steps_here <= w->steps_done);
        const tru_status s = by->run ? by->run(w->stepper_params, w, r->steps - i, &taken, r->err)
                                     : by->step(w->stepper_params, w, r->err);
        if (s < 0 || s > r->worst) r->worst = s;
        if (s < 0) return;
    }
}

/* Checks and runs a world. */
static tru_status run(tru_world *w, uint64_t steps, bool to_event, tru_error *err) {
    const tru_status checked = tru_check(w, err);
    running r = {w, steps, to_event, TRU_OK, err};
    tru_error remark;
    if (checked < 0) return checked;
    if (checked > 0) remark = err ? *err : (tru_error){checked, ""};
    if (w->bodies.count >= MANY)
        trui_parallel_together(w->threads, take_steps, &r);
    else
        take_steps(&r);
    world_assert_valid_after(w, steps);
    return checked > 0 ? trui_join_remarks(&remark, r.worst, err) : r.worst;
}

tru_status tru_run(tru_world *w, uint64_t steps, tru_error *err) { return run(w, steps, false, err); }
tru_status tru_run_to_event(tru_world *w, uint64_t steps, tru_error *err) { return run(w, steps, true, err); }

double tru_time(const tru_world *w) { return trui_world_time(w); }
uint64_t tru_steps_done(const tru_world *w) { return w->steps_done; }
double tru_step_size(const tru_world *w) { return w->stepper ? w->step : 0.0; }
int tru_step_order(const tru_world *w) {
    if (!w->stepper) return 0;
    return w->stepper->order ? w->stepper->order(w->stepper_params, w) : 1;
}

void tru_profile_set(tru_world *w, double (*clock)(void)) {
    w->clock = clock;
    w->profile = (tru_profile){0};
}

tru_profile tru_profile_get(const tru_world *w) { return w->profile; }
