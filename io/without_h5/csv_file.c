/* csv_file.c: a CSV file of a run that is written again and again: lines of earlier runs, then those of a recording. */
#include "csv_file.h"

#include "common/fail.h"
#include "common/file.h"
#include "common/grow.h"
#include "snapshot/snapshot.h"

#include <stdio.h>

bool trio_csv_name(csv_file *f, const char *dir, const char *part, const char *name) {
    *f = (csv_file){.path = trio_file_join(dir, name), .part = trio_file_join(part, name), .kept = copy_text("")};
    return f->path && f->part && f->kept;
}

void trio_csv_release(csv_file *f) {
    free(f->path);
    free(f->part);
    free(f->kept);
    *f = (csv_file){0};
}

/* Returns the end of `lines` lines; NULL if there are fewer. A line break inside quotes does not end a line. */
static const char *after_lines(const char *text, uint64_t lines) {
    bool quoted = false;
    for (; lines > 0; text++) {
        if (*text == '\0') return NULL;
        if (*text == '"') quoted = !quoted;
        if (*text == '\n' && !quoted) lines--;
    }
    return text;
}

static uint64_t count_lines(const char *text) {
    uint64_t lines = 0;
    while ((text = after_lines(text, 1))) lines++;
    return lines;
}

tru_status trio_csv_keep(csv_file *f, uint64_t rows, uint64_t sum, tru_error *err) {
    unsigned char *bytes = NULL;
    size_t count = 0;
    const tru_status s = trio_file_read(f->path, &bytes, &count, err);
    if (s < 0) return s;
    char *text = (char *)bytes;
    const char *end = after_lines(text, rows + 1);
    if (!end || trio_snapshot_hash(bytes, (size_t)(end - text)) != sum) {
        const tru_status failed =
            end ? trio_fail(err, TRU_DAMAGED, "%s: is damaged: it does not match its checksum", f->path)
                : trio_fail(err, TRU_DAMAGED,
                            "%s: is damaged: it does not have the %llu rows that the snapshot refers to", f->path,
                            (unsigned long long)rows);
        free(text);
        return failed;
    }
    text[end - text] = '\0';
    free(f->kept);
    f->kept = text;
    f->kept_rows = rows;
    return TRU_OK;
}

tru_status trio_csv_replace(csv_file *f, bool durable, tru_error *err) {
    unsigned char *bytes = NULL;
    size_t count = 0;
    tru_status s = trio_file_read(f->part, &bytes, &count, err);
    if (s < 0) return s;
    const char *more = *f->kept ? after_lines((char *)bytes, 1) : (char *)bytes;
    const size_t before = strlen(f->kept), all = before + (more ? strlen(more) : 0);
    char *text = malloc(all + 1);
    s = text && more ? TRU_OK : trio_no_memory(err);
    if (s >= 0) {
        memcpy(text, f->kept, before);
        memcpy(text + before, more, all - before + 1);
        f->rows = count_lines(text) - 1;
        f->sum = trio_snapshot_hash((unsigned char *)text, all);
        s = trio_file_replace(f->path, text, all, durable, err);
    }
    remove(f->part);
    free(text);
    free(bytes);
    return s;
}
