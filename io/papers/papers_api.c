/* papers_api.c: papers as an object: reading files, and what became of their rows. */
#include "common/fail.h"
#include "papers_trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tru_status tru_papers_create(const tru_papers_def *def, tru_papers **out, tru_error *err) {
    if (!out) return trio_fail(err, TRU_BAD_ARGUMENT, "out must not be NULL");
    *out = calloc(1, sizeof **out);
    if (!*out) return trio_no_memory(err);
    if (def) (*out)->def = *def;
    return TRU_OK;
}

void tru_papers_free(tru_papers *s) {
    if (!s) return;
    trio_papers_free(&s->papers);
    trio_store_release(&s->texts);
    free(s->outcomes);
    free(s);
}

tru_status tru_papers_read(tru_papers *s, const char *path, const char *name, bool asked, tru_error *err) {
    tru_error own;
    if (!err) err = &own;
    if (!s || !path) return trio_fail(err, TRU_BAD_ARGUMENT, "papers and path must not be NULL");
    const char *copy = trio_store_text(&s->texts, name ? name : path);
    return copy ? trio_papers_read(&s->papers, path, copy, asked, err) : trio_no_memory(err);
}

/* ---- rows ---- */

/* Fills how the number of a row is drawn into the curve of its probe. */
static void fill_drawing(const paper_row *row, tru_paper_row *out) {
    static const char *const words[] = {
        [MEASURE_MAX] = "largest", [MEASURE_MIN] = "least", [MEASURE_RANGE] = "range", [MEASURE_MEAN] = "mean"};
    const measure *m = &row->measure;
    if (!trio_trace_drawable(row)) return;
    out->probe = m->probe;
    out->from = m->kind == MEASURE_END ? NAN : m->from;
    out->to = m->to;
    if (m->kind != MEASURE_END && m->kind != MEASURE_AT) out->extreme = words[m->kind];
}

/* Fills what was found and what that means. */
static void fill_verdict(const tru_papers *s, size_t k, tru_paper_row *out) {
    const paper_row *row = &s->papers.rows[k];
    size_t place = 0;
    out->verdict = TRU_PAPER_SKIPPED;
    out->found = NAN;
    out->run = TRU_PAPERS_NO_RUN;
    if (row->skipped || !s->outcomes) return;
    out->run = row->run;
    const outcome *run = &s->outcomes[row->run];
    if (!run->done) return;
    for (size_t i = 0; i < k; i++) place += s->papers.rows[i].run == row->run;
    if (run->status >= 0 && place < MOST_ROWS) out->found = run->value[place] / row->scale;
    out->verdict = fabs(out->found - row->target) <= out->tolerance ? TRU_PAPER_HOLDS : TRU_PAPER_FAILS;
}

bool tru_papers_row(const tru_papers *s, size_t k, tru_paper_row *out) {
    if (!s || !out || k >= s->papers.row_count) return false;
    const paper_row *row = &s->papers.rows[k];
    *out = (tru_paper_row){.paper = row->paper,
                           .id = row->id,
                           .what = row->what,
                           .scene = row->scene,
                           .stepper = row->stepper,
                           .unit = row->unit,
                           .erratum = row->erratum,
                           .source = row->source,
                           .needs = row->needs,
                           .sets = row->sets,
                           .set_count = row->set_count,
                           .until = row->until,
                           .published = row->published,
                           .target = row->target,
                           .tolerance = row->absolute + row->relative * fabs(row->target),
                           .scale = row->scale,
                           .many = row->bisect || row->survey_states > 0};
    fill_drawing(row, out);
    fill_verdict(s, k, out);
    return true;
}

/* ---- runs ---- */

bool tru_papers_run_at(const tru_papers *s, size_t k, tru_paper_run *out) {
    if (!s || !out || !s->outcomes || k >= s->papers.run_count) return false;
    const outcome *o = &s->outcomes[k];
    *out = (tru_paper_run){.first = s->papers.runs[k].first,
                           .rows = s->papers.runs[k].rows,
                           .done = o->done,
                           .status = o->status,
                           .text = o->text,
                           .seconds = o->seconds,
                           .scene_hash = o->scene_hash};
    return true;
}

bool tru_papers_curve(const tru_papers *s, size_t run, const char *probe, tru_paper_curve *out) {
    const char *names[MOST_PROBES];
    if (!s || !probe || !out || !s->outcomes || run >= s->papers.run_count) return false;
    const outcome *o = &s->outcomes[run];
    const size_t count = trio_trace_probes(&s->papers, run, names);
    for (size_t i = 0; i < count && i < o->probes && o->points > 0; i++) {
        if (strcmp(names[i], probe) != 0) continue;
        *out = (tru_paper_curve){o->points, o->time, o->curve[i], o->unit[i]};
        return true;
    }
    return false;
}
