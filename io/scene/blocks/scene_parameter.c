/* scene_parameter.c: parameters of a scene that are blocks: a value, the range that it may have, and a remark. */
#include "scene_parameter.h"

#include "common/fail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const keys[] = {"value", "range", "doc"};
enum { KEYS = sizeof keys / sizeof *keys };

node_id trio_parameter_value(const tree *t, node_id n) {
    return trio_tree_kind(t, n) == NODE_MAP ? trio_tree_find(t, n, "value") : n;
}

static tru_status check_keys(reader *r, const char *name, node_id map) {
    for (node_id n = trio_tree_first(r->t, map); n; n = trio_tree_next(r->t, n)) {
        const char *key = trio_tree_key(r->t, n);
        char near[200];
        bool known = false;
        for (int k = 0; k < KEYS; k++) known |= strcmp(keys[k], key) == 0;
        if (known) continue;
        trio_suggest(key, keys, KEYS, near, sizeof near);
        return trio_tree_fail(r->t, n, true, r->err, TRU_UNKNOWN_NAME, "parameters: %s: unknown key '%.60s'%s", name,
                              key, near);
    }
    return TRU_OK;
}

static bool same_unit(const quantity *a, const quantity *b) {
    return a->kg == b->kg && a->m == b->m && a->s == b->s && (a->angle == ANGLE_YES) == (b->angle == ANGLE_YES);
}

/* Reads one end of a range, which must have the unit of the value. A bare 0 has any. */
static tru_status read_end(reader *r, const char *label, node_id n, const quantity *value, double *out) {
    quantity q;
    const tru_status s = trio_read_quantity(r, "parameters", label, n, &q);
    if (s < 0) return s;
    char wanted[QUANTITY_UNIT], phrase[QUANTITY_UNIT + 60];
    trio_quantity_unit(value, wanted, sizeof wanted);
    snprintf(phrase, sizeof phrase, "must have the unit of the value, %s", wanted);
    if (!same_unit(&q, value) && !(q.bare && q.value == 0.0))
        return trio_wrong_value(r, "parameters", label, n, phrase);
    *out = q.value;
    return TRU_OK;
}

static tru_status read_range(reader *r, const char *name, node_id map, const quantity *value, parameter_limits *out) {
    const node_id range = trio_tree_find(r->t, map, "range"), given = trio_tree_find(r->t, map, "value");
    char label[200];
    if (!range) return TRU_OK;
    snprintf(label, sizeof label, "%.100s: range", name);
    if (trio_tree_kind(r->t, range) != NODE_LIST || trio_tree_count(r->t, range) != 2)
        return trio_wrong_value(r, "parameters", label, range, "must be [lowest, highest]");
    const node_id low = trio_tree_item(r->t, range, 0), high = trio_tree_item(r->t, range, 1);
    tru_status s = read_end(r, label, low, value, &out->lowest);
    if (s >= 0) s = read_end(r, label, high, value, &out->highest);
    if (s < 0) return s;
    if (!(out->lowest < out->highest))
        return trio_tree_fail(r->t, high, false, r->err, TRU_OUT_OF_RANGE,
                              "parameters: %s is [%.60s, %.60s], must rise", label, trio_tree_text(r->t, low),
                              trio_tree_text(r->t, high));
    if (value->value >= out->lowest && value->value <= out->highest) return TRU_OK;
    return trio_tree_fail(r->t, given, false, r->err, TRU_OUT_OF_RANGE,
                          "parameters: %s is %.100s, must be in its range [%.60s, %.60s]", name,
                          trio_tree_text(r->t, given), trio_tree_text(r->t, low), trio_tree_text(r->t, high));
}

static tru_status read_doc(reader *r, scene_model *m, const char *name, node_id map, parameter_limits *out) {
    const node_id n = trio_tree_find(r->t, map, "doc");
    char label[200];
    if (!n) return TRU_OK;
    snprintf(label, sizeof label, "%.100s: doc", name);
    if (trio_tree_kind(r->t, n) != NODE_TEXT) return trio_wrong_value(r, "parameters", label, n, "must be a text");
    out->doc = trio_store_text(&m->memory, trio_tree_text(r->t, n));
    return out->doc ? TRU_OK : trio_no_memory(r->err);
}

tru_status trio_read_parameter_blocks(reader *r, scene_model *m) {
    const node_id map = scene_section(m, SECTION_parameters);
    if (!map) return TRU_OK;
    m->parameter_limits = trio_store_take(&m->memory, trio_tree_count(r->t, map) * sizeof *m->parameter_limits);
    if (!m->parameter_limits) return trio_no_memory(r->err);
    tru_status s = TRU_OK;
    size_t k = 0;
    for (node_id n = trio_tree_first(r->t, map); s >= 0 && n; n = trio_tree_next(r->t, n), k++) {
        const char *name = trio_tree_key(r->t, n);
        parameter_limits *limits = &m->parameter_limits[k];
        *limits = (parameter_limits){-INFINITY, INFINITY, ""};
        if (trio_tree_kind(r->t, n) != NODE_MAP) continue;
        s = check_keys(r, name, n);
        if (s >= 0) s = read_range(r, name, n, &m->parameters[k], limits);
        if (s >= 0) s = read_doc(r, m, name, n, limits);
    }
    return s;
}
