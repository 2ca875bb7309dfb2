/* yaml_change.h: replaces or adds one value of a tree, and takes a change back. */
#ifndef TRUNDLE_IO_YAML_CHANGE_H
#define TRUNDLE_IO_YAML_CHANGE_H

#include "yaml_tree.h"

enum { CHANGE_ROOM = 128 }; /* longest "path=value" whose slot is used again */

/* The previous state of the tree, valid until the next change. */
typedef struct tree_undo {
    size_t node_count, text_count, change_count;
    node_id at; /* the node that was replaced or got a child; 0: none */
    node was;
    node_id last; /* its last child, 0: none */
    uint32_t slot;
    char slot_was[CHANGE_ROOM]; /* "": the slot is new */
} tree_undo;

/* Replaces node n by the text ("0.3", "[1, 2, 3]", "{prox: {}}"). Changes nothing if it fails. */
tru_status trio_tree_replace(tree *t, node_id n, const char *path, const char *text, tree_undo *undo, tru_error *err);
/* Adds "key: {key: ... text}" to a map; dots join the keys. */
tru_status trio_tree_add(tree *t, node_id map, const char *keys, const char *path, const char *text, tree_undo *undo,
                         tru_error *err);
void trio_tree_take_back(tree *t, const tree_undo *undo);

#endif
