/* scene_value.c: single values of a scene: numbers with units, vectors, orientations, words, references. */
#include "scene_value.h"

#include "common/fail.h"

#include <stdio.h>
#include <string.h>

enum { SUBJECT = 240, PHRASE = 300 };

/* ---- sentences ---- */

const char *trio_subject(const char *what, const char *label, char *out, size_t room) {
    const bool named = what && *what;
    snprintf(out, room, "%s%s%s", named ? what : "", named && *label ? ": " : "", label);
    return out;
}

tru_status trio_wrong_value(reader *r, const char *what, const char *label, node_id n, const char *phrase) {
    char who[SUBJECT];
    trio_subject(what, label, who, sizeof who);
    if (trio_tree_kind(r->t, n) == NODE_LIST)
        return trio_tree_fail(r->t, n, false, r->err, TRU_BAD_ARGUMENT, "%s is a list of %zu, %s", who,
                              trio_tree_count(r->t, n), phrase);
    if (trio_tree_kind(r->t, n) == NODE_MAP)
        return trio_tree_fail(r->t, n, false, r->err, TRU_BAD_ARGUMENT, "%s is a map, %s", who, phrase);
    if (trio_tree_is_empty(r->t, n))
        return trio_tree_fail(r->t, n, false, r->err, TRU_BAD_ARGUMENT, "%s is empty, %s", who, phrase);
    return trio_tree_fail(r->t, n, false, r->err, TRU_BAD_ARGUMENT, "%s is '%.100s', %s", who, trio_tree_text(r->t, n),
                          phrase);
}

tru_status trio_expect_kind(reader *r, const char *what, const char *label, node_id n, node_kind kind) {
    if (trio_tree_kind(r->t, n) == kind) return TRU_OK;
    return trio_wrong_value(r, what, label, n, kind == NODE_MAP ? "must be a map of keys" : "must be a list");
}

void trio_suggest(const char *name, const char *const *names, size_t count, char *out, size_t room) {
    const char *near = tru_nearest_name(name, names, count);
    size_t used = 0;
    out[0] = '\0';
    if (near) {
        snprintf(out, room, "; did you mean '%s'?", near);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        if (used + strlen(names[k]) + 16 > room) {
            snprintf(out + used, room - used, ", ...");
            return;
        }
        const char *before = k > 0 ? ", " : count > 1 ? "; there are " : "; there is ";
        used += (size_t)snprintf(out + used, room - used, "%s%s", before, names[k]);
    }
}

bool trio_word_among(const char *words, const char *word) {
    const size_t length = strlen(word);
    while (words && *words) {
        const size_t size = strcspn(words, "|");
        if (size == length && memcmp(words, word, length) == 0) return true;
        words += size + (words[size] == '|');
    }
    return false;
}

/* ---- numbers ---- */

tru_status trio_read_quantity(reader *r, const char *what, const char *label, node_id n, quantity *out) {
    tru_error inner;
    if (trio_tree_kind(r->t, n) != NODE_TEXT || trio_tree_is_empty(r->t, n) || *trio_tree_text(r->t, n) == '\0')
        return trio_wrong_value(r, what, label, n, "must be a number");
    if (!trio_expression_value(trio_tree_text(r->t, n), &r->names, out, &inner)) return TRU_OK;
    return trio_wrong_value(r, what, label, n, inner.text);
}

/* "must be in kg, not in m", and why when it is a product with bare numbers. */
static tru_status wrong_unit(reader *r, const char *what, const char *label, node_id n, tru_unit unit,
                             const quantity *q) {
    char phrase[PHRASE], given[QUANTITY_UNIT], wanted[80];
    const char *symbol = tru_unit_describe(unit).symbol;
    trio_quantity_unit(q, given, sizeof given);
    snprintf(wanted, sizeof wanted, unit == TRU_UNIT_ONE ? "must be a pure number" : "must be in %s", symbol);
    const char *text = trio_tree_text(r->t, n);
    const bool product = q->mixed && strpbrk(text, "*/(") && strpbrk(text, "0123456789");
    snprintf(phrase, sizeof phrase, "%s, not in %s%s", wanted, given,
             product ? " (numbers without unit are pure numbers in a product)" : "");
    return trio_wrong_value(r, what, label, n, phrase);
}

tru_status trio_read_number(reader *r, const char *what, const char *label, node_id n, tru_unit unit, double *out) {
    quantity q;
    const tru_status s = trio_read_quantity(r, what, label, n, &q);
    if (s < 0) return s;
    if (!trio_quantity_fits(&q, unit)) return wrong_unit(r, what, label, n, unit, &q);
    *out = q.value;
    return TRU_OK;
}

/* "a length" */
static const char *quantity_noun(tru_unit unit) {
    return unit == TRU_UNIT_M ? "a length" : unit == TRU_UNIT_RAD ? "an angle" : "a number";
}

/* Writes the text with a unit: "0.3 m", "(2*n) m"; unchanged if it has one. */
static void with_unit(const char *text, bool bare, const char *unit, char *out, size_t room) {
    double value;
    const char *end = text + (*text == '-');
    const bool number = trio_number_read(&end, &value) && *end == '\0';
    if (!bare || (number && value == 0.0))
        snprintf(out, room, "%.60s", text);
    else
        snprintf(out, room, number ? "%.60s %s" : "(%.60s) %s", text, unit);
}

/* " or {factor: 0.3, radius: smaller}": the block of an alternative field with its reals as given and the last words of
 * its choices. */
static void block_example(const tru_field *f, const char *text, char *out, size_t room) {
    size_t used = 0;
    out[0] = '\0';
    if (f->type != TRU_FIELD_ALTERNATIVE) return;
    for (const tru_field *b = f->block; b->name && used < room; b++) {
        const char *bar = b->words ? strrchr(b->words, '|') : NULL;
        used += (size_t)snprintf(out + used, room - used, "%s%s: %.60s", used ? ", " : " or {", b->name,
                                 bar ? bar + 1 : text);
    }
    if (used < room) snprintf(out + used, room - used, "}");
}

tru_status trio_read_spoken(reader *r, const char *what, const tru_field *f, node_id n, double *out) {
    char phrase[PHRASE], example[120], other[160];
    quantity q;
    const tru_status s = trio_read_quantity(r, what, f->name, n, &q);
    if (s < 0) return s;
    const char *text = trio_tree_text(r->t, n), *symbol = tru_unit_describe(f->unit).symbol;
    if (q.value == 0.0 || trio_quantity_is_in(&q, f->unit)) return trio_read_number(r, what, f->name, n, f->unit, out);
    if (q.bare) {
        with_unit(text, true, symbol, example, sizeof example);
        block_example(f, text, other, sizeof other);
        snprintf(phrase, sizeof phrase, "%s without a unit; write '%s'%s", quantity_noun(f->unit), example, other);
        return trio_wrong_value(r, what, f->name, n, phrase);
    }
    if (q.assumed) {
        snprintf(phrase, sizeof phrase, "a sum in which a number has no unit; write it with %s", symbol);
        return trio_wrong_value(r, what, f->name, n, phrase);
    }
    return trio_read_number(r, what, f->name, n, f->unit, out);
}

/* The fourth entry of [1, 0, 2, mm]. */
static tru_status read_unit(reader *r, const char *what, const char *label, node_id n, tru_unit unit, double *scale) {
    tru_unit_info powers;
    bool angle;
    if (trio_tree_kind(r->t, n) != NODE_TEXT || !tru_unit_parse(trio_tree_text(r->t, n), scale, &powers, &angle))
        return trio_wrong_value(r, what, label, n, "must be a unit for the three numbers before it");
    const quantity q = {
        .value = 1.0, .kg = powers.kg, .m = powers.m, .s = powers.s, .angle = angle ? ANGLE_YES : ANGLE_NO};
    return trio_quantity_fits(&q, unit) ? TRU_OK : wrong_unit(r, what, label, n, unit, &q);
}

static const char *const axis_parts[] = {".x", ".y", ".z"};

/* Makes the label of a component only for an error. */
static tru_status read_component(reader *r, const char *what, const char *label, int i, node_id n, tru_unit unit,
                                 bool bare_only, quantity *out) {
    char part[SUBJECT];
    tru_error inner, *err = r->err;
    r->err = &inner;
    tru_status s = trio_read_quantity(r, what, label, n, out);
    r->err = err;
    if (!s && (!bare_only || out->bare) && trio_quantity_fits(out, unit)) return TRU_OK;
    snprintf(part, sizeof part, "%s%s", label, axis_parts[i]);
    if (s) return trio_read_quantity(r, what, part, n, out);
    if (!bare_only || out->bare) return wrong_unit(r, what, part, n, unit, out);
    return trio_wrong_value(r, what, part, n, "must be without unit, since the list names one");
}

/* The unit behind a plain number, "cm" of "6 cm", and how long the number is; NULL if it is anything else. */
static const char *unit_behind(const char *text, size_t *number) {
    double value;
    tru_unit_measure u;
    const char *end = text + (*text == '-');
    if (!trio_number_read(&end, &value)) return NULL;
    *number = (size_t)(end - text);
    end += strspn(end, " ");
    return *end && tru_unit_read(end, &u) ? end : NULL;
}

/* "[12 cm, 9 cm, 6 cm]" and "[12, 9, 6, cm]"; the second with letters unless every entry is bare or in that unit. */
static void vector_examples(reader *r, node_id list, const quantity q[3], tru_unit field_unit, const char *unit,
                            char *each, char *one, size_t room) {
    size_t used_each = 0, used_one = 0, number = 0;
    bool plain = true;
    for (int i = 0; i < 3 && used_each < room && used_one < room; i++) {
        const char *text = trio_tree_text(r->t, trio_tree_item(r->t, list, (size_t)i));
        const char *own = unit_behind(text, &number);
        char entry[80];
        plain = plain && ((q[i].bare && !trio_quantity_is_in(&q[i], field_unit)) || (own && strcmp(own, unit) == 0));
        with_unit(text, q[i].bare && !trio_quantity_is_in(&q[i], field_unit), unit, entry, sizeof entry);
        used_each += (size_t)snprintf(each + used_each, room - used_each, "%s%s", i > 0 ? ", " : "[", entry);
        used_one += (size_t)snprintf(one + used_one, room - used_one, "%s%.*s", i > 0 ? ", " : "[",
                                     (int)(q[i].bare || !own ? 40 : number), text);
    }
    if (used_each < room) snprintf(each + used_each, room - used_each, "]");
    if (!plain)
        snprintf(one, room, "[x, y, z, %s]", unit);
    else if (used_one < room)
        snprintf(one + used_one, room - used_one, ", %s]", unit);
}

/* Refuses a vector in which some numbers have a unit and others, zeros apart, do not: those would silently be SI. */
static tru_status check_mixed(reader *r, const char *what, const char *label, node_id list, tru_unit unit,
                              const quantity q[3]) {
    char phrase[PHRASE + 200], part[SUBJECT], each[200], one[200];
    const char *written = NULL;
    int bare = -1, with = -1;
    size_t number;
    for (int i = 2; i >= 0; i--) {
        if (q[i].bare && q[i].value != 0.0 && !trio_quantity_is_in(&q[i], unit)) bare = i;
        if (!q[i].bare) with = i;
    }
    if (bare < 0 || with < 0) return TRU_OK;
    const node_id at = trio_tree_item(r->t, list, (size_t)bare);
    written = unit_behind(trio_tree_text(r->t, trio_tree_item(r->t, list, (size_t)with)), &number);
    vector_examples(r, list, q, unit, written ? written : tru_unit_describe(unit).symbol, each, one, sizeof each);
    snprintf(part, sizeof part, "%s%s", label, axis_parts[bare]);
    snprintf(phrase, sizeof phrase, "a number without a unit in a vector with units; write %s or %s", each, one);
    return trio_wrong_value(r, what, part, at, phrase);
}

tru_status trio_read_vec3(reader *r, const char *what, const char *label, node_id n, tru_unit unit, tru_vec3 *out) {
    quantity q[3];
    double v[3], scale = 1.0;
    char phrase[PHRASE];
    const size_t count = trio_tree_count(r->t, n);
    if (trio_tree_kind(r->t, n) != NODE_LIST || (count != 3 && count != 4)) {
        const bool pure = unit == TRU_UNIT_ONE || unit == TRU_UNIT_MISSING;
        snprintf(phrase, sizeof phrase, "must be a list of 3 numbers%s%s", pure ? "" : " in ",
                 pure ? "" : tru_unit_describe(unit).symbol);
        return trio_wrong_value(r, what, label, n, phrase);
    }
    tru_status s = TRU_OK;
    if (count == 4) s = read_unit(r, what, label, trio_tree_item(r->t, n, 3), unit, &scale);
    node_id c = trio_tree_first(r->t, n);
    for (int i = 0; i < 3 && !s; i++, c = trio_tree_next(r->t, c)) {
        s = read_component(r, what, label, i, c, unit, count == 4, &q[i]);
        v[i] = s ? 0.0 : count == 4 ? tru_unit_to_si(q[i].value, scale) : q[i].value;
    }
    if (!s && count == 3) s = check_mixed(r, what, label, n, unit, q);
    if (!s) *out = (tru_vec3){v[0], v[1], v[2]};
    return s;
}

/* ---- words ---- */

tru_status trio_read_boolean(reader *r, const char *what, const char *label, node_id n, bool *out) {
    const char *text = trio_tree_text(r->t, n);
    const bool yes = strcmp(text, "true") == 0, no = strcmp(text, "false") == 0;
    if (!yes && !no) return trio_wrong_value(r, what, label, n, "must be true or false");
    *out = yes;
    return TRU_OK;
}

tru_status trio_read_word(reader *r, const char *what, const char *label, node_id n, const char **out) {
    *out = trio_tree_text(r->t, n);
    if (trio_tree_kind(r->t, n) == NODE_TEXT && **out != '\0') return TRU_OK;
    return trio_wrong_value(r, what, label, n, "must be a word");
}

/* Lists the names of a kind, as many as fit into a sentence. */
static void suggest_object(const reader *r, const char *kind, const char *name, char *out, size_t room) {
    enum { MOST = 4096 };
    const char **names = trio_store_take(r->memory, MOST * sizeof *names);
    size_t count = 0;
    out[0] = '\0';
    if (!names) return;
    while (count < MOST && (names[count] = r->objects.name(r->objects.user, kind, count))) count++;
    trio_suggest(name, names, count, out, room);
}

tru_status trio_read_reference(reader *r, const char *what, const char *label, const char *kind, node_id n,
                               tru_id *out) {
    const char *name;
    char phrase[PHRASE], near[200];
    const tru_status s = trio_read_word(r, what, label, n, &name);
    if (s < 0) return s;
    *out = r->objects.find(r->objects.user, kind, name);
    if (*out != TRU_NONE) return TRU_OK;
    suggest_object(r, kind, name, near, sizeof near);
    snprintf(phrase, sizeof phrase, "there is no such %s%s", kind, near);
    return trio_wrong_value(r, what, label, n, phrase);
}

tru_status trio_read_two(reader *r, const char *what, const char *kind, node_id n, tru_id *a, tru_id *b) {
    char phrase[80];
    snprintf(phrase, sizeof phrase, "must be a list of two %s", strcmp(kind, "body") == 0 ? "bodies" : "materials");
    if (trio_tree_kind(r->t, n) != NODE_LIST || trio_tree_count(r->t, n) != 2)
        return trio_wrong_value(r, what, "between", n, phrase);
    const tru_status s = trio_read_reference(r, what, "between", kind, trio_tree_first(r->t, n), a);
    return s ? s : trio_read_reference(r, what, "between", kind, trio_tree_next(r->t, trio_tree_first(r->t, n)), b);
}

/* ---- orientations ---- */

static const char *const turn_phrase =
    "must be [w, x, y, z], {axis: ..., angle: ...} or a list of such turns, each about the axes turned so far";

/* x, y, z, -x, ... or a list of three numbers. */
static tru_status read_axis(reader *r, const char *what, const char *label, node_id n, tru_vec3 *out) {
    const char *text = trio_tree_text(r->t, n);
    const double sign = *text == '-' ? -1.0 : 1.0;
    const char *letter = text + (*text == '-');
    if (trio_tree_kind(r->t, n) == NODE_LIST) return trio_read_vec3(r, what, label, n, TRU_UNIT_ONE, out);
    if (*letter < 'x' || *letter > 'z' || letter[1] != '\0')
        return trio_wrong_value(r, what, label, n, "must be x, y, z or a list of 3 numbers");
    *out = (tru_vec3){*letter == 'x' ? sign : 0.0, *letter == 'y' ? sign : 0.0, *letter == 'z' ? sign : 0.0};
    return TRU_OK;
}

/* q = (cos(angle/2), sin(angle/2) axis/|axis|) */
static tru_status read_turn(reader *r, const char *what, const char *label, node_id n, tru_quat *out) {
    char name[SUBJECT];
    const node_id axis_node = trio_tree_find(r->t, n, "axis"), angle_node = trio_tree_find(r->t, n, "angle");
    tru_vec3 a;
    double angle, sine, cosine, length;
    if (!axis_node || !angle_node || trio_tree_count(r->t, n) != 2)
        return trio_wrong_value(r, what, label, n, turn_phrase);
    snprintf(name, sizeof name, "%s.axis", label);
    tru_status s = read_axis(r, what, name, axis_node, &a);
    tru_elementary("sqrt", a.x * a.x + a.y * a.y + a.z * a.z, &length);
    if (!s && !(length > 0.0)) s = trio_wrong_value(r, what, name, axis_node, "must not be zero");
    snprintf(name, sizeof name, "%s.angle", label);
    if (!s) s = trio_read_number(r, what, name, angle_node, TRU_UNIT_RAD, &angle);
    if (s) return s;
    tru_elementary("sin", 0.5 * angle, &sine);
    tru_elementary("cos", 0.5 * angle, &cosine);
    *out = (tru_quat){cosine, sine * (a.x / length), sine * (a.y / length), sine * (a.z / length)};
    return TRU_OK;
}

static tru_quat product(tru_quat p, tru_quat q) {
    return (tru_quat){p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                      p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x, p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
}

tru_status trio_read_quaternion(reader *r, const char *what, const char *label, node_id n, tru_quat *out) {
    static const char *const parts[] = {".w", ".x", ".y", ".z"};
    char name[SUBJECT];
    double v[4];
    tru_status s = TRU_OK;
    if (trio_tree_kind(r->t, n) == NODE_MAP) return read_turn(r, what, label, n, out);
    const node_id first = trio_tree_first(r->t, n);
    if (!first) return trio_wrong_value(r, what, label, n, turn_phrase);
    if (trio_tree_kind(r->t, first) == NODE_MAP) {
        tru_quat total = {1.0, 0.0, 0.0, 0.0}, turn;
        for (node_id c = first; c && !s; c = trio_tree_next(r->t, c))
            if (!(s = read_turn(r, what, label, c, &turn))) total = c == first ? turn : product(total, turn);
        *out = total;
        return s;
    }
    if (trio_tree_count(r->t, n) != 4) return trio_wrong_value(r, what, label, n, turn_phrase);
    node_id c = first;
    for (int i = 0; i < 4 && !s; i++, c = trio_tree_next(r->t, c)) {
        snprintf(name, sizeof name, "%s%s", label, parts[i]);
        s = trio_read_number(r, what, name, c, TRU_UNIT_ONE, &v[i]);
    }
    if (!s) *out = (tru_quat){v[0], v[1], v[2], v[3]};
    return s;
}
