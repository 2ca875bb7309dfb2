/* law_check.c: whether the descriptor of a law is complete and its field table fits its struct. */
#include "base/error.h"

#include <trundle/plugin.h>

#include <string.h>

enum { LONGEST_LAW_NAME = 60, MOST_LAW_HISTORY = 64 };

#define WORD_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

static bool is_word(const char *text) {
    const size_t length = text ? strlen(text) : 0;
    return length > 0 && length <= LONGEST_LAW_NAME && strspn(text, WORD_CHARACTERS) == length;
}

/* [bytes] Size of a member of this type; 0: unknown type. */
static size_t size_of_type(const tru_field *f) {
    switch (f->type) {
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
    case TRU_FIELD_TEXT:
        return sizeof(const char *);
    case TRU_FIELD_REFERENCE:
        return sizeof(tru_id);
    case TRU_FIELD_PLUGIN:
        return sizeof(tru_use);
    case TRU_FIELD_LIST:
        return sizeof(tru_list);
    case TRU_FIELD_ALTERNATIVE:
        return f->block_size;
    }
    return 0;
}

/* Returns the index of an earlier field with this name, or `k`. */
static size_t first_of_name(const tru_field *fields, size_t k) {
    size_t i = 0;
    while (i < k && strcmp(fields[i].name, fields[k].name) != 0) i++;
    return i;
}

static bool has_range(const tru_field *f) {
    return f->type == TRU_FIELD_REAL || f->type == TRU_FIELD_INTEGER || f->type == TRU_FIELD_VEC3 ||
           f->type == TRU_FIELD_ALTERNATIVE;
}

static bool is_within(const tru_field *f, double value) {
    return value <= f->highest && (f->lowest_excluded ? value > f->lowest : value >= f->lowest);
}

static tru_status check_field(const tru_law *law, size_t k, tru_error *err) {
    const tru_field *f = &law->fields[k];
    const size_t bytes = size_of_type(f);
    const char *name = law->name;
    if (!is_word(f->name))
        return tru_fail(err, TRU_BAD_ARGUMENT, "law %s: name of field %zu is '%.60s', must be letters, digits, _ or -",
                        name, k + 1, f->name);
    if (first_of_name(law->fields, k) < k)
        return tru_fail(err, TRU_BAD_ARGUMENT, "law %s: the field table has two fields '%s'", name, f->name);
    if (bytes == 0)
        return tru_fail(err, TRU_BAD_ARGUMENT, "law %s: type of field %s is %d, must be one of tru_field_type", name,
                        f->name, (int)f->type);
    if (f->offset > law->size || bytes > law->size - f->offset)
        return tru_fail(err, TRU_BAD_ARGUMENT, "law %s: end of field %s is %zu bytes, must be at most %zu, the size",
                        name, f->name, f->offset + bytes, law->size);
    if (!f->doc)
        return tru_fail(err, TRU_BAD_ARGUMENT, "law %s: doc of field %s is missing, must be one sentence", name,
                        f->name);
    if ((unsigned)f->unit >= TRU_UNIT_COUNT || (f->type == TRU_FIELD_REAL && f->unit == TRU_UNIT_MISSING))
        return tru_fail(err, TRU_BAD_ARGUMENT, "law %s: unit of field %s is %d, must be a unit of TRU_UNIT_LIST", name,
                        f->name, (int)f->unit);
    if (has_range(f) && f->default_value != TRU_REQUIRED && f->default_value != TRU_DERIVED &&
        !is_within(f, f->default_value))
        return tru_fail(err, TRU_BAD_ARGUMENT, "law %s: default of field %s is %.9g, must lie in its own range", name,
                        f->name, f->default_value);
    return TRU_OK;
}

static tru_status check_functions(const tru_law *law, tru_error *err) {
    if (!law->claims || !law->prepare || !(law->section || law->accept || law->caps))
        return tru_fail(err, TRU_BAD_ARGUMENT, "law %s: function %s is missing", law->name,
                        !law->claims    ? "claims"
                        : !law->prepare ? "prepare"
                                        : "section (or caps, or accept)");
    if (law->section && !law->support)
        return tru_fail(err, TRU_BAD_ARGUMENT, "law %s: a set-valued law needs both support and section", law->name);
    if (law->accept && law->history == 0)
        return tru_fail(err, TRU_BAD_ARGUMENT, "law %s: history is 0, must be at least 1 for a law with accept",
                        law->name);
    return TRU_OK;
}

tru_status tru_law_check(const tru_law *law, tru_error *err) {
    if (!law) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_law_check needs a law");
    if (!is_word(law->name))
        return tru_fail(err, TRU_BAD_ARGUMENT, "name of a law is '%.60s', must be 1 to %d letters, digits, _ or -",
                        law->name ? law->name : "", LONGEST_LAW_NAME);
    if (!law->doc) return tru_fail(err, TRU_BAD_ARGUMENT, "law %s: doc is missing, must be one sentence", law->name);
    if (!law->fields)
        return tru_fail(err, TRU_BAD_ARGUMENT, "law %s has no field table; one without parameters has an empty table",
                        law->name);
    if (law->history < 0 || law->history > MOST_LAW_HISTORY)
        return tru_fail(err, TRU_OUT_OF_RANGE, "law %s: history is %d, must be 0 to %d", law->name, law->history,
                        MOST_LAW_HISTORY);
    tru_status s = check_functions(law, err);
    for (size_t k = 0; s >= 0 && law->fields[k].name; k++) s = check_field(law, k, err);
    return s;
}
