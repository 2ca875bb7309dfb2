/* sim.c: advances a world by its plan: due steps, probes, solver summary. */
#include "sim.h"

#include "common/fail.h"
#include "common/grow.h"
#include "probes/probe_values.h"
#include "sim_emitter.h"
#include "sim_events.h"
#include "sim_outlet.h"
#include "sim_probe.h"
#include "sim_stop.h"

#include <math.h>
#include <stdio.h>

/* ---- when ---- */

/* Returns interval / step, rounded if it differs from a whole number by round-off only. */
static double steps_in(double interval, double step) {
    const double ratio = interval / step, whole = floor(ratio + 0.5);
    return fabs(ratio - whole) < 1e-6 ? whole : ratio;
}

uint64_t trio_sim_due_after(double interval, double step, uint64_t now) {
    if (!(interval > 0.0) || !(step > 0.0)) return UINT64_MAX;
    const double ratio = steps_in(interval, step);
    if (ratio <= 1.0) return now + 1;
    if (ratio >= 1e18) return UINT64_MAX;
    double k = floor((double)now / ratio);
    while (floor(k * ratio + 0.5) <= (double)now) k += 1.0;
    return (uint64_t)floor(k * ratio + 0.5);
}

static double row_interval(const tru_sim *sim) {
    return sim->plan.probes > 0.0 ? sim->plan.probes : tru_step_size(sim->world);
}

uint64_t trio_sim_next_frame(const tru_sim *sim) {
    return trio_sim_due_after(sim->plan.frames, tru_step_size(sim->world), tru_steps_done(sim->world));
}

uint64_t trio_sim_next_row(const tru_sim *sim) {
    return trio_sim_due_after(row_interval(sim), tru_step_size(sim->world), tru_steps_done(sim->world));
}

static bool is_due(double interval, double step, uint64_t now) {
    return interval > 0.0 && (now == 0 || trio_sim_due_after(interval, step, now - 1) == now);
}

bool trio_sim_frame_is_due(const tru_sim *sim) {
    return is_due(sim->plan.frames, tru_step_size(sim->world), tru_steps_done(sim->world));
}

bool trio_sim_row_is_due(const tru_sim *sim) {
    return is_due(row_interval(sim), tru_step_size(sim->world), tru_steps_done(sim->world));
}

/* Returns true if the run may take many steps at once, up to the first event: no condition needs every step. */
static uint64_t batch_of(const tru_sim *sim) {
    return sim->emitter_count > 0 || sim->outlets.count > 0 || trio_sim_stops_every_step(sim) ? 1 : UINT64_MAX;
}

static void end_here(tru_sim *sim) {
    const double h = tru_step_size(sim->world), time = tru_time(sim->world);
    const bool on_step = fabs(time - sim->plan.until) < 1e-6 * h;
    sim->done = sim->ended = true;
    snprintf(sim->reason, sizeof sim->reason, "reached %.9g s", on_step ? sim->plan.until : time);
}

void trio_sim_set_end(tru_sim *sim, double until) {
    const double h = tru_step_size(sim->world), steps = h > 0.0 ? ceil(steps_in(until, h)) : INFINITY;
    sim->plan.until = until;
    sim->last_step = steps >= 0.0 && steps < 1e18 ? (uint64_t)steps : UINT64_MAX;
    if (sim->ended) {
        sim->ended = sim->done = false;
        sim->reason[0] = '\0';
    }
    if (!sim->done && tru_steps_done(sim->world) >= sim->last_step) end_here(sim);
}

/* Step counts are converted to doubles in places, so they stay below 2^53. */
static tru_status check_end(const tru_sim *sim, double until, tru_error *err) {
    const double h = tru_step_size(sim->world), most = 9007199254740992.0; /* 2^53 */
    char step[64], end[64];
    if (!(h > 0.0) || !(until / h > most)) return TRU_OK;
    tru_unit_format(TRU_UNIT_S, h, step, sizeof step);
    tru_unit_format(TRU_UNIT_S, until, end, sizeof end);
    return trio_fail(err, TRU_OUT_OF_RANGE, "%s in steps of %s takes %.3g steps, must be at most %.3g", end, step,
                     until / h, most);
}

/* ---- life ---- */

tru_status trio_sim_from_world(tru_world *world, const char *stepper, const tru_plan *plan, tru_sim **out,
                               tru_error *err) {
    tru_sim *sim = calloc(1, sizeof *sim);
    if (!sim) {
        tru_world_destroy(world);
        return trio_no_memory(err);
    }
    sim->world = world;
    sim->plan = *plan;
    sim->plan.probe_names = NULL;
    sim->plan.probe_count = 0;
    sim->threads = 1;
    sim->first_bodies = tru_body_count(world);
    sim->contacts.step = UINT64_MAX;
    sim->stepper = copy_text(stepper);
    tru_status s = sim->stepper ? TRU_OK : trio_no_memory(err);
    for (size_t i = 0; s >= 0 && i < plan->probe_count; i++) {
        s = tru_sim_probe(sim, plan->probe_names[i], NULL, NULL, err);
        sim->plan.probe_count = sim->probe_count;
    }
    tru_events_take(world, NULL, 0, &sim->events.lost_base);
    if (s >= 0) s = check_end(sim, plan->until, err);
    if (s < 0) {
        tru_sim_free(sim);
        return s;
    }
    trio_sim_set_end(sim, plan->until);
    *out = sim;
    return TRU_OK;
}

void tru_sim_free(tru_sim *sim) {
    if (!sim) return;
    for (size_t i = 0; i < sim->probe_count; i++) free(sim->probes[i].name);
    for (size_t i = 0; i < sim->stop_count; i++) free(sim->stops[i].name);
    trio_sim_events_release(&sim->events);
    trio_contact_view_release(&sim->contacts);
    free(sim->probes);
    free(sim->stops);
    free(sim->emitters);
    free(sim->outlets.items);
    free(sim->gone);
    free(sim->resumed);
    free(sim->stepper);
    free(sim->command);
    tru_world_destroy(sim->world);
    free(sim);
}

tru_status tru_sim_set_command(tru_sim *sim, const char *command, tru_error *err) {
    char *copy = copy_text(command ? command : "");
    if (!copy) return trio_no_memory(err);
    free(sim->command);
    sim->command = copy;
    return TRU_OK;
}

tru_status tru_sim_set_until(tru_sim *sim, double until, tru_error *err) {
    if (!(until >= 0.0) || !isfinite(until))
        return trio_fail(err, TRU_OUT_OF_RANGE, "the end of a run is %g s, must be at least 0 s", until);
    const tru_status s = check_end(sim, until, err);
    if (s >= 0) trio_sim_set_end(sim, until);
    return s;
}

tru_world *tru_sim_world(tru_sim *sim) { return sim->world; }
const char *tru_sim_stepper(const tru_sim *sim) { return sim->stepper; }
bool tru_sim_done(const tru_sim *sim) { return sim->done; }
double tru_sim_until(const tru_sim *sim) { return sim->plan.until; }
uint64_t tru_sim_last_step(const tru_sim *sim) { return sim->last_step; }
const char *tru_sim_reason(const tru_sim *sim) { return sim->reason; }

/* ---- steps ---- */

void trio_solve_totals_add(tru_solve_totals *sum, const tru_solve_totals *more) {
    sum->steps += more->steps;
    sum->unconverged += more->unconverged;
    sum->iterations += more->iterations;
    if (more->most_iterations > sum->most_iterations) sum->most_iterations = more->most_iterations;
    for (int k = 0; k < TRU_KINDS; k++) sum->residual[k] = fmax(sum->residual[k], more->residual[k]);
    if (more->worst_relative > sum->worst_relative) {
        sum->worst_relative = more->worst_relative;
        sum->worst_time = more->worst_time;
        sum->worst_speed = more->worst_speed;
        sum->worst_a = more->worst_a;
        sum->worst_b = more->worst_b;
    }
    sum->lift = fmax(sum->lift, more->lift);
    if (more->hop > sum->hop) {
        sum->hop = more->hop;
        sum->hop_time = more->hop_time;
    }
}

tru_solver_summary tru_sim_solver(const tru_sim *sim) {
    const tru_solve_totals *t = &sim->solver;
    return (tru_solver_summary){t->steps,          t->unconverged, t->iterations,  t->most_iterations,
                                t->worst_relative, t->worst_time,  t->worst_speed, t->worst_a,
                                t->worst_b,        t->lift,        t->hop,         t->hop_time};
}

/* Evaluates a batch of steps that ended with status s: events from `first` on, probes and stop conditions. */
static tru_status look_after(tru_sim *sim, tru_status s, size_t first, tru_error *err) {
    const tru_solve_totals t = tru_world_solve_take(sim->world);
    trio_solve_totals_add(&sim->solver, &t);
    if (sim->recorded) trio_solve_totals_add(&sim->solver_row, &t);
    const tru_status collected = trio_sim_collect_events(sim, s >= 0 ? err : NULL);
    if (s < 0 || collected < 0) return s < 0 ? s : collected;
    const tru_status left = sim->outlets.count > 0 ? trio_sim_let_leave(sim, err) : TRU_OK;
    if (left < 0) return left;
    if (sim->stop_count > 0) trio_sim_check_stops(sim, first);
    if (!sim->done && tru_steps_done(sim->world) >= sim->last_step) end_here(sim);
    return s;
}

/* Takes up to `steps` steps in one call, at most to the first event. */
static tru_status run_batch(tru_sim *sim, uint64_t steps, tru_error *err) {
    const size_t first = sim->recorded ? sim->events.fresh_count : 0;
    const tru_status s = sim->emitter_count > 0 ? trio_sim_emit(sim, err) : TRU_OK;
    if (s < 0) return s;
    if (sim->came_now) trio_sim_find_probes(sim);
    if (!sim->recorded) sim->events.fresh_count = 0;
    return look_after(sim, tru_run_to_event(sim->world, steps, err), first, err);
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

tru_status tru_sim_run(tru_sim *sim, uint64_t steps, tru_error *err) {
    tru_status worst = TRU_OK;
    tru_error kept; /* the sentence of `worst` */
    if (!sim) return trio_fail(err, TRU_BAD_ARGUMENT, "tru_sim_run needs a simulation");
    const uint64_t now = tru_steps_done(sim->world), batch = batch_of(sim);
    uint64_t left = sim->done ? 0 : least(steps, sim->last_step - now);
    if (sim->recorded) left = least(left, least(trio_sim_next_frame(sim), trio_sim_next_row(sim)) - now);
    while (left > 0 && !sim->done) {
        const uint64_t begun = tru_steps_done(sim->world);
        const tru_status s = run_batch(sim, least(left, batch), err);
        if (s < 0) return s;
        if (s > 0 && s >= worst) {
            worst = s;
            if (err) kept = *err;
        }
        left -= tru_steps_done(sim->world) - begun;
        if (sim->recorded && sim->outlets.count > 0 && sim->came_now)
            break; /* results record a body before it leaves */
    }
    if (worst > 0 && err) *err = kept;
    return worst;
}

/* Returns true if no condition needs single steps: only the end counts. */
static bool runs_through(const tru_sim *sim) {
    return !sim->done && !sim->recorded && sim->emitter_count == 0 && sim->outlets.count == 0 && sim->stop_count == 0;
}

/* Returns the steps that all simulations can take in one call: up to the nearest end, limited by the size of the event
 * ring. */
static uint64_t common_batch(tru_sim *const *sims, const size_t *who, size_t n) {
    enum { ROOM = 512 };
    uint64_t batch = ROOM;
    for (size_t i = 0; i < n; i++) batch = least(batch, sims[who[i]]->last_step - tru_steps_done(sims[who[i]]->world));
    return batch;
}

/* Keeps the more serious of two statuses of a simulation, with its sentence. */
static void note_status(tru_status s, const tru_error *said, tru_status *worst, tru_error *err) {
    if (s == TRU_OK || *worst < 0 || (s > 0 && s < *worst)) return;
    *worst = s;
    *err = *said;
}

/* Runs one batch of the simulations that can share lanes. Returns false if there are none. */
static bool run_together(tru_sim *const *sims, size_t count, tru_status *status, tru_error *err) {
    enum { MOST = 64 };
    size_t who[MOST], n = 0;
    tru_world *worlds[MOST];
    tru_status did[MOST];
    tru_error errs[MOST];
    for (size_t i = 0; i < count && n < MOST; i++)
        if (status[i] >= 0 && runs_through(sims[i]) && tru_body_count(sims[i]->world) <= 8) who[n++] = i;
    if (n < 2) return false;
    for (size_t i = 0; i < n; i++) worlds[i] = sims[who[i]]->world;
    tru_run_many(worlds, n, common_batch(sims, who, n), did, errs);
    for (size_t i = 0; i < n; i++) {
        tru_sim *sim = sims[who[i]];
        sim->events.fresh_count = 0;
        did[i] = look_after(sim, did[i], 0, &errs[i]);
        note_status(did[i], &errs[i], &status[who[i]], &err[who[i]]);
    }
    return true;
}

void tru_sim_run_many(tru_sim *const *sims, size_t count, tru_status *status, tru_error *err) {
    for (size_t i = 0; i < count; i++) status[i] = TRU_OK;
    while (run_together(sims, count, status, err)) {}
    for (size_t i = 0; i < count; i++)
        while (status[i] >= 0 && !sims[i]->done) {
            tru_error said;
            const tru_status s = tru_sim_run(sims[i], UINT64_MAX, &said);
            note_status(s, &said, &status[i], &err[i]);
        }
}

tru_status tru_sim_advance(tru_sim *sim, tru_error *err) { return tru_sim_run(sim, 1, err); }
