/* cmd_sweep.c: "trundle sweep": a grid of runs of one scene in several processes, resumable, with tables and a map. */
#include "cli/app.h"
#include "cli/progress.h"
#include "cli/stop.h"
#include "sweep/sweep_map.h"
#include "sweep/sweep_report.h"
#include "sweep/sweep_seeds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct session {
    tru_scene *scene;
    tru_sweep *sweep;
    const char *table;  /* to compare with; NULL: none */
    char *dir;          /* NULL: no files */
    size_t before;      /* cells that were done before this call */
    double begun, told; /* [s] wall clock; of the last progress */
} session;

/* ---- reading the options ---- */

/* What the options say. The sweep copies it. */
typedef struct wishes {
    tru_sweep_def def;
    tru_vary *vary;
    const char **probes;
    char **texts; /* paths, cut at their equal signs */
    size_t text_count;
} wishes;

/* Cuts "path=value" at its first equal sign, which the option table has checked. */
static tru_set split(wishes *w, const char *text) {
    char *path = need_text("%s", text), *equals = strchr(path, '=');
    *equals = '\0';
    w->texts[w->text_count++] = path;
    return (tru_set){path, equals + 1};
}

static wishes read_options(const args *a) {
    wishes w = {.def = tru_default_sweep_def()};
    const size_t varied = args_times(a, "vary"), probes = args_times(a, "probe");
    w.vary = need(varied, sizeof *w.vary);
    w.texts = need(varied + 1, sizeof *w.texts);
    w.probes = need(probes, sizeof *w.probes);
    for (size_t k = 0; k < varied; k++) {
        const tru_set one = split(&w, args_nth(a, "vary", k));
        w.vary[k] = (tru_vary){.path = one.path, .range = one.value};
    }
    for (size_t k = 0; k < probes; k++) w.probes[k] = args_nth(a, "probe", k);
    if (args_text(a, "bisect")) w.def.bisect = split(&w, args_text(a, "bisect"));
    w.def.on = args_text(a, "on");
    w.def.stepper = args_text(a, "stepper");
    w.def.until = args_number(a, "until", -1.0);
    w.def.seeds = (int)args_number(a, "seeds", 0.0);
    w.def.vary = w.vary;
    w.def.vary_count = varied;
    w.def.probes = w.probes;
    w.def.probe_count = probes;
    return w;
}

static void wishes_free(wishes *w) {
    for (size_t k = 0; k < w->text_count; k++) free(w->texts[k]);
    free(w->texts);
    free(w->vary);
    free(w->probes);
}

/* Checks the options in their own words first. The library's sentences begin with the option. */
static bool options_hold(const tru_sweep_def *def) {
    tru_error err;
    if (!def->bisect.path != !def->on) {
        fputs("trundle sweep: --bisect and --on belong together\n", stderr);
        return false;
    }
    if (def->vary_count == 0 && def->seeds == 0 && !def->on) {
        fputs("trundle sweep: nothing to vary; give --vary, --bisect or --seeds (trundle help sweep)\n", stderr);
        return false;
    }
    if (tru_sweep_check(def, &err) >= 0) return true;
    say(stderr, "trundle sweep: %s%s\n", strstr(err.text, " needs ") ? "--" : "", err.text);
    return false;
}

/* Prints a sentence about the sweep, not about its scene. Returns the exit code. */
static int refuse(const tru_error *err) {
    const bool replace = err->status == TRU_REFUSED; /* the folder has results already */
    say(stderr, "trundle sweep: %s%s\n", err->text, replace ? "; give another --out or remove it" : "");
    return exit_code_of(err->status);
}

/* ---- running ---- */

static bool show_progress(void *user, size_t done, size_t cells) {
    session *s = user;
    char left[40];
    if (stop_asked()) return false;
    if (terminal_width(stderr) == 0 || now() - s->told < 0.1) return true;
    s->told = now();
    const double each = (now() - s->begun) / fmax((double)(done - s->before), 1.0);
    duration_text(each * (double)(cells - done), left, sizeof left);
    fprintf(stderr, "\r%zu of %zu cells  %.3g cells/s  %s left\033[K", done, cells, 1.0 / each, left);
    return true;
}

static int run_cells(session *s, size_t jobs) {
    tru_error err;
    stop_catch();
    s->begun = s->told = now();
    const tru_study_how how = {.processes = jobs, .progress = show_progress, .user = s};
    const tru_status status = tru_sweep_run(s->sweep, &how, &err);
    if (terminal_width(stderr) > 0) fputs("\r\033[K", stderr);
    if (status < 0) return complain(&err);
    if (status == TRU_OK) return EXIT_GOOD;
    say(stderr, "trundle: stopped with %zu of %zu cells%s%s; %s\n", tru_sweep_done(s->sweep),
        tru_sweep_describe(s->sweep)->cells, s->dir ? " in " : "", s->dir ? s->dir : "",
        s->dir ? "the same command continues" : "nothing written");
    return EXIT_SIGNAL;
}

/* ---- telling ---- */

typedef struct totals {
    size_t classes[TRU_CLASSES], runs;
    double steps;
    double seconds, stepping; /* [s] CPU time, of the steps alone */
    const tru_sweep_cell *failure;
} totals;

static totals count_all(const session *s) {
    const tru_sweep_cell *cells = tru_sweep_cells(s->sweep);
    totals t = {0};
    for (size_t k = 0; k < tru_sweep_describe(s->sweep)->cells; k++) {
        t.classes[cells[k].which]++;
        t.runs += (size_t)cells[k].runs;
        t.steps += cells[k].steps;
        t.seconds += cells[k].seconds;
        t.stepping += cells[k].stepping;
        if (cells[k].which == TRU_CLASS_FAILED && !t.failure) t.failure = &cells[k];
    }
    return t;
}

static void print_axis(const tru_sweep_axis *a) {
    if (a->words)
        say(stdout, "  vary       %s over %zu values\n", a->path, a->count);
    else
        say(stdout, "  vary       %s from %.6g to %.6g%s%s, %zu values\n", a->path, a->from, a->to, *a->unit ? " " : "",
            a->unit, a->count);
}

static void tell_match(const session *s) {
    const tru_sweep_info *info = tru_sweep_describe(s->sweep);
    tru_sweep_match m = {0};
    tru_sweep_match_of(s->sweep, &m, NULL);
    say(stdout, "  against    %s: %s of %zu cells that it has", s->table, m.column, m.cells);
    if (m.cells > 0) {
        say(stdout, " differs by %.3g %% (rms), at most by %.3g %%, where", 100.0 * m.rms, 100.0 * m.most);
        for (size_t k = 0; k < info->axis_count; k++) {
            const tru_sweep_axis *a = &info->axes[k];
            say(stdout, "%s %s = %.6g%s%s", k > 0 ? "," : "", a->path,
                tru_sweep_value(a, tru_sweep_index(info, m.worst, k)), *a->unit ? " " : "", a->unit);
        }
    }
    putchar('\n');
}

static void match_json(tru_json *json, const session *s) {
    tru_sweep_match m = {0};
    tru_sweep_match_of(s->sweep, &m, NULL);
    tru_json_object(json, "against");
    tru_json_text(json, "file", s->table);
    tru_json_text(json, "column", m.column);
    tru_json_integer(json, "cells", (int64_t)m.cells);
    tru_json_number(json, "rms", m.rms);
    tru_json_number(json, "most", m.most);
    tru_json_integer(json, "most_at_cell", (int64_t)m.worst);
    tru_json_close(json);
}

static void tell(const session *s, double wall, bool drawn) {
    const tru_sweep_info *info = tru_sweep_describe(s->sweep);
    const totals t = count_all(s);
    const bool h5 = tru_has_hdf5();
    char took[40];
    duration_text(wall, took, sizeof took);
    say(stdout, "%s\n", tru_scene_title(s->scene));
    for (size_t k = 0; k < info->axis_count; k++) print_axis(&info->axes[k]);
    if (info->bisects)
        say(stdout, "  bisect     %s between %.6g and %.6g%s%s\n", info->bisect.path, info->bisect.from,
            info->bisect.to, *info->bisect.unit ? " " : "", info->bisect.unit);
    say(stdout, "  ran        %zu cells, %zu runs, %.6g steps; took %s%s\n", info->cells, t.runs, t.steps, took,
        s->before ? " (some cells were done before)" : "");
    say(stdout, "  computing  %.4g s, %.3g ns per step, %.2g %% outside the steps\n", t.seconds,
        1e9 * t.seconds / t.steps, 100.0 * (t.seconds / t.stepping - 1.0));
    fputs("  ended      ", stdout);
    bool first = true;
    for (int k = 0; k < TRU_CLASSES; k++) {
        if (t.classes[k] == 0) continue;
        say(stdout, "%s%zu %s", first ? "" : ", ", t.classes[k], tru_class_name(k));
        first = false;
    }
    if (info->bisects && info->cells == 1)
        say(stdout, "\n  border     %s = %.10g%s%s", info->bisect.path, tru_sweep_cells(s->sweep)[0].border,
            *info->bisect.unit ? " " : "", info->bisect.unit);
    putchar('\n');
    sweep_tell_seeds(s->sweep);
    if (s->table) tell_match(s);
    if (s->dir)
        say(stdout, "  results    %s/sweep.csv%s%s%s%s%s%s%s%s\n", s->dir, h5 ? ", " : "", h5 ? s->dir : "",
            h5 ? "/sweep.h5" : "", info->seeds > 1 ? ", means.csv" : "", h5 && info->seeds > 1 ? ", means.h5" : "",
            drawn ? ", " : "", drawn ? s->dir : "", drawn ? "/map.svg" : " (no picture for these axes)");
    if (t.failure)
        say(stderr, "trundle: %zu cells failed, the first: %s\n", t.classes[TRU_CLASS_FAILED], t.failure->text);
}

static void cell_json(tru_json *json, const tru_sweep_info *s, size_t cell, const tru_sweep_cell *r) {
    tru_json_object(json, NULL);
    tru_json_object(json, "at");
    for (size_t k = 0; k < s->axis_count; k++) {
        const size_t i = tru_sweep_index(s, cell, k);
        if (s->axes[k].words)
            tru_json_text(json, s->axes[k].path, s->axes[k].words[i]);
        else
            tru_json_number(json, s->axes[k].path, tru_sweep_value(&s->axes[k], i));
    }
    tru_json_close(json);
    tru_json_text(json, "class", tru_class_name(r->which));
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
    const tru_sweep_info *info = tru_sweep_describe(s->sweep);
    tru_json *json = tru_json_begin();
    const totals t = count_all(s);
    tru_json_object(json, NULL);
    tru_json_text(json, "scene", tru_scene_name(s->scene));
    tru_json_integer(json, "cells", (int64_t)info->cells);
    tru_json_integer(json, "runs", (int64_t)t.runs);
    tru_json_number(json, "wall_seconds", wall);
    tru_json_number(json, "steps", t.steps);
    tru_json_number(json, "computing_seconds", t.seconds);
    tru_json_number(json, "stepping_seconds", t.stepping);
    tru_json_text(json, "out", s->dir);
    if (s->table) match_json(json, s);
    sweep_seeds_json(json, s->sweep);
    tru_json_array(json, "results");
    for (size_t k = 0; k < info->cells; k++) cell_json(json, info, k, &tru_sweep_cells(s->sweep)[k]);
    tru_json_close(json);
    tru_json_close(json);
    return print_json(json);
}

/* ---- files ---- */

typedef tru_status write_function(const tru_sweep *sweep, const char *path, tru_error *err);

/* Writes NAME.csv and NAME.h5 of the folder. */
static int write_tables(const session *s, const char *name, write_function *write) {
    static const char *const endings[] = {"csv", "h5"};
    int code = EXIT_GOOD;
    tru_error err;
    for (size_t k = 0; code == EXIT_GOOD && k < 2; k++) {
        char *path = need_text("%s/%s.%s", s->dir, name, endings[k]);
        if (write(s->sweep, path, &err) < 0) code = complain(&err);
        free(path);
    }
    return code;
}

static int write_files(const session *s, bool *drawn) {
    char *svg = need_text("%s/map.svg", s->dir);
    int code = write_tables(s, "sweep", tru_sweep_write);
    if (code == EXIT_GOOD && tru_sweep_describe(s->sweep)->seeds > 1)
        code = write_tables(s, "means", tru_sweep_write_means);
    if (code == EXIT_GOOD) code = sweep_write_svg(s->sweep, tru_scene_title(s->scene), svg, drawn);
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
        code = sweep_write_report(s->sweep, tru_scene_title(s->scene), args_text(a, "report"), !as_json);
    const totals t = count_all(s);
    return code == EXIT_GOOD && t.failure ? EXIT_NUMERICAL : code;
}

/* ---- the command ---- */

/* Opens the log in the folder of --out and says what it has. */
static int open_log(session *s) {
    tru_error err;
    const tru_status status = tru_sweep_open(s->sweep, s->dir, &err);
    const size_t cells = tru_sweep_describe(s->sweep)->cells;
    if (status < 0) return status == TRU_FILE ? complain(&err) : refuse(&err);
    s->before = tru_sweep_done(s->sweep);
    if (s->before && s->before < cells)
        say(stderr, "trundle: %zu of %zu cells are in %s already\n", s->before, cells, s->dir);
    return EXIT_GOOD;
}

static int open_session(session *s, const args *a, const tru_sweep_def *def) {
    int code;
    tru_error err;
    if (!options_hold(def)) return EXIT_USAGE;
    s->scene = scene_open(a, &code);
    if (!s->scene) return code;
    s->dir = out_folder(a, s->scene, "sweep");
    if (tru_sweep_create(s->scene, def, &s->sweep, &err) < 0) return complain(&err);
    s->table = args_text(a, "against");
    if (s->table && tru_sweep_against(s->sweep, s->table, &err) < 0) return refuse(&err);
    return s->dir ? open_log(s) : EXIT_GOOD;
}

int cmd_sweep(const args *a) {
    session s = {0};
    const double begun = now();
    wishes w = read_options(a);
    int code = open_session(&s, a, &w.def);
    if (code == EXIT_GOOD) code = run_cells(&s, (size_t)args_number(a, "jobs", (double)processors()));
    if (code == EXIT_GOOD) code = finish(&s, a, now() - begun);
    tru_sweep_free(s.sweep);
    tru_scene_free(s.scene);
    free(s.dir);
    wishes_free(&w);
    return code;
}
