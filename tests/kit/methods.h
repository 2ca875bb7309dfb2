/* methods.h: every stepper with every scheme and solver that tests try, and how a scene becomes a world with one of them.
 *
 *     method m;
 *     EACH_METHOD(m, 1e-3) {
 *         if (scene_is_refused(&s, &m)) continue;
 *         tru_world *w = scene_build(&s, &m);
 *         ...
 *     }
 */
#ifndef TRUNDLE_TESTS_KIT_METHODS_H
#define TRUNDLE_TESTS_KIT_METHODS_H

#include "scene.h"

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
    const tru_field *fields = kit_find_stepper(m.stepper)->fields;
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
    tru_fields_defaults(kit_find_solver(m.solver)->fields, m.solver_params.bytes);
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

static inline void check_methods_complete(void) {
    const tru_stepper *stepper;
    const tru_solver *solver;
    for (size_t k = 0; (stepper = tru_stepper_at(k)) != NULL; k++) {
        bool found = false;
        for (int i = 0; i < METHODS; i++) found |= strcmp(method_at(i, 1e-3).stepper, stepper->name) == 0;
        if (!check(found)) printf("stepper %s has no line in methods.h\n", stepper->name);
    }
    for (size_t k = 0; (solver = tru_solver_at(k)) != NULL; k++) {
        bool found = false;
        for (int i = 0; i < METHODS; i++) found |= strcmp(method_at(i, 1e-3).solver, solver->name) == 0;
        if (!check(found)) printf("solver %s has no line in methods.h\n", solver->name);
    }
}

#define EACH_METHOD(m, step) for (int m##_k = 0; m##_k < METHODS && (m = method_at(m##_k, (step)), true); m##_k++)

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
static inline tru_world *scene_try_build(const scene *from, const method *m, tru_error *err) {
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
        const tru_field *f = tru_field_find(kit_find_stepper(m->stepper)->fields, "solver");
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
    tru_world *w = scene_try_build(s, m, &err);
    if (w) return w;
    printf("scene %s, method %s: %s\n", s->name, m->name, err.text);
    exit(1);
}

/* Does the method refuse the scene: a picky one for any reason, another one for its laws or joints? Then tests leave it out. */
static inline bool scene_is_refused(const scene *s, const method *m) {
    tru_error err = {TRU_OK, ""};
    tru_world *w = scene_try_build(s, m, &err);
    tru_world_destroy(w);
    return !w && err.status == TRU_REFUSED &&
           (m->picky || strstr(err.text, " cannot use law ") || strstr(err.text, " cannot carry joints "));
}

/* Leave out the laws that the method refuses. */
static inline void scene_drop_refused_laws(scene *s, const method *m) {
    const tru_stepper *stepper = kit_find_stepper(m->stepper);
    size_t kept = 0;
    for (size_t i = 0; i < s->pair.law_count; i++) {
        const scene_law law = s->laws[i];
        if (stepper->refuses_law && stepper->refuses_law(kit_find_law(law.name), law.params.bytes)) continue;
        s->laws[kept++] = law;
    }
    s->pair.law_count = kept;
}

/* Runs a step that must not fail; returns 1 if it did not converge. */
static inline int scene_run_step(tru_world *w, const char *name, const char *method_name) {
    tru_error err = {TRU_OK, ""};
    const tru_status status = tru_run(w, 1, &err);
    if (status < 0) {
        printf("scene %s, method %s: %s\n", name, method_name, err.text);
        check(false);
    }
    return status > 0;
}

#endif
