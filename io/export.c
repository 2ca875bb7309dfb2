/* export.c: a run for other programs: chooses the format, reads frames, opens and closes files. */
#include "export.h"

#include "fail.h"
#include "file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct format {
    const char *name;
    tru_status (*write)(export_job *job, tru_error *err);
    bool frames; /* needs them */
} formats[] = {
    {"vtp", export_vtp, true}, {"csv", export_csv, false}, {"glb", export_glb, true}, {"xyz", export_xyz, true}};
enum { FORMATS = sizeof formats / sizeof *formats };

/* ---- what the formats use ---- */

tru_status export_frame(export_job *job, uint64_t frame, tru_error *err) {
    const reader *r = &job->r;
    tru_status s = reader_read(r, FRAME_TIME, frame, 1, 1, &job->time, err);
    if (s >= 0) s = reader_read(r, FRAME_POSITION, frame, 1, 1, job->x, err);
    if (s >= 0) s = reader_read(r, FRAME_ORIENTATION, frame, 1, 1, job->q, err);
    if (s >= 0) s = reader_read(r, FRAME_VELOCITY, frame, 1, 1, job->v, err);
    if (s >= 0) s = reader_read(r, FRAME_RATE, frame, 1, 1, job->w, err);
    return s;
}

tru_status export_contacts(const export_job *job, uint64_t frame, contact_row **rows, uint64_t *count, tru_error *err) {
    uint64_t start = 0;
    *rows = NULL;
    *count = 0;
    if (!job->r.contacts) return TRU_OK;
    tru_status s = reader_read(&job->r, CONTACT_START, frame, 1, 1, &start, err);
    if (s >= 0) s = reader_read(&job->r, CONTACT_COUNT, frame, 1, 1, count, err);
    if (s >= 0) s = reader_take(&job->r, CONTACT_RECORD, start, 1, *count, rows, err);
    return s;
}

FILE *export_open(export_job *job, const char *name, tru_error *err) {
    char *path = file_join(job->out, name);
    FILE *file = path ? fopen(path, "wb") : NULL;
    if (!path)
        io_no_memory(err);
    else if (!file)
        io_fail_file(err, path, "cannot be written", errno);
    job->files += file != NULL;
    free(path);
    return file;
}

tru_status export_close(const export_job *job, FILE *file, const char *name, tru_error *err) {
    const bool bad = ferror(file) != 0;
    errno = 0;
    if (fclose(file) == 0 && !bad) return TRU_OK;
    char *path = file_join(job->out, name);
    const tru_status s = io_fail_file(err, path ? path : name, "cannot be written", errno);
    free(path);
    return s;
}

void export_number(FILE *file, double x) {
    char text[64];
    if (!isfinite(x)) return;
    tru_unit_format(TRU_UNIT_ONE, x, text, sizeof text);
    fputs(text, file);
}

bool export_there(const export_job *job, size_t body) { return isfinite(job->x[3 * body]); }

/* ---- the call ---- */

static tru_status write_format(export_job *job, const struct format *f, tru_error *err) {
    const size_t n = job->r.bodies;
    if (f->frames && job->r.frames == 0)
        return io_fail(err, TRU_DAMAGED, "%s: has no frames, so there is nothing to export as %s", job->r.path,
                       f->name);
    tru_status s = file_make_folder(job->out, err);
    job->x = malloc((13 * n + 1) * sizeof *job->x);
    if (s >= 0 && !job->x) s = io_no_memory(err);
    job->q = job->x + 3 * n;
    job->v = job->x + 7 * n;
    job->w = job->x + 10 * n;
    if (s >= 0) s = f->write(job, err);
    free(job->x);
    return s;
}

tru_status tru_export(const char *dir, const char *format, const char *out, size_t *files, tru_error *err) {
    const struct format *f = NULL;
    export_job job = {.out = out};
    if (!dir || !format || !out)
        return io_fail(err, TRU_BAD_ARGUMENT, "tru_export needs a folder, a format and a folder");
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(formats[i].name, format) == 0) f = &formats[i];
    if (!f) return io_fail(err, TRU_UNKNOWN_NAME, "there is no format '%s': vtp, csv, glb, xyz", format);
    const h5_quiet quiet = h5_silence();
    tru_status s = reader_open(dir, &job.r, err);
    if (s >= 0) s = write_format(&job, f, err);
    reader_close(&job.r);
    h5_restore(quiet);
    if (files) *files = job.files;
    return s;
}
