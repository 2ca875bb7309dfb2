/* scene.h: small worlds for tests: a floor, one body on it, a law. */
#ifndef TRUNDLE_TESTS_SCENE_H
#define TRUNDLE_TESTS_SCENE_H

#include <trundle/trundle.h>

#include <stdio.h>
#include <stdlib.h>

/* Stop the test program with the sentence when a call that must work does not. */
static inline void must(tru_status status, const tru_error *err, const char *what) {
    if (status >= 0) return;
    printf("%s: %s\n", what, err->text);
    exit(1);
}
#define MUST(call) must((call), &err, #call)

/* A world with the default pair of one to TRU_PAIR_LAWS laws and a fixed plane z = 0 called "floor". */
static inline tru_world *scene_floor(const tru_use *laws, size_t law_count, double restitution) {
    tru_error err;
    tru_world *w;
    tru_world_def wd = tru_default_world_def();
    tru_pair_def pair = tru_default_pair_def();
    tru_shape_def plane = tru_default_shape_def();
    tru_body_def floor_body = tru_default_body_def();
    MUST(tru_world_create(&wd, &w, &err));
    pair.laws = laws;
    pair.law_count = law_count;
    pair.restitution = restitution;
    MUST(tru_pair_set(w, &pair, &err));
    plane.shape.name = "plane";
    floor_body.name = "floor";
    floor_body.kind = TRU_FIXED;
    floor_body.shapes = &plane;
    floor_body.shape_count = 1;
    MUST(tru_body_add(w, &floor_body, NULL, &err));
    return w;
}

/* A homogeneous ball that touches the floor at the origin. */
static inline tru_id scene_ball(tru_world *w, double radius, double mass, tru_vec3 v, tru_vec3 rate) {
    tru_error err;
    tru_id id;
    const tru_sphere sphere = {radius};
    tru_shape_def shape = tru_default_shape_def();
    tru_body_def b = tru_default_body_def();
    const double j = 0.4 * mass * radius * radius;
    shape.shape = (tru_use){"sphere", &sphere};
    b.mass = mass;
    b.inertia = (tru_vec3){j, j, j};
    b.position.z = radius;
    b.velocity = v;
    b.angular_velocity = rate;
    b.shapes = &shape;
    b.shape_count = 1;
    MUST(tru_body_add(w, &b, &id, &err));
    return id;
}

/* A joint of which a and b have the same point. */
static inline tru_id scene_add_joint(tru_world *w, const char *name, const char *kind, const void *params, tru_id a,
                                     tru_id b, tru_vec3 at, tru_vec3 axis) {
    tru_error err;
    tru_id id;
    tru_joint_def d = tru_default_joint_def();
    d.name = name;
    d.joint = (tru_use){kind, params};
    d.a = a;
    d.b = b;
    d.position = at;
    d.axis = axis;
    MUST(tru_joint_add(w, &d, &id, &err));
    return id;
}

static inline void scene_moreau(tru_world *w, double step, int scheme) {
    tru_error err;
    tru_moreau m = tru_default_moreau();
    m.step = step;
    m.scheme = scheme;
    MUST(tru_stepper_set(w, "moreau", &m, &err));
}

/* The stepper cone; solver {NULL}: the default. */
static inline void scene_cone(tru_world *w, double step, int form, int impact, tru_use solver) {
    tru_error err;
    tru_cone c = tru_default_cone();
    c.step = step;
    c.form = form;
    c.impact = impact;
    if (solver.name) c.solver = solver;
    MUST(tru_stepper_set(w, "cone", &c, &err));
}

static inline tru_body_state scene_state(const tru_world *w, tru_id id) {
    tru_error err;
    tru_body_state s;
    MUST(tru_body_get(w, id, &s, &err));
    return s;
}

#endif
