/* cmd_run.c: "trundle run": simulates a scene, shows progress, writes results, prints a summary. */
#include "cli/app.h"
#include "cli/progress.h"
#include "cli/stop.h"
#include "text/table.h"
#include "describe/run_recorder.h"
#include "describe/solver_plan.h"
#include "draw/braille.h"

#include <trundle/plugin.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One run of the command. */
typedef struct running {
    const args *args;
    tru_scene *scene;
    tru_sim *sim;
    tru_results *results;   /* NULL: none are wanted */
    char *dir;              /* NULL: none */
    run_recorder *recorder; /* NULL: nothing to plot */
    bool json, plot, profile;
    double begun;               /* [s] wall clock */
    double stepping, recording; /* [s] spent so far */
} running;

/* ---- opening ---- */

/* ball.run, ball.2.run, ball.3.run, ... */
static char *numbered_folder(const tru_scene *scene, unsigned number) {
    if (number == 1) return need_text("%s.run", tru_scene_name(scene));
    return need_text("%s.%u.run", tru_scene_name(scene), number);
}

/* Without --out: the last folder of the series that holds results; the first if none does. */
static char *last_folder(const tru_scene *scene) {
    char *last = numbered_folder(scene, 1), *next;
    for (unsigned number = 2; tru_results_exist(next = numbered_folder(scene, number)); number++) {
        free(last);
        last = next;
    }
    free(next);
    return last;
}

/* Without --out: the first folder of the series that holds no results and that no other run has taken. */
static tru_status create_numbered(running *r, tru_error *err) {
    tru_status status = TRU_REFUSED;
    for (unsigned number = 1; (status == TRU_REFUSED || status == TRU_CONFLICT) && number > 0; number++) {
        free(r->dir);
        r->dir = numbered_folder(r->scene, number);
        if (!tru_results_exist(r->dir))
            status = tru_results_create(r->dir, r->sim, r->scene, TRU_RESULTS_NEW, &r->results, err);
        if (status >= 0 && number > 1) say(stderr, "trundle: results go to %s\n", r->dir);
    }
    return status;
}

static tru_status create_results(running *r, tru_results_mode mode, tru_error *err) {
    const tru_status status = tru_results_create(r->dir, r->sim, r->scene, mode, &r->results, err);
    if (status != TRU_REFUSED) return status;
    char *hint = need_text("%s; --resume continues it, --force replaces it", err->text);
    snprintf(err->text, sizeof err->text, "%s", hint);
    free(hint);
    return status;
}

static tru_status open_results(running *r, tru_error *err) {
    const bool resume = args_flag(r->args, "resume"), force = args_flag(r->args, "force");
    tru_status status = TRU_OK;
    if (!r->dir) return TRU_OK;
    char *line = args_line(r->args, NULL, NULL);
    status = tru_sim_set_command(r->sim, line, err);
    free(line);
    if (status >= 0 && resume) status = tru_sim_resume(r->sim, r->scene, r->dir, err);
    if (status < 0) return status;
    if (!args_text(r->args, "out") && !resume && !force) return create_numbered(r, err);
    return create_results(r, resume ? TRU_RESULTS_RESUME : force ? TRU_RESULTS_REPLACE : TRU_RESULTS_NEW, err);
}

static bool check_folder_options(const running *r) {
    static const char *const names[] = {"plot", "resume", "force"};
    for (size_t k = 0; !r->dir && k < sizeof names / sizeof *names; k++) {
        if (!args_flag(r->args, names[k])) continue;
        say(stderr, "trundle run: --%s needs a folder, but --out is none\n", names[k]);
        return false;
    }
    if (!args_flag(r->args, "resume") || !args_flag(r->args, "force")) return true;
    fputs("trundle run: --resume continues a run and --force replaces it; give only one of them\n", stderr);
    return false;
}

static int open_run(running *r) {
    const args *a = r->args;
    const double until = args_number(a, "until", -1.0);
    tru_error err;
    int code;
    r->scene = scene_open(a, &code);
    if (!r->scene) return code;
    r->dir = out_folder(a, r->scene, "run");
    if (!check_folder_options(r)) return EXIT_USAGE;
    if (!args_text(a, "out") && args_flag(a, "resume")) {
        free(r->dir);
        r->dir = last_folder(r->scene);
    }
    const int threads = (int)args_number(a, "threads", 1.0);
    const tru_status made = tru_sim_create(r->scene, args_text(a, "stepper"), threads, &r->sim, &err);
    if (made < 0) return complain(&err);
    remark_on(made, &err);
    if (until >= 0.0 && tru_sim_set_until(r->sim, until, &err) < 0) return complain(&err);
    if (open_results(r, &err) < 0) return complain(&err);
    if (r->profile) tru_profile_set(tru_sim_world(r->sim), now);
    if (r->plot || (!r->json && terminal_utf8(stdout))) r->recorder = run_recorder_begin(r->sim, r->scene, r->plot);
    return EXIT_GOOD;
}

static void close_run(running *r) {
    run_recorder_free(r->recorder);
    tru_results_free(r->results);
    tru_sim_free(r->sim);
    tru_scene_free(r->scene);
    free(r->dir);
}

/* ---- running ---- */

/* Steps in batches of about 20 ms, so that it does not read the clock at every step. */
static tru_status advance(running *r, tru_error *err) {
    progress p = progress_begin(r->sim, false);
    tru_status status = TRU_OK;
    double batch = 1.0;
    while (status >= 0 && !tru_sim_done(r->sim) && !stop_asked()) {
        uint64_t steps = (uint64_t)batch;
        if (r->recorder && steps > run_recorder_ahead(r->recorder, r->sim))
            steps = run_recorder_ahead(r->recorder, r->sim);
        const double before = now();
        status = tru_sim_run(r->sim, steps, err);
        const double stepped = now();
        r->stepping += stepped - before;
        if (status >= 0 && r->results) status = tru_results_step(r->results, err);
        r->recording += now() - stepped;
        if (status >= 0 && r->recorder) run_recorder_step(r->recorder, r->sim, false);
        const double took = now() - before;
        batch = fmin(fmax(took < 0.02 ? 2.0 * batch : 0.5 * batch, 1.0), 1e6);
        progress_update(&p, r->sim);
    }
    progress_end(&p);
    return status;
}

/* ---- telling ---- */

/* Parts of the wall time. Steppers without a profile have whole steps only. */
enum { TIME_COLLIDE, TIME_PACK, TIME_SOLVE, TIME_OTHER, TIME_RECORD, TIME_BESIDE, TIMES };
static const char *const time_words[] = {"finding contacts",  "packing",   "solving",
                                         "rest of the steps", "recording", "outside the steps"};
static const char *const time_keys[] = {"collide_s", "pack_s", "solve_s", "other_s", "record_s", "beside_s"};

static void times_of(const running *r, double wall, double out[TIMES]) {
    const tru_profile p = tru_profile_get(tru_sim_world(r->sim));
    out[TIME_COLLIDE] = p.collide;
    out[TIME_PACK] = p.pack;
    out[TIME_SOLVE] = p.solve;
    out[TIME_OTHER] = r->stepping - p.collide - p.pack - p.solve;
    out[TIME_RECORD] = r->recording;
    out[TIME_BESIDE] = wall - r->stepping - r->recording; /* reading the scene, building the world, the progress line */
}

static void tell_profile(table *t, const running *r, double wall) {
    double times[TIMES];
    bool first = true;
    times_of(r, wall, times);
    for (int k = 0; k < TIMES; k++) {
        if (times[k] <= 0.0) continue;
        const bool whole = k == TIME_OTHER && times[TIME_COLLIDE] <= 0.0;
        table_cell(t, "%s", first ? "time" : "");
        table_cell(t, "%5.1f %% %s, %.4g s", 100.0 * times[k] / wall, whole ? "steps" : time_words[k], times[k]);
        first = false;
    }
}

static void tell_plan(const tru_world *w) {
    if (solver_plan_parts(w) == 0) return;
    say(stdout, "\nplan of solvers: chosen is %s; parts of the contact problems of all steps\n", tru_solver_chosen(w));
    solver_plan_print(w);
}

static void profile_json(tru_json *json, const running *r, double wall) {
    double times[TIMES];
    times_of(r, wall, times);
    tru_json_object(json, "profile");
    for (int k = 0; k < TIMES; k++) tru_json_number(json, time_keys[k], times[k]);
    tru_json_close(json);
}

static void tell(const running *r, const tru_story *story, double wall, const char *pictures) {
    static const char *const heads[] = {"", ""};
    const tru_line *line;
    char took[40];
    duration_text(wall, took, sizeof took);
    say(stdout, "%s\n", tru_scene_title(r->scene));
    table *t = table_new(heads, 2, "ll");
    for (size_t k = 0; (line = tru_story_line(story, k)); k++) {
        table_cell(t, "%s", line->label);
        table_cell(t, k == 0 ? "%s; took %s" : "%s", line->text, took);
    }
    if (r->profile) tell_profile(t, r, wall);
    if (r->dir) {
        table_cell(t, "results");
        table_cell(t, "%s/%s, %s/summary.json%s", r->dir,
                   tru_has_hdf5() ? "run.h5" : "probes.csv, ledger.csv, events.csv", r->dir, pictures);
    }
    table_cell(t, "state");
    table_cell(t, "%016llx, of the motion alone %016llx", (unsigned long long)tru_state_hash(tru_sim_world(r->sim)),
               (unsigned long long)tru_motion_hash(tru_sim_world(r->sim)));
    table_print(t, stdout, terminal_width(stdout), 2);
    if (r->profile) tell_plan(tru_sim_world(r->sim));
}

/* Marks every flat and rest and the first two of other kinds, sliding only, after the first step; not touch and lift. */
static void mark_events(const running *r, plot *p) {
    size_t count;
    int seen[TRU_EVENT_KINDS] = {0};
    const tru_event *events = tru_sim_events(r->sim, &count);
    const double step = tru_step_size(tru_sim_world(r->sim));
    for (size_t i = 0; i < count && p->mark_count < 40; i++) {
        const tru_event *e = &events[i];
        const bool mode = e->kind == TRU_EVENT_SLIP || e->kind == TRU_EVENT_STICK;
        const bool always = e->kind == TRU_EVENT_FLAT || e->kind == TRU_EVENT_REST;
        if (e->kind == TRU_EVENT_TOUCH || e->kind == TRU_EVENT_LIFT) continue;
        if (mode && (e->row_kind != TRU_KIND_SLIDE || e->time <= 1.5 * step)) continue;
        if (always || seen[e->kind]++ < 2) plot_add_mark(p, e->time, tru_event_name(e->kind));
    }
}

static int write_plot(const running *r, plot *p, const char *name) {
    char *path = need_text("%s/%s", r->dir, name);
    mark_events(r, p);
    int code = p->panel_count ? plot_svg(p, path) : EXIT_GOOD;
    free(path);
    return code;
}

/* Writes pictures to files, and shows the first one in the terminal. */
static int show_plots(const running *r, char *pictures, size_t room) {
    int code = EXIT_GOOD;
    *pictures = '\0';
    if (!r->recorder) return code;
    series_end(r->recorder->data);
    plot energy = run_recorder_energy(r->recorder, tru_scene_title(r->scene));
    plot probes = run_recorder_probes(r->recorder, tru_scene_title(r->scene));
    if (!r->json && terminal_utf8(stdout)) {
        plot ledger = run_recorder_ledger(r->recorder);
        plot_braille(&ledger, 0, stdout, terminal_width(stdout));
        plot_free(&ledger);
    }
    if (r->plot) {
        code = write_plot(r, &energy, "energy.svg");
        if (code == EXIT_GOOD) code = write_plot(r, &probes, "probes.svg");
        snprintf(pictures, room, ", %s/energy.svg%s%s%s", r->dir, probes.panel_count ? ", " : "",
                 probes.panel_count ? r->dir : "", probes.panel_count ? "/probes.svg" : "");
    }
    plot_free(&energy);
    plot_free(&probes);
    return code;
}

static int finish(running *r) {
    const double wall = now() - r->begun;
    tru_error err;
    char pictures[1000];
    if (r->results && tru_results_finish(r->results, wall, &err) < 0) return complain(&err);
    if (r->recorder && tru_steps_done(tru_sim_world(r->sim)) % r->recorder->every != 0)
        run_recorder_step(r->recorder, r->sim, true);
    int code = show_plots(r, pictures, sizeof pictures);
    if (code != EXIT_GOOD) return code;
    if (!r->json) {
        tru_story *story = NULL;
        if (tru_sim_story(r->sim, &story, &err) < 0) return complain(&err);
        tell(r, story, wall, pictures);
        tru_story_free(story);
        return EXIT_GOOD;
    }
    tru_json *json = tru_json_begin();
    tru_json_object(json, NULL);
    tru_sim_summary(r->sim, r->scene, wall, json);
    tru_json_text(json, "out", r->dir);
    if (r->profile) profile_json(json, r, wall);
    if (r->profile) solver_plan_json(json, tru_sim_world(r->sim));
    tru_json_close(json);
    return print_json(json);
}

/* Ends a run that was stopped or failed: writes a snapshot and prints how to continue. */
static int leave(running *r, const tru_error *failure) {
    tru_error err;
    int code = failure ? complain(failure) : EXIT_SIGNAL;
    const double time = tru_time(tru_sim_world(r->sim));
    if (!r->results) {
        say(stderr, "trundle: stopped at %.6g s, nothing written\n", time);
        if (!failure) stop_as_asked();
        return code;
    }
    if (failure && failure->status == TRU_FILE) return code; /* a full disk has no room for a snapshot either */
    if (tru_results_snapshot(r->results, &err) < 0) return complain(&err);
    if (failure) {
        say(stderr, "trundle: the state before the failing step, at %.6g s, is kept in %s\n", time, r->dir);
        return code;
    }
    static const char *const but[] = {"resume", "force", NULL};
    char *line = args_line(r->args, but, args_text(r->args, "out") ? NULL : r->dir);
    say(stderr, "trundle: stopped at %.6g s, snapshot written; continue with: %s --resume\n", time, line);
    free(line);
    return code;
}

int cmd_run(const args *a) {
    running r = {.args = a, .json = args_flag(a, "json"), .plot = args_flag(a, "plot")};
    r.profile = args_flag(a, "profile");
    r.begun = now();
    tru_error err;
    stop_catch();
    int code = open_run(&r);
    if (code == EXIT_GOOD) {
        if (advance(&r, &err) < 0)
            code = leave(&r, &err);
        else
            code = stop_asked() ? leave(&r, NULL) : finish(&r);
    }
    close_run(&r);
    return code;
}
