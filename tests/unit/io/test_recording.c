/* test_recording.c: rows in memory give the reports and exports that run.h5 gives, byte for byte. */
#define _XOPEN_SOURCE 700
#include "check.h"
#include "folders.h"
#include "run_scenes.h"

#include "recording/recording.h"
#include "results/results_read.h"

/* A hull, whose corners have a table of their own, and events that are left out. */
#define HULL_RUN                                                                                                       \
    BALL_SCENE(                                                                                                        \
        "  stone: {shape: {hull: {points: [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]}}, density: 900,\n"       \
        "          position: [1, 1, 0.2]}\n"                                                                           \
        "steppers: {moreau: {step: 1 ms}}\n"                                                                           \
        "record: {until: 0.3, frames: 10 ms, events: [slip, stick], probes: [ball.speed, stone.tilt]}\n")

/* No frames and no probes. */
#define BARE_RUN BALL_SCENE("steppers: {moreau: {step: 1 ms}}\nrecord: {until: 0.2, frames: 0, interval: 1 ms}\n")

static tru_recording *record(tru_sim *sim, const tru_scene *scene, uint64_t stop) {
    tru_error err;
    tru_recording *r;
    RUN(tru_recording_begin(sim, scene, &r, &err));
    while (!tru_sim_done(sim) && tru_steps_done(tru_sim_world(sim)) < stop) {
        const uint64_t left = stop - tru_steps_done(tru_sim_world(sim));
        RUN(tru_sim_run(sim, left < 5 ? left : 5, &err));
        RUN(tru_recording_step(r, &err));
    }
    return r;
}

/* The block of a report of a folder or of a recording. The caller frees the report. */
static const char *block_of(const char *dir, const tru_recording *r, tru_report **report) {
    tru_error err;
    RUN(tru_report_begin(report, &err));
    if (dir) RUN(tru_report_add_run(*report, dir, "run", &err));
    if (r) RUN(tru_report_add_recording(*report, r, "run", &err));
    check(!tru_report_block(*report, 1));
    return tru_report_block(*report, 0);
}

/* The date of a recording becomes that of the folder: the only thing that may differ. */
static void same_date(const char *dir, tru_recording *r) {
    tru_error err;
    reader folder;
    RUN(trio_results_read(dir, &folder, &err));
    snprintf(r->date, sizeof r->date, "%s", folder.date);
    trio_reader_close(&folder);
}

static void check_same_file(const char *a, const char *b, const char *name) {
    char one[500], two[500];
    size_t n, m;
    snprintf(one, sizeof one, "%s/%s", a, name);
    snprintf(two, sizeof two, "%s/%s", b, name);
    unsigned char *x = file_bytes(one, &n), *y = file_bytes(two, &m);
    if (!check(x && y && n == m && n > 0 && memcmp(x, y, n) == 0)) printf("  %s\n", name);
    free(x), free(y);
}

static void check_same_exports(const char *dir, const tru_recording *r, bool frames) {
    static const char *const files[] = {"csv/probes.csv", "csv/ledger.csv", "csv/events.csv"};
    static const char *const formats[] = {"csv", "xyz", "vtp", "glb"};
    char a[400], b[400], to[500];
    tru_error err;
    size_t one, two;
    snprintf(a, sizeof a, "%s", folder_path("a")), snprintf(b, sizeof b, "%s", folder_path("b"));
    folder_remove(a), folder_remove(b);
    for (int i = 0; i < (frames ? 4 : 1); i++) {
        snprintf(to, sizeof to, "%s/%s", a, formats[i]);
        RUN(tru_export(dir, formats[i], to, &one, &err));
        snprintf(to, sizeof to, "%s/%s", b, formats[i]);
        RUN(tru_export_recording(r, formats[i], to, &two, &err));
        check(one == two && one > 0);
    }
    for (int i = 0; i < 3; i++) check_same_file(a, b, files[i]);
}

static void compare_sinks(const char *text, bool frames) {
    tru_error err;
    if (!tru_has_hdf5()) {
        check_skip("needs HDF5");
        return;
    }
    tru_scene *scene = scene_of(text);
    const char *dir = folder_path("sink");
    folder_remove(dir);
    run_whole(scene, dir);
    tru_sim *sim = sim_of(scene);
    tru_recording *r = record(sim, scene, UINT64_MAX);
    RUN(tru_recording_finish(r, 0.0, &err));
    same_date(dir, r);
    tru_report *one, *two;
    const char *from_file = block_of(dir, NULL, &one), *from_memory = block_of(NULL, r, &two);
    check(from_file && from_memory && strcmp(from_file, from_memory) == 0);
    check_same_exports(dir, r, frames);
    tru_report_free(one), tru_report_free(two);
    tru_recording_free(r);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

TEST(ball) { compare_sinks(BALL_RUN, true); }
TEST(bodies_that_come) { compare_sinks(RAIN_RUN, true); }
TEST(bodies_that_leave) { compare_sinks(LEAVE_RUN, true); }
TEST(corners_and_events_left_out) { compare_sinks(HULL_RUN, true); }
TEST(no_frames) { compare_sinks(BARE_RUN, false); }

/* A run that has not ended: its summary comes from the rows. */
TEST(half_a_run) {
    tru_error err;
    if (!tru_has_hdf5()) {
        check_skip("needs HDF5");
        return;
    }
    tru_scene *scene = scene_of(LEAVE_RUN);
    const char *dir = folder_path("half");
    tru_sim *a = sim_of(scene), *b = sim_of(scene);
    tru_results *results;
    RUN(tru_results_create(dir, a, scene, TRU_RESULTS_REPLACE, &results, &err));
    run_recorded(a, results, 210);
    RUN(tru_results_snapshot(results, &err));
    tru_recording *r = record(b, scene, 210);
    same_date(dir, r);
    tru_report *one, *two;
    const char *from_file = block_of(dir, NULL, &one), *from_memory = block_of(NULL, r, &two);
    check(strcmp(from_file, from_memory) == 0);
    tru_report_free(one), tru_report_free(two);
    tru_results_free(results);
    tru_recording_free(r);
    tru_sim_free(a), tru_sim_free(b);
    tru_scene_free(scene);
}

/* ---- without any file ---- */

/* What is in memory is what the simulation said when it was recorded. */
TEST(rows_are_the_state) {
    tru_error err;
    tru_scene *scene = scene_of(BALL_RUN);
    tru_sim *sim = sim_of(scene);
    tru_recording *r = record(sim, scene, UINT64_MAX);
    RUN(tru_recording_finish(r, 1.5, &err));
    reader rows;
    RUN(trio_recording_read(r, &rows, &err));
    check(rows.frames == 92 && rows.bodies == 3 && rows.shapes == 4 && rows.probes == 5 && rows.contacts);
    double time, values[5], x[9];
    ledger_row ledger;
    RUN(trio_reader_read(&rows, PROBE_TIME, rows.rows - 1, 1, 1, &time, &err));
    RUN(trio_reader_read(&rows, PROBE_VALUE, rows.rows - 1, 1, 1, values, &err));
    RUN(trio_reader_read(&rows, LEDGER, rows.rows - 1, 1, 1, &ledger, &err));
    RUN(trio_reader_read(&rows, FRAME_POSITION, rows.frames - 1, 1, 1, x, &err));
    check(time == tru_time(tru_sim_world(sim)) && values[0] == tru_sim_value(sim, 0));
    const tru_ledger now = tru_world_ledger(tru_sim_world(sim));
    check(memcmp(&ledger.ledger, &now, sizeof now) == 0);
    tru_body_state ball;
    RUN(tru_body_get(tru_sim_world(sim), 2, &ball, &err));
    check((float)x[3] == (float)ball.position.x);
    check(strstr(rows.summary, "\"wall_s\"") || strstr(rows.summary, "1.5"));
    double every[3];
    uint64_t steps[2];
    RUN(trio_reader_read(&rows, PROBE_TIME, 1, 4, 3, every, &err));
    for (int i = 0; i < 3; i++) {
        RUN(trio_reader_read(&rows, PROBE_TIME, 1 + 4 * (uint64_t)i, 1, 1, &time, &err));
        check(every[i] == time);
    }
    check_status(trio_reader_read(&rows, FRAME_STEP, rows.frames - 1, 1, 2, steps, &err), TRU_DAMAGED);
    check_status(trio_reader_read(&rows, FRAME_STEP, rows.frames, 1, 1, steps, &err), TRU_DAMAGED);
    void *none;
    check_status(trio_reader_take(&rows, EVENTS, 0, 1, rows.events + 1, &none, &err), TRU_DAMAGED);
    check_str(err.text, "recording: is damaged: /events cannot be read");
    trio_reader_close(&rows);
    tru_recording_free(r);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

TEST(arguments) {
    tru_error err;
    tru_scene *scene = scene_of(BARE_RUN);
    tru_sim *sim = sim_of(scene);
    tru_recording *r, *second;
    tru_report *report;
    RUN(tru_report_begin(&report, &err));
    check_status(tru_recording_begin(NULL, scene, &r, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "tru_recording_begin needs a simulation");
    RUN(tru_recording_begin(sim, NULL, &r, &err));
    check_status(tru_recording_begin(sim, scene, &second, &err), TRU_CONFLICT);
    check_str(err.text, "recording: results of this simulation are open already");
    check(second == NULL);
    check_status(tru_report_add_recording(report, NULL, NULL, &err), TRU_BAD_ARGUMENT);
    check_status(tru_export_recording(r, "pdf", folder_path("x"), NULL, &err), TRU_UNKNOWN_NAME);
    check_status(tru_export_recording(r, "glb", folder_path("x"), NULL, &err), TRU_DAMAGED);
    check_str(err.text, "recording: no frames were recorded, so there is nothing to export as glb");
    check(tru_report_block(report, 0) == NULL && tru_report_block(NULL, 0) == NULL);
    tru_recording_free(r);
    RUN(tru_recording_begin(sim, scene, &r, &err)); /* a freed recording leaves the simulation to others */
    tru_recording_free(r);
    tru_recording_free(NULL);
    tru_report_free(report);
    tru_sim_free(sim);
    tru_scene_free(scene);
}
