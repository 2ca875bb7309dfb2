/* export_csv.c: probes, ledger and solver, and events as comma-separated values, units in the first line. */
#include "export.h"

#include "common/fail.h"

#include <trundle/analysis.h>

#include <stdlib.h>
#include <string.h>

enum { BATCH = 4096 }; /* rows at a time */

/* A text as a cell: quoted where it must be. */
static void put_cell(FILE *file, const char *text) {
    const bool quoted = strpbrk(text, ",\"\n") != NULL;
    if (quoted) fputc('"', file);
    for (; *text; text++) {
        if (*text == '"') fputc('"', file);
        fputc(*text, file);
    }
    if (quoted) fputc('"', file);
}

static uint64_t batch_at(uint64_t first, uint64_t rows) { return rows - first < BATCH ? rows - first : BATCH; }

static void put_numbers(FILE *file, const double *numbers, int count) {
    for (int i = 0; i < count; i++) {
        fputc(',', file);
        trio_export_number(file, numbers[i]);
    }
}

/* ---- probes ---- */

static void put_probes(FILE *file, const double *time, const uint64_t *step, const double *values, size_t probes,
                       uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        trio_export_number(file, time[i]);
        fprintf(file, ",%llu", (unsigned long long)step[i]);
        for (size_t k = 0; k < probes; k++) {
            fputc(',', file);
            trio_export_number(file, values[i * probes + k]);
        }
        fputc('\n', file);
    }
}

static tru_status write_probes(export_job *job, tru_error *err) {
    const reader *r = &job->r;
    FILE *file;
    tru_status s = trio_export_open(job, "probes.csv", &file, err);
    if (s < 0) return s;
    fputs("time [s],step", file);
    for (size_t k = 0; k < r->probes; k++) {
        char head[400];
        snprintf(head, sizeof head, "%s [%s]", r->name[k], r->unit[k]);
        fputc(',', file);
        put_cell(file, head);
    }
    fputc('\n', file);
    for (uint64_t first = 0; s >= 0 && first < r->rows; first += BATCH) {
        const uint64_t count = batch_at(first, r->rows);
        double *time = NULL, *values = NULL;
        uint64_t *step = NULL;
        s = trio_reader_take(r, PROBE_TIME, first, 1, count, &time, err);
        if (s >= 0) s = trio_reader_take(r, PROBE_STEP, first, 1, count, &step, err);
        if (s >= 0) s = trio_reader_take(r, PROBE_VALUE, first, 1, count, &values, err);
        if (s >= 0) put_probes(file, time, step, values, r->probes, count);
        free(time);
        free(step);
        free(values);
    }
    return trio_export_close(job, file, "probes.csv", s, err);
}

/* ---- ledger and solver: the same rows ---- */

static void put_ledger(FILE *file, const ledger_row *l, const solver_row *v) {
    trio_export_number(file, l->time);
    fprintf(file, ",%llu", (unsigned long long)l->step);
#define PUT_ENTRY(name, kind, doc)                                                                                     \
    fputc(',', file);                                                                                                  \
    trio_export_number(file, l->ledger.name);
    TRU_LEDGER_LIST(PUT_ENTRY)
#undef PUT_ENTRY
    fputc(',', file);
    trio_export_number(file, l->gap);
    fprintf(file, ",%llu,%llu,%llu,%lld,%lld", (unsigned long long)v->steps, (unsigned long long)v->unconverged,
            (unsigned long long)v->iterations, (long long)v->most_iterations, (long long)v->contacts);
    put_numbers(file, &v->relative, 1);
    put_numbers(file, &v->worst_time, 1);
    put_numbers(file, v->residual, TRU_KINDS);
    put_numbers(file, &v->lift, 1);
    put_numbers(file, &v->hop, 1);
    fputc('\n', file);
}

static tru_status write_ledger(export_job *job, tru_error *err) {
    const reader *r = &job->r;
    FILE *file;
    tru_status s = trio_export_open(job, "ledger.csv", &file, err);
    if (s < 0) return s;
    fputs("time [s],step", file);
#define PUT_HEAD(name, kind, doc) fputs("," #name " [J]", file);
    TRU_LEDGER_LIST(PUT_HEAD)
#undef PUT_HEAD
    fputs(
        ",gap [J],steps,unconverged,iterations,most_iterations,contacts,relative [-],worst_time [s],residual_normal [m/s],"
        "residual_slide [m/s],residual_spin [rad/s],residual_roll [rad/s],lift [m/s],hop [m/s]\n",
        file);
    for (uint64_t first = 0; s >= 0 && first < r->rows; first += BATCH) {
        const uint64_t count = batch_at(first, r->rows);
        ledger_row *ledger = NULL;
        solver_row *solver = NULL;
        s = trio_reader_take(r, LEDGER, first, 1, count, &ledger, err);
        if (s >= 0) s = trio_reader_take(r, SOLVER, first, 1, count, &solver, err);
        for (uint64_t i = 0; s >= 0 && i < count; i++) put_ledger(file, &ledger[i], &solver[i]);
        free(ledger);
        free(solver);
    }
    return trio_export_close(job, file, "ledger.csv", s, err);
}

/* ---- events ---- */

static const char *body_name(const reader *r, int64_t body) {
    return body >= 0 && body < (int64_t)r->bodies ? r->body[body].name : "";
}

static void put_event(FILE *file, const reader *r, const event_row *e) {
    static const char *const rows[] = {"normal", "slide", "spin", "roll"};
    const bool mode = e->kind == TRU_EVENT_SLIP || e->kind == TRU_EVENT_STICK;
    trio_export_number(file, e->time);
    fprintf(file, ",%s,%s,", tru_event_name(e->kind),
            mode && e->row_kind >= 0 && e->row_kind < TRU_KINDS ? rows[e->row_kind] : "");
    put_cell(file, body_name(r, e->body_a));
    fputc(',', file);
    put_cell(file, body_name(r, e->body_b));
    put_numbers(file, e->position, 3);
    put_numbers(file, &e->speed, 1);
    put_numbers(file, e->orientation, 4);
    put_numbers(file, e->velocity, 3);
    put_numbers(file, e->angular_velocity, 3);
    fprintf(file, ",%s\n", e->limit_case >= 0 ? tru_limit_case_name(e->limit_case) : "");
}

static tru_status write_events(export_job *job, tru_error *err) {
    const reader *r = &job->r;
    FILE *file;
    tru_status s = trio_export_open(job, "events.csv", &file, err);
    if (s < 0) return s;
    fputs("time [s],event,rows,body,other,x [m],y [m],z [m],speed [m/s or rad/s],qw [-],qx [-],qy [-],qz [-],vx [m/s],"
          "vy [m/s],vz [m/s],wx [rad/s],wy [rad/s],wz [rad/s],case\n",
          file);
    for (uint64_t first = 0; s >= 0 && first < r->events; first += BATCH) {
        const uint64_t count = batch_at(first, r->events);
        event_row *events = NULL;
        s = trio_reader_take(r, EVENTS, first, 1, count, &events, err);
        for (uint64_t i = 0; s >= 0 && i < count; i++) put_event(file, r, &events[i]);
        free(events);
    }
    return trio_export_close(job, file, "events.csv", s, err);
}

tru_status trio_export_csv(export_job *job, tru_error *err) {
    tru_status s = write_probes(job, err);
    if (s >= 0) s = write_ledger(job, err);
    if (s >= 0) s = write_events(job, err);
    char kinds[200];
    if (s < 0 || !trio_reader_left_out(&job->r, kinds, sizeof kinds)) return s;
    return trio_fail(err, TRU_REMARK,
                     "events.csv lacks the kinds of events that the scene does not record (record: events): %s", kinds);
}
