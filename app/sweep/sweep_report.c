/* sweep_report.c: a sweep as one HTML file: its cells as a table, maps with their analytic borders, curves over one axis. */
#include "sweep_report.h"

#include "cli/app.h"
#include "draw/report.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_ROWS = 5000 }; /* of the table */

static const char *unit_of(const tru_sweep_info *s, size_t probe) { return tru_unit_describe(s->units[probe]).symbol; }

static void add_cells(tru_json *page, const tru_sweep_info *s, const tru_sweep_cell *results) {
    char *heads[TRU_SWEEP_AXES + TRU_SWEEP_PROBES + 4];
    size_t count = 0;
    for (size_t k = 0; k < s->axis_count; k++)
        heads[count++] = need_text("%s%s%s%s", s->axes[k].path, *s->axes[k].unit ? " [" : "", s->axes[k].unit,
                                   *s->axes[k].unit ? "]" : "");
    heads[count++] = need_text("ended");
    if (s->bisects) heads[count++] = need_text("border of %s [%s]", s->bisect.path, s->bisect.unit);
    for (size_t k = 0; k < s->probe_count; k++) heads[count++] = need_text("%s [%s]", s->probes[k], unit_of(s, k));
    page_table(page, "Cells", s->cells > MOST_ROWS ? "The first 5000; sweep.csv has all." : "",
               (const char *const *)heads, count);
    for (size_t c = 0; c < s->cells && c < MOST_ROWS; c++) {
        const tru_sweep_cell *r = &results[c];
        tru_json_array(page, NULL);
        for (size_t k = 0; k < s->axis_count; k++) {
            char text[200];
            tru_sweep_value_text(&s->axes[k], tru_sweep_index(s, c, k), text, sizeof text);
            page_cell(page, "%s", text);
        }
        page_verdict(page, tru_class_name(r->which), r->which == TRU_CLASS_FAILED ? "bad" : "other");
        if (s->bisects) page_number(page, "%.10g", r->border);
        for (size_t k = 0; k < s->probe_count; k++) page_number(page, "%.8g", r->values[k]);
        tru_json_close(page);
    }
    page_table_end(page);
    for (size_t k = 0; k < count; k++) free(heads[k]);
}

/* ---- maps over two axes ---- */

/* -1: how it ended; -2: the border; else a probe. */
static double shown(const tru_sweep_cell *r, int what) {
    if (what == -1) return r->which;
    return what == -2 ? r->border : r->values[what];
}

static void add_axis(tru_json *page, const char *key, const tru_sweep_axis *a) {
    tru_json_object(page, key);
    tru_json_text(page, "name", a->path);
    tru_json_text(page, "unit", *a->unit ? a->unit : "-");
    tru_json_array(page, "values");
    for (size_t i = 0; i < a->count; i++) tru_json_number(page, NULL, tru_sweep_value(a, i));
    tru_json_close(page);
    tru_json_close(page);
}

static void add_borders(tru_json *page, tru_sweep *sweep) {
    const tru_sweep_info *s = tru_sweep_describe(sweep);
    double y;
    tru_json_array(page, "borders");
    for (int b = 1; b <= 9 && tru_sweep_border(sweep, b, 0, &y); b++) {
        tru_json_object(page, NULL);
        char *name = need_text("border_%d of the scene", b);
        tru_json_text(page, "name", name);
        free(name);
        tru_json_array(page, "points");
        for (size_t i = 0; i < s->axes[0].count; i++) {
            tru_sweep_border(sweep, b, i, &y);
            if (!isfinite(y)) continue;
            tru_json_array(page, NULL);
            tru_json_number(page, NULL, tru_sweep_value(&s->axes[0], i));
            tru_json_number(page, NULL, y);
            tru_json_close(page);
        }
        tru_json_close(page);
        tru_json_close(page);
    }
    tru_json_close(page);
}

static void add_map(tru_json *page, tru_sweep *sweep, int what, const char *title, const char *unit) {
    const tru_sweep_info *s = tru_sweep_describe(sweep);
    const tru_sweep_cell *results = tru_sweep_cells(sweep);
    const size_t nx = s->axes[0].count, ny = s->axes[1].count;
    tru_json_object(page, NULL);
    tru_json_text(page, "title", title);
    tru_json_text(page, "unit", unit);
    add_axis(page, "x", &s->axes[0]);
    add_axis(page, "y", &s->axes[1]);
    if (what == -1) {
        tru_json_array(page, "words");
        for (int k = 0; k < TRU_CLASSES; k++) tru_json_text(page, NULL, tru_class_name(k));
        tru_json_close(page);
    } else {
        tru_json_text(page, "words", NULL);
    }
    tru_json_array(page, "values");
    for (size_t j = 0; j < ny; j++) {
        tru_json_array(page, NULL);
        for (size_t i = 0; i < nx; i++) tru_json_number(page, NULL, shown(&results[j * nx + i], what));
        tru_json_close(page);
    }
    tru_json_close(page);
    add_borders(page, sweep);
    tru_json_close(page);
}

static void add_maps(tru_json *page, tru_sweep *sweep) {
    const tru_sweep_info *s = tru_sweep_describe(sweep);
    if (s->axis_count != 2 || !s->numbers) return;
    if (s->bisects)
        add_map(page, sweep, -2, s->bisect.path, *s->bisect.unit ? s->bisect.unit : "-");
    else
        add_map(page, sweep, -1, "How it ended", "-");
    for (size_t k = 0; k < s->probe_count && k < 8; k++) add_map(page, sweep, (int)k, s->probes[k], unit_of(s, k));
}

/* ---- curves over one axis ---- */

static void add_curve(tru_json *page, const tru_sweep_info *s, const tru_sweep_cell *results, int what,
                      const char *title, const char *unit) {
    const tru_sweep_axis *a = &s->axes[0];
    char *x = need_text("%s [%s]", a->path, *a->unit ? a->unit : "-");
    tru_json_object(page, NULL);
    tru_json_text(page, "title", title);
    tru_json_text(page, "unit", unit);
    tru_json_text(page, "x", x);
    tru_json_array(page, "series");
    tru_json_object(page, NULL);
    tru_json_text(page, "name", title);
    tru_json_array(page, "at");
    for (size_t i = 0; i < a->count; i++) tru_json_number(page, NULL, tru_sweep_value(a, i));
    tru_json_close(page);
    tru_json_array(page, "value");
    for (size_t i = 0; i < a->count; i++) tru_json_number(page, NULL, shown(&results[i], what));
    tru_json_close(page);
    tru_json_close(page);
    tru_json_close(page);
    tru_json_close(page);
    free(x);
}

static void add_curves(tru_json *page, const tru_sweep_info *s, const tru_sweep_cell *results) {
    if (s->axis_count != 1 || !s->numbers) return;
    if (s->bisects) add_curve(page, s, results, -2, s->bisect.path, *s->bisect.unit ? s->bisect.unit : "-");
    for (size_t k = 0; k < s->probe_count; k++) add_curve(page, s, results, (int)k, s->probes[k], unit_of(s, k));
}

int sweep_write_report(tru_sweep *sweep, const char *scene_title, const char *path, bool tell) {
    const tru_sweep_info *s = tru_sweep_describe(sweep);
    const tru_sweep_cell *results = tru_sweep_cells(sweep);
    tru_report *report = NULL;
    tru_error err;
    size_t counts[TRU_CLASSES] = {0};
    if (tru_report_begin(&report, &err) < 0) return complain(&err);
    for (size_t c = 0; c < s->cells; c++) counts[results[c].which]++;
    char *title = need_text("Sweep: %s", scene_title);
    tru_json *page = page_begin(title);
    free(title);
    tru_json_array(page, "text");
    page_cell(page, "%zu cells.", s->cells);
    for (int k = 0; k < TRU_CLASSES; k++)
        if (counts[k]) page_cell(page, "%zu ended %s.", counts[k], tru_class_name(k));
    tru_json_close(page);
    tru_json_array(page, "maps");
    add_maps(page, sweep);
    tru_json_close(page);
    tru_json_array(page, "curves");
    add_curves(page, s, results);
    tru_json_close(page);
    tru_json_array(page, "tables");
    add_cells(page, s, results);
    tru_json_close(page);
    tru_json_close(page);
    return report_finish(report, page, EXIT_GOOD, path, tell);
}
