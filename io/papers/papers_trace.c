/* papers_trace.c: curves of the probes that the rows of a run measure, with bounded memory. */
#include "papers_trace.h"

#include "common/fail.h"

#include <stdlib.h>
#include <string.h>

bool trio_trace_drawable(const paper_row *row) {
    return !row->skipped && !row->bisect && row->survey_states == 0 && row->measure.probe &&
           row->measure.kind <= MEASURE_MEAN && row->measure.kind != MEASURE_WHEN_MAX;
}

size_t trio_trace_probes(const papers *all, size_t run, const char *names[MOST_PROBES]) {
    size_t count = 0;
    for (size_t k = 0; k < all->row_count && count < MOST_PROBES; k++) {
        const paper_row *row = &all->rows[k];
        bool known = row->run != run || !trio_trace_drawable(row);
        for (size_t i = 0; i < count && !known; i++) known = strcmp(names[i], row->measure.probe) == 0;
        if (!known) names[count++] = row->measure.probe;
    }
    return count;
}

tru_status trio_trace_begin(papers_trace *t, const papers *all, size_t run, tru_sim *sim, tru_error *err) {
    const char *names[MOST_PROBES];
    tru_status s = TRU_OK;
    t->probes = trio_trace_probes(all, run, names);
    t->merged = 1;
    for (size_t i = 0; s >= 0 && i < t->probes; i++) s = tru_sim_probe(sim, names[i], &t->probe[i], &t->unit[i], err);
    if (s < 0 || t->probes == 0) return s;
    t->time = malloc(TRACE_ROWS * sizeof *t->time);
    t->last = malloc(TRACE_ROWS * t->probes * sizeof *t->last);
    if (t->time && t->last) return s;
    free(t->time);
    free(t->last);
    *t = (papers_trace){0};
    return trio_no_memory(err);
}

static void halve(papers_trace *t) {
    for (size_t r = 0; r < TRACE_ROWS / 2; r++) {
        t->time[r] = t->time[2 * r + 1];
        memcpy(t->last + r * t->probes, t->last + (2 * r + 1) * t->probes, t->probes * sizeof *t->last);
    }
    t->rows = TRACE_ROWS / 2;
    t->merged *= 2;
}

/* Closes the row that is being filled, so that the last sample counts. */
static void end_row(papers_trace *t) {
    if (t->pending == 0) return;
    t->pending = 0;
    if (++t->rows == TRACE_ROWS) halve(t);
}

void trio_trace_step(papers_trace *t, const tru_sim *sim) {
    if (!t->time) return;
    for (size_t i = 0; i < t->probes; i++) t->last[t->rows * t->probes + i] = tru_sim_value(sim, t->probe[i]);
    t->time[t->rows] = tru_time(tru_sim_world((tru_sim *)sim));
    if (++t->pending >= t->merged) end_row(t);
}

void trio_trace_end(papers_trace *t, outcome *out) {
    if (!t->time) return;
    end_row(t);
    const size_t rows = t->rows, every = (rows + MOST_POINTS - 1) / MOST_POINTS;
    out->probes = t->probes;
    out->points = rows ? (rows - 1) / every + 1 : 0;
    memcpy(out->unit, t->unit, sizeof out->unit);
    for (size_t p = 0; p < out->points; p++) {
        const size_t row = rows - 1 - (out->points - 1 - p) * every; /* the last one counts */
        out->time[p] = t->time[row];
        for (size_t i = 0; i < t->probes; i++) out->curve[i][p] = t->last[row * t->probes + i];
    }
    free(t->time);
    free(t->last);
    *t = (papers_trace){0};
}
