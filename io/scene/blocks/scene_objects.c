/* scene_objects.c: laws, pairs, bodies, fills, outlets, joints, loads, motions, start modes and steppers of a scene. */
#include "scene_objects.h"

#include <stdio.h>
#include <string.h>

enum { WHAT = 160 };

/* ---- tables ---- */

#define MODE(key, index, text)                                                                                         \
    {                                                                                                                  \
        .name = key, .type = TRU_FIELD_CHOICE, .words = "open|stuck|slipping", .doc = text,                            \
        .offset = offsetof(scene_start, modes) + (index) * sizeof(int32_t)                                             \
    }
const tru_field trio_start_fields[] = {
    TRU_REFERENCE(scene_start, a, "body", 0, "One body."),
    TRU_REFERENCE(scene_start, b, "body", 0, "Other."),
    MODE("slide", 0, "How their contacts begin: stuck holds up to slide_static; open: as the stepper finds them."),
    MODE("spin", 1, "The same for spinning about the normal."),
    MODE("roll", 2, "The same for rolling."),
    {.name = NULL},
};

const tru_field trio_outlet_fields[] = {
    TRU_VEC3(scene_outlet, lowest, TRU_UNIT_M, TRU_DERIVED, TRU_ANY,
             "Lowest corner of the box; left out: it is open there."),
    TRU_VEC3(scene_outlet, highest, TRU_UNIT_M, TRU_DERIVED, TRU_ANY,
             "Highest corner of the box; left out: it is open there."),
    {.name = NULL},
};

const extra_key trio_pair_keys[] = {
    {"between", "[material, material]", "The two materials."},
    {"law", "name, law block or `none`", "What acts between them; `none`: no friction."},
    {"default", "name, law block or `none`", "Instead of `between` and `law`: for every pair without its own."},
    {NULL, NULL, NULL},
};
const extra_key trio_body_keys[] = {
    {"shape", "shape", "The only shape of the body, instead of `shapes`."},
    {"material", "material", "Of every shape that names none (default: `default`)."},
    {"density", "number [kg/m^3]", "Of every shape that has none of its own (default: 0)."},
    {NULL, NULL, NULL},
};
const extra_key trio_fill_keys[] = {
    {"body", "body without position", "The template: a body as under `bodies`."},
    {NULL, NULL, NULL},
};
const extra_key trio_start_keys[] = {
    {"between", "[body, body]", "The two bodies."},
    {NULL, NULL, NULL},
};

const extra_key trio_joint_keys[] = {
    {"between", "[body, body]", "The two bodies, a and b: reactions are those on a, the axis is fixed in b."},
    {NULL, NULL, NULL},
};

/* ---- names ---- */

tru_status trio_check_object_name(reader *r, const char *what, node_id n, size_t most) {
    const char *name = trio_tree_key(r->t, n);
    for (const char *c = name; *c; c++) {
        const bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (unsigned char)*c >= 0x80;
        if (letter || (*c >= '0' && *c <= '9') || *c == '_' || *c == '-') continue;
        return trio_tree_fail(r->t, n, true, r->err, TRU_BAD_ARGUMENT,
                              "%s: name '%.60s' must consist of letters, digits, _ and -", what, name);
    }
    if (strlen(name) <= most) return TRU_OK;
    return trio_tree_fail(r->t, n, true, r->err, TRU_BAD_ARGUMENT, "%s: name '%.20s...' is longer than %zu bytes", what,
                          name, most);
}

static const char *numbered(const char *list, size_t k, char out[WHAT]) {
    snprintf(out, WHAT, "%s[%zu]", list, k);
    return out;
}

static tru_status missing(reader *r, const char *what, const char *key, node_id n) {
    return trio_tree_fail(r->t, n, false, r->err, TRU_BAD_ARGUMENT, "%s: %s is missing", what, key);
}

static tru_status both(reader *r, const char *what, node_id n, const char *sentence) {
    return trio_tree_fail(r->t, n, true, r->err, TRU_CONFLICT, "%s: %s", what, sentence);
}

/* ---- laws and pairs ---- */

tru_status trio_read_law_block(reader *r, const char *what, node_id n, law_block *out) {
    *out = (law_block){.count = 0};
    tru_status s = trio_expect_kind(r, what, "", n, NODE_MAP);
    for (node_id c = s ? 0 : trio_tree_first(r->t, n); c && !s; c = trio_tree_next(r->t, c)) {
        const char *name = trio_tree_key(r->t, c), *names[64];
        char near[200];
        plug p;
        void *params;
        size_t count = 0;
        if (!trio_plug_named(r->t, "law", name, &p)) {
            for (; count < 64 && trio_plug_at(r->t, "law", count, &p); count++) names[count] = p.name;
            trio_suggest(name, names, count, near, sizeof near);
            return trio_tree_fail(r->t, c, true, r->err, TRU_UNKNOWN_NAME, "%s: no law '%.60s'%s", what, name, near);
        }
        if (out->count == TRU_PAIR_LAWS)
            return trio_tree_fail(r->t, c, true, r->err, TRU_BAD_ARGUMENT, "%s: a pair takes at most %d laws", what,
                                  TRU_PAIR_LAWS);
        if (trio_tree_kind(r->t, c) != NODE_MAP)
            return trio_wrong_value(r, what, name, c, "must be a map of coefficients");
        s = trio_read_params(r, what, "law", &p, c, &params);
        out->laws[out->count++] = (tru_use){p.name, params};
    }
    return s;
}

/* Reads a name under `laws`, or a block inside the pair, or nothing. */
static tru_status read_law(reader *r, const scene_model *m, const char *what, const char *label, node_id n,
                           scene_pair *out) {
    const char *names[256];
    char phrase[300], near[200];
    size_t count = 0;
    if (trio_tree_kind(r->t, n) == NODE_MAP) {
        snprintf(phrase, sizeof phrase, "%s: %s", what, label);
        return trio_read_law_block(r, phrase, n, &out->laws);
    }
    tru_status s = trio_read_word(r, what, label, n, &out->name);
    if (s < 0) return s;
    if (strcmp(out->name, "none") == 0) {
        out->name = NULL;
        return TRU_OK;
    }
    const node_id laws = scene_section(m, SECTION_laws), block_node = laws ? trio_tree_find(r->t, laws, out->name) : 0;
    if (block_node) {
        snprintf(phrase, sizeof phrase, "laws.%s", out->name);
        return trio_read_law_block(r, phrase, block_node, &out->laws);
    }
    for (node_id c = laws ? trio_tree_first(r->t, laws) : 0; c && count < 256; c = trio_tree_next(r->t, c))
        names[count++] = trio_tree_key(r->t, c);
    trio_suggest(out->name, names, count, near, sizeof near);
    snprintf(phrase, sizeof phrase, "there is no such law%s", near);
    return trio_wrong_value(r, what, label, n, phrase);
}

tru_status trio_read_pair(reader *r, const scene_model *m, size_t k, node_id n, scene_pair *out) {
    char what[WHAT];
    numbered("pairs", k, what);
    *out = (scene_pair){.def = tru_default_pair_def()};
    const block b = {what, tru_def_fields("pair"), PAIR_HIDDEN, trio_pair_keys};
    tru_status s = trio_read_block(r, &b, n, &out->def);
    if (s < 0) return s;
    const node_id between = trio_tree_find(r->t, n, "between"), law = trio_tree_find(r->t, n, "law");
    const node_id standard = trio_tree_find(r->t, n, "default");
    if (standard && (between || law)) return both(r, what, standard, "default excludes between and law");
    if (!standard && !between) return missing(r, what, "between", n);
    if (!standard && !law && !out->def.pass) return missing(r, what, "law", n);
    out->is_default = standard != 0;
    if (between) s = trio_read_two(r, what, "material", between, &out->def.a, &out->def.b);
    return s || !(standard || law) ? s
                                   : read_law(r, m, what, standard ? "default" : "law", standard ? standard : law, out);
}

/* ---- bodies ---- */

static tru_status read_shapes(reader *r, const char *what, node_id n, node_id shape, const tru_shape_def *start,
                              tru_body_def *out) {
    if (shape && out->shapes) return both(r, what, shape, "shape and shapes exclude each other");
    if (!shape && out->shape_count == 0) return missing(r, what, "shape", n);
    if (!shape) return TRU_OK;
    tru_shape_def *one = trio_store_take(r->memory, sizeof *one);
    if (!one) return trio_no_memory(r->err);
    *one = *start;
    out->shapes = one;
    out->shape_count = 1;
    return trio_read_plug(r, what, "shape", shape, &one->shape);
}

/* Checks the ranges of what the body gives for its shapes. */
static tru_status read_shape_start(reader *r, const char *what, node_id n, tru_shape_def *start) {
    const node_id material = trio_tree_find(r->t, n, "material"), density = trio_tree_find(r->t, n, "density");
    const tru_field fields[2] = {*tru_field_find(tru_def_fields("shape"), "density"), {.name = NULL}};
    tru_status s = TRU_OK;
    *start = tru_default_shape_def();
    if (material) s = trio_read_reference(r, what, "material", "material", material, &start->material);
    if (!s && density) s = trio_read_number(r, what, "density", density, TRU_UNIT_KG_PER_M3, &start->density);
    if (s < 0 || tru_fields_check(fields, start, what, r->err) >= 0) return s;
    return trio_tree_prefix(r->t, density, false, r->err);
}

static tru_status read_body_block(reader *r, const char *what, const char *hidden, node_id n, tru_body_def *out) {
    tru_shape_def start;
    *out = tru_default_body_def();
    tru_status s = trio_expect_kind(r, what, "", n, NODE_MAP);
    if (!s) s = read_shape_start(r, what, n, &start);
    if (s < 0) return s;
    r->shape_start = &start;
    const block b = {what, tru_def_fields("body"), hidden, trio_body_keys};
    s = trio_read_block(r, &b, n, out);
    r->shape_start = NULL;
    return s ? s : read_shapes(r, what, n, trio_tree_find(r->t, n, "shape"), &start, out);
}

tru_status trio_read_body(reader *r, node_id n, tru_body_def *out) {
    char what[WHAT];
    snprintf(what, sizeof what, "body '%s'", trio_tree_key(r->t, n));
    const tru_status s = read_body_block(r, what, BODY_HIDDEN, n, out);
    out->name = trio_tree_key(r->t, n);
    return s;
}

/* ---- fills ---- */

static tru_status check_template(reader *r, const char *what, node_id n, const scene_fill_block *f) {
    for (size_t i = 0; i < f->body.shape_count; i++)
        for (size_t k = 0; tru_shape_at(k); k++)
            if (strcmp(tru_shape_at(k)->name, f->body.shapes[i].shape.name) == 0 && !tru_shape_at(k)->bounded)
                return trio_tree_fail(r->t, n, false, r->err, TRU_REFUSED, "%s: shape is %s, must be a bounded shape",
                                      what, tru_shape_at(k)->name);
    const bool given = f->body.mass != TRU_DERIVED || f->body.inertia.x != TRU_DERIVED;
    if (!f->fill.sizes.name || !given) return TRU_OK;
    return trio_tree_fail(r->t, n, false, r->err, TRU_CONFLICT,
                          "%s: bodies of different sizes need a density instead of mass and inertia", what);
}

tru_status trio_read_fill(reader *r, node_id n, scene_fill_block *out) {
    char what[WHAT];
    snprintf(what, sizeof what, "fill '%s'", trio_tree_key(r->t, n));
    const block b = {what, trio_fill_fields, NULL, trio_fill_keys};
    *out = (scene_fill_block){.fill = {.seed = 0}};
    trio_block_defaults(&b, &out->fill);
    tru_status s = trio_read_block(r, &b, n, &out->fill);
    const node_id body = s ? 0 : trio_tree_find(r->t, n, "body");
    if (s < 0) return s;
    if (!body) return missing(r, what, "body", n);
    s = read_body_block(r, what, FILL_BODY_HIDDEN, body, &out->body);
    return s ? s : check_template(r, what, body, out);
}

/* ---- outlets ---- */

tru_status trio_read_outlet(reader *r, node_id n, scene_outlet *out) {
    char what[WHAT];
    snprintf(what, sizeof what, "outlet '%s'", trio_tree_key(r->t, n));
    const block b = {what, trio_outlet_fields, NULL, NULL};
    trio_block_defaults(&b, out);
    const tru_status s = trio_read_block(r, &b, n, out);
    if (s < 0) return s;
    const bool low = out->lowest.x != TRU_DERIVED, high = out->highest.x != TRU_DERIVED;
    if (!low && !high) return missing(r, what, "lowest or highest", n);
    const bool good =
        out->lowest.x <= out->highest.x && out->lowest.y <= out->highest.y && out->lowest.z <= out->highest.z;
    if (!low || !high || good) return TRU_OK;
    return trio_tree_fail(r->t, n, false, r->err, TRU_OUT_OF_RANGE, "%s: lowest must not lie above highest", what);
}

/* ---- the rest ---- */

static tru_status read_knotted(reader *r, const char *def, const char *list, size_t k, node_id n, void *out) {
    char what[WHAT];
    const block b = {numbered(list, k, what), tru_def_fields(def), NULL, NULL};
    return trio_read_block(r, &b, n, out);
}

tru_status trio_read_load(reader *r, size_t k, node_id n, tru_load_def *out) {
    *out = tru_default_load_def();
    return read_knotted(r, "load", "loads", k, n, out);
}

tru_status trio_read_motion(reader *r, size_t k, node_id n, tru_motion_def *out) {
    *out = tru_default_motion_def();
    return read_knotted(r, "motion", "motions", k, n, out);
}

tru_status trio_read_joint(reader *r, node_id n, tru_joint_def *out) {
    char what[WHAT];
    *out = tru_default_joint_def();
    snprintf(what, sizeof what, "joint '%s'", trio_tree_key(r->t, n));
    const block b = {what, tru_def_fields("joint"), JOINT_HIDDEN, trio_joint_keys};
    tru_status s = trio_read_block(r, &b, n, out);
    if (s < 0) return s;
    const node_id between = trio_tree_find(r->t, n, "between");
    out->name = trio_tree_key(r->t, n);
    if (!between) return missing(r, what, "between", n);
    return trio_read_two(r, what, "body", between, &out->a, &out->b);
}

tru_status trio_read_start(reader *r, size_t k, node_id n, scene_start *out) {
    char what[WHAT];
    const block b = {numbered("start", k, what), trio_start_fields, START_HIDDEN, trio_start_keys};
    *out = (scene_start){.a = TRU_NONE};
    const tru_status s = trio_read_block(r, &b, n, out);
    if (s < 0) return s;
    const node_id between = trio_tree_find(r->t, n, "between");
    return between ? trio_read_two(r, what, "body", between, &out->a, &out->b) : missing(r, what, "between", n);
}

/* "moreau: {...}", or a block with a name of its own: "fine: {moreau: {...}}". */
static node_id stepper_node(const reader *r, node_id n, plug *p) {
    const node_id only =
        trio_tree_kind(r->t, n) == NODE_MAP && trio_tree_count(r->t, n) == 1 ? trio_tree_first(r->t, n) : 0;
    if (trio_plug_named(r->t, "stepper", trio_tree_key(r->t, n), p)) return n;
    return only && trio_plug_named(r->t, "stepper", trio_tree_key(r->t, only), p) ? only : 0;
}

tru_status trio_read_stepper(reader *r, node_id n, tru_use *out) {
    const char *name = trio_tree_key(r->t, n), *names[64];
    char near[200];
    plug p;
    void *params = NULL;
    size_t count = 0;
    const node_id inner = stepper_node(r, n, &p);
    if (!inner) {
        for (; count < 64 && trio_plug_at(r->t, "stepper", count, &p); count++) names[count] = p.name;
        trio_suggest(name, names, count, near, sizeof near);
        return trio_tree_fail(r->t, n, true, r->err, TRU_UNKNOWN_NAME, "steppers: no stepper '%.60s'%s", name, near);
    }
    if (trio_tree_kind(r->t, inner) != NODE_MAP && !trio_tree_is_empty(r->t, inner))
        return trio_wrong_value(r, "steppers", name, inner, "must be a map of its fields");
    const tru_status s = trio_read_params(r, "", "stepper", &p, inner, &params);
    *out = (tru_use){p.name, params};
    return s;
}
