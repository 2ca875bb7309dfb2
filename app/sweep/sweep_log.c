/* sweep_log.c: the log of a sweep, one line per finished cell, so that a killed sweep can continue; and its tables. */
#include "sweep_log.h"

#include "sweep.h"

#include "cli/app.h"
#include "sweep_axis.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIXED = 7 }; /* numbers of a line before the probes */

/* Returns the head of a log: everything that determines a result. Cells of an older log count only if its head is equal. */
static char *header(const sweep *s) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out) return need_text("%s", "");
    fprintf(out, "trundle sweep 1\nprogram %s\nscene %016llx stepper %s until %.17g\n", tru_version(),
            (unsigned long long)tru_scene_hash(s->scene), s->stepper ? s->stepper : "-", s->until);
    for (size_t k = 0; k < s->axis_count; k++) {
        const sweep_axis *a = &s->axes[k];
        fprintf(out, "axis %s %.17g %.17g %zu %s", a->path, a->from, a->to, a->count, a->unit);
        for (size_t i = 0; a->words && i < a->count; i++) fprintf(out, " '%s'", a->words[i]);
        fputc('\n', out);
    }
    if (s->bisects) {
        const sweep_bisect *b = &s->bisect;
        fprintf(out, "bisect %s %.17g %.17g %.17g %s on %s%s%.17g\n", b->axis.path, b->axis.from, b->axis.to,
                b->tolerance, b->axis.unit, b->word ? b->word : b->probe, b->below ? "<" : ">", b->limit);
    }
    fputs("columns cell class runs steps seconds stepping time border", out);
    for (size_t k = 0; k < s->probe_count; k++) fprintf(out, " %s", s->probes[k]);
    fputc('\n', out);
    fclose(out);
    return text;
}

static int row_text(const sweep *s, size_t cell, const sweep_result *r, char *out, size_t room) {
    int n = snprintf(out, room, "%zu %d %d %.17g %.6g %.6g %.17g %.17g", cell, r->class, r->runs, r->steps, r->seconds,
                     r->stepping, r->time, r->border);
    for (size_t k = 0; k < s->probe_count && (size_t)n < room; k++)
        n += snprintf(out + n, room - (size_t)n, " %.17g", r->values[k]);
    char reason[sizeof r->text];
    memcpy(reason, r->text, sizeof reason);
    for (char *c = reason; *c; c++)
        if (*c == '\n') *c = ' ';
    if ((size_t)n < room) n += snprintf(out + n, room - (size_t)n, "%s%s\n", *reason ? " # " : "", reason);
    return n;
}

/* Reads a line of the log. Returns false if it is incomplete or not a row. */
static bool read_row(const sweep *s, char *line, sweep_result *results) {
    char *at = line, *end;
    const unsigned long long cell = strtoull(at, &end, 10);
    if (end == at || cell >= s->cells) return false;
    sweep_result r = {.done = 1};
    double numbers[FIXED + SWEEP_COLUMNS];
    for (size_t k = 0; k < FIXED + s->probe_count; k++) {
        at = end;
        numbers[k] = strtod(at, &end);
        if (end == at) return false;
    }
    r.class = (int32_t)numbers[0];
    r.runs = (int32_t)numbers[1];
    r.steps = numbers[2];
    r.seconds = numbers[3];
    r.stepping = numbers[4];
    r.time = numbers[5];
    r.border = numbers[6];
    memcpy(r.values, numbers + FIXED, s->probe_count * sizeof(double));
    if (strncmp(end, " # ", 3) == 0) snprintf(r.text, sizeof r.text, "%.199s", end + 3);
    if (r.class < 0 || r.class >= CLASSES) return false;
    results[cell] = r;
    return true;
}

static char *read_whole(int file, size_t *length) {
    struct stat info;
    *length = fstat(file, &info) == 0 && info.st_size > 0 ? (size_t)info.st_size : 0;
    char *text = need(*length + 1, 1);
    size_t got = 0;
    while (got < *length) {
        ssize_t n = read(file, text + got, *length - got);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        got += (size_t)n;
    }
    text[ *length = got] = '\0';
    return text;
}

/* Reads the cells of the log. Returns the number of bytes of complete lines. */
static size_t read_rows(const sweep *s, char *text, size_t from, sweep_result *results, size_t *found) {
    size_t at = from;
    for (char *end; (end = strchr(text + at, '\n')); at = (size_t)(end - text) + 1) {
        *end = '\0';
        read_row(s, text + at, results);
    }
    *found = 0;
    for (size_t k = 0; k < s->cells; k++) *found += results[k].done != 0;
    return at;
}

int sweep_file_failed(const char *path) {
    say(stderr, "trundle: cannot write %s: %s\n", path, strerror(errno));
    return EXIT_SYSTEM;
}

/* Locks the log for this process: workers that outlive it do not hold the lock. Where the file system has no locks, continues without one. */
static int lock_log(int file, const char *dir) {
    const struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(file, F_SETLK, &all) == 0 || (errno != EACCES && errno != EAGAIN)) return EXIT_GOOD;
    say(stderr, "trundle sweep: %s: another sweep is writing its results there\n", dir);
    return EXIT_INPUT;
}

/* A table without the log it was made from cannot be continued, and is not replaced. */
static int refuse_tables(const char *dir) {
    static const char *const names[] = {"sweep.csv", "sweep.h5"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char *path = need_text("%s/%s", dir, names[k]);
        const bool found = access(path, F_OK) == 0;
        free(path);
        if (!found) continue;
        say(stderr, "trundle sweep: %s holds %s of a sweep without its log; give another --out or remove it\n", dir,
            names[k]);
        return EXIT_INPUT;
    }
    return EXIT_GOOD;
}

int sweep_log_open(sweep_log *log, const sweep *s, const char *dir, sweep_result *results, size_t *found) {
    char *path = need_text("%s/sweep.log", dir), *head = header(s);
    const size_t head_length = strlen(head);
    size_t length, keep = 0;
    int code = EXIT_GOOD;
    *found = 0;
    if (access(path, F_OK) != 0) code = refuse_tables(dir);
    if (code == EXIT_GOOD && mkdir(dir, 0777) != 0 && errno != EEXIST) code = sweep_file_failed(dir);
    log->file = code == EXIT_GOOD ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (code == EXIT_GOOD && log->file < 0) code = sweep_file_failed(path);
    if (code == EXIT_GOOD) code = lock_log(log->file, dir);
    if (code == EXIT_GOOD) {
        char *text = read_whole(log->file, &length);
        if (length >= head_length && strncmp(text, head, head_length) == 0) {
            keep = read_rows(s, text, head_length, results, found);
        } else if (length > 0 && strncmp(head, text, length) != 0) { /* not even an incomplete first line of ours */
            say(stderr, "trundle sweep: %s holds another sweep; give another --out or remove it\n", dir);
            code = EXIT_INPUT;
        }
        free(text);
    }
    if (code == EXIT_GOOD) {
        const bool fresh = keep == 0;
        if (ftruncate(log->file, (off_t)keep) != 0 || lseek(log->file, 0, SEEK_END) < 0 ||
            (fresh && write(log->file, head, head_length) != (ssize_t)head_length))
            code = sweep_file_failed(path);
    }
    log->synced = now();
    free(head);
    free(path);
    return code;
}

bool sweep_log_add(sweep_log *log, const sweep *s, size_t cell, const sweep_result *result) {
    char row[400 + 26 * SWEEP_COLUMNS];
    if (log->file < 0) return true;
    const int length = row_text(s, cell, result, row, sizeof row);
    if (write(log->file, row, (size_t)length) != length) {
        say(stderr, "trundle: cannot write the log of the sweep: %s\n", strerror(errno));
        return false;
    }
    /* A killed process loses nothing that was written; a power cut loses at most a second. */
    if (now() - log->synced >= 1.0) {
        fdatasync(log->file);
        log->synced = now();
    }
    return true;
}

void sweep_log_close(sweep_log *log) {
    if (log->file < 0) return;
    fdatasync(log->file);
    close(log->file);
    log->file = -1;
}

/* ---- tables ---- */

void sweep_put_head(const sweep *s, size_t axis, FILE *out) {
    const sweep_axis *a = &s->axes[axis];
    fprintf(out, "%s%s%s%s,", a->path, *a->unit ? " [" : "", a->unit, *a->unit ? "]" : "");
}

int sweep_write_csv(const sweep *s, const sweep_result *results, const char *path) {
    FILE *out = fopen(path, "w");
    char value[200];
    if (!out) return sweep_file_failed(path);
    for (size_t k = 0; k < s->axis_count; k++) sweep_put_head(s, k, out);
    if (s->bisects) fprintf(out, "%s [%s],", s->bisect.axis.path, s->bisect.axis.unit);
    fputs("class,runs,time [s]", out);
    for (size_t k = 0; k < s->probe_count; k++)
        fprintf(out, ",%s [%s]", s->probes[k], tru_unit_describe(s->units[k]).symbol);
    fputc('\n', out);
    for (size_t cell = 0; cell < s->cells; cell++) {
        const sweep_result *r = &results[cell];
        for (size_t k = 0; k < s->axis_count; k++) {
            const sweep_axis *a = &s->axes[k];
            snprintf(value, sizeof value, "%.17g", sweep_value(a, sweep_index(s, cell, k)));
            fprintf(out, "%s,", a->words ? a->words[sweep_index(s, cell, k)] : value);
        }
        if (s->bisects) fprintf(out, "%.17g,", r->border);
        fprintf(out, "%s,%d,%.17g", sweep_class_name(r->class), r->runs, r->time);
        for (size_t k = 0; k < s->probe_count; k++) fprintf(out, ",%.17g", r->values[k]);
        fputc('\n', out);
    }
    const bool good = !ferror(out);
    return fclose(out) == 0 && good ? EXIT_GOOD : sweep_file_failed(path);
}

/* "failed|rest|...", as a column's words are written. */
static void class_words(char *out, size_t room) {
    for (int k = 0, used = 0; k < CLASSES; k++)
        used += snprintf(out + used, room - (size_t)used, "%s%s", k > 0 ? "|" : "", sweep_class_name(k));
}

int sweep_write_h5(const sweep *s, const sweep_result *results, const char *path) {
    char words[200] = "";
    class_words(words, sizeof words);
    const size_t count = s->axis_count + 4 + s->probe_count, n = s->cells;
    tru_column *columns = need(count, sizeof *columns);
    double *values = need(count * n, sizeof *values);
    tru_error err;
    size_t c = 0;
    for (size_t k = 0; k < s->axis_count; k++)
        columns[c++] = (tru_column){s->axes[k].path, s->axes[k].unit, NULL, NULL};
    columns[c++] = (tru_column){"class", "-", words, NULL};
    columns[c++] = (tru_column){"runs", "-", NULL, NULL};
    columns[c++] = (tru_column){"end_time", "s", NULL, NULL};
    columns[c++] =
        (tru_column){s->bisects ? s->bisect.axis.path : "border", s->bisects ? s->bisect.axis.unit : "-", NULL, NULL};
    for (size_t k = 0; k < s->probe_count; k++)
        columns[c++] = (tru_column){s->probes[k], tru_unit_describe(s->units[k]).symbol, NULL, NULL};
    for (size_t cell = 0; cell < n; cell++) {
        const sweep_result *r = &results[cell];
        const double fixed[] = {(double)r->class, (double)r->runs, r->time, r->border};
        for (size_t k = 0; k < s->axis_count; k++)
            values[k * n + cell] = sweep_value(&s->axes[k], sweep_index(s, cell, k));
        for (size_t k = 0; k < 4; k++) values[(s->axis_count + k) * n + cell] = fixed[k];
        for (size_t k = 0; k < s->probe_count; k++) values[(s->axis_count + 4 + k) * n + cell] = r->values[k];
    }
    for (size_t k = 0; k < count; k++) columns[k].values = values + k * n;
    const tru_status status = tru_table_write(path, tru_scene_text(s->scene), columns, count, n, &err);
    free(values);
    free(columns);
    return status < 0 ? complain(&err) : EXIT_GOOD;
}
