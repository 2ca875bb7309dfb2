/* scene_objects.h: reads one object of a scene at a time: for checks, for the resolved text, for worlds. */
#ifndef TRUNDLE_IO_SCENE_OBJECTS_H
#define TRUNDLE_IO_SCENE_OBJECTS_H

#include "scene/values/scene_fill.h"
#include "scene/values/scene_model.h"

enum { OBJECT_NAME = 64, FILL_NAME = 40 }; /* bytes of a name with its end, of the name of a fill */

/* Reads the key of a node. It has letters, digits, _ and -, and at most this many bytes. */
tru_status trio_check_object_name(reader *r, const char *what, node_id n, size_t most);

typedef struct law_block {
    tru_use laws[TRU_PAIR_LAWS];
    size_t count;
} law_block;
tru_status trio_read_law_block(reader *r, const char *what, node_id n, law_block *out);

typedef struct scene_pair {
    tru_pair_def def; /* without laws: those are in `laws` */
    law_block laws;
    const char *name; /* name of the law block; NULL if the laws are written inside the pair, or there are none */
    bool is_default;
} scene_pair;
tru_status trio_read_pair(reader *r, const scene_model *m, size_t k, node_id n, scene_pair *out);

/* Reads the object; its name is the key of the node. */
tru_status trio_read_body(reader *r, node_id n, tru_body_def *out);
tru_status trio_read_load(reader *r, size_t k, node_id n, tru_load_def *out);
tru_status trio_read_motion(reader *r, size_t k, node_id n, tru_motion_def *out);
/* Reads the object; its name is the key of the node. */
tru_status trio_read_joint(reader *r, node_id n, tru_joint_def *out);
/* Reads name and parameters of a stepper; the name of the block is the key of the node. */
tru_status trio_read_stepper(reader *r, node_id n, tru_use *out);

typedef enum start_mode { START_OPEN, START_STUCK, START_SLIPPING } start_mode;
typedef struct scene_start {
    tru_id a, b;
    int32_t modes[3]; /* start_mode of slide, spin, roll */
} scene_start;
tru_status trio_read_start(reader *r, size_t k, node_id n, scene_start *out);

typedef struct scene_fill_block {
    fill_def fill;
    tru_body_def body; /* the template */
} scene_fill_block;
tru_status trio_read_fill(reader *r, node_id n, scene_fill_block *out);

/* Corners as the scene has them; x = TRU_DERIVED means that this end is open. */
typedef struct scene_outlet {
    tru_vec3 lowest, highest; /* [m] */
} scene_outlet;
tru_status trio_read_outlet(reader *r, node_id n, scene_outlet *out);

/* Tables and keys, for the reference and the writer. */
extern const tru_field trio_start_fields[], trio_outlet_fields[];
extern const extra_key trio_pair_keys[], trio_body_keys[], trio_fill_keys[], trio_start_keys[], trio_joint_keys[];
#define PAIR_HIDDEN      "a|b|laws"
#define BODY_HIDDEN      "name"
#define FILL_BODY_HIDDEN "name|position"
#define START_HIDDEN     "a|b"
#define JOINT_HIDDEN     "name|a|b"

#endif
