/* stage.h: scenes as plain data, so that tests can double, rescale and turn them before they become worlds; every method that
 * runs them. */
#ifndef TRUNDLE_TESTS_PROPERTY_STAGE_H
#define TRUNDLE_TESTS_PROPERTY_STAGE_H

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
    if (strcmp(m.solver, "ngs") == 0) *(tru_ngs *)(void *)m.solver_params.bytes = (tru_ngs){1e-9, 300, 0, 0, TRU_MIXED};
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
        if (!check(found)) printf("stepper %s has no line in stage.h\n", stepper->name);
    }
    for (size_t k = 0; (solver = tru_solver_at(k)) != NULL; k++) {
        bool found = false;
        for (int i = 0; i < METHODS; i++) found |= strcmp(method_at(i, 1e-3).solver, solver->name) == 0;
        if (!check(found)) printf("solver %s has no line in stage.h\n", solver->name);
    }
}

#define EACH_METHOD(m, step) for (int m##_k = 0; m##_k < METHODS && (m = method_at(m##_k, (step)), true); m##_k++)

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
