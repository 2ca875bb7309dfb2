/* cmd_sweep.c: "trundle sweep": a grid of runs of one scene in several processes, resumable, with tables and a map. */
#include "cli/app.h"
#include "cli/pool.h"
#include "cli/progress.h"
#include "cli/stop.h"
#include "sweep/sweep.h"
#include "text/table.h"
#include "sweep/sweep_against.h"
#include "sweep/sweep_axis.h"
#include "sweep/sweep_cell.h"
#include "sweep/sweep_log.h"
#include "sweep/sweep_map.h"
#include "sweep/sweep_report.h"
#include "sweep/sweep_seeds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct session {
    sweep sweep;
    sweep_result *results;
    sweep_log log;
    sweep_table table;   /* to compare with; path NULL: none */
    char *dir;           /* NULL: no files */
    size_t *order, left; /* cells to be run, in this order */
    size_t done, before; /* cells; before this call */
    double begun;        /* [s] wall clock */
    bool broken;         /* the log cannot be written */
} session;

/* ---- reading the options ---- */

static bool read_axes(sweep *s, const args *a) {
    const size_t count = args_times(a, "vary");
    const int seeds = (int)args_number(a, "seeds", 0.0);
    char text[80];
    if (count + (seeds > 0) > SWEEP_AXES) {
        say(stderr, "trundle sweep: at most %d values can be varied\n", SWEEP_AXES);
        return false;
    }
    for (size_t k = 0; k < count; k++)
        if (!sweep_read_axis(args_nth(a, "vary", k), &s->axes[s->axis_count++])) return false;
    if (seeds == 1) snprintf(text, sizeof text, "parameters.seed=1");
    if (seeds > 1) snprintf(text, sizeof text, "parameters.seed=1:%d:%d", seeds, seeds);
    s->seeds = seeds;
    if (seeds > 0 && !sweep_read_axis(text, &s->axes[s->axis_count++])) return false;
    return true;
}

static bool read_bisect(sweep *s, const args *a) {
    const char *text = args_text(a, "bisect"), *on = args_text(a, "on");
    if (!text && !on) return true;
    if (!text || !on) {
        fputs("trundle sweep: --bisect and --on belong together\n", stderr);
        return false;
    }
    s->bisects = true;
    return sweep_read_bisect(text, on, &s->bisect);
}

static bool read_options(sweep *s, const args *a) {
    s->stepper = args_text(a, "stepper");
    s->until = args_number(a, "until", -1.0);
    if (!read_axes(s, a) || !read_bisect(s, a)) return false;
    if (s->axis_count == 0 && !s->bisects) {
        fputs("trundle sweep: nothing to vary; give --vary, --bisect or --seeds (trundle help sweep)\n", stderr);
        return false;
    }
    double cells = 1.0;
    for (size_t k = 0; k < s->axis_count; k++) cells *= (double)s->axes[k].count;
    s->cells = (size_t)fmin(cells, 1e9);
    if (cells <= 1e8) return true;
    say(stderr, "trundle sweep: the grid has %.3g cells, must have at most 1e8\n", cells);
    return false;
}

static size_t add_probe(sweep *s, const char *name) {
    for (size_t k = 0; k < s->probe_count; k++)
        if (strcmp(s->probes[k], name) == 0) return k;
    s->probes[s->probe_count] = need_text("%s", name);
    return s->probe_count++;
}

/* Chooses the probes that are read at the end of every run: those of --probe, otherwise the scene's, and that of the
 * bisection. */
static bool choose_probes(sweep *s, const args *a) {
    const tru_plan *plan = tru_scene_plan(s->scene);
    const size_t asked = args_times(a, "probe"), count = asked ? asked : plan->probe_count;
    if (count + 1 > SWEEP_COLUMNS) {
        say(stderr, "trundle sweep: at most %d probes\n", SWEEP_COLUMNS - 1);
        return false;
    }
    for (size_t k = 0; k < count; k++) add_probe(s, asked ? args_nth(a, "probe", k) : plan->probe_names[k]);
    if (s->bisects && s->bisect.probe) s->bisect.column = add_probe(s, s->bisect.probe);
    return true;
}

/* Tries every path, value and probe once before any process starts. */
static int try_first(sweep *s) {
    tru_error err;
    tru_sim *sim = NULL;
    char value[200];
    tru_status status = TRU_OK;
    for (size_t k = 0; status >= 0 && k < s->axis_count; k++)
        for (size_t i = 0; status >= 0 && i < s->axes[k].count; i += s->axes[k].words ? 1 : s->axes[k].count - 1) {
            sweep_value_text(&s->axes[k], i, value, sizeof value);
            status = tru_scene_change(s->scene, s->axes[k].path, value, &err);
        }
    if (status >= 0 && s->bisects) {
        snprintf(value, sizeof value, "%.17g %s", s->bisect.axis.from, s->bisect.axis.unit);
        status = tru_scene_change(s->scene, s->bisect.axis.path, value, &err);
    }
    if (status >= 0) status = tru_sim_create(s->scene, s->stepper, 1, &sim, &err);
    for (size_t k = 0; status >= 0 && k < s->probe_count; k++) {
        size_t probe;
        status = tru_sim_probe(sim, s->probes[k], &probe, &s->units[k], &err);
    }
    if (status >= 0) s->together = sweep_lanes(s, sim);
    tru_sim_free(sim);
    return status < 0 ? complain(&err) : EXIT_GOOD;
}

/* ---- running ---- */

/* Lists the cells of a job: those from order[job] on that share lanes. */
static size_t cells_of(const session *s, size_t job) {
    const size_t left = s->left - job;
    return left < s->sweep.together ? left : s->sweep.together;
}

static void work(void *user, size_t job, void *results) {
    session *s = user;
    sweep_cells(&s->sweep, s->order + job, cells_of(s, job), results);
}

static bool gather_cell(session *s, size_t cell, const sweep_result *result, int died) {
    sweep_result *r = &s->results[cell];
    if (result)
        *r = *result;
    else {
        *r = (sweep_result){.done = 1, .class = CLASS_FAILED, .border = NAN};
        for (size_t k = 0; k < s->sweep.probe_count; k++) r->values[k] = NAN;
        snprintf(r->text, sizeof r->text, "its process was ended by signal %d", died);
    }
    s->done++;
    s->broken = !sweep_log_add(&s->log, &s->sweep, cell, r);
    return !s->broken;
}

static bool gather(void *user, size_t job, const void *results, int died) {
    session *s = user;
    sweep_result one;
    bool good = true;
    for (size_t i = 0; good && i < cells_of(s, job); i++) {
        if (results) memcpy(&one, (const char *)results + i * sizeof one, sizeof one);
        good = gather_cell(s, s->order[job + i], results ? &one : NULL, died);
    }
    return good;
}

static bool tick(void *user) {
    session *s = user;
    char left[40];
    if (stop_asked()) return false;
    if (terminal_width(stderr) == 0) return true;
    const double each = (now() - s->begun) / fmax((double)(s->done - s->before), 1.0);
    duration_text(each * (double)(s->sweep.cells - s->done), left, sizeof left);
    fprintf(stderr, "\r%zu of %zu cells  %.3g cells/s  %s left\033[K", s->done, s->sweep.cells, 1.0 / each, left);
    return true;
}

static int run_cells(session *s, size_t jobs) {
    s->order = need(s->sweep.cells, sizeof *s->order);
    size_t *jobs_of = need(s->sweep.cells, sizeof *jobs_of), count = 0;
    for (size_t k = 0; k < s->sweep.cells; k++)
        if (!s->results[k].done) s->order[s->left++] = k;
    for (size_t k = 0; k < s->left; k += s->sweep.together) jobs_of[count++] = k;
    stop_catch();
    const pool_plan plan = {.jobs = jobs_of,
                            .count = count,
                            .workers = jobs,
                            .result_size = s->sweep.together * sizeof(sweep_result),
                            .work = work,
                            .done = gather,
                            .tick = tick,
                            .user = s};
    s->begun = now();
    const bool good = pool_run(&plan);
    if (terminal_width(stderr) > 0) fputs("\r\033[K", stderr);
    free(jobs_of);
    if (good) return EXIT_GOOD;
    if (!stop_asked() || s->broken) return EXIT_SYSTEM;
    say(stderr, "trundle: stopped with %zu of %zu cells%s%s; %s\n", s->done, s->sweep.cells, s->dir ? " in " : "",
        s->dir ? s->dir : "", s->dir ? "the same command continues" : "nothing written");
    return EXIT_SIGNAL;
}

/* ---- telling ---- */

typedef struct totals {
    size_t classes[CLASSES], runs;
    double steps;
    double seconds, stepping; /* [s] CPU time, of the steps alone */
    const sweep_result *failure;
} totals;

static totals count_all(const session *s) {
    totals t = {0};
    for (size_t k = 0; k < s->sweep.cells; k++) {
        t.classes[s->results[k].class]++;
        t.runs += (size_t)s->results[k].runs;
        t.steps += s->results[k].steps;
        t.seconds += s->results[k].seconds;
        t.stepping += s->results[k].stepping;
        if (s->results[k].class == CLASS_FAILED && !t.failure) t.failure = &s->results[k];
    }
    return t;
}

static void print_axis(const sweep_axis *a) {
    if (a->words)
        say(stdout, "  vary       %s over %zu values\n", a->path, a->count);
    else
        say(stdout, "  vary       %s from %.6g to %.6g%s%s, %zu values\n", a->path, a->from, a->to, *a->unit ? " " : "",
            a->unit, a->count);
}

static const char *compared_name(const session *s) {
    return s->table.probe < 0 ? s->sweep.bisect.axis.path : s->sweep.probes[s->table.probe];
}

static void tell_match(const session *s) {
    const sweep_match m = sweep_compare(&s->table, &s->sweep, s->results);
    say(stdout, "  against    %s: %s of %zu cells that it has", s->table.path, compared_name(s), m.cells);
    if (m.cells > 0) {
        say(stdout, " differs by %.3g %% (rms), at most by %.3g %%, where", 100.0 * m.rms, 100.0 * m.most);
        for (size_t k = 0; k < s->sweep.axis_count; k++) {
            const sweep_axis *a = &s->sweep.axes[k];
            say(stdout, "%s %s = %.6g%s%s", k > 0 ? "," : "", a->path,
                sweep_value(a, sweep_index(&s->sweep, m.worst, k)), *a->unit ? " " : "", a->unit);
        }
    }
    putchar('\n');
}

static void match_json(tru_json *json, const session *s) {
    const sweep_match m = sweep_compare(&s->table, &s->sweep, s->results);
    tru_json_object(json, "against");
    tru_json_text(json, "file", s->table.path);
    tru_json_text(json, "column", compared_name(s));
    tru_json_integer(json, "cells", (int64_t)m.cells);
    tru_json_number(json, "rms", m.rms);
    tru_json_number(json, "most", m.most);
    tru_json_integer(json, "most_at_cell", (int64_t)m.worst);
    tru_json_close(json);
}

static void tell(const session *s, double wall, bool drawn) {
    const totals t = count_all(s);
    const bool h5 = tru_has_hdf5();
    char took[40];
    duration_text(wall, took, sizeof took);
    say(stdout, "%s\n", tru_scene_title(s->sweep.scene));
    for (size_t k = 0; k < s->sweep.axis_count; k++) print_axis(&s->sweep.axes[k]);
    if (s->sweep.bisects)
        say(stdout, "  bisect     %s between %.6g and %.6g%s%s\n", s->sweep.bisect.axis.path, s->sweep.bisect.axis.from,
            s->sweep.bisect.axis.to, *s->sweep.bisect.axis.unit ? " " : "", s->sweep.bisect.axis.unit);
    say(stdout, "  ran        %zu cells, %zu runs, %.6g steps; took %s%s\n", s->sweep.cells, t.runs, t.steps, took,
        s->before ? " (some cells were done before)" : "");
    say(stdout, "  computing  %.4g s, %.3g ns per step, %.2g %% outside the steps\n", t.seconds,
        1e9 * t.seconds / t.steps, 100.0 * (t.seconds / t.stepping - 1.0));
    fputs("  ended      ", stdout);
    bool first = true;
    for (int k = 0; k < CLASSES; k++) {
        if (t.classes[k] == 0) continue;
        say(stdout, "%s%zu %s", first ? "" : ", ", t.classes[k], sweep_class_name(k));
        first = false;
    }
    if (s->sweep.bisects && s->sweep.cells == 1)
        say(stdout, "\n  border     %s = %.10g%s%s", s->sweep.bisect.axis.path, s->results[0].border,
            *s->sweep.bisect.axis.unit ? " " : "", s->sweep.bisect.axis.unit);
    putchar('\n');
    sweep_tell_seeds(&s->sweep, s->results);
    if (s->table.path) tell_match(s);
    if (s->dir)
        say(stdout, "  results    %s/sweep.csv%s%s%s%s%s%s%s%s\n", s->dir, h5 ? ", " : "", h5 ? s->dir : "",
            h5 ? "/sweep.h5" : "", s->sweep.seeds > 1 ? ", means.csv" : "",
            h5 && s->sweep.seeds > 1 ? ", means.h5" : "", drawn ? ", " : "", drawn ? s->dir : "",
            drawn ? "/map.svg" : " (no picture for these axes)");
    if (t.failure) say(stderr, "trundle: %zu cells failed, the first: %s\n", t.classes[CLASS_FAILED], t.failure->text);
}

static void cell_json(tru_json *json, const sweep *s, size_t cell, const sweep_result *r) {
    tru_json_object(json, NULL);
    tru_json_object(json, "at");
    for (size_t k = 0; k < s->axis_count; k++) {
        const size_t i = sweep_index(s, cell, k);
        if (s->axes[k].words)
            tru_json_text(json, s->axes[k].path, s->axes[k].words[i]);
        else
            tru_json_number(json, s->axes[k].path, sweep_value(&s->axes[k], i));
    }
    tru_json_close(json);
    tru_json_text(json, "class", sweep_class_name(r->class));
    if (s->bisects) tru_json_number(json, "border", r->border);
    tru_json_number(json, "time", r->time);
    tru_json_integer(json, "runs", r->runs);
    tru_json_object(json, "probes");
    for (size_t k = 0; k < s->probe_count; k++) tru_json_number(json, s->probes[k], r->values[k]);
    tru_json_close(json);
    if (*r->text) tru_json_text(json, "why", r->text);
    tru_json_close(json);
}

static int tell_json(const session *s, double wall) {
    tru_json *json = tru_json_begin();
    const totals t = count_all(s);
    tru_json_object(json, NULL);
    tru_json_text(json, "scene", tru_scene_name(s->sweep.scene));
    tru_json_integer(json, "cells", (int64_t)s->sweep.cells);
    tru_json_integer(json, "runs", (int64_t)t.runs);
    tru_json_number(json, "wall_seconds", wall);
    tru_json_number(json, "steps", t.steps);
    tru_json_number(json, "computing_seconds", t.seconds);
    tru_json_number(json, "stepping_seconds", t.stepping);
    tru_json_text(json, "out", s->dir);
    if (s->table.path) match_json(json, s);
    sweep_seeds_json(json, &s->sweep, s->results);
    tru_json_array(json, "results");
    for (size_t k = 0; k < s->sweep.cells; k++) cell_json(json, &s->sweep, k, &s->results[k]);
    tru_json_close(json);
    tru_json_close(json);
    return print_json(json);
}

static int write_files(session *s, bool *drawn) {
    char *csv = need_text("%s/sweep.csv", s->dir), *h5 = need_text("%s/sweep.h5", s->dir);
    char *svg = need_text("%s/map.svg", s->dir);
    int code = sweep_write_csv(&s->sweep, s->results, csv);
    if (code == EXIT_GOOD) code = sweep_write_h5(&s->sweep, s->results, h5);
    if (code == EXIT_GOOD) code = sweep_write_means(&s->sweep, s->results, s->dir);
    if (code == EXIT_GOOD) code = sweep_write_svg(&s->sweep, s->results, svg, drawn);
    free(csv);
    free(h5);
    free(svg);
    return code;
}

static int finish(session *s, const args *a, double wall) {
    const bool as_json = args_flag(a, "json");
    bool drawn = false;
    int code = s->dir ? write_files(s, &drawn) : EXIT_GOOD;
    if (code == EXIT_GOOD && as_json) code = tell_json(s, wall);
    if (code == EXIT_GOOD && !as_json) tell(s, wall, drawn);
    if (code == EXIT_GOOD && args_text(a, "report"))
        code = sweep_write_report(&s->sweep, s->results, args_text(a, "report"), !as_json);
    const totals t = count_all(s);
    return code == EXIT_GOOD && t.failure ? EXIT_NUMERICAL : code;
}

static void session_free(session *s) {
    sweep_log_close(&s->log);
    sweep_table_free(&s->table);
    for (size_t k = 0; k < s->sweep.axis_count; k++) sweep_axis_free(&s->sweep.axes[k]);
    for (size_t k = 0; k < s->sweep.probe_count; k++) free(s->sweep.probes[k]);
    sweep_axis_free(&s->sweep.bisect.axis);
    free(s->sweep.bisect.probe);
    free(s->sweep.bisect.word);
    free(s->results);
    free(s->order);
    free(s->dir);
    tru_scene_free(s->sweep.scene);
}

static int open_session(session *s, const args *a) {
    int code;
    if (!read_options(&s->sweep, a)) return EXIT_USAGE;
    s->sweep.scene = scene_open(a, &code);
    if (!s->sweep.scene) return code;
    if (!choose_probes(&s->sweep, a)) return EXIT_USAGE;
    s->dir = out_folder(a, s->sweep.scene, "sweep");
    s->results = need(s->sweep.cells, sizeof *s->results);
    code = try_first(&s->sweep);
    if (code == EXIT_GOOD && args_text(a, "against"))
        code = sweep_table_read(args_text(a, "against"), &s->sweep, &s->table);
    if (code == EXIT_GOOD && s->dir) code = sweep_log_open(&s->log, &s->sweep, s->dir, s->results, &s->before);
    s->done = s->before;
    if (code == EXIT_GOOD && s->before && s->before < s->sweep.cells)
        say(stderr, "trundle: %zu of %zu cells are in %s already\n", s->before, s->sweep.cells, s->dir);
    return code;
}

int cmd_sweep(const args *a) {
    session s = {.log.file = -1};
    const double begun = now();
    int code = open_session(&s, a);
    if (code == EXIT_GOOD) code = run_cells(&s, (size_t)args_number(a, "jobs", (double)pool_processors()));
    if (code == EXIT_GOOD) code = finish(&s, a, now() - begun);
    session_free(&s);
    return code;
}
