/* scene_path.h: paths into a scene's tree: "laws.rim.slide", "bodies.ball.position.z", "tilt". */
#ifndef TRUNDLE_IO_SCENE_PATH_H
#define TRUNDLE_IO_SCENE_PATH_H

#include "yaml/yaml_change.h"

/* Follows a path as far as it leads. Returns the deepest node that exists, and the rest of the path, "" if nothing remains. */
typedef struct path_end {
    node_id node;
    const char *rest;
} path_end;
path_end trio_path_walk(const tree *t, const char *path);
/* Returns the node of a path, 0 if it does not exist. */
node_id trio_path_find(const tree *t, const char *path);

/* Sets the value at a path and adds missing keys. Changes nothing if it fails. */
tru_status trio_path_set(tree *t, const char *path, const char *value, tree_undo *undo, tru_error *err);

#endif
