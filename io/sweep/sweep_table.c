/* sweep_table.c: tables of a sweep, as CSV or by tru_table_write. */
#include "sweep_table.h"

#include "common/fail.h"
#include "sweep_log.h"

#include <stdlib.h>
#include <string.h>

static bool ends_in(const char *path, const char *ending) {
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

tru_status trio_sweep_write_as(const tru_sweep *s, const char *path,
                               tru_status (*csv)(const tru_sweep *s, const char *path, tru_error *err),
                               tru_status (*h5)(const tru_sweep *s, const char *path, tru_error *err), tru_error *err) {
    if (!s || !path) return trio_fail(err, TRU_BAD_ARGUMENT, "sweep and path must not be NULL");
    if (ends_in(path, ".csv")) return csv(s, path, err);
    if (ends_in(path, ".h5")) return h5(s, path, err);
    return trio_fail(err, TRU_UNKNOWN_NAME, "table '%s': its ending must be .csv or .h5", path);
}

/* ---- CSV ---- */

void trio_sweep_put_head(const tru_sweep_axis *a, FILE *out) {
    fprintf(out, "%s%s%s%s,", a->path, *a->unit ? " [" : "", a->unit, *a->unit ? "]" : "");
}

void trio_sweep_put_value(const tru_sweep_axis *a, size_t k, FILE *out) {
    if (a->words)
        fprintf(out, "%s,", a->words[k]);
    else
        fprintf(out, "%.17g,", tru_sweep_value(a, k));
}

tru_status trio_sweep_close_csv(FILE *out, const char *path, tru_error *err) {
    const bool good = !ferror(out);
    return fclose(out) == 0 && good ? TRU_OK : trio_sweep_file_failed(path, err);
}

static void put_row(const tru_sweep *s, size_t cell, FILE *out) {
    const tru_sweep_cell *r = &s->cells[cell];
    for (size_t k = 0; k < s->info.axis_count; k++)
        trio_sweep_put_value(&s->axes[k], tru_sweep_index(&s->info, cell, k), out);
    if (s->info.bisects) fprintf(out, "%.17g,", r->border);
    fprintf(out, "%s,%d,%.17g", tru_class_name(r->which), r->runs, r->time);
    for (size_t k = 0; k < s->info.probe_count; k++) fprintf(out, ",%.17g", r->values[k]);
    fputc('\n', out);
}

static tru_status write_csv(const tru_sweep *s, const char *path, tru_error *err) {
    FILE *out = fopen(path, "w");
    if (!out) return trio_sweep_file_failed(path, err);
    for (size_t k = 0; k < s->info.axis_count; k++) trio_sweep_put_head(&s->axes[k], out);
    if (s->info.bisects) fprintf(out, "%s [%s],", s->info.bisect.path, s->info.bisect.unit);
    fputs("class,runs,time [s]", out);
    for (size_t k = 0; k < s->info.probe_count; k++)
        fprintf(out, ",%s [%s]", s->probes[k], tru_unit_describe(s->units[k]).symbol);
    fputc('\n', out);
    for (size_t cell = 0; cell < s->info.cells; cell++)
        if (s->cells[cell].done) put_row(s, cell, out);
    return trio_sweep_close_csv(out, path, err);
}

/* ---- HDF5 ---- */

enum { FIXED = 4 }; /* columns between axes and probes */

/* "failed|rest|...", as a column's words are written. */
static void class_words(char *out, size_t room) {
    for (int k = 0, used = 0; k < TRU_CLASSES; k++)
        used += snprintf(out + used, room - (size_t)used, "%s%s", k > 0 ? "|" : "", tru_class_name(k));
}

static size_t name_columns(const tru_sweep *s, const char *words, tru_column *columns) {
    const tru_sweep_info *info = &s->info;
    size_t c = 0;
    for (size_t k = 0; k < info->axis_count; k++)
        columns[c++] = (tru_column){s->axes[k].path, s->axes[k].unit, NULL, NULL};
    columns[c++] = (tru_column){"class", "-", words, NULL};
    columns[c++] = (tru_column){"runs", "-", NULL, NULL};
    columns[c++] = (tru_column){"end_time", "s", NULL, NULL};
    columns[c++] =
        (tru_column){info->bisects ? info->bisect.path : "border", info->bisects ? info->bisect.unit : "-", NULL, NULL};
    for (size_t k = 0; k < info->probe_count; k++)
        columns[c++] = (tru_column){s->probes[k], tru_unit_describe(s->units[k]).symbol, NULL, NULL};
    return c;
}

/* Writes the row of a cell into columns of `rows` values. */
static void fill_row(const tru_sweep *s, size_t cell, double *values, size_t row, size_t rows) {
    const tru_sweep_cell *r = &s->cells[cell];
    const double fixed[FIXED] = {(double)r->which, (double)r->runs, r->time, r->border};
    size_t c = 0;
    for (size_t k = 0; k < s->info.axis_count; k++)
        values[c++ * rows + row] = tru_sweep_value(&s->axes[k], tru_sweep_index(&s->info, cell, k));
    for (size_t k = 0; k < FIXED; k++) values[c++ * rows + row] = fixed[k];
    for (size_t k = 0; k < s->info.probe_count; k++) values[c++ * rows + row] = r->values[k];
}

static tru_status write_h5(const tru_sweep *s, const char *path, tru_error *err) {
    char words[200] = "";
    class_words(words, sizeof words);
    const char *about = tru_scene_text(s->scene);
    tru_column columns[TRU_SWEEP_AXES + FIXED + TRU_SWEEP_PROBES];
    const size_t count = name_columns(s, words, columns), n = s->done;
    double *values = calloc(count * n + 1, sizeof *values);
    size_t row = 0;
    for (size_t cell = 0; values && cell < s->info.cells; cell++)
        if (s->cells[cell].done) fill_row(s, cell, values, row++, n);
    for (size_t k = 0; values && k < count; k++) columns[k].values = values + k * n;
    const tru_status status =
        values && about ? tru_table_write(path, about, columns, count, n, err) : trio_no_memory(err);
    free(values);
    return status;
}

tru_status tru_sweep_write(const tru_sweep *s, const char *path, tru_error *err) {
    return trio_sweep_write_as(s, path, write_csv, write_h5, err);
}
