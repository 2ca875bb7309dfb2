/* sweep_against.c: how far a sweep's cells are from a table of published or earlier values. */
#define _DEFAULT_SOURCE
#include "common/fail.h"
#include "common/grow.h"
#include "sweep_state.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = TRU_SWEEP_AXES + TRU_SWEEP_PROBES + 8 };

/* ---- the file: a line of headings "name" or "name [unit]", then numbers, as in sweep.csv */

/* Splits a line into cells, at most MOST, within its own memory. */
static size_t split(char *line, char *cell[MOST]) {
    size_t n = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *at = line; at && n < MOST; n++) {
        cell[n] = at;
        at = strchr(at, ',');
        if (at) *at++ = '\0';
    }
    return n;
}

/* Returns true if a heading is this name in this unit. */
static bool is_heading(const char *heading, const char *name, const char *unit) {
    const size_t n = strlen(name), m = strlen(unit);
    if (strncmp(heading, name, n) != 0) return false;
    heading += n;
    if (*heading == '\0' || strcmp(heading, " []") == 0) return m == 0 || strcmp(unit, "-") == 0;
    return strncmp(heading, " [", 2) == 0 && strncmp(heading + 2, unit, m) == 0 && strcmp(heading + 2 + m, "]") == 0;
}

static size_t find_heading(char *const *cell, size_t n, const char *name, const char *unit) {
    size_t k = 0;
    while (k < n && !is_heading(cell[k], name, unit)) k++;
    return k;
}

/* Which columns are the sweep's axes and the value to compare: the border of a bisection, else its first probe that is there. */
static tru_status choose_columns(sweep_table *t, const tru_sweep *s, const char *path, char *const *cell, size_t n,
                                 tru_error *err) {
    const tru_sweep_info *info = &s->info;
    for (size_t k = 0; k < info->axis_count; k++) {
        t->axis[k] = find_heading(cell, n, s->axes[k].path, s->axes[k].unit);
        if (t->axis[k] == n)
            return trio_fail(err, TRU_BAD_ARGUMENT, "%s does not have a column for the varied path '%s'", path,
                             s->axes[k].path);
    }
    t->probe = -1;
    t->value = info->bisects ? find_heading(cell, n, info->bisect.path, info->bisect.unit) : n;
    for (size_t k = 0; t->value == n && k < info->probe_count; k++) {
        t->value = find_heading(cell, n, s->probes[k], tru_unit_describe(s->units[k]).symbol);
        t->probe = (int)k;
    }
    if (t->value < n) return TRU_OK;
    return trio_fail(err, TRU_BAD_ARGUMENT, "%s does not have a column for a border or probe of this sweep", path);
}

static bool number(const char *text, double *out) {
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out);
}

static tru_status read_row(sweep_table *t, const tru_sweep *s, const char *path, char *line, tru_error *err) {
    char *cell[MOST];
    const size_t n = split(line, cell);
    if (n == 1 && !*cell[0]) return TRU_OK;
    if (!GROW(t->row, t->room, t->rows + 1)) return trio_no_memory(err);
    double *row = t->row[t->rows++];
    bool good = t->value < n && number(cell[t->value], &row[TRU_SWEEP_AXES]);
    for (size_t k = 0; k < s->info.axis_count; k++) good = good && t->axis[k] < n && number(cell[t->axis[k]], &row[k]);
    if (good) return TRU_OK;
    return trio_fail(err, TRU_BAD_ARGUMENT, "%s has a row with entries that are not numbers, which begins with '%s'",
                     path, cell[0]);
}

static tru_status read_table(sweep_table *t, const tru_sweep *s, const char *path, FILE *in, tru_error *err) {
    char *line = NULL, *cell[MOST];
    size_t room = 0;
    const size_t n = getline(&line, &room, in) > 0 ? split(line, cell) : 0;
    tru_status status =
        n > 0 ? choose_columns(t, s, path, cell, n, err) : trio_fail(err, TRU_BAD_ARGUMENT, "%s is empty", path);
    while (status >= 0 && getline(&line, &room, in) > 0) status = read_row(t, s, path, line, err);
    free(line);
    return status;
}

tru_status tru_sweep_against(tru_sweep *s, const char *path, tru_error *err) {
    sweep_table table = {0};
    char what[300];
    if (!s || !path) return trio_fail(err, TRU_BAD_ARGUMENT, "sweep and path must not be NULL");
    if (!s->info.numbers)
        return trio_fail(err, TRU_BAD_ARGUMENT, "%s can be compared only with grids of numbers", path);
    FILE *in = fopen(path, "r");
    snprintf(what, sizeof what, "cannot read %s", path);
    if (!in) return trio_fail_call(err, TRU_FILE, what, errno);
    const tru_status status = read_table(&table, s, path, in, err);
    fclose(in);
    if (status < 0) {
        free(table.row);
        return status;
    }
    free(s->table.row);
    s->table = table;
    s->against = true;
    return status;
}

/* ---- the comparison */

static bool near(double a, double b) { return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)); }

/* Returns the row of a cell; NULL if the table does not have it. */
static const double *row_of(const sweep_table *t, const tru_sweep *s, size_t cell) {
    for (size_t i = 0; i < t->rows; i++) {
        size_t k = 0;
        while (k < s->info.axis_count &&
               near(t->row[i][k], tru_sweep_value(&s->axes[k], tru_sweep_index(&s->info, cell, k))))
            k++;
        if (k == s->info.axis_count) return t->row[i];
    }
    return NULL;
}

tru_status tru_sweep_match_of(const tru_sweep *s, tru_sweep_match *out, tru_error *err) {
    if (!s || !out) return trio_fail(err, TRU_BAD_ARGUMENT, "sweep and out must not be NULL");
    if (!s->against) return trio_fail(err, TRU_BAD_ARGUMENT, "the sweep has no table to compare with");
    const sweep_table *t = &s->table;
    tru_sweep_match m = {.column = t->probe < 0 ? s->info.bisect.path : s->probes[t->probe]};
    double sum = 0.0;
    for (size_t cell = 0; cell < s->info.cells; cell++) {
        const double *row = s->cells[cell].done ? row_of(t, s, cell) : NULL;
        const double ours = t->probe < 0 ? s->cells[cell].border : s->cells[cell].values[t->probe];
        if (!row || !(fabs(row[TRU_SWEEP_AXES]) > 0.0) || !isfinite(ours)) continue;
        const double off = ours / row[TRU_SWEEP_AXES] - 1.0;
        sum += off * off;
        m.cells++;
        if (fabs(off) < fabs(m.most)) continue;
        m.most = off;
        m.worst = cell;
    }
    if (m.cells > 0) m.rms = sqrt(sum / (double)m.cells);
    *out = m;
    return TRU_OK;
}
