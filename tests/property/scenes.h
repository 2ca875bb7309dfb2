/* scenes.h: scenes as plain data, so that tests can double, rescale and turn them before they become worlds. */
#ifndef TRUNDLE_TESTS_PROPERTY_SCENES_H
#define TRUNDLE_TESTS_PROPERTY_SCENES_H

#include "check.h"
#include "scene.h"

#include "math/quat.h"

#include <trundle/plugin.h>

#include <stdalign.h>

enum { SCENE_BODIES = 6, SCENE_PARTS = 2, SCENE_KNOTS = 4, SCENE_JOINTS = 8, BLOB = 256 };

/* Room for the typed struct of any plug-in. */
typedef struct blob {
    alignas(16) unsigned char bytes[BLOB];
} blob;

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

/* A stepper with its parameters and its solver. */
typedef struct method {
    const char *name, *stepper, *solver;
    blob params, solver_params;
    bool mixes_units; /* documented to depend on the unit of length */
    double promise;   /* [-] residual its solver promises where it says converged, in parts of the speeds of the step */
    double gives_up;  /* [-] part of the steps that it may leave unconverged, saying so */
    bool ends;        /* poses move with the velocities at the end of the step: of first order */
    bool relaxed;     /* slipping contacts lift */
    bool soft;        /* contacts are springs: nothing is at its final value from the first step on */
    bool picky;       /* one body on planes with laws it knows; refuses other scenes */
} method;

/* ---- plug-ins by name ---- */

static inline const tru_law *law_of(const char *name) {
    const tru_law *p;
    for (size_t k = 0; (p = tru_law_at(k)) != NULL; k++)
        if (strcmp(p->name, name) == 0) return p;
    return NULL;
}

static inline const tru_shape *shape_of(const char *name) {
    const tru_shape *p;
    for (size_t k = 0; (p = tru_shape_at(k)) != NULL; k++)
        if (strcmp(p->name, name) == 0) return p;
    return NULL;
}

static inline const tru_joint *joint_of(const char *name) {
    const tru_joint *p;
    for (size_t k = 0; (p = tru_joint_at(k)) != NULL; k++)
        if (strcmp(p->name, name) == 0) return p;
    return NULL;
}

static inline const tru_solver *solver_of(const char *name) {
    const tru_solver *p;
    for (size_t k = 0; (p = tru_solver_at(k)) != NULL; k++)
        if (strcmp(p->name, name) == 0) return p;
    return NULL;
}

static inline const tru_stepper *stepper_of(const char *name) {
    const tru_stepper *p;
    for (size_t k = 0; (p = tru_stepper_at(k)) != NULL; k++)
        if (strcmp(p->name, name) == 0) return p;
    return NULL;
}

/* ---- writing scenes ---- */

static inline scene scene_start(const char *name, int steps) {
    scene s;
    memset(&s, 0, sizeof s);
    s.name = name;
    s.steps = steps;
    s.world = tru_default_world_def();
    s.pair = tru_default_pair_def();
    return s;
}

static inline void *scene_law_add(scene *s, const char *name) {
    scene_law *l = &s->laws[s->pair.law_count++];
    l->name = name;
    tru_fields_defaults(law_of(name)->fields, l->params.bytes);
    return l->params.bytes;
}

static inline void scene_coulomb(scene *s, double slide) {
    ((tru_coulomb *)scene_law_add(s, "coulomb"))->slide = slide;
}

static inline void scene_rolling(scene *s, double roll, double spin) {
    tru_rolling *r = scene_law_add(s, "rolling");
    r->roll.length = roll;
    r->spin.length = spin;
}

/* A body of one shape with its origin at the centre of mass. */
static inline scene_body *scene_body_add(scene *s, const char *shape, const void *params, double mass) {
    scene_body *b = &s->bodies[s->body_count++];
    b->def = tru_default_body_def();
    b->parts[0] = tru_default_shape_def();
    b->parts[0].shape.name = shape;
    if (params) memcpy(b->part_params[0].bytes, params, shape_of(shape)->size);
    b->def.shape_count = 1;
    if (mass > 0.0) b->def.mass = mass;
    return b;
}

static inline scene_body *scene_plane(scene *s) {
    scene_body *b = scene_body_add(s, "plane", NULL, 0.0);
    b->def.kind = TRU_FIXED;
    return b;
}

/* Lift a body of one shape so that it touches the plane z = 0. */
static inline void scene_set_down(scene_body *b) {
    tru_surface low;
    tru_quat q = quat_renormalise(b->def.orientation);
    shape_of(b->parts[0].shape.name)->surface(b->part_params[0].bytes, quat_unrotate(q, v3(0, 0, -1)), &low);
    b->def.position.z = -quat_rotate(q, low.point).z;
}

/* Set down, and moving so that the contact point slips with u and stays on the floor. */
static inline void scene_set_slipping(scene_body *b, tru_vec3 u) {
    tru_surface low;
    const tru_quat q = quat_renormalise(b->def.orientation);
    shape_of(b->parts[0].shape.name)->surface(b->part_params[0].bytes, quat_unrotate(q, v3(0, 0, -1)), &low);
    scene_set_down(b);
    b->def.velocity = v3_sub(u, v3_cross(b->def.angular_velocity, quat_rotate(q, low.point)));
}

static inline scene_body *scene_sphere(scene *s, double radius, double mass, tru_vec3 v, tru_vec3 w) {
    const tru_sphere p = {radius};
    scene_body *b = scene_body_add(s, "sphere", &p, mass);
    b->def.velocity = v;
    b->def.angular_velocity = w;
    scene_set_down(b);
    return b;
}

static inline scene_body *scene_block(scene *s, tru_vec3 size, double mass, tru_vec3 v, tru_vec3 w) {
    const tru_box p = {size};
    scene_body *b = scene_body_add(s, "box", &p, mass);
    b->def.velocity = v;
    b->def.angular_velocity = w;
    b->def.position.z = 0.5 * size.z;
    return b;
}

/* Between bodies a and b of the scene. */
static inline void scene_join(scene *s, const char *kind, const void *params, tru_id a, tru_id b, tru_vec3 at,
                              tru_vec3 axis) {
    scene_joint *j = &s->joints[s->joint_count++];
    j->def = tru_default_joint_def();
    j->def.joint.name = kind;
    j->def.a = a + 1;
    j->def.b = b + 1;
    j->def.position = at;
    j->def.axis = axis;
    tru_fields_defaults(joint_of(kind)->fields, j->params.bytes);
    if (params) memcpy(j->params.bytes, params, joint_of(kind)->size);
}

static inline void scene_tilt_gravity(scene *s, double angle) {
    s->world.gravity = v3(9.81 * sin(angle), 0.0, -9.81 * cos(angle));
}

/* ---- from data to a world ---- */

/* Pointers inside the data; they are not kept when a scene is copied. */
static inline void scene_link(scene *s, tru_use laws[TRU_PAIR_LAWS]) {
    for (size_t i = 0; i < s->pair.law_count; i++) laws[i] = (tru_use){s->laws[i].name, s->laws[i].params.bytes};
    s->pair.laws = laws;
    for (int i = 0; i < s->body_count; i++) {
        scene_body *b = &s->bodies[i];
        for (size_t k = 0; k < b->def.shape_count; k++) b->parts[k].shape.params = b->part_params[k].bytes;
        b->def.shapes = b->parts;
        b->load.knots = b->load_knots;
        b->motion.knots = b->motion_knots;
    }
    for (int i = 0; i < s->joint_count; i++) s->joints[i].def.joint.params = s->joints[i].params.bytes;
}

/* Body k has id k + 1. NULL and err->text: something was refused. */
static inline tru_world *scene_try(const scene *from, const method *m, tru_error *err) {
    scene s = *from;
    tru_use laws[TRU_PAIR_LAWS];
    tru_world *w = NULL;
    scene_link(&s, laws);
    tru_status status = tru_world_create(&s.world, &w, err);
    if (status >= 0) status = tru_pair_set(w, &s.pair, err);
    for (int i = 0; status >= 0 && i < s.body_count; i++) {
        scene_body *b = &s.bodies[i];
        status = tru_body_add(w, &b->def, NULL, err);
        b->load.body = b->motion.body = (tru_id)i + 1;
        if (status >= 0 && b->loaded) status = tru_load_add(w, &b->load, err);
        if (status >= 0 && b->moves) status = tru_motion_set(w, &b->motion, err);
    }
    for (int i = 0; status >= 0 && i < s.joint_count; i++) status = tru_joint_add(w, &s.joints[i].def, NULL, err);
    if (status >= 0) {
        blob p = m->params;
        const tru_field *f = tru_field_find(stepper_of(m->stepper)->fields, "solver");
        if (f) *(tru_use *)(void *)(p.bytes + f->offset) = (tru_use){m->solver, m->solver_params.bytes};
        status = tru_stepper_set(w, m->stepper, p.bytes, err);
    }
    if (status >= 0) status = tru_check(w, err);
    if (status >= 0) return w;
    tru_world_destroy(w);
    return NULL;
}

static inline tru_world *scene_build(const scene *s, const method *m) {
    tru_error err = {TRU_OK, ""};
    tru_world *w = scene_try(s, m, &err);
    if (w) return w;
    printf("scene %s, method %s: %s\n", s->name, m->name, err.text);
    exit(1);
}

/* Does the method refuse the scene: a picky one for any reason, another one for its laws or joints? Then tests leave it out. */
static inline bool scene_refused(const scene *s, const method *m) {
    tru_error err = {TRU_OK, ""};
    tru_world *w = scene_try(s, m, &err);
    tru_world_destroy(w);
    return !w && err.status == TRU_REFUSED &&
           (m->picky || strstr(err.text, " cannot use law ") || strstr(err.text, " cannot carry joints "));
}

/* Leave out the laws that the method refuses. */
static inline void scene_leave_out(scene *s, const method *m) {
    const tru_stepper *stepper = stepper_of(m->stepper);
    size_t kept = 0;
    for (size_t i = 0; i < s->pair.law_count; i++) {
        const scene_law law = s->laws[i];
        if (stepper->refuses_law && stepper->refuses_law(law_of(law.name), law.params.bytes)) continue;
        s->laws[kept++] = law;
    }
    s->pair.law_count = kept;
}

/* ---- methods ---- */

enum { METHODS = 18, CONES = 4, EVENT = 11, VARIATIONAL = 12, TRACKS = 16 };

/* Every way to run a scene; a new stepper needs a line. */
static inline method method_at(int k, double step) {
    static const struct {
        const char *name, *stepper, *solver;
        int scheme, correction; /* of cone: form, none; of variational: scheme, when_not_rolling */
        bool mixes;
        double promise, gives_up;
    } table[METHODS] = {
        {"midpoint", "moreau", "newton", TRU_MIDPOINT, TRU_HEIGHT, false, 1e-11, 0.0},
        {"paper", "moreau", "newton", TRU_PAPER, TRU_HEIGHT, false, 1e-11, 0.0},
        {"paper, r7", "moreau", "newton", TRU_PAPER, TRU_R7, true, 1e-11, 0.0},
        {"midpoint, prox", "moreau", "prox", TRU_MIDPOINT, TRU_HEIGHT, false, HUGE_VAL, 1.0},
        [CONES] = {"cone", "cone", "newton", TRU_EXACT, 0, false, 1e-11, 0.0},
        {"cone, relaxed", "cone", "newton", TRU_RELAXED, 0, false, 1e-11, 0.01},
        {"cone, ngs", "cone", "ngs", TRU_EXACT, 0, false, 2e-7, 1.0},
        {"cone, relaxed, sor", "cone", "sor", TRU_RELAXED, 0, false, 2e-7, 1.0},
        {"cone, proxnewton", "cone", "proxnewton", TRU_EXACT, 0, false, 1e-11, 0.0},
        {"cone, relaxed, proxnewton", "cone", "proxnewton", TRU_RELAXED, 0, false, 1e-11, 0.01},
        {"cone, apgd", "cone", "apgd", TRU_EXACT, 0, false, 2e-7, 1.0},
        [EVENT] = {"event", "event", "newton", 0, 0, false, 1e-11, 0.0},
        [VARIATIONAL] = {"variational, slip", "variational", "newton", TRU_SE3, TRU_SLIP, false, 1e-11, 0.0},
        {"variational", "variational", "newton", TRU_SE3, TRU_IDEAL, false, 1e-11, 0.0},
        {"variational, reduced", "variational", "newton", TRU_REDUCED, TRU_IDEAL, false, 1e-11, 0.0},
        {"variational, rk4", "variational", "newton", TRU_RK4, TRU_IDEAL, false, 1e-11, 0.0},
        [TRACKS] = {"track", "track", "newton", TRU_BALANCED, 0, false, 1e-11, 0.0},
        {"track, per body", "track", "newton", TRU_PER_BODY, 0, false, 1e-11, 0.0}};
    method m;
    memset(&m, 0, sizeof m);
    m.name = table[k].name;
    m.stepper = table[k].stepper;
    m.solver = table[k].solver;
    m.mixes_units = table[k].mixes;
    m.promise = table[k].promise;
    m.gives_up = table[k].gives_up;
    m.ends = strcmp(m.stepper, "cone") == 0;
    m.picky = k >= EVENT && k < TRACKS;
    m.soft = k >= TRACKS;
    const tru_field *fields = stepper_of(m.stepper)->fields;
    tru_fields_defaults(fields, m.params.bytes);
    *(double *)(void *)(m.params.bytes + tru_field_find(fields, "step")->offset) = step;
    if (m.ends) {
        tru_cone *cone = (tru_cone *)(void *)m.params.bytes;
        cone->form = table[k].scheme;
        m.relaxed = cone->form == TRU_RELAXED;
    } else if (m.soft) {
        ((tru_track *)(void *)m.params.bytes)->roll_couple = table[k].scheme;
    } else if (k >= VARIATIONAL) {
        tru_variational *v = (tru_variational *)(void *)m.params.bytes;
        v->scheme = table[k].scheme;
        v->project = true;
        v->when_not_rolling = table[k].correction;
    } else if (k != EVENT) {
        tru_moreau *p = (tru_moreau *)(void *)m.params.bytes;
        p->scheme = table[k].scheme;
        p->correction = table[k].correction;
    }
    tru_fields_defaults(solver_of(m.solver)->fields, m.solver_params.bytes);
    /* solvers for many contacts get the few there are */
    if (strcmp(m.solver, "ngs") == 0) *(tru_ngs *)(void *)m.solver_params.bytes = (tru_ngs){1e-9, 300, 0, 0};
    if (strcmp(m.solver, "sor") == 0) *(tru_sor *)(void *)m.solver_params.bytes = (tru_sor){1e-9, 300, 0, 1.6, 0};
    if (strcmp(m.solver, "proxnewton") == 0)
        *(tru_proxnewton *)(void *)m.solver_params.bytes = (tru_proxnewton){1e-12, 500, 1e-6};
    if (strcmp(m.solver, "apgd") == 0) *(tru_apgd *)(void *)m.solver_params.bytes = (tru_apgd){1e-9, 300, 0, 0};
    if (strcmp(m.solver, "prox") == 0) { /* all contacts move at once: with four on a body a quarter of 1/G is safe */
        ((tru_prox *)(void *)m.solver_params.bytes)->relaxation = 0.25;
        ((tru_prox *)(void *)m.solver_params.bytes)->iterations = 2000;
    }
    return m;
}

static inline void methods_complete(void) {
    const tru_stepper *stepper;
    const tru_solver *solver;
    for (size_t k = 0; (stepper = tru_stepper_at(k)) != NULL; k++) {
        bool found = false;
        for (int i = 0; i < METHODS; i++) found |= strcmp(method_at(i, 1e-3).stepper, stepper->name) == 0;
        if (!check(found)) printf("stepper %s has no line in scenes.h\n", stepper->name);
    }
    for (size_t k = 0; (solver = tru_solver_at(k)) != NULL; k++) {
        bool found = false;
        for (int i = 0; i < METHODS; i++) found |= strcmp(method_at(i, 1e-3).solver, solver->name) == 0;
        if (!check(found)) printf("solver %s has no line in scenes.h\n", solver->name);
    }
}

#define EACH_METHOD(m, step) for (int m##_k = 0; m##_k < METHODS && (m = method_at(m##_k, (step)), true); m##_k++)

/* ---- the scenes ---- */

static inline scene ball_slides(void) {
    scene s = scene_start("ball slides", 600);
    scene_coulomb(&s, 0.3);
    scene_rolling(&s, 1e-3, 2e-3);
    scene_plane(&s);
    scene_sphere(&s, 0.1, 2.0, v3(1.0, 0.5, 0.0), v3(2.0, -3.0, 6.0));
    return s;
}

static inline scene ball_viscous(void) {
    scene s = scene_start("ball viscous", 600);
    scene_coulomb(&s, 0.3);
    tru_rolling *r = scene_law_add(&s, "rolling");
    r->roll_viscosity = 5e-3;
    r->spin_viscosity = 2e-2;
    scene_plane(&s);
    scene_sphere(&s, 0.1, 2.0, v3(1.0, 0.5, 0.0), v3(2.0, -3.0, 6.0));
    return s;
}

static inline scene ball_bounces(void) {
    scene s = scene_start("ball bounces", 900);
    scene_coulomb(&s, 0.2);
    scene_rolling(&s, 1e-3, 1e-3);
    s.pair.restitution = 0.7;
    scene_plane(&s);
    scene_sphere(&s, 0.1, 1.5, v3(0.7, 0.0, 0.0), v3(1.0, -9.0, 4.0))->def.position.z = 0.35;
    return s;
}

static inline scene ball_stribeck(void) {
    scene s = scene_start("ball stribeck", 500);
    tru_coulomb *c = scene_law_add(&s, "coulomb");
    *c = (tru_coulomb){0.15, 0.4, 0.3};
    scene_plane(&s);
    scene_sphere(&s, 0.1, 2.0, v3(1.0, 0.5, 0.0), v3(0, 0, 6.0));
    return s;
}

static inline scene ball_factors(void) {
    scene s = scene_start("ball, lengths from radii", 500);
    scene_coulomb(&s, 0.3);
    tru_rolling *r = scene_law_add(&s, "rolling");
    r->roll = (tru_length){0.0, 0.02, TRU_RADIUS_EFFECTIVE};
    r->spin = (tru_length){0.0, 0.01, TRU_RADIUS_SMALLER};
    scene_plane(&s);
    scene_sphere(&s, 0.1, 2.0, v3(1.0, 0.5, 0.0), v3(0, 0, 6.0));
    return s;
}

static inline scene ball_contensou(void) {
    scene s = scene_start("ball, contensou and contour", 500);
    *(tru_contensou *)scene_law_add(&s, "contensou") = (tru_contensou){0.3, TRU_DERIVED, 0.0, 0.01};
    *(tru_contour *)scene_law_add(&s, "contour") = (tru_contour){0.005, 0.02};
    scene_plane(&s);
    scene_sphere(&s, 0.1, 2.0, v3(1.0, 0.5, 0.0), v3(0, 0, 9.0));
    return s;
}

/* Static and kinetic memory, coefficients in parts of the radius and of Hertz's circle. */
static inline scene ball_tracks(void) {
    scene s = scene_start("ball tracks", 600);
    tru_track_law *t = scene_law_add(&s, "track");
    t->slide = 0.2;
    t->slide_static = 0.25;
    t->eta_r = 0.05;
    t->eta_psi = 0.5;
    t->modulus = 2e5;
    scene_plane(&s);
    scene_sphere(&s, 0.1, 2.0, v3(1.0, 0.5, 0.0), v3(2.0, -3.0, 6.0));
    return s;
}

/* The laws that users compare with. */
static inline scene ball_constant_torque(void) {
    scene s = scene_start("ball constant torque", 600);
    tru_coulomb *slide = scene_law_add(&s, "coulomb");
    slide->slide = 0.3;
    tru_constant_torque *t = scene_law_add(&s, "constant_torque");
    t->roll.length = 0.004;
    t->spin.length = 0.003;
    scene_plane(&s);
    scene_sphere(&s, 0.1, 2.0, v3(1.0, 0.5, 0.0), v3(2.0, -3.0, 6.0));
    return s;
}

static inline scene ball_luding(void) {
    scene s = scene_start("ball luding", 600);
    tru_luding *t = scene_law_add(&s, "luding");
    t->slide = 0.2;
    t->slide_static = 0.25;
    t->roll.length = 0.004;
    t->spin.length = 0.003;
    scene_plane(&s);
    scene_sphere(&s, 0.1, 2.0, v3(1.0, 0.5, 0.0), v3(2.0, -3.0, 6.0));
    return s;
}

static inline scene egg_tracks(void) {
    const tru_ellipsoid shape = {{0.08, 0.07, 0.12}};
    scene s = scene_start("egg tracks", 600);
    tru_track_law *t = scene_law_add(&s, "track");
    t->slide = 0.3;
    t->eta_r = 0.1;
    t->eta_psi = 0.02;
    scene_plane(&s);
    scene_body *b = scene_body_add(&s, "ellipsoid", &shape, 1.2);
    b->def.orientation = (tru_quat){0.8, 0.5, 0.3, 0.1};
    b->def.velocity = v3(0.5, -0.2, 0.0);
    b->def.angular_velocity = v3(2.0, 3.0, 5.0);
    scene_set_down(b);
    return s;
}

static inline scene egg_rolls(void) {
    const tru_ellipsoid shape = {{0.08, 0.08, 0.12}};
    scene s = scene_start("egg rolls", 600);
    scene_coulomb(&s, 0.35);
    scene_rolling(&s, 5e-4, 5e-4);
    scene_plane(&s);
    scene_body *b = scene_body_add(&s, "ellipsoid", &shape, 1.2);
    b->def.orientation = (tru_quat){0.8, 0.5, 0.3, 0.1};
    b->def.velocity = v3(0.5, -0.2, 0.0);
    b->def.angular_velocity = v3(2.0, 3.0, 5.0);
    scene_set_down(b);
    return s;
}

static inline scene stone_slides(void) {
    const tru_ellipsoid shape = {{0.1, 0.07, 0.05}};
    scene s = scene_start("stone slides", 600);
    scene_coulomb(&s, 0.25);
    *(tru_contour *)scene_law_add(&s, "contour") = (tru_contour){0.002, 0.01};
    scene_plane(&s);
    scene_body *b = scene_body_add(&s, "ellipsoid", &shape, 1.0);
    b->def.orientation = (tru_quat){cos(0.2), 0.6 * sin(0.2), 0.8 * sin(0.2), 0.0};
    b->def.velocity = v3(0.6, -0.3, 0.0);
    b->def.angular_velocity = v3(2.0, -3.0, 4.0);
    scene_set_down(b);
    return s;
}

/* Runs E2 and E3 of the slip-roll note: what the stepper event is for. */
static inline scene stone_slips_and_rolls(void) {
    const tru_ellipsoid shape = {{0.1, 0.07, 0.05}};
    scene s = scene_start("stone slips and rolls", 400);
    scene_coulomb(&s, 0.25);
    scene_plane(&s);
    scene_body *b = scene_body_add(&s, "ellipsoid", &shape, 1.0);
    b->def.orientation = (tru_quat){cos(0.2), 0.6 * sin(0.2), 0.8 * sin(0.2), 0.0};
    b->def.angular_velocity = v3(2.0, -3.0, 4.0);
    scene_set_slipping(b, v3(0.6, -0.3, 0.0));
    b->loaded = true;
    b->load = tru_default_load_def();
    b->load.force = v3(0.1, 0.05, 0.0);
    return s;
}

/* What the stepper variational is for: pure rolling, with viscous resistance, pushed. */
static inline scene disk_rolls_purely(void) {
    const tru_disk shape = {0.05, 0.02};
    scene s = scene_start("disk rolls purely", 400);
    scene_coulomb(&s, 0.9);
    tru_rolling *r = scene_law_add(&s, "rolling");
    r->roll_viscosity = 2e-4;
    r->spin_viscosity = 1e-4;
    scene_plane(&s);
    scene_body *b = scene_body_add(&s, "disk", &shape, 0.3);
    b->def.orientation = (tru_quat){cos(0.5), sin(0.5), 0.0, 0.0};
    b->def.angular_velocity = v3(0.5, -14.0 * sin(1.0), 14.0 * cos(1.0) - 3.0);
    scene_set_slipping(b, v3_zero());
    b->loaded = true;
    b->load = tru_default_load_def();
    b->load.force = v3(0.02, 0.01, 0.0);
    b->load.torque = v3(0.0, 0.0, 2e-4);
    return s;
}

static inline scene disk_slips_and_rolls(void) {
    const tru_disk shape = {0.05, 0.0};
    scene s = scene_start("disk slips and rolls", 600);
    scene_coulomb(&s, 0.3);
    scene_plane(&s);
    scene_body *b = scene_body_add(&s, "disk", &shape, 0.3);
    b->def.orientation = (tru_quat){cos(0.65), sin(0.65), 0.0, 0.0};
    b->def.angular_velocity = v3(0.5, -30.0 * sin(1.3), 30.0 * cos(1.3) + 3.0);
    scene_set_slipping(b, v3(0.3, 0.05, 0.0));
    return s;
}

static inline scene disk_rolls(void) {
    const tru_disk shape = {0.05, 0.0};
    scene s = scene_start("disk rolls", 600);
    *(tru_contensou *)scene_law_add(&s, "contensou") = (tru_contensou){0.3, TRU_DERIVED, 0.0, 2e-3};
    *(tru_contour *)scene_law_add(&s, "contour") = (tru_contour){3e-4, 0.0};
    scene_plane(&s);
    scene_body *b = scene_body_add(&s, "disk", &shape, 0.3);
    b->def.orientation = (tru_quat){cos(0.65), sin(0.65), 0.0, 0.0};
    b->def.angular_velocity = v3(0.5, -30.0 * sin(1.3), 30.0 * cos(1.3) + 3.0);
    b->def.velocity = v3(1.2, 0.05, 0.0);
    scene_set_down(b);
    return s;
}

static inline scene disk_slides_flat(void) {
    const tru_disk shape = {0.0375, 0.0};
    scene s = scene_start("disk slides flat", 400);
    scene_coulomb(&s, 0.3);
    scene_plane(&s);
    scene_body *b = scene_body_add(&s, "disk", &shape, 0.3048);
    b->def.velocity = v3(0.5, 0.0, 0.0);
    b->def.angular_velocity = v3(0.0, 0.0, 30.0);
    return s;
}

static inline scene disk_falls_flat(void) {
    const tru_disk shape = {0.0375, 0.0};
    scene s = scene_start("disk falls flat", 900);
    scene_coulomb(&s, 0.3);
    *(tru_contour *)scene_law_add(&s, "contour") = (tru_contour){3e-3, 0.0};
    scene_plane(&s);
    scene_body *b = scene_body_add(&s, "disk", &shape, 0.3048);
    b->def.orientation = (tru_quat){cos(0.2), sin(0.2), 0.0, 0.0};
    b->def.angular_velocity = v3(1.0, 0.5, 3.0);
    scene_set_down(b);
    return s;
}

static inline scene coin_falls(void) {
    const tru_disk shape = {0.05, 0.02};
    scene s = scene_start("coin falls", 900);
    scene_coulomb(&s, 0.4);
    scene_rolling(&s, 2e-4, 2e-4);
    scene_plane(&s);
    scene_body *b = scene_body_add(&s, "disk", &shape, 0.5);
    b->def.orientation = (tru_quat){cos(0.7), sin(0.7), 0.02, 0.0};
    b->def.angular_velocity = v3(0.0, 2.0, 1.0);
    scene_set_down(b);
    return s;
}

static inline scene box_slides(void) {
    scene s = scene_start("box slides and turns", 400);
    scene_coulomb(&s, 0.3);
    scene_rolling(&s, 1e-3, 1e-3);
    scene_plane(&s);
    scene_block(&s, v3(0.3, 0.2, 0.1), 4.0, v3(1.0, 0.3, 0.0), v3(0.0, 0.0, 4.0));
    return s;
}

static inline scene box_drops(void) {
    scene s = scene_start("box drops", 900);
    scene_coulomb(&s, 0.4);
    s.pair.restitution = 0.3;
    scene_plane(&s);
    scene_body *b = scene_block(&s, v3(0.3, 0.2, 0.1), 4.0, v3(0.4, 0.0, 0.0), v3(1.0, 2.0, -1.0));
    b->def.orientation = (tru_quat){0.9, 0.2, 0.3, 0.1};
    b->def.position.z = 0.4;
    return s;
}

static inline scene box_on_slope(void) {
    scene s = scene_start("box on a slope", 400);
    scene_coulomb(&s, 0.5);
    scene_tilt_gravity(&s, 0.4);
    scene_plane(&s);
    scene_block(&s, v3(0.3, 0.2, 0.1), 4.0, v3(0.3, 0.1, 0.0), v3(0, 0, 0));
    return s;
}

static inline scene balls_collide(void) {
    scene s = scene_start("balls collide", 500);
    scene_coulomb(&s, 0.2);
    scene_rolling(&s, 1e-3, 1e-3);
    s.pair.restitution = 0.6;
    scene_plane(&s);
    scene_sphere(&s, 0.1, 2.0, v3(1.5, 0.0, 0.0), v3(0.0, 5.0, 3.0));
    scene_sphere(&s, 0.12, 1.0, v3(-0.2, 0.0, 0.0), v3(1.0, 0.0, 0.0))->def.position.x = 0.3;
    scene_sphere(&s, 0.08, 0.7, v3(0, 0, 0), v3(0, 0, 0))->def.position = v3(0.55, 0.05, 0.08);
    return s;
}

static inline scene ball_on_two(void) {
    scene s = scene_start("ball on two", 300);
    scene_coulomb(&s, 0.5);
    scene_rolling(&s, 1e-3, 1e-3);
    scene_plane(&s);
    scene_sphere(&s, 0.1, 1.0, v3_zero(), v3_zero())->def.position.x = -0.102;
    scene_sphere(&s, 0.1, 1.0, v3_zero(), v3_zero())->def.position.x = 0.102;
    scene_sphere(&s, 0.1, 1.0, v3_zero(), v3_zero())->def.position = v3(0, 0, 0.1 + sqrt(0.04 - 0.102 * 0.102));
    return s;
}

static inline scene rod_on_block(void) {
    static const tru_capsule rod = {0.03, 0.2};
    scene s = scene_start("rod on a block", 400);
    scene_coulomb(&s, 0.4);
    scene_rolling(&s, 1e-3, 1e-3);
    scene_plane(&s);
    scene_block(&s, v3(0.3, 0.2, 0.1), 0.0, v3_zero(), v3_zero())->def.kind = TRU_FIXED;
    scene_body *b = scene_body_add(&s, "capsule", &rod, 0.3);
    b->def.position = v3(0.0, 0.0, 0.15);
    b->def.orientation = (tru_quat){0.7, 0.68, 0.1, 0.05};
    b->def.velocity = v3(0.3, 0.0, 0.0);
    return s;
}

static inline scene ball_on_block(void) {
    scene s = scene_start("ball on a block", 700);
    scene_coulomb(&s, 0.3);
    scene_rolling(&s, 1e-3, 1e-3);
    scene_plane(&s);
    scene_body *b = scene_block(&s, v3(0.4, 0.3, 0.1), 0.0, v3_zero(), v3_zero());
    b->def.kind = TRU_FIXED;
    scene_sphere(&s, 0.05, 0.5, v3(0.5, 0.1, 0.0), v3(0, 0, 2.0))->def.position = v3(0.0, 0.0, 0.16);
    return s;
}

static inline scene egg_is_pushed(void) {
    scene s = egg_rolls();
    scene_body *b = &s.bodies[1];
    s.name = "egg is pushed";
    b->def.velocity = b->def.angular_velocity = v3_zero();
    b->loaded = true;
    b->load = tru_default_load_def();
    b->load.body_axes = true;
    b->load.force = v3(0.5, 1.0, 0.3);
    b->load.torque = v3(0.02, 0.0, 0.1);
    b->load.knot_count = 3;
    b->load_knots[0] = (tru_knot){0.0625, 0.0};
    b->load_knots[1] = (tru_knot){0.25, 1.0};
    b->load_knots[2] = (tru_knot){0.5, -0.5};
    return s;
}

static inline scene belt_carries(void) {
    scene s = scene_start("belt carries", 500);
    scene_coulomb(&s, 0.3);
    scene_rolling(&s, 1e-3, 1e-3);
    scene_body *plane = scene_plane(&s);
    plane->def.kind = TRU_DRIVEN;
    plane->moves = true;
    plane->motion = tru_default_motion_def();
    plane->motion.belt = true;
    plane->motion.velocity = v3(0.6, 0.0, 0.0);
    plane->motion.angular_velocity = v3(0.0, 0.0, 1.0);
    scene_sphere(&s, 0.1, 2.0, v3_zero(), v3_zero());
    scene_block(&s, v3(0.2, 0.2, 0.1), 1.0, v3_zero(), v3_zero())->def.position.y = 0.5;
    return s;
}

static inline scene plate_shakes(void) {
    scene s = scene_start("plate shakes", 700);
    scene_coulomb(&s, 0.3);
    scene_rolling(&s, 1e-3, 1e-3);
    s.pair.restitution = 0.5;
    const tru_box shape = {{1.0, 1.0, 0.1}};
    scene_body *plate = scene_body_add(&s, "box", &shape, 0.0);
    plate->def.kind = TRU_DRIVEN;
    plate->moves = true;
    plate->motion = tru_default_motion_def();
    plate->motion.velocity = v3(0.4, 0.0, 0.5);
    plate->motion.angular_velocity = v3(0.0, 0.3, 0.4);
    plate->motion.knot_count = 4;
    plate->motion_knots[0] = (tru_knot){0.0, 0.0};
    plate->motion_knots[1] = (tru_knot){0.125, 1.0};
    plate->motion_knots[2] = (tru_knot){0.375, -1.0};
    plate->motion_knots[3] = (tru_knot){0.5, 0.5};
    scene_sphere(&s, 0.05, 0.5, v3_zero(), v3_zero())->def.position.z = 0.1;
    return s;
}

static inline scene stone_flies(void) {
    const tru_box shape = {{0.3, 0.2, 0.1}};
    scene s = scene_start("stone flies", 500);
    scene_coulomb(&s, 0.3);
    scene_body *b = scene_body_add(&s, "box", &shape, 2.0);
    b->def.velocity = v3(1.0, 2.0, 3.0);
    b->def.angular_velocity = v3(1.0, 4.0, -2.0);
    return s;
}

static inline scene dumbbell(void) {
    scene s = scene_start("dumbbell", 600);
    scene_coulomb(&s, 0.3);
    scene_rolling(&s, 5e-4, 5e-4);
    scene_plane(&s);
    const tru_sphere big = {0.1}, small = {0.06};
    scene_body *b = scene_body_add(&s, "sphere", &big, 0.0);
    b->def.shape_count = 2;
    b->parts[0].density = 800.0;
    b->parts[1] = tru_default_shape_def();
    b->parts[1].shape.name = "sphere";
    b->parts[1].density = 2000.0;
    b->parts[1].position = v3(0.2, 0.0, 0.0);
    memcpy(b->part_params[1].bytes, &small, sizeof small);
    b->def.orientation = (tru_quat){0.9, 0.1, -0.3, 0.2};
    b->def.position.z = 0.15;
    b->def.angular_velocity = v3(1.0, 2.0, 3.0);
    b->def.velocity = v3(0.3, 0.0, 0.0);
    return s;
}

static inline scene stone_on_block(void) {
    tru_hull stone = tru_default_hull();
    scene s = scene_start("stone on a block", 500);
    stone.radius = 0.05;
    stone.seed = 1;
    scene_coulomb(&s, 0.4);
    scene_plane(&s);
    scene_block(&s, v3(0.3, 0.2, 0.1), 0.0, v3_zero(), v3_zero())->def.kind = TRU_FIXED;
    scene_body *b = scene_body_add(&s, "hull", &stone, 0.3);
    b->def.position = v3(-0.05, 0.0, 0.16);
    b->def.orientation = (tru_quat){0.7, 0.5, 0.1, 0.3};
    b->def.velocity = v3(0.3, 0.0, 0.0);
    return s;
}

/* A crank that a motor turns, a rod, a slide with a seal; a bob on a string hangs from the slide. */
static inline scene crank_turns(void) {
    scene s = scene_start("crank turns", 500);
    const tru_vec3 y = {0.0, 1.0, 0.0}, x = {1.0, 0.0, 0.0};
    scene_block(&s, v3(0.1, 0.1, 0.1), 0.0, v3_zero(), v3_zero())->def.kind = TRU_FIXED;
    s.bodies[0].def.position = v3(0.0, 0.5, 0.0);
    scene_block(&s, v3(0.1, 0.03, 0.02), 0.5, v3_zero(), v3_zero())->def.position = v3(0.05, 0.2, 0.0);
    scene_block(&s, v3(0.3, 0.03, 0.02), 0.4, v3_zero(), v3_zero())->def.position = v3(0.25, 0.0, 0.0);
    scene_block(&s, v3(0.05, 0.05, 0.05), 0.8, v3_zero(), v3_zero())->def.position = v3(0.4, -0.2, 0.0);
    scene_block(&s, v3(0.04, 0.05, 0.06), 0.3, v3_zero(), v3(0, 0, 3.0))->def.position = v3(0.4, -0.25, -0.4);
    scene_join(&s, "hinge", NULL, 1, 0, v3(0.0, 0.3, 0.0), y);
    scene_join(&s, "ball", NULL, 2, 1, v3(0.1, 0.1, 0.0), y);
    scene_join(&s, "hinge", NULL, 3, 2, v3(0.4, -0.1, 0.0), y);
    scene_join(&s, "slider", NULL, 0, 3, v3(0.4, -0.2, 0.0), x);
    tru_motor m = tru_default_motor();
    m.speed = 9.0;
    scene_join(&s, "motor", &m, 1, 0, v3(0.0, 0.3, 0.0), y);
    const tru_seal seal = {.force = 1.5, .torque = TRU_DERIVED};
    scene_join(&s, "seal", &seal, 3, 0, v3(0.4, -0.2, 0.0), x);
    scene_join(&s, "distance", NULL, 4, 3, v3(0.41, -0.24, -0.37), y);
    s.joints[6].def.position_b = v3(0.4, -0.2, 0.0);
    return s;
}

/* A flail of two clamped pieces on a post swings down and drags over the floor; a weak motor holds against it. */
static inline scene flail_drags(void) {
    scene s = scene_start("flail drags", 600);
    const tru_vec3 y = {0.0, 1.0, 0.0};
    scene_coulomb(&s, 0.3);
    scene_rolling(&s, 1e-3, 1e-3);
    scene_plane(&s);
    scene_block(&s, v3(0.1, 0.1, 0.6), 0.0, v3_zero(), v3_zero())->def.kind = TRU_FIXED;
    scene_block(&s, v3(0.3, 0.05, 0.04), 0.7, v3_zero(), v3_zero())->def.position = v3(0.25, 0.0, 0.5);
    scene_sphere(&s, 0.06, 1.1, v3_zero(), v3_zero())->def.position = v3(0.44, 0.0, 0.5);
    scene_sphere(&s, 0.08, 0.9, v3_zero(), v3_zero())->def.position = v3(0.7, 0.1, 0.5);
    scene_join(&s, "hinge", NULL, 2, 1, v3(0.1, 0.0, 0.5), y);
    scene_join(&s, "fixed", NULL, 3, 2, v3(0.4, 0.0, 0.5), y);
    scene_join(&s, "ball", NULL, 4, 3, v3(0.5, 0.0, 0.5), y);
    tru_motor m = tru_default_motor();
    m.speed = -0.4;
    m.torque = 0.8;
    scene_join(&s, "motor", &m, 2, 1, v3(0.1, 0.0, 0.5), y);
    return s;
}

static scene (*const scene_makers[])(void) = {
    ball_slides,
    ball_viscous,
    ball_bounces,
    ball_stribeck,
    ball_factors,
    ball_contensou,
    egg_rolls,
    stone_slides,
    disk_rolls,
    disk_slides_flat,
    disk_falls_flat,
    coin_falls,
    box_slides,
    box_drops,
    box_on_slope,
    balls_collide,
    ball_on_two,
    ball_on_block,
    egg_is_pushed,
    belt_carries,
    plate_shakes,
    stone_flies,
    dumbbell,
    stone_slips_and_rolls,
    disk_slips_and_rolls,
    disk_rolls_purely,
    ball_tracks,
    egg_tracks,
    rod_on_block,
    stone_on_block,
    ball_constant_torque,
    ball_luding,
    crank_turns,
    flail_drags,
};
enum { SCENES = sizeof scene_makers / sizeof *scene_makers };
#define EACH_SCENE(s) for (int s##_k = 0; s##_k < SCENES && (s = scene_makers[s##_k](), true); s##_k++)

/* Every built-in shape, law and joint occurs in some scene. */
static inline void scenes_complete(void) {
    const tru_shape *shape;
    const tru_law *law;
    for (size_t k = 0; (shape = tru_shape_at(k)) != NULL; k++) {
        bool found = false;
        scene s;
        EACH_SCENE(s) {
            for (int i = 0; i < s.body_count; i++) found |= strcmp(s.bodies[i].parts[0].shape.name, shape->name) == 0;
        }
        if (!check(found)) printf("shape %s is in no scene of scenes.h\n", shape->name);
    }
    for (size_t k = 0; (law = tru_law_at(k)) != NULL; k++) {
        bool found = false;
        scene s;
        EACH_SCENE(s) {
            for (size_t i = 0; i < s.pair.law_count; i++) found |= strcmp(s.laws[i].name, law->name) == 0;
        }
        if (!check(found)) printf("law %s is in no scene of scenes.h\n", law->name);
    }
    for (size_t k = 0; tru_joint_at(k) != NULL; k++) {
        bool found = false;
        scene s;
        EACH_SCENE(s) {
            for (int i = 0; i < s.joint_count; i++)
                found |= strcmp(s.joints[i].def.joint.name, tru_joint_at(k)->name) == 0;
        }
        if (!check(found)) printf("joint %s is in no scene of scenes.h\n", tru_joint_at(k)->name);
    }
}

/* ---- what tests do with worlds ---- */

/* FNV-1a over the states of all bodies. */
static inline uint64_t states_hash(const tru_world *w) {
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t k = 0; k < tru_body_count(w); k++) {
        const tru_body_state s = scene_state(w, tru_body_at(w, k));
        unsigned char bytes[sizeof s];
        memcpy(bytes, &s, sizeof s);
        for (size_t i = 0; i < sizeof s; i++) h = (h ^ bytes[i]) * UINT64_C(1099511628211);
    }
    return h;
}

/* Run a step that must not fail; unconverged steps are counted. */
static inline int scene_step(tru_world *w, const char *name, const char *method_name) {
    tru_error err = {TRU_OK, ""};
    const tru_status status = tru_run(w, 1, &err);
    if (status < 0) {
        printf("scene %s, method %s: %s\n", name, method_name, err.text);
        check(false);
    }
    return status > 0;
}

#endif
