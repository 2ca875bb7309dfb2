/* results.c: the folder of a run in a library without HDF5: CSV files, snapshot.tru, summary.json, scene.yaml.
 *
 * Rows are kept in memory and written as CSV before every snapshot and at the end, each file aside and renamed. A snapshot
 * says how many lines belong to it, so whatever a kill leaves behind can be resumed: what is lost is computed again. */
#define _POSIX_C_SOURCE 200809L
#include "common/fail.h"
#include "common/file.h"
#include "common/grow.h"
#include "csv_file.h"
#include "csv_reader.h"
#include "recording/recording.h"
#include "run_h5/h5_reader.h"
#include "scene/values/expression.h"
#include "snapshot/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define SCENE_NAME "scene.yaml"

enum { CSV_PROBES, CSV_LEDGER, CSV_EVENTS, CSV_FILES };

/* The CSV files, and where a snapshot keeps their numbers of lines and check sums. */
static const struct {
    const char *name;
    result_table table;
} csv_names[CSV_FILES] = {{"probes.csv", PROBE_TIME}, {"ledger.csv", LEDGER}, {"events.csv", EVENTS}};

struct tru_results {
    tru_recording *recording;
    tru_sim *sim;
    const tru_scene *scene;
    char *dir, *part, *snapshot, *summary, *about; /* part: folder of exports; about: scene.yaml */
    csv_file csv[CSV_FILES];
    int lock;
    double saved, begun; /* [s] wall clock */
};

static tru_status refuse(const char *dir, const char *what, tru_error *err) {
    return trio_fail(err, TRU_FILE, "%s/run.h5: cannot be %s: this build of trundle has no HDF5", dir, what);
}

static double wall_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool has_file(const char *dir, const char *name) {
    char *path = trio_file_join(dir, name);
    const bool found = path && trio_file_exists(path);
    free(path);
    return found;
}

bool tru_results_exist(const char *dir) {
    return has_file(dir, RESULTS_NAME) || has_file(dir, SNAPSHOT_NAME) || has_file(dir, SUMMARY_NAME);
}

/* ---- writing ---- */

/* Writes the CSV files by the exporter, each aside and renamed. */
static tru_status write_csv(tru_results *r, bool durable, tru_error *err) {
    tru_status s = tru_export_recording(r->recording, "csv", r->part, NULL, err);
    for (int i = 0; s >= 0 && i < CSV_FILES; i++) s = trio_csv_replace(&r->csv[i], durable, err);
    rmdir(r->part);
    return s < 0 ? s : TRU_OK;
}

static tru_status save(tru_results *r, bool durable, tru_error *err) {
    struct sim_lengths lengths = {{0}, {0}};
    const double now = wall_clock();
    tru_status s = trio_rows_record(&r->recording->rows, false, false, err); /* events and bodies so far */
    if (s >= 0) s = write_csv(r, durable, err);
    for (int i = 0; i < CSV_FILES; i++) {
        lengths.rows[csv_names[i].table] = r->csv[i].rows;
        lengths.sums[csv_names[i].table] = r->csv[i].sum;
    }
    r->saved = now;
    if (s < 0) return s;
    return trio_snapshot_write(r->sim, r->scene ? tru_scene_hash(r->scene) : 0, &lengths,
                               r->sim->wall_before + now - r->begun, r->snapshot, durable, err);
}

tru_status tru_results_step(tru_results *r, tru_error *err) {
    tru_status s = tru_recording_step(r->recording, err);
    const double interval = r->sim->plan.snapshots;
    if (s >= 0 && interval > 0.0 && wall_clock() - r->saved > interval) s = save(r, true, err);
    return s;
}

tru_status tru_results_snapshot(tru_results *r, tru_error *err) { return save(r, true, err); }

tru_status tru_results_finish(tru_results *r, double wall_seconds, tru_error *err) {
    tru_status s = tru_recording_step(r->recording, err);
    if (s >= 0) s = save(r, true, err);
    if (s >= 0) s = tru_recording_finish(r->recording, wall_seconds, err);
    if (s >= 0) s = write_csv(r, true, err);
    const char *summary = r->recording->summary;
    return s < 0 ? s : trio_file_replace(r->summary, summary, strlen(summary), true, err);
}

/* ---- beginning ---- */

void tru_results_free(tru_results *r) {
    if (!r) return;
    tru_recording_free(r->recording);
    trio_file_unlock(r->lock);
    for (int i = 0; i < CSV_FILES; i++) trio_csv_release(&r->csv[i]);
    free(r->dir);
    free(r->part);
    free(r->snapshot);
    free(r->summary);
    free(r->about);
    free(r);
}

static tru_results *allocate(const char *dir, tru_sim *sim, const tru_scene *scene) {
    tru_results *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->sim = sim;
    r->scene = scene;
    r->lock = -1;
    r->dir = copy_text(dir);
    r->part = trio_file_join(dir, "csv.part");
    r->snapshot = trio_file_join(dir, SNAPSHOT_NAME);
    r->summary = trio_file_join(dir, SUMMARY_NAME);
    r->about = trio_file_join(dir, SCENE_NAME);
    bool good = r->dir && r->part && r->snapshot && r->summary && r->about;
    for (int i = 0; good && i < CSV_FILES; i++) good = trio_csv_name(&r->csv[i], dir, r->part, csv_names[i].name);
    if (good) return r;
    tru_results_free(r);
    return NULL;
}

/* The first lines of scene.yaml say how the scene ran; its text follows. */
static tru_status write_scene(const tru_results *r, tru_error *err) {
    const char *text = r->scene ? tru_scene_text(r->scene) : "", *name = r->scene ? tru_scene_name(r->scene) : "none";
    const size_t room = text ? strlen(text) + strlen(name) + 200 : 0;
    char *all = text ? malloc(room) : NULL;
    if (!all) return trio_no_memory(err);
    const int length = snprintf(all, room, "# stepper %s\n# scene %s\n# step %.17g\n# threads %d\n%s", r->sim->stepper,
                                name, tru_step_size(r->sim->world), r->sim->threads, text);
    const tru_status s = trio_file_replace(r->about, all, (size_t)length, false, err);
    free(all);
    return s;
}

static tru_status refuse_old(const tru_results *r, tru_error *err) {
    tru_scene *scene = NULL;
    char stepper[64], of[300] = "";
    if (!tru_results_exist(r->dir)) return TRU_OK;
    if (tru_results_scene(r->dir, &scene, stepper, sizeof stepper, NULL) >= 0)
        snprintf(of, sizeof of, " of '%.200s'",
                 *tru_scene_title(scene) ? tru_scene_title(scene) : tru_scene_name(scene));
    tru_scene_free(scene);
    return trio_fail(err, TRU_REFUSED, "%s holds %s run%s", r->dir,
                     trio_file_exists(r->summary) ? "a finished" : "an interrupted", of);
}

/* Keeps the lines that belong to the snapshot. */
static tru_status keep_lines(tru_results *r, tru_error *err) {
    const struct sim_lengths *l = r->sim->resumed;
    tru_status s = TRU_OK;
    for (int i = 0; s >= 0 && i < CSV_FILES; i++)
        s = trio_csv_keep(&r->csv[i], l->rows[csv_names[i].table], l->sums[csv_names[i].table], err);
    return s;
}

static tru_status remove_old(const char *path, tru_error *err) {
    if (unlink(path) == 0 || errno == ENOENT) return TRU_OK;
    return trio_fail_file(err, path, "cannot be removed", errno);
}

static tru_status begin(tru_results *r, bool resume, tru_error *err) {
    tru_status s = resume ? keep_lines(r, err) : TRU_OK;
    if (s >= 0) s = trio_recording_begin(r->sim, r->scene, !resume, false, &r->recording, err);
    if (s >= 0) s = remove_old(r->summary, err);
    if (s >= 0 && !resume) s = remove_old(r->snapshot, err); /* it belongs to lines that are about to go */
    if (s >= 0) s = write_scene(r, err);
    return s < 0 || resume ? s : save(r, false, err);
}

tru_status tru_results_create(const char *dir, tru_sim *sim, const tru_scene *scene, tru_results_mode mode,
                              tru_results **out, tru_error *err) {
    if (!dir || !*dir || !sim || !out)
        return trio_fail(err, TRU_BAD_ARGUMENT, "tru_results_create needs a folder and a simulation");
    *out = NULL;
    if (sim->recorded) return trio_fail(err, TRU_CONFLICT, "%s: results of this simulation are open already", dir);
    tru_status s = trio_file_make_folder(dir, err);
    if (s < 0) return s;
    tru_results *r = allocate(dir, sim, scene);
    if (!r) return trio_no_memory(err);
    r->begun = r->saved = wall_clock();
    s = trio_file_lock_folder(dir, &r->lock, err);
    if (s >= 0 && mode == TRU_RESULTS_NEW) s = refuse_old(r, err);
    if (s >= 0 && has_file(dir, RESULTS_NAME))
        s = refuse(dir, mode == TRU_RESULTS_RESUME ? "continued" : "replaced", err);
    if (s >= 0) s = begin(r, mode == TRU_RESULTS_RESUME && sim->resumed, err);
    if (s < 0)
        tru_results_free(r);
    else
        *out = r;
    return s;
}

tru_status tru_sim_resume(tru_sim *sim, const tru_scene *scene, const char *dir, tru_error *err) {
    if (!sim || !dir) return trio_fail(err, TRU_BAD_ARGUMENT, "tru_sim_resume needs a simulation and a folder");
    if (has_file(dir, RESULTS_NAME)) return refuse(dir, "continued", err);
    char *snapshot = trio_file_join(dir, SNAPSHOT_NAME);
    if (!snapshot) return trio_no_memory(err);
    tru_status s = TRU_OK;
    if (trio_file_exists(snapshot)) s = trio_snapshot_read(sim, scene ? tru_scene_hash(scene) : 0, snapshot, err);
    free(snapshot);
    return s;
}

/* ---- reading ---- */

/* Reads scene.yaml: how the scene ran, into the reader, and its text. */
static tru_status read_about(const char *dir, reader *r, tru_error *err) {
    unsigned char *bytes = NULL;
    size_t count = 0;
    char step[40] = "";
    long threads = 0;
    r->path = trio_file_join(dir, SCENE_NAME);
    if (!r->path) return trio_no_memory(err);
    tru_status s = trio_file_read(r->path, &bytes, &count, err);
    r->scene = (char *)bytes;
    if (s < 0) return s;
    const int read = sscanf(r->scene, "# stepper %63s # scene %199[^\n] # step %39s # threads %ld", r->stepper,
                            r->scene_name, step, &threads);
    quantity q;
    if (read != 4 || trio_expression_value(step, NULL, &q, NULL) != TRU_OK)
        return trio_fail(err, TRU_DAMAGED, "%s: is not a file of trundle's results", r->path);
    r->step = q.value;
    r->threads = threads;
    snprintf(r->version, sizeof r->version, "%s", tru_version());
    return TRU_OK;
}

tru_status tru_results_scene(const char *dir, tru_scene **scene, char *stepper, size_t room, tru_error *err) {
    reader r = {.file = -1};
    *scene = NULL;
    if (has_file(dir, RESULTS_NAME)) return refuse(dir, "read", err);
    tru_status s = read_about(dir, &r, err);
    if (s >= 0) s = tru_scene_parse(r.scene, strlen(r.scene), r.scene_name, NULL, 0, scene, err);
    if (s >= 0) snprintf(stepper, room, "%s", r.stepper);
    trio_reader_close(&r);
    return s;
}

/* The summary is written last: without it the run did not end. */
static tru_status read_summary(const char *dir, reader *r, tru_error *err) {
    unsigned char *bytes = NULL;
    size_t count = 0;
    char *path = trio_file_join(dir, SUMMARY_NAME);
    const tru_status s = !path                    ? trio_no_memory(err)
                         : trio_file_exists(path) ? trio_file_read(path, &bytes, &count, err)
                                                  : TRU_OK;
    free(path);
    r->summary = bytes ? (char *)bytes : copy_text("");
    return s >= 0 && !r->summary ? trio_no_memory(err) : s;
}

static tru_status read_rows(const char *dir, reader *r, tru_error *err) {
    row_memory *m = calloc(1, sizeof *m);
    if (!m) return trio_no_memory(err);
    r->memory = m;
    r->source = &trio_owned_memory_source;
    r->from_csv = true;
    tru_status s = trio_csv_read_probes(dir, r, m, err);
    if (s >= 0) s = trio_csv_read_ledger(dir, m, err);
    if (s >= 0) s = trio_csv_read_events(dir, m, err);
    return s < 0 ? s : trio_reader_start(r, err);
}

tru_status trio_reader_open(const char *dir, reader *r, tru_error *err) {
    *r = (reader){.file = -1};
    if (has_file(dir, RESULTS_NAME)) return refuse(dir, "read", err);
    tru_status s = read_about(dir, r, err);
    if (s >= 0) s = read_summary(dir, r, err);
    if (s >= 0) s = read_rows(dir, r, err);
    r->command = copy_text("");
    free(r->path);
    r->path = copy_text(dir);
    if (s >= 0 && (!r->command || !r->path)) s = trio_no_memory(err);
    if (s < 0) trio_reader_close(r);
    return s;
}
