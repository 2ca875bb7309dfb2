/* export.c: writes a run for other programs: opens the run and calls the exporter of the format. */
#include "export.h"

#include "common/fail.h"
#include "common/file.h"
#include "recording/recording.h"
#include "results/results_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct format {
    const char *name;
    tru_status (*write)(export_job *job, tru_error *err);
    bool frames; /* needs them */
} formats[] = {{"vtp", trio_export_vtp, true},
               {"csv", trio_export_csv, false},
               {"glb", trio_export_glb, true},
               {"xyz", trio_export_xyz, true}};
enum { FORMATS = sizeof formats / sizeof *formats };

static tru_status write_format(export_job *job, const struct format *f, tru_error *err) {
    const size_t n = job->r.bodies;
    if (f->frames && job->r.from_csv)
        return trio_fail(err, TRU_DAMAGED, "%s: frames need run.h5, so there is nothing to export as %s", job->r.path,
                         f->name);
    if (f->frames && job->r.frames == 0)
        return trio_fail(err, TRU_DAMAGED, "%s: no frames were recorded, so there is nothing to export as %s",
                         job->r.path, f->name);
    tru_status s = trio_file_make_folder(job->out, err);
    job->x = malloc((13 * n + 1) * sizeof *job->x);
    if (s >= 0 && !job->x) s = trio_no_memory(err);
    job->q = job->x + 3 * n;
    job->v = job->x + 7 * n;
    job->w = job->x + 10 * n;
    if (s >= 0) s = f->write(job, err);
    free(job->x);
    return s;
}

/* Fails with the names of all formats. */
static tru_status unknown_format(const char *format, tru_error *err) {
    char names[80] = "";
    for (size_t i = 0; i < FORMATS; i++) {
        const size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "", formats[i].name);
    }
    return trio_fail(err, TRU_UNKNOWN_NAME, "format is '%s', must be one of %s", format, names);
}

static const struct format *find_format(const char *name) {
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0) return &formats[i];
    return NULL;
}

tru_status tru_export(const char *dir, const char *format, const char *out, size_t *files, tru_error *err) {
    export_job job = {.out = out};
    if (files) *files = 0;
    if (!dir || !format || !out)
        return trio_fail(err, TRU_BAD_ARGUMENT, "tru_export needs a folder of results, a format and an output folder");
    const struct format *f = find_format(format);
    if (!f) return unknown_format(format, err);
    tru_status s = trio_results_read(dir, &job.r, err);
    if (s < 0) return s;
    s = write_format(&job, f, err);
    trio_reader_close(&job.r);
    if (files) *files = job.files;
    return s;
}

tru_status tru_export_recording(const tru_recording *recording, const char *format, const char *out, size_t *files,
                                tru_error *err) {
    export_job job = {.out = out};
    if (files) *files = 0;
    if (!recording || !format || !out)
        return trio_fail(err, TRU_BAD_ARGUMENT,
                         "tru_export_recording needs a recording, a format and an output folder");
    const struct format *f = find_format(format);
    if (!f) return unknown_format(format, err);
    tru_status s = trio_recording_read(recording, &job.r, err);
    if (s < 0) return s;
    s = write_format(&job, f, err);
    trio_reader_close(&job.r);
    if (files) *files = job.files;
    return s;
}
