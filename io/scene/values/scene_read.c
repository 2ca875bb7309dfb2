/* scene_read.c: blocks, lists and plug-ins of a scene, read by field tables. */
#include "scene_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SUBJECT = 240, PHRASE = 300, MOST_KEYS = 96 };

/* ---- one field ---- */

static tru_status read_field(reader *r, const char *what, const tru_field *f, node_id n, void *params);

/* Writes the subject of a plug-in, an item or a block. */
static const char *inner_what(const char *what, const char *kind, const char *name, char *out, size_t room) {
    const bool named = what && *what;
    snprintf(out, room, "%s%s%s%s%s", named ? what : "", named ? ": " : "", kind, *kind && *name ? " " : "", name);
    return out;
}

static tru_status read_integer(reader *r, const char *what, const char *label, node_id n, int32_t *out) {
    double value;
    const tru_status s = trio_read_number(r, what, label, n, TRU_UNIT_ONE, &value);
    if (s < 0) return s;
    if (value != floor(value)) return trio_wrong_value(r, what, label, n, "must be a whole number");
    if (fabs(value) > 2147483647.0)
        return trio_wrong_value(r, what, label, n, "must lie between -2147483647 and 2147483647");
    *out = (int32_t)value;
    return TRU_OK;
}

static tru_status read_choice(reader *r, const char *what, const tru_field *f, node_id n, int32_t *out) {
    const char *word, *names[MOST_KEYS];
    char copy[400], phrase[PHRASE] = "must be one of ";
    size_t count = 0;
    const tru_status s = trio_read_word(r, what, f->name, n, &word);
    if (s < 0) return s;
    snprintf(copy, sizeof copy, "%s", f->words);
    for (char *p = copy; p && count < MOST_KEYS;) {
        char *bar = strchr(p, '|');
        if (bar) *bar = '\0';
        if (strcmp(p, word) == 0) {
            *out = (int32_t)count;
            return TRU_OK;
        }
        names[count++] = p;
        p = bar ? bar + 1 : NULL;
    }
    size_t used = strlen(phrase);
    for (size_t k = 0; k < count && used < sizeof phrase; k++)
        used += (size_t)snprintf(phrase + used, sizeof phrase - used, "%s%s", k > 0 ? ", " : "", names[k]);
    const char *near = tru_nearest_name(word, names, count);
    if (near && used < sizeof phrase) snprintf(phrase + used, sizeof phrase - used, "; did you mean '%s'?", near);
    return trio_wrong_value(r, what, f->name, n, phrase);
}

/* Entries of a block in the order of its table: [1 s, 0.5]. */
static tru_status read_positional(reader *r, const char *what, const tru_field *fields, node_id n, void *params) {
    const bool list = trio_tree_kind(r->t, n) == NODE_LIST;
    const tru_field *f = fields;
    tru_status s = TRU_OK;
    for (node_id c = list ? trio_tree_first(r->t, n) : n; c && !s; c = list ? trio_tree_next(r->t, c) : 0, f++) {
        if (!f->name) return trio_wrong_value(r, what, "", n, "which has too many entries");
        s = read_field(r, what, f, c, params);
    }
    return s;
}

static tru_status read_item(reader *r, const char *what, const tru_field *f, node_id n, size_t k, void *item) {
    char who[SUBJECT], label[80];
    snprintf(label, sizeof label, "%s[%zu]", f->name, k);
    if (!f->block) return trio_read_number(r, what, label, n, f->unit, item);
    inner_what(what, label, "", who, sizeof who);
    tru_fields_defaults(f->block, item);
    if (r->shape_start && f->block == tru_def_fields("shape")) *(tru_shape_def *)item = *r->shape_start;
    if (trio_tree_kind(r->t, n) == NODE_MAP)
        return trio_read_block(r, &(block){.what = who, .fields = f->block}, n, item);
    if (trio_tree_kind(r->t, n) == NODE_LIST && !f->block[1].name) { /* of one field, itself a list: [1, 0, 2, cm] */
        const tru_status one = read_field(r, who, f->block, n, item);
        return one < 0 || !tru_fields_check(f->block, item, who, r->err) ? one
                                                                         : trio_tree_prefix(r->t, n, false, r->err);
    }
    if (trio_tree_kind(r->t, n) == NODE_TEXT && f->block[1].name)
        return trio_wrong_value(r, who, "", n, "must be a map of keys");
    const tru_status s = read_positional(r, who, f->block, n, item);
    if (s < 0 || !tru_fields_check(f->block, item, who, r->err)) return s;
    return trio_tree_prefix(r->t, n, false, r->err);
}

static tru_status read_list(reader *r, const char *what, const tru_field *f, node_id n, tru_list *out) {
    tru_status s = trio_expect_kind(r, what, f->name, n, NODE_LIST);
    if (s < 0) return s;
    const size_t count = trio_tree_count(r->t, n), size = f->block ? f->block_size : sizeof(double);
    char *items = trio_store_take(r->memory, count * size);
    if (!items) return trio_no_memory(r->err);
    size_t k = 0;
    for (node_id c = trio_tree_first(r->t, n); c && !s; c = trio_tree_next(r->t, c), k++)
        s = read_item(r, what, f, c, k, items + k * size);
    *out = (tru_list){items, count};
    return s;
}

static tru_status read_real(reader *r, const char *what, const tru_field *f, node_id n, double *at) {
    return f->unit_required ? trio_read_spoken(r, what, f, n, at) : trio_read_number(r, what, f->name, n, f->unit, at);
}

static tru_status read_alternative(reader *r, const char *what, const tru_field *f, node_id n, void *at) {
    char who[SUBJECT];
    if (trio_tree_kind(r->t, n) != NODE_MAP) return read_real(r, what, f, n, at);
    inner_what(what, f->name, "", who, sizeof who);
    return trio_read_block(r, &(block){.what = who, .fields = f->block}, n, at);
}

/* "derived" has the same meaning as a missing field. */
static bool says_derived(const reader *r, const tru_field *f, node_id n) {
    return f->default_value == TRU_DERIVED && trio_tree_kind(r->t, n) == NODE_TEXT &&
           strcmp(trio_tree_text(r->t, n), "derived") == 0;
}

static tru_status read_field(reader *r, const char *what, const tru_field *f, node_id n, void *params) {
    void *at = (char *)params + f->offset;
    if (says_derived(r, f, n)) return TRU_OK;
    switch (f->type) {
    case TRU_FIELD_REAL:
        return read_real(r, what, f, n, at);
    case TRU_FIELD_INTEGER:
        return read_integer(r, what, f->name, n, at);
    case TRU_FIELD_BOOLEAN:
        return trio_read_boolean(r, what, f->name, n, at);
    case TRU_FIELD_VEC3:
        return trio_read_vec3(r, what, f->name, n, f->unit, at);
    case TRU_FIELD_QUATERNION:
        return trio_read_quaternion(r, what, f->name, n, at);
    case TRU_FIELD_CHOICE:
        return read_choice(r, what, f, n, at);
    case TRU_FIELD_TEXT:
        return trio_read_word(r, what, f->name, n, at);
    case TRU_FIELD_REFERENCE:
        return trio_read_reference(r, what, f->name, f->words, n, at);
    case TRU_FIELD_PLUGIN:
        return trio_read_plug(r, what, f->words, n, at);
    case TRU_FIELD_LIST:
        return read_list(r, what, f, n, at);
    case TRU_FIELD_ALTERNATIVE:
        return read_alternative(r, what, f, n, at);
    }
    return TRU_OK;
}

/* ---- blocks ---- */

void trio_block_defaults(const block *b, void *params) {
    if (b->fields) tru_fields_defaults(b->fields, params);
}

static const tru_field *find_field(const block *b, const char *key) {
    if (!b->fields || (b->hidden && trio_word_among(b->hidden, key))) return NULL;
    return tru_field_find(b->fields, key);
}

static bool is_extra(const block *b, const char *key) {
    for (const extra_key *e = b->extras; e && e->name; e++)
        if (strcmp(e->name, key) == 0) return true;
    return false;
}

/* Returns the kind of the plug-in with these fields; NULL if there is none. */
static const char *kind_of(const tree *t, const tru_field *fields) {
    static const char *const kinds[] = {"law", "shape", "solver", "stepper"};
    plug p;
    for (size_t i = 0; fields && i < sizeof kinds / sizeof *kinds; i++)
        for (size_t k = 0; trio_plug_at(t, kinds[i], k, &p); k++)
            if (p.fields == fields) return kinds[i];
    return NULL;
}

/* Finds another plug-in of the same kind that has such a field. */
static bool other_with_key(const tree *t, const char *kind, const char *key, plug *out) {
    for (size_t k = 0; kind && trio_plug_at(t, kind, k, out); k++)
        if (out->fields && tru_field_find(out->fields, key)) return true;
    return false;
}

static tru_status unknown_key(reader *r, const block *b, node_id n) {
    const char *names[MOST_KEYS];
    char who[SUBJECT], near[200];
    size_t count = 0;
    plug other;
    const char *kind = kind_of(r->t, b->fields);
    for (const tru_field *f = b->fields; f && f->name && count < MOST_KEYS; f++)
        if (find_field(b, f->name)) names[count++] = f->name;
    for (const extra_key *e = b->extras; e && e->name && count < MOST_KEYS; e++) names[count++] = e->name;
    if (trio_tree_is_empty(r->t, n) && strspn(trio_tree_key(r->t, n), "0123456789") == strlen(trio_tree_key(r->t, n)))
        snprintf(near, sizeof near, "; numbers have a decimal point, no comma");
    else if (other_with_key(r->t, kind, trio_tree_key(r->t, n), &other))
        snprintf(near, sizeof near, "; %s %s has this key", kind, other.name);
    else
        trio_suggest(trio_tree_key(r->t, n), names, count, near, sizeof near);
    trio_subject(b->what, "", who, sizeof who);
    return trio_tree_fail(r->t, n, true, r->err, TRU_UNKNOWN_NAME, "%s%sunknown key '%.60s'%s", who, *who ? ": " : "",
                          trio_tree_key(r->t, n), near);
}

/* Returns the place of the wrong field of a block that failed its check; otherwise that of the block. */
static tru_status place_failure(reader *r, const block *b, node_id n, const void *params) {
    for (const tru_field *f = b->fields; f->name; f++) {
        const tru_field one[2] = {*f, {.name = NULL}};
        const node_id at = trio_tree_find(r->t, n, f->name);
        if (tru_fields_check(one, params, b->what, r->err) < 0)
            return trio_tree_prefix(r->t, at ? at : n, false, r->err);
    }
    return trio_tree_prefix(r->t, n, false, r->err);
}

tru_status trio_read_block(reader *r, const block *b, node_id n, void *params) {
    tru_status s = trio_expect_kind(r, b->what, "", n, NODE_MAP);
    for (node_id c = s ? 0 : trio_tree_first(r->t, n); c && !s; c = trio_tree_next(r->t, c)) {
        const char *key = trio_tree_key(r->t, c);
        const tru_field *f = is_extra(b, key) ? NULL : find_field(b, key);
        if (f)
            s = read_field(r, b->what, f, c, params);
        else if (!is_extra(b, key))
            s = unknown_key(r, b, c);
    }
    if (s < 0 || !b->fields) return s;
    return tru_fields_check(b->fields, params, b->what, r->err) < 0 ? place_failure(r, b, n, params) : TRU_OK;
}

/* ---- plug-ins ---- */

tru_status trio_read_params(reader *r, const char *what, const char *kind, const plug *p, node_id n, void **out) {
    char who[SUBJECT];
    inner_what(what, kind, p->name, who, sizeof who);
    void *params = trio_store_take(r->memory, p->size);
    if (!params) return trio_no_memory(r->err);
    const block b = {.what = who, .fields = p->fields};
    trio_block_defaults(&b, params);
    tru_status s = TRU_OK;
    if (trio_tree_kind(r->t, n) == NODE_MAP)
        s = trio_read_block(r, &b, n, params);
    else if (p->fields && tru_fields_check(p->fields, params, who, r->err) < 0) /* a word: what must be given is not */
        s = trio_tree_prefix(r->t, n, false, r->err);
    tru_error inner = {TRU_OK, ""};
    if (!s && p->check && p->check(params, &inner) < 0) {
        *r->err = inner;
        s = trio_tree_prefix(r->t, n, false, r->err);
    }
    *out = params;
    return s;
}

static tru_status unknown_plug(reader *r, const char *what, const char *kind, node_id n, bool of_key,
                               const char *name) {
    const char *names[MOST_KEYS];
    char near[200], who[SUBJECT];
    size_t count = 0;
    for (plug p; count < MOST_KEYS && trio_plug_at(r->t, kind, count, &p); count++) names[count] = p.name;
    trio_suggest(name, names, count, near, sizeof near);
    trio_subject(what, "", who, sizeof who);
    return trio_tree_fail(r->t, n, of_key, r->err, TRU_UNKNOWN_NAME, "%s%sno %s '%.60s'%s", who, *who ? ": " : "", kind,
                          name, near);
}

tru_status trio_read_plug(reader *r, const char *what, const char *kind, node_id n, tru_use *out) {
    const bool map = trio_tree_kind(r->t, n) == NODE_MAP;
    const node_id inner = map ? trio_tree_first(r->t, n) : n;
    char phrase[PHRASE];
    plug p;
    void *params = NULL;
    snprintf(phrase, sizeof phrase, "must name one %s, NAME or {NAME: {its fields}}", kind);
    if (trio_tree_kind(r->t, n) == NODE_LIST || trio_tree_is_empty(r->t, n) || (map && trio_tree_count(r->t, n) != 1))
        return trio_wrong_value(r, what, kind, n, phrase);
    const char *name = map ? trio_tree_key(r->t, inner) : trio_tree_text(r->t, n);
    if (!trio_plug_named(r->t, kind, name, &p)) return unknown_plug(r, what, kind, inner, map, name);
    if (map && trio_tree_kind(r->t, inner) != NODE_MAP && !trio_tree_is_empty(r->t, inner)) {
        inner_what(what, kind, p.name, phrase, sizeof phrase);
        return trio_wrong_value(r, phrase, "", inner, "must be a map of its fields");
    }
    const tru_status s = trio_read_params(r, what, kind, &p, inner, &params);
    *out = (tru_use){p.name, params};
    return s;
}
