/* scene_parameter.h: parameters of a scene that are blocks: {value: 20 deg, range: [0 deg, 45 deg], doc: "slope"}. */
#ifndef TRUNDLE_IO_SCENE_PARAMETER_H
#define TRUNDLE_IO_SCENE_PARAMETER_H

#include "scene/values/scene_model.h"

/* Returns the node of the value of a parameter: the node itself, or `value` of a block; 0 if the block has none. */
node_id trio_parameter_value(const tree *t, node_id n);
/* Reads ranges and remarks after all parameters have values, and checks the values. */
tru_status trio_read_parameter_blocks(reader *r, scene_model *m);

#endif
