/* defs.c: field tables and defaults of the world's own definitions: world, body, shape, pair, load, motion. */
#include <trundle/plugin.h>

#include <stddef.h>
#include <string.h>

#define FREE_RANGE .lowest = -TRU_UNBOUNDED, .highest = TRU_UNBOUNDED

static const tru_field world_fields[] = {
    {.name = "gravity",
     .type = TRU_FIELD_VEC3,
     .unit = TRU_UNIT_M_PER_S2,
     .standard = 0.0,
     FREE_RANGE,
     .doc = "Acceleration of free fall.",
     .offset = offsetof(tru_world_def, gravity)},
    {.name = "overlap",
     .type = TRU_FIELD_REAL,
     .unit = TRU_UNIT_ONE,
     .standard = 0.01,
     .lowest = 0.0,
     .highest = 1.0,
     .doc = "Deepest overlap at the start, in parts of the smaller body's smallest width.",
     .offset = offsetof(tru_world_def, overlap)},
    {.name = "threads",
     .type = TRU_FIELD_INTEGER,
     .standard = 1,
     .lowest = 1,
     .highest = 1024,
     .doc = "Threads to use; results do not depend on it.",
     .offset = offsetof(tru_world_def, threads)},
    {.name = NULL},
};

static const tru_field shape_fields[] = {
    {.name = "shape",
     .type = TRU_FIELD_PLUGIN,
     .standard = TRU_REQUIRED,
     .words = "shape",
     .doc = "Which shape, with its dimensions.",
     .offset = offsetof(tru_shape_def, shape)},
    {.name = "material",
     .type = TRU_FIELD_REFERENCE,
     .words = "material",
     .doc = "Material of its surface.",
     .offset = offsetof(tru_shape_def, material)},
    {.name = "position",
     .type = TRU_FIELD_VEC3,
     .unit = TRU_UNIT_M,
     .standard = 0.0,
     FREE_RANGE,
     .doc = "Where the shape's origin is, in body axes.",
     .offset = offsetof(tru_shape_def, position)},
    {.name = "orientation",
     .type = TRU_FIELD_QUATERNION,
     .unit = TRU_UNIT_ONE,
     .doc = "Shape axes to body axes.",
     .offset = offsetof(tru_shape_def, orientation)},
    {.name = "density",
     .type = TRU_FIELD_REAL,
     .unit = TRU_UNIT_KG_PER_M3,
     .standard = 0.0,
     .lowest = 0.0,
     .highest = TRU_UNBOUNDED,
     .doc = "Mass per volume; 0 adds no mass.",
     .offset = offsetof(tru_shape_def, density)},
    {.name = NULL},
};

static const tru_field body_fields[] = {
    {.name = "name", .type = TRU_FIELD_TEXT, .doc = "Unique name.", .offset = offsetof(tru_body_def, name)},
    {.name = "kind",
     .type = TRU_FIELD_CHOICE,
     .standard = TRU_FREE,
     .words = "free|fixed|driven",
     .doc = "free moves by the laws of motion, fixed never, driven as its motion says.",
     .offset = offsetof(tru_body_def, kind)},
    {.name = "position",
     .type = TRU_FIELD_VEC3,
     .unit = TRU_UNIT_M,
     .standard = 0.0,
     FREE_RANGE,
     .doc = "Where the body's origin is.",
     .offset = offsetof(tru_body_def, position)},
    {.name = "orientation",
     .type = TRU_FIELD_QUATERNION,
     .unit = TRU_UNIT_ONE,
     .doc = "Body axes to world axes.",
     .offset = offsetof(tru_body_def, orientation)},
    {.name = "velocity",
     .type = TRU_FIELD_VEC3,
     .unit = TRU_UNIT_M_PER_S,
     .standard = 0.0,
     FREE_RANGE,
     .doc = "Velocity of the centre of mass at the start.",
     .offset = offsetof(tru_body_def, velocity)},
    {.name = "angular_velocity",
     .type = TRU_FIELD_VEC3,
     .unit = TRU_UNIT_RAD_PER_S,
     .standard = 0.0,
     FREE_RANGE,
     .doc = "Angular velocity at the start, world axes.",
     .offset = offsetof(tru_body_def, angular_velocity)},
    {.name = "mass",
     .type = TRU_FIELD_REAL,
     .unit = TRU_UNIT_KG,
     .standard = TRU_DERIVED,
     .lowest = 0.0,
     .above = true,
     .highest = TRU_UNBOUNDED,
     .doc = "Mass (default: from the densities of the shapes).",
     .offset = offsetof(tru_body_def, mass)},
    {.name = "centre",
     .type = TRU_FIELD_VEC3,
     .unit = TRU_UNIT_M,
     .standard = TRU_DERIVED,
     FREE_RANGE,
     .doc = "Centre of mass in body axes (default: from the shapes when they give the mass, else the origin).",
     .offset = offsetof(tru_body_def, centre)},
    {.name = "inertia",
     .type = TRU_FIELD_VEC3,
     .unit = TRU_UNIT_KG_M2,
     .standard = TRU_DERIVED,
     .lowest = 0.0,
     .above = true,
     .highest = TRU_UNBOUNDED,
     .doc = "Moments of inertia xx, yy, zz about the centre of mass, body axes (default: from the shapes).",
     .offset = offsetof(tru_body_def, inertia)},
    {.name = "products",
     .type = TRU_FIELD_VEC3,
     .unit = TRU_UNIT_KG_M2,
     .standard = 0.0,
     FREE_RANGE,
     .doc = "Elements xy, xz, yz of the inertia matrix, with inertia.",
     .offset = offsetof(tru_body_def, products)},
    {.name = "shapes",
     .type = TRU_FIELD_LIST,
     .doc = "What it is made of.",
     .offset = offsetof(tru_body_def, shapes),
     .block = shape_fields,
     .block_size = sizeof(tru_shape_def)},
    {.name = "allow_overlap",
     .type = TRU_FIELD_BOOLEAN,
     .standard = 0,
     .doc = "Accept an overlap at the start beyond the world's limit.",
     .offset = offsetof(tru_body_def, allow_overlap)},
    {.name = "level",
     .type = TRU_FIELD_VEC3,
     .unit = TRU_UNIT_ONE,
     .standard = 0.0,
     FREE_RANGE,
     .doc = "Body axis that a guide without friction keeps level, as the axle of a wheel in a frame; 0: none.",
     .offset = offsetof(tru_body_def, level)},
    {.name = NULL},
};

static const tru_field use_fields[] = {
    {.name = "law", .type = TRU_FIELD_PLUGIN, .words = "law", .doc = "A law with its coefficients.", .offset = 0},
    {.name = NULL},
};

static const tru_field pair_fields[] = {
    {.name = "a",
     .type = TRU_FIELD_REFERENCE,
     .words = "material",
     .doc = "One material.",
     .offset = offsetof(tru_pair_def, a)},
    {.name = "b",
     .type = TRU_FIELD_REFERENCE,
     .words = "material",
     .doc = "The other.",
     .offset = offsetof(tru_pair_def, b)},
    {.name = "laws",
     .type = TRU_FIELD_LIST,
     .doc = "Laws of friction; each claims row kinds (slide, spin, roll).",
     .offset = offsetof(tru_pair_def, laws),
     .block = use_fields,
     .block_size = sizeof(tru_use)},
    {.name = "restitution",
     .type = TRU_FIELD_REAL,
     .unit = TRU_UNIT_ONE,
     .standard = 0.0,
     .lowest = 0.0,
     .highest = 1.0,
     .doc = "Separation speed after an impact per approach speed before (Newton).",
     .offset = offsetof(tru_pair_def, restitution)},
    {.name = "compliance",
     .type = TRU_FIELD_REAL,
     .unit = TRU_UNIT_M_PER_N,
     .standard = 0.0,
     .lowest = 0.0,
     .highest = TRU_UNBOUNDED,
     .doc = "Overlap per normal force.",
     .offset = offsetof(tru_pair_def, compliance)},
    {.name = NULL},
};

static const tru_field knot_fields[] = {
    {.name = "time",
     .type = TRU_FIELD_REAL,
     .unit = TRU_UNIT_S,
     .standard = TRU_REQUIRED,
     FREE_RANGE,
     .doc = "Time.",
     .offset = offsetof(tru_knot, time)},
    {.name = "factor",
     .type = TRU_FIELD_REAL,
     .unit = TRU_UNIT_ONE,
     .standard = TRU_REQUIRED,
     FREE_RANGE,
     .doc = "Factor at that time.",
     .offset = offsetof(tru_knot, factor)},
    {.name = NULL},
};

static const tru_field load_fields[] = {
    {.name = "body",
     .type = TRU_FIELD_REFERENCE,
     .standard = TRU_REQUIRED,
     .words = "body",
     .doc = "The body it acts on.",
     .offset = offsetof(tru_load_def, body)},
    {.name = "body_axes",
     .type = TRU_FIELD_BOOLEAN,
     .standard = 0,
     .doc = "Force and torque turn with the body.",
     .offset = offsetof(tru_load_def, body_axes)},
    {.name = "force",
     .type = TRU_FIELD_VEC3,
     .unit = TRU_UNIT_N,
     .standard = 0.0,
     FREE_RANGE,
     .doc = "Force at the centre of mass.",
     .offset = offsetof(tru_load_def, force)},
    {.name = "torque",
     .type = TRU_FIELD_VEC3,
     .unit = TRU_UNIT_NM,
     .standard = 0.0,
     FREE_RANGE,
     .doc = "Torque.",
     .offset = offsetof(tru_load_def, torque)},
    {.name = "knots",
     .type = TRU_FIELD_LIST,
     .doc = "Factor of time, linear between knots, held outside.",
     .offset = offsetof(tru_load_def, knots),
     .block = knot_fields,
     .block_size = sizeof(tru_knot)},
    {.name = NULL},
};

static const tru_field motion_fields[] = {
    {.name = "body",
     .type = TRU_FIELD_REFERENCE,
     .standard = TRU_REQUIRED,
     .words = "body",
     .doc = "The driven body.",
     .offset = offsetof(tru_motion_def, body)},
    {.name = "belt",
     .type = TRU_FIELD_BOOLEAN,
     .standard = 0,
     .doc = "The surface moves, the body does not.",
     .offset = offsetof(tru_motion_def, belt)},
    {.name = "velocity",
     .type = TRU_FIELD_VEC3,
     .unit = TRU_UNIT_M_PER_S,
     .standard = 0.0,
     FREE_RANGE,
     .doc = "Velocity of the body's centre.",
     .offset = offsetof(tru_motion_def, velocity)},
    {.name = "angular_velocity",
     .type = TRU_FIELD_VEC3,
     .unit = TRU_UNIT_RAD_PER_S,
     .standard = 0.0,
     FREE_RANGE,
     .doc = "Angular velocity, world axes.",
     .offset = offsetof(tru_motion_def, angular_velocity)},
    {.name = "knots",
     .type = TRU_FIELD_LIST,
     .doc = "Factor of time, linear between knots, held outside.",
     .offset = offsetof(tru_motion_def, knots),
     .block = knot_fields,
     .block_size = sizeof(tru_knot)},
    {.name = NULL},
};

const tru_field *tru_def_fields(const char *def) {
    static const struct {
        const char *name;
        const tru_field *fields;
    } table[] = {{"world", world_fields}, {"body", body_fields}, {"shape", shape_fields},
                 {"pair", pair_fields},   {"load", load_fields}, {"motion", motion_fields}};
    for (size_t i = 0; def && i < sizeof table / sizeof *table; i++)
        if (strcmp(def, table[i].name) == 0) return table[i].fields;
    return NULL;
}

/* Zeroed first: the tables do not cover ids and pointers. */
#define DEFAULTS(T, function, fields)                                                                                  \
    T function(void) {                                                                                                 \
        T def;                                                                                                         \
        memset(&def, 0, sizeof def);                                                                                   \
        tru_fields_defaults(fields, &def);                                                                             \
        return def;                                                                                                    \
    }
DEFAULTS(tru_body_def, tru_default_body_def, body_fields)
DEFAULTS(tru_shape_def, tru_default_shape_def, shape_fields)
DEFAULTS(tru_pair_def, tru_default_pair_def, pair_fields)
DEFAULTS(tru_load_def, tru_default_load_def, load_fields)
DEFAULTS(tru_motion_def, tru_default_motion_def, motion_fields)

tru_world_def tru_default_world_def(void) {
    tru_world_def def;
    memset(&def, 0, sizeof def);
    tru_fields_defaults(world_fields, &def);
    def.gravity.z = -9.81;
    return def;
}
