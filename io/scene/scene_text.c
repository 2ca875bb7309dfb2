/* scene_text.c: writes the resolved scene by the same tables that read it, so that it reads back to the same text. */
#include "scene_text.h"

#include "scene/blocks/scene_objects.h"
#include "scene/blocks/scene_plan.h"
#include "scene/blocks/scene_evaluate.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

sink trio_sink_begin(bool keep) { return (sink){.hash = UINT64_C(0xcbf29ce484222325), .keep = keep}; }

void trio_sink_put(sink *out, const char *text) {
    const size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) out->hash = (out->hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    if (!out->keep || out->failed) return;
    if (out->count + length + 1 > out->room) {
        const size_t room = 2 * out->room + length + 4096;
        char *more = realloc(out->text, room);
        if (!more) {
            out->failed = true;
            return;
        }
        out->text = more;
        out->room = room;
    }
    memcpy(out->text + out->count, text, length + 1);
    out->count += length;
}

void trio_sink_print(sink *out, const char *format, ...) {
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    trio_sink_put(out, text);
}

static bool is_simple(const char *text) {
    const bool letter = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');
    for (const char *c = text; letter && *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_' ||
              *c == '-'))
            return false;
    return letter && strcmp(text, "null") != 0 && strcmp(text, "true") != 0 && strcmp(text, "false") != 0;
}

static void put_quoted(sink *out, const char *text) {
    char one[8] = "";
    trio_sink_put(out, "\"");
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            snprintf(one, sizeof one, "\\%c", *c);
        else if ((unsigned char)*c < 0x20 || *c == 0x7f)
            snprintf(one, sizeof one, "\\x%02x", (unsigned char)*c);
        else
            snprintf(one, sizeof one, "%c", *c);
        trio_sink_put(out, one);
    }
    trio_sink_put(out, "\"");
}

/* A name or word, in quotation marks where YAML needs them. */
static void put_word(sink *out, const char *text) {
    if (is_simple(text))
        trio_sink_put(out, text);
    else
        put_quoted(out, text);
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/* True if what stands behind a '/' of this unit is also the name of a parameter: readers refuse "3 m/s" then. */
static bool unit_clashes(const sink *out, const char *unit) {
    for (const char *c = strchr(unit, '/'); c && out->names; c = strchr(c + 1, '/')) {
        size_t n = 0;
        while (is_letter(c[1 + n])) n++;
        if (out->names->find(out->names->user, c + 1, n, NULL, NULL)) return true;
    }
    return false;
}

/* " m/s^2", or " m s^-2" where the quotient clashes. Units of fields have quotients of single symbols only. */
static void put_unit(sink *out, const char *unit) {
    if (!unit_clashes(out, unit)) {
        trio_sink_print(out, " %s", unit);
        return;
    }
    const char *quotient = strchr(unit, '/');
    if (strncmp(unit, "1/", 2) != 0) trio_sink_print(out, " %.*s", (int)(quotient - unit), unit);
    for (const char *part = quotient; *part; part += 1 + strcspn(part + 1, "/")) {
        const size_t size = strcspn(part + 1, "/"), symbol = strcspn(part + 1, "/^");
        const char *power = symbol < size ? part + 2 + symbol : "1";
        trio_sink_print(out, " %.*s^-%.*s", (int)symbol, part + 1, (int)strcspn(power, "/"), power);
    }
}

/* Most numbers of a scene are small whole ones. */
static void put_number(sink *out, tru_unit unit, double value) {
    char text[80], *at = text + sizeof text - 1;
    const bool small = value == floor(value) && value >= 0.0 && value < 1e5 && !signbit(value);
    if (small) {
        int whole = (int)value;
        *at = '\0';
        do *--at = (char)('0' + whole % 10);
        while ((whole /= 10) > 0);
        trio_sink_put(out, at);
    } else {
        tru_unit_format(TRU_UNIT_ONE, value, text, sizeof text);
        trio_sink_put(out, text);
    }
    if (unit != TRU_UNIT_ONE && unit != TRU_UNIT_MISSING) put_unit(out, tru_unit_describe(unit).symbol);
}

static void put_quantity(sink *out, const quantity *q) {
    char unit[QUANTITY_UNIT];
    put_number(out, TRU_UNIT_ONE, q->value);
    if (q->bare) return;
    trio_quantity_unit(q, unit, sizeof unit);
    put_unit(out, unit);
}

static void put_vec3(sink *out, tru_unit unit, tru_vec3 v) {
    const bool pure = unit == TRU_UNIT_ONE || unit == TRU_UNIT_MISSING;
    const double parts[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++) {
        trio_sink_put(out, i > 0 ? ", " : "[");
        put_number(out, TRU_UNIT_ONE, parts[i]);
    }
    trio_sink_print(out, "%s%s]", pure ? "" : ", ", pure ? "" : tru_unit_describe(unit).symbol);
}

/* ---- fields ---- */

typedef struct writer {
    sink *out;
    const object_finder *objects;
    const tree *t; /* of the scene, for its plug-ins */
} writer;

static void put_fields(const writer *w, const tru_field *fields, const char *hidden, const void *params, bool *first);
static void put_value(const writer *w, const tru_field *f, const void *at);

static void put_word_at(sink *out, const char *words, int32_t k) {
    for (; k > 0 && *words; k--) words += strcspn(words, "|") + 1;
    trio_sink_print(out, "%.*s", (int)strcspn(words, "|"), words);
}

/* A plug-in without parameters runs with its defaults, so the defaults are written. */
static void put_use(const writer *w, const char *kind, const tru_use *use) {
    max_align_t defaults[64] = {0};
    plug p;
    bool first = true;
    const bool known = trio_plug_named(w->t, kind, use->name, &p) && p.fields && p.fields->name;
    if (!known || (!use->params && p.size > sizeof defaults)) {
        put_word(w->out, use->name);
        return;
    }
    if (!use->params) tru_fields_defaults(p.fields, defaults);
    trio_sink_print(w->out, "{%s: {", use->name);
    put_fields(w, p.fields, NULL, use->params ? use->params : defaults, &first);
    trio_sink_put(w->out, "}}");
}

static void put_list(const writer *w, const tru_field *f, const tru_list *list) {
    trio_sink_put(w->out, "[");
    for (size_t k = 0; k < list->count; k++) {
        const char *item = (const char *)list->items + k * (f->block ? f->block_size : sizeof(double));
        bool first = true;
        if (k > 0) trio_sink_put(w->out, ", ");
        if (!f->block) {
            put_number(w->out, f->unit, *(const double *)(const void *)item);
            continue;
        }
        if (!f->block[1].name) { /* a block of one field: the value alone */
            put_value(w, f->block, item + f->block->offset);
            continue;
        }
        trio_sink_put(w->out, "{");
        put_fields(w, f->block, NULL, item, &first);
        trio_sink_put(w->out, "}");
    }
    trio_sink_put(w->out, "]");
}

/* Writes the block if one of its fields differs from its default. It writes both and compares them. */
static void put_alternative(const writer *w, const tru_field *f, const void *at) {
    max_align_t defaults[16] = {0};
    sink given = trio_sink_begin(false), standard = trio_sink_begin(false);
    const writer a = {&given, w->objects, w->t}, b = {&standard, w->objects, w->t};
    bool first_a = true, first_b = true, first = true;
    const bool fits = f->block_size <= sizeof defaults;
    if (fits) tru_fields_defaults(f->block, defaults);
    put_fields(&a, f->block, NULL, at, &first_a);
    if (fits) put_fields(&b, f->block, NULL, defaults, &first_b);
    if (given.hash == standard.hash) {
        put_number(w->out, f->unit, *(const double *)at);
        return;
    }
    trio_sink_put(w->out, "{");
    put_fields(w, f->block, NULL, at, &first);
    trio_sink_put(w->out, "}");
}

static bool is_derived(const tru_field *f, const void *at) {
    if (f->default_value != TRU_DERIVED) return false;
    if (f->type == TRU_FIELD_INTEGER || f->type == TRU_FIELD_CHOICE) return *(const int32_t *)at == INT32_MIN;
    const bool real = f->type == TRU_FIELD_REAL || f->type == TRU_FIELD_VEC3 || f->type == TRU_FIELD_QUATERNION;
    return real && *(const double *)at == TRU_DERIVED;
}

/* Nothing to write: a text, object, plug-in or list that was not given. */
static bool is_absent(const tru_field *f, const void *at) {
    return (f->type == TRU_FIELD_TEXT && !*(char *const *)at) ||
           (f->type == TRU_FIELD_REFERENCE && *(const tru_id *)at == TRU_NONE) ||
           (f->type == TRU_FIELD_PLUGIN && !((const tru_use *)at)->name) ||
           (f->type == TRU_FIELD_LIST && ((const tru_list *)at)->count == 0);
}

static void put_value(const writer *w, const tru_field *f, const void *at) {
    const tru_quat *q = at;
    switch (f->type) {
    case TRU_FIELD_REAL:
        put_number(w->out, f->unit, *(const double *)at);
        break;
    case TRU_FIELD_INTEGER:
        trio_sink_print(w->out, "%d", (int)*(const int32_t *)at);
        break;
    case TRU_FIELD_BOOLEAN:
        trio_sink_put(w->out, *(const bool *)at ? "true" : "false");
        break;
    case TRU_FIELD_VEC3:
        put_vec3(w->out, f->unit, *(const tru_vec3 *)at);
        break;
    case TRU_FIELD_QUATERNION:
        trio_sink_put(w->out, "[");
        put_number(w->out, TRU_UNIT_ONE, q->w);
        trio_sink_put(w->out, ", ");
        put_number(w->out, TRU_UNIT_ONE, q->x);
        trio_sink_put(w->out, ", ");
        put_number(w->out, TRU_UNIT_ONE, q->y);
        trio_sink_put(w->out, ", ");
        put_number(w->out, TRU_UNIT_ONE, q->z);
        trio_sink_put(w->out, "]");
        break;
    case TRU_FIELD_CHOICE:
        put_word_at(w->out, f->words, *(const int32_t *)at);
        break;
    case TRU_FIELD_TEXT:
        put_word(w->out, *(char *const *)at);
        break;
    case TRU_FIELD_REFERENCE:
        put_word(w->out, w->objects->name(w->objects->user, f->words, *(const tru_id *)at - 1));
        break;
    case TRU_FIELD_PLUGIN:
        put_use(w, f->words, at);
        break;
    case TRU_FIELD_LIST:
        put_list(w, f, at);
        break;
    case TRU_FIELD_ALTERNATIVE:
        put_alternative(w, f, at);
        break;
    }
}

static void put_key(sink *out, const char *key, bool *first) {
    if (!*first) trio_sink_put(out, ", ");
    trio_sink_put(out, key);
    trio_sink_put(out, ": ");
    *first = false;
}

/* "name: value, name: value" */
static void put_fields(const writer *w, const tru_field *fields, const char *hidden, const void *params, bool *first) {
    for (const tru_field *f = fields; f->name; f++) {
        const void *at = (const char *)params + f->offset;
        if ((hidden && trio_word_among(hidden, f->name)) || is_absent(f, at)) continue;
        put_key(w->out, f->name, first);
        if (is_derived(f, at))
            trio_sink_put(w->out, "derived");
        else
            put_value(w, f, at);
    }
}

/* ---- sections ---- */

static void put_laws(const writer *w, const law_block *b) {
    trio_sink_put(w->out, "{");
    for (size_t k = 0; k < b->count; k++) {
        plug p;
        bool first = true;
        trio_sink_print(w->out, "%s%s: {", k > 0 ? ", " : "", b->laws[k].name);
        if (trio_plug_named(w->t, "law", b->laws[k].name, &p) && p.fields)
            put_fields(w, p.fields, NULL, b->laws[k].params, &first);
        trio_sink_put(w->out, "}");
    }
    trio_sink_put(w->out, "}");
}

static void put_pair(const writer *w, const scene_pair *p) {
    bool first = true;
    trio_sink_put(w->out, "{");
    if (!p->is_default) {
        put_key(w->out, "between", &first);
        trio_sink_put(w->out, "[");
        put_word(w->out, w->objects->name(w->objects->user, "material", p->def.a - 1));
        trio_sink_put(w->out, ", ");
        put_word(w->out, w->objects->name(w->objects->user, "material", p->def.b - 1));
        trio_sink_put(w->out, "]");
    }
    put_key(w->out, p->is_default ? "default" : "law", &first);
    if (p->name)
        put_word(w->out, p->name);
    else if (p->laws.count > 0)
        put_laws(w, &p->laws);
    else
        trio_sink_put(w->out, "none");
    put_fields(w, tru_def_fields("pair"), PAIR_HIDDEN, &p->def, &first);
    trio_sink_put(w->out, "}");
}

static void put_between(const writer *w, tru_id a, tru_id b) {
    trio_sink_put(w->out, "{between: [");
    put_word(w->out, w->objects->name(w->objects->user, "body", a - 1));
    trio_sink_put(w->out, ", ");
    put_word(w->out, w->objects->name(w->objects->user, "body", b - 1));
    trio_sink_put(w->out, "]");
}

static void put_joint(const writer *w, const tru_joint_def *d) {
    bool first = false;
    put_between(w, d->a, d->b);
    put_fields(w, tru_def_fields("joint"), JOINT_HIDDEN, d, &first);
    trio_sink_put(w->out, "}");
}

static void put_start(const writer *w, const scene_start *s) {
    bool first = false;
    put_between(w, s->a, s->b);
    put_fields(w, trio_start_fields, START_HIDDEN, s, &first);
    trio_sink_put(w->out, "}");
}

static void put_block(const writer *w, const tru_field *fields, const char *hidden, const void *params) {
    bool first = true;
    trio_sink_put(w->out, "{");
    put_fields(w, fields, hidden, params, &first);
    trio_sink_put(w->out, "}");
}

/* Writes one object of a section on its own line. It reads the object from its node. */
static tru_status put_object(const writer *w, reader *r, const scene_model *m, section s, node_id n, size_t k) {
    tru_status status = TRU_OK;
    if (s == SECTION_laws) {
        law_block b;
        if (!(status = trio_read_law_block(r, "laws", n, &b))) put_laws(w, &b);
    } else if (s == SECTION_pairs) {
        scene_pair p;
        if (!(status = trio_read_pair(r, m, k, n, &p))) put_pair(w, &p);
    } else if (s == SECTION_bodies) {
        tru_body_def b;
        if (!(status = trio_read_body(r, n, &b))) put_block(w, tru_def_fields("body"), BODY_HIDDEN, &b);
    } else if (s == SECTION_fill) {
        scene_fill_block f;
        bool first = true;
        if ((status = trio_read_fill(r, n, &f)) < 0) return status;
        trio_sink_put(w->out, "{");
        put_fields(w, trio_fill_fields, NULL, &f.fill, &first);
        trio_sink_put(w->out, ", body: ");
        put_block(w, tru_def_fields("body"), FILL_BODY_HIDDEN, &f.body);
        trio_sink_put(w->out, "}");
    } else if (s == SECTION_outlets) {
        scene_outlet o;
        if (!(status = trio_read_outlet(r, n, &o))) put_block(w, trio_outlet_fields, NULL, &o);
    } else if (s == SECTION_joints) {
        tru_joint_def d;
        if (!(status = trio_read_joint(r, n, &d))) put_joint(w, &d);
    } else if (s == SECTION_loads) {
        tru_load_def l;
        if (!(status = trio_read_load(r, k, n, &l))) put_block(w, tru_def_fields("load"), NULL, &l);
    } else if (s == SECTION_motions) {
        tru_motion_def d;
        if (!(status = trio_read_motion(r, k, n, &d))) put_block(w, tru_def_fields("motion"), NULL, &d);
    } else if (s == SECTION_start) {
        scene_start d;
        if (!(status = trio_read_start(r, k, n, &d))) put_start(w, &d);
    } else if (s == SECTION_steppers) {
        tru_use use;
        plug p;
        if ((status = trio_read_stepper(r, n, &use)) < 0 || !trio_plug_named(r->t, "stepper", use.name, &p))
            return status;
        const bool own_name = strcmp(use.name, trio_tree_key(r->t, n)) != 0;
        if (own_name) trio_sink_print(w->out, "{%s: ", use.name);
        put_block(w, p.fields, NULL, use.params);
        if (own_name) trio_sink_put(w->out, "}");
    }
    return status;
}

static tru_status put_section(const scene_model *m, section s, sink *out, store *scratch, tru_error *err) {
    const tree *t = m->tree;
    const node_id all = scene_section(m, s);
    tru_status status = TRU_OK;
    size_t k = 0;
    if (!all || trio_tree_count(t, all) == 0) return TRU_OK;
    trio_sink_print(out, "%s:\n", trio_scene_keys[s].name);
    for (node_id n = trio_tree_first(t, all); n && !status; n = trio_tree_next(t, n), k++) {
        trio_store_reset(scratch);
        reader r = trio_scene_reader(m, scratch, err);
        const writer w = {out, &r.objects, m->tree};
        trio_sink_put(out, trio_tree_key(t, n) ? "  " : "  - ");
        if (trio_tree_key(t, n)) {
            put_word(out, trio_tree_key(t, n));
            trio_sink_put(out, ": ");
        }
        status = put_object(&w, &r, m, s, n, k);
        trio_sink_put(out, "\n");
    }
    return status;
}

static void put_parameters(const scene_model *m, sink *out) {
    const tree *t = m->tree;
    const node_id map = scene_section(m, SECTION_parameters);
    size_t k = 0;
    if (!map || trio_tree_count(t, map) == 0) return;
    trio_sink_put(out, "parameters:\n");
    for (node_id n = trio_tree_first(t, map); n; n = trio_tree_next(t, n), k++) {
        trio_sink_print(out, "  %s: ", trio_tree_key(t, n));
        put_quantity(out, &m->parameters[k]);
        trio_sink_put(out, "\n");
    }
}

static void put_stop(const scene_stop *s, sink *out) {
    static const char *const rows[TRU_KINDS] = {"any", "slide", "spin", "roll"};
    trio_sink_print(out, "  - {%s: ", trio_stop_keys[s->kind].name);
    if (s->kind == STOP_REST || s->kind == STOP_FLAT) {
        if (s->body) put_word(out, s->body);
        if (!s->body) trio_sink_put(out, "true");
    } else if (s->kind == STOP_EVENT) {
        trio_sink_print(out, "{kind: %s, row: %s", tru_event_name(s->event), rows[s->row_kind < 0 ? 0 : s->row_kind]);
        if (s->body) trio_sink_put(out, ", body: ");
        if (s->body) put_word(out, s->body);
        trio_sink_print(out, ", count: %d}", (int)s->count);
    } else {
        trio_sink_put(out, "{name: ");
        put_word(out, s->probe);
        trio_sink_print(out, ", %s: ", s->below ? "below" : "above");
        put_quantity(out, &s->limit);
        trio_sink_put(out, "}");
    }
    trio_sink_put(out, "}\n");
}

static tru_status put_record(const scene_model *m, sink *out, store *scratch, tru_error *err) {
    record_def d;
    trio_store_reset(scratch);
    reader r = trio_scene_reader(m, scratch, err);
    const writer w = {out, &r.objects, m->tree};
    const tru_status s = trio_read_record(&r, m, &d);
    if (s < 0) return s;
    trio_sink_put(out, "record: ");
    put_block(&w, trio_record_fields, NULL, &d);
    trio_sink_put(out, "\n");
    return TRU_OK;
}

static void put_head(const scene_model *m, sink *out) {
    trio_sink_put(out, "trundle: 1\ntitle: ");
    put_quoted(out, m->title);
    trio_sink_put(out, "\n");
    put_parameters(m, out);
    trio_sink_put(out, "gravity: ");
    put_vec3(out, TRU_UNIT_M_PER_S2, m->world.gravity);
    trio_sink_put(out, "\noverlap: ");
    put_number(out, TRU_UNIT_ONE, m->world.overlap);
    trio_sink_put(out, "\n");
    if (m->material_count < 2) return;
    trio_sink_put(out, "materials: [");
    for (size_t k = 1; k < m->material_count; k++) {
        if (k > 1) trio_sink_put(out, ", ");
        put_word(out, m->materials[k]);
    }
    trio_sink_put(out, "]\n");
}

bool trio_scene_write(const scene_model *m, bool bodies, sink *out) {
    static const section objects[] = {SECTION_laws,   SECTION_pairs, SECTION_bodies,  SECTION_fill,  SECTION_outlets,
                                      SECTION_joints, SECTION_loads, SECTION_motions, SECTION_start, SECTION_steppers};
    tru_error err;
    store scratch = {0};
    tru_status s = TRU_OK;
    const reader r = trio_scene_reader(m, &scratch, &err);
    out->names = m->sections[SECTION_parameters] ? &r.names : NULL;
    put_head(m, out);
    for (size_t i = 0; i < sizeof objects / sizeof *objects && !s; i++)
        if (bodies || objects[i] != SECTION_bodies) s = put_section(m, objects[i], out, &scratch, &err);
    if (m->stop_count > 0) trio_sink_put(out, "stop_when:\n");
    for (size_t k = 0; k < m->stop_count; k++) put_stop(&m->stops[k], out);
    if (!s) s = put_record(m, out, &scratch, &err);
    trio_store_release(&scratch);
    out->names = NULL;
    return !s && !out->failed;
}
