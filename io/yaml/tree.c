/* tree.c: any YAML or JSON file as a tree of nodes with pointers, for programs. */
#include "yaml_tree.h"

#include <trundle/io.h>

#include <stdlib.h>
#include <string.h>

struct tru_tree {
    tree *all; /* of the root, which owns it */
    node_id id;
    tru_tree *children;
    size_t count;
};

static void release_children(tru_tree *n) {
    for (size_t k = 0; k < n->count; k++) release_children(&n->children[k]);
    free(n->children);
}

static bool fill_children(tru_tree *n) {
    const size_t count = trio_tree_count(n->all, n->id);
    n->children = calloc(count > 0 ? count : 1, sizeof *n->children);
    if (!n->children) return false;
    bool good = true;
    for (node_id c = trio_tree_first(n->all, n->id); c && good; c = trio_tree_next(n->all, c)) {
        tru_tree *child = &n->children[n->count++];
        *child = (tru_tree){n->all, c, NULL, 0};
        good = fill_children(child); /* at most TREE_DEEPEST levels */
    }
    return good;
}

tru_status tru_tree_read(const char *path, tru_tree **out, tru_error *err) {
    tree *all = calloc(1, sizeof *all);
    tru_tree *root = calloc(1, sizeof *root);
    *out = NULL;
    if (err) *err = (tru_error){TRU_NO_MEMORY, "out of memory"};
    tru_status s = all && root ? trio_tree_read(all, path, err) : TRU_NO_MEMORY;
    if (!s) {
        *root = (tru_tree){all, TREE_ROOT, NULL, 0};
        if (fill_children(root)) {
            if (err) *err = (tru_error){TRU_OK, ""};
            *out = root;
            return TRU_OK;
        }
        release_children(root);
        trio_tree_release(all);
        s = TRU_NO_MEMORY;
    }
    free(all);
    free(root);
    return s;
}

void tru_tree_free(tru_tree *root) {
    if (!root) return;
    release_children(root);
    trio_tree_release(root->all);
    free(root->all);
    free(root);
}

tru_tree_kind tru_tree_is(const tru_tree *n) {
    const node_kind kind = trio_tree_kind(n->all, n->id);
    return kind == NODE_MAP ? TRU_TREE_MAP : kind == NODE_LIST ? TRU_TREE_LIST : TRU_TREE_TEXT;
}

size_t tru_tree_count(const tru_tree *n) { return n->count; }

const tru_tree *tru_tree_at(const tru_tree *n, size_t k) { return k < n->count ? &n->children[k] : NULL; }

const char *tru_tree_key(const tru_tree *n, size_t k) {
    return k < n->count ? trio_tree_key(n->all, n->children[k].id) : NULL;
}

const tru_tree *tru_tree_find(const tru_tree *n, const char *key) {
    for (size_t k = 0; k < n->count && tru_tree_is(n) == TRU_TREE_MAP; k++)
        if (strcmp(tru_tree_key(n, k), key) == 0) return &n->children[k];
    return NULL;
}

const char *tru_tree_text(const tru_tree *n) {
    return trio_tree_kind(n->all, n->id) == NODE_TEXT ? trio_tree_text(n->all, n->id) : NULL;
}

void tru_tree_where(const tru_tree *n, const char **file, int *line, int *column) {
    *file = n->all->file;
    uint32_t l, c;
    trio_tree_line(n->all, n->all->nodes[n->id].at, &l, &c);
    *line = (int)l;
    *column = (int)c;
}
