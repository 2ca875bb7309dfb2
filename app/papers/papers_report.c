/* papers_report.c: published numbers and ours as one HTML file: table, curves with the published values, replays. */
#include "papers_report.h"

#include "cli/app.h"
#include "papers_session.h"
#include "draw/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

verdict papers_judge(const session *s, size_t k) {
    const paper_row *row = &s->papers.rows[k];
    verdict v = {.word = "skip", .ours = NAN};
    size_t place = 0;
    v.tolerance = row->absolute + row->relative * fabs(row->target);
    if (row->skipped) return v;
    v.run = &s->outcomes[row->run];
    for (size_t i = 0; i < k; i++) place += s->papers.rows[i].run == row->run;
    if (v.run->status >= 0) v.ours = v.run->value[place] / row->scale;
    v.word = fabs(v.ours - row->target) <= v.tolerance ? "pass" : "fail";
    return v;
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

static bool same_section(const paper_row *a, const paper_row *b) {
    const size_t n = section_length(a->id);
    return strcmp(a->paper, b->paper) == 0 && n == section_length(b->id) && strncmp(a->id, b->id, n) == 0;
}

/* ---- the table ---- */

static void page_rows(tru_json *page, const session *s, const size_t *replay) {
    static const char *const heads[] = {"row",  "what",    "published", "ours",  "target", "tolerance",
                                        "unit", "verdict", "erratum",   "scene", "seconds"};
    page_table(page, "Published numbers", "Ours is computed in this call, from the scene named in the row.", heads, 11);
    for (size_t k = 0; k < s->papers.row_count; k++) {
        const paper_row *row = &s->papers.rows[k];
        const verdict v = papers_judge(s, k);
        tru_json_array(page, NULL);
        page_cell(page, "%s/%s", row->paper, row->id);
        page_cell(page, "%s", row->what);
        page_number(page, "%.10g", row->published);
        page_number(page, "%.10g", v.ours);
        page_cell(page, "%.10g", row->target);
        page_cell(page, "%.2g", v.tolerance);
        page_cell(page, "%s", row->unit);
        page_verdict(page, v.word,
                     strcmp(v.word, "pass") == 0   ? "good"
                     : strcmp(v.word, "fail") == 0 ? "bad"
                                                   : "other");
        page_cell(page, "%s", row->erratum ? row->erratum : "");
        if (row->run != NO_RUN && replay[row->run] != NO_RUN)
            page_replay(page, row->scene, replay[row->run]);
        else
            page_cell(page, "%s", row->scene ? row->scene : "survey");
        page_cell(page, "%.2f", v.run ? v.run->seconds : 0.0);
        tru_json_close(page);
    }
    page_table_end(page);
}

/* ---- curves ---- */

/* Returns true if its value can be drawn into a plot of its probe. */
static bool drawable(const paper_row *row) {
    return !row->skipped && !row->bisect && row->survey_states == 0 && row->measure.probe &&
           row->measure.kind <= MEASURE_MEAN && row->measure.kind != MEASURE_WHEN_MAX;
}

size_t trace_probes(const papers *all, size_t run, const char *names[MOST_PROBES]) {
    size_t count = 0;
    for (size_t k = 0; k < all->row_count && count < MOST_PROBES; k++) {
        const paper_row *row = &all->rows[k];
        bool known = row->run != run || !drawable(row);
        for (size_t i = 0; i < count && !known; i++) known = strcmp(names[i], row->measure.probe) == 0;
        if (!known) names[count++] = row->measure.probe;
    }
    return count;
}

tru_status trace_begin(papers_trace *t, const papers *all, size_t run, tru_sim *sim, tru_error *err) {
    const char *names[MOST_PROBES];
    tru_status s = TRU_OK;
    t->probes = trace_probes(all, run, names);
    for (size_t i = 0; s >= 0 && i < t->probes; i++) s = tru_sim_probe(sim, names[i], &t->probe[i], &t->unit[i], err);
    if (t->probes) t->kept = series_new(t->probes);
    return s;
}

void trace_step(papers_trace *t, const tru_sim *sim) {
    double values[MOST_PROBES];
    if (!t->kept) return;
    for (size_t i = 0; i < t->probes; i++) values[i] = tru_sim_value(sim, t->probe[i]);
    series_add(t->kept, tru_time(tru_sim_world((tru_sim *)sim)), values);
}

void trace_end(papers_trace *t, outcome *out) {
    if (!t->kept) return;
    series_end(t->kept);
    const size_t rows = t->kept->rows, every = (rows + MOST_POINTS - 1) / MOST_POINTS;
    out->probes = t->probes;
    out->points = rows ? (rows - 1) / every + 1 : 0;
    memcpy(out->unit, t->unit, sizeof out->unit);
    for (size_t p = 0; p < out->points; p++) {
        const size_t row = rows - 1 - (out->points - 1 - p) * every; /* the last one counts */
        out->time[p] = t->kept->time[row];
        for (size_t i = 0; i < t->probes; i++) out->curve[i][p] = t->kept->last[row * t->probes + i];
    }
    series_free(t->kept);
    *t = (papers_trace){0};
}

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
static char *run_label(const paper_row *row) {
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
static void put_published(tru_json *page, const paper_row *row, const outcome *run) {
    const measure *m = &row->measure;
    const double end = run->time[run->points - 1], from = fmax(m->from, run->time[0]), to = fmin(m->to, end);
    const double shown = (isnan(row->published) ? row->target : row->published) * row->scale;
    const bool point = m->kind == MEASURE_END || m->kind == MEASURE_AT;
    const double at[2] = {m->kind == MEASURE_END ? end : from, to}, value[2] = {shown, shown};
    static const char *const words[] = {[MEASURE_MAX] = "largest", [MEASURE_MIN] = "least", [MEASURE_MEAN] = "mean"};
    char *name = need_text("%s%s%s: %s", isnan(row->published) ? "target" : "published", point ? "" : ", ",
                           point ? "" : words[m->kind], row->id);
    put_series(page, name, point ? "points" : "level", at, value, point ? 1 : 2);
    free(name);
}

/* Writes the curves of one probe of a section: ours of every run, with the published values. */
static void put_figure(tru_json *page, const session *s, const paper_row *first) {
    const papers *all = &s->papers;
    bool *put = need(all->run_count, sizeof *put);
    char *title =
        need_text("%s %.*s: %s", first->paper, (int)section_length(first->id), first->id, first->measure.probe);
    tru_unit unit = TRU_UNIT_MISSING;
    tru_json_object(page, NULL);
    tru_json_text(page, "title", title);
    tru_json_text(page, "x", "time [s]");
    tru_json_array(page, "series");
    for (size_t k = 0; k < all->row_count; k++) {
        const paper_row *row = &all->rows[k];
        const char *names[MOST_PROBES];
        if (!drawable(row) || !same_section(row, first) || strcmp(row->measure.probe, first->measure.probe) != 0)
            continue;
        const outcome *run = &s->outcomes[row->run];
        size_t i = 0;
        trace_probes(all, row->run, names);
        while (i < run->probes && strcmp(names[i], row->measure.probe) != 0) i++;
        if (i >= run->probes || run->points == 0) continue;
        if (!put[row->run]) {
            char *label = run_label(row);
            put_series(page, label, "line", run->time, run->curve[i], run->points);
            free(label);
        }
        put[row->run] = true;
        unit = run->unit[i];
        put_published(page, row, run);
    }
    tru_json_close(page);
    tru_json_text(page, "unit", tru_unit_describe(unit).symbol);
    tru_json_close(page);
    free(title);
    free(put);
}

static void page_curves(tru_json *page, const session *s) {
    for (size_t k = 0; k < s->papers.row_count; k++) {
        const paper_row *row = &s->papers.rows[k];
        bool seen = !drawable(row) || s->outcomes[row->run].points == 0;
        for (size_t i = 0; i < k && !seen; i++) {
            const paper_row *other = &s->papers.rows[i];
            seen = drawable(other) && same_section(other, row) &&
                   strcmp(other->measure.probe, row->measure.probe) == 0 && s->outcomes[other->run].points > 0;
        }
        if (!seen) put_figure(page, s, row);
    }
}

/* ---- replays ---- */

/* Returns true for runs that are one short simulation. */
static bool can_replay(const session *s, size_t run) {
    const paper_row *row = &s->papers.rows[s->papers.runs[run].first];
    return row->scene && !row->bisect && s->outcomes[run].status >= 0 && s->outcomes[run].seconds <= longest_run;
}

/* replay[run]: which replay of the report it is, NO_RUN: none; the first run of every section, then others. */
static void choose_replays(const session *s, size_t *replay) {
    const papers *all = &s->papers;
    size_t chosen = 0, next = 0;
    for (size_t r = 0; r < all->run_count; r++) replay[r] = NO_RUN;
    for (int pass = 0; pass < 2; pass++)
        for (size_t r = 0; r < all->run_count && chosen < REPLAYS; r++) {
            bool want = can_replay(s, r) && replay[r] == NO_RUN;
            for (size_t i = 0; pass == 0 && i < r && want; i++)
                want = replay[i] == NO_RUN ||
                       !same_section(&all->rows[all->runs[i].first], &all->rows[all->runs[r].first]);
            if (!want) continue;
            replay[r] = 0;
            chosen++;
        }
    for (size_t r = 0; r < all->run_count; r++)
        if (replay[r] != NO_RUN) replay[r] = next++;
}

static int add_replays(const session *s, const size_t *replay, tru_report *report, int code) {
    for (size_t r = 0; r < s->papers.run_count; r++) {
        const paper_row *row = &s->papers.rows[s->papers.runs[r].first];
        tru_scene *scene = NULL;
        tru_error err;
        if (replay[r] == NO_RUN) continue;
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
    size_t counts[3] = {0, 0, 0}, *replay = need(s->papers.run_count, sizeof *replay);
    if (tru_report_begin(&report, &err) < 0) {
        free(replay);
        return complain(&err);
    }
    for (size_t k = 0; k < s->papers.row_count; k++) {
        const verdict v = papers_judge(s, k);
        counts[strcmp(v.word, "pass") == 0 ? 0 : strcmp(v.word, "fail") == 0 ? 1 : 2]++;
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
