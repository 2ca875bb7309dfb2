/* sweep_against.c: how far a sweep's cells are from a table of published or earlier values. */
#include "sweep_against.h"

#include "cli/app.h"
#include "sweep.h"
#include "sweep_axis.h"
#include "sweep_map.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = SWEEP_AXES + SWEEP_COLUMNS + 8 };

/* ---- the file: a line of headings "name" or "name [unit]", then numbers, as in sweep.csv */

static int refuse(const sweep_table *t, const char *why, const char *what) {
    say(stderr, "trundle sweep: %s %s%s%s%s\n", t->path, why, what ? " '" : "", what ? what : "", what ? "'" : "");
    return EXIT_INPUT;
}

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
static int choose_columns(sweep_table *t, const sweep *s, char *const *cell, size_t n) {
    for (size_t k = 0; k < s->axis_count; k++) {
        t->axis[k] = find_heading(cell, n, s->axes[k].path, s->axes[k].unit);
        if (t->axis[k] == n) return refuse(t, "does not have a column for the varied path", s->axes[k].path);
    }
    t->probe = -1;
    t->value = s->bisects ? find_heading(cell, n, s->bisect.axis.path, s->bisect.axis.unit) : n;
    for (size_t k = 0; t->value == n && k < s->probe_count; k++) {
        t->value = find_heading(cell, n, s->probes[k], tru_unit_describe(s->units[k]).symbol);
        t->probe = (int)k;
    }
    return t->value < n ? EXIT_GOOD : refuse(t, "does not have a column for a border or probe of this sweep", NULL);
}

static bool number(const char *text, double *out) {
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out);
}

static int read_rows(sweep_table *t, const sweep *s, FILE *in) {
    char *line = NULL, *cell[MOST];
    size_t room = 0, space = 0;
    int code = EXIT_GOOD;
    while (code == EXIT_GOOD && getline(&line, &room, in) > 0) {
        const size_t n = split(line, cell);
        if (n == 1 && !*cell[0]) continue;
        if (t->rows == space) t->row = need_more(t->row, space = 2 * space + 64, sizeof *t->row);
        double *row = t->row[t->rows++];
        bool good = t->value < n && number(cell[t->value], &row[SWEEP_AXES]);
        for (size_t k = 0; k < s->axis_count; k++) good = good && t->axis[k] < n && number(cell[t->axis[k]], &row[k]);
        if (!good) code = refuse(t, "has a row with entries that are not numbers, which begins with", cell[0]);
    }
    free(line);
    return code;
}

int sweep_table_read(const char *path, const sweep *s, sweep_table *out) {
    char *line = NULL, *cell[MOST];
    size_t room = 0;
    *out = (sweep_table){.path = path};
    if (!sweep_is_numbers(s)) return refuse(out, "can be compared only with grids of numbers", NULL);
    FILE *in = fopen(path, "r");
    if (!in) {
        say(stderr, "trundle sweep: cannot read %s: %s\n", path, strerror(errno));
        return EXIT_SYSTEM;
    }
    const size_t n = getline(&line, &room, in) > 0 ? split(line, cell) : 0;
    int code = n > 0 ? choose_columns(out, s, cell, n) : refuse(out, "is empty", NULL);
    if (code == EXIT_GOOD) code = read_rows(out, s, in);
    free(line);
    fclose(in);
    return code;
}

void sweep_table_free(sweep_table *t) { free(t->row); }

/* ---- the comparison */

static bool near(double a, double b) { return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)); }

/* Returns the row of a cell; NULL if the table does not have it. */
static const double *row_of(const sweep_table *t, const sweep *s, size_t cell) {
    for (size_t i = 0; i < t->rows; i++) {
        size_t k = 0;
        while (k < s->axis_count && near(t->row[i][k], sweep_value(&s->axes[k], sweep_index(s, cell, k)))) k++;
        if (k == s->axis_count) return t->row[i];
    }
    return NULL;
}

sweep_match sweep_compare(const sweep_table *t, const sweep *s, const sweep_result *results) {
    sweep_match m = {0};
    double sum = 0.0;
    for (size_t cell = 0; cell < s->cells; cell++) {
        const double *row = row_of(t, s, cell);
        const double ours = t->probe < 0 ? results[cell].border : results[cell].values[t->probe];
        if (!row || !(fabs(row[SWEEP_AXES]) > 0.0) || !isfinite(ours)) continue;
        const double off = ours / row[SWEEP_AXES] - 1.0;
        sum += off * off;
        m.cells++;
        if (fabs(off) < fabs(m.most)) continue;
        m.most = off;
        m.worst = cell;
    }
    if (m.cells > 0) m.rms = sqrt(sum / (double)m.cells);
    return m;
}
