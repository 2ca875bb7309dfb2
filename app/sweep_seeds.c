/* sweep_seeds.c: cells that differ only in their seed, told together: mean and standard deviation of every probe. */
#include "app.h"
#include "sweep.h"

#include <math.h>

enum { MOST_ROWS = 40 }; /* of the table in a terminal */

/* The seeds are the last axis, which runs slowest: cells of one group are `stride` apart. */
static size_t stride(const sweep *s) { return s->cells / (size_t)s->seeds; }

/* Runs that failed, and probes without a value, do not count. */
static sweep_mean mean_of(const sweep *s, const sweep_result *results, size_t group, size_t probe) {
    sweep_mean m = {.count = 0};
    double sum = 0.0, squares = 0.0;
    for (size_t cell = group; cell < s->cells; cell += stride(s)) {
        const double value = results[cell].values[probe];
        if (results[cell].class == CLASS_FAILED || isnan(value)) continue;
        sum += value;
        m.count++;
    }
    m.mean = m.count > 0 ? sum / m.count : NAN;
    for (size_t cell = group; cell < s->cells; cell += stride(s)) {
        const double value = results[cell].values[probe];
        if (results[cell].class == CLASS_FAILED || isnan(value)) continue;
        squares += (value - m.mean) * (value - m.mean);
    }
    m.deviation = m.count > 1 ? sqrt(squares / (m.count - 1)) : NAN;
    return m;
}

/* "tilt = 20 deg, precision = double: " in front of a line; nothing where only seeds vary. */
static void tell_group(const sweep *s, size_t group) {
    for (size_t k = 0; k + 1 < s->axis_count; k++) {
        const sweep_axis *axis = &s->axes[k];
        const size_t at = sweep_index(s, group, k);
        printf("%s%s = ", k > 0 ? ", " : "", axis->path);
        if (axis->words)
            fputs(axis->words[at], stdout);
        else
            printf("%.9g%s%s", sweep_value(axis, at), axis->unit[0] ? " " : "", axis->unit);
    }
    if (s->axis_count > 1) fputs(": ", stdout);
}

void sweep_tell_seeds(const sweep *s, const sweep_result *results) {
    if (s->seeds < 2) return;
    for (size_t group = 0; group < stride(s) && group < MOST_ROWS; group++) {
        printf("  %-11s", group == 0 ? "mean" : "");
        tell_group(s, group);
        for (size_t k = 0; k < s->probe_count; k++) {
            const sweep_mean m = mean_of(s, results, group, k);
            printf("%s%s = %.6g +- %.2g %s", k > 0 ? ", " : "", s->probes[k], m.mean, m.deviation,
                   s->units[k] == TRU_UNIT_ONE ? "" : tru_unit_describe(s->units[k]).symbol);
        }
        putchar('\n');
    }
    if (stride(s) > MOST_ROWS) printf("  %-11sand %zu more; --json has all\n", "", stride(s) - MOST_ROWS);
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
            tru_json_integer(json, "count", m.count);
            tru_json_close(json);
        }
        tru_json_close(json);
        tru_json_close(json);
    }
    tru_json_close(json);
}
