/* pack_fields.c: typed structs as bytes by field table. Fields carry their name, type and unit, so that they may be read in any order. */
#include "fields/pack_fields.h"

#include "base/assert.h"
#include "base/error.h"
#include "fields/field.h"
#include "fields/choices.h"

#include <string.h>

enum {
    NAME_BYTES = 64,  /* of a field's name or a choice, with its end */
    MOST_FIELDS = 64, /* of a table: read_entries keeps one bit per field in 64 bits */
    DEEPEST = 16      /* nested tables that are read, which bounds the recursion */
};

static uint32_t fields_count(const tru_field *fields) {
    uint32_t count = 0;
    while (fields[count].name) count++;
    return count;
}

/* ---- writing ---- */

/* Packs whether a choice was made, and its word. */
static void pack_choice(packer *p, const char *words, int32_t k) {
    char word[NAME_BYTES];
    trui_pack_bool(p, k != FIELD_NO_INTEGER);
    if (k == FIELD_NO_INTEGER) return;
    if (trui_choices_at(words, k, word, sizeof word))
        trui_pack_text(p, word);
    else
        p->bad = true;
}

static void pack_list(packer *p, const tru_field *f, const tru_list *list, const plug_finder *finder) {
    trui_pack_u64(p, list->count);
    for (size_t k = 0; k < list->count; k++) {
        const void *item = (const char *)list->items + k * trui_field_item_size(f);
        if (f->block)
            trui_pack_fields(p, f->block, item, finder);
        else
            trui_pack_f64(p, *(const double *)item);
    }
}

static void pack_use(packer *p, const char *kind, const tru_use *use, const plug_finder *finder) {
    plug found;
    trui_pack_text(p, use->name);
    if (!use->name) return;
    trui_pack_bool(p, use->params != NULL);
    if (!use->params) return;
    if (trui_plug_find(finder, kind, use->name, &found))
        trui_pack_fields(p, found.fields, use->params, finder);
    else
        p->bad = true;
}

static void pack_value(packer *p, const tru_field *f, const void *at, const plug_finder *finder) {
    switch (f->type) {
    case TRU_FIELD_REAL:
        trui_pack_f64(p, *(const double *)at);
        break;
    case TRU_FIELD_INTEGER:
        trui_pack_i32(p, *(const int32_t *)at);
        break;
    case TRU_FIELD_BOOLEAN:
        trui_pack_bool(p, *(const bool *)at);
        break;
    case TRU_FIELD_VEC3:
        trui_pack_vec3(p, *(const tru_vec3 *)at);
        break;
    case TRU_FIELD_QUATERNION:
        trui_pack_quat(p, *(const tru_quat *)at);
        break;
    case TRU_FIELD_CHOICE:
        pack_choice(p, f->words, *(const int32_t *)at);
        break;
    case TRU_FIELD_TEXT:
        trui_pack_text(p, *(char *const *)at);
        break;
    case TRU_FIELD_REFERENCE:
        trui_pack_u64(p, *(const tru_id *)at);
        break;
    case TRU_FIELD_PLUGIN:
        pack_use(p, f->words, at, finder);
        break;
    case TRU_FIELD_LIST:
        pack_list(p, f, at, finder);
        break;
    case TRU_FIELD_ALTERNATIVE:
        trui_pack_f64(p, *(const double *)at);
        trui_pack_fields(p, f->block, at, finder);
        break;
    }
}

void trui_pack_fields(packer *p, const tru_field *fields, const void *params, const plug_finder *finder) {
    trui_pack_u32(p, fields_count(fields));
    for (const tru_field *f = fields; f->name; f++) {
        trui_pack_text(p, f->name);
        trui_pack_u32(p, (uint32_t)f->type);
        trui_pack_text(p, tru_unit_describe(f->unit).symbol);
        pack_value(p, f, trui_field_in(f, params), finder);
    }
}

/* ---- reading ---- */

typedef struct reader {
    unpacker *u;
    memory *m;
    const plug_finder *finder;
    const char *what; /* names the object in sentences */
    tru_error *err;
    int depth; /* of nested tables */
} reader;

static tru_status read_table(reader *r, const tru_field *fields, void *params);

/* Returns the status of the unpacker, with a sentence if it failed. */
static tru_status bytes_status(reader *r) {
    if (r->u->status == TRU_NO_MEMORY) return tru_no_memory(r->err);
    if (!r->u->status) return TRU_OK;
    return tru_fail(r->err, TRU_DAMAGED, "the snapshot is damaged at %s", r->what);
}

static tru_status read_choice(reader *r, const tru_field *f, int32_t *out) {
    char word[NAME_BYTES];
    *out = FIELD_NO_INTEGER;
    if (!trui_unpack_bool(r->u)) return bytes_status(r);
    trui_unpack_text(r->u, word, sizeof word);
    if (r->u->status) return bytes_status(r);
    *out = trui_choices_find(f->words, word);
    if (*out >= 0) return TRU_OK;
    return tru_fail(r->err, TRU_DAMAGED, "the snapshot has %s '%s' in %s, which this library does not know", f->name,
                    word, r->what);
}

static tru_status read_list(reader *r, const tru_field *f, tru_list *out) {
    size_t count = trui_unpack_count(r->u, f->block ? 4 : 8);
    if (r->u->status || count == 0) return bytes_status(r);
    char *items = trui_mem_array(r->m, count, trui_field_item_size(f));
    if (!items) return tru_no_memory(r->err);
    *out = (tru_list){items, count};
    tru_status status = TRU_OK;
    for (size_t k = 0; k < count && !status; k++) {
        void *item = items + k * trui_field_item_size(f);
        if (f->block)
            status = read_table(r, f->block, item);
        else
            *(double *)item = trui_unpack_f64(r->u);
    }
    return status ? status : bytes_status(r);
}

static tru_status read_params(reader *r, const char *kind, tru_use *use) {
    plug p;
    if (!trui_plug_find(r->finder, kind, use->name, &p))
        return tru_fail(r->err, TRU_DAMAGED, "the snapshot has the %s '%s' in %s, which does not exist here", kind,
                        use->name, r->what);
    void *params = trui_mem_array(r->m, 1, p.size);
    if (!params) return tru_no_memory(r->err);
    use->params = params;
    return read_table(r, p.fields, params);
}

static tru_status read_use(reader *r, const char *kind, tru_use *use) {
    use->name = trui_unpack_text_copy(r->u, r->m);
    if (!use->name || !trui_unpack_bool(r->u)) return bytes_status(r);
    return read_params(r, kind, use);
}

static tru_status read_value(reader *r, const tru_field *f, void *at) {
    switch (f->type) {
    case TRU_FIELD_REAL:
        *(double *)at = trui_unpack_f64(r->u);
        break;
    case TRU_FIELD_INTEGER:
        *(int32_t *)at = trui_unpack_i32(r->u);
        break;
    case TRU_FIELD_BOOLEAN:
        *(bool *)at = trui_unpack_bool(r->u);
        break;
    case TRU_FIELD_VEC3:
        *(tru_vec3 *)at = trui_unpack_vec3(r->u);
        break;
    case TRU_FIELD_QUATERNION:
        *(tru_quat *)at = trui_unpack_quat(r->u);
        break;
    case TRU_FIELD_CHOICE:
        return read_choice(r, f, at);
    case TRU_FIELD_TEXT:
        *(char **)at = trui_unpack_text_copy(r->u, r->m);
        break;
    case TRU_FIELD_REFERENCE:
        *(tru_id *)at = trui_unpack_u64(r->u);
        break;
    case TRU_FIELD_PLUGIN:
        return read_use(r, f->words, at);
    case TRU_FIELD_LIST:
        return read_list(r, f, at);
    case TRU_FIELD_ALTERNATIVE:
        *(double *)at = trui_unpack_f64(r->u);
        return read_table(r, f->block, at);
    }
    return bytes_status(r);
}

static tru_status unknown_field(reader *r, const tru_field *fields, const char *name) {
    const char *names[MOST_FIELDS];
    uint32_t count = fields_count(fields);
    for (uint32_t k = 0; k < count; k++) names[k] = fields[k].name;
    const char *near = tru_nearest_name(name, names, count);
    return tru_fail(r->err, TRU_DAMAGED, "the snapshot gives '%s' to %s, which has no such field%s%s%s", name, r->what,
                    near ? " (nearest: '" : "", near ? near : "", near ? "')" : "");
}

/* Reads name, type and unit and returns their field in *out. Bit k of *seen says that field k was read already. */
static tru_status read_heading(reader *r, const tru_field *fields, uint64_t *seen, const tru_field **out) {
    char name[NAME_BYTES], unit[NAME_BYTES];
    trui_unpack_text(r->u, name, sizeof name);
    uint32_t type = trui_unpack_u32(r->u);
    trui_unpack_text(r->u, unit, sizeof unit);
    if (r->u->status) return bytes_status(r);
    const tru_field *f = tru_field_find(fields, name);
    if (!f) return unknown_field(r, fields, name);
    if (type != (uint32_t)f->type || strcmp(unit, tru_unit_describe(f->unit).symbol) != 0)
        return tru_fail(r->err, TRU_DAMAGED, "the snapshot has %s of %s in another type or unit", name, r->what);
    TRU_ASSERT(f >= fields && f - fields < MOST_FIELDS);
    uint64_t bit = UINT64_C(1) << (f - fields);
    if (*seen & bit) return tru_fail(r->err, TRU_DAMAGED, "the snapshot has %s of %s twice", name, r->what);
    *seen |= bit;
    *out = f;
    return TRU_OK;
}

static tru_status read_entries(reader *r, const tru_field *fields, void *params) {
    uint32_t count = trui_unpack_u32(r->u);
    uint64_t seen = 0;
    tru_status status = bytes_status(r);
    TRU_ASSERT(fields_count(fields) <= MOST_FIELDS);
    for (uint32_t k = 0; k < count && !status; k++) {
        const tru_field *f = NULL;
        status = read_heading(r, fields, &seen, &f);
        if (!status) status = read_value(r, f, trui_field_at(f, params));
    }
    for (uint32_t k = 0; fields[k].name && !status; k++)
        if (!(seen >> k & 1))
            status = tru_fail(r->err, TRU_DAMAGED, "the snapshot lacks %s of %s", fields[k].name, r->what);
    return status;
}

static tru_status read_table(reader *r, const tru_field *fields, void *params) {
    TRU_ASSERT(r->depth >= 0 && r->depth <= DEEPEST);
    if (r->depth == DEEPEST) trui_unpack_fail(r->u, TRU_DAMAGED);
    r->depth++;
    tru_status status = read_entries(r, fields, params);
    r->depth--;
    return status;
}

tru_status trui_unpack_fields(unpacker *u, memory *m, const tru_field *fields, void *params, const plug_finder *finder,
                              const char *what, tru_error *err) {
    reader r = {u, m, finder, what, err, 0};
    trui_fields_disown(fields, params);
    tru_status status = read_table(&r, fields, params);
    if (!status) return TRU_OK;
    trui_unpack_fail(u, status == TRU_NO_MEMORY ? TRU_NO_MEMORY : TRU_DAMAGED);
    trui_fields_release(m, fields, params, finder);
    return status;
}
