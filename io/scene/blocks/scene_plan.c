/* scene_plan.c: reads `record` and `stop_when`. */
#include "scene_plan.h"

#include <stdio.h>
#include <string.h>

typedef const char *probe_name; /* an item of the list of probes */

static const tru_field probe_name_fields[] = {
    {.name = "name", .type = TRU_FIELD_TEXT, .default_value = TRU_REQUIRED, .doc = "Name of a probe.", .offset = 0},
    {.name = NULL},
};

#define EVENT_WORD(name, text) "|" text
static const tru_field event_name_fields[] = {
    {.name = "kind",
     .type = TRU_FIELD_CHOICE,
     .default_value = TRU_REQUIRED,
     .words = &("" TRU_EVENT_LIST(EVENT_WORD) "|none")[1],
     .doc = "Kind of an event.",
     .offset = 0},
    {.name = NULL},
};

static const int32_t no_event = TRU_EVENT_KINDS; /* behind the last kind */

const tru_field trio_record_fields[] = {
    TRU_REAL(record_def, until, TRU_UNIT_S, TRU_REQUIRED, TRU_FROM_ZERO, "Simulated time at which the run ends."),
    TRU_REAL(record_def, frames, TRU_UNIT_S, TRU_DERIVED, TRU_FROM_ZERO,
             "Simulated time between frames, the poses of all bodies (default: until/300); 0: none."),
    TRU_LIST(record_def, probes, TRU_UNIT_MISSING, 0, probe_name, probe_name_fields, "Names of the probes to record."),
    TRU_LIST(record_def, events, TRU_UNIT_MISSING, TRU_DERIVED, int32_t, event_name_fields,
             "Kinds of events to write (default: all), or none. Stop conditions and the summary of a run see all."),
    TRU_REAL(record_def, interval, TRU_UNIT_S, TRU_DERIVED, TRU_FROM_ZERO,
             "Simulated time between rows of probes, ledger and solver (default: until/1000); 0: every step."),
    TRU_BOOLEAN(record_def, contacts, false, "Record all contacts with each frame."),
    TRU_REAL(record_def, snapshots, TRU_UNIT_S, 60.0, TRU_FROM_ZERO,
             "Wall time between snapshots from which a run can be resumed; 0: none but the last."),
    {.name = "double",
     .type = TRU_FIELD_BOOLEAN,
     .doc = "Frames in double precision instead of single.",
     .offset = offsetof(record_def, wide)},
    {.name = NULL},
};

/* ---- record ---- */

tru_status trio_read_record(reader *r, const scene_model *m, record_def *out) {
    const node_id n = scene_section(m, SECTION_record);
    const block b = {"record", trio_record_fields, NULL, NULL};
    *out = (record_def){.until = 0.0};
    trio_block_defaults(&b, out);
    if (!n)
        return trio_tree_fail(r->t, TREE_ROOT, false, r->err, TRU_BAD_ARGUMENT,
                              "record is missing; write 'record: {until: 1 s}', for example");
    const tru_status s = trio_read_block(r, &b, n, out);
    if (out->events.items && out->events.count == 0) out->events = (tru_list){&no_event, 1}; /* [] is not all */
    return s;
}

static uint32_t left_out(const tru_list *events) {
    uint32_t bits = events->count > 0 ? (1u << no_event) - 1u : 0u;
    for (size_t k = 0; k < events->count; k++) bits &= ~(1u << ((const int32_t *)events->items)[k]);
    return bits;
}

tru_status trio_read_plan(reader *r, scene_model *m) {
    record_def d;
    const tru_status s = trio_read_record(r, m, &d);
    if (s < 0) return s;
    const char **names = trio_store_take(r->memory, d.probes.count * sizeof *names);
    for (size_t k = 0; names && k < d.probes.count; k++)
        if (!(names[k] = trio_store_text(r->memory, ((const char *const *)d.probes.items)[k])))
            return trio_no_memory(r->err);
    if (!names) return trio_no_memory(r->err);
    m->plan = (tru_plan){.until = d.until,
                         .frames = d.frames == TRU_DERIVED ? d.until / 300.0 : d.frames,
                         .probes = d.interval == TRU_DERIVED ? d.until / 1000.0 : d.interval,
                         .snapshots = d.snapshots,
                         .contacts = d.contacts,
                         .frames_double = d.wide,
                         .events_left_out = left_out(&d.events),
                         .probe_names = names,
                         .probe_count = d.probes.count};
    return TRU_OK;
}

/* ---- stop_when ---- */

typedef struct event_def {
    int32_t kind, row, count;
    tru_id body;
} event_def;

const tru_field trio_event_fields[] = {
    TRU_CHOICE(event_def, kind, &("" TRU_EVENT_LIST(EVENT_WORD))[1], TRU_REQUIRED, "What must happen."),
    TRU_CHOICE(event_def, row, "any|slide|spin|roll", 0, "Of slip and stick: which."),
    TRU_REFERENCE(event_def, body, "body", 0, "Of this body only (default: of any)."),
    TRU_INTEGER(event_def, count, 1, TRU_RANGE(1, 2147483647), "How often."),
    {.name = NULL},
};

const extra_key trio_stop_keys[] = {
    {"rest", "true or a body", "All free bodies are at rest, or that body is."},
    {"flat", "true or a body", "A face of any body, or of that one, lies on a plane."},
    {"event", "block", "An event has happened."},
    {"probe", "block", "A probe lies above or below a value."},
    {NULL, NULL, NULL},
};
const extra_key trio_probe_keys[] = {
    {"name", "text", "The probe."},
    {"above", "number", "Stops above this value, in the unit of the probe."},
    {"below", "number", "Stops below this value."},
    {NULL, NULL, NULL},
};

/* true, or the name of a body. */
static tru_status read_rest(reader *r, const char *what, const char *label, node_id n, const char **body, bool *on) {
    const char *text = trio_tree_text(r->t, n);
    tru_id id;
    *on = true;
    const bool word = strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
    if (word && !r->t->nodes[n].quoted) return trio_read_boolean(r, what, label, n, on);
    *body = text;
    return trio_read_reference(r, what, label, "body", n, &id);
}

static tru_status read_event(reader *r, const char *what, node_id n, scene_stop *out) {
    char who[160];
    snprintf(who, sizeof who, "%s: event", what);
    const block b = {who, trio_event_fields, NULL, NULL};
    event_def d = {0};
    trio_block_defaults(&b, &d);
    const tru_status s = trio_read_block(r, &b, n, &d);
    if (s < 0) return s;
    const node_id body = trio_tree_find(r->t, n, "body");
    out->event = d.kind;
    out->row_kind = d.row == 0 ? -1 : d.row;
    out->count = d.count;
    out->body = body ? trio_tree_text(r->t, body) : NULL;
    if (d.row != 0 && d.kind != TRU_EVENT_SLIP && d.kind != TRU_EVENT_STICK)
        return trio_wrong_value(r, who, "row", trio_tree_find(r->t, n, "row"), "which applies only to slip and stick");
    return TRU_OK;
}

static tru_status read_probe(reader *r, const char *what, node_id n, scene_stop *out) {
    char who[160];
    snprintf(who, sizeof who, "%s: probe", what);
    const block b = {who, NULL, NULL, trio_probe_keys};
    tru_status s = trio_read_block(r, &b, n, NULL);
    if (s < 0) return s;
    const node_id name = trio_tree_find(r->t, n, "name"), above = trio_tree_find(r->t, n, "above");
    const node_id below = trio_tree_find(r->t, n, "below");
    if (!name) return trio_tree_fail(r->t, n, false, r->err, TRU_BAD_ARGUMENT, "%s: name is missing", who);
    if (!above == !below)
        return trio_tree_fail(r->t, n, false, r->err, TRU_BAD_ARGUMENT, "%s: give one of above and below", who);
    out->below = below != 0;
    s = trio_read_word(r, who, "name", name, &out->probe);
    return s ? s : trio_read_quantity(r, who, below ? "below" : "above", below ? below : above, &out->limit);
}

/* Reads one key of a condition. If `on` is false ("rest: false"), it has no effect. */
static tru_status read_stop(reader *r, const char *what, node_id n, scene_stop *out, bool *on) {
    const char *key = trio_tree_key(r->t, n);
    *on = true;
    *out = (scene_stop){.count = 1, .row_kind = -1};
    while (strcmp(trio_stop_keys[out->kind].name, key) != 0) out->kind++; /* in the order of scene_stop_kind */
    switch (out->kind) {
    case STOP_REST:
    case STOP_FLAT:
        return read_rest(r, what, key, n, &out->body, on);
    case STOP_EVENT:
        return read_event(r, what, n, out);
    default:
        return read_probe(r, what, n, out);
    }
}

static tru_status read_condition(reader *r, scene_model *m, const char *what, const char *path, node_id n) {
    const block b = {what, NULL, NULL, trio_stop_keys};
    tru_status s = trio_read_block(r, &b, n, NULL);
    for (node_id c = s ? 0 : trio_tree_first(r->t, n); c && !s; c = trio_tree_next(r->t, c)) {
        char where[200];
        bool on;
        scene_stop *stop = &m->stops[m->stop_count];
        s = read_stop(r, what, c, stop, &on);
        const bool body = stop->body, probe = stop->probe;
        snprintf(where, sizeof where, "%s.%s", path, trio_tree_key(r->t, c));
        if (s < 0) return s;
        stop->path = trio_store_text(r->memory, where);
        if (stop->body) stop->body = trio_store_text(r->memory, stop->body);
        if (stop->probe) stop->probe = trio_store_text(r->memory, stop->probe);
        if (!stop->path || (body && !stop->body) || (probe && !stop->probe)) return trio_no_memory(r->err);
        m->stop_count += on;
    }
    return s;
}

static size_t count_conditions(const tree *t, node_id n) {
    size_t count = 0;
    if (trio_tree_kind(t, n) != NODE_LIST) return trio_tree_count(t, n);
    for (node_id c = trio_tree_first(t, n); c; c = trio_tree_next(t, c)) count += trio_tree_count(t, c);
    return count;
}

tru_status trio_read_stops(reader *r, scene_model *m) {
    const node_id n = scene_section(m, SECTION_stop_when);
    char what[80], path[80];
    size_t k = 0;
    tru_status s = TRU_OK;
    if (!n || trio_tree_is_empty(r->t, n)) return TRU_OK;
    m->stops = trio_store_take(r->memory, count_conditions(r->t, n) * sizeof *m->stops);
    if (!m->stops) return trio_no_memory(r->err);
    if (trio_tree_kind(r->t, n) != NODE_LIST) return read_condition(r, m, "stop_when", "stop_when", n);
    for (node_id c = trio_tree_first(r->t, n); c && !s; c = trio_tree_next(r->t, c), k++) {
        snprintf(what, sizeof what, "stop_when[%zu]", k);
        snprintf(path, sizeof path, "stop_when.%zu", k);
        s = read_condition(r, m, what, path, c);
    }
    return s;
}
