/* scene_path.h: paths into a scene's tree: "laws.rim.slide", "bodies.ball.position.z", "tilt". */
#ifndef TRUNDLE_IO_SCENE_PATH_H
#define TRUNDLE_IO_SCENE_PATH_H

#include "yaml/yaml_change.h"

/* As far as the path leads: the deepest node there is, and what is left of the path ("" at its end). */
typedef struct path_end {
    node_id node;
    const char *rest;
} path_end;
path_end trio_path_walk(const tree *t, const char *path);
/* The node, 0 if there is none. */
node_id trio_path_find(const tree *t, const char *path);

/* Set the value at a path, adding keys that are not there yet. On failure nothing has changed. */
tru_status trio_path_set(tree *t, const char *path, const char *value, tree_undo *undo, tru_error *err);

#endif
