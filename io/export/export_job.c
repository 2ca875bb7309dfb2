/* export_job.c: reads frames and contacts of a run, opens and closes the files that exporters write. */
#include "export_job.h"

#include "common/fail.h"
#include "common/file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

tru_status trio_export_frame(export_job *job, uint64_t frame, tru_error *err) {
    const reader *r = &job->r;
    tru_status s = trio_reader_read(r, FRAME_TIME, frame, 1, 1, &job->time, err);
    if (s >= 0) s = trio_reader_read(r, FRAME_POSITION, frame, 1, 1, job->x, err);
    if (s >= 0) s = trio_reader_read(r, FRAME_ORIENTATION, frame, 1, 1, job->q, err);
    if (s >= 0) s = trio_reader_read(r, FRAME_VELOCITY, frame, 1, 1, job->v, err);
    if (s >= 0) s = trio_reader_read(r, FRAME_RATE, frame, 1, 1, job->w, err);
    return s;
}

tru_status trio_export_contacts(const export_job *job, uint64_t frame, contact_row **rows, uint64_t *count,
                                tru_error *err) {
    uint64_t start = 0;
    *rows = NULL;
    *count = 0;
    if (!job->r.contacts) return TRU_OK;
    tru_status s = trio_reader_read(&job->r, CONTACT_START, frame, 1, 1, &start, err);
    if (s >= 0) s = trio_reader_read(&job->r, CONTACT_COUNT, frame, 1, 1, count, err);
    if (s >= 0) s = trio_reader_take(&job->r, CONTACT_RECORD, start, 1, *count, rows, err);
    return s;
}

tru_status trio_export_open(export_job *job, const char *name, FILE **file, tru_error *err) {
    char *path = trio_file_join(job->out, name);
    tru_status s = TRU_OK;
    *file = path ? fopen(path, "wb") : NULL;
    if (!path)
        s = trio_no_memory(err);
    else if (!*file)
        s = trio_fail_file(err, path, "cannot be written", errno);
    job->files += *file != NULL;
    free(path);
    return s;
}

tru_status trio_export_close(export_job *job, FILE *file, const char *name, tru_status so_far, tru_error *err) {
    const bool bad = ferror(file) != 0;
    errno = 0;
    const bool whole = fclose(file) == 0 && !bad;
    const int code = errno;
    if (so_far >= 0 && whole) return so_far;
    char *path = trio_file_join(job->out, name);
    const tru_status s = so_far < 0 ? so_far : trio_fail_file(err, path ? path : name, "cannot be written", code);
    if (path && remove(path) == 0) job->files--;
    free(path);
    return s;
}

void trio_export_number(FILE *file, double x) {
    char text[64];
    if (!isfinite(x)) return;
    tru_unit_format(TRU_UNIT_ONE, x, text, sizeof text);
    fputs(text, file);
}

bool trio_export_there(const export_job *job, size_t body) { return isfinite(job->x[3 * body]); }
