/* report_run_summary.c: the summary of a run that did not end, from its file of results. */
#include "report_run_summary.h"

#include "report_run.h"

#include "common/fail.h"
#include "summary/run_summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 4096 }; /* rows of the solver at a time */

/* The id of a body is its row in the file, counted from 1. */
static const char *name_in_file(const void *of, tru_id body) {
    const reader *r = of;
    return body >= 1 && body <= r->bodies ? r->body[body - 1].name : NULL;
}

static tru_id id_of(int64_t row) { return row >= 0 ? (tru_id)row + 1 : TRU_NONE; }

static tru_status read_events(const reader *r, run_facts *f, tru_event **out, tru_error *err) {
    const uint64_t count = r->events < TRU_SIM_EVENTS ? r->events : TRU_SIM_EVENTS;
    event_row *rows = NULL;
    const tru_status s = trio_reader_take(r, EVENTS, 0, 1, count, &rows, err);
    *out = s >= 0 ? calloc(count + 1, sizeof **out) : NULL;
    for (uint64_t i = 0; *out && i < count; i++) {
        const event_row *e = &rows[i];
        (*out)[i] = (tru_event){.time = e->time,
                                .kind = e->kind,
                                .row_kind = e->row_kind,
                                .body_a = id_of(e->body_a),
                                .body_b = id_of(e->body_b),
                                .position = {e->position[0], e->position[1], e->position[2]},
                                .speed = e->speed,
                                .limit_case = e->limit_case};
        if (e->kind >= 0 && e->kind < TRU_EVENT_KINDS) f->counts[e->kind]++;
    }
    free(rows);
    f->events = *out;
    f->event_count = *out ? count : 0;
    return s < 0 || *out ? s : trio_no_memory(err);
}

static void add_solver_row(tru_solver_summary *sum, const solver_row *row) {
    sum->steps += row->steps;
    sum->unconverged += row->unconverged;
    sum->iterations += row->iterations;
    if (row->most_iterations > sum->most_iterations) sum->most_iterations = (int32_t)row->most_iterations;
    if (row->relative > sum->worst_relative) {
        sum->worst_relative = row->relative;
        sum->worst_time = row->worst_time;
        sum->worst_speed = row->residual[TRU_KIND_NORMAL];
    }
    sum->lift = fmax(sum->lift, row->lift);
    if (row->hop > sum->hop) sum->hop = row->hop, sum->hop_time = row->time;
}

static tru_status read_rows(const reader *r, run_facts *f, tru_error *err) {
    ledger_row last;
    tru_status s = r->rows > 0 ? trio_reader_read(r, LEDGER, r->rows - 1, 1, 1, &last, err) : TRU_OK;
    for (uint64_t first = 0; s >= 0 && first < r->rows; first += BATCH) {
        const uint64_t count = r->rows - first < BATCH ? r->rows - first : BATCH;
        solver_row *rows = NULL;
        s = trio_reader_take(r, SOLVER, first, 1, count, &rows, err);
        for (uint64_t i = 0; s >= 0 && i < count; i++) add_solver_row(&f->solver, &rows[i]);
        free(rows);
    }
    if (s < 0 || r->rows == 0) return s;
    f->ledger = last.ledger;
    f->time = last.time;
    f->steps = last.step;
    return TRU_OK;
}

tru_status trio_report_run_summary(report_run *run, tru_error *err) {
    const reader *r = &run->r;
    run_facts f = {.step = r->step, .stepper = r->stepper, .reason = "", .name = name_in_file, .of = r};
    tru_event *events = NULL;
    tru_story *story = calloc(1, sizeof *story);
    tru_status s = story ? read_events(r, &f, &events, err) : trio_no_memory(err);
    if (s >= 0) s = read_rows(r, &f, err);
    if (s >= 0) {
        trio_run_summary_ran(story, &f);
        trio_run_summary_events(story, &f);
        if (r->rows > 0) trio_run_summary_energy(story, &f.ledger);
        trio_run_summary_solver(story, &f);
        if (story->failed) s = trio_no_memory(err);
    }
    if (s >= 0) tru_json_story(run->json, story, true);
    tru_story_free(story);
    free(events);
    return s;
}
