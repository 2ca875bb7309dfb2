/* field_example.h: a table with every type of field, for the tests of all that read tables. */
#ifndef TRUNDLE_TESTS_FIELD_EXAMPLE_H
#define TRUNDLE_TESTS_FIELD_EXAMPLE_H

#include <trundle/plugin.h>

typedef struct layer {
    double depth;    /* [m] */
    tru_length roll; /* [m] */
    const char *label;
} layer;

typedef struct example {
    double slide;      /* [-] */
    double mass;       /* [kg] */
    double share;      /* [-] */
    double radius;     /* [m] */
    double activation; /* [m] */
    double charge;     /* [J] at most 5 */
    double stiffness;  /* [N/m] above 0, at most 1e9 */
    int32_t count;
    bool on;
    tru_vec3 size;    /* [m] */
    tru_vec3 inertia; /* [kg m^2] */
    tru_quat turn;    /* [-] */
    int32_t scheme;
    const char *note;
    tru_id body;
    tru_use solver;
    tru_list layers; /* of layer */
    tru_list times;  /* [s] plain reals */
    tru_length roll; /* [m] */
} example;

#define EXAMPLE_ANY       .lowest = -TRU_UNBOUNDED, .highest = TRU_UNBOUNDED
#define EXAMPLE_FROM_ZERO .lowest = 0.0, .highest = TRU_UNBOUNDED

static const tru_field example_length[] = {
    {"factor", TRU_FIELD_REAL, TRU_UNIT_ONE, .offset = offsetof(tru_length, factor), EXAMPLE_FROM_ZERO},
    {"radius", TRU_FIELD_CHOICE, .offset = offsetof(tru_length, radius), .words = "none|effective|smaller"},
    {0}};

#define EXAMPLE_LENGTH .block = example_length, .block_size = sizeof(tru_length)

static const tru_field example_layer[] = {
    {"depth", TRU_FIELD_REAL, TRU_UNIT_M, TRU_REQUIRED, .offset = offsetof(layer, depth), EXAMPLE_FROM_ZERO},
    {"roll", TRU_FIELD_ALTERNATIVE, TRU_UNIT_M, .offset = offsetof(layer, roll), EXAMPLE_FROM_ZERO, EXAMPLE_LENGTH},
    {"label", TRU_FIELD_TEXT, .offset = offsetof(layer, label), .text = "plain"},
    {0}};

static const tru_field example_fields[] = {
    {"slide", TRU_FIELD_REAL, TRU_UNIT_ONE, .offset = offsetof(example, slide), EXAMPLE_FROM_ZERO},
    {"mass", TRU_FIELD_REAL, TRU_UNIT_KG, 1.0, .offset = offsetof(example, mass), EXAMPLE_FROM_ZERO,
     .lowest_excluded = true},
    {"share", TRU_FIELD_REAL, TRU_UNIT_ONE, 0.5, 0.0, 1.0, .offset = offsetof(example, share)},
    {"radius", TRU_FIELD_REAL, TRU_UNIT_M, TRU_REQUIRED, .offset = offsetof(example, radius), EXAMPLE_FROM_ZERO},
    {"activation", TRU_FIELD_REAL, TRU_UNIT_M, TRU_DERIVED, .offset = offsetof(example, activation), EXAMPLE_FROM_ZERO},
    {"charge", TRU_FIELD_REAL, TRU_UNIT_J, 1.0, -TRU_UNBOUNDED, 5.0, .offset = offsetof(example, charge)},
    {"stiffness", TRU_FIELD_REAL, TRU_UNIT_N_PER_M, 1e6, 0.0, 1e9, true, .offset = offsetof(example, stiffness)},
    {"count", TRU_FIELD_INTEGER, TRU_UNIT_ONE, 50.0, 1.0, 1000.0, .offset = offsetof(example, count)},
    {"on", TRU_FIELD_BOOLEAN, .default_value = 1.0, .offset = offsetof(example, on)},
    {"size", TRU_FIELD_VEC3, TRU_UNIT_M, 0.25, .offset = offsetof(example, size), EXAMPLE_FROM_ZERO,
     .lowest_excluded = true},
    {"inertia", TRU_FIELD_VEC3, TRU_UNIT_KG_M2, TRU_DERIVED, .offset = offsetof(example, inertia), EXAMPLE_FROM_ZERO},
    {"turn", TRU_FIELD_QUATERNION, TRU_UNIT_ONE, .offset = offsetof(example, turn), EXAMPLE_ANY},
    {"scheme", TRU_FIELD_CHOICE, .default_value = 1.0, .offset = offsetof(example, scheme), .words = "midpoint|paper"},
    {"note", TRU_FIELD_TEXT, .offset = offsetof(example, note), .text = "none"},
    {"body", TRU_FIELD_REFERENCE, .offset = offsetof(example, body), .words = "body"},
    {"solver", TRU_FIELD_PLUGIN, .offset = offsetof(example, solver), .words = "solver", .text = "newton"},
    {"layers", TRU_FIELD_LIST, .offset = offsetof(example, layers), .block = example_layer,
     .block_size = sizeof(layer)},
    {"times", TRU_FIELD_LIST, TRU_UNIT_S, .offset = offsetof(example, times), EXAMPLE_FROM_ZERO},
    {"roll", TRU_FIELD_ALTERNATIVE, TRU_UNIT_M, .offset = offsetof(example, roll), EXAMPLE_FROM_ZERO, EXAMPLE_LENGTH},
    {0}};

#endif
