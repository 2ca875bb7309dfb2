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
    bool listed;      /* the table of this file has it, so that the members above are known */
} method;

/* ---- methods ---- */

enum { LISTED = 18, CONES = 4, EVENT = 11, VARIATIONAL = 12, TRACKS = 16 };

typedef struct method_line {
    const char *name, *stepper, *solver;
    int scheme, correction; /* of cone: form, none; of variational: scheme, when_not_rolling */
    bool mixes;
    double promise, gives_up;
} method_line;

/* Returns line k of the table of methods. */
static inline const method_line *method_line_at(int k) {
    static const method_line table[LISTED] = {
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
    return &table[k];
}

/* Returns the k-th solver (then stepper) of the registry that the table does not name; NULL: there are fewer. */
static inline const char *method_unlisted(int k, bool *is_solver) {
    const tru_solver *solver;
    const tru_stepper *stepper;
    for (size_t i = 0; (solver = tru_solver_at(i)) != NULL; i++) {
        bool found = false;
        for (int j = 0; j < LISTED; j++) found |= strcmp(method_line_at(j)->solver, solver->name) == 0;
        if (!found && k-- == 0) return *is_solver = true, solver->name;
    }
    for (size_t i = 0; (stepper = tru_stepper_at(i)) != NULL; i++) {
        bool found = false;
        for (int j = 0; j < LISTED; j++) found |= strcmp(method_line_at(j)->stepper, stepper->name) == 0;
        if (!found && k-- == 0) return *is_solver = false, stepper->name;
    }
    return NULL;
}

static inline int method_count(void) {
    static int count;
    bool ignored;
    if (count == 0)
        for (count = LISTED; method_unlisted(count - LISTED, &ignored); count++) continue;
    return count;
}

/* Fills in the parameters of the solver: by its table, and such that solvers for many contacts get the few there are. */
static inline void method_set_solver(method *m) {
    const tru_solver *solver = kit_find_solver(m->solver);
    void *p = m->solver_params.bytes;
    m->solver_params = kit_typical_params(solver->fields, SHAPE_LENGTH);
    if (solver->solve_many) {
        kit_set_number(solver->fields, "tolerance", 1e-9, p);
        kit_set_number(solver->fields, "iterations", 300, p);
        kit_set_number(solver->fields, "dense_limit", 0, p);
        kit_set_number(solver->fields, "factor_cost_limit", 0, p);
    }
    if (strcmp(m->solver, "sor") == 0) kit_set_number(solver->fields, "relaxation", 1.6, p);
    if (strcmp(m->solver, "proxnewton") == 0) *(tru_proxnewton *)p = (tru_proxnewton){1e-12, 500, 1e-6};
    if (strcmp(m->solver, "prox") == 0) { /* all contacts move at once: with four on a body a quarter of 1/G is safe */
        kit_set_number(solver->fields, "relaxation", 0.25, p);
        kit_set_number(solver->fields, "iterations", 2000, p);
    }
}

/* Sets the choices of a listed method. */
static inline void method_set_scheme(method *m, int k) {
    const method_line *line = method_line_at(k);
    void *p = m->params.bytes;
    if (m->ends) {
        ((tru_cone *)p)->form = line->scheme;
        m->relaxed = line->scheme == TRU_RELAXED;
    } else if (m->soft) {
        ((tru_track *)p)->roll_couple = line->scheme;
    } else if (k >= VARIATIONAL) {
        tru_variational *v = p;
        v->scheme = line->scheme;
        v->project = true;
        v->when_not_rolling = line->correction;
    } else if (k != EVENT) {
        ((tru_moreau *)p)->scheme = line->scheme;
        ((tru_moreau *)p)->correction = line->correction;
    }
}

/* Returns method k < method_count(). A solver without a line runs under cone, a stepper without a line with its defaults. Such a
 * method promises no residual (a solver by sweeps: that of the other ones) and may refuse any scene. */
static inline method method_at(int k, double step) {
    method m;
    bool is_solver = false;
    memset(&m, 0, sizeof m);
    m.listed = k < LISTED;
    if (m.listed) {
        const method_line *line = method_line_at(k);
        m.name = line->name;
        m.stepper = line->stepper;
        m.solver = line->solver;
        m.mixes_units = line->mixes;
        m.promise = line->promise;
        m.gives_up = line->gives_up;
        m.picky = k >= EVENT && k < TRACKS;
        m.soft = k >= TRACKS;
    } else {
        m.name = method_unlisted(k - LISTED, &is_solver);
        m.stepper = is_solver ? "cone" : m.name;
        m.solver = is_solver ? m.name : "newton";
        m.promise = is_solver && kit_find_solver(m.name)->solve_many ? 2e-7 : HUGE_VAL;
        m.gives_up = 1.0;
        m.picky = !is_solver;
    }
    m.ends = strcmp(m.stepper, "cone") == 0;
    const tru_field *fields = kit_find_stepper(m.stepper)->fields;
    m.params = kit_typical_params(fields, SHAPE_LENGTH);
    kit_set_number(fields, "step", step, m.params.bytes);
    if (m.listed) method_set_scheme(&m, k);
    method_set_solver(&m);
    return m;
}

#define EACH_METHOD(m, step)                                                                                           \
    for (int m##_k = 0; m##_k < method_count() && (m = method_at(m##_k, (step)), true); m##_k++)

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
        if (status >= 0 && b->loaded) status = tru_load_add(w, &b->load, NULL, err);
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
