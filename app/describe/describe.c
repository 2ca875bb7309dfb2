/* describe.c: field tables in words and in JSON, and the table law x stepper from the steppers' own answers. */
#include "describe.h"

#include "cli/app.h"
#include "text/table.h"

#include <stdlib.h>
#include <string.h>

/* ---- one field ---- */

static const char *type_word(const tru_field *f) {
    static const char *const words[] = {"real", "integer", "boolean", "vector", "quaternion",   "choice",
                                        "text", "name",    "plug-in", "list",   "real or block"};
    return words[f->type];
}

static bool has_unit(const tru_field *f) {
    return f->type == TRU_FIELD_REAL || f->type == TRU_FIELD_VEC3 || f->type == TRU_FIELD_ALTERNATIVE ||
           (f->type == TRU_FIELD_LIST && !f->block);
}

static bool is_number(const tru_field *f) { return has_unit(f) || f->type == TRU_FIELD_INTEGER; }

static void choice_word(const char *words, int index, char *out, size_t room) {
    while (index-- > 0 && strchr(words, '|')) words = strchr(words, '|') + 1;
    snprintf(out, room, "%.*s", (int)strcspn(words, "|"), words);
}

static void default_text(const tru_field *f, char *out, size_t room) {
    *out = '\0';
    if (f->default_value == TRU_REQUIRED)
        snprintf(out, room, "required");
    else if (f->default_value == TRU_DERIVED)
        snprintf(out, room, "derived");
    else if (f->type == TRU_FIELD_CHOICE)
        choice_word(f->words, (int)f->default_value, out, room);
    else if (f->type == TRU_FIELD_BOOLEAN)
        snprintf(out, room, "%s", f->default_value != 0.0 ? "true" : "false");
    else if (f->type == TRU_FIELD_QUATERNION)
        snprintf(out, room, "identity");
    else if (f->type == TRU_FIELD_TEXT || f->type == TRU_FIELD_PLUGIN)
        snprintf(out, room, "%s", f->text ? f->text : "");
    else if (is_number(f) && f->type != TRU_FIELD_LIST)
        tru_unit_format(TRU_UNIT_ONE, f->default_value, out, room);
}

/* "> 0", "0 .. 1", ">= 1", "a or b" */
static void range_text(const tru_field *f, char *out, size_t room) {
    char low[40], high[40];
    *out = '\0';
    if (f->type == TRU_FIELD_CHOICE) {
        snprintf(out, room, "%s", f->words);
        for (char *bar; (bar = strchr(out, '|'));) *bar = ' ';
    }
    if (!is_number(f)) return;
    bool lowest = f->lowest > -TRU_UNBOUNDED, highest = f->highest < TRU_UNBOUNDED;
    tru_unit_format(TRU_UNIT_ONE, f->lowest, low, sizeof low);
    tru_unit_format(TRU_UNIT_ONE, f->highest, high, sizeof high);
    if (lowest && highest)
        snprintf(out, room, "%s%s .. %s", f->lowest_excluded ? "> " : "", low, high);
    else if (lowest)
        snprintf(out, room, "%s %s", f->lowest_excluded ? ">" : ">=", low);
    else if (highest)
        snprintf(out, room, "<= %s", high);
}

/* ---- field tables ---- */

static void add_fields(table *t, const tru_field *fields, int depth) {
    char standard[80], range[120];
    for (const tru_field *f = fields; f && f->name; f++) {
        default_text(f, standard, sizeof standard);
        range_text(f, range, sizeof range);
        table_cell(t, "%*s%s", 2 * depth, "", f->name);
        table_cell(t, "%s", type_word(f));
        table_cell(t, "%s", has_unit(f) ? tru_unit_describe(f->unit).symbol : "");
        table_cell(t, "%s", standard);
        table_cell(t, "%s", range);
        table_cell(t, "%s", f->doc);
        if (f->block && depth < 8) add_fields(t, f->block, depth + 1);
    }
}

void describe_fields(const tru_field *fields, FILE *out) {
    static const char *const heads[] = {"field", "type", "unit", "default", "range", "what it is"};
    if (!fields || !fields->name) {
        fputs("  (no parameters)\n", out);
        return;
    }
    table *t = table_new(heads, 6, "llllll");
    add_fields(t, fields, 0);
    table_print(t, out, terminal_width(out), 2);
}

void describe_fields_json(tru_json *json, const char *key, const tru_field *fields) {
    char word[80];
    tru_json_array(json, key);
    for (const tru_field *f = fields; f && f->name; f++) {
        tru_json_object(json, NULL);
        tru_json_text(json, "name", f->name);
        tru_json_text(json, "type", type_word(f));
        if (has_unit(f)) tru_json_text(json, "unit", tru_unit_describe(f->unit).symbol);
        default_text(f, word, sizeof word);
        bool plain = is_number(f) && f->default_value != TRU_REQUIRED && f->default_value != TRU_DERIVED;
        if (plain && f->type != TRU_FIELD_LIST)
            tru_json_number(json, "default", f->default_value);
        else
            tru_json_text(json, "default", *word ? word : NULL);
        if (is_number(f)) {
            if (f->lowest > -TRU_UNBOUNDED) tru_json_number(json, f->lowest_excluded ? "above" : "lowest", f->lowest);
            if (f->highest < TRU_UNBOUNDED) tru_json_number(json, "highest", f->highest);
        }
        if (f->type == TRU_FIELD_CHOICE) {
            int count = 1;
            for (const char *c = f->words; *c; c++) count += *c == '|';
            tru_json_array(json, "choices");
            for (int i = 0; i < count; i++) {
                choice_word(f->words, i, word, sizeof word);
                tru_json_text(json, NULL, word);
            }
            tru_json_close(json);
        } else if (f->words) {
            tru_json_text(json, "of", f->words);
        }
        tru_json_text(json, "doc", f->doc);
        if (f->block) describe_fields_json(json, "fields", f->block);
        tru_json_close(json);
    }
    tru_json_close(json);
}

/* ---- law x stepper ---- */

/* Returns a value in the field's range that is not its default, as if the user had given the coefficient. */
static double sample(const tru_field *f) {
    double value =
        0.5 * (f->default_value > -TRU_UNBOUNDED && f->default_value < TRU_UNBOUNDED ? f->default_value : 0.0) + 0.25;
    if (value < f->lowest || (f->lowest_excluded && value == f->lowest)) value = f->lowest + 1.0;
    if (value > f->highest) value = f->highest;
    return value;
}

/* Returns parameters of a law: defaults, required fields filled, and one field (or none) given. */
static void *law_params(const tru_law *law, const tru_field *only) {
    char *params = need(1, law->size ? law->size : 1);
    tru_fields_defaults(law->fields, params);
    for (const tru_field *f = law->fields; f && f->name; f++) {
        if (f != only && f->default_value != TRU_REQUIRED) continue;
        double value = sample(f);
        int32_t whole = f->type == TRU_FIELD_CHOICE ? (f->default_value == 0.0 ? 1 : 0) : (int32_t)(f->lowest + 1.0);
        bool yes = f->default_value == 0.0;
        if (f->type == TRU_FIELD_REAL || f->type == TRU_FIELD_ALTERNATIVE)
            memcpy(params + f->offset, &value, sizeof value);
        else if (f->type == TRU_FIELD_INTEGER || f->type == TRU_FIELD_CHOICE)
            memcpy(params + f->offset, &whole, sizeof whole);
        else if (f->type == TRU_FIELD_BOOLEAN)
            memcpy(params + f->offset, &yes, sizeof yes);
    }
    return params;
}

const char *refused_law(const tru_stepper *stepper, const tru_law *law) { return refused_field(stepper, law, NULL); }

const char *refused_field(const tru_stepper *stepper, const tru_law *law, const tru_field *field) {
    void *params = law_params(law, field);
    const char *why = stepper->refuses_law ? stepper->refuses_law(law, params) : NULL;
    free(params);
    return why;
}

/* Reasons why steppers refuse, each once, with a number. */
enum { REASONS = 32 };
typedef struct reasons {
    const char *why[REASONS];
    size_t count;
} reasons;

static size_t reason_number(reasons *r, const char *why) {
    size_t k = 0;
    while (k < r->count && strcmp(r->why[k], why) != 0) k++;
    if (k == r->count && r->count < REASONS) r->why[r->count++] = why;
    return k + 1;
}

/* "used", "no (1)", "in part (1)": a law may be used without some of its fields. */
static void verdict(const tru_stepper *stepper, const tru_law *law, reasons *r, char *out, size_t room) {
    const char *why = refused_law(stepper, law), *part = NULL;
    for (const tru_field *f = law->fields; f && f->name && !why && !part; f++) part = refused_field(stepper, law, f);
    if (!why && !part)
        snprintf(out, room, "used");
    else
        snprintf(out, room, "%s (%zu)", why ? "no" : "in part", reason_number(r, why ? why : part));
}

/* "event uses rolling without roll, spin: sliding friction only" */
static void tell_parts(const tru_stepper *stepper, const tru_law *law, FILE *out) {
    const char *why = NULL;
    if (refused_law(stepper, law)) return;
    for (const tru_field *f = law->fields; f && f->name; f++) {
        const char *here = refused_field(stepper, law, f);
        if (!here) continue;
        if (why)
            fprintf(out, ", %s", f->name);
        else
            fprintf(out, "  %s uses %s without %s", stepper->name, law->name, f->name);
        why = here;
    }
    if (why) fputs("\n", out);
}

static size_t stepper_count(void) {
    size_t count = 0;
    while (tru_stepper_at(count)) count++;
    return count;
}

const tru_law *describe_law_at(const tru_plugins *plugins, size_t k) {
    size_t built_in = 0;
    tru_plugin_info info;
    while (tru_law_at(built_in)) built_in++;
    if (k < built_in) return tru_law_at(k);
    return tru_plugins_at(plugins, k - built_in, &info) ? info.law : NULL;
}

void describe_honesty(const tru_plugins *plugins, FILE *out) {
    size_t steppers = stepper_count();
    const char **heads = need(steppers + 1, sizeof *heads);
    char *align = need(steppers + 2, 1), text[40];
    reasons r = {.count = 0};
    heads[0] = "law";
    for (size_t k = 0; k < steppers; k++) heads[k + 1] = tru_stepper_at(k)->name;
    memset(align, 'l', steppers + 1);
    table *t = table_new(heads, steppers + 1, align);
    for (size_t i = 0; describe_law_at(plugins, i); i++) {
        table_cell(t, "%s", describe_law_at(plugins, i)->name);
        for (size_t k = 0; k < steppers; k++) {
            verdict(tru_stepper_at(k), describe_law_at(plugins, i), &r, text, sizeof text);
            table_cell(t, "%s", text);
        }
    }
    table_print(t, out, terminal_width(out), 2);
    for (size_t k = 0; k < r.count; k++) fprintf(out, "  (%zu) %s\n", k + 1, r.why[k]);
    for (size_t i = 0; describe_law_at(plugins, i); i++)
        for (size_t k = 0; k < steppers; k++) tell_parts(tru_stepper_at(k), describe_law_at(plugins, i), out);
    free(align);
    free(heads);
}

static void honesty_fields_json(tru_json *json, const tru_stepper *stepper, const tru_law *law) {
    tru_json_array(json, "refused_fields");
    for (const tru_field *f = law->fields; f && f->name; f++) {
        const char *why = refused_field(stepper, law, f);
        if (!why) continue;
        tru_json_object(json, NULL);
        tru_json_text(json, "field", f->name);
        tru_json_text(json, "why", why);
        tru_json_close(json);
    }
    tru_json_close(json);
}

void describe_honesty_json(tru_json *json, const tru_plugins *plugins, const char *key) {
    tru_json_array(json, key);
    for (size_t i = 0; describe_law_at(plugins, i); i++)
        for (size_t k = 0; tru_stepper_at(k); k++) {
            const char *why = refused_law(tru_stepper_at(k), describe_law_at(plugins, i));
            tru_json_object(json, NULL);
            tru_json_text(json, "law", describe_law_at(plugins, i)->name);
            tru_json_text(json, "stepper", tru_stepper_at(k)->name);
            tru_json_bool(json, "used", !why);
            tru_json_text(json, "why", why);
            if (!why) honesty_fields_json(json, tru_stepper_at(k), describe_law_at(plugins, i));
            tru_json_close(json);
        }
    tru_json_close(json);
}
