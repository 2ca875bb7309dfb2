/* probe.c: probes by name: patterns of probe_list.def against the bodies of a world, and what to say when none fits. */
#include "probe.h"

#include "common/fail.h"
#include "probe_values.h"

#include <trundle/analysis.h>

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define BODY_PREFIX    "BODY."
#define CONTACT_PREFIX "CONTACT."
#define JOINT_PREFIX   "JOINT."
#define OUTLET_PREFIX  "OUTLET."
enum { LONGEST = 128 }; /* bytes of a body's name or of a probe's */

const tru_probe_info *tru_probe_list(void) {
    static const tru_probe_info list[] = {
#define PROBE(name, unit, doc, function, index) {name, TRU_UNIT_##unit, doc},
#include "probe_list.def"
#undef PROBE
        {NULL, TRU_UNIT_MISSING, NULL}};
    return list;
}

/* ---- patterns ---- */

static probe_scope scope_of(const probe_row *row) {
    if (strncmp(row->name, BODY_PREFIX, strlen(BODY_PREFIX)) == 0) return PROBE_BODY;
    if (strncmp(row->name, JOINT_PREFIX, strlen(JOINT_PREFIX)) == 0) return PROBE_JOINT;
    if (strncmp(row->name, OUTLET_PREFIX, strlen(OUTLET_PREFIX)) == 0) return PROBE_OUTLET;
    return strncmp(row->name, CONTACT_PREFIX, strlen(CONTACT_PREFIX)) == 0 ? PROBE_CONTACT : PROBE_WORLD;
}

/* Returns what follows BODY, CONTACT, JOINT or OUTLET in a pattern: ".speed". */
static const char *tail_of(const probe_row *row) {
    const probe_scope scope = scope_of(row);
    return scope == PROBE_WORLD ? row->name : strchr(row->name, '.');
}

/* If `name` ends in the tail of the pattern, returns the length of what precedes the tail; otherwise 0. */
static size_t head_length(const probe_row *row, const char *name) {
    const size_t length = strlen(name), tail = strlen(tail_of(row));
    return length > tail && strcmp(name + length - tail, tail_of(row)) == 0 ? length - tail : 0;
}

static bool copy_name(const char *from, size_t length, char out[LONGEST]) {
    if (length == 0 || length >= LONGEST) return false;
    memcpy(out, from, length);
    out[length] = '\0';
    return true;
}

/* Finds a body that exists or that an emitter will add. */
static tru_id body_named(const probe_place *l, const char *name, size_t length) {
    char text[LONGEST];
    if (!copy_name(name, length, text)) return TRU_NONE;
    const tru_id id = tru_body_find(l->world, text);
    return id == TRU_NONE && l->comes && l->comes(l->of, text) ? PROBE_LATER : id;
}

/* Takes "#2" (the second of the contacts meant) or "@7" (the one with feature 7) off the end of a contact's name. */
static size_t take_number(const char *head, size_t length, probe *p) {
    size_t digits = 0;
    while (digits < length && head[length - digits - 1] >= '0' && head[length - digits - 1] <= '9') digits++;
    const char mark = digits < length ? head[length - digits - 1] : ' ';
    if (digits == 0 || digits > 9 || (mark != '#' && mark != '@')) return length;
    const long number = strtol(head + length - digits, NULL, 10);
    if (mark == '#' && number == 0) return length;
    if (mark == '#') p->number = (int32_t)number;
    if (mark == '@') p->has_feature = true, p->feature = (int32_t)number;
    return length - digits - 1;
}

/* "contact", "BODY.contact", "contact(A,B)", each with "#2" or "@7" behind it: which contact the first `length` letters mean. */
static bool find_contact(const probe_place *w, const char *head, size_t length, probe *p) {
    static const char dotted[] = ".contact", pair[] = "contact(";
    const size_t tail = sizeof dotted - 1, open = sizeof pair - 1;
    length = take_number(head, length, p);
    if (length == tail - 1 && memcmp(head, dotted + 1, length) == 0) return true;
    if (length > tail && memcmp(head + length - tail, dotted, tail) == 0) {
        p->a = body_named(w, head, length - tail);
        if (p->a != TRU_NONE) return true;
    }
    if (length < open + 2 || memcmp(head, pair, open) != 0 || head[length - 1] != ')') return false;
    for (size_t comma = open + 1; comma + 1 < length; comma++) { /* names may hold commas: try each */
        if (head[comma] != ',') continue;
        const size_t second = comma + 1 + strspn(head + comma + 1, " ");
        p->a = body_named(w, head + open, comma - open);
        p->b = second < length - 1 ? body_named(w, head + second, length - 1 - second) : TRU_NONE;
        if (p->a != TRU_NONE && p->b != TRU_NONE && p->a != p->b) return true;
    }
    return false;
}

/* "joint(NAME)": which joint the first `length` letters mean; none: its parentheses are there, but no such joint. */
static bool find_joint(const tru_world *w, const char *head, size_t length, probe *p) {
    static const char open[] = "joint(";
    const size_t start = sizeof open - 1;
    char name[LONGEST];
    if (length < start + 2 || memcmp(head, open, start) != 0 || head[length - 1] != ')') return false;
    if (!copy_name(head + start, length - start - 1, name)) return false;
    p->a = tru_joint_find(w, name);
    return true;
}

/* "outlet(NAME)" in the same way. */
static bool find_outlet(const outlet_list *outlets, const char *head, size_t length, probe *p) {
    static const char open[] = "outlet(";
    const size_t start = sizeof open - 1;
    char name[LONGEST];
    if (length < start + 2 || memcmp(head, open, start) != 0 || head[length - 1] != ')') return false;
    if (!copy_name(head + start, length - start - 1, name)) return false;
    for (size_t i = 0; outlets && i < outlets->count; i++)
        if (strcmp(outlets->items[i].name, name) == 0) p->a = i + 1;
    return true;
}

static bool matches(const probe_place *l, const probe_row *row, const char *name, probe *p) {
    *p = (probe){.row = row};
    if (scope_of(row) == PROBE_WORLD) return strcmp(name, row->name) == 0;
    const size_t head = head_length(row, name);
    if (head == 0) return false;
    if (scope_of(row) == PROBE_CONTACT) return find_contact(l, name, head, p);
    if (scope_of(row) == PROBE_JOINT) return find_joint(l->world, name, head, p) && p->a != TRU_NONE;
    if (scope_of(row) == PROBE_OUTLET) return find_outlet(l->outlets, name, head, p) && p->a != TRU_NONE;
    p->a = body_named(l, name, head);
    return p->a != TRU_NONE;
}

bool trio_probe_unit(const char *name, tru_unit *unit) {
    size_t longest = 0;
    for (const probe_row *row = trio_probe_rows; row->name; row++) {
        const size_t tail = strlen(tail_of(row));
        const bool fits = scope_of(row) == PROBE_WORLD ? strcmp(name, row->name) == 0 : head_length(row, name) > 0;
        if (!fits || tail <= longest) continue;
        *unit = row->unit;
        longest = tail;
    }
    return longest > 0;
}

double trio_probe_value(const probe_view *view, const probe *p) { return p->row->value(view, p, p->row->index); }

/* ---- what to say ---- */

/* Returns the nearest pattern of a scope, with tails without their dot; NULL if none is near. */
static const char *nearest_tail(probe_scope scope, const char *tail) {
    enum { MOST = 256 };
    const char *names[MOST];
    size_t count = 0;
    for (const probe_row *row = trio_probe_rows; row->name && count < MOST; row++)
        if (scope_of(row) == scope) names[count++] = tail_of(row) + (scope == PROBE_WORLD ? 0 : 1);
    return tru_nearest_name(tail, names, count);
}

static const char *nearest_body(const tru_world *w, const char *name) {
    const size_t count = tru_body_count(w);
    const char **names = malloc((count + 1) * sizeof *names), *near = NULL;
    for (size_t i = 0; names && i < count; i++) {
        tru_body_info info = {0};
        names[i] = tru_body_describe(w, tru_body_at(w, i), &info, NULL) >= 0 ? info.name : NULL;
    }
    if (names) near = tru_nearest_name(name, names, count);
    free(names);
    return near;
}

static tru_status no_body(const tru_world *w, const char *name, const char *head, size_t length, tru_error *err) {
    char body[LONGEST];
    if (!copy_name(head, length, body)) return trio_fail(err, TRU_UNKNOWN_NAME, "no probe '%s'", name);
    const char *near = nearest_body(w, body);
    if (near) return trio_fail(err, TRU_UNKNOWN_NAME, "probe '%s': no body '%s'; did you mean '%s'?", name, body, near);
    return trio_fail(err, TRU_UNKNOWN_NAME, "probe '%s': no body '%s'", name, body);
}

/* An unknown joint, or a known one with an unknown quantity behind the dot. */
static tru_status no_joint_tail(const tru_world *w, const char *name, size_t dot, const probe *p, tru_error *err) {
    enum { MOST = 256 };
    const char *names[MOST], *near;
    size_t count = 0;
    if (p->a != TRU_NONE) {
        near = nearest_tail(PROBE_JOINT, name + dot + 1);
        if (near)
            return trio_fail(err, TRU_UNKNOWN_NAME, "no probe '%s'; did you mean '%.*s.%s'?", name, (int)dot, name,
                             near);
        return trio_fail(err, TRU_UNKNOWN_NAME, "no probe '%s': a joint has no '%s'", name, name + dot + 1);
    }
    char own[LONGEST];
    copy_name(name + strlen("joint("), dot - strlen("joint()"), own);
    for (; count < MOST && count < tru_joint_count(w); count++) {
        tru_joint_info info = {0};
        names[count] = tru_joint_get(w, tru_joint_id(w, count), &info, NULL) >= 0 ? info.name : NULL;
    }
    near = tru_nearest_name(own, names, count);
    if (near) return trio_fail(err, TRU_UNKNOWN_NAME, "probe '%s': no joint '%s'; did you mean '%s'?", name, own, near);
    return trio_fail(err, TRU_UNKNOWN_NAME, "probe '%s': no joint '%s'", name, own);
}

/* Writes the sentence for outlets in the same way. */
static tru_status no_outlet_tail(const outlet_list *outlets, const char *name, size_t dot, const probe *p,
                                 tru_error *err) {
    enum { MOST = 256 };
    const char *names[MOST], *near;
    size_t count = 0;
    if (p->a != TRU_NONE) {
        near = nearest_tail(PROBE_OUTLET, name + dot + 1);
        if (near)
            return trio_fail(err, TRU_UNKNOWN_NAME, "no probe '%s'; did you mean '%.*s.%s'?", name, (int)dot, name,
                             near);
        return trio_fail(err, TRU_UNKNOWN_NAME, "no probe '%s': an outlet has no '%s'", name, name + dot + 1);
    }
    char own[LONGEST];
    copy_name(name + strlen("outlet("), dot - strlen("outlet()"), own);
    for (; outlets && count < MOST && count < outlets->count; count++) names[count] = outlets->items[count].name;
    near = tru_nearest_name(own, names, count);
    if (near)
        return trio_fail(err, TRU_UNKNOWN_NAME, "probe '%s': no outlet '%s'; did you mean '%s'?", name, own, near);
    return trio_fail(err, TRU_UNKNOWN_NAME, "probe '%s': no outlet '%s'", name, own);
}

/* A known body (or contact) with an unknown quantity: the longest head that exists decides. */
static tru_status no_tail(const probe_place *l, const char *name, tru_error *err) {
    for (size_t dot = strlen(name); dot-- > 1;) {
        probe p = {0};
        if (name[dot] != '.') continue;
        if (find_joint(l->world, name, dot, &p)) return no_joint_tail(l->world, name, dot, &p, err);
        if (find_outlet(l->outlets, name, dot, &p)) return no_outlet_tail(l->outlets, name, dot, &p, err);
        const bool contact = find_contact(l, name, dot, &p);
        if (!contact && body_named(l, name, dot) == TRU_NONE) continue;
        const char *near = nearest_tail(contact ? PROBE_CONTACT : PROBE_BODY, name + dot + 1);
        if (near)
            return trio_fail(err, TRU_UNKNOWN_NAME, "no probe '%s'; did you mean '%.*s.%s'?", name, (int)dot, name,
                             near);
        return trio_fail(err, TRU_UNKNOWN_NAME, "no probe '%s': a %s has no '%s'", name, contact ? "contact" : "body",
                         name + dot + 1);
    }
    return TRU_OK;
}

static tru_status unknown(const probe_place *l, const char *name, tru_error *err) {
    static const char pair[] = "contact(";
    const tru_world *w = l->world;
    const tru_status s = no_tail(l, name, err);
    if (s < 0) return s;
    const char *near = nearest_tail(PROBE_WORLD, name), *close = strrchr(name, ')');
    if (near) return trio_fail(err, TRU_UNKNOWN_NAME, "no probe '%s'; did you mean '%s'?", name, near);
    if (strncmp(name, pair, sizeof pair - 1) == 0 && close) {
        const char *first = name + sizeof pair - 1, *comma = strchr(first, ',');
        if (!comma || comma > close)
            return trio_fail(err, TRU_UNKNOWN_NAME, "probe '%s': a contact needs two bodies, contact(A,B)", name);
        const char *second = comma + 1 + strspn(comma + 1, " ");
        if (body_named(l, first, (size_t)(comma - first)) == TRU_NONE)
            return no_body(w, name, first, (size_t)(comma - first), err);
        if (body_named(l, second, (size_t)(close - second)) != TRU_NONE)
            return trio_fail(err, TRU_UNKNOWN_NAME,
                             "no probe '%s': after %.*s write #1, #2, ... or @FEATURE, then a quantity", name,
                             (int)(close + 1 - name), name);
        return no_body(w, name, second, (size_t)(close - second), err);
    }
    size_t head = 0; /* a known quantity of an unknown body: the longest quantity decides */
    for (const probe_row *row = trio_probe_rows; row->name; row++) {
        const size_t length = scope_of(row) == PROBE_WORLD ? 0 : head_length(row, name);
        if (length > 0 && (head == 0 || length < head)) head = length;
    }
    if (head == 0) return trio_fail(err, TRU_UNKNOWN_NAME, "no probe '%s'; `trundle list probes` shows all", name);
    static const char contact[] = ".contact";
    const size_t tail = sizeof contact - 1;
    if (head > tail && memcmp(name + head - tail, contact, tail) == 0) head -= tail;
    return no_body(w, name, name, head, err);
}

/* Refuses probes of a disk for bodies that are not disks. */
static tru_status applies(const tru_world *w, const char *name, const probe *p, tru_error *err) {
    static const char disk[] = BODY_PREFIX "disk.";
    tru_disk_view view;
    tru_error why;
    if (strncmp(p->row->name, disk, sizeof disk - 1) != 0 || p->a == PROBE_LATER) return TRU_OK;
    if (tru_disk_of_body(w, p->a, &view, &why) >= 0) return TRU_OK;
    return trio_fail(err, TRU_REFUSED, "probe '%s': %s", name, why.text);
}

tru_status trio_probe_find_in(const probe_place *l, const char *name, probe *out, tru_error *err) {
    if (!name || !*name) return trio_fail(err, TRU_UNKNOWN_NAME, "a probe needs a name");
    for (const probe_row *row = trio_probe_rows; row->name; row++)
        if (matches(l, row, name, out)) return applies(l->world, name, out, err);
    return unknown(l, name, err);
}

tru_status trio_probe_find(const tru_world *w, const outlet_list *outlets, const char *name, probe *out,
                           tru_error *err) {
    const probe_place place = {.world = w, .outlets = outlets};
    return trio_probe_find_in(&place, name, out, err);
}
