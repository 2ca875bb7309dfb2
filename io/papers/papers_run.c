/* papers_run.c: the runs that recompute published numbers. */
#include "common/fail.h"
#include "jobs/clock.h"
#include "jobs/pool.h"
#include "limit_survey.h"
#include "papers_trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one run, in a worker ---- */

static bool same_dimension(tru_unit_info a, tru_unit unit) {
    const tru_unit_info b = tru_unit_describe(unit);
    return unit == TRU_UNIT_MISSING || (a.kg == b.kg && a.m == b.m && a.s == b.s);
}

static tru_status begin_all(papers *all, size_t run, tru_sim *sim, measuring *m, bool *every_step, tru_error *err) {
    size_t n = 0;
    for (size_t k = 0; k < all->row_count; k++) {
        paper_row *row = &all->rows[k];
        if (row->run != run) continue;
        if (trio_measuring_begin(&m[n], &row->measure, sim, err) < 0) {
            char sentence[sizeof err->text];
            memcpy(sentence, err->text, sizeof sentence);
            return trio_entry_fail(row->node, err->status, err, "row %s: %.300s", row->id, sentence);
        }
        if (!same_dimension(row->powers, m[n].unit) && !row->bisect)
            return trio_entry_fail(row->node, TRU_BAD_ARGUMENT, err, "row %s: the measure is in %s, not in %s", row->id,
                                   tru_unit_describe(m[n].unit).symbol, row->unit);
        *every_step = *every_step || trio_measuring_every_step(&row->measure);
        n++;
    }
    return TRU_OK;
}

static void see(tru_sim *sim, measuring *m, size_t count, papers_trace *trace) {
    for (size_t k = 0; k < count; k++) trio_measuring_step(&m[k], sim);
    trio_trace_step(trace, sim);
}

static tru_status advance(tru_sim *sim, measuring *m, size_t count, bool every_step, papers_trace *trace,
                          tru_error *err) {
    tru_status status = TRU_OK;
    if (every_step) see(sim, m, count, trace);
    while (status >= 0 && !tru_sim_done(sim)) {
        status = tru_sim_run(sim, every_step ? 1 : 100000, err);
        if (every_step) see(sim, m, count, trace);
    }
    return status;
}

static tru_status open_run(const tru_papers_def *def, const paper_row *row, tru_scene **scene, tru_sim **sim,
                           tru_error *err) {
    char path[4096];
    if (def->find_scene && !def->find_scene(def->user, row->scene, path, sizeof path))
        return trio_entry_fail(row->node, TRU_FILE, err, "row %s: there is no scene '%s'", row->id, row->scene);
    tru_status status = tru_scene_read(def->find_scene ? path : row->scene, row->sets, row->set_count, scene, err);
    if (status >= 0) status = tru_sim_create(*scene, row->stepper, 1, sim, err);
    if (status >= 0 && !isnan(row->until)) status = tru_sim_set_until(*sim, row->until, err);
    return status;
}

/* Runs the scene once for all rows of the run. */
static tru_status measure_run(tru_papers *s, size_t run, bool curves, outcome *out, tru_error *err) {
    papers *all = &s->papers;
    const size_t count = all->runs[run].rows;
    papers_trace trace = {0};
    tru_scene *scene = NULL;
    tru_sim *sim = NULL;
    measuring *m = calloc(count, sizeof *m);
    bool every_step = false;
    if (!m) return trio_no_memory(err);
    tru_status status = open_run(&s->def, &all->rows[all->runs[run].first], &scene, &sim, err);
    if (status >= 0) status = begin_all(all, run, sim, m, &every_step, err);
    if (status >= 0 && curves) status = trio_trace_begin(&trace, all, run, sim, err);
    if (status >= 0) status = advance(sim, m, count, every_step || trace.probes > 0, &trace, err);
    if (status >= 0)
        for (size_t k = 0; status >= 0 && k < count; k++) {
            if (!trio_measuring_fits(&m[k])) status = trio_no_memory(err);
            if (status >= 0) out->value[k] = trio_measuring_end(&m[k], sim);
        }
    for (size_t k = 0; k < count; k++) trio_measuring_free(&m[k]);
    if (scene) out->scene_hash = tru_scene_hash(scene);
    trio_trace_end(&trace, out);
    free(m);
    tru_sim_free(sim);
    tru_scene_free(scene);
    return status;
}

/* Finds by bisection, to round-off, where the measure of a row changes between two values of a number of the scene. */
static tru_status bisect_run(tru_papers *s, size_t run, outcome *out, tru_error *err) {
    papers *all = &s->papers;
    paper_row *row = &all->rows[all->runs[run].first];
    const tru_set *sets = row->sets;
    tru_set *more = calloc(row->set_count + 1, sizeof *more);
    char text[80];
    double low = row->low, high = row->high, first = NAN;
    tru_status status = TRU_OK;
    if (!more) return trio_no_memory(err);
    memcpy(more, sets, row->set_count * sizeof *more);
    more[row->set_count] = (tru_set){row->bisect, text};
    row->sets = more; /* until the run ends */
    row->set_count++;
    for (int k = 0; status >= 0 && k < 62; k++) {
        const double middle = k == 0 ? low : k == 1 ? high : 0.5 * (low + high);
        snprintf(text, sizeof text, "%.17g%s%s", middle, strcmp(row->unit, "-") == 0 ? "" : " ",
                 strcmp(row->unit, "-") == 0 ? "" : row->unit);
        status = measure_run(s, run, false, out, err);
        if (status < 0) break;
        if (k == 0) first = out->value[0];
        if (k == 1 && out->value[0] == first)
            status = trio_entry_fail(row->node, TRU_NO_SOLUTION, err,
                                     "row %s: the measure is %.6g at both ends, must differ", row->id, first);
        if (k > 1) *(out->value[0] == first ? &low : &high) = middle;
    }
    row->sets = (tru_set *)sets;
    row->set_count--;
    free(more);
    out->value[0] = row->scale * 0.5 * (low + high);
    return status;
}

/* Computes the mean over seeds. The last seed is 1; its run has the curves. */
static tru_status seeds_run(tru_papers *s, size_t run, bool curves, outcome *out, tru_error *err) {
    papers *all = &s->papers;
    paper_row *row = &all->rows[all->runs[run].first];
    const int seeds = row->seeds;
    tru_set *sets = row->sets, *more = calloc(row->set_count + 1, sizeof *more);
    double sum[MOST_ROWS] = {0.0};
    char text[20];
    tru_status status = TRU_OK;
    if (!more) return trio_no_memory(err);
    memcpy(more, sets, row->set_count * sizeof *more);
    more[row->set_count++] = (tru_set){"parameters.seed", text};
    row->sets = more; /* until the run ends */
    for (int seed = seeds; status >= 0 && seed >= 1; seed--) {
        snprintf(text, sizeof text, "%d", seed);
        status = measure_run(s, run, curves && seed == 1, out, err);
        for (size_t k = 0; k < all->runs[run].rows; k++) sum[k] += out->value[k];
    }
    for (size_t k = 0; k < all->runs[run].rows; k++) out->value[k] = sum[k] / seeds;
    row->sets = sets;
    row->set_count--;
    free(more);
    return status;
}

static void survey_run(const papers *all, size_t run, outcome *out) {
    const paper_row *first = &all->rows[all->runs[run].first];
    double values[SURVEY_VALUES];
    size_t n = 0;
    trio_limit_survey(first->survey_states, first->survey_seed, values);
    for (size_t k = 0; k < all->row_count; k++)
        if (all->rows[k].run == run) out->value[n++] = values[all->rows[k].survey_take];
}

static void work(void *user, size_t run, void *result) {
    tru_papers *s = user;
    outcome *out = result;
    tru_error err = {0};
    const paper_row *row = &s->papers.rows[s->papers.runs[run].first];
    const double begun = trio_now();
    out->status = TRU_OK;
    if (row->survey_states > 0)
        survey_run(&s->papers, run, out);
    else if (row->bisect)
        out->status = bisect_run(s, run, out, &err);
    else if (row->seeds > 0)
        out->status = seeds_run(s, run, s->def.curves, out, &err);
    else
        out->status = measure_run(s, run, s->def.curves, out, &err);
    out->done = true;
    out->seconds = trio_now() - begun;
    memcpy(out->text, err.text, sizeof out->text);
}

/* ---- all runs ---- */

static bool gather(void *user, size_t run, const void *result, int died) {
    tru_papers *s = user;
    outcome *out = &s->outcomes[run];
    if (result)
        memcpy(out, result, sizeof *out);
    else {
        out->done = true;
        out->status = TRU_NO_SOLUTION;
        snprintf(out->text, sizeof out->text, "the process of this run was ended by signal %d", died);
    }
    s->done++;
    return true;
}

static bool tick(void *user) {
    const tru_papers *s = user;
    return !s->how->progress || s->how->progress(s->how->user, s->done, s->papers.run_count);
}

static tru_status run_jobs(tru_papers *s, size_t *order, tru_error *err) {
    const size_t count = s->papers.run_count;
    for (size_t r = 0; r < count; r++) {
        order[r] = r;
        if (s->papers.runs[r].rows > MOST_ROWS)
            return trio_fail(err, TRU_OUT_OF_RANGE, "more than %d rows share a run", MOST_ROWS);
    }
    const pool_plan plan = {.jobs = order,
                            .count = count,
                            .workers = s->how->processes,
                            .result_size = sizeof(outcome),
                            .work = work,
                            .done = gather,
                            .tick = tick,
                            .user = s};
    const tru_status status = trio_pool_run(&plan, err);
    if (status != TRU_REMARK || s->done == count) return status < 0 ? status : TRU_OK;
    return trio_fail(err, TRU_REMARK, "stopped with %zu of %zu runs", s->done, count);
}

tru_status tru_papers_run(tru_papers *s, const tru_study_how *how, tru_error *err) {
    const tru_study_how alone = {0};
    if (!s) return trio_fail(err, TRU_BAD_ARGUMENT, "papers must not be NULL");
    free(s->papers.runs);
    free(s->outcomes);
    s->papers.runs = NULL;
    s->outcomes = NULL;
    s->papers.run_count = s->done = 0;
    s->how = how ? how : &alone;
    if (trio_papers_group(&s->papers, err) < 0) return TRU_NO_MEMORY;
    s->outcomes = calloc(s->papers.run_count + 1, sizeof *s->outcomes);
    size_t *order = malloc((s->papers.run_count + 1) * sizeof *order);
    const tru_status status = s->outcomes && order ? run_jobs(s, order, err) : trio_no_memory(err);
    free(order);
    s->how = NULL;
    return status;
}
