/* test_csv_results.c: a library without HDF5 writes CSV, snapshot.tru and summary.json, and continues from them. Not built with HDF5. */
#define _XOPEN_SOURCE 700
#include "check.h"
#include "folders.h"
#include "run_scenes.h"

static const char *join(const char *dir, const char *name) {
    static char paths[8][600];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", dir, name);
    return path;
}

static void check_same_file(const char *a, const char *b) {
    size_t n, m;
    unsigned char *x = file_bytes(a, &n), *y = file_bytes(b, &m);
    if (!check(x && y && n == m && n > 0 && memcmp(x, y, n) == 0)) printf("  %s is not %s\n", a, b);
    free(x), free(y);
}

static const char *const csv[] = {"probes.csv", "ledger.csv", "events.csv"};

/* A run that was stopped twice ends with the files and the state of one that was not, and of an export from memory. */
static void check_resumes(const char *text, uint64_t first, uint64_t second) {
    tru_error err;
    tru_scene *scene = scene_of(text);
    const char *whole = folder_path("whole"), *parts = folder_path("parts"), *memory = folder_path("memory");
    folder_remove(whole), folder_remove(parts), folder_remove(memory);
    run_whole(scene, whole);
    tru_sim *sim = sim_of(scene);
    tru_recording *r;
    RUN(tru_recording_begin(sim, scene, &r, &err));
    while (!tru_sim_done(sim)) {
        RUN(tru_sim_run(sim, 5, &err));
        RUN(tru_recording_step(r, &err));
    }
    RUN(tru_recording_finish(r, 0.0, &err));
    RUN(tru_export_recording(r, "csv", memory, NULL, &err));
    run_resumed(scene, parts, first, false);
    run_resumed(scene, parts, second, false);
    check(run_resumed(scene, parts, UINT64_MAX, true) == tru_state_hash(tru_sim_world(sim)));
    for (int i = 0; i < 3; i++) {
        check_same_file(join(whole, csv[i]), join(memory, csv[i]));
        check_same_file(join(parts, csv[i]), join(whole, csv[i]));
    }
    check(access(join(whole, "summary.json"), F_OK) == 0 && access(join(whole, "run.h5"), F_OK) != 0);
    check(access(join(whole, "csv.part"), F_OK) != 0);
    tru_recording_free(r);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

TEST(resumed_runs) {
    check_resumes(BALL_RUN, 230, 231);
    check_resumes(RAIN_RUN, 77, 300);
    for (uint64_t first = 1; first < 400; first += 61) check_resumes(LEAVE_RUN, first, first + 30);
    check_resumes(BALL_SCENE("steppers: {moreau: {step: 1 ms}}\nrecord: {until: 0.2, probes: [ball.speed]}\n"), 1, 199);
}

/* A finished run continues past its end, without its last record. */
TEST(finished_runs_go_on) {
    tru_error err;
    tru_scene *scene = scene_of(RAIN_RUN);
    const char *dir = folder_path("longer"), *whole = folder_path("long");
    run_whole(scene, dir);
    for (int k = 0; k < 2; k++) {
        tru_results *results;
        tru_sim *sim = sim_of(scene);
        if (k == 0) RUN(tru_sim_resume(sim, scene, dir, &err));
        RUN(tru_sim_set_until(sim, 0.5, &err));
        RUN(tru_results_create(k == 0 ? dir : whole, sim, scene, TRU_RESULTS_RESUME, &results, &err));
        run_recorded(sim, results, UINT64_MAX);
        RUN(tru_results_finish(results, 0.0, &err));
        tru_results_free(results);
        tru_sim_free(sim);
    }
    for (int i = 0; i < 3; i++) check_same_file(join(dir, csv[i]), join(whole, csv[i]));
    tru_scene_free(scene);
}

TEST(scene_of_a_run) {
    tru_error err;
    char stepper[64];
    tru_scene *scene = scene_of(BALL_RUN), *back;
    const char *dir = folder_path("scene");
    run_whole(scene, dir);
    RUN(tru_results_scene(dir, &back, stepper, sizeof stepper, &err));
    check_str(stepper, "moreau");
    check_str(tru_scene_name(back), tru_scene_name(scene));
    check(tru_scene_hash(back) == tru_scene_hash(scene));
    tru_scene_free(back);
    tru_scene_free(scene);
}

/* ---- what is refused ---- */

static void check_says(const char *dir, const char *end, const char *text) {
    char wanted[800];
    snprintf(wanted, sizeof wanted, "%s%s", dir, end);
    check_str(text, wanted);
}

static tru_status open_for(tru_scene *scene, const char *dir, tru_results_mode mode, tru_error *err) {
    tru_results *r = NULL;
    tru_sim *sim = sim_of(scene);
    tru_status s = mode == TRU_RESULTS_RESUME ? tru_sim_resume(sim, scene, dir, err) : TRU_OK;
    if (s >= 0) s = tru_results_create(dir, sim, scene, mode, &r, err);
    tru_results_free(r);
    tru_sim_free(sim);
    return s;
}

TEST(damaged_and_missing_lines) {
    tru_error err;
    size_t count;
    tru_scene *scene = scene_of(BALL_RUN);
    const char *dir = folder_path("bad");
    run_resumed(scene, dir, 200, false);
    for (int i = 0; i < 2; i++) {
        unsigned char *good = file_bytes(join(dir, csv[i]), &count);
        const unsigned char before = good[count / 2];
        good[count / 2] = before == '1' ? '2' : '1';
        file_put(join(dir, csv[i]), good, count);
        check_status(open_for(scene, dir, TRU_RESULTS_RESUME, &err), TRU_DAMAGED);
        check(strstr(err.text, ".csv: is damaged: it does not match its checksum"));
        good[count / 2] = before;
        file_put(join(dir, csv[i]), good, count / 2);
        check_status(open_for(scene, dir, TRU_RESULTS_RESUME, &err), TRU_DAMAGED);
        check(strstr(err.text, ".csv: is damaged: it does not have the "));
        remove(join(dir, csv[i]));
        check_status(open_for(scene, dir, TRU_RESULTS_RESUME, &err), TRU_FILE);
        file_put(join(dir, csv[i]), good, count);
        free(good);
    }
    check_status(open_for(scene, dir, TRU_RESULTS_RESUME, &err), TRU_OK);
    check_status(open_for(scene, dir, TRU_RESULTS_NEW, &err), TRU_REFUSED);
    check_says(dir, " holds an interrupted run of 'a ball'", err.text);
    tru_scene_free(scene);
}

/* What is read from CSV is what was written: exported again it has the same bytes. */
TEST(reports_and_exports_from_csv) {
    static const char *const texts[] = {BALL_RUN, LEAVE_RUN,
                                        BALL_SCENE("steppers: {moreau: {step: 1 ms}}\nrecord: {until: 0.1}\n")};
    tru_error err;
    for (int k = 0; k < 3; k++) {
        tru_scene *scene = scene_of(texts[k]);
        const char *dir = folder_path("read"), *out = folder_path("again");
        tru_report *report;
        folder_remove(dir), folder_remove(out);
        run_whole(scene, dir);
        RUN(tru_export(dir, "csv", out, NULL, &err));
        for (int i = 0; i < 3; i++) check_same_file(join(dir, csv[i]), join(out, csv[i]));
        RUN(tru_report_begin(&report, &err));
        RUN(tru_report_add_run(report, dir, NULL, &err));
        check(strlen(tru_report_block(report, 0)) > 1000);
        remove(join(dir, "summary.json")); /* the run did not end: its summary comes from the rows */
        RUN(tru_report_add_run(report, dir, NULL, &err));
        check_status(tru_export(dir, "glb", out, NULL, &err), TRU_DAMAGED);
        check_says(dir, ": frames need run.h5, so there is nothing to export as glb", err.text);
        tru_report_free(report);
        tru_scene_free(scene);
    }
}

/* One wrong line of each file: a sentence with its number, and never a crash. */
TEST(damaged_lines) {
    static const char *const lines[] = {"1,2,three",         "1,2,3,4,5,6", "",
                                        "0.1,12,1e,1,1,1,1", "\"",          "0.1,touch,,ball,table"};
    tru_error err;
    tru_scene *scene = scene_of(BALL_RUN);
    const char *dir = folder_path("lines"), *out = folder_path("again");
    run_whole(scene, dir);
    for (int i = 0; i < 3; i++)
        for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
            size_t count;
            unsigned char *good = file_bytes(join(dir, csv[i]), &count);
            char *bad = malloc(count + 100), wanted[300];
            memcpy(bad, good, count);
            snprintf(bad + count, 100, "%s\n", lines[k]);
            file_put(join(dir, csv[i]), bad, strlen(lines[k]) + count + 1);
            unsigned long long number = 1;
            for (size_t c = 0; c < count; c++) number += good[c] == '\n';
            check_status(tru_export(dir, "csv", out, NULL, &err), TRU_DAMAGED);
            snprintf(wanted, sizeof wanted, "/%s:%llu: is damaged: the line is not a row of trundle's results", csv[i],
                     number);
            check_says(dir, wanted, err.text);
            file_put(join(dir, csv[i]), good, count);
            free(good), free(bad);
        }
    for (int i = 0; i < 3; i++) {
        size_t count;
        unsigned char *good = file_bytes(join(dir, csv[i]), &count);
        file_put(join(dir, csv[i]), "x\n", 2);
        check_status(tru_export(dir, "csv", out, NULL, &err), TRU_DAMAGED);
        file_put(join(dir, csv[i]), "", 0);
        check_status(tru_export(dir, "csv", out, NULL, &err), TRU_DAMAGED);
        file_put(join(dir, csv[i]), good, count);
        free(good);
    }
    file_put(join(dir, "scene.yaml"), "trundle: 1\n", 11);
    check_status(tru_export(dir, "csv", out, NULL, &err), TRU_DAMAGED);
    check_says(dir, "/scene.yaml: is not a file of trundle's results", err.text);
    tru_scene_free(scene);
}

TEST(files_of_hdf5) {
    tru_error err;
    char stepper[64];
    tru_scene *scene = scene_of(BALL_RUN), *none;
    tru_report *report;
    const char *dir = folder_path("h5");
    run_whole(scene, dir);
    RUN(tru_report_begin(&report, &err));
    file_put(join(dir, "run.h5"), "rows", 4);
    check_status(open_for(scene, dir, TRU_RESULTS_RESUME, &err), TRU_FILE);
    check_says(dir, "/run.h5: cannot be continued: this build of trundle has no HDF5", err.text);
    check_status(open_for(scene, dir, TRU_RESULTS_REPLACE, &err), TRU_FILE);
    check_says(dir, "/run.h5: cannot be replaced: this build of trundle has no HDF5", err.text);
    check_status(tru_results_scene(dir, &none, stepper, sizeof stepper, &err), TRU_FILE);
    check_says(dir, "/run.h5: cannot be read: this build of trundle has no HDF5", err.text);
    check_status(tru_report_add_run(report, dir, NULL, &err), TRU_FILE);
    check_says(dir, "/run.h5: cannot be read: this build of trundle has no HDF5", err.text);
    check_status(tru_export(dir, "glb", folder_path("out"), NULL, &err), TRU_FILE);
    check(access(join(dir, "run.h5"), F_OK) == 0);
    tru_report_free(report);
    tru_scene_free(scene);
}
