/* scene_evaluate.h: from the tree of a scene to a model: every section read and checked. */
#ifndef TRUNDLE_IO_SCENE_EVALUATE_H
#define TRUNDLE_IO_SCENE_EVALUATE_H

#include "scene/values/scene_model.h"

/* Evaluates a tree. If it fails, *out holds nothing. */
tru_status trio_model_build(const tree *t, scene_model *out, tru_error *err);
void trio_model_release(scene_model *m);
/* Returns a reader of the scene whose lists and parameters go to `memory`. */
reader trio_scene_reader(const scene_model *m, store *memory, tru_error *err);

#endif
