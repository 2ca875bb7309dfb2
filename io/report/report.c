/* report.c: packs runs and pages and inserts them into the viewer's template: one HTML file that needs nothing else. */
#include "report_run.h"

#include "common/fail.h"
#include "common/file.h"
#include "common/grow.h"
#include "recording/recording.h"
#include "report_frames.h"
#include "report_run_summary.h"
#include "report_sets.h"
#include "results/results_read.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define MARK "<!--trundle-data-->" /* marks where the template receives the data */

struct tru_report {
    char **blocks; /* base64 */
    size_t count, room;
};

/* ---- what is not there, in words ---- */

static void note(const report_run *run, const char *format, ...) {
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    tru_json_text(run->json, NULL, text);
}

static void add_notes(report_run *run) {
    const reader *r = &run->r;
    const unsigned long long rows = r->rows, events = r->events, frames = r->frames;
    tru_json_array(run->json, "notes");
    if (!*r->summary) note(run, "This run has not finished: the report shows what was written so far.");
    if (r->from_csv)
        note(run, "There is no replay: frames need run.h5, and this run was written by a build without HDF5.");
    if (frames == 0 && !r->from_csv)
        note(run, "There is no replay: no frames were recorded (record: {frames: 20 ms} in the scene).");
    if (frames > 0 && !r->contacts)
        note(run,
             "Contacts were not recorded (record: {contacts: true} in the scene): no contact points, arrows, paths "
             "or friction sets.");
    if (run->frame_step > 1)
        note(run, "Of %llu frames every %llu-th is shown.", frames, (unsigned long long)run->frame_step);
    if (rows > REPORT_ROWS)
        note(run,
             "Of %llu rows of probes, ledger and solver every %llu-th is plotted; trundle export --format csv has "
             "all.",
             rows, (unsigned long long)trio_reader_stride(rows, REPORT_ROWS));
    if (rows == 0) note(run, "There are no plots: no rows of probes, ledger and solver were recorded.");
    if (events > REPORT_EVENTS) note(run, "Of %llu events the first %d are shown.", events, REPORT_EVENTS);
    char kinds[200];
    if (trio_reader_left_out(r, kinds, sizeof kinds))
        note(run, "Events of some kinds were not recorded (record: events in the scene): %s.", kinds);
    tru_json_close(run->json);
}

/* ---- bodies ---- */

static void add_numbers(tru_json *j, const char *key, const double *x, int count) {
    tru_json_array(j, key);
    for (int i = 0; i < count; i++) tru_json_number(j, NULL, x[i]);
    tru_json_close(j);
}

/* Adds the triangles of a hull, which do not follow from its parameters. */
static void add_mesh(tru_json *j, const reader *r, const shape_row *s) {
    tru_mesh m;
    if (strcmp(s->type, "hull") != 0 || !trio_reader_mesh(r, s, &m)) return;
    tru_json_array(j, "points");
    for (int32_t k = 0; k < m.point_count; k++) {
        const double p[3] = {m.points[k].x, m.points[k].y, m.points[k].z};
        for (int c = 0; c < 3; c++) tru_json_number(j, NULL, p[c]);
    }
    tru_json_close(j);
    tru_json_array(j, "triangles");
    for (int32_t k = 0; k < 3 * m.triangle_count; k++) tru_json_integer(j, NULL, m.triangles[k / 3][k % 3]);
    tru_json_close(j);
}

static void add_bodies(report_run *run) {
    static const char *const kinds[] = {"free", "fixed", "driven"};
    tru_json *j = run->json;
    tru_json_array(j, "bodies");
    for (size_t i = 0; i < run->r.bodies; i++) {
        const body_row *b = &run->r.body[i];
        tru_json_object(j, NULL);
        tru_json_text(j, "name", b->name);
        tru_json_text(j, "kind", b->kind >= 0 && b->kind < 3 ? kinds[b->kind] : "free");
        tru_json_number(j, "mass", b->mass);
        tru_json_number(j, "size", b->size);
        tru_json_close(j);
    }
    tru_json_close(j);
    tru_json_array(j, "shapes");
    for (size_t i = 0; i < run->r.shapes; i++) {
        const shape_row *s = &run->r.shape[i];
        tru_json_object(j, NULL);
        tru_json_integer(j, "body", s->body);
        tru_json_text(j, "type", s->type);
        add_numbers(j, "parameters", s->parameters, SHAPE_PARAMETERS);
        add_numbers(j, "position", s->position, 3);
        add_numbers(j, "orientation", s->orientation, 4);
        add_mesh(j, &run->r, s);
        tru_json_close(j);
    }
    tru_json_close(j);
}

/* ---- rows ---- */

typedef struct column {
    const char *name, *unit, *kind, *doc;
    size_t offset;
} column;

static const column ledger_columns[] = {
    {"time", "s", "time", "", offsetof(ledger_row, time)},
#define LEDGER_COLUMN(name, kind, doc) {#name, "J", kind, doc, offsetof(ledger_row, ledger.name)},
    TRU_LEDGER_LIST(LEDGER_COLUMN)
#undef LEDGER_COLUMN
        {"gap", "J", "gap", "change of energy without a recorded cause", offsetof(ledger_row, gap)},
    {0}};
static const column solver_columns[] = {
    {"relative", "-", "residual", "largest residual relative to the velocity scale", offsetof(solver_row, relative)},
    {"residual_normal", "m/s", "residual", "normal rows", offsetof(solver_row, residual[0])},
    {"residual_slide", "m/s", "residual", "slide rows", offsetof(solver_row, residual[1])},
    {"residual_spin", "rad/s", "residual", "spin rows", offsetof(solver_row, residual[2])},
    {"residual_roll", "rad/s", "residual", "roll rows", offsetof(solver_row, residual[3])},
    {0}};

/* One column of rows of `bytes` each, as array "group.name", and what it is. */
static void add_column(report_run *run, const char *group, const column *c, const void *rows, size_t bytes,
                       uint64_t count) {
    char name[72];
    double *values = malloc((count + 1) * sizeof *values);
    snprintf(name, sizeof name, "%s.%s", group, c->name);
    for (uint64_t i = 0; values && i < count; i++)
        memcpy(&values[i], (const char *)rows + i * bytes + c->offset, sizeof *values);
    if (values)
        trio_pack_add(&run->pack, name, PACK_F64, values, count, 0);
    else
        run->pack.lost = true;
    free(values);
    tru_json_object(run->json, NULL);
    tru_json_text(run->json, "name", c->name);
    tru_json_text(run->json, "unit", c->unit);
    tru_json_text(run->json, "kind", c->kind);
    tru_json_text(run->json, "doc", c->doc);
    tru_json_close(run->json);
}

static tru_status add_ledger(report_run *run, uint64_t stride, uint64_t kept, tru_error *err) {
    ledger_row *rows = NULL;
    const tru_status s = trio_reader_take(&run->r, LEDGER, 0, stride, kept, &rows, err);
    tru_json_array(run->json, "ledger");
    for (const column *c = ledger_columns; s >= 0 && c->name; c++)
        add_column(run, "ledger", c, rows, sizeof *rows, kept);
    tru_json_close(run->json);
    free(rows);
    return s;
}

/* Counts of the solver as doubles, alongside its residuals. */
static void add_solver_counts(report_run *run, const solver_row *rows, uint64_t kept) {
    static const column columns[] = {
        {"iterations", "-", "count", "iterations per step, mean since the previous row", 0},
        {"most_iterations", "-", "count", "iterations of the worst step since the previous row", sizeof(double)},
        {"contacts", "-", "count", "active contacts", 2 * sizeof(double)},
        {"unconverged", "-", "count", "steps that did not converge since the previous row", 3 * sizeof(double)}};
    double(*counts)[4] = calloc(kept + 1, sizeof *counts);
    if (!counts) run->pack.lost = true;
    for (uint64_t i = 0; counts && i < kept; i++) {
        counts[i][0] = rows[i].steps ? (double)rows[i].iterations / (double)rows[i].steps : 0.0;
        counts[i][1] = (double)rows[i].most_iterations;
        counts[i][2] = (double)rows[i].contacts;
        counts[i][3] = (double)rows[i].unconverged;
    }
    for (int k = 0; counts && k < 4; k++) add_column(run, "solver", &columns[k], counts, sizeof *counts, kept);
    free(counts);
}

static tru_status add_solver(report_run *run, uint64_t stride, uint64_t kept, tru_error *err) {
    solver_row *rows = NULL;
    const tru_status s = trio_reader_take(&run->r, SOLVER, 0, stride, kept, &rows, err);
    tru_json_array(run->json, "solver");
    for (const column *c = solver_columns; s >= 0 && c->name; c++)
        add_column(run, "solver", c, rows, sizeof *rows, kept);
    if (s >= 0) add_solver_counts(run, rows, kept);
    tru_json_close(run->json);
    free(rows);
    return s;
}

static tru_status add_probes(report_run *run, uint64_t stride, uint64_t kept, tru_error *err) {
    double *values = NULL;
    const size_t n = run->r.probes;
    const tru_status s = trio_reader_take(&run->r, PROBE_VALUE, 0, stride, kept, &values, err);
    tru_json_array(run->json, "probes");
    for (size_t k = 0; s >= 0 && k < n; k++) {
        const column c = {run->r.name[k], run->r.unit[k], "probe", "", k * sizeof(double)};
        add_column(run, "probe", &c, values, n * sizeof(double), kept);
    }
    tru_json_close(run->json);
    free(values);
    return s;
}

static tru_status add_rows(report_run *run, tru_error *err) {
    const uint64_t stride = trio_reader_stride(run->r.rows, REPORT_ROWS), kept = trio_reader_kept(run->r.rows, stride);
    tru_status s = add_ledger(run, stride, kept, err);
    if (s >= 0) s = add_solver(run, stride, kept, err);
    if (s >= 0) s = add_probes(run, stride, kept, err);
    return s;
}

/* ---- events ---- */

static void add_event(tru_json *j, const event_row *e) {
    static const char *const rows[] = {"normal", "slide", "spin", "roll"};
    const bool mode = e->kind == TRU_EVENT_SLIP || e->kind == TRU_EVENT_STICK;
    tru_json_array(j, NULL);
    tru_json_number(j, NULL, e->time);
    tru_json_text(j, NULL, tru_event_name(e->kind));
    tru_json_text(j, NULL, mode && e->row_kind >= 0 && e->row_kind < TRU_KINDS ? rows[e->row_kind] : "");
    tru_json_integer(j, NULL, e->body_a);
    tru_json_integer(j, NULL, e->body_b);
    for (int i = 0; i < 3; i++) tru_json_number(j, NULL, e->position[i]);
    tru_json_number(j, NULL, e->speed);
    tru_json_close(j);
}

static tru_status add_events(report_run *run, tru_error *err) {
    const uint64_t count = run->r.events < REPORT_EVENTS ? run->r.events : REPORT_EVENTS;
    event_row *events = NULL;
    const tru_status s = trio_reader_take(&run->r, EVENTS, 0, 1, count, &events, err);
    tru_json_array(run->json, "events");
    for (uint64_t i = 0; s >= 0 && i < count; i++) add_event(run->json, &events[i]);
    tru_json_close(run->json);
    free(events);
    return s;
}

/* ---- a run ---- */

static void add_provenance(report_run *run) {
    const reader *r = &run->r;
    tru_json *j = run->json;
    tru_json_object(j, "provenance");
    tru_json_text(j, "version", r->version);
    tru_json_text(j, "scene", r->scene_name);
    tru_json_text(j, "scene_hash", r->scene_hash);
    tru_json_text(j, "stepper", r->stepper);
    tru_json_number(j, "step", r->step);
    tru_json_integer(j, "threads", r->threads);
    tru_json_text(j, "date", r->date);
    tru_json_text(j, "command", r->command);
    tru_json_integer(j, "resumes", r->resumes);
    tru_json_close(j);
    tru_json_text(j, "scene", r->scene);
    tru_json_text(j, "summary", r->summary);
}

static tru_status pack_run(report_run *run, const char *label, tru_error *err) {
    tru_json_text(run->json, "kind", "run");
    tru_json_text(run->json, "label", label);
    tru_status s = trio_report_frames(run, err);
    if (s >= 0) s = trio_report_contacts(run, err);
    if (s >= 0) s = trio_report_sets(run, err);
    if (s >= 0) s = add_rows(run, err);
    if (s >= 0) s = add_events(run, err);
    if (s >= 0 && !*run->r.summary) s = trio_report_run_summary(run, err);
    if (s < 0) return s;
    add_notes(run);
    add_bodies(run);
    add_provenance(run);
    trio_pack_describe(&run->pack, run->json);
    return TRU_OK;
}

static tru_status keep_block(tru_report *report, const pack *p, tru_json *json, tru_error *err) {
    size_t length = 0;
    const char *text = tru_json_done(json);
    char *block = text ? trio_pack_encode(p, text, &length) : NULL;
    if (block && GROW(report->blocks, report->room, report->count + 1)) {
        report->blocks[report->count++] = block;
        return TRU_OK;
    }
    free(block);
    return trio_no_memory(err);
}

/* Packs what a reader holds, and closes it. */
static tru_status add_reader(tru_report *report, const reader *r, const char *label, tru_error *err) {
    report_run run = {.r = *r, .json = tru_json_begin()};
    tru_status s = run.json ? TRU_OK : trio_no_memory(err);
    if (s >= 0) {
        tru_json_object(run.json, NULL);
        s = pack_run(&run, label, err);
    }
    if (s >= 0) s = keep_block(report, &run.pack, run.json, err);
    tru_json_free(run.json);
    trio_pack_free(&run.pack);
    trio_reader_close(&run.r);
    return s;
}

tru_status tru_report_add_run(tru_report *report, const char *dir, const char *label, tru_error *err) {
    reader r;
    if (!report || !dir) return trio_fail(err, TRU_BAD_ARGUMENT, "tru_report_add_run needs a report and a folder");
    const tru_status s = trio_results_read(dir, &r, err);
    return s < 0 ? s : add_reader(report, &r, label ? label : dir, err);
}

tru_status tru_report_add_recording(tru_report *report, const tru_recording *recording, const char *label,
                                    tru_error *err) {
    reader r;
    if (!report || !recording)
        return trio_fail(err, TRU_BAD_ARGUMENT, "tru_report_add_recording needs a report and a recording");
    const tru_status s = trio_recording_read(recording, &r, err);
    return s < 0 ? s : add_reader(report, &r, label ? label : "recording", err);
}

const char *tru_report_block(const tru_report *report, size_t k) {
    return report && k < report->count ? report->blocks[k] : NULL;
}

tru_status tru_report_add_page(tru_report *report, tru_json *page, tru_error *err) {
    const pack none = {0};
    if (!report || !page) return trio_fail(err, TRU_BAD_ARGUMENT, "tru_report_add_page needs a report and a page");
    return keep_block(report, &none, page, err);
}

/* ---- the file ---- */

tru_status tru_report_begin(tru_report **out, tru_error *err) {
    *out = calloc(1, sizeof **out);
    return *out ? TRU_OK : trio_no_memory(err);
}

void tru_report_free(tru_report *report) {
    for (size_t i = 0; report && i < report->count; i++) free(report->blocks[i]);
    if (report) free(report->blocks);
    free(report);
}

static size_t append(char *out, size_t at, const char *text, size_t length) {
    memcpy(out + at, text, length);
    return at + length;
}

static tru_status paste(const tru_report *report, const char *before, size_t before_length, const char *after,
                        const char *path, tru_error *err) {
    static const char open[] = "<script type=\"application/octet-stream\" class=\"trundle\">", close[] = "</script>\n";
    size_t room = before_length + strlen(after) + 1, at = 0;
    for (size_t i = 0; i < report->count; i++) room += strlen(report->blocks[i]) + sizeof open + sizeof close;
    char *out = malloc(room);
    if (!out) return trio_no_memory(err);
    at = append(out, at, before, before_length);
    for (size_t i = 0; i < report->count; i++) {
        at = append(out, at, open, sizeof open - 1);
        at = append(out, at, report->blocks[i], strlen(report->blocks[i]));
        at = append(out, at, close, sizeof close - 1);
    }
    at = append(out, at, after, strlen(after));
    const tru_status s = trio_file_replace(path, out, at, false, err);
    free(out);
    return s;
}

tru_status tru_report_write(const tru_report *report, const char *template_path, const char *path, tru_error *err) {
    unsigned char *bytes = NULL;
    size_t count = 0;
    if (!report || !template_path || !path)
        return trio_fail(err, TRU_BAD_ARGUMENT, "tru_report_write needs a report and two paths");
    tru_status s = trio_file_read(template_path, &bytes, &count, err);
    if (s < 0) return s;
    const char *text = (const char *)bytes, *mark = strstr(text, MARK);
    if (mark)
        s = paste(report, text, (size_t)(mark - text), mark + strlen(MARK), path, err);
    else
        s = trio_fail(err, TRU_DAMAGED, "%s: is not a report template", template_path);
    free(bytes);
    return s;
}
