/* scene_api.c: the public functions of scenes: reading, changing, querying. */
#include "scene_api.h"

#include "scene/values/scene_model.h"
#include "scene/blocks/scene_path.h"
#include "scene_text.h"
#include "scene/blocks/scene_evaluate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

/* "scenes/coin.yaml" -> "coin" */
static char *short_name(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    const size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    char *out = malloc(length + 1);
    if (!out) return NULL;
    memcpy(out, name, length);
    out[length] = '\0';
    return out;
}

/* Takes ownership of a tree that was read. */
static tru_status finish(tree *t, const tru_set *sets, size_t set_count, tru_scene **out, tru_error *err) {
    tree_undo undo;
    tru_status s = TRU_OK;
    for (size_t k = 0; k < set_count && !s; k++) s = trio_path_set(t, sets[k].path, sets[k].value, &undo, err);
    tru_scene *scene = s ? NULL : calloc(1, sizeof *scene);
    if (!s && !scene) s = trio_no_memory(err);
    if (scene) {
        scene->tree = *t;
        scene->name = short_name(t->file);
        s = scene->name ? trio_model_build(&scene->tree, &scene->model, err) : trio_no_memory(err);
    }
    if (s < 0) {
        if (scene) free(scene->name);
        free(scene);
        trio_tree_release(t);
        return s;
    }
    *out = scene;
    return TRU_OK;
}

tru_status tru_scene_read(const char *path, const tru_set *sets, size_t set_count, tru_scene **out, tru_error *err) {
    tree t;
    *out = NULL;
    const tru_status s = trio_tree_read(&t, path, err);
    return s ? s : finish(&t, sets, set_count, out, err);
}

tru_status tru_scene_parse(const char *text, size_t bytes, const char *name, const tru_set *sets, size_t set_count,
                           tru_scene **out, tru_error *err) {
    tree t;
    *out = NULL;
    const tru_status s = trio_tree_parse(&t, text, bytes, name, err);
    return s ? s : finish(&t, sets, set_count, out, err);
}

tru_status tru_scene_copy(const tru_scene *scene, tru_scene **out, tru_error *err) {
    tree t;
    *out = NULL;
    const tru_status s = trio_tree_copy(&t, &scene->tree, err);
    return s ? s : finish(&t, NULL, 0, out, err);
}

static void forget_texts(tru_scene *scene) {
    free(scene->text);
    free(scene->outline);
    scene->text = scene->outline = NULL;
    scene->hash = 0;
}

void tru_scene_free(tru_scene *scene) {
    if (!scene) return;
    trio_model_release(&scene->model);
    trio_tree_release(&scene->tree);
    free(scene->name);
    forget_texts(scene);
    free(scene);
}

tru_status tru_scene_change(tru_scene *scene, const char *path, const char *value, tru_error *err) {
    tree_undo undo;
    scene_model fresh;
    tru_status s = trio_path_set(&scene->tree, path, value, &undo, err);
    if (s < 0) return s;
    s = trio_model_build(&scene->tree, &fresh, err);
    if (s < 0) {
        trio_tree_take_back(&scene->tree, &undo);
        return s;
    }
    trio_model_release(&scene->model);
    scene->model = fresh;
    forget_texts(scene);
    return TRU_OK;
}

/* ---- asking ---- */

const char *tru_scene_title(const tru_scene *scene) { return scene->model.title; }
const char *tru_scene_name(const tru_scene *scene) { return scene->name; }
const char *trio_scene_file(const tru_scene *scene) { return scene->tree.file; }
const tru_plan *tru_scene_plan(const tru_scene *scene) { return &scene->model.plan; }

const char *tru_scene_stepper(const tru_scene *scene, size_t k) {
    return k < scene->model.stepper_count ? scene->model.steppers[k] : NULL;
}

const outlet *trio_scene_outlets(const tru_scene *scene, size_t *count) {
    *count = scene->model.outlet_count;
    return scene->model.outlets;
}

const scene_stop *trio_scene_stops(const tru_scene *scene, size_t *count) {
    *count = scene->model.stop_count;
    return scene->model.stops;
}

/* Returns a text of the scene from a cache, which the first call fills. */
static const char *text_of(const tru_scene *scene, bool bodies, char **kept) {
    if (*kept) return *kept;
    sink out = trio_sink_begin(true);
    if (trio_scene_write(&scene->model, bodies, &out)) return *kept = out.text;
    free(out.text);
    return NULL;
}

const char *tru_scene_text(const tru_scene *scene) { return text_of(scene, true, &((tru_scene *)scene)->text); }
const char *tru_scene_outline(const tru_scene *scene) { return text_of(scene, false, &((tru_scene *)scene)->outline); }

uint64_t tru_scene_hash(const tru_scene *scene) {
    if (scene->hash) return scene->hash;
    sink out = trio_sink_begin(false);
    trio_scene_write(&scene->model, true, &out);
    return ((tru_scene *)scene)->hash = out.hash;
}

tru_status trio_scene_error_at(const tru_scene *scene, const char *path, tru_error *err) {
    const path_end at = trio_path_walk(&scene->tree, path);
    return trio_tree_prefix(&scene->tree, at.node, false, err);
}

/* ---- numbers ---- */

static tru_unit_info unit_of(const quantity *q) {
    char symbol[QUANTITY_UNIT];
    trio_quantity_unit(q, symbol, sizeof symbol);
    for (tru_unit u = TRU_UNIT_ONE; u < TRU_UNIT_COUNT; u++)
        if (strcmp(tru_unit_describe(u).symbol, symbol) == 0) return tru_unit_describe(u);
    return (tru_unit_info){"?", (int)q->kg, (int)q->m, (int)q->s};
}

static tru_status value_at(const scene_model *m, const char *path, quantity *out, tru_error *err) {
    const tree *t = m->tree;
    store scratch = {0};
    const node_id n = trio_path_find(t, path);
    tru_error inner = {TRU_UNKNOWN_NAME, ""};
    if (n) {
        reader r = trio_scene_reader(m, &scratch, &inner);
        trio_read_quantity(&r, "", path, n, out);
    } else {
        snprintf(inner.text, sizeof inner.text, "%s: there is no '%s'", t->file, path);
    }
    trio_store_release(&scratch);
    const bool good = n && inner.text[0] == '\0';
    if (!good && err) *err = inner;
    return good ? TRU_OK : inner.status;
}

/* The unit that the resolved text gives: of a number itself, or of the list it stands in. */
static tru_status resolved_value(const scene_model *m, const char *path, quantity *out, tru_error *err) {
    const tree *t = m->tree;
    char list[300];
    double scale;
    tru_unit_info powers;
    bool angle;
    const tru_status s = value_at(m, path, out, err);
    const char *dot = strrchr(path, '.');
    if (s < 0 || !out->bare || !dot || (size_t)(dot - path) >= sizeof list) return s;
    snprintf(list, sizeof list, "%.*s", (int)(dot - path), path);
    const node_id n = trio_path_find(t, list), unit = n ? trio_tree_item(t, n, 3) : 0;
    if (unit && trio_tree_kind(t, n) == NODE_LIST && tru_unit_parse(trio_tree_text(t, unit), &scale, &powers, &angle))
        *out = (quantity){
            .value = out->value, .kg = powers.kg, .m = powers.m, .s = powers.s, .angle = angle ? ANGLE_YES : ANGLE_NO};
    return TRU_OK;
}

/* Finds a number in the resolved text, with the unit of its field, also if it is a default. */
static tru_status number_resolved(const tru_scene *scene, const char *path, quantity *out, tru_error *err) {
    tru_scene *resolved = NULL;
    const char *text = tru_scene_text(scene);
    if (!text) return trio_no_memory(err);
    tru_status s = tru_scene_parse(text, strlen(text), scene->tree.file, NULL, 0, &resolved, err);
    if (!s) s = resolved_value(&resolved->model, path, out, err);
    tru_scene_free(resolved);
    return s;
}

bool tru_scene_parameter(const tru_scene *scene, size_t k, tru_parameter *out) {
    const scene_model *m = &scene->model;
    const node_id map = scene_section(m, SECTION_parameters);
    node_id n = map ? trio_tree_first(m->tree, map) : 0;
    for (size_t i = 0; n && i < k; i++) n = trio_tree_next(m->tree, n);
    if (!n) return false;
    const parameter_limits *limits = &m->parameter_limits[k];
    *out =
        (tru_parameter){trio_tree_key(m->tree, n), limits->doc, m->parameters[k].value, limits->lowest, limits->highest,
                        unit_of(&m->parameters[k])};
    return true;
}

tru_status tru_scene_number(const tru_scene *scene, const char *path, double *value, tru_unit_info *unit,
                            tru_error *err) {
    quantity q, r;
    tru_error inner;
    tru_status s = value_at(&scene->model, path, &q, err);
    if (s != TRU_OK || q.bare) {
        const tru_status found = number_resolved(scene, path, &r, &inner);
        if (found == TRU_NO_MEMORY) return trio_no_memory(err);
        if (found == TRU_OK)
            q = r, s = TRU_OK; /* otherwise the file writes it in another way, as the density of a body */
    }
    if (s < 0) return s;
    *value = q.value;
    if (unit) *unit = unit_of(&q);
    return TRU_OK;
}
