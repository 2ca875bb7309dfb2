/* report.c: HTML reports of commands: the template, runs for replays, tables of pages. */
#include "report.h"

#include "cli/app.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int report_write(const tru_report *report, const char *path) {
    tru_error err;
    char *template_path = data_path("viewer/report.html");
    if (!template_path) {
        say(stderr, "trundle: viewer/report.html, which comes with the program, was not found\n");
        return EXIT_SYSTEM;
    }
    const int code = tru_report_write(report, template_path, path, &err) < 0 ? complain(&err) : EXIT_GOOD;
    free(template_path);
    return code;
}

void report_tell(const char *path) {
    struct stat s;
    if (stat(path, &s) == 0) say(stdout, "report: %s (%.3g MB)\n", path, (double)s.st_size / 1e6);
}

/* ---- a run made for a report ---- */

enum { FRAMES = 400 }; /* of a run whose scene records none */

/* Runs a scene and adds its recording to the report. */
static tru_status simulate(tru_report *report, const tru_scene *scene, const char *stepper, double until,
                           const char *label, tru_error *err) {
    tru_sim *sim = NULL;
    tru_recording *recording = NULL;
    const double begun = now();
    tru_status s = tru_sim_create(scene, stepper, 1, &sim, err);
    if (s >= 0 && until > 0.0) s = tru_sim_set_until(sim, until, err);
    if (s >= 0) s = tru_recording_begin(sim, scene, &recording, err);
    while (s >= 0 && !tru_sim_done(sim)) {
        s = tru_sim_run(sim, 100000, err);
        if (s >= 0) s = tru_recording_step(recording, err);
    }
    if (s >= 0) s = tru_recording_finish(recording, now() - begun, err);
    if (s >= 0) s = tru_report_add_recording(report, recording, label, err);
    tru_recording_free(recording);
    tru_sim_free(sim);
    return s;
}

tru_status report_add_scene(tru_report *report, const tru_scene *scene, const char *stepper, double until,
                            const char *label, tru_error *err) {
    char frames[40];
    tru_scene *own = NULL;
    const double end = until > 0.0 ? until : tru_scene_plan(scene)->until;
    tru_status s = tru_scene_copy(scene, &own, err);
    snprintf(frames, sizeof frames, "%.9g s", end / FRAMES);
    if (s >= 0 && tru_scene_plan(own)->frames <= 0.0) s = tru_scene_change(own, "record.frames", frames, err);
    if (s >= 0) s = tru_scene_change(own, "record.contacts", "true", err);
    if (s >= 0) s = simulate(report, own, stepper, until, label, err);
    tru_scene_free(own);
    return s;
}

/* ---- pages ---- */

tru_json *page_begin(const char *title) {
    tru_json *page = tru_json_begin();
    if (!page) no_memory();
    tru_json_object(page, NULL);
    tru_json_text(page, "kind", "page");
    tru_json_text(page, "title", title);
    return page;
}

void page_table(tru_json *page, const char *title, const char *text, const char *const *heads, size_t count) {
    tru_json_object(page, NULL);
    tru_json_text(page, "title", title);
    tru_json_text(page, "text", text);
    tru_json_array(page, "heads");
    for (size_t i = 0; i < count; i++) tru_json_text(page, NULL, heads[i]);
    tru_json_close(page);
    tru_json_array(page, "rows");
}

void page_table_end(tru_json *page) {
    tru_json_close(page);
    tru_json_close(page);
}

void page_cell(tru_json *page, const char *format, ...) {
    char text[1000];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    tru_json_text(page, NULL, text);
}

void page_number(tru_json *page, const char *format, double x) {
    char text[100];
    snprintf(text, sizeof text, format, x);
    tru_json_text(page, NULL, isnan(x) ? "-" : text);
}

void page_verdict(tru_json *page, const char *text, const char *mark) {
    tru_json_object(page, NULL);
    tru_json_text(page, "text", text);
    tru_json_text(page, "mark", mark);
    tru_json_close(page);
}

void page_replay(tru_json *page, const char *text, size_t run) {
    tru_json_object(page, NULL);
    tru_json_text(page, "text", text);
    tru_json_integer(page, "run", (int64_t)run);
    tru_json_close(page);
}

int report_finish(tru_report *report, tru_json *page, int code, const char *path, bool tell) {
    tru_error err;
    if (tru_report_add_page(report, page, &err) < 0)
        code = complain(&err);
    else {
        const int written = report_write(report, path);
        if (written == EXIT_GOOD && tell) report_tell(path);
        if (written != EXIT_GOOD) code = written;
    }
    tru_json_free(page);
    tru_report_free(report);
    return code;
}
