/* sweep_means.c: mean and standard deviation of every probe over cells that differ only in their seed. */
#include "common/fail.h"
#include "sweep_log.h"
#include "sweep_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The seeds are the last axis, which varies slowest: cells of one group are `groups` apart. */
static tru_sweep_mean mean_of(const tru_sweep *s, size_t group, size_t probe) {
    tru_sweep_mean m = {.n = 0};
    double sum = 0.0, squares = 0.0;
    for (size_t cell = group; cell < s->info.cells; cell += s->info.groups) {
        const tru_sweep_cell *r = &s->cells[cell];
        if (!r->done) continue;
        if (r->which == TRU_CLASS_FAILED)
            m.failed++;
        else if (isnan(r->values[probe]))
            m.valueless++;
        else
            sum += r->values[probe], m.n++;
    }
    m.mean = m.n > 0 ? sum / m.n : NAN;
    for (size_t cell = group; cell < s->info.cells; cell += s->info.groups) {
        const tru_sweep_cell *r = &s->cells[cell];
        const double off = r->values[probe] - m.mean;
        if (r->done && r->which != TRU_CLASS_FAILED && !isnan(off)) squares += off * off;
    }
    m.deviation = m.n > 1 ? sqrt(squares / (m.n - 1)) : NAN;
    return m;
}

static tru_status refuse_without_seeds(tru_error *err) {
    return trio_fail(err, TRU_BAD_ARGUMENT, "the sweep has no seeds, so it has no means");
}

tru_status tru_sweep_mean_of(const tru_sweep *s, size_t group, size_t probe, tru_sweep_mean *out, tru_error *err) {
    if (!s || !out) return trio_fail(err, TRU_BAD_ARGUMENT, "sweep and out must not be NULL");
    if (s->info.seeds == 0) return refuse_without_seeds(err);
    if (group >= s->info.groups)
        return trio_fail(err, TRU_OUT_OF_RANGE, "group is %zu, must be below %zu", group, s->info.groups);
    if (probe >= s->info.probe_count)
        return trio_fail(err, TRU_OUT_OF_RANGE, "probe is %zu, must be below %zu", probe, s->info.probe_count);
    *out = mean_of(s, group, probe);
    return TRU_OK;
}

/* ---- tables ---- */

static const char *const parts[] = {"mean", "deviation", "n", "failed", "valueless"};
enum { PARTS = sizeof parts / sizeof *parts };

static double part_of(const tru_sweep_mean *m, int part) {
    const double values[PARTS] = {m->mean, m->deviation, m->n, m->failed, m->valueless};
    return values[part];
}

static const char *unit_of(const tru_sweep *s, size_t probe, int part) {
    return part < 2 ? tru_unit_describe(s->units[probe]).symbol : "-";
}

static tru_status write_csv(const tru_sweep *s, const char *path, tru_error *err) {
    FILE *out = fopen(path, "w");
    const size_t axes = s->info.axis_count - 1;
    if (!out) return trio_sweep_file_failed(path, err);
    for (size_t k = 0; k < axes; k++) trio_sweep_put_head(&s->axes[k], out);
    for (size_t k = 0; k < s->info.probe_count; k++)
        for (int part = 0; part < PARTS; part++)
            fprintf(out, "%s%s %s [%s]", k + (size_t)part > 0 ? "," : "", s->probes[k], parts[part],
                    unit_of(s, k, part));
    fputc('\n', out);
    for (size_t group = 0; group < s->info.groups; group++) {
        for (size_t k = 0; k < axes; k++) trio_sweep_put_value(&s->axes[k], tru_sweep_index(&s->info, group, k), out);
        for (size_t k = 0; k < s->info.probe_count; k++) {
            const tru_sweep_mean m = mean_of(s, group, k);
            fprintf(out, "%s%.17g,%.17g,%d,%d,%d", k > 0 ? "," : "", m.mean, m.deviation, m.n, m.failed, m.valueless);
        }
        fputc('\n', out);
    }
    return trio_sweep_close_csv(out, path, err);
}

/* "heap.angle mean"; NULL without memory. */
static char *part_name(const char *probe, const char *part) {
    const size_t room = strlen(probe) + strlen(part) + 2;
    char *name = malloc(room);
    if (name) snprintf(name, room, "%s %s", probe, part);
    return name;
}

static void fill_means(const tru_sweep *s, double *values) {
    const size_t axes = s->info.axis_count - 1, n = s->info.groups;
    for (size_t group = 0; group < n; group++) {
        for (size_t k = 0; k < axes; k++)
            values[k * n + group] = tru_sweep_value(&s->axes[k], tru_sweep_index(&s->info, group, k));
        for (size_t probe = 0; probe < s->info.probe_count; probe++) {
            const tru_sweep_mean m = mean_of(s, group, probe);
            for (int part = 0; part < PARTS; part++)
                values[(axes + PARTS * probe + (size_t)part) * n + group] = part_of(&m, part);
        }
    }
}

/* Fills heads and values of the columns. Returns false without memory. */
static bool fill_columns(const tru_sweep *s, tru_column *columns, double *values) {
    const size_t axes = s->info.axis_count - 1, n = s->info.groups;
    bool good = true;
    for (size_t k = 0; k < axes; k++) columns[k] = (tru_column){s->axes[k].path, s->axes[k].unit, NULL, values + k * n};
    for (size_t probe = 0; probe < s->info.probe_count; probe++)
        for (int part = 0; part < PARTS; part++) {
            const size_t c = axes + PARTS * probe + (size_t)part;
            columns[c] =
                (tru_column){part_name(s->probes[probe], parts[part]), unit_of(s, probe, part), NULL, values + c * n};
            good = good && columns[c].name;
        }
    fill_means(s, values);
    return good;
}

static tru_status write_h5(const tru_sweep *s, const char *path, tru_error *err) {
    const size_t axes = s->info.axis_count - 1, count = axes + PARTS * s->info.probe_count, n = s->info.groups;
    const char *about = tru_scene_text(s->scene);
    tru_column *columns = calloc(count + 1, sizeof *columns);
    double *values = calloc(count * n + 1, sizeof *values);
    const bool good = about && columns && values && fill_columns(s, columns, values);
    const tru_status status = good ? tru_table_write(path, about, columns, count, n, err) : trio_no_memory(err);
    for (size_t c = axes; columns && c < count; c++) free((void *)columns[c].name);
    free(values);
    free(columns);
    return status;
}

tru_status tru_sweep_write_means(const tru_sweep *s, const char *path, tru_error *err) {
    if (s && s->info.seeds == 0) return refuse_without_seeds(err);
    return trio_sweep_write_as(s, path, write_csv, write_h5, err);
}
