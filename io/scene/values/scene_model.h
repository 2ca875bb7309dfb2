/* scene_model.h: the inside of a scene: its tree, and what is evaluated from it once per reading or change. */
#ifndef TRUNDLE_IO_SCENE_MODEL_H
#define TRUNDLE_IO_SCENE_MODEL_H

#include "common/outlet.h"
#include "scene.h"
#include "scene_read.h"
#include "yaml/yaml_tree.h"

/* The keys of a scene, in the order of the resolved text. */
#define SCENE_SECTIONS(X)                                                                                              \
    X(trundle, "1", "Version of the format.")                                                                          \
    X(title, "text", "What the scene shows, in one line.")                                                             \
    X(parameters, "map of numbers", "Names for numbers; each may use the others. Or blocks: value, range, doc.")       \
    X(gravity, "vector or number [m/s^2]", "Acceleration of free fall; one number points to -z (default: 9.81).")      \
    X(overlap, "number [-]", "Deepest overlap at the start, in parts of the smaller body's smallest width.")           \
    X(materials, "list of names", "Names of surfaces; `default` is always there. Or a map from names to remarks.")     \
    X(laws, "map of law blocks", "Named friction laws: each a map of laws with their coefficients.")                   \
    X(pairs, "list of pairs", "What acts where two materials touch; there is no mixing rule.")                         \
    X(bodies, "map of bodies", "The bodies by name.")                                                                  \
    X(fill, "map of fills", "Many like bodies: lattices, packings, emitters.")                                         \
    X(outlets, "map of outlets", "Boxes in which free bodies leave the world while it runs.")                          \
    X(joints, "map of joints", "What holds two bodies together, drives or brakes them, by name.")                      \
    X(loads, "list of loads", "Forces and torques on bodies.")                                                         \
    X(motions, "list of motions", "Prescribed motion of driven bodies.")                                               \
    X(start, "list of contact modes", "Whether contacts stick or slip at the start.")                                  \
    X(steppers, "map of stepper blocks", "Numerical parameters; the first block runs unless another is asked for.")    \
    X(stop_when, "map or list of conditions", "Any one of them ends the run.")                                         \
    X(record, "block", "How long to run and what to write.")
typedef enum section {
#define SECTION_ENTRY(name, form, doc) SECTION_##name,
    SCENE_SECTIONS(SECTION_ENTRY)
#undef SECTION_ENTRY
        SECTION_COUNT
} section;
extern const extra_key trio_scene_keys[SECTION_COUNT + 1];

/* What a parameter may be, if it is a block. */
typedef struct parameter_limits {
    double lowest, highest; /* [unit of the parameter] infinite without a range */
    const char *doc;        /* "": none */
} parameter_limits;

/* Its texts are copies, because a change may move those of the tree. */
typedef struct scene_model {
    const tree *tree;                /* that it was made from */
    store memory;                    /* of everything below */
    node_id sections[SECTION_COUNT]; /* 0: not given */
    const char *title;
    quantity *parameters; /* in the order of the tree */
    parameter_limits *parameter_limits;
    uint8_t *parameter_states;
    tru_world_def world;
    const char **materials; /* [0] is "default" */
    size_t material_count;
    uint8_t *materials_used; /* by a body or fill */
    node_id *bodies;         /* in id order */
    size_t body_count;
    uint32_t *body_slots; /* by name: index + 1 */
    size_t body_room;     /* a power of two */
    tru_plan plan;
    scene_stop *stops;
    size_t stop_count;
    const char **steppers;
    size_t stepper_count;
    node_id *emitters;
    const void **emitter_places; /* fill_emitter */
    size_t *emitter_numbers;     /* of their fills */
    size_t emitter_count;
    outlet *outlets;
    size_t outlet_count;
} scene_model;

struct tru_scene {
    tree tree;
    char *name; /* of the file, without folder and ending */
    scene_model model;
    char *text, *outline; /* resolved text, made on the first call */
    uint64_t hash;        /* hash of the text; 0 if not computed */
};

/* Returns the node of a top-level key; 0 if the scene does not have it. */
static inline node_id scene_section(const scene_model *m, section s) { return m->sections[s]; }

#endif
