/* sweep_log.c: the log of a sweep, one line per finished cell, so that a killed sweep can continue. */
#define _DEFAULT_SOURCE
#include "sweep_log.h"

#include "common/fail.h"
#include "common/file.h"
#include "jobs/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIXED = 7 }; /* numbers of a line before the probes */

/* Returns the head of a log: everything that determines a result. Cells of an older log count only if its head is equal. */
static char *header(const tru_sweep *s) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out) return NULL;
    fprintf(out, "trundle sweep 1\nprogram %s\nscene %016llx stepper %s until %.17g\n", tru_version(),
            (unsigned long long)tru_scene_hash(s->scene), s->stepper ? s->stepper : "-", s->until);
    for (size_t k = 0; k < s->info.axis_count; k++) {
        const tru_sweep_axis *a = &s->axes[k];
        fprintf(out, "axis %s %.17g %.17g %zu %s", a->path, a->from, a->to, a->count, a->unit);
        for (size_t i = 0; a->words && i < a->count; i++) fprintf(out, " '%s'", a->words[i]);
        fputc('\n', out);
    }
    if (s->info.bisects) {
        const sweep_bisect *b = &s->bisect;
        fprintf(out, "bisect %s %.17g %.17g %.17g %s on %s%s%.17g\n", s->info.bisect.path, s->info.bisect.from,
                s->info.bisect.to, b->tolerance, s->info.bisect.unit, b->word ? b->word : b->probe,
                b->below ? "<" : ">", b->limit);
    }
    fputs("columns cell class runs steps seconds stepping time border", out);
    for (size_t k = 0; k < s->info.probe_count; k++) fprintf(out, " %s", s->probes[k]);
    fputc('\n', out);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

static int row_text(const tru_sweep *s, size_t cell, const tru_sweep_cell *r, char *out, size_t room) {
    int n = snprintf(out, room, "%zu %d %d %.17g %.6g %.6g %.17g %.17g", cell, r->which, r->runs, r->steps, r->seconds,
                     r->stepping, r->time, r->border);
    for (size_t k = 0; k < s->info.probe_count && (size_t)n < room; k++)
        n += snprintf(out + n, room - (size_t)n, " %.17g", r->values[k]);
    char reason[sizeof r->text];
    memcpy(reason, r->text, sizeof reason);
    for (char *c = reason; *c; c++)
        if (*c == '\n') *c = ' ';
    if ((size_t)n < room) n += snprintf(out + n, room - (size_t)n, "%s%s\n", *reason ? " # " : "", reason);
    return n;
}

/* Reads a line of the log. Returns false if it is incomplete or not a row. */
static bool read_row(const tru_sweep *s, char *line, tru_sweep_cell *results) {
    char *at = line, *end;
    const unsigned long long cell = strtoull(at, &end, 10);
    if (end == at || cell >= s->info.cells) return false;
    tru_sweep_cell r = {.done = 1};
    double numbers[FIXED + TRU_SWEEP_PROBES];
    for (size_t k = 0; k < FIXED + s->info.probe_count; k++) {
        at = end;
        numbers[k] = strtod(at, &end);
        if (end == at) return false;
    }
    r.which = (int32_t)numbers[0];
    r.runs = (int32_t)numbers[1];
    r.steps = numbers[2];
    r.seconds = numbers[3];
    r.stepping = numbers[4];
    r.time = numbers[5];
    r.border = numbers[6];
    memcpy(r.values, numbers + FIXED, s->info.probe_count * sizeof(double));
    if (strncmp(end, " # ", 3) == 0) snprintf(r.text, sizeof r.text, "%.199s", end + 3);
    if (r.which < 0 || r.which >= TRU_CLASSES) return false;
    r.status = r.which == TRU_CLASS_FAILED ? TRU_NO_SOLUTION : TRU_OK;
    results[cell] = r;
    return true;
}

static char *read_whole(int file, size_t *length) {
    struct stat info;
    *length = fstat(file, &info) == 0 && info.st_size > 0 ? (size_t)info.st_size : 0;
    char *text = malloc(*length + 1);
    size_t got = 0;
    while (text && got < *length) {
        ssize_t n = read(file, text + got, *length - got);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        got += (size_t)n;
    }
    if (text) text[ *length = got] = '\0';
    return text;
}

/* Reads the cells of the log. Returns the number of bytes of complete lines. */
static size_t read_rows(tru_sweep *s, char *text, size_t from) {
    size_t at = from;
    for (char *end; (end = strchr(text + at, '\n')); at = (size_t)(end - text) + 1) {
        *end = '\0';
        read_row(s, text + at, s->cells);
    }
    s->done = 0;
    for (size_t k = 0; k < s->info.cells; k++) s->done += s->cells[k].done != 0;
    return at;
}

tru_status trio_sweep_file_failed(const char *path, tru_error *err) {
    const int code = errno;
    char what[300];
    snprintf(what, sizeof what, "cannot write %s", path);
    return trio_fail_call(err, TRU_FILE, what, code);
}

/* Locks the log for this process: workers that outlive it do not hold the lock. Where the file system has no locks, continues without one. */
static tru_status lock_log(int file, const char *dir, tru_error *err) {
    const struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(file, F_SETLK, &all) == 0 || (errno != EACCES && errno != EAGAIN)) return TRU_OK;
    return trio_fail(err, TRU_CONFLICT, "%s: another sweep is writing its results there", dir);
}

/* A table without the log it was made from cannot be continued, and is not replaced. */
static tru_status refuse_tables(const char *dir, tru_error *err) {
    static const char *const names[] = {"sweep.csv", "sweep.h5"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char *path = trio_file_join(dir, names[k]);
        if (!path) return trio_no_memory(err);
        const bool found = trio_file_exists(path);
        free(path);
        if (found) return trio_fail(err, TRU_REFUSED, "%s holds %s of a sweep without its log", dir, names[k]);
    }
    return TRU_OK;
}

/* Opens the log or creates it with its folder, and locks it. */
static tru_status open_file(tru_sweep *s, const char *dir, const char *path, tru_error *err) {
    tru_status status = trio_file_exists(path) ? TRU_OK : refuse_tables(dir, err);
    if (status >= 0 && mkdir(dir, 0777) != 0 && errno != EEXIST) status = trio_sweep_file_failed(dir, err);
    if (status < 0) return status;
    s->log.file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    return s->log.file < 0 ? trio_sweep_file_failed(path, err) : lock_log(s->log.file, dir, err);
}

/* Reads what the log has. Writes the head of a new one, and cuts an incomplete line off an old one. */
static tru_status read_log(tru_sweep *s, const char *dir, const char *path, const char *head, tru_error *err) {
    const size_t head_length = strlen(head);
    size_t length, keep = 0;
    char *text = read_whole(s->log.file, &length);
    if (!text) return trio_no_memory(err);
    const bool ours = length >= head_length && strncmp(text, head, head_length) == 0;
    const bool begun = length < head_length && strncmp(head, text, length) == 0; /* an incomplete head of ours */
    if (ours) keep = read_rows(s, text, head_length);
    free(text);
    if (!ours && !begun) return trio_fail(err, TRU_REFUSED, "%s holds another sweep", dir);
    if (ftruncate(s->log.file, (off_t)keep) != 0 || lseek(s->log.file, 0, SEEK_END) < 0 ||
        (keep == 0 && write(s->log.file, head, head_length) != (ssize_t)head_length))
        return trio_sweep_file_failed(path, err);
    return TRU_OK;
}

tru_status tru_sweep_open(tru_sweep *s, const char *dir, tru_error *err) {
    if (!s || !dir) return trio_fail(err, TRU_BAD_ARGUMENT, "sweep and dir must not be NULL");
    if (s->log.file >= 0 || s->done > 0)
        return trio_fail(err, TRU_BAD_ARGUMENT, "the log of a sweep must be opened once, before it runs");
    char *path = trio_file_join(dir, "sweep.log"), *head = header(s);
    tru_status status = path && head ? open_file(s, dir, path, err) : trio_no_memory(err);
    if (status >= 0) status = read_log(s, dir, path, head, err);
    if (status < 0) {
        trio_sweep_log_close(&s->log);
        memset(s->cells, 0, s->info.cells * sizeof *s->cells);
        s->done = 0;
    }
    s->log.synced = trio_now();
    free(head);
    free(path);
    return status;
}

tru_status trio_sweep_log_add(tru_sweep *s, size_t cell, tru_error *err) {
    char row[400 + 26 * TRU_SWEEP_PROBES];
    sweep_log *log = &s->log;
    if (log->file < 0) return TRU_OK;
    const int length = row_text(s, cell, &s->cells[cell], row, sizeof row);
    if (write(log->file, row, (size_t)length) != length)
        return trio_fail_call(err, TRU_FILE, "cannot write the log of the sweep", errno);
    /* A killed process loses nothing that was written; a power cut loses at most a second. */
    if (trio_now() - log->synced >= 1.0) {
        fdatasync(log->file);
        log->synced = trio_now();
    }
    return TRU_OK;
}

void trio_sweep_log_close(sweep_log *log) {
    if (log->file < 0) return;
    fdatasync(log->file);
    close(log->file);
    log->file = -1;
}
