/* field.c: defaults, range checks with their sentences, lookup and change of units of typed structs, from their field tables. */
#include "fields/field.h"

#include "base/assert.h"
#include "base/error.h"
#include "fields/choices.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *trui_field_at(const tru_field *field, void *params) { return (char *)params + field->offset; }

const void *trui_field_in(const tru_field *field, const void *params) { return (const char *)params + field->offset; }

const tru_field *tru_field_find(const tru_field *fields, const char *name) {
    for (const tru_field *f = fields; f->name; f++)
        if (strcmp(f->name, name) == 0) return f;
    return NULL;
}

/* ---- defaults ---- */

/* A real without a value is TRU_DERIVED, whether its field is required or derived. */
static double default_real(const tru_field *f) {
    return f->default_value == TRU_REQUIRED ? TRU_DERIVED : f->default_value;
}

static int32_t default_integer(const tru_field *f) {
    bool none = f->default_value == TRU_REQUIRED || f->default_value == TRU_DERIVED;
    return none ? FIELD_NO_INTEGER : (int32_t)f->default_value;
}

static tru_quat default_quaternion(const tru_field *f) {
    bool none = f->default_value == TRU_REQUIRED || f->default_value == TRU_DERIVED;
    return (tru_quat){none ? TRU_DERIVED : 1.0, 0.0, 0.0, 0.0};
}

static void set_default(const tru_field *f, void *params) {
    void *at = trui_field_at(f, params);
    double real = default_real(f);
    switch (f->type) {
    case TRU_FIELD_REAL:
        *(double *)at = real;
        break;
    case TRU_FIELD_INTEGER:
    case TRU_FIELD_CHOICE:
        *(int32_t *)at = default_integer(f);
        break;
    case TRU_FIELD_BOOLEAN:
        *(bool *)at = real > 0.0;
        break;
    case TRU_FIELD_VEC3:
        *(tru_vec3 *)at = (tru_vec3){real, real, real};
        break;
    case TRU_FIELD_QUATERNION:
        *(tru_quat *)at = default_quaternion(f);
        break;
    case TRU_FIELD_TEXT:
        *(const char **)at = f->text;
        break;
    case TRU_FIELD_REFERENCE:
        *(tru_id *)at = TRU_NONE;
        break;
    case TRU_FIELD_PLUGIN:
        *(tru_use *)at = (tru_use){f->text, NULL};
        break;
    case TRU_FIELD_LIST:
        *(tru_list *)at = (tru_list){NULL, 0};
        break;
    case TRU_FIELD_ALTERNATIVE:
        *(double *)at = real;
        tru_fields_defaults(f->block, at);
        break;
    }
}

void tru_fields_defaults(const tru_field *fields, void *params) {
    for (const tru_field *f = fields; f->name; f++) set_default(f, params);
}

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

/* Returns true if the block of an alternative was given: one of its fields differs from its default. */
static bool field_block_given(const tru_field *alternative, const void *params) {
    const void *at = trui_field_in(alternative, params);
    for (const tru_field *f = alternative->block; f->name; f++)
        if (!trui_field_is_default(f, at)) return true;
    return false;
}

bool trui_field_is_default(const tru_field *f, const void *params) {
    const void *at = trui_field_in(f, params);
    double real = default_real(f);
    tru_quat turn = default_quaternion(f);
    const tru_vec3 *v = at;
    const tru_quat *q = at;
    switch (f->type) {
    case TRU_FIELD_REAL:
        return *(const double *)at == real;
    case TRU_FIELD_INTEGER:
    case TRU_FIELD_CHOICE:
        return *(const int32_t *)at == default_integer(f);
    case TRU_FIELD_BOOLEAN:
        return *(const bool *)at == (real > 0.0);
    case TRU_FIELD_VEC3:
        return v->x == real && v->y == real && v->z == real;
    case TRU_FIELD_QUATERNION:
        return q->w == turn.w && q->x == turn.x && q->y == turn.y && q->z == turn.z;
    case TRU_FIELD_TEXT:
        return same_text(*(char *const *)at, f->text);
    case TRU_FIELD_REFERENCE:
        return *(const tru_id *)at == TRU_NONE;
    case TRU_FIELD_PLUGIN:
        return same_text(((const tru_use *)at)->name, f->text) && !((const tru_use *)at)->params;
    case TRU_FIELD_LIST:
        return ((const tru_list *)at)->count == 0;
    case TRU_FIELD_ALTERNATIVE:
        return *(const double *)at == real && !field_block_given(f, params);
    }
    return false;
}

/* ---- check ---- */

enum { PATH = 200, PHRASE = 200 }; /* bytes of a path or phrase in a sentence; longer ones are cut */

/* Where a checked struct is. */
typedef struct place {
    const char *what; /* the object, "law coulomb" */
    const char *path; /* from the object to the struct, "layers[2]." */
    tru_error *err;
} place;

/* Writes formatted text and cuts what does not fit. */
PRINTF_LIKE(3, 4) static void write_text(char *out, size_t room, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (vsnprintf(out, room, format, args) < 0) out[0] = '\0';
    va_end(args);
}

static tru_status check_table(const place *p, const tru_field *fields, const void *params);

/* Writes the subject of a sentence, "law coulomb: slide", and returns `out`. */
static const char *subject(const place *p, const tru_field *f, const char *part, char out[PATH]) {
    bool named = p->what && *p->what;
    write_text(out, PATH, "%s%s%s%s%s", named ? p->what : "", named ? ": " : "", p->path, f->name, part);
    return out;
}

static tru_status missing(const place *p, const tru_field *f) {
    char who[PATH];
    return tru_fail(p->err, TRU_BAD_ARGUMENT, "%s is missing", subject(p, f, "", who));
}

/* Writes the allowed range, "must be above 0 kg" or "must lie between 0 and 1". */
static void range_phrase(const tru_field *f, char out[PHRASE]) {
    char low[64], high[64];
    bool has_low = f->lowest != -TRU_UNBOUNDED, has_high = f->highest != TRU_UNBOUNDED;
    tru_unit_format(f->unit, f->lowest, low, sizeof low);
    tru_unit_format(f->unit, f->highest, high, sizeof high);
    if (has_low && has_high && f->lowest_excluded)
        write_text(out, PHRASE, "must be above %s and at most %s", low, high);
    else if (has_low && has_high)
        write_text(out, PHRASE, "must lie between %s and %s", low, high);
    else if (has_low)
        write_text(out, PHRASE, "must be %s %s", f->lowest_excluded ? "above" : "at least", low);
    else
        write_text(out, PHRASE, "must be at most %s", high);
}

/* Checks a number that was given; `part` is "", ".x" or "[3]". */
static tru_status check_number(const place *p, const tru_field *f, const char *part, double value) {
    char who[PATH], number[64], phrase[PHRASE];
    bool inside = f->lowest_excluded ? value > f->lowest : value >= f->lowest;
    if (isfinite(value) && inside && value <= f->highest) return TRU_OK;
    tru_unit_format(f->unit, value, number, sizeof number);
    if (isfinite(value))
        range_phrase(f, phrase);
    else
        write_text(phrase, sizeof phrase, "must be a finite number");
    return tru_fail(p->err, TRU_OUT_OF_RANGE, "%s is %s, %s", subject(p, f, part, who), number, phrase);
}

/* Checks a value that was not given, which is allowed only if the default says that it is derived. */
static tru_status check_absent(const place *p, const tru_field *f) {
    char who[PATH];
    if (f->default_value == TRU_DERIVED) return TRU_OK;
    if (f->default_value == TRU_REQUIRED) return missing(p, f);
    return tru_fail(p->err, TRU_BAD_ARGUMENT, "%s cannot be derived, give its value", subject(p, f, "", who));
}

static tru_status check_real(const place *p, const tru_field *f, double value) {
    return value == TRU_DERIVED ? check_absent(p, f) : check_number(p, f, "", value);
}

static tru_status check_integer(const place *p, const tru_field *f, int32_t value) {
    return value == FIELD_NO_INTEGER ? check_absent(p, f) : check_number(p, f, "", value);
}

static tru_status check_vec3(const place *p, const tru_field *f, tru_vec3 v) {
    char who[PATH];
    int absent = (v.x == TRU_DERIVED) + (v.y == TRU_DERIVED) + (v.z == TRU_DERIVED);
    if (v.x == TRU_DERIVED && f->default_value == TRU_DERIVED) return TRU_OK; /* x decides for all three */
    if (absent == 3) return check_absent(p, f);
    if (absent) return tru_fail(p->err, TRU_BAD_ARGUMENT, "%s needs x, y and z", subject(p, f, "", who));
    tru_status status = check_number(p, f, ".x", v.x);
    if (!status) status = check_number(p, f, ".y", v.y);
    if (!status) status = check_number(p, f, ".z", v.z);
    return status;
}

static tru_status check_quaternion(const place *p, const tru_field *f, tru_quat q) {
    if (q.w == TRU_DERIVED) return check_absent(p, f);
    double squares = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (isnormal(squares)) return TRU_OK;
    char who[PATH], number[4][64];
    const double parts[4] = {q.w, q.x, q.y, q.z};
    for (int i = 0; i < 4; i++) tru_unit_format(TRU_UNIT_ONE, parts[i], number[i], sizeof number[i]);
    return tru_fail(p->err, TRU_OUT_OF_RANGE, "%s is (%s, %s, %s, %s), which cannot be normalised",
                    subject(p, f, "", who), number[0], number[1], number[2], number[3]);
}

static tru_status check_choice(const place *p, const tru_field *f, int32_t value) {
    char who[PATH], words[PHRASE];
    if (value == FIELD_NO_INTEGER) return check_absent(p, f);
    if (value >= 0 && value < trui_choices_count(f->words)) return TRU_OK;
    trui_choices_list(f->words, 0, words, sizeof words);
    return tru_fail(p->err, TRU_OUT_OF_RANGE, "%s is %d, must be one of %s", subject(p, f, "", who), (int)value, words);
}

/* Checks item k of a list: a real, or a struct if the list has blocks. */
static tru_status check_item(const place *p, const tru_field *f, const tru_list *list, size_t k) {
    char part[32], path[PATH];
    write_text(part, sizeof part, "[%zu]", k);
    if (!f->block) return check_number(p, f, part, ((const double *)list->items)[k]);
    write_text(path, sizeof path, "%s%s%s.", p->path, f->name, part);
    place inner = {p->what, path, p->err};
    return check_table(&inner, f->block, (const char *)list->items + k * f->block_size);
}

static tru_status check_list(const place *p, const tru_field *f, const tru_list *list) {
    char who[PATH];
    if (list->count == 0) return f->default_value == TRU_REQUIRED ? missing(p, f) : TRU_OK;
    if (!list->items)
        return tru_fail(p->err, TRU_BAD_ARGUMENT, "%s has a count of %zu but no items", subject(p, f, "", who),
                        list->count);
    tru_status status = TRU_OK;
    for (size_t k = 0; k < list->count && !status; k++) status = check_item(p, f, list, k);
    return status;
}

/* Returns the word for a number of this unit, for the sentence "give roll as a length or as {factor, radius}". */
static const char *quantity(tru_unit unit) {
    switch (unit) {
    case TRU_UNIT_M:
        return "a length";
    case TRU_UNIT_RAD:
        return "an angle";
    case TRU_UNIT_KG:
        return "a mass";
    case TRU_UNIT_S:
        return "a time";
    default:
        return "a number";
    }
}

/* Writes the names of a table, "factor, radius". */
static void names_list(const tru_field *fields, char out[PHRASE]) {
    size_t used = 0;
    out[0] = '\0';
    for (const tru_field *f = fields; f->name && used < PHRASE; f++)
        used += (size_t)snprintf(out + used, PHRASE - used, "%s%s", f == fields ? "" : ", ", f->name);
}

/* Checks that a block that was given has a word for every choice whose first word is "none". */
static tru_status check_chosen(const place *p, const tru_field *f, const void *params) {
    char who[PATH], words[PHRASE];
    for (const tru_field *c = f->block; c->name; c++) {
        bool open = c->type == TRU_FIELD_CHOICE && trui_choices_find(c->words, "none") == 0;
        if (!open || *(const int32_t *)trui_field_in(c, params) != 0) continue;
        trui_choices_list(c->words, 1, words, sizeof words);
        const char *other = c == f->block ? c[1].name : f->block->name;
        const char *article = strchr("aeiou", c->name[0]) ? "an" : "a";
        return tru_fail(p->err, TRU_BAD_ARGUMENT, "%s: %s needs %s %s (%s)", subject(p, f, "", who),
                        other ? other : f->name, article, c->name, words);
    }
    return TRU_OK;
}

static tru_status check_both(const place *p, const tru_field *f) {
    char names[PHRASE];
    bool named = p->what && *p->what;
    names_list(f->block, names);
    return tru_fail(p->err, TRU_CONFLICT, "%s%sgive %s%s as %s or as {%s}, not both", named ? p->what : "",
                    named ? ": " : "", p->path, f->name, quantity(f->unit), names);
}

/* Checks an alternative: either the real or the block may be given. A real that is 0 or its default counts as not given. */
static tru_status check_alternative(const place *p, const tru_field *f, const void *params) {
    const void *at = trui_field_in(f, params);
    double real = *(const double *)at;
    if (!field_block_given(f, params)) return check_real(p, f, real);
    bool given = real != 0.0 && real != default_real(f);
    tru_status status = given ? check_real(p, f, real) : TRU_OK;
    if (status) return status;
    char path[PATH];
    write_text(path, sizeof path, "%s%s.", p->path, f->name);
    place inner = {p->what, path, p->err};
    status = check_table(&inner, f->block, at);
    if (!status && given) status = check_both(p, f);
    return status ? status : check_chosen(p, f, at);
}

static tru_status check_field(const place *p, const tru_field *f, const void *params) {
    const void *at = trui_field_in(f, params);
    bool required = f->default_value == TRU_REQUIRED, absent = false;
    switch (f->type) {
    case TRU_FIELD_REAL:
        return check_real(p, f, *(const double *)at);
    case TRU_FIELD_INTEGER:
        return check_integer(p, f, *(const int32_t *)at);
    case TRU_FIELD_BOOLEAN:
        return TRU_OK;
    case TRU_FIELD_VEC3:
        return check_vec3(p, f, *(const tru_vec3 *)at);
    case TRU_FIELD_QUATERNION:
        return check_quaternion(p, f, *(const tru_quat *)at);
    case TRU_FIELD_CHOICE:
        return check_choice(p, f, *(const int32_t *)at);
    case TRU_FIELD_TEXT:
        absent = !*(char *const *)at;
        break;
    case TRU_FIELD_REFERENCE:
        absent = *(const tru_id *)at == TRU_NONE;
        break;
    case TRU_FIELD_PLUGIN:
        absent = !((const tru_use *)at)->name, required = required || f->text;
        break;
    case TRU_FIELD_LIST:
        return check_list(p, f, at);
    case TRU_FIELD_ALTERNATIVE:
        return check_alternative(p, f, params);
    }
    return absent && required ? missing(p, f) : TRU_OK;
}

static tru_status check_table(const place *p, const tru_field *fields, const void *params) {
    tru_status status = TRU_OK;
    for (const tru_field *f = fields; f->name && !status; f++) status = check_field(p, f, params);
    return status;
}

tru_status tru_fields_check(const tru_field *fields, const void *params, const char *what, tru_error *err) {
    place p = {what, "", err};
    if (!params && fields->name)
        return tru_fail(err, TRU_BAD_ARGUMENT, "%s has no parameters", what && *what ? what : "this");
    return check_table(&p, fields, params);
}

/* ---- change of units ---- */

typedef struct units_change {
    double kg, m, s; /* [-] factor of a mass, a length and a time */
} units_change;

static double power(double base, int n) {
    double result = 1.0; /* exact if the base is a power of two */
    for (; n > 0; n--) result *= base;
    for (; n < 0; n++) result /= base;
    return result;
}

static void rescale_real(double *value, double factor) {
    if (fabs(*value) != DBL_MAX)
        *value *= factor; /* TRU_DERIVED, TRU_REQUIRED and TRU_UNBOUNDED are marks, not amounts */
}

static void rescale_list(const tru_field *f, const tru_list *list, double factor, units_change by) {
    for (size_t k = 0; k < list->count; k++) {
        char *item = (char *)list->items + k * (f->block ? f->block_size : sizeof(double));
        if (f->block)
            tru_fields_rescale(f->block, item, by.kg, by.m, by.s);
        else
            rescale_real((double *)(void *)item, factor);
    }
}

void tru_fields_rescale(const tru_field *fields, void *params, double kg, double m, double s) {
    for (const tru_field *f = fields; f->name; f++) {
        tru_unit_info unit = tru_unit_describe(f->unit);
        double factor = power(kg, unit.kg) * power(m, unit.m) * power(s, unit.s);
        void *at = trui_field_at(f, params);
        tru_vec3 *v = at;
        if (f->type == TRU_FIELD_REAL || f->type == TRU_FIELD_ALTERNATIVE) rescale_real(at, factor);
        if (f->type == TRU_FIELD_VEC3)
            rescale_real(&v->x, factor), rescale_real(&v->y, factor), rescale_real(&v->z, factor);
        if (f->type == TRU_FIELD_ALTERNATIVE) tru_fields_rescale(f->block, at, kg, m, s);
        if (f->type == TRU_FIELD_LIST) rescale_list(f, at, factor, (units_change){kg, m, s});
    }
}
