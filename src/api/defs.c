/* defs.c: field tables and defaults of the world's own definitions: world, body, shape, pair, load, motion, joint. */
#include <trundle/plugin.h>

#include <stddef.h>
#include <string.h>

static const tru_field world_fields[] = {
    TRU_VEC3(tru_world_def, gravity, TRU_UNIT_M_PER_S2, 0.0, TRU_ANY, "Acceleration of free fall."),
    TRU_REAL(tru_world_def, overlap, TRU_UNIT_ONE, 0.01, TRU_RANGE(0.0, 1.0),
             "Deepest overlap at the start, in parts of the smaller body's smallest width."),
    TRU_INTEGER(tru_world_def, threads, 1, TRU_RANGE(1, 1024), "Threads to use; results do not depend on it."),
    {.name = NULL},
};

static const tru_field shape_fields[] = {
    TRU_PLUGIN(tru_shape_def, shape, "shape", TRU_REQUIRED, NULL, "Which shape, with its dimensions."),
    TRU_REFERENCE(tru_shape_def, material, "material", 0, "Material of its surface."),
    TRU_VEC3(tru_shape_def, position, TRU_UNIT_M, 0.0, TRU_ANY, "Where the shape's origin is, in body axes."),
    TRU_QUATERNION(tru_shape_def, orientation, "Shape axes to body axes."),
    TRU_REAL(tru_shape_def, density, TRU_UNIT_KG_PER_M3, 0.0, TRU_FROM_ZERO, "Mass per volume; 0 adds no mass."),
    {.name = NULL},
};

static const tru_field body_fields[] = {
    TRU_TEXT(tru_body_def, name, NULL, "Unique name."),
    TRU_CHOICE(tru_body_def, kind, "free|fixed|driven", TRU_FREE,
               "free moves by the laws of motion, fixed never, driven as its motion says."),
    TRU_VEC3(tru_body_def, position, TRU_UNIT_M, 0.0, TRU_ANY, "Where the body's origin is."),
    TRU_QUATERNION(tru_body_def, orientation, "Body axes to world axes."),
    TRU_VEC3(tru_body_def, velocity, TRU_UNIT_M_PER_S, 0.0, TRU_ANY, "Velocity of the centre of mass at the start."),
    TRU_VEC3(tru_body_def, angular_velocity, TRU_UNIT_RAD_PER_S, 0.0, TRU_ANY,
             "Angular velocity at the start, world axes."),
    TRU_REAL(tru_body_def, mass, TRU_UNIT_KG, TRU_DERIVED, TRU_POSITIVE,
             "Mass (default: from the densities of the shapes)."),
    TRU_VEC3(tru_body_def, centre, TRU_UNIT_M, TRU_DERIVED, TRU_ANY,
             "Centre of mass in body axes (default: from the shapes when they give the mass, else the origin)."),
    TRU_VEC3(tru_body_def, inertia, TRU_UNIT_KG_M2, TRU_DERIVED, TRU_POSITIVE,
             "Moments of inertia xx, yy, zz about the centre of mass, body axes (default: from the shapes)."),
    TRU_VEC3(tru_body_def, products, TRU_UNIT_KG_M2, 0.0, TRU_ANY,
             "Elements xy, xz, yz of the inertia matrix, with inertia."),
    TRU_LIST(tru_body_def, shapes, TRU_UNIT_MISSING, 0, tru_shape_def, shape_fields, "What it is made of."),
    TRU_BOOLEAN(tru_body_def, allow_overlap, false, "Accept an overlap at the start beyond the world's limit."),
    TRU_VEC3(tru_body_def, level, TRU_UNIT_ONE, 0.0, TRU_ANY,
             "Body axis that a guide without friction keeps level, as the axle of a wheel in a frame; 0: none."),
    {.name = NULL},
};

static const tru_field use_fields[] = {
    {.name = "law", .type = TRU_FIELD_PLUGIN, .words = "law", .doc = "A law with its coefficients.", .offset = 0},
    {.name = NULL},
};

static const tru_field pair_fields[] = {
    TRU_REFERENCE(tru_pair_def, a, "material", 0, "One material."),
    TRU_REFERENCE(tru_pair_def, b, "material", 0, "The other."),
    TRU_LIST(tru_pair_def, laws, TRU_UNIT_MISSING, 0, tru_use, use_fields,
             "Laws of friction; each claims row kinds (slide, spin, roll)."),
    TRU_REAL(tru_pair_def, restitution, TRU_UNIT_ONE, 0.0, TRU_RANGE(0.0, 1.0),
             "Separation speed after an impact per approach speed before (Newton)."),
    TRU_REAL(tru_pair_def, compliance, TRU_UNIT_M_PER_N, 0.0, TRU_FROM_ZERO, "Overlap per normal force."),
    TRU_BOOLEAN(tru_pair_def, pass, false,
                "Whether such bodies pass through each other instead of touching; no law is wanted then."),
    {.name = NULL},
};

static const tru_field knot_fields[] = {
    TRU_REAL(tru_knot, time, TRU_UNIT_S, TRU_REQUIRED, TRU_ANY, "Time."),
    TRU_REAL(tru_knot, factor, TRU_UNIT_ONE, TRU_REQUIRED, TRU_ANY, "Factor at that time."),
    {.name = NULL},
};

static const tru_field load_fields[] = {
    TRU_REFERENCE(tru_load_def, body, "body", TRU_REQUIRED, "The body it acts on."),
    TRU_BOOLEAN(tru_load_def, body_axes, false, "Force and torque turn with the body."),
    TRU_VEC3(tru_load_def, force, TRU_UNIT_N, 0.0, TRU_ANY, "Force at the centre of mass."),
    TRU_VEC3(tru_load_def, torque, TRU_UNIT_NM, 0.0, TRU_ANY, "Torque."),
    TRU_LIST(tru_load_def, knots, TRU_UNIT_MISSING, 0, tru_knot, knot_fields,
             "Factor of time, linear between knots, held outside."),
    {.name = NULL},
};

static const tru_field motion_fields[] = {
    TRU_REFERENCE(tru_motion_def, body, "body", TRU_REQUIRED, "The driven body."),
    TRU_BOOLEAN(tru_motion_def, belt, false, "The surface moves, the body does not."),
    TRU_VEC3(tru_motion_def, velocity, TRU_UNIT_M_PER_S, 0.0, TRU_ANY, "Velocity of the body's centre."),
    TRU_VEC3(tru_motion_def, angular_velocity, TRU_UNIT_RAD_PER_S, 0.0, TRU_ANY, "Angular velocity, world axes."),
    TRU_LIST(tru_motion_def, knots, TRU_UNIT_MISSING, 0, tru_knot, knot_fields,
             "Factor of time, linear between knots, held outside."),
    {.name = NULL},
};

static const tru_field joint_fields[] = {
    TRU_TEXT(tru_joint_def, name, NULL, "Unique name among joints."),
    TRU_PLUGIN(tru_joint_def, joint, "joint", TRU_REQUIRED, NULL, "Which kind of joint, with its parameters."),
    TRU_REFERENCE(tru_joint_def, a, "body", 0, "One body: reactions are those on it."),
    TRU_REFERENCE(tru_joint_def, b, "body", 0, "The other: the axis is fixed in it."),
    TRU_VEC3(tru_joint_def, position, TRU_UNIT_M, 0.0, TRU_ANY, "Where the joint is at the start, in world axes."),
    TRU_VEC3(tru_joint_def, position_b, TRU_UNIT_M, TRU_DERIVED, TRU_ANY,
             "Its point on b at the start, if that is another one (a distance joint has two)."),
    TRU_VEC3(tru_joint_def, axis, TRU_UNIT_ONE, TRU_DERIVED, TRU_ANY,
             "Axis of a hinge, slider, motor or seal at the start, in world axes, of any length (default: z)."),
    TRU_BOOLEAN(tru_joint_def, collide, false,
                "The two bodies may touch each other although the joint holds them together."),
    {.name = NULL},
};

const tru_field *tru_def_fields(const char *def) {
    static const struct {
        const char *name;
        const tru_field *fields;
    } table[] = {{"world", world_fields}, {"body", body_fields},     {"shape", shape_fields}, {"pair", pair_fields},
                 {"load", load_fields},   {"motion", motion_fields}, {"joint", joint_fields}};
    for (size_t i = 0; def && i < sizeof table / sizeof *table; i++)
        if (strcmp(def, table[i].name) == 0) return table[i].fields;
    return NULL;
}

TRU_DEFAULTS(tru_body_def, tru_default_body_def, body_fields)
TRU_DEFAULTS(tru_shape_def, tru_default_shape_def, shape_fields)
TRU_DEFAULTS(tru_pair_def, tru_default_pair_def, pair_fields)
TRU_DEFAULTS(tru_load_def, tru_default_load_def, load_fields)
TRU_DEFAULTS(tru_motion_def, tru_default_motion_def, motion_fields)
TRU_DEFAULTS(tru_joint_def, tru_default_joint_def, joint_fields)

tru_world_def tru_default_world_def(void) {
    tru_world_def def = {0};
    tru_fields_defaults(world_fields, &def);
    def.gravity.z = -9.81;
    return def;
}
