/* yaml_change.c: changes to a tree. A number that a sweep sets repeatedly reuses the same bytes. */
#include "yaml_change.h"

#include "common/fail.h"
#include "common/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Plain words and numbers need no YAML parser. */
static bool is_plain(const char *text) {
    for (const char *c = text; *c; c++) {
        const bool word = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        if (!word && !strchr("_.+-*/^() ", *c)) return false;
    }
    return *text != '\0' && !strchr("-* ", *text) && text[strlen(text) - 1] != ' ';
}

static bool same_path(const tree *t, size_t change, const char *path) {
    const char *text = t->text + t->changes[change].text;
    const size_t length = strlen(path);
    return strncmp(text, path, length) == 0 && text[length] == '=';
}

static tree_undo remember(const tree *t, node_id at) {
    tree_undo u = {.node_count = t->node_count, .text_count = t->text_count, .change_count = t->change_count, .at = at};
    u.was = t->nodes[at];
    for (node_id n = trio_tree_first(t, at); n; n = trio_tree_next(t, n)) u.last = n;
    return u;
}

void trio_tree_take_back(tree *t, const tree_undo *u) {
    if (u->at) t->nodes[u->at] = u->was;
    if (u->at && u->last) t->nodes[u->last].next = 0;
    if (u->slot_was[0]) strcpy(t->text + t->changes[u->slot].text, u->slot_was);
    t->node_count = u->node_count;
    t->text_count = u->text_count;
    t->change_count = u->change_count;
}

/* Finds a slot for "path=value": that of an earlier change of this path, or a new one. */
static bool take_slot(tree *t, const char *path, const char *value, tree_undo *u, uint32_t *change) {
    const size_t path_length = strlen(path), length = path_length + 1 + strlen(value);
    for (size_t k = 0; k < t->change_count; k++) {
        if (!same_path(t, k, path) || length >= t->changes[k].room || t->changes[k].room > CHANGE_ROOM) continue;
        char *text = t->text + t->changes[k].text;
        strcpy(u->slot_was, text);
        strcpy(text + path_length + 1, value);
        u->slot = *change = (uint32_t)k;
        return true;
    }
    if (!GROW(t->changes, t->change_room, t->change_count + 1)) return false;
    size_t room = length + 1 + 32; /* extra room for the next value */
    char *text = calloc(room, 1);
    tree_change c = {0, (uint32_t)room};
    if (!text) return false;
    snprintf(text, room, "%s=%s", path, value);
    const bool good = trio_tree_add_text(t, text, room - 1, &c.text);
    free(text);
    *change = (uint32_t)t->change_count;
    if (good) t->changes[t->change_count++] = c;
    return good;
}

/* Makes a node of the value. A plain value uses the text of the slot. */
static tru_status value_node(tree *t, const char *path, const char *text, uint32_t change, node *out, tru_error *err) {
    node_id id;
    if (is_plain(text)) {
        *out = (node){.kind = NODE_TEXT, .value = t->changes[change].text + (uint32_t)strlen(path) + 1};
    } else {
        const tru_status s = trio_tree_append(t, text, strlen(text), change, &id, err);
        if (s < 0) return s;
        *out = t->nodes[id];
    }
    out->at = AT_CHANGE + change;
    return TRU_OK;
}

tru_status trio_tree_replace(tree *t, node_id n, const char *path, const char *text, tree_undo *undo, tru_error *err) {
    uint32_t change;
    node fresh;
    *undo = remember(t, n);
    undo->last = 0; /* its children are left as they are */
    tru_status s = take_slot(t, path, text, undo, &change) ? TRU_OK : trio_no_memory(err);
    if (!s) s = value_node(t, path, text, change, &fresh, err);
    if (s < 0) {
        trio_tree_take_back(t, undo);
        return s;
    }
    const node *old = &t->nodes[n];
    fresh.key = old->key;
    fresh.key_at = old->key_at;
    fresh.next = old->next;
    t->nodes[n] = fresh;
    return TRU_OK;
}

/* Builds the innermost value, then a map around it for every key except the first. */
static tru_status add_keys(tree *t, node_id map, const char *keys, uint32_t change, node value, node_id last,
                           tru_error *err) {
    node_id id = 0;
    for (const char *end = keys + strlen(keys); end > keys;) {
        const char *dot = end;
        while (dot > keys && dot[-1] != '.') dot--;
        value.key_at = AT_CHANGE + change;
        if (!trio_tree_add_text(t, dot, (size_t)(end - dot), &value.key) || !trio_tree_add_node(t, value, &id))
            return trio_no_memory(err);
        value = (node){.kind = NODE_MAP, .value = id, .at = AT_CHANGE + change};
        end = dot > keys ? dot - 1 : keys;
    }
    if (last)
        t->nodes[last].next = id & NODE_MOST;
    else
        t->nodes[map].value = id;
    return TRU_OK;
}

tru_status trio_tree_add(tree *t, node_id map, const char *keys, const char *path, const char *text, tree_undo *undo,
                         tru_error *err) {
    uint32_t change;
    node value;
    *undo = remember(t, map);
    tru_status s = take_slot(t, path, text, undo, &change) ? TRU_OK : trio_no_memory(err);
    if (!s) s = value_node(t, path, text, change, &value, err);
    if (!s) {
        if (t->nodes[map].kind == NODE_TEXT) t->nodes[map].value = 0; /* "laws:" with nothing below it */
        t->nodes[map].kind = NODE_MAP;
        s = add_keys(t, map, keys, change, value, undo->last, err);
    }
    if (s < 0) trio_tree_take_back(t, undo);
    return s;
}
