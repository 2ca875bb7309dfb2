/* fields.c: deep copy, release and hash of typed structs. */
#include "fields/fields.h"

#include "base/assert.h"
#include "base/error.h"
#include "fields/field.h"
#include "fields/choices.h"

#include <string.h>

bool trui_plug_find(const plug_finder *finder, const char *kind, const char *name, plug *out) {
    return finder && finder->find(finder->user, kind, name, out);
}

size_t trui_field_item_size(const tru_field *list) { return list->block ? list->block_size : sizeof(double); }

static void *item_of(const tru_field *f, const tru_list *list, size_t k) {
    TRU_ASSERT(k < list->count);
    return (char *)list->items + k * trui_field_item_size(f);
}

void trui_fields_disown(const tru_field *fields, void *params) {
    for (const tru_field *f = fields; f->name; f++) {
        void *at = trui_field_at(f, params);
        if (f->type == TRU_FIELD_TEXT) *(const char **)at = NULL;
        if (f->type == TRU_FIELD_PLUGIN) *(tru_use *)at = (tru_use){NULL, NULL};
        if (f->type == TRU_FIELD_LIST) *(tru_list *)at = (tru_list){NULL, 0};
        if (f->type == TRU_FIELD_ALTERNATIVE) trui_fields_disown(f->block, at);
    }
}

/* ---- release ---- */

static void release_list(memory *m, const tru_field *f, tru_list *list, const plug_finder *finder) {
    for (size_t k = 0; k < list->count && f->block; k++) trui_fields_release(m, f->block, item_of(f, list, k), finder);
    trui_mem_release(m, (void *)list->items, list->count * trui_field_item_size(f));
    *list = (tru_list){NULL, 0};
}

static void release_use(memory *m, const char *kind, tru_use *use, const plug_finder *finder) {
    plug p;
    if (use->params && trui_plug_find(finder, kind, use->name, &p))
        trui_params_release(m, p, (void *)use->params, finder);
    trui_mem_release_text(m, (char *)use->name);
    *use = (tru_use){NULL, NULL};
}

void trui_fields_release(memory *m, const tru_field *fields, void *params, const plug_finder *finder) {
    for (const tru_field *f = fields; f->name; f++) {
        void *at = trui_field_at(f, params);
        if (f->type == TRU_FIELD_TEXT) trui_mem_release_text(m, *(char **)at), *(char **)at = NULL;
        if (f->type == TRU_FIELD_PLUGIN) release_use(m, f->words, at, finder);
        if (f->type == TRU_FIELD_LIST) release_list(m, f, at, finder);
        if (f->type == TRU_FIELD_ALTERNATIVE) trui_fields_release(m, f->block, at, finder);
    }
}

void trui_params_release(memory *m, plug p, void *params, const plug_finder *finder) {
    if (!params) return;
    trui_fields_release(m, p.fields, params, finder);
    trui_mem_release(m, params, p.size);
}

/* ---- copy ---- nested structs start as zeros, so that an incomplete copy can be released */

typedef struct copier {
    memory *m;
    const plug_finder *finder;
    tru_error *err;
} copier;

static tru_status copy_table(const copier *c, const tru_field *fields, const void *src, void *dst);

static tru_status copy_text(const copier *c, const char *src, const char **dst) {
    if (!src) return TRU_OK;
    *dst = trui_mem_copy_text(c->m, src);
    return *dst ? TRU_OK : tru_no_memory(c->err);
}

static tru_status copy_list(const copier *c, const tru_field *f, const tru_list *src, tru_list *dst) {
    if (src->count == 0) return TRU_OK;
    void *items = trui_mem_array(c->m, src->count, trui_field_item_size(f));
    if (!items) return tru_no_memory(c->err);
    *dst = (tru_list){items, src->count};
    if (!f->block) memcpy(items, src->items, src->count * sizeof(double));
    tru_status status = TRU_OK;
    for (size_t k = 0; f->block && k < src->count && !status; k++)
        status = copy_table(c, f->block, item_of(f, src, k), item_of(f, dst, k));
    return status;
}

static tru_status copy_use(const copier *c, const char *kind, const tru_use *src, tru_use *dst) {
    plug p;
    if (!src->name) return TRU_OK;
    if (!trui_plug_find(c->finder, kind, src->name, &p))
        return tru_fail(c->err, TRU_UNKNOWN_NAME, "there is no %s '%s'", kind, src->name);
    tru_status status = copy_text(c, src->name, &dst->name);
    if (status) return status;
    void *params = NULL;
    status = trui_params_copy(c->m, p, src->params, &params, c->finder, c->err);
    dst->params = params;
    return status;
}

/* Returns the bytes of a field that owns nothing; 0 for the other types. */
static size_t plain_size(tru_field_type type) {
    switch (type) {
    case TRU_FIELD_REAL:
        return sizeof(double);
    case TRU_FIELD_INTEGER:
    case TRU_FIELD_CHOICE:
        return sizeof(int32_t);
    case TRU_FIELD_BOOLEAN:
        return sizeof(bool);
    case TRU_FIELD_VEC3:
        return sizeof(tru_vec3);
    case TRU_FIELD_QUATERNION:
        return sizeof(tru_quat);
    case TRU_FIELD_REFERENCE:
        return sizeof(tru_id);
    default:
        return 0;
    }
}

static tru_status copy_field(const copier *c, const tru_field *f, const void *src, void *dst) {
    const void *from = trui_field_in(f, src);
    void *to = trui_field_at(f, dst);
    switch (f->type) {
    case TRU_FIELD_TEXT:
        return copy_text(c, *(char *const *)from, to);
    case TRU_FIELD_PLUGIN:
        return copy_use(c, f->words, from, to);
    case TRU_FIELD_LIST:
        return copy_list(c, f, from, to);
    case TRU_FIELD_ALTERNATIVE:
        *(double *)to = *(const double *)from;
        return copy_table(c, f->block, from, to);
    default:
        TRU_ASSERT(plain_size(f->type) > 0);
        memcpy(to, from, plain_size(f->type));
        return TRU_OK;
    }
}

static tru_status copy_table(const copier *c, const tru_field *fields, const void *src, void *dst) {
    tru_status status = TRU_OK;
    for (const tru_field *f = fields; f->name && !status; f++) status = copy_field(c, f, src, dst);
    return status;
}

tru_status trui_fields_copy(memory *m, const tru_field *fields, const void *src, void *dst, const plug_finder *finder,
                            tru_error *err) {
    copier c = {m, finder, err};
    trui_fields_disown(fields, dst);
    tru_status status = copy_table(&c, fields, src, dst);
    if (status) trui_fields_release(m, fields, dst, finder);
    return status;
}

/* Copies the defaults as if a user had given them, because they point to texts of the table. */
static tru_status copy_defaults(memory *m, plug p, void *dst, const plug_finder *finder, tru_error *err) {
    void *defaults = trui_mem_array(m, 1, p.size);
    if (!defaults) return tru_no_memory(err);
    tru_fields_defaults(p.fields, defaults);
    tru_status status = trui_fields_copy(m, p.fields, defaults, dst, finder, err);
    trui_mem_release(m, defaults, p.size);
    return status;
}

tru_status trui_params_copy(memory *m, plug p, const void *src, void **out, const plug_finder *finder, tru_error *err) {
    *out = NULL;
    void *copy = trui_mem_array(m, 1, p.size);
    if (!copy) return tru_no_memory(err);
    tru_status status =
        src ? trui_fields_copy(m, p.fields, src, copy, finder, err) : copy_defaults(m, p, copy, finder, err);
    if (status)
        trui_mem_release(m, copy, p.size);
    else
        *out = copy;
    return status;
}

/* ---- hash ---- */

static void hash_words(hash *h, const char *text) {
    trui_hash_u64(h, text != NULL);
    if (text) trui_hash_text(h, text);
}

static void hash_choice(hash *h, const char *words, int32_t k) {
    char word[64];
    hash_words(h, k != FIELD_NO_INTEGER && trui_choices_at(words, k, word, sizeof word) ? word : NULL);
}

static void hash_list(hash *h, const tru_field *f, const tru_list *list, const plug_finder *finder) {
    trui_hash_u64(h, list->count);
    for (size_t k = 0; k < list->count; k++) {
        const void *item = item_of(f, list, k);
        if (f->block)
            trui_hash_u64(h, trui_fields_hash(f->block, item, finder));
        else
            trui_hash_f64(h, *(const double *)item);
    }
}

/* Returns the hash of a plug-in's fields; 0 if all have their defaults. */
static uint64_t use_hash(const char *kind, const tru_use *use, const plug_finder *finder) {
    plug p;
    const bool known = use->name && use->params && trui_plug_find(finder, kind, use->name, &p);
    return known ? trui_fields_hash(p.fields, use->params, finder) : 0;
}

static void hash_value(hash *h, const tru_field *f, const void *at, const plug_finder *finder) {
    switch (f->type) {
    case TRU_FIELD_REAL:
        trui_hash_f64(h, *(const double *)at);
        break;
    case TRU_FIELD_INTEGER:
        trui_hash_u64(h, (uint32_t) * (const int32_t *)at);
        break;
    case TRU_FIELD_CHOICE:
        hash_choice(h, f->words, *(const int32_t *)at);
        break;
    case TRU_FIELD_BOOLEAN:
        trui_hash_u64(h, *(const bool *)at);
        break;
    case TRU_FIELD_VEC3:
        trui_hash_vec3(h, *(const tru_vec3 *)at);
        break;
    case TRU_FIELD_QUATERNION:
        trui_hash_quat(h, *(const tru_quat *)at);
        break;
    case TRU_FIELD_TEXT:
        hash_words(h, *(char *const *)at);
        break;
    case TRU_FIELD_REFERENCE:
        trui_hash_u64(h, *(const tru_id *)at);
        break;
    case TRU_FIELD_PLUGIN:
        hash_words(h, ((const tru_use *)at)->name);
        trui_hash_u64(h, use_hash(f->words, at, finder));
        break;
    case TRU_FIELD_LIST:
        hash_list(h, f, at, finder);
        break;
    case TRU_FIELD_ALTERNATIVE:
        trui_hash_f64(h, *(const double *)at);
        trui_hash_u64(h, trui_fields_hash(f->block, at, finder));
        break;
    }
}

/* Returns true if a field does not enter the hash. A plug-in may have been given parameters that all equal their defaults. */
static bool hash_leaves_out(const tru_field *f, const void *params, const plug_finder *finder) {
    if (f->type != TRU_FIELD_PLUGIN) return trui_field_is_default(f, params);
    const tru_use *use = trui_field_in(f, params);
    const bool same = use->name && f->text ? strcmp(use->name, f->text) == 0 : use->name == f->text;
    return same && use_hash(f->words, use, finder) == 0;
}

uint64_t trui_fields_hash(const tru_field *fields, const void *params, const plug_finder *finder) {
    uint64_t sum = 0;
    for (const tru_field *f = fields; f->name; f++) {
        if (hash_leaves_out(f, params, finder)) continue;
        hash h = trui_hash_begin();
        trui_hash_text(&h, f->name);
        hash_value(&h, f, trui_field_in(f, params), finder);
        sum += trui_hash_end(&h);
    }
    return sum;
}
