/* scene_path.c: follows paths, with the short forms that a scene allows, and sets values there. */
#include "scene_path.h"

#include "scene_parameter.h"

#include "scene/values/scene_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_ROOM = 80, FRAGMENT = 2000 };

/* Reads the first key of a path. False if it is too long or empty. */
static bool first_key(const char *path, char out[KEY_ROOM], const char **rest) {
    const size_t length = strcspn(path, ".");
    if (length == 0 || length >= KEY_ROOM) return false;
    memcpy(out, path, length);
    out[length] = '\0';
    *rest = path + length + (path[length] == '.');
    return true;
}

/* "2", or "z" of three numbers (and their unit). */
static node_id list_entry(const tree *t, node_id list, const char *key) {
    const size_t count = trio_tree_count(t, list);
    char *end;
    if (key[0] >= 'x' && key[0] <= 'z' && key[1] == '\0' && (count == 3 || count == 4))
        return trio_tree_kind(t, trio_tree_first(t, list)) == NODE_TEXT
                   ? trio_tree_item(t, list, (size_t)(key[0] - 'x'))
                   : 0;
    const unsigned long k = strtoul(key, &end, 10);
    return *key >= '0' && *key <= '9' && *end == '\0' ? trio_tree_item(t, list, k) : 0;
}

/* Finds a plug-in of any kind by name. */
static bool find_plug(const char *name, plug *out) {
    static const char *const kinds[] = {"law", "stepper", "solver", "shape", "joint", "place", "sizes"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (trio_plug_named(kinds[i], name, out)) return true;
    return false;
}

static bool has_field(const plug *p, const char *field) { return p->fields && tru_field_find(p->fields, field); }

/* "laws.rim.slide", "steppers.fine.step", "bodies.ball.shape.radius": the one plug-in of that block that has such a
 * field, or the only entry of the block if that is a plug-in and the key is none. */
static node_id plug_with(const tree *t, node_id map, const char *field) {
    node_id found = 0, only = 0;
    plug p;
    if (trio_tree_kind(t, map) != NODE_MAP || find_plug(field, &p)) return 0;
    for (node_id n = trio_tree_first(t, map); n; n = trio_tree_next(t, n)) {
        const bool known = find_plug(trio_tree_key(t, n), &p);
        only = known && trio_tree_count(t, map) == 1 ? n : 0;
        if (!known || !has_field(&p, field)) continue;
        if (found) return 0;
        found = n;
    }
    return found ? found : only;
}

static node_id child(const tree *t, node_id n, const char *key) {
    if (trio_tree_kind(t, n) == NODE_LIST) return list_entry(t, n, key);
    return trio_tree_find(t, n, key);
}

static bool is_parameter(const tree *t, node_id parameters, node_id n) {
    node_id k = parameters ? trio_tree_first(t, parameters) : 0;
    while (k && k != n) k = trio_tree_next(t, k);
    return k != 0;
}

path_end trio_path_walk(const tree *t, const char *path) {
    char key[KEY_ROOM];
    path_end at = {TREE_ROOT, path};
    const char *rest;
    const node_id parameters = trio_tree_find(t, TREE_ROOT, "parameters");
    int depth = 0; /* names of objects stand at depth 1 */
    while (*at.rest && first_key(at.rest, key, &rest)) {
        node_id n = child(t, at.node, key);
        if (!n && at.node == TREE_ROOT && parameters && *rest == '\0') n = child(t, parameters, key);
        const node_id within = n || depth < 2 ? 0 : plug_with(t, at.node, key);
        if (!n && !within) return at;
        at = n ? (path_end){n, rest} : (path_end){within, at.rest};
        depth++;
    }
    if (depth > 0 && is_parameter(t, parameters, at.node) && *at.rest == '\0') /* a block stands for its value */
        at.node = trio_parameter_value(t, at.node) ? trio_parameter_value(t, at.node) : at.node;
    return at;
}

node_id trio_path_find(const tree *t, const char *path) {
    const path_end at = trio_path_walk(t, path);
    return *at.rest == '\0' ? at.node : 0;
}

/* ---- setting ---- */

static size_t keys_below(const tree *t, node_id map, const char **names, size_t count, size_t most) {
    for (node_id n = map ? trio_tree_first(t, map) : 0; n && count < most; n = trio_tree_next(t, n))
        if (trio_tree_key(t, n)) names[count++] = trio_tree_key(t, n);
    return count;
}

static tru_status no_such_path(const tree *t, const char *path, const char *value, const path_end *at, tru_error *err) {
    char key[KEY_ROOM] = "", near[200];
    const char *names[256], *rest;
    if (!err) return TRU_UNKNOWN_NAME;
    err->status = TRU_UNKNOWN_NAME;
    first_key(at->rest, key, &rest);
    size_t count = keys_below(t, at->node, names, 0, 256);
    if (at->node == TREE_ROOT) count = keys_below(t, trio_tree_find(t, TREE_ROOT, "parameters"), names, count, 256);
    trio_suggest(key, names, count, near, sizeof near);
    if (trio_tree_kind(t, at->node) == NODE_LIST)
        snprintf(err->text, sizeof err->text, "set %s=%s: no entry '%s' in a list of %zu", path, value, key,
                 trio_tree_count(t, at->node));
    else if (trio_tree_kind(t, at->node) == NODE_TEXT)
        snprintf(err->text, sizeof err->text, "set %s=%s: '%s' has no '%s' below it", path, value,
                 trio_tree_text(t, at->node), key);
    else
        snprintf(err->text, sizeof err->text, "set %s=%s: no '%s'%s", path, value, key, near);
    return TRU_UNKNOWN_NAME;
}

static bool scene_has_section(const char *key) {
    for (const extra_key *k = trio_scene_keys; k->name; k++)
        if (strcmp(k->name, key) == 0) return true;
    return false;
}

/* A misspelt name must not create an object. So keys may be added to blocks only, and sections to the scene. */
static bool may_add(const tree *t, node_id map, const char *key) {
    static const char *const named[] = {"parameters", "laws", "bodies", "fill"};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (map == trio_tree_find(t, TREE_ROOT, named[i])) return false;
    return map != TREE_ROOT || scene_has_section(key);
}

/* Turns the word of "solver: newton" into {newton: {...}} if the path continues with newton or one of its fields. */
static tru_status set_below_word(tree *t, const path_end *at, const char *path, const char *value, tree_undo *undo,
                                 tru_error *err) {
    char text[FRAGMENT], key[KEY_ROOM];
    const char *rest = at->rest, *word = trio_tree_text(t, at->node);
    size_t used = 0, depth = 0;
    first_key(rest, key, &rest);
    rest = at->rest;
    if (strcmp(word, key) != 0) {
        used = (size_t)snprintf(text, sizeof text, "{%.*s: ", KEY_ROOM, word);
        depth = 1;
    }
    while (*rest && first_key(rest, key, &rest) && used + strlen(key) + 8 < sizeof text) {
        used += (size_t)snprintf(text + used, sizeof text - used, "{%s: ", key);
        depth++;
    }
    if (used + strlen(value) + depth + 1 > sizeof text) return no_such_path(t, path, value, at, err);
    used += (size_t)snprintf(text + used, sizeof text - used, "%s", value);
    for (size_t i = 0; i < depth; i++) text[used++] = '}';
    text[used] = '\0';
    return trio_tree_replace(t, at->node, path, text, undo, err);
}

tru_status trio_path_set(tree *t, const char *path, const char *value, tree_undo *undo, tru_error *err) {
    char key[KEY_ROOM];
    const char *rest;
    const path_end at = trio_path_walk(t, path);
    const bool map = trio_tree_kind(t, at.node) == NODE_MAP || trio_tree_is_empty(t, at.node);
    if (*path == '\0' || strchr(path, '=')) return no_such_path(t, path, value, &at, err);
    if (*at.rest == '\0') return trio_tree_replace(t, at.node, path, value, undo, err);
    if (!first_key(at.rest, key, &rest)) return no_such_path(t, path, value, &at, err);
    if (map && !may_add(t, at.node, key)) return no_such_path(t, path, value, &at, err);
    if (map) return trio_tree_add(t, at.node, at.rest, path, value, undo, err);
    plug p;
    const char *word = trio_tree_kind(t, at.node) == NODE_TEXT ? trio_tree_text(t, at.node) : "";
    if (strcmp(word, key) == 0 || (find_plug(word, &p) && has_field(&p, key)))
        return set_below_word(t, &at, path, value, undo, err);
    return no_such_path(t, path, value, &at, err);
}
