/* yaml_tree.h: a YAML or JSON file as a tree of texts, lists and maps with their places, and changes to it.
 *
 * Stricter than YAML: no anchors, aliases, tags, several documents or keys that are not words; a repeated key is an
 * error. At most TREE_DEEPEST levels and TREE_BYTES bytes. Nodes are numbers into one array, 20 bytes each, so a tree
 * is copied by copying a few blocks: a large file is mostly nodes. */
#ifndef TRUNDLE_IO_YAML_TREE_H
#define TRUNDLE_IO_YAML_TREE_H

#include <trundle/trundle.h>

enum { TREE_DEEPEST = 64, TREE_BYTES = 64 << 20 };

typedef uint32_t node_id; /* 0: none */
#define TREE_ROOT 1u
typedef enum node_kind { NODE_TEXT, NODE_LIST, NODE_MAP } node_kind;

/* A place: the number of a character in the file, or AT_CHANGE + the number of a change. */
typedef uint32_t tree_at;
#define AT_CHANGE 0x80000000u
#define NODE_MOST 0x1fffffffu /* nodes of a tree */

typedef struct node {
    uint32_t key;   /* where its key begins in the tree's text; 0: not in a map */
    uint32_t value; /* where its text begins, or its first child */
    tree_at at, key_at;
    uint32_t next : 29;  /* sibling */
    uint32_t kind : 2;   /* node_kind */
    uint32_t quoted : 1; /* quoted: never a number, a word or nothing */
} node;

/* A change: "path=value" in the tree's text, in a slot of `room` bytes that the next change of that path may use. */
typedef struct tree_change {
    uint32_t text, room;
} tree_change;

typedef struct tree {
    char *file; /* name for sentences */
    node *nodes;
    size_t node_count, node_room;
    char *text;
    size_t text_count, text_room;
    uint32_t *lines; /* the character that each line begins with; of a line on which nothing stands that of the next */
    size_t line_count, line_room;
    tree_change *changes;
    size_t change_count, change_room;
    const struct tru_plugins *plugins; /* laws from outside that a scene in it may name; NULL: none */
} tree;

/* Reads a file, or a text with a name for it. The tree is empty if it fails. */
tru_status trio_tree_read(tree *t, const char *path, tru_error *err);
tru_status trio_tree_parse(tree *t, const char *text, size_t bytes, const char *name, tru_error *err);
tru_status trio_tree_copy(tree *t, const tree *from, tru_error *err);
void trio_tree_release(tree *t);

node_kind trio_tree_kind(const tree *t, node_id n);
const char *trio_tree_text(const tree *t, node_id n); /* of a text node, "" for the others */
const char *trio_tree_key(const tree *t, node_id n);  /* NULL outside maps */
node_id trio_tree_first(const tree *t, node_id n);    /* child of a list or map */
node_id trio_tree_next(const tree *t, node_id n);
node_id trio_tree_find(const tree *t, node_id map, const char *key);
node_id trio_tree_item(const tree *t, node_id list, size_t k);
size_t trio_tree_count(const tree *t, node_id n);
/* Returns true if nothing was written: "key:", or null. */
bool trio_tree_is_empty(const tree *t, node_id n);

/* ---- sentences ---- */

/* Computes line and column of a character, both from 1. */
void trio_tree_line(const tree *t, tree_at at, uint32_t *line, uint32_t *column);
/* Writes the place of a node: "file:line:column", or "set path=value" for a change. */
void trio_tree_place(const tree *t, node_id n, bool of_key, char *out, size_t room);
/* Puts the place before an existing sentence. Returns its status. */
tru_status trio_tree_prefix(const tree *t, node_id n, bool of_key, tru_error *err);
/* Fails with "place: sentence". */
__attribute__((format(printf, 6, 7))) tru_status trio_tree_fail(const tree *t, node_id n, bool of_key, tru_error *err,
                                                                tru_status status, const char *format, ...);

/* ---- building, for yaml_change.c ---- */

/* Appends the text below `parent` (0: as a separate tree). Its place is change number `change`. */
tru_status trio_tree_append(tree *t, const char *text, size_t bytes, uint32_t change, node_id *out, tru_error *err);
bool trio_tree_add_text(tree *t, const char *text, size_t length, uint32_t *out);
bool trio_tree_add_node(tree *t, node n, node_id *out);

#endif
