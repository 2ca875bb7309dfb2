/* papers_report.c: published numbers and ours as one HTML file: table, curves with the published values, replays. */
#include "papers_report.h"

#include "cli/app.h"
#include "papers_session.h"
#include "draw/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *papers_word(const tru_paper_row *row) {
    static const char *const words[] = {
        [TRU_PAPER_SKIPPED] = "skip", [TRU_PAPER_HOLDS] = "pass", [TRU_PAPER_FAILS] = "fail"};
    return words[row->verdict];
}

enum { REPLAYS = 12 };               /* one of each section first */
static const double longest_run = 5; /* [s] wall clock of a run that is shown */

/* ---- sections ---- */

/* Length of the part of an id that names its section: "4.1" of "4.1.static", "sim1" of "sim1.energy.midpoint". */
static size_t section_length(const char *id) {
    size_t n = strcspn(id, ".");
    while (id[n] == '.' && id[n + 1] >= '0' && id[n + 1] <= '9') n += 1 + strcspn(id + n + 1, ".");
    return n;
}

static bool same_section(const tru_paper_row *a, const tru_paper_row *b) {
    const size_t n = section_length(a->id);
    return strcmp(a->paper, b->paper) == 0 && n == section_length(b->id) && strncmp(a->id, b->id, n) == 0;
}

/* ---- the table ---- */

static void page_rows(tru_json *page, const session *s, const size_t *replay) {
    static const char *const heads[] = {"row",  "what",    "published", "ours",  "target", "tolerance",
                                        "unit", "verdict", "erratum",   "scene", "seconds"};
    page_table(page, "Published numbers", "Ours is computed in this call, from the scene named in the row.", heads, 11);
    for (size_t k = 0; k < s->row_count; k++) {
        const tru_paper_row *row = &s->rows[k];
        tru_json_array(page, NULL);
        page_cell(page, "%s/%s", row->paper, row->id);
        page_cell(page, "%s", row->what);
        page_number(page, "%.10g", row->published);
        page_number(page, "%.10g", row->found);
        page_cell(page, "%.10g", row->target);
        page_cell(page, "%.2g", row->tolerance);
        page_cell(page, "%s", row->unit);
        page_verdict(page, papers_word(row),
                     row->verdict == TRU_PAPER_HOLDS   ? "good"
                     : row->verdict == TRU_PAPER_FAILS ? "bad"
                                                       : "other");
        page_cell(page, "%s", row->erratum ? row->erratum : "");
        if (row->run != TRU_PAPERS_NO_RUN && replay[row->run] != TRU_PAPERS_NO_RUN)
            page_replay(page, row->scene, replay[row->run]);
        else
            page_cell(page, "%s", row->scene ? row->scene : "survey");
        page_cell(page, "%.2f", row->run != TRU_PAPERS_NO_RUN ? s->runs[row->run].seconds : 0.0);
        tru_json_close(page);
    }
    page_table_end(page);
}

/* ---- curves ---- */

static void put_series(tru_json *page, const char *name, const char *style, const double *at, const double *value,
                       size_t count) {
    tru_json_object(page, NULL);
    tru_json_text(page, "name", name);
    tru_json_text(page, "style", style);
    tru_json_array(page, "at");
    for (size_t i = 0; i < count; i++) tru_json_number(page, NULL, at[i]);
    tru_json_close(page);
    tru_json_array(page, "value");
    for (size_t i = 0; i < count; i++) tru_json_number(page, NULL, value[i]);
    tru_json_close(page);
    tru_json_close(page);
}

/* What distinguishes a run from others of its scene: the stepper and what was set. */
static char *run_label(const tru_paper_row *row) {
    char *label = need_text("ours, %s%s%s", row->scene, row->stepper ? ", " : "", row->stepper ? row->stepper : "");
    for (size_t i = 0; i < row->set_count; i++) {
        const char *dot = strrchr(row->sets[i].path, '.');
        char *more = need_text("%s, %s %s", label, dot ? dot + 1 : row->sets[i].path, row->sets[i].value);
        free(label);
        label = more;
    }
    return label;
}

/* A published value (or, where none was printed, the target) as a point at its time, or as a level over its window. */
static void put_published(tru_json *page, const tru_paper_row *row, const tru_paper_curve *curve) {
    const double end = curve->time[curve->count - 1], from = fmax(row->from, curve->time[0]), to = fmin(row->to, end);
    const double shown = (isnan(row->published) ? row->target : row->published) * row->scale;
    const double at[2] = {isnan(row->from) ? end : from, to}, value[2] = {shown, shown};
    const bool point = !row->extreme;
    char *name = need_text("%s%s%s: %s", isnan(row->published) ? "target" : "published", point ? "" : ", ",
                           point ? "" : row->extreme, row->id);
    put_series(page, name, point ? "points" : "level", at, value, point ? 1 : 2);
    free(name);
}

/* Writes the curves of one probe of a section: ours of every run, with the published values. */
static void put_figure(tru_json *page, const session *s, const tru_paper_row *first) {
    bool *put = need(s->run_count, sizeof *put);
    char *title = need_text("%s %.*s: %s", first->paper, (int)section_length(first->id), first->id, first->probe);
    tru_unit unit = TRU_UNIT_MISSING;
    tru_json_object(page, NULL);
    tru_json_text(page, "title", title);
    tru_json_text(page, "x", "time [s]");
    tru_json_array(page, "series");
    for (size_t k = 0; k < s->row_count; k++) {
        const tru_paper_row *row = &s->rows[k];
        tru_paper_curve curve;
        if (!row->probe || !same_section(row, first) || strcmp(row->probe, first->probe) != 0) continue;
        if (!tru_papers_curve(s->papers, row->run, row->probe, &curve)) continue;
        if (!put[row->run]) {
            char *label = run_label(row);
            put_series(page, label, "line", curve.time, curve.value, curve.count);
            free(label);
        }
        put[row->run] = true;
        unit = curve.unit;
        put_published(page, row, &curve);
    }
    tru_json_close(page);
    tru_json_text(page, "unit", tru_unit_describe(unit).symbol);
    tru_json_close(page);
    free(title);
    free(put);
}

/* Returns true if the run of a row kept the curve of the row's probe. */
static bool has_curve(const session *s, const tru_paper_row *row) {
    tru_paper_curve curve;
    return row->probe && tru_papers_curve(s->papers, row->run, row->probe, &curve);
}

static void page_curves(tru_json *page, const session *s) {
    for (size_t k = 0; k < s->row_count; k++) {
        const tru_paper_row *row = &s->rows[k];
        bool seen = !has_curve(s, row);
        for (size_t i = 0; i < k && !seen; i++) {
            const tru_paper_row *other = &s->rows[i];
            seen = has_curve(s, other) && same_section(other, row) && strcmp(other->probe, row->probe) == 0;
        }
        if (!seen) put_figure(page, s, row);
    }
}

/* ---- replays ---- */

/* Returns true for runs that are one short simulation. */
static bool can_replay(const session *s, size_t run) {
    const tru_paper_row *row = &s->rows[s->runs[run].first];
    return row->scene && !row->many && s->runs[run].status >= 0 && s->runs[run].seconds <= longest_run;
}

/* replay[run]: which replay of the report it is, TRU_PAPERS_NO_RUN: none; the first run of every section, then others. */
static void choose_replays(const session *s, size_t *replay) {
    const session *all = s;
    size_t chosen = 0, next = 0;
    for (size_t r = 0; r < all->run_count; r++) replay[r] = TRU_PAPERS_NO_RUN;
    for (int pass = 0; pass < 2; pass++)
        for (size_t r = 0; r < all->run_count && chosen < REPLAYS; r++) {
            bool want = can_replay(s, r) && replay[r] == TRU_PAPERS_NO_RUN;
            for (size_t i = 0; pass == 0 && i < r && want; i++)
                want = replay[i] == TRU_PAPERS_NO_RUN ||
                       !same_section(&all->rows[all->runs[i].first], &all->rows[all->runs[r].first]);
            if (!want) continue;
            replay[r] = 0;
            chosen++;
        }
    for (size_t r = 0; r < all->run_count; r++)
        if (replay[r] != TRU_PAPERS_NO_RUN) replay[r] = next++;
}

static int add_replays(const session *s, const size_t *replay, tru_report *report, int code) {
    for (size_t r = 0; r < s->run_count; r++) {
        const tru_paper_row *row = &s->rows[s->runs[r].first];
        tru_scene *scene = NULL;
        tru_error err;
        if (replay[r] == TRU_PAPERS_NO_RUN) continue;
        char *path = scene_path(row->scene), *label = need_text("%s/%s: %s", row->paper, row->id, row->scene);
        tru_status status = tru_scene_read(path, row->sets, row->set_count, &scene, &err);
        if (status >= 0)
            status = report_add_scene(report, scene, row->stepper, isnan(row->until) ? -1.0 : row->until, label, &err);
        if (status < 0) code = complain(&err);
        tru_scene_free(scene);
        free(path);
        free(label);
    }
    return code;
}

/* ---- the file ---- */

int papers_report(const session *s, int code, const char *path, bool tell_path) {
    tru_report *report = NULL;
    tru_error err;
    size_t counts[3] = {0, 0, 0}, *replay = need(s->run_count, sizeof *replay);
    if (tru_report_begin(&report, &err) < 0) {
        free(replay);
        return complain(&err);
    }
    for (size_t k = 0; k < s->row_count; k++) {
        const tru_paper_verdict v = s->rows[k].verdict;
        counts[v == TRU_PAPER_HOLDS ? 0 : v == TRU_PAPER_FAILS ? 1 : 2]++;
    }
    choose_replays(s, replay);
    tru_json *page = page_begin("Published numbers, recomputed");
    tru_json_array(page, "text");
    page_cell(page, "%zu rows hold, %zu fail, %zu are skipped.", counts[0], counts[1], counts[2]);
    tru_json_close(page);
    tru_json_array(page, "tables");
    page_rows(page, s, replay);
    tru_json_close(page);
    tru_json_array(page, "curves");
    page_curves(page, s);
    tru_json_close(page);
    tru_json_array(page, "maps");
    tru_json_close(page);
    tru_json_close(page);
    code = add_replays(s, replay, report, code);
    free(replay);
    return report_finish(report, page, code, path, tell_path);
}
