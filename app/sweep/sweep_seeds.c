/* sweep_seeds.c: tells the means over cells that differ only in their seed. */
#include "sweep_seeds.h"

#include "cli/app.h"

#include <stdlib.h>

enum { MOST_ROWS = 40 }; /* of the table in a terminal */

/* "tilt = 20 deg, precision = double: " in front of a line; nothing where only seeds vary. */
static void tell_group(const tru_sweep_info *s, size_t group) {
    for (size_t k = 0; k + 1 < s->axis_count; k++) {
        const tru_sweep_axis *axis = &s->axes[k];
        const size_t at = tru_sweep_index(s, group, k);
        say(stdout, "%s%s = ", k > 0 ? ", " : "", axis->path);
        if (axis->words)
            say(stdout, "%s", axis->words[at]);
        else
            say(stdout, "%.9g%s%s", tru_sweep_value(axis, at), axis->unit[0] ? " " : "", axis->unit);
    }
    if (s->axis_count > 1) fputs(": ", stdout);
}

/* "heap.angle = 0.52 +- 0.01 rad (n = 4 of 5: 1 failed)" */
static void tell_mean(const tru_sweep_info *s, size_t probe, const tru_sweep_mean *m, const char *before) {
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

void sweep_tell_seeds(const tru_sweep *sweep) {
    const tru_sweep_info *s = tru_sweep_describe(sweep);
    tru_sweep_mean m;
    if (s->seeds < 2) return;
    for (size_t group = 0; group < s->groups && group < MOST_ROWS; group++) {
        say(stdout, "  %-11s", group == 0 ? "mean" : "");
        tell_group(s, group);
        for (size_t k = 0; k < s->probe_count; k++) {
            tru_sweep_mean_of(sweep, group, k, &m, NULL);
            tell_mean(s, k, &m, k > 0 ? ", " : "");
        }
        putchar('\n');
    }
    if (s->groups > MOST_ROWS) say(stdout, "  %-11sand %zu more; --json has all\n", "", s->groups - MOST_ROWS);
}

void sweep_seeds_json(tru_json *json, const tru_sweep *sweep) {
    const tru_sweep_info *s = tru_sweep_describe(sweep);
    tru_sweep_mean m;
    if (s->seeds < 2) return;
    char value[200];
    tru_json_array(json, "means");
    for (size_t group = 0; group < s->groups; group++) {
        tru_json_object(json, NULL);
        tru_json_object(json, "at");
        for (size_t k = 0; k + 1 < s->axis_count; k++) {
            tru_sweep_value_text(&s->axes[k], tru_sweep_index(s, group, k), value, sizeof value);
            tru_json_text(json, s->axes[k].path, value);
        }
        tru_json_close(json);
        tru_json_object(json, "probes");
        for (size_t k = 0; k < s->probe_count; k++) {
            tru_sweep_mean_of(sweep, group, k, &m, NULL);
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
