/* results.c: DIR/run.h5, DIR/snapshot.tru and DIR/summary.json of a running simulation.
 *
 * Whatever a kill leaves behind can be resumed: a new file is written aside and renamed when it is complete, after the
 * first snapshot, which knows of no rows; data of a snapshot are flushed before it. */
#define _POSIX_C_SOURCE 200809L
#include "run_h5/h5_run.h"

#include "common/fail.h"
#include "common/file.h"
#include "run_h5/results_layout.h"
#include "run_h5/results_resume.h"
#include "sim/sim_emitter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FLUSH_SECONDS = 1 }; /* [s] interval between flushes of rows */

static double wall_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t scene_hash(const tru_results *r) { return r->scene ? tru_scene_hash(r->scene) : 0; }

/* ---- life ---- */

static void release(tru_results *r) {
    if (!r) return;
    trio_results_close(r);
    if (r->driver >= 0) H5FDunregister(r->driver);
    trio_file_unlock(r->lock);
    free(r->path);
    free(r->part);
    free(r->snapshot);
    free(r->summary);
    trio_rows_release(&r->rows);
    free(r);
}

static bool append_rows(void *to, result_table which, const void *rows, uint64_t count, size_t columns) {
    tru_results *r = to;
    table *t = &r->tables[which];
    if (which >= FRAME_POSITION && which <= FRAME_RATE) return trio_table_append_part(t, rows, columns);
    return which == CONTACT_RECORD ? trio_table_append(t, rows, count) : trio_table_push(t, rows);
}

static tru_status rows_failed(const void *to, tru_error *err) { return trio_results_failed(to, err); }

static tru_results *allocate(const char *dir, tru_sim *sim, const tru_scene *scene) {
    tru_results *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->sim = sim;
    r->scene = scene;
    r->file = r->driver = -1;
    r->lock = -1;
    r->path = trio_file_join(dir, RESULTS_NAME);
    r->part = trio_file_join(dir, RESULTS_NAME ".part");
    r->snapshot = trio_file_join(dir, SNAPSHOT_NAME);
    r->summary = trio_file_join(dir, SUMMARY_NAME);
    size_t capacity = trio_sim_most_bodies(sim);
    if (sim->resumed && sim->resumed->rows[BODIES] > capacity) capacity = sim->resumed->rows[BODIES];
    const row_sink sink = {append_rows, rows_failed, r, r->path};
    const bool writes = trio_rows_begin(&r->rows, sim, sink, capacity);
    if (r->path && r->part && r->snapshot && r->summary && writes) return r;
    release(r);
    return NULL;
}

/* Flushes all rows to the file, so that readers and a resumed run see them. */
static tru_status flush(tru_results *r, tru_error *err) {
    for (int i = 0; i < RESULT_TABLES; i++)
        if (r->tables[i].set > 0 && !trio_table_write(&r->tables[i])) return trio_results_failed(r, err);
    if (H5Fflush(r->file, H5F_SCOPE_GLOBAL) < 0 || r->failure != 0) return trio_results_failed(r, err);
    r->rows.fresh = false;
    r->flushed = wall_clock();
    return TRU_OK;
}

static tru_status sync_file(tru_results *r, tru_error *err) {
    void *handle;
    if (H5Fget_vfd_handle(r->file, H5P_DEFAULT, &handle) < 0) return trio_results_failed(r, err);
    if (fsync(*(int *)handle) != 0) return trio_fail_file(err, r->path, "cannot be synced", errno);
    return TRU_OK;
}

static tru_status save(tru_results *r, bool durable, tru_error *err) {
    struct sim_lengths lengths;
    for (int i = 0; i < RESULT_TABLES; i++) lengths.rows[i] = r->tables[i].rows, lengths.sums[i] = r->tables[i].sum;
    const double now = wall_clock();
    r->saved = now;
    return trio_snapshot_write(r->sim, scene_hash(r), &lengths, r->sim->wall_before + now - r->begun, r->snapshot,
                               durable, err);
}

/* ---- writing what is due ---- */

static tru_status checked(const tru_results *r, tru_status s, tru_error *err) {
    return s >= 0 && r->failure != 0 ? trio_results_failed(r, err) : s;
}

static tru_status step(tru_results *r, tru_error *err) {
    bool frame;
    tru_status s = checked(r, trio_rows_step(&r->rows, &frame, err), err);
    const double wall = wall_clock();
    if (s >= 0 && (frame || (r->rows.fresh && wall - r->flushed > FLUSH_SECONDS))) s = flush(r, err);
    if (s >= 0 && r->sim->plan.snapshots > 0.0 && wall - r->saved > r->sim->plan.snapshots) {
        s = flush(r, err);
        if (s >= 0) s = sync_file(r, err);
        if (s >= 0) s = save(r, true, err);
    }
    return s;
}

tru_status tru_results_step(tru_results *r, tru_error *err) {
    const h5_quiet quiet = trio_h5_silence();
    const tru_status s = step(r, err);
    trio_h5_restore(quiet);
    return s;
}

tru_status tru_results_snapshot(tru_results *r, tru_error *err) {
    const h5_quiet quiet = trio_h5_silence();
    tru_status s = flush(r, err);
    if (s >= 0) s = sync_file(r, err);
    if (s >= 0) s = save(r, true, err);
    trio_h5_restore(quiet);
    return s;
}

/* ---- begin and end ---- */

/* Starts SWMR: readers can open the file while it is written, and after a kill. */
static tru_status start_swmr(tru_results *r, tru_error *err) {
    const bool good = H5Fflush(r->file, H5F_SCOPE_GLOBAL) >= 0 && H5Fstart_swmr_write(r->file) >= 0;
    return good && r->failure == 0 ? TRU_OK : trio_results_failed(r, err);
}

/* Removes the summary before the file that it describes. A kill in between leaves an interrupted run, never a finished one. */
static tru_status remove_summary(const tru_results *r, tru_error *err) {
    if (unlink(r->summary) == 0 || errno == ENOENT) return TRU_OK;
    return trio_fail_file(err, r->summary, "cannot be removed", errno);
}

/* Begins a new run: writes the file aside with its first frame, then a snapshot without rows, then renames the file. */
static tru_status begin(tru_results *r, tru_error *err) {
    tru_status s = trio_results_lay_out(r, 0, err);
    if (s >= 0) s = start_swmr(r, err);
    if (s >= 0) s = remove_summary(r, err);
    if (s >= 0) s = save(r, false, err);
    if (s >= 0) s = trio_file_rename(r->part, r->path, false, err);
    if (s >= 0) s = checked(r, trio_rows_record(&r->rows, true, true, err), err);
    if (s >= 0) s = flush(r, err);
    return s;
}

static int64_t resumes_of(hid_t old) {
    int64_t count = 0;
    const hid_t g = H5Gopen2(old, "/provenance", H5P_DEFAULT);
    if (g < 0) return 0;
    trio_h5_read_attribute_i64(g, "resumes", &count);
    H5Gclose(g);
    return count;
}

/* Copies the rows of the old file up to the snapshot to a new file. The old file stays until the new one is complete. */
static tru_status resume_from(tru_results *r, hid_t old, tru_error *err) {
    tru_status s = trio_results_lay_out(r, resumes_of(old) + 1, err);
    if (s >= 0) s = trio_results_check_old(r, old, err);
    if (s >= 0) s = trio_results_copy_old(r, old, err);
    if (s >= 0) s = start_swmr(r, err);
    if (s >= 0) s = sync_file(r, err);
    if (s >= 0) s = remove_summary(r, err);
    if (s >= 0) s = trio_file_rename(r->part, r->path, true, err);
    return s;
}

static tru_status resume(tru_results *r, tru_error *err) {
    const bool at_start = r->sim->resumed->rows[LEDGER] == 0;
    const hid_t old = trio_file_exists(r->path) ? trio_results_open(r->path) : -1;
    tru_status s;
    if (old < 0 && trio_file_exists(r->path)) return trio_fail(err, TRU_DAMAGED, "%s: is not an HDF5 file", r->path);
    if (old < 0 && !at_start)
        return trio_fail(err, TRU_DAMAGED, "%s: is missing, but the snapshot next to it refers to it", r->path);
    if (at_start) {
        s = old >= 0 ? trio_results_check_old(r, old, err) : TRU_OK;
        if (old >= 0) H5Fclose(old);
        return s < 0 ? s : begin(r, err);
    }
    s = resume_from(r, old, err);
    H5Fclose(old);
    return s;
}

bool tru_results_exist(const char *dir) {
    static const char *const names[] = {RESULTS_NAME, SNAPSHOT_NAME, SUMMARY_NAME};
    bool found = false;
    for (size_t i = 0; !found && i < sizeof names / sizeof *names; i++) {
        char *path = trio_file_join(dir, names[i]);
        found = path && trio_file_exists(path);
        free(path);
    }
    return found;
}

/* Refuses a folder that holds results. The summary is written last: without it the run did not end. */
static tru_status refuse_old(const tru_results *r, const char *dir, tru_error *err) {
    tru_scene *scene = NULL;
    char stepper[64], of[300] = "";
    if (!tru_results_exist(dir)) return TRU_OK;
    if (tru_results_scene(dir, &scene, stepper, sizeof stepper, NULL) >= 0) {
        const char *title = *tru_scene_title(scene) ? tru_scene_title(scene) : tru_scene_name(scene);
        snprintf(of, sizeof of, " of '%.200s%s'", title, strlen(title) > 200 ? "..." : "");
    }
    tru_scene_free(scene);
    return trio_fail(err, TRU_REFUSED, "%s holds %s run%s", dir,
                     trio_file_exists(r->summary) ? "a finished" : "an interrupted", of);
}

tru_status tru_results_create(const char *dir, tru_sim *sim, const tru_scene *scene, tru_results_mode mode,
                              tru_results **out, tru_error *err) {
    if (!dir || !*dir || !sim || !out)
        return trio_fail(err, TRU_BAD_ARGUMENT, "tru_results_create needs a folder and a simulation");
    if (sim->recorded) return trio_fail(err, TRU_CONFLICT, "%s: results of this simulation are open already", dir);
    tru_status s = trio_file_make_folder(dir, err);
    if (s < 0) return s;
    tru_results *r = allocate(dir, sim, scene);
    if (!r) return trio_no_memory(err);
    const h5_quiet quiet = trio_h5_silence();
    const bool fresh = !(mode == TRU_RESULTS_RESUME && sim->resumed);
    r->begun = r->flushed = r->saved = wall_clock();
    r->driver = trio_h5_driver();
    sim->recorded = true;
    s = trio_file_lock_folder(dir, &r->lock, err);
    const bool mine = s >= 0;
    if (s >= 0 && mode == TRU_RESULTS_NEW) s = refuse_old(r, dir, err);
    if (s >= 0) s = fresh ? begin(r, err) : resume(r, err);
    trio_rows_plan(&r->rows);
    if (s < 0) {
        sim->recorded = false;
        trio_results_close(r);
        if (mine) unlink(r->part);
        release(r);
    } else {
        *out = r;
    }
    /* A damaged file can leave objects open inside HDF5. HDF5 would print about them at exit, so its printing is off. */
    if (s != TRU_DAMAGED) trio_h5_restore(quiet);
    return s;
}

static tru_status write_summary(const tru_results *r, double wall, tru_error *err) {
    tru_json *j = tru_json_begin();
    if (!j) return trio_no_memory(err);
    tru_json_object(j, NULL);
    tru_sim_summary(r->sim, r->scene, wall, j);
    const char *text = tru_json_done(j);
    const tru_status s = text ? trio_file_replace(r->summary, text, strlen(text), true, err) : trio_no_memory(err);
    tru_json_free(j);
    return s;
}

/* Records the last state even if no row or frame is due. A resumed run drops this record. */
tru_status tru_results_finish(tru_results *r, double wall_seconds, tru_error *err) {
    const h5_quiet quiet = trio_h5_silence();
    tru_status s = step(r, err);
    if (s >= 0) s = flush(r, err);
    if (s >= 0) s = sync_file(r, err);
    if (s >= 0) s = save(r, true, err);
    if (s >= 0) s = checked(r, trio_rows_last(&r->rows, err), err);
    if (s >= 0 && !trio_results_write_sums(r)) s = trio_results_failed(r, err);
    if (s >= 0) s = flush(r, err);
    if (s >= 0) s = sync_file(r, err);
    trio_results_close(r);
    if (s >= 0 && r->failure != 0) s = trio_results_failed(r, err);
    if (s >= 0) s = write_summary(r, wall_seconds, err);
    trio_h5_restore(quiet);
    return s;
}

void tru_results_free(tru_results *r) {
    if (!r) return;
    const h5_quiet quiet = trio_h5_silence();
    r->sim->recorded = false;
    release(r);
    trio_h5_restore(quiet);
}

tru_status tru_sim_resume(tru_sim *sim, const tru_scene *scene, const char *dir, tru_error *err) {
    if (!sim || !dir) return trio_fail(err, TRU_BAD_ARGUMENT, "tru_sim_resume needs a simulation and a folder");
    char *snapshot = trio_file_join(dir, SNAPSHOT_NAME), *results = trio_file_join(dir, RESULTS_NAME);
    tru_status s = TRU_OK;
    if (!snapshot || !results)
        s = trio_no_memory(err);
    else if (trio_file_exists(snapshot))
        s = trio_snapshot_read(sim, scene ? tru_scene_hash(scene) : 0, snapshot, err);
    else if (trio_file_exists(results))
        s = trio_fail(err, TRU_FILE, "%s: is missing, so %s cannot be resumed", snapshot, results);
    free(snapshot);
    free(results);
    return s;
}
