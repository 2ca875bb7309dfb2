/* recording.c: the rows of a running simulation in memory, and a reader of them. */
#define _POSIX_C_SOURCE 200809L
#include "recording.h"

#include "common/fail.h"
#include "common/grow.h"
#include "sim/sim_emitter.h"

#include <stdio.h>
#include <time.h>

/* ---- writing ---- */

static bool append_rows(void *to, result_table which, const void *rows, uint64_t count, size_t columns) {
    return trio_memory_append(&((tru_recording *)to)->memory, which, rows, count, columns);
}

static tru_status rows_failed(const void *to, tru_error *err) {
    (void)to;
    return trio_no_memory(err);
}

static void note_date(char *date, size_t room) {
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) strftime(date, room, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

tru_status trio_recording_begin(tru_sim *sim, const tru_scene *scene, bool first, bool frames, tru_recording **out,
                                tru_error *err) {
    if (!sim || !out) return trio_fail(err, TRU_BAD_ARGUMENT, "tru_recording_begin needs a simulation");
    *out = NULL;
    if (sim->recorded) return trio_fail(err, TRU_CONFLICT, "recording: results of this simulation are open already");
    tru_recording *r = calloc(1, sizeof *r);
    if (!r) return trio_no_memory(err);
    const row_sink sink = {append_rows, rows_failed, r, "recording"};
    r->sim = sim;
    r->scene = scene;
    r->memory.frames_double = sim->plan.frames_double;
    r->memory.contacts = frames && sim->plan.contacts && sim->plan.frames > 0.0;
    r->summary = copy_text("");
    note_date(r->date, sizeof r->date);
    sim->recorded = true;
    tru_status s =
        trio_rows_begin(&r->rows, sim, sink, trio_sim_most_bodies(sim)) && r->summary ? TRU_OK : trio_no_memory(err);
    r->rows.without_frames = !frames;
    if (s >= 0) s = trio_rows_record(&r->rows, first, first, err);
    if (s < 0) {
        tru_recording_free(r);
        return s;
    }
    trio_rows_plan(&r->rows);
    *out = r;
    return TRU_OK;
}

tru_status tru_recording_begin(tru_sim *sim, const tru_scene *scene, tru_recording **out, tru_error *err) {
    return trio_recording_begin(sim, scene, true, true, out, err);
}

tru_status tru_recording_step(tru_recording *r, tru_error *err) {
    bool frame;
    return trio_rows_step(&r->rows, &frame, err);
}

tru_status tru_recording_finish(tru_recording *r, double wall_seconds, tru_error *err) {
    bool frame;
    tru_status s = trio_rows_step(&r->rows, &frame, err);
    if (s >= 0) s = trio_rows_last(&r->rows, err);
    if (s < 0) return s;
    tru_json *j = tru_json_begin();
    if (!j) return trio_no_memory(err);
    tru_json_object(j, NULL);
    tru_sim_summary(r->sim, r->scene, wall_seconds, j);
    const char *text = tru_json_done(j);
    char *summary = text ? copy_text(text) : NULL;
    tru_json_free(j);
    if (!summary) return trio_no_memory(err);
    free(r->summary);
    r->summary = summary;
    return TRU_OK;
}

void tru_recording_free(tru_recording *r) {
    if (!r) return;
    r->sim->recorded = false;
    trio_rows_release(&r->rows);
    trio_memory_release(&r->memory);
    free(r->summary);
    free(r);
}

/* ---- reading ---- */

static bool copy_probes(const tru_sim *sim, reader *r) {
    size_t bytes = 0, n = sim->plan.probe_count;
    for (size_t i = 0; i < n; i++) bytes += strlen(sim->probes[i].name) + 1;
    if (n == 0) return true;
    r->name = malloc(n * sizeof *r->name + bytes); /* one block: pointers, and behind them the texts */
    r->unit = malloc(n * (sizeof *r->unit + 64));
    if (!r->name || !r->unit) return false;
    char *at = (char *)(r->name + n);
    for (size_t i = 0; i < n; i++) {
        r->name[i] = strcpy(at, sim->probes[i].name);
        at += strlen(at) + 1;
        r->unit[i] = (char *)(r->unit + n) + 64 * i;
        snprintf(r->unit[i], 64, "%s", tru_unit_describe(sim->probes[i].probe.row->unit).symbol);
    }
    r->probes = n;
    return true;
}

static bool copy_texts(const tru_recording *from, reader *r) {
    const tru_sim *sim = from->sim;
    const char *scene = from->scene ? tru_scene_text(from->scene) : "";
    snprintf(r->stepper, sizeof r->stepper, "%s", sim->stepper);
    snprintf(r->scene_name, sizeof r->scene_name, "%s", from->scene ? tru_scene_name(from->scene) : "");
    snprintf(r->version, sizeof r->version, "%s", tru_version());
    snprintf(r->date, sizeof r->date, "%s", from->date);
    snprintf(r->scene_hash, sizeof r->scene_hash, "%016llx",
             (unsigned long long)(from->scene ? tru_scene_hash(from->scene) : 0));
    r->path = copy_text("recording");
    r->summary = copy_text(from->summary);
    r->command = copy_text(sim->command ? sim->command : "");
    r->scene = scene ? copy_text(scene) : NULL;
    r->step = tru_step_size(sim->world);
    r->threads = sim->threads;
    return r->path && r->summary && r->command && r->scene;
}

tru_status trio_recording_read(const tru_recording *from, reader *r, tru_error *err) {
    *r = (reader){.source = &trio_memory_source, .memory = &from->memory, .file = -1};
    r->contacts = from->memory.contacts;
    tru_status s = copy_texts(from, r) && copy_probes(from->sim, r) ? TRU_OK : trio_no_memory(err);
    if (s >= 0) s = trio_reader_start(r, err);
    if (s < 0) trio_reader_close(r);
    return s;
}
