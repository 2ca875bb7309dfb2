/* sweep.c: a grid of runs of one scene: its definition, its cells, and the borders that the scene says. */
#include "sweep_state.h"

#include "common/fail.h"
#include "jobs/pool.h"
#include "sweep_axis.h"
#include "sweep_cell.h"
#include "sweep_log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double most_cells = 1e8; /* [-] a result has about 800 bytes */

tru_sweep_def tru_default_sweep_def(void) { return (tru_sweep_def){.until = -1.0}; }

/* ---- the definition ---- */

static tru_status read_axes(tru_sweep *s, const tru_sweep_def *def, tru_error *err) {
    tru_sweep_info *info = &s->info;
    char range[80];
    if (def->seeds < 0) return trio_fail(err, TRU_OUT_OF_RANGE, "seeds is %d, must be at least 0", def->seeds);
    if (def->vary_count + (def->seeds > 0) > TRU_SWEEP_AXES)
        return trio_fail(err, TRU_OUT_OF_RANGE, "at most %d values can be varied", TRU_SWEEP_AXES);
    for (size_t k = 0; k < def->vary_count; k++)
        if (trio_sweep_read_axis(s, &def->vary[k], &s->axes[info->axis_count++], err) < 0) return err->status;
    info->seeds = def->seeds;
    if (def->seeds == 0) return TRU_OK;
    snprintf(range, sizeof range, def->seeds == 1 ? "1" : "1:%d:%d", def->seeds, def->seeds);
    const tru_vary seeds = {.path = "parameters.seed", .range = range};
    return trio_sweep_read_axis(s, &seeds, &s->axes[info->axis_count++], err);
}

static tru_status count_cells(tru_sweep *s, tru_error *err) {
    tru_sweep_info *info = &s->info;
    double cells = 1.0;
    for (size_t k = 0; k < info->axis_count; k++) cells *= (double)s->axes[k].count;
    if (cells > most_cells)
        return trio_fail(err, TRU_OUT_OF_RANGE, "the grid has %.3g cells, must have at most 1e8", cells);
    info->cells = (size_t)cells;
    info->groups = info->seeds > 0 ? info->cells / (size_t)info->seeds : info->cells;
    info->numbers = trio_sweep_is_numbers(info);
    return TRU_OK;
}

/* Reads what needs no scene. */
static tru_status read_definition(tru_sweep *s, const tru_sweep_def *def, tru_error *err) {
    s->log.file = -1;
    s->info.axes = s->axes;
    s->info.probes = s->probes;
    s->info.units = s->units;
    s->until = def->until;
    if ((def->vary_count > 0 && !def->vary) || (def->probe_count > 0 && !def->probes))
        return trio_fail(err, TRU_BAD_ARGUMENT, "vary and probes must not be NULL if there are some");
    if (read_axes(s, def, err) < 0 || trio_sweep_read_bisect(s, &def->bisect, def->on, err) < 0) return err->status;
    if (s->info.axis_count == 0 && !s->info.bisects)
        return trio_fail(err, TRU_BAD_ARGUMENT, "nothing to vary, must be a path, a bisection or seeds");
    if (def->probe_count + 1 > TRU_SWEEP_PROBES)
        return trio_fail(err, TRU_OUT_OF_RANGE, "at most %d probes", TRU_SWEEP_PROBES - 1);
    if (s->no_memory) return trio_no_memory(err);
    return count_cells(s, err);
}

static size_t add_probe(tru_sweep *s, const char *name) {
    for (size_t k = 0; k < s->info.probe_count; k++)
        if (strcmp(s->probes[k], name) == 0) return k;
    s->probes[s->info.probe_count] = trio_sweep_copy(s, name, strlen(name)); /* a change of the scene moves its texts */
    return s->info.probe_count++;
}

/* Chooses the probes that are read at the end of every run: those of the definition, otherwise the scene's, and that of the
 * bisection. */
static tru_status choose_probes(tru_sweep *s, const tru_sweep_def *def, tru_error *err) {
    const tru_plan *plan = tru_scene_plan(s->scene);
    const size_t asked = def->probe_count, count = asked ? asked : plan->probe_count;
    if (count + 1 > TRU_SWEEP_PROBES)
        return trio_fail(err, TRU_OUT_OF_RANGE, "at most %d probes", TRU_SWEEP_PROBES - 1);
    for (size_t k = 0; k < count; k++) {
        if (asked && !def->probes[k]) return trio_fail(err, TRU_BAD_ARGUMENT, "probe %zu is NULL", k);
        add_probe(s, asked ? def->probes[k] : plan->probe_names[k]);
    }
    if (s->bisect.probe) s->bisect.column = add_probe(s, s->bisect.probe);
    return s->no_memory ? trio_no_memory(err) : TRU_OK;
}

/* Tries the ends of an axis, or all its words. */
static tru_status try_axis(tru_sweep *s, const tru_sweep_axis *axis, tru_error *err) {
    char value[200];
    tru_status status = TRU_OK;
    for (size_t i = 0; status >= 0 && i < axis->count; i += axis->words ? 1 : axis->count - 1) {
        if (!axis->words) tru_sweep_value_text(axis, i, value, sizeof value);
        status = tru_scene_change(s->scene, axis->path, axis->words ? axis->words[i] : value, err);
    }
    return status;
}

/* Tries every path, value and probe once before any run begins. */
static tru_status try_first(tru_sweep *s, tru_error *err) {
    tru_sim *sim = NULL;
    char value[200];
    tru_status status = TRU_OK;
    for (size_t k = 0; status >= 0 && k < s->info.axis_count; k++) status = try_axis(s, &s->axes[k], err);
    if (status >= 0 && s->info.bisects) {
        snprintf(value, sizeof value, "%.17g %s", s->info.bisect.from, s->info.bisect.unit);
        status = tru_scene_change(s->scene, s->info.bisect.path, value, err);
    }
    if (status >= 0) status = tru_sim_create(s->scene, s->stepper, 1, &sim, err);
    if (status >= 0 && s->until >= 0.0) status = tru_sim_set_until(sim, s->until, err);
    for (size_t k = 0; status >= 0 && k < s->info.probe_count; k++) {
        size_t probe;
        status = tru_sim_probe(sim, s->probes[k], &probe, &s->units[k], err);
    }
    if (status >= 0) s->together = trio_sweep_lanes(s, sim);
    tru_sim_free(sim);
    return status < 0 ? status : TRU_OK;
}

/* ---- life ---- */

void tru_sweep_free(tru_sweep *s) {
    if (!s) return;
    trio_sweep_log_close(&s->log);
    tru_scene_free(s->scene);
    tru_scene_free(s->varied);
    tru_scene_free(s->bordered);
    trio_store_release(&s->texts);
    free(s->table.row);
    free(s->cells);
    free(s->order);
    free(s);
}

tru_status tru_sweep_check(const tru_sweep_def *def, tru_error *err) {
    tru_error own;
    if (!err) err = &own;
    if (!def) return trio_fail(err, TRU_BAD_ARGUMENT, "definition must not be NULL");
    tru_sweep *s = calloc(1, sizeof *s);
    if (!s) return trio_no_memory(err);
    const tru_status status = read_definition(s, def, err);
    tru_sweep_free(s);
    return status;
}

static tru_status prepare(tru_sweep *s, const tru_scene *scene, const tru_sweep_def *def, tru_error *err) {
    if (read_definition(s, def, err) < 0) return err->status;
    if (def->stepper) s->stepper = trio_sweep_copy(s, def->stepper, strlen(def->stepper));
    if (tru_scene_copy(scene, &s->scene, err) < 0) return err->status;
    if (choose_probes(s, def, err) < 0 || try_first(s, err) < 0) return err->status;
    s->cells = calloc(s->info.cells, sizeof *s->cells);
    s->order = calloc(s->info.cells, sizeof *s->order);
    return s->cells && s->order ? TRU_OK : trio_no_memory(err);
}

tru_status tru_sweep_create(const tru_scene *scene, const tru_sweep_def *def, tru_sweep **out, tru_error *err) {
    tru_error own;
    if (!err) err = &own;
    if (!out) return trio_fail(err, TRU_BAD_ARGUMENT, "out must not be NULL");
    *out = NULL;
    if (!scene || !def) return trio_fail(err, TRU_BAD_ARGUMENT, "scene and definition must not be NULL");
    tru_sweep *s = calloc(1, sizeof *s);
    if (!s) return trio_no_memory(err);
    const tru_status status = prepare(s, scene, def, err);
    if (status >= 0)
        *out = s;
    else
        tru_sweep_free(s);
    return status;
}

const tru_sweep_info *tru_sweep_describe(const tru_sweep *s) { return &s->info; }

const tru_sweep_cell *tru_sweep_cells(const tru_sweep *s) { return s->cells; }

size_t tru_sweep_done(const tru_sweep *s) { return s->done; }

/* ---- running ---- */

/* Returns the number of cells of a job: those from order[job] on that share lanes. */
static size_t cells_of(const tru_sweep *s, size_t job) {
    const size_t left = s->left - job;
    return left < s->together ? left : s->together;
}

static void work(void *user, size_t job, void *results) {
    tru_sweep *s = user;
    trio_sweep_cells(s, s->order + job, cells_of(s, job), results);
}

static bool gather_cell(tru_sweep *s, size_t cell, const tru_sweep_cell *result, int died) {
    tru_sweep_cell *r = &s->cells[cell];
    if (result)
        *r = *result;
    else {
        *r = (tru_sweep_cell){.done = 1, .which = TRU_CLASS_FAILED, .status = TRU_NO_SOLUTION, .border = NAN};
        for (size_t k = 0; k < s->info.probe_count; k++) r->values[k] = NAN;
        snprintf(r->text, sizeof r->text, "its process was ended by signal %d", died);
    }
    s->done++;
    return trio_sweep_log_add(s, cell, &s->broken) >= 0;
}

static bool gather(void *user, size_t job, const void *results, int died) {
    tru_sweep *s = user;
    tru_sweep_cell one;
    bool good = true;
    for (size_t i = 0; good && i < cells_of(s, job); i++) {
        if (results) memcpy(&one, (const char *)results + i * sizeof one, sizeof one);
        good = gather_cell(s, s->order[job + i], results ? &one : NULL, died);
    }
    return good;
}

static bool tick(void *user) {
    tru_sweep *s = user;
    return !s->how->progress || s->how->progress(s->how->user, s->done, s->info.cells);
}

/* Runs the jobs: every `together` cells of the order. */
static tru_status run_jobs(tru_sweep *s, size_t *jobs, tru_error *err) {
    size_t count = 0;
    for (size_t k = 0; k < s->left; k += s->together) jobs[count++] = k;
    const pool_plan plan = {.jobs = jobs,
                            .count = count,
                            .workers = s->how->processes,
                            .result_size = s->together * sizeof(tru_sweep_cell),
                            .work = work,
                            .done = gather,
                            .tick = tick,
                            .user = s};
    s->broken = (tru_error){0};
    const tru_status status = trio_pool_run(&plan, err);
    if (s->broken.status < 0) {
        *err = s->broken;
        return err->status;
    }
    if (status == TRU_REMARK && s->done < s->info.cells)
        return trio_fail(err, TRU_REMARK, "stopped with %zu of %zu cells", s->done, s->info.cells);
    return status == TRU_REMARK ? TRU_OK : status;
}

tru_status tru_sweep_run(tru_sweep *s, const tru_study_how *how, tru_error *err) {
    const tru_study_how alone = {0};
    tru_error own;
    if (!err) err = &own;
    if (!s) return trio_fail(err, TRU_BAD_ARGUMENT, "sweep must not be NULL");
    s->how = how ? how : &alone;
    s->left = 0;
    for (size_t k = 0; k < s->info.cells; k++)
        if (!s->cells[k].done) s->order[s->left++] = k;
    if (s->left == 0) return TRU_OK;
    if (!s->varied && tru_scene_copy(s->scene, &s->varied, err) < 0) return err->status;
    size_t *jobs = malloc(s->left * sizeof *jobs);
    const tru_status status = jobs ? run_jobs(s, jobs, err) : trio_no_memory(err);
    free(jobs);
    s->how = NULL;
    return status;
}

/* ---- borders ---- */

bool tru_sweep_border(tru_sweep *s, int b, size_t k, double *y) {
    char path[80], value[200];
    double scale = 1.0;
    tru_unit_info unit;
    bool angle;
    *y = NAN;
    if (s->info.axis_count < 2 || k >= s->axes[0].count) return false;
    if (!s->bordered && tru_scene_copy(s->scene, &s->bordered, NULL) < 0) return false;
    if (*s->axes[1].unit) tru_unit_parse(s->axes[1].unit, &scale, &unit, &angle);
    snprintf(path, sizeof path, "parameters.border_%d", b);
    tru_sweep_value_text(&s->axes[0], k, value, sizeof value);
    if (tru_scene_number(s->bordered, path, y, &unit, NULL) < 0) {
        *y = NAN;
        return false;
    }
    *y = NAN;
    if (tru_scene_change(s->bordered, s->axes[0].path, value, NULL) >= 0 &&
        tru_scene_number(s->bordered, path, y, &unit, NULL) >= 0)
        *y /= scale;
    return true;
}
