/* sweep_seeds.c: mean and standard deviation of every probe over cells that differ only in their seed. */
#include "sweep_seeds.h"

#include "cli/app.h"
#include "sweep.h"
#include "sweep_axis.h"
#include "sweep_log.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_ROWS = 40 }; /* of the table in a terminal */

/* The seeds are the last axis, which varies slowest: cells of one group are `stride` apart. */
static size_t stride(const sweep *s) { return s->cells / (size_t)s->seeds; }

static sweep_mean mean_of(const sweep *s, const sweep_result *results, size_t group, size_t probe) {
    sweep_mean m = {.n = 0};
    double sum = 0.0, squares = 0.0;
    for (size_t cell = group; cell < s->cells; cell += stride(s)) {
        const double value = results[cell].values[probe];
        if (results[cell].class == CLASS_FAILED)
            m.failed++;
        else if (isnan(value))
            m.valueless++;
        else
            sum += value, m.n++;
    }
    m.mean = m.n > 0 ? sum / m.n : NAN;
    for (size_t cell = group; cell < s->cells; cell += stride(s)) {
        const double value = results[cell].values[probe];
        if (results[cell].class == CLASS_FAILED || isnan(value)) continue;
        squares += (value - m.mean) * (value - m.mean);
    }
    m.deviation = m.n > 1 ? sqrt(squares / (m.n - 1)) : NAN;
    return m;
}

/* "tilt = 20 deg, precision = double: " in front of a line; nothing where only seeds vary. */
static void tell_group(const sweep *s, size_t group) {
    for (size_t k = 0; k + 1 < s->axis_count; k++) {
        const sweep_axis *axis = &s->axes[k];
        const size_t at = sweep_index(s, group, k);
        say(stdout, "%s%s = ", k > 0 ? ", " : "", axis->path);
        if (axis->words)
            say(stdout, "%s", axis->words[at]);
        else
            say(stdout, "%.9g%s%s", sweep_value(axis, at), axis->unit[0] ? " " : "", axis->unit);
    }
    if (s->axis_count > 1) fputs(": ", stdout);
}

/* "heap.angle = 0.52 +- 0.01 rad (n = 4 of 5: 1 failed)" */
static void tell_mean(const sweep *s, size_t probe, const sweep_mean *m, const char *before) {
    const bool pure = s->units[probe] == TRU_UNIT_ONE;
    say(stdout, "%s%s ", before, s->probes[probe]);
    if (m->n == 0)
        fputs("has no value", stdout);
    else
        say(stdout, "= %.6g", m->mean);
    if (m->n > 1) say(stdout, " +- %.2g", m->deviation);
    if (m->n > 0 && !pure) say(stdout, " %s", tru_unit_describe(s->units[probe]).symbol);
    say(stdout, " (n = %d", m->n);
    if (m->n < s->seeds) say(stdout, " of %d:", s->seeds);
    if (m->failed > 0) say(stdout, " %d failed", m->failed);
    if (m->valueless > 0) say(stdout, "%s %d without a value", m->failed > 0 ? "," : "", m->valueless);
    putchar(')');
}

void sweep_tell_seeds(const sweep *s, const sweep_result *results) {
    if (s->seeds < 2) return;
    for (size_t group = 0; group < stride(s) && group < MOST_ROWS; group++) {
        say(stdout, "  %-11s", group == 0 ? "mean" : "");
        tell_group(s, group);
        for (size_t k = 0; k < s->probe_count; k++) {
            const sweep_mean m = mean_of(s, results, group, k);
            tell_mean(s, k, &m, k > 0 ? ", " : "");
        }
        putchar('\n');
    }
    if (stride(s) > MOST_ROWS) say(stdout, "  %-11sand %zu more; --json has all\n", "", stride(s) - MOST_ROWS);
}

void sweep_seeds_json(tru_json *json, const sweep *s, const sweep_result *results) {
    if (s->seeds < 2) return;
    char value[200];
    tru_json_array(json, "means");
    for (size_t group = 0; group < stride(s); group++) {
        tru_json_object(json, NULL);
        tru_json_object(json, "at");
        for (size_t k = 0; k + 1 < s->axis_count; k++) {
            sweep_value_text(&s->axes[k], sweep_index(s, group, k), value, sizeof value);
            tru_json_text(json, s->axes[k].path, value);
        }
        tru_json_close(json);
        tru_json_object(json, "probes");
        for (size_t k = 0; k < s->probe_count; k++) {
            const sweep_mean m = mean_of(s, results, group, k);
            tru_json_object(json, s->probes[k]);
            tru_json_number(json, "mean", m.mean);
            tru_json_number(json, "deviation", m.deviation);
            tru_json_integer(json, "n", m.n);
            tru_json_integer(json, "failed", m.failed);
            tru_json_integer(json, "valueless", m.valueless);
            tru_json_close(json);
        }
        tru_json_close(json);
        tru_json_close(json);
    }
    tru_json_close(json);
}

/* ---- tables ---- */

static const char *const parts[] = {"mean", "deviation", "n", "failed", "valueless"};
enum { PARTS = sizeof parts / sizeof *parts };

static double part_of(const sweep_mean *m, int part) {
    const double values[PARTS] = {m->mean, m->deviation, m->n, m->failed, m->valueless};
    return values[part];
}

static const char *unit_of(const sweep *s, size_t probe, int part) {
    return part < 2 ? tru_unit_describe(s->units[probe]).symbol : "-";
}

static int write_csv(const sweep *s, const sweep_result *results, const char *path) {
    FILE *out = fopen(path, "w");
    char value[200];
    if (!out) return sweep_file_failed(path);
    for (size_t k = 0; k + 1 < s->axis_count; k++) sweep_put_head(s, k, out);
    for (size_t k = 0; k < s->probe_count; k++)
        for (int part = 0; part < PARTS; part++)
            fprintf(out, "%s%s %s [%s]", k + (size_t)part > 0 ? "," : "", s->probes[k], parts[part],
                    unit_of(s, k, part));
    fputc('\n', out);
    for (size_t group = 0; group < stride(s); group++) {
        for (size_t k = 0; k + 1 < s->axis_count; k++) {
            const size_t at = sweep_index(s, group, k);
            snprintf(value, sizeof value, "%.17g", sweep_value(&s->axes[k], at));
            fprintf(out, "%s,", s->axes[k].words ? s->axes[k].words[at] : value);
        }
        for (size_t k = 0; k < s->probe_count; k++) {
            const sweep_mean m = mean_of(s, results, group, k);
            fprintf(out, "%s%.17g,%.17g,%d,%d,%d", k > 0 ? "," : "", m.mean, m.deviation, m.n, m.failed, m.valueless);
        }
        fputc('\n', out);
    }
    const bool good = !ferror(out);
    return fclose(out) == 0 && good ? EXIT_GOOD : sweep_file_failed(path);
}

static int write_h5(const sweep *s, const sweep_result *results, const char *path) {
    const size_t axes = s->axis_count - 1, count = axes + PARTS * s->probe_count, n = stride(s);
    tru_column *columns = need(count, sizeof *columns);
    double *values = need(count * n, sizeof *values);
    tru_error err;
    for (size_t k = 0; k < axes; k++) {
        columns[k] = (tru_column){s->axes[k].path, s->axes[k].unit, NULL, values + k * n};
        for (size_t group = 0; group < n; group++)
            values[k * n + group] = sweep_value(&s->axes[k], sweep_index(s, group, k));
    }
    for (size_t c = axes; c < count; c++) {
        const size_t probe = (c - axes) / PARTS;
        const int part = (int)((c - axes) % PARTS);
        columns[c] = (tru_column){need_text("%s %s", s->probes[probe], parts[part]), unit_of(s, probe, part), NULL,
                                  values + c * n};
        for (size_t group = 0; group < n; group++) {
            const sweep_mean m = mean_of(s, results, group, probe);
            values[c * n + group] = part_of(&m, part);
        }
    }
    const tru_status status = tru_table_write(path, tru_scene_text(s->scene), columns, count, n, &err);
    for (size_t c = axes; c < count; c++) free((void *)columns[c].name);
    free(values);
    free(columns);
    return status < 0 ? complain(&err) : EXIT_GOOD;
}

int sweep_write_means(const sweep *s, const sweep_result *results, const char *dir) {
    if (s->seeds < 2) return EXIT_GOOD;
    char *csv = need_text("%s/means.csv", dir), *h5 = need_text("%s/means.h5", dir);
    int code = write_csv(s, results, csv);
    if (code == EXIT_GOOD) code = write_h5(s, results, h5);
    free(csv);
    free(h5);
    return code;
}
