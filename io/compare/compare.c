/* compare.c: one scene by every stepper block and variant, at three steps or more. */
#include "compare_state.h"

#include "common/fail.h"
#include "jobs/clock.h"
#include "jobs/pool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double most_work = 1e7; /* [-] steps times bodies of a run that is tried beyond LEVELS: some seconds */

/* ---- one run, in a worker ---- */

static double fastest_body(const tru_world *w) {
    double most = 0.0;
    for (size_t k = 0; k < tru_body_count(w); k++) {
        tru_body_state b;
        if (tru_body_get(w, tru_body_at(w, k), &b, NULL) < 0) continue;
        most = fmax(most, hypot(hypot(b.velocity.x, b.velocity.y), b.velocity.z));
    }
    return most;
}

static void sample(const tru_compare *s, tru_sim *sim, outcome *out, int k) {
    out->speed = fmax(out->speed, fastest_body(tru_sim_world(sim)));
    for (size_t p = 0; p < s->info.probe_count; p++) out->values[k][p] = tru_sim_value(sim, p);
    const int order = tru_step_order(tru_sim_world(sim));
    if (order < out->order) out->order = order;
}

static double sample_time(const tru_compare *s, int k) {
    return s->coarse * fmax(round(s->info.until * (k + 1) / SAMPLES / s->coarse), 1.0);
}

/* Samples near until/16, 2 until/16, ..., on the coarse time grid, so that halved steps meet them. */
static tru_status follow(const tru_compare *s, tru_sim *sim, outcome *out, tru_error *err) {
    const double step = tru_step_size(tru_sim_world(sim));
    tru_status status = TRU_OK;
    out->order = 99;
    for (int k = 0; status >= 0 && k < SAMPLES; k++) {
        const double wanted = ceil(sample_time(s, k) / step - 1e-6);
        while (status >= 0 && !tru_sim_done(sim) && (double)tru_steps_done(tru_sim_world(sim)) < wanted)
            status = tru_sim_run(sim, (uint64_t)(wanted - (double)tru_steps_done(tru_sim_world(sim))), err);
        if (status >= 0) sample(s, sim, out, k);
    }
    size_t count;
    const tru_event *events = tru_sim_events(sim, &count);
    for (size_t k = 0; k < count; k++) {
        const bool later = events[k].time > 2.0 * step;
        out->impacts = out->impacts || (events[k].kind == TRU_EVENT_TOUCH && later);
        out->switches =
            out->switches || ((events[k].kind == TRU_EVENT_SLIP || events[k].kind == TRU_EVENT_STICK) && later);
    }
    return status;
}

/* Builds and follows a run. The scene is a copy, because a variant must not stay in the scene of the next run. */
static tru_status run_copy(const tru_compare *s, size_t job, outcome *out, tru_error *err) {
    const tru_method *m = &s->methods[job / MOST_LEVELS];
    char value[60];
    tru_scene *scene = NULL;
    tru_sim *sim = NULL;
    tru_status status = tru_scene_copy(s->scene, &scene, err);
    if (status >= 0 && m->change.path) status = tru_scene_change(scene, m->change.path, m->change.value, err);
    snprintf(value, sizeof value, "%.17g s", ldexp(m->step, -(int)(job % MOST_LEVELS)));
    if (status >= 0) status = tru_scene_change(scene, s->step_paths[job / MOST_LEVELS], value, err);
    if (status >= 0) status = tru_sim_create(scene, m->stepper, 1, &sim, err);
    if (status >= 0) status = tru_sim_set_until(sim, s->info.until, err);
    if (status >= 0) status = follow(s, sim, out, err);
    tru_sim_free(sim);
    tru_scene_free(scene);
    return status;
}

static void work(void *user, size_t job, void *result) {
    outcome *out = result;
    tru_error err = {0};
    const double begun = trio_now();
    out->status = run_copy(user, job, out, &err);
    out->seconds = trio_now() - begun;
    memcpy(out->text, err.text, sizeof out->text);
}

static bool gather(void *user, size_t job, const void *result, int died) {
    tru_compare *s = user;
    s->done++;
    if (result)
        memcpy(&s->outcomes[job], result, sizeof(outcome));
    else {
        s->outcomes[job].status = TRU_NO_SOLUTION;
        snprintf(s->outcomes[job].text, sizeof s->outcomes[job].text, "its process was ended by signal %d", died);
    }
    return true;
}

/* ---- all runs ---- */

static bool tick(void *user) {
    const tru_compare *s = user;
    return !s->how->progress || s->how->progress(s->how->user, s->done, s->all);
}

/* Runs the jobs method x level. */
static tru_status run_jobs(tru_compare *s, const size_t *jobs, size_t count, tru_error *err) {
    const pool_plan plan = {.jobs = jobs,
                            .count = count,
                            .workers = s->how->processes,
                            .result_size = sizeof(outcome),
                            .work = work,
                            .done = gather,
                            .tick = tick,
                            .user = s};
    s->all += count;
    const tru_status status = trio_pool_run(&plan, err);
    if (status != TRU_REMARK || s->done == s->all) return status < 0 ? status : TRU_OK;
    return trio_fail(err, TRU_REMARK, "stopped with %zu of %zu runs", s->done, s->all);
}

static bool is_told(const tru_compare *s, size_t m) {
    for (size_t p = 0; p < s->info.probe_count; p++) {
        tru_order order;
        tru_compare_order(s, m, p, &order, NULL);
        if (!order.good && isnan(order.told)) return false;
    }
    return true;
}

/* Halves the step once more for every method with a probe that does not show its order. *more is false if there is none. */
static tru_status run_finer(tru_compare *s, bool *more, tru_error *err) {
    size_t jobs[TRU_COMPARE_METHODS], count = 0;
    for (size_t m = 0; m < s->info.method_count; m++) {
        tru_method *way = &s->methods[m];
        const double steps = s->info.until / ldexp(way->step, -way->levels);
        if (way->levels == MOST_LEVELS || way->cut || is_told(s, m)) continue;
        way->cut = steps * (double)s->bodies > most_work;
        if (!way->cut) jobs[count++] = m * MOST_LEVELS + (size_t)way->levels;
    }
    *more = count > 0;
    const tru_status status = run_jobs(s, jobs, count, err);
    for (size_t k = 0; status == TRU_OK && k < count; k++) {
        tru_method *way = &s->methods[jobs[k] / MOST_LEVELS];
        if (s->outcomes[jobs[k]].status >= 0)
            way->levels++;
        else
            way->cut = true;
    }
    return status;
}

/* Runs every method at its step, half and a quarter of it. Fails if one of these runs does. */
static tru_status run_levels(tru_compare *s, tru_error *err) {
    size_t jobs[TRU_COMPARE_METHODS * LEVELS] = {0};
    const size_t count = s->info.method_count * LEVELS;
    for (size_t k = 0; k < count; k++) jobs[k] = k / LEVELS * MOST_LEVELS + k % LEVELS;
    for (size_t m = 0; m < s->info.method_count; m++) {
        s->methods[m].levels = LEVELS;
        s->methods[m].cut = false;
    }
    const tru_status status = run_jobs(s, jobs, count, err);
    for (size_t k = 0; status == TRU_OK && k < count; k++) {
        const outcome *o = &s->outcomes[jobs[k]];
        if (o->status < 0) return trio_fail(err, o->status, "%s: %s", s->methods[k / LEVELS].label, o->text);
    }
    return status;
}

tru_status tru_compare_run(tru_compare *s, const tru_study_how *how, tru_error *err) {
    const tru_study_how alone = {0};
    bool more = true;
    if (!s) return trio_fail(err, TRU_BAD_ARGUMENT, "comparison must not be NULL");
    s->how = how ? how : &alone;
    s->done = s->all = 0;
    s->ran = false;
    tru_status status = run_levels(s, err);
    s->ran = status == TRU_OK;
    while (status == TRU_OK && more) status = run_finer(s, &more, err);
    s->ran = status == TRU_OK;
    s->how = NULL;
    s->info.seconds = 0.0;
    for (size_t k = 0; k < s->info.method_count * MOST_LEVELS; k++) s->info.seconds += s->outcomes[k].seconds;
    return status;
}

/* ---- methods ---- */

/* Copies the text before `end`, or all of it if `end` is NULL. */
static const char *copy(tru_compare *s, const char *text, const char *end, tru_error *err) {
    const size_t length = end ? (size_t)(end - text) : strlen(text);
    char *out = trio_store_take(&s->texts, length + 1);
    if (!out) {
        trio_no_memory(err);
        return NULL;
    }
    return memcpy(out, text, length);
}

/* The step of a stepper block: "steppers.moreau.step", or "steppers.mine.moreau.step" in a block with its own name. */
static tru_status read_step(tru_compare *s, size_t m, tru_error *err) {
    const char *stepper = s->methods[m].stepper;
    char path[400];
    snprintf(path, sizeof path, "steppers.%s.step", stepper);
    for (size_t k = 0; tru_scene_number(s->scene, path, &s->methods[m].step, NULL, err) < 0; k++) {
        if (!tru_stepper_at(k)) return err->status;
        snprintf(path, sizeof path, "steppers.%s.%s.step", stepper, tru_stepper_at(k)->name);
    }
    s->step_paths[m] = copy(s, path, NULL, err);
    s->coarse = fmax(s->coarse, s->methods[m].step);
    return s->step_paths[m] ? TRU_OK : TRU_NO_MEMORY;
}

/* Returns the block that a variant's path names, otherwise the first. */
static const char *block_of(const tru_compare *s, size_t blocks, const char *path) {
    const char *stepper = s->methods[0].stepper;
    for (size_t i = 0; i < blocks; i++) {
        const size_t n = strlen(s->methods[i].stepper);
        if (strncmp(path, "steppers.", 9) == 0 && strncmp(path + 9, s->methods[i].stepper, n) == 0 &&
            path[9 + n] == '.')
            stepper = s->methods[i].stepper;
    }
    return stepper;
}

/* Adds a change as a method, labelled "path=value". */
static tru_status add_variant(tru_compare *s, size_t blocks, const tru_set *change, tru_error *err) {
    tru_method *m = &s->methods[s->info.method_count++];
    if (!change->path || !change->value) return trio_fail(err, TRU_BAD_ARGUMENT, "a variant needs a path and a value");
    const size_t n = strlen(change->path), room = n + strlen(change->value) + 2;
    char *label = trio_store_take(&s->texts, room);
    const char *path = copy(s, change->path, NULL, err);
    if (!label || !path) return trio_no_memory(err);
    snprintf(label, room, "%s=%s", change->path, change->value);
    *m = (tru_method){.label = label, .stepper = block_of(s, blocks, path), .change = {path, label + n + 1}};
    return TRU_OK;
}

/* Every block, and every variant. */
static tru_status find_methods(tru_compare *s, const tru_compare_def *def, tru_error *err) {
    tru_compare_info *info = &s->info;
    tru_status status = TRU_OK;
    for (size_t k = 0; tru_scene_stepper(s->scene, k) && info->method_count < TRU_COMPARE_METHODS; k++) {
        const char *name = copy(s, tru_scene_stepper(s->scene, k), NULL, err);
        if (!name) return TRU_NO_MEMORY;
        s->methods[info->method_count++] = (tru_method){.label = name, .stepper = name};
    }
    const size_t blocks = info->method_count;
    for (size_t k = 0; status >= 0 && k < def->variant_count && info->method_count < TRU_COMPARE_METHODS; k++)
        status = add_variant(s, blocks, &def->variants[k], err);
    for (size_t m = 0; status >= 0 && m < info->method_count; m++) status = read_step(s, m, err);
    for (int k = 0; k < SAMPLES; k++) info->times[k] = sample_time(s, k);
    return status;
}

static tru_status find_probes(tru_compare *s, tru_error *err) {
    tru_sim *sim = NULL;
    tru_compare_info *info = &s->info;
    const tru_plan *plan = tru_scene_plan(s->scene);
    if (info->until <= 0.0) info->until = plan->until;
    info->probe_count = plan->probe_count < TRU_COMPARE_PROBES ? plan->probe_count : TRU_COMPARE_PROBES;
    if (info->probe_count == 0)
        return trio_fail(err, TRU_REFUSED, "%s records no probes; add some to record: {probes: [...]}",
                         tru_scene_name(s->scene));
    for (size_t p = 0; p < info->probe_count; p++)
        if (!(s->probes[p] = copy(s, plan->probe_names[p], NULL, err))) return TRU_NO_MEMORY;
    tru_status status = tru_sim_create(s->scene, NULL, 1, &sim, err);
    if (status >= 0) s->bodies = tru_body_count(tru_sim_world(sim));
    for (size_t p = 0; status >= 0 && p < info->probe_count; p++) {
        size_t index;
        status = tru_sim_probe(sim, s->probes[p], &index, &s->units[p], err);
    }
    tru_sim_free(sim);
    return status;
}

/* ---- life ---- */

tru_compare_def tru_default_compare_def(void) { return (tru_compare_def){.until = -1.0}; }

void tru_compare_free(tru_compare *s) {
    if (!s) return;
    tru_scene_free(s->scene);
    trio_store_release(&s->texts);
    free(s->outcomes);
    free(s);
}

static tru_status prepare(tru_compare *s, const tru_scene *scene, const tru_compare_def *def, tru_error *err) {
    s->info = (tru_compare_info){.until = def->until, .methods = s->methods, .probes = s->probes, .units = s->units};
    if (def->variant_count > 0 && !def->variants)
        return trio_fail(err, TRU_BAD_ARGUMENT, "variants must not be NULL if there are some");
    if (tru_scene_copy(scene, &s->scene, err) < 0) return err->status;
    tru_status status = find_probes(s, err);
    if (status >= 0) status = find_methods(s, def, err);
    if (status < 0) return status;
    s->outcomes = calloc(s->info.method_count * MOST_LEVELS, sizeof *s->outcomes);
    return s->outcomes ? TRU_OK : trio_no_memory(err);
}

tru_status tru_compare_create(const tru_scene *scene, const tru_compare_def *def, tru_compare **out, tru_error *err) {
    tru_error own;
    if (!err) err = &own;
    if (!out) return trio_fail(err, TRU_BAD_ARGUMENT, "out must not be NULL");
    *out = NULL;
    if (!scene || !def) return trio_fail(err, TRU_BAD_ARGUMENT, "scene and definition must not be NULL");
    tru_compare *s = calloc(1, sizeof *s);
    if (!s) return trio_no_memory(err);
    const tru_status status = prepare(s, scene, def, err);
    if (status >= 0)
        *out = s;
    else
        tru_compare_free(s);
    return status;
}

const tru_compare_info *tru_compare_describe(const tru_compare *s) { return &s->info; }
