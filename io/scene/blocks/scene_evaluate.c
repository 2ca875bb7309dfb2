/* scene_evaluate.c: evaluates a scene's tree section by section and checks everything that needs no world. */
#include "scene_evaluate.h"

#include "scene/values/scene_model.h"

#include "scene_objects.h"
#include "scene_parameter.h"
#include "scene_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const extra_key trio_scene_keys[SECTION_COUNT + 1] = {
#define SECTION_ENTRY(name, form, doc) {#name, form, doc},
    SCENE_SECTIONS(SECTION_ENTRY)
#undef SECTION_ENTRY
        {NULL, NULL, NULL},
};

/* Returns a section, which must be a map or a list; 0 if the scene does not have it or leaves it empty. */
static tru_status section_of(reader *r, const scene_model *m, section s, node_kind kind, node_id *out) {
    *out = m->sections[s] && !trio_tree_is_empty(r->t, m->sections[s]) ? m->sections[s] : 0;
    return *out ? trio_expect_kind(r, "", trio_scene_keys[s].name, *out, kind) : TRU_OK;
}

/* ---- names of objects ---- */

static uint64_t hash_text(const char *text) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++) h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h ^ h >> 32;
}

static size_t body_slot(const scene_model *m, const char *name) {
    size_t i = hash_text(name) & (m->body_room - 1);
    while (m->body_slots[i] && strcmp(trio_tree_key(m->tree, m->bodies[m->body_slots[i] - 1]), name) != 0)
        i = (i + 1) & (m->body_room - 1);
    return i;
}

/* Materials and bodies are added to a new world in their order, so their ids are known before the world exists. */
static tru_id find_object(const void *user, const char *kind, const char *name) {
    const scene_model *m = user;
    if (strcmp(kind, "body") == 0) return m->body_room ? m->body_slots[body_slot(m, name)] : TRU_NONE;
    for (size_t k = 0; k < m->material_count; k++)
        if (strcmp(m->materials[k], name) == 0) return k + 1;
    return TRU_NONE;
}

static const char *name_object(const void *user, const char *kind, size_t k) {
    const scene_model *m = user;
    if (strcmp(kind, "body") == 0) return k < m->body_count ? trio_tree_key(m->tree, m->bodies[k]) : NULL;
    return k < m->material_count ? m->materials[k] : NULL;
}

/* ---- parameters ---- */

enum { PARAMETER_NEW, PARAMETER_OPEN, PARAMETER_DONE, DEEPEST_PARAMETER = 200 };

typedef struct evaluation {
    reader *r;
    scene_model *m;
    bool failed; /* the sentence is complete */
    int depth;
} evaluation;

static node_id parameter_at(const tree *t, const scene_model *m, const char *name, size_t length, size_t *index) {
    const node_id map = scene_section(m, SECTION_parameters);
    *index = 0;
    for (node_id n = map ? trio_tree_first(t, map) : 0; n; n = trio_tree_next(t, n), ++*index)
        if (strncmp(trio_tree_key(t, n), name, length) == 0 && trio_tree_key(t, n)[length] == '\0') return n;
    return 0;
}

static bool unknown_name(const tree *t, const scene_model *m, const char *name, size_t length, tru_error *err) {
    const char *names[256];
    char near[200], copy[64];
    size_t count = 0;
    const node_id map = scene_section(m, SECTION_parameters);
    if (!err) return false;
    for (node_id n = map ? trio_tree_first(t, map) : 0; n && count < 256; n = trio_tree_next(t, n))
        names[count++] = trio_tree_key(t, n);
    snprintf(copy, sizeof copy, "%.*s", (int)length, name);
    trio_suggest(copy, names, count, near, sizeof near);
    err->status = TRU_UNKNOWN_NAME;
    snprintf(err->text, sizeof err->text, "where '%s' is not a parameter%s", copy, near);
    return false;
}

static bool evaluate(evaluation *e, node_id n, size_t index);

static bool find_while_evaluating(const void *user, const char *name, size_t length, quantity *out, tru_error *err) {
    evaluation *e = *(evaluation *const *)user;
    size_t index;
    const node_id n = parameter_at(e->r->t, e->m, name, length, &index);
    if (!n) return unknown_name(e->r->t, e->m, name, length, err);
    if (!out) return true;
    if (e->m->parameter_states[index] == PARAMETER_OPEN) {
        snprintf(err->text, sizeof err->text, "where '%.*s' depends on itself", (int)length, name);
        return false;
    }
    if (e->m->parameter_states[index] == PARAMETER_NEW && !evaluate(e, n, index)) return false;
    *out = e->m->parameters[index];
    return true;
}

static bool evaluate(evaluation *e, node_id n, size_t index) {
    tru_error inner = {TRU_OK, ""};
    reader *r = e->r;
    const char *name = trio_tree_key(r->t, n);
    const name_finder names = {find_while_evaluating, &e};
    e->m->parameter_states[index] = PARAMETER_OPEN;
    bool good = ++e->depth <= DEEPEST_PARAMETER;
    if (!good)
        snprintf(inner.text, sizeof inner.text, "which depends on a chain of more than %d parameters",
                 DEEPEST_PARAMETER);
    const node_id value = trio_parameter_value(r->t, n);
    if (good && (!value || trio_tree_kind(r->t, value) != NODE_TEXT || trio_tree_is_empty(r->t, value))) {
        good = false;
        snprintf(inner.text, sizeof inner.text, value ? "must be a number" : "must be a number or have the key value");
    }
    if (good)
        good = trio_expression_value(trio_tree_text(r->t, value), &names, &e->m->parameters[index], &inner) == TRU_OK;
    e->depth--;
    e->m->parameter_states[index] = PARAMETER_DONE;
    if (!good && !e->failed) trio_wrong_value(r, "parameters", name, value ? value : n, inner.text);
    e->failed = e->failed || !good;
    return good;
}

static tru_status read_parameters(reader *r, scene_model *m) {
    node_id map;
    const tru_status s = section_of(r, m, SECTION_parameters, NODE_MAP, &map);
    if (!map || s < 0) return s;
    const size_t count = trio_tree_count(r->t, map);
    m->parameters = trio_store_take(&m->memory, count * sizeof *m->parameters);
    m->parameter_states = trio_store_take(&m->memory, count);
    if (!m->parameters || !m->parameter_states) return trio_no_memory(r->err);
    evaluation e = {r, m, false, 0};
    size_t index = 0;
    for (node_id n = trio_tree_first(r->t, map); n; n = trio_tree_next(r->t, n), index++) {
        const char *name = trio_tree_key(r->t, n);
        if (!trio_is_name(name))
            return trio_tree_fail(r->t, n, true, r->err, TRU_BAD_ARGUMENT,
                                  "parameters: name '%.60s' must be letters, digits and _, and begin with a letter",
                                  name);
        if (trio_is_function(name, strlen(name)))
            return trio_tree_fail(r->t, n, true, r->err, TRU_BAD_ARGUMENT, "parameters: name '%s' is reserved", name);
        if (m->parameter_states[index] == PARAMETER_NEW && !evaluate(&e, n, index)) return r->err->status;
    }
    return TRU_OK;
}

/* Runs after all parameters have values. */
static bool find_parameter(const void *user, const char *name, size_t length, quantity *out, tru_error *err) {
    const scene_model *m = user;
    size_t index;
    if (!parameter_at(m->tree, m, name, length, &index)) return unknown_name(m->tree, m, name, length, err);
    if (out) *out = m->parameters[index];
    return true;
}

reader trio_scene_reader(const scene_model *m, store *memory, tru_error *err) {
    return (reader){m->tree, {find_parameter, m}, {find_object, name_object, m}, memory, err, NULL};
}

/* ---- sections ---- */

static tru_status read_keys(reader *r, scene_model *m) {
    const block b = {"", NULL, NULL, trio_scene_keys};
    if (trio_tree_kind(r->t, TREE_ROOT) != NODE_MAP)
        return trio_tree_fail(r->t, TREE_ROOT, false, r->err, TRU_BAD_ARGUMENT, "a scene must be a map of keys");
    const tru_status s = trio_read_block(r, &b, TREE_ROOT, NULL);
    for (node_id n = trio_tree_first(r->t, TREE_ROOT); n && !s; n = trio_tree_next(r->t, n))
        for (int k = 0; k < SECTION_COUNT; k++)
            if (strcmp(trio_scene_keys[k].name, trio_tree_key(r->t, n)) == 0) m->sections[k] = n;
    return s;
}

static tru_status read_version(reader *r, const scene_model *m) {
    const node_id n = scene_section(m, SECTION_trundle);
    if (!n)
        return trio_tree_fail(r->t, TREE_ROOT, false, r->err, TRU_BAD_ARGUMENT,
                              "trundle (the version of the format) is missing; write 'trundle: 1'");
    return strcmp(trio_tree_text(r->t, n), "1") == 0 ? TRU_OK : trio_wrong_value(r, "", "trundle", n, "must be 1");
}

static tru_status read_title(reader *r, scene_model *m) {
    const node_id n = scene_section(m, SECTION_title);
    m->title = "";
    if (!n) return TRU_OK;
    if (trio_tree_kind(r->t, n) != NODE_TEXT) return trio_wrong_value(r, "", "title", n, "must be a text");
    m->title = trio_store_text(&m->memory, trio_tree_text(r->t, n));
    return m->title ? TRU_OK : trio_no_memory(r->err);
}

/* A single number is the magnitude of gravity along -z. */
static tru_status read_gravity(reader *r, scene_model *m) {
    const node_id n = scene_section(m, SECTION_gravity);
    tru_status s = TRU_OK;
    if (n && trio_tree_kind(r->t, n) == NODE_LIST) {
        s = trio_read_vec3(r, "", "gravity", n, TRU_UNIT_M_PER_S2, &m->world.gravity);
    } else if (n) {
        double size;
        s = trio_read_number(r, "", "gravity", n, TRU_UNIT_M_PER_S2, &size);
        if (!s && size < 0.0)
            s = trio_wrong_value(r, "", "gravity", n,
                                 "must be at least 0 m/s^2, or a list of 3 numbers with a direction");
        if (!s) m->world.gravity = (tru_vec3){0.0, 0.0, size > 0.0 ? -size : 0.0};
    }
    return s;
}

static tru_status read_world(reader *r, scene_model *m) {
    const node_id overlap = scene_section(m, SECTION_overlap);
    m->world = tru_default_world_def();
    tru_status s = read_gravity(r, m);
    if (!s && overlap) s = trio_read_number(r, "", "overlap", overlap, TRU_UNIT_ONE, &m->world.overlap);
    if (!s && tru_fields_check(tru_def_fields("world"), &m->world, "", r->err) < 0)
        s = trio_tree_prefix(r->t, overlap ? overlap : scene_section(m, SECTION_gravity), false, r->err);
    return s;
}

static tru_status read_materials(reader *r, scene_model *m) {
    const node_id n = scene_section(m, SECTION_materials);
    const size_t count = n ? trio_tree_count(r->t, n) + 1 : 1;
    m->materials = trio_store_take(&m->memory, count * sizeof *m->materials);
    m->materials_used = trio_store_take(&m->memory, count);
    if (!m->materials || !m->materials_used) return trio_no_memory(r->err);
    m->materials[m->material_count++] = "default";
    if (!n || trio_tree_is_empty(r->t, n)) return TRU_OK;
    if (trio_tree_kind(r->t, n) == NODE_TEXT) return trio_wrong_value(r, "", "materials", n, "must be a list of names");
    for (node_id c = trio_tree_first(r->t, n); c; c = trio_tree_next(r->t, c)) {
        const bool map = trio_tree_kind(r->t, n) == NODE_MAP;
        const char *name = map ? trio_tree_key(r->t, c) : trio_tree_text(r->t, c);
        if (trio_tree_kind(r->t, c) != NODE_TEXT)
            return trio_wrong_value(r, "materials", map ? name : "", c, "must be a text");
        if (*name == '\0' || strlen(name) >= OBJECT_NAME)
            return trio_wrong_value(r, "materials", "", c, "must be a name of 1 to 63 bytes");
        for (size_t k = 0; k < m->material_count; k++)
            if (strcmp(m->materials[k], name) == 0)
                return trio_tree_fail(r->t, c, map, r->err, TRU_CONFLICT, "materials: '%s' already exists", name);
        if (!(m->materials[m->material_count++] = trio_store_text(&m->memory, name))) return trio_no_memory(r->err);
    }
    return TRU_OK;
}

/* Names of bodies first: loads and motions may stand before them. */
static tru_status index_bodies(reader *r, scene_model *m) {
    node_id map;
    tru_status s = section_of(r, m, SECTION_bodies, NODE_MAP, &map);
    if (!map || s < 0) return s;
    const size_t count = trio_tree_count(r->t, map);
    size_t room = 16;
    while (room < 2 * count) room *= 2;
    m->bodies = trio_store_take(&m->memory, count * sizeof *m->bodies);
    m->body_slots = trio_store_take(&m->memory, room * sizeof *m->body_slots);
    if (!m->bodies || !m->body_slots) return trio_no_memory(r->err);
    m->body_room = room;
    for (node_id n = trio_tree_first(r->t, map); n && !s; n = trio_tree_next(r->t, n)) {
        s = trio_check_object_name(r, "bodies", n, OBJECT_NAME - 1);
        m->bodies[m->body_count++] = n;
        m->body_slots[body_slot(m, trio_tree_key(r->t, n))] = (uint32_t)m->body_count;
    }
    return s;
}

static void use_materials(scene_model *m, const tru_body_def *body) {
    for (size_t i = 0; i < body->shape_count; i++) {
        const tru_id material = body->shapes[i].material;
        m->materials_used[material == TRU_NONE ? 0 : material - 1] = 1;
    }
}

static tru_status check_bodies(scene_model *m, store *scratch, tru_error *err) {
    tru_status s = TRU_OK;
    for (size_t k = 0; k < m->body_count && !s; k++) {
        tru_body_def body;
        trio_store_reset(scratch);
        reader r = trio_scene_reader(m, scratch, err);
        s = trio_read_body(&r, m->bodies[k], &body);
        if (!s) use_materials(m, &body);
    }
    return s;
}

/* A law that no pair names, or a pair of materials that nothing is made of, has coefficients that nothing uses (P1). */
static tru_status check_laws(reader *r, const scene_model *m, const uint8_t *used) {
    const node_id laws = scene_section(m, SECTION_laws);
    size_t k = 0;
    tru_status s = TRU_OK;
    if (!laws || trio_tree_is_empty(r->t, laws)) return TRU_OK;
    for (node_id n = trio_tree_first(r->t, laws); n && !s; n = trio_tree_next(r->t, n), k++) {
        char what[120];
        law_block b;
        snprintf(what, sizeof what, "laws.%.80s", trio_tree_key(r->t, n));
        s = trio_check_object_name(r, "laws", n, OBJECT_NAME - 1);
        if (!s) s = trio_read_law_block(r, what, n, &b);
        if (!s && !used[k]) s = trio_tree_fail(r->t, n, true, r->err, TRU_REFUSED, "%s is not used by any pair", what);
    }
    return s;
}

static tru_status check_pair_use(reader *r, const scene_model *m, size_t k, node_id n, const scene_pair *p) {
    const tru_id sides[2] = {p->def.a, p->def.b};
    for (int i = 0; i < 2 && !p->is_default; i++)
        if (!m->materials_used[sides[i] - 1])
            return trio_tree_fail(r->t, n, false, r->err, TRU_REFUSED, "pairs[%zu]: no body has the material '%s'", k,
                                  m->materials[sides[i] - 1]);
    return TRU_OK;
}

static bool same_pair(const scene_pair *a, const tru_id other[2]) {
    return (a->def.a == other[0] && a->def.b == other[1]) || (a->def.a == other[1] && a->def.b == other[0]);
}

static tru_status check_pairs(reader *r, const scene_model *m, uint8_t *used) {
    const node_id laws = scene_section(m, SECTION_laws);
    size_t k = 0;
    node_id list;
    tru_status s = section_of(r, m, SECTION_pairs, NODE_LIST, &list);
    if (!list || s < 0) return s;
    tru_id(*seen)[2] = trio_store_take(r->memory, trio_tree_count(r->t, list) * sizeof *seen);
    if (!seen) return trio_no_memory(r->err);
    for (node_id n = trio_tree_first(r->t, list); n && !s; n = trio_tree_next(r->t, n), k++) {
        scene_pair p;
        s = trio_read_pair(r, m, k, n, &p);
        if (!s) s = check_pair_use(r, m, k, n, &p);
        for (size_t i = 0; i < k && !s; i++)
            if (same_pair(&p, seen[i]))
                s = trio_tree_fail(r->t, n, false, r->err, TRU_CONFLICT,
                                   "pairs[%zu]: pairs[%zu] has the same materials", k, i);
        seen[k][0] = p.def.a;
        seen[k][1] = p.def.b;
        size_t i = 0;
        for (node_id l = laws && p.name ? trio_tree_first(r->t, laws) : 0; l; l = trio_tree_next(r->t, l), i++)
            if (strcmp(trio_tree_key(r->t, l), p.name) == 0) used[i] = 1;
    }
    return s;
}

static tru_status check_friction(reader *r, const scene_model *m) {
    node_id laws;
    tru_status s = section_of(r, m, SECTION_laws, NODE_MAP, &laws);
    if (s < 0) return s;
    uint8_t *used = trio_store_take(r->memory, laws ? trio_tree_count(r->t, laws) : 1);
    if (!used) return trio_no_memory(r->err);
    s = check_pairs(r, m, used);
    return s ? s : check_laws(r, m, used);
}

static tru_status check_fills(scene_model *m, store *scratch, tru_error *err) {
    const tree *t = m->tree;
    size_t number = 0;
    node_id map;
    reader r = trio_scene_reader(m, scratch, err);
    tru_status s = section_of(&r, m, SECTION_fill, NODE_MAP, &map);
    if (!map || s < 0) return s;
    m->emitters = trio_store_take(&m->memory, trio_tree_count(t, map) * sizeof *m->emitters);
    m->emitter_numbers = trio_store_take(&m->memory, trio_tree_count(t, map) * sizeof *m->emitter_numbers);
    m->emitter_places = trio_store_take(&m->memory, trio_tree_count(t, map) * sizeof *m->emitter_places);
    if (!m->emitters || !m->emitter_numbers || !m->emitter_places) return trio_no_memory(err);
    for (node_id n = trio_tree_first(t, map); n && !s; n = trio_tree_next(t, n), number++) {
        scene_fill_block f;
        s = trio_check_object_name(&r, "fill", n, FILL_NAME);
        if (!s) s = trio_read_fill(&r, n, &f);
        if (s) continue;
        use_materials(m, &f.body);
        if (!trio_fill_is_emitter(&f.fill)) continue;
        fill_emitter *place = trio_store_take(&m->memory, sizeof *place);
        if (!place) return trio_no_memory(err);
        *place = *(const fill_emitter *)f.fill.place.params;
        m->emitter_places[m->emitter_count] = place;
        m->emitter_numbers[m->emitter_count] = number;
        m->emitters[m->emitter_count++] = n;
    }
    return s;
}

/* Refuses an emitter inside an outlet: its bodies would leave after one step. */
static tru_status check_emitters_of(reader *r, const scene_model *m, node_id n, const outlet *o) {
    for (size_t e = 0; e < m->emitter_count; e++) {
        const fill_emitter *f = m->emitter_places[e];
        const bool apart = f->highest.x < o->lowest.x || f->lowest.x > o->highest.x || f->highest.y < o->lowest.y ||
                           f->lowest.y > o->highest.y || f->highest.z < o->lowest.z || f->lowest.z > o->highest.z;
        if (!apart)
            return trio_tree_fail(r->t, n, false, r->err, TRU_REFUSED,
                                  "outlet '%s': the emitter of fill '%s' reaches into it", o->name,
                                  trio_tree_key(r->t, m->emitters[e]));
    }
    return TRU_OK;
}

static tru_status read_outlets(reader *r, scene_model *m) {
    node_id map;
    tru_status s = section_of(r, m, SECTION_outlets, NODE_MAP, &map);
    if (!map || s < 0) return s;
    m->outlets = trio_store_take(&m->memory, trio_tree_count(r->t, map) * sizeof *m->outlets);
    if (!m->outlets) return trio_no_memory(r->err);
    for (node_id n = trio_tree_first(r->t, map); n && !s; n = trio_tree_next(r->t, n)) {
        const tru_vec3 far = {INFINITY, INFINITY, INFINITY};
        outlet *o = &m->outlets[m->outlet_count++];
        scene_outlet d;
        s = trio_check_object_name(r, "outlets", n, OBJECT_NAME - 1);
        if (!s) s = trio_read_outlet(r, n, &d);
        if (s) continue;
        snprintf(o->name, sizeof o->name, "%s", trio_tree_key(r->t, n));
        o->lowest = d.lowest.x != TRU_DERIVED ? d.lowest : (tru_vec3){-far.x, -far.y, -far.z};
        o->highest = d.highest.x != TRU_DERIVED ? d.highest : far;
        s = check_emitters_of(r, m, n, o);
    }
    return s;
}

/* Reads every entry of a list section with the function for one entry. */
#define CHECK_LIST(r, m, name, type, read)                                                                             \
    do {                                                                                                               \
        size_t k = 0;                                                                                                  \
        node_id list;                                                                                                  \
        tru_status s = section_of(r, m, SECTION_##name, NODE_LIST, &list);                                             \
        for (node_id n = list ? trio_tree_first((r)->t, list) : 0; n && !s; n = trio_tree_next((r)->t, n), k++) {      \
            type out;                                                                                                  \
            s = read(r, k, n, &out);                                                                                   \
        }                                                                                                              \
        if (s < 0) return s;                                                                                           \
    } while (0)

static tru_status check_joints(reader *r, const scene_model *m) {
    node_id map;
    tru_status s = section_of(r, m, SECTION_joints, NODE_MAP, &map);
    for (node_id n = map ? trio_tree_first(r->t, map) : 0; n && !s; n = trio_tree_next(r->t, n)) {
        tru_joint_def d;
        s = trio_check_object_name(r, "joints", n, OBJECT_NAME - 1);
        if (!s) s = trio_read_joint(r, n, &d);
    }
    return s;
}

static tru_status check_lists(reader *r, const scene_model *m) {
    CHECK_LIST(r, m, loads, tru_load_def, trio_read_load);
    CHECK_LIST(r, m, motions, tru_motion_def, trio_read_motion);
    CHECK_LIST(r, m, start, scene_start, trio_read_start);
    return TRU_OK;
}

static tru_status read_steppers(reader *r, scene_model *m) {
    node_id map;
    tru_status s = section_of(r, m, SECTION_steppers, NODE_MAP, &map);
    if (!map || s < 0) return s;
    m->steppers = trio_store_take(&m->memory, trio_tree_count(r->t, map) * sizeof *m->steppers);
    if (!m->steppers) return trio_no_memory(r->err);
    for (node_id n = trio_tree_first(r->t, map); n && !s; n = trio_tree_next(r->t, n)) {
        tru_use use;
        s = trio_check_object_name(r, "steppers", n, OBJECT_NAME - 1);
        if (!s) s = trio_read_stepper(r, n, &use);
        if (!(m->steppers[m->stepper_count++] = trio_store_text(&m->memory, trio_tree_key(r->t, n))))
            return trio_no_memory(r->err);
    }
    return s;
}

static tru_status build(scene_model *m, store *scratch, tru_error *err) {
    reader kept = trio_scene_reader(m, &m->memory, err); /* what it reads stays */
    tru_status s = read_keys(&kept, m);
    if (!s) s = read_version(&kept, m);
    if (!s) s = read_parameters(&kept, m);
    if (!s) s = trio_read_parameter_blocks(&kept, m);
    if (!s) s = read_title(&kept, m);
    if (!s) s = read_world(&kept, m);
    if (!s) s = read_materials(&kept, m);
    if (!s) s = index_bodies(&kept, m);
    if (!s) s = check_bodies(m, scratch, err);
    if (!s) s = check_fills(m, scratch, err);
    trio_store_reset(scratch);
    reader passing = trio_scene_reader(m, scratch, err);
    if (!s) s = check_friction(&passing, m);
    if (!s) s = read_outlets(&passing, m);
    if (!s) s = check_joints(&passing, m);
    if (!s) s = check_lists(&passing, m);
    if (!s) s = read_steppers(&passing, m);
    if (!s) s = trio_read_plan(&kept, m);
    return s ? s : trio_read_stops(&kept, m);
}

tru_status trio_model_build(const tree *t, scene_model *out, tru_error *err) {
    tru_error own;
    store scratch = {0};
    *out = (scene_model){.tree = t};
    const tru_status s = build(out, &scratch, err ? err : &own);
    trio_store_release(&scratch);
    if (s < 0) trio_model_release(out);
    return s;
}

void trio_model_release(scene_model *m) {
    trio_store_release(&m->memory);
    *m = (scene_model){0};
}
