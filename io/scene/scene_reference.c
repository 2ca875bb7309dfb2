/* scene_reference.c: keys, units, defaults and ranges of everything a scene can hold, as Markdown. */
#include "scene_reference.h"

#include "scene/blocks/scene_objects.h"
#include "scene/blocks/scene_plan.h"

#include <stdio.h>
#include <string.h>

/* Writes the form of a value: "number [m]", "one of `midpoint`, `paper`". */
static void put_form(sink *out, const tru_field *f) {
    const char *symbol = tru_unit_describe(f->unit).symbol;
    const char *words = f->words ? f->words : "", *spoken = f->unit_required ? " with its unit" : "";
    switch (f->type) {
    case TRU_FIELD_REAL:
        trio_sink_print(out, "number [%s]%s", symbol, spoken);
        break;
    case TRU_FIELD_INTEGER:
        trio_sink_put(out, "whole number");
        break;
    case TRU_FIELD_BOOLEAN:
        trio_sink_put(out, "`true` or `false`");
        break;
    case TRU_FIELD_VEC3:
        trio_sink_print(out, "vector [%s]", symbol);
        break;
    case TRU_FIELD_QUATERNION:
        trio_sink_put(out, "orientation");
        break;
    case TRU_FIELD_CHOICE:
        trio_sink_put(out, "one of");
        while (*words) {
            const size_t size = strcspn(words, "|");
            trio_sink_print(out, " `%.*s`%s", (int)size, words, words[size] ? "," : "");
            words += size + (words[size] == '|');
        }
        break;
    case TRU_FIELD_TEXT:
        trio_sink_put(out, "text");
        break;
    case TRU_FIELD_REFERENCE:
        trio_sink_print(out, "name of a %s", words);
        break;
    case TRU_FIELD_PLUGIN:
        trio_sink_print(out, "%s", words);
        break;
    case TRU_FIELD_LIST:
        trio_sink_put(out, "list of");
        for (const tru_field *b = f->block; b && b->name; b++)
            trio_sink_print(out, " `%s`%s", b->name, b[1].name ? "," : "");
        break;
    case TRU_FIELD_ALTERNATIVE:
        trio_sink_print(out, "number [%s]%s, or block of", symbol, spoken);
        for (const tru_field *b = f->block; b && b->name; b++)
            trio_sink_print(out, " `%s`%s", b->name, b[1].name ? "," : "");
        break;
    }
}

static void put_default(sink *out, const tru_field *f) {
    char number[64];
    const char *words = f->words ? f->words : "";
    const bool real = f->type == TRU_FIELD_REAL || f->type == TRU_FIELD_ALTERNATIVE || f->type == TRU_FIELD_VEC3;
    tru_unit_format(f->unit, f->default_value, number, sizeof number);
    if (f->default_value == TRU_REQUIRED)
        trio_sink_put(out, "**required**");
    else if (f->default_value == TRU_DERIVED)
        trio_sink_put(out, "derived");
    else if (real)
        trio_sink_put(out, number);
    else if (f->type == TRU_FIELD_INTEGER)
        trio_sink_print(out, "%d", (int)f->default_value);
    else if (f->type == TRU_FIELD_BOOLEAN)
        trio_sink_put(out, f->default_value > 0.0 ? "`true`" : "`false`");
    else if (f->type == TRU_FIELD_QUATERNION)
        trio_sink_put(out, "not turned");
    else if (f->type == TRU_FIELD_CHOICE) {
        for (int k = (int)f->default_value; k > 0; k--) words += strcspn(words, "|") + 1;
        trio_sink_print(out, "`%.*s`", (int)strcspn(words, "|"), words);
    } else if (f->text)
        trio_sink_print(out, "`%s`", f->text);
    else
        trio_sink_put(out, "none");
}

static void put_range(sink *out, const tru_field *f) {
    char low[64], high[64];
    const bool number = f->type == TRU_FIELD_REAL || f->type == TRU_FIELD_ALTERNATIVE || f->type == TRU_FIELD_VEC3 ||
                        f->type == TRU_FIELD_INTEGER;
    const bool has_low = number && f->lowest != -TRU_UNBOUNDED, has_high = number && f->highest != TRU_UNBOUNDED;
    tru_unit_format(TRU_UNIT_ONE, f->lowest, low, sizeof low);
    tru_unit_format(TRU_UNIT_ONE, f->highest, high, sizeof high);
    if (has_low) trio_sink_print(out, "%s %s", f->lowest_excluded ? ">" : ">=", low);
    if (has_high) trio_sink_print(out, "%s<= %s", has_low ? ", " : "", high);
}

static void put_row(sink *out, const tru_field *f) {
    trio_sink_print(out, "| `%s` | ", f->name);
    put_form(out, f);
    trio_sink_put(out, " | ");
    put_default(out, f);
    trio_sink_put(out, " | ");
    put_range(out, f);
    trio_sink_print(out, " | %s |\n", f->doc ? f->doc : "");
}

static void put_table(sink *out, const tru_field *fields, const char *hidden, const extra_key *extras) {
    trio_sink_put(out, "\n| key | value | default | allowed | |\n|---|---|---|---|---|\n");
    for (const extra_key *e = extras; e && e->name; e++)
        trio_sink_print(out, "| `%s` | %s | | | %s |\n", e->name, e->form, e->doc);
    for (const tru_field *f = fields; f && f->name; f++)
        if (!hidden || !trio_word_among(hidden, f->name)) put_row(out, f);
    for (const tru_field *f = fields; f && f->name; f++) { /* blocks inside */
        const bool list = f->block && f->block[1].name && (!hidden || !trio_word_among(hidden, f->name));
        if (!list || f->type != TRU_FIELD_LIST) continue;
        trio_sink_print(out, "\nAn entry of `%s`:\n", f->name);
        put_table(out, f->block, NULL, NULL);
    }
}

/* Describes the block of an alternative once per table, because many fields share it. */
static void put_alternatives(sink *out, const tru_field *fields) {
    const tru_field *told = NULL;
    for (const tru_field *f = fields; f && f->name; f++) {
        if (f->type != TRU_FIELD_ALTERNATIVE || f->block == told) continue;
        trio_sink_print(out, "\nThe block of `%s`:\n", f->name);
        put_table(out, f->block, NULL, NULL);
        told = f->block;
    }
}

static void put_plugs(sink *out, const char *kind, const char *title) {
    plug p;
    trio_sink_print(out, "\n### %s\n", title);
    for (size_t k = 0; trio_plug_at(NULL, kind, k, &p); k++) {
        trio_sink_print(out, "\n**`%s`**: %s\n", p.name, p.doc);
        if (!p.fields || !p.fields->name) continue;
        put_table(out, p.fields, NULL, NULL);
        put_alternatives(out, p.fields);
    }
}

void trio_scene_reference(sink *out) {
    trio_sink_put(out, "\n### The keys of a scene\n\n| key | value | |\n|---|---|---|\n");
    for (const extra_key *k = trio_scene_keys; k->name; k++)
        trio_sink_print(out, "| `%s` | %s | %s |\n", k->name, k->form, k->doc);
    put_plugs(out, "law", "Laws");
    trio_sink_put(out, "\n### `pairs`: an entry\n");
    put_table(out, tru_def_fields("pair"), PAIR_HIDDEN, trio_pair_keys);
    trio_sink_put(out, "\n### `bodies`: a body\n");
    put_table(out, tru_def_fields("body"), BODY_HIDDEN, trio_body_keys);
    put_plugs(out, "shape", "Shapes");
    trio_sink_put(out, "\n### `fill`: a fill\n");
    put_table(out, trio_fill_fields, NULL, trio_fill_keys);
    put_plugs(out, "place", "Places of a fill");
    put_plugs(out, "sizes", "Sizes of a fill");
    trio_sink_put(out, "\n### `outlets`: an outlet\n");
    put_table(out, trio_outlet_fields, NULL, NULL);
    trio_sink_put(out, "\n### `joints`: a joint\n");
    put_table(out, tru_def_fields("joint"), JOINT_HIDDEN, trio_joint_keys);
    put_plugs(out, "joint", "Kinds of joints");
    trio_sink_put(out, "\n### `loads`: an entry\n");
    put_table(out, tru_def_fields("load"), NULL, NULL);
    trio_sink_put(out, "\n### `motions`: an entry\n");
    put_table(out, tru_def_fields("motion"), NULL, NULL);
    trio_sink_put(out, "\n### `start`: an entry\n");
    put_table(out, trio_start_fields, START_HIDDEN, trio_start_keys);
    put_plugs(out, "stepper", "Steppers");
    put_plugs(out, "solver", "Solvers");
    trio_sink_put(out, "\n### `stop_when`: a condition\n");
    put_table(out, NULL, NULL, trio_stop_keys);
    trio_sink_put(out, "\nThe block of `event`:\n");
    put_table(out, trio_event_fields, NULL, NULL);
    trio_sink_put(out, "\nThe block of `probe`:\n");
    put_table(out, NULL, NULL, trio_probe_keys);
    trio_sink_put(out, "\n### `record`\n");
    put_table(out, trio_record_fields, NULL, NULL);
}
