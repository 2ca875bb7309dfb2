/* scene.h: a scene as plain data, so that a test can double, rescale and turn it before it becomes a world.
 *
 *     scene s = scene_begin("ball slides", 600);                    600 steps of 1 ms
 *     scene_add_coulomb(&s, 0.3);
 *     scene_add_plane(&s);
 *     scene_add_sphere(&s, 0.1, 2.0, v3(1, 0, 0), v3(0, 0, 6));     touches the plane
 *     s.world.gravity.z *= 2.0;                                     whatever the test wants to change
 *     method m = method_at(0, 1e-3);                                methods.h: every way to run it
 *     tru_world *w = scene_build(&s, &m);
 *
 * Body k has id k + 1 in the world. scenes.h has the scenes that every property is tried on. */
#ifndef TRUNDLE_TESTS_KIT_SCENE_H
#define TRUNDLE_TESTS_KIT_SCENE_H

#include "plugins.h"
#include "worlds.h"

#include "math/quat.h"

enum { SCENE_BODIES = 6, SCENE_PARTS = 2, SCENE_KNOTS = 4, SCENE_JOINTS = 8 };

typedef struct scene_law {
    const char *name;
    blob params;
} scene_law;

typedef struct scene_body {
    tru_body_def def;
    tru_shape_def parts[SCENE_PARTS];
    blob part_params[SCENE_PARTS];
    bool loaded, moves;
    tru_load_def load;
    tru_motion_def motion;
    tru_knot load_knots[SCENE_KNOTS], motion_knots[SCENE_KNOTS];
} scene_body;

/* Body k of the scene has id k + 1. */
typedef struct scene_joint {
    tru_joint_def def;
    blob params;
} scene_joint;

typedef struct scene {
    const char *name;
    int steps; /* of 1 ms */
    tru_world_def world;
    tru_pair_def pair;
    scene_law laws[TRU_PAIR_LAWS];
    scene_body bodies[SCENE_BODIES];
    int body_count;
    scene_joint joints[SCENE_JOINTS];
    int joint_count;
} scene;

/* ---- writing scenes ---- */

static inline scene scene_begin(const char *name, int steps) {
    scene s;
    memset(&s, 0, sizeof s);
    s.name = name;
    s.steps = steps;
    s.world = tru_default_world_def();
    s.pair = tru_default_pair_def();
    return s;
}

static inline void *scene_add_law(scene *s, const char *name) {
    scene_law *l = &s->laws[s->pair.law_count++];
    l->name = name;
    tru_fields_defaults(kit_find_law(name)->fields, l->params.bytes);
    return l->params.bytes;
}

static inline void scene_add_coulomb(scene *s, double slide) {
    ((tru_coulomb *)scene_add_law(s, "coulomb"))->slide = slide;
}

static inline void scene_add_rolling(scene *s, double roll, double spin) {
    tru_rolling *r = scene_add_law(s, "rolling");
    r->roll.length = roll;
    r->spin.length = spin;
}

/* A body of one shape with its origin at the centre of mass. */
static inline scene_body *scene_add_body(scene *s, const char *shape, const void *params, double mass) {
    scene_body *b = &s->bodies[s->body_count++];
    b->def = tru_default_body_def();
    b->parts[0] = tru_default_shape_def();
    b->parts[0].shape.name = shape;
    if (params) memcpy(b->part_params[0].bytes, params, kit_find_shape(shape)->size);
    b->def.shape_count = 1;
    if (mass > 0.0) b->def.mass = mass;
    return b;
}

static inline scene_body *scene_add_plane(scene *s) {
    scene_body *b = scene_add_body(s, "plane", NULL, 0.0);
    b->def.kind = TRU_FIXED;
    return b;
}

/* Lift a body of one shape so that it touches the plane z = 0. */
static inline void scene_set_down(scene_body *b) {
    tru_surface low;
    tru_quat q = quat_renormalise(b->def.orientation);
    kit_find_shape(b->parts[0].shape.name)->surface(b->part_params[0].bytes, quat_unrotate(q, v3(0, 0, -1)), &low);
    b->def.position.z = -quat_rotate(q, low.point).z;
}

/* Set down, and moving so that the contact point slips with u and stays on the floor. */
static inline void scene_set_slipping(scene_body *b, tru_vec3 u) {
    tru_surface low;
    const tru_quat q = quat_renormalise(b->def.orientation);
    kit_find_shape(b->parts[0].shape.name)->surface(b->part_params[0].bytes, quat_unrotate(q, v3(0, 0, -1)), &low);
    scene_set_down(b);
    b->def.velocity = v3_sub(u, v3_cross(b->def.angular_velocity, quat_rotate(q, low.point)));
}

static inline scene_body *scene_add_sphere(scene *s, double radius, double mass, tru_vec3 v, tru_vec3 w) {
    const tru_sphere p = {radius};
    scene_body *b = scene_add_body(s, "sphere", &p, mass);
    b->def.velocity = v;
    b->def.angular_velocity = w;
    scene_set_down(b);
    return b;
}

static inline scene_body *scene_add_box(scene *s, tru_vec3 size, double mass, tru_vec3 v, tru_vec3 w) {
    const tru_box p = {size};
    scene_body *b = scene_add_body(s, "box", &p, mass);
    b->def.velocity = v;
    b->def.angular_velocity = w;
    b->def.position.z = 0.5 * size.z;
    return b;
}

/* Between bodies a and b of the scene. */
static inline void scene_connect(scene *s, const char *kind, const void *params, tru_id a, tru_id b, tru_vec3 at,
                                 tru_vec3 axis) {
    scene_joint *j = &s->joints[s->joint_count++];
    j->def = tru_default_joint_def();
    j->def.joint.name = kind;
    j->def.a = a + 1;
    j->def.b = b + 1;
    j->def.position = at;
    j->def.axis = axis;
    tru_fields_defaults(kit_find_joint(kind)->fields, j->params.bytes);
    if (params) memcpy(j->params.bytes, params, kit_find_joint(kind)->size);
}

static inline void scene_tilt_gravity(scene *s, double angle) {
    s->world.gravity = v3(9.81 * sin(angle), 0.0, -9.81 * cos(angle));
}

#endif
