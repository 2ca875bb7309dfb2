/* csv_reader.c: reads the CSV files of a run into memory. */
#include "csv_reader.h"

#include "common/fail.h"
#include "common/file.h"
#include "common/grow.h"
#include "scene/values/expression.h"

#include <trundle/analysis.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>

/* ---- lines and cells ---- */

/* A file whose text is cut into cells line by line. */
typedef struct csv_text {
    char *path, *text, *next; /* next: the following line */
    char **cells;
    size_t count, room;
    unsigned long long line;
    bool wrong;           /* a cell is not what it must be */
    bool short_of_memory; /* a line could not be read for lack of memory */
} csv_text;

static tru_status open_text(const char *dir, const char *name, csv_text *c, tru_error *err) {
    unsigned char *bytes = NULL;
    size_t count = 0;
    *c = (csv_text){.path = trio_file_join(dir, name)};
    if (!c->path) return trio_no_memory(err);
    const tru_status s = trio_file_read(c->path, &bytes, &count, err);
    c->text = c->next = (char *)bytes;
    return s;
}

/* Closes a file that was read with status `s`. Returns it, or TRU_NO_MEMORY if a line could not be read. */
static tru_status close_text(csv_text *c, tru_status s, tru_error *err) {
    free(c->path);
    free(c->text);
    free(c->cells);
    return s >= 0 && c->short_of_memory ? trio_no_memory(err) : s;
}

/* Ends the cell at `from` and returns what follows it. Quotes around it are removed, doubled ones become one. */
static char *end_cell(char *from, bool *last) {
    char *to = from;
    bool quoted = false;
    for (; *from && (quoted || (*from != ',' && *from != '\n')); from++) {
        if (*from == '"' && quoted && from[1] == '"')
            *to++ = *from++;
        else if (*from == '"')
            quoted = !quoted;
        else
            *to++ = *from;
    }
    *last = *from != ',';
    char *next = *from ? from + 1 : from;
    *to = '\0';
    return next;
}

/* Cuts the next line into cells. Returns false at the end of the file, or if memory is short. */
static bool next_line(csv_text *c) {
    bool last = false;
    if (!*c->next) return false;
    c->line++;
    for (c->count = 0; !last; c->count++) {
        c->short_of_memory = !GROW(c->cells, c->room, c->count + 1);
        if (c->short_of_memory) return false;
        c->cells[c->count] = c->next;
        c->next = end_cell(c->next, &last);
    }
    return true;
}

static double real_at(csv_text *c, size_t k) {
    quantity q;
    if (k >= c->count || !*c->cells[k]) return NAN; /* the writer leaves out what is not finite */
    const tru_status s = trio_expression_value(c->cells[k], NULL, &q, NULL);
    c->short_of_memory |= s == TRU_NO_MEMORY;
    c->wrong |= s != TRU_OK;
    return c->wrong ? NAN : q.value;
}

static uint64_t whole_at(csv_text *c, size_t k) {
    char *end;
    const unsigned long long value = k < c->count ? strtoull(c->cells[k], &end, 10) : 0;
    c->wrong |= k >= c->count || !*c->cells[k] || *end;
    return value;
}

static void reals_at(csv_text *c, size_t k, double *out, size_t count) {
    for (size_t i = 0; i < count; i++) out[i] = real_at(c, k + i);
}

static tru_status check_line(const csv_text *c, size_t cells, tru_error *err) {
    if (c->short_of_memory) return trio_no_memory(err);
    if (!c->wrong && c->count == cells) return TRU_OK;
    return trio_fail(err, TRU_DAMAGED, "%s:%llu: is damaged: the line is not a row of trundle's results", c->path,
                     c->line);
}

/* ---- probes ---- */

/* Copies "ball.speed [m/s]" of the head as a name and a unit. Sets `wrong` if the head is another. */
static bool take_probes(csv_text *c, reader *r) {
    size_t bytes = 0;
    const size_t n = c->count > 2 ? c->count - 2 : 0;
    for (size_t k = 0; k < n; k++) bytes += strlen(c->cells[k + 2]) + 1;
    c->wrong |= c->count < 2 || strcmp(c->cells[0], "time [s]") != 0 || strcmp(c->cells[1], "step") != 0;
    if (n == 0 || c->wrong) return true;
    r->name = malloc(n * sizeof *r->name + bytes); /* one block: pointers, and behind them the texts */
    r->unit = malloc(n * sizeof *r->unit);
    if (!r->name || !r->unit) return false;
    char *at = (char *)(r->name + n);
    for (size_t k = 0; k < n; k++) {
        const size_t size = strlen(c->cells[k + 2]) + 1;
        memcpy(at, c->cells[k + 2], size);
        char *unit = strrchr(at, '['), *close = unit ? strchr(unit, ']') : NULL;
        c->wrong |= !close || unit < at + 2;
        if (c->wrong) return true;
        unit[-1] = *close = '\0';
        r->name[k] = at;
        r->unit[k] = unit + 1;
        at += size;
    }
    r->probes = n;
    return true;
}

tru_status trio_csv_read_probes(const char *dir, reader *r, row_memory *m, tru_error *err) {
    csv_text c;
    tru_status s = open_text(dir, "probes.csv", &c, err);
    if (s >= 0 && !next_line(&c)) c.wrong = true;
    if (s >= 0 && !c.wrong && !take_probes(&c, r)) s = trio_no_memory(err);
    if (s >= 0 && c.wrong) s = check_line(&c, 0, err);
    double *values = malloc((r->probes + 1) * sizeof *values);
    if (s >= 0 && !values) s = trio_no_memory(err);
    while (s >= 0 && next_line(&c)) {
        const double time = real_at(&c, 0);
        const uint64_t step = whole_at(&c, 1);
        reals_at(&c, 2, values, r->probes);
        s = check_line(&c, r->probes + 2, err);
        if (s >= 0 &&
            !(trio_memory_append(m, PROBE_VALUE, values, 1, r->probes) &&
              trio_memory_append(m, PROBE_STEP, &step, 1, 0) && trio_memory_append(m, PROBE_TIME, &time, 1, 0)))
            s = trio_no_memory(err);
    }
    free(values);
    return close_text(&c, s, err);
}

/* ---- ledger and solver ---- */

enum { LEDGER_ENTRIES = sizeof(tru_ledger) / sizeof(double), LEDGER_CELLS = 2 + LEDGER_ENTRIES + 1 + 5 + 8 };

static void read_ledger(csv_text *c, ledger_row *l, solver_row *v) {
    double entries[LEDGER_ENTRIES];
    size_t k = 2;
    l->time = v->time = real_at(c, 0);
    l->step = v->step = whole_at(c, 1);
    reals_at(c, k, entries, LEDGER_ENTRIES);
    memcpy(&l->ledger, entries, sizeof entries);
    k += LEDGER_ENTRIES;
    l->gap = real_at(c, k++);
    v->steps = whole_at(c, k++);
    v->unconverged = whole_at(c, k++);
    v->iterations = whole_at(c, k++);
    v->most_iterations = (int64_t)whole_at(c, k++);
    v->contacts = (int64_t)whole_at(c, k++);
    v->relative = real_at(c, k++);
    v->worst_time = real_at(c, k++);
    reals_at(c, k, v->residual, TRU_KINDS);
    v->lift = real_at(c, k + TRU_KINDS);
    v->hop = real_at(c, k + TRU_KINDS + 1);
}

tru_status trio_csv_read_ledger(const char *dir, row_memory *m, tru_error *err) {
    csv_text c;
    tru_status s = open_text(dir, "ledger.csv", &c, err);
    if (s >= 0) {
        c.wrong = !next_line(&c);
        s = check_line(&c, LEDGER_CELLS, err);
    }
    while (s >= 0 && next_line(&c)) {
        ledger_row l = {0};
        solver_row v = {0};
        read_ledger(&c, &l, &v);
        s = check_line(&c, LEDGER_CELLS, err);
        if (s >= 0 && !(trio_memory_append(m, LEDGER, &l, 1, 0) && trio_memory_append(m, SOLVER, &v, 1, 0)))
            s = trio_no_memory(err);
    }
    return close_text(&c, s, err);
}

/* ---- events ---- */

enum { EVENT_CELLS = 20 };

/* Returns the row of a body, which is added if it is new; -1 for "". */
static int64_t body_row_of(csv_text *c, row_memory *m, const char *name) {
    const row_bytes *t = &m->tables[BODIES];
    body_row b = {.id = t->rows + 1, .mass = NAN, .size = NAN};
    for (uint64_t k = 0; k < t->rows; k++) {
        const char *known = (const char *)t->bytes + k * sizeof b + offsetof(body_row, name);
        if (strncmp(known, name, NAME_BYTES - 1) == 0) return (int64_t)k;
    }
    snprintf(b.name, sizeof b.name, "%s", name);
    if (!*name) return -1;
    c->short_of_memory |= !trio_memory_append(m, BODIES, &b, 1, 0);
    return (int64_t)t->rows - 1;
}

/* Returns the number of a word that `name_of` gives. Sets `wrong` if there is none. */
static int32_t word_at(csv_text *c, size_t k, const char *(*name_of)(int), int count) {
    for (int i = 0; k < c->count && i < count; i++)
        if (strcmp(name_of(i), c->cells[k]) == 0) return i;
    c->wrong = true;
    return 0;
}

static const char *row_word(int k) {
    static const char *const rows[] = {"normal", "slide", "spin", "roll"};
    return rows[k];
}

static void read_event(csv_text *c, row_memory *m, event_row *e) {
    enum { CASES = 64 };
    const char *rows = c->cells[2], *which = c->cells[19];
    e->time = real_at(c, 0);
    e->kind = word_at(c, 1, tru_event_name, TRU_EVENT_KINDS);
    e->row_kind = *rows ? word_at(c, 2, row_word, TRU_KINDS) : TRU_KIND_NORMAL;
    e->body_a = body_row_of(c, m, c->cells[3]);
    e->body_b = body_row_of(c, m, c->cells[4]);
    reals_at(c, 5, e->position, 3);
    e->speed = real_at(c, 8);
    reals_at(c, 9, e->orientation, 4);
    reals_at(c, 13, e->velocity, 3);
    reals_at(c, 16, e->angular_velocity, 3);
    e->limit_case = *which ? word_at(c, 19, tru_limit_case_name, CASES) : -1;
}

tru_status trio_csv_read_events(const char *dir, row_memory *m, tru_error *err) {
    csv_text c;
    tru_status s = open_text(dir, "events.csv", &c, err);
    if (s >= 0) {
        c.wrong = !next_line(&c);
        s = check_line(&c, EVENT_CELLS, err);
    }
    while (s >= 0 && next_line(&c)) {
        event_row e = {0};
        s = check_line(&c, EVENT_CELLS, err);
        if (s >= 0) read_event(&c, m, &e);
        if (s >= 0) s = check_line(&c, EVENT_CELLS, err);
        if (s >= 0 && !trio_memory_append(m, EVENTS, &e, 1, 0)) s = trio_no_memory(err);
    }
    return close_text(&c, s, err);
}
