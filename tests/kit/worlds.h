/* worlds.h: builds worlds for tests, and reads them.
 *
 *     tru_error err;
 *     const tru_sphere ball = {0.1};
 *     tru_world *w = kit_create_world((tru_vec3){0, 0, -9.81});
 *     kit_set_dry_pair(w, 0.3, 0.0, 0.0, 0.0);                             Coulomb friction between all materials
 *     kit_add_floor(w);                                                    the plane z = 0
 *     const tru_id id = kit_add_body(w, {.shape = {"sphere", &ball}, .mass = 1.0, .position = {0, 0, 0.1}, .velocity = {1, 0, 0}});
 *     kit_set_moreau(w, 1e-3, TRU_MIDPOINT);
 *     MUST(tru_run(w, 1000, &err));                                        a call that must work: otherwise the program ends
 *     check_close(kit_get_state(w, id).velocity.x, 5.0 / 7.0, 1e-12, 0.0);
 *     tru_world_destroy(w);
 *
 * The other headers of the kit build on it:
 *
 *     check.h              the harness: TEST, check, check_close; check_report.h says what it prints
 *     disks.h              disks on a floor, the paper's disk
 *     zoo.h                worlds that between them use every shape, law and kind of body
 *     scene.h              a scene as plain data, which tests double, rescale and turn before it becomes a world
 *     scenes.h, methods.h  the scenes and the methods on which every property is tried
 *     law_values.h         for every field of every law a value that makes it act
 *     shape_cases.h, hulls.h  shapes with a second definition; random hulls
 *     draw.h               random numbers that repeat with their seed
 *     failing_allocator.h  an allocator that fails its k-th call
 *
 * Names: kit_VERB_NOUN works on worlds, scene_VERB_NOUN on scenes as data, draw_NOUN returns a random one. */
#ifndef TRUNDLE_TESTS_KIT_WORLDS_H
#define TRUNDLE_TESTS_KIT_WORLDS_H

#include <trundle/trundle.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the test program with the sentence of a call that must work and does not. */
static inline void must(tru_status status, const tru_error *err, const char *what) {
    if (status >= 0) return;
    printf("Bail out! %s: %s\n", what, err->text);
    exit(1);
}
#define MUST(call) must((call), &err, #call)

/* ---- worlds and pairs ---- */

/* Creates a world without bodies and pairs. */
static inline tru_world *kit_create_world(tru_vec3 gravity) {
    tru_error err;
    tru_world *w;
    tru_world_def def = tru_default_world_def();
    def.gravity = gravity;
    MUST(tru_world_create(&def, &w, &err));
    return w;
}

/* Sets the laws of two materials; TRU_NONE twice: of all that have no pair of their own. */
static inline void kit_set_pair(tru_world *w, tru_id a, tru_id b, const tru_use *laws, size_t count,
                                double restitution) {
    tru_error err;
    tru_pair_def pair = tru_default_pair_def();
    pair.a = a;
    pair.b = b;
    pair.laws = laws;
    pair.law_count = count;
    pair.restitution = restitution;
    MUST(tru_pair_set(w, &pair, &err));
}

/* Sets Coulomb friction and friction lengths of rolling and spinning for all materials. */
static inline void kit_set_dry_pair(tru_world *w, double slide, double roll, double spin, double restitution) {
    tru_coulomb coulomb = tru_default_coulomb();
    tru_rolling rolling = tru_default_rolling();
    coulomb.slide = slide;
    rolling.roll.length = roll;
    rolling.spin.length = spin;
    const tru_use laws[] = {{"coulomb", &coulomb}, {"rolling", &rolling}};
    kit_set_pair(w, TRU_NONE, TRU_NONE, laws, 2, restitution);
}

/* ---- bodies ---- */

/* A body of one shape with its origin at the centre of mass. A member that is zero has the library's default: a free body at the
 * origin, not turned, at rest, without density; mass and inertia from the density, or inertia from the shape and the mass. */
typedef struct kit_body {
    const char *name;
    int32_t kind; /* tru_body_kind */
    tru_use shape;
    tru_id material;
    double density;            /* [kg/m^3] */
    double mass;               /* [kg] */
    tru_vec3 inertia;          /* [kg m^2] xx, yy, zz */
    tru_vec3 position;         /* [m] */
    tru_quat orientation;      /* [-] */
    tru_vec3 velocity;         /* [m/s] */
    tru_vec3 angular_velocity; /* [rad/s] world axes */
    tru_vec3 level;            /* [-] body axis that a guide keeps level */
    bool allow_overlap;
} kit_body;

static inline tru_id kit_add_body_of(tru_world *w, const kit_body *k) {
    tru_error err;
    tru_id id;
    tru_shape_def shape = tru_default_shape_def();
    tru_body_def b = tru_default_body_def();
    shape.shape = k->shape;
    shape.density = k->density;
    if (k->material != TRU_NONE) shape.material = k->material;
    b.name = k->name;
    b.kind = k->kind;
    if (k->mass > 0.0) b.mass = k->mass;
    if (k->inertia.x > 0.0) b.inertia = k->inertia;
    b.position = k->position;
    if (k->orientation.w != 0.0 || k->orientation.x != 0.0 || k->orientation.y != 0.0 || k->orientation.z != 0.0)
        b.orientation = k->orientation;
    b.velocity = k->velocity;
    b.angular_velocity = k->angular_velocity;
    b.level = k->level;
    b.allow_overlap = k->allow_overlap;
    b.shapes = &shape;
    b.shape_count = 1;
    MUST(tru_body_add(w, &b, &id, &err));
    return id;
}

/* Adds a body that is written in place: kit_add_body(w, {.shape = {"box", &box}, .mass = 1.0}). */
#define kit_add_body(w, ...) kit_add_body_of((w), &(kit_body)__VA_ARGS__)

/* Adds the fixed plane z = 0, called "floor". */
static inline tru_id kit_add_floor(tru_world *w) {
    return kit_add_body(w, {.name = "floor", .kind = TRU_FIXED, .shape = {"plane", NULL}});
}

/* Creates a world with earth's gravity, the floor, and one to TRU_PAIR_LAWS laws between all materials. */
static inline tru_world *kit_create_floor(const tru_use *laws, size_t law_count, double restitution) {
    tru_world *w = kit_create_world(tru_default_world_def().gravity);
    kit_set_pair(w, TRU_NONE, TRU_NONE, laws, law_count, restitution);
    kit_add_floor(w);
    return w;
}

/* Adds a homogeneous ball that touches the floor at the origin. */
static inline tru_id kit_add_ball(tru_world *w, double radius, double mass, tru_vec3 v, tru_vec3 rate) {
    const tru_sphere sphere = {radius};
    const double j = 0.4 * mass * radius * radius;
    return kit_add_body(w, {.shape = {"sphere", &sphere},
                            .mass = mass,
                            .inertia = {j, j, j},
                            .position = {0.0, 0.0, radius},
                            .velocity = v,
                            .angular_velocity = rate});
}

/* Adds a body of one shape with 1200 kg/m^3 if it is free; a thin disk, which has no volume, gets 0.3 kg. */
static inline tru_id kit_add_solid(tru_world *w, const char *name, int32_t kind, const char *shape_name,
                                   const void *params, tru_vec3 x, tru_quat q, tru_vec3 v, tru_vec3 rate) {
    kit_body b = {.name = name,
                  .kind = kind,
                  .shape = {shape_name, params},
                  .density = kind == TRU_FREE ? 1200.0 : 0.0,
                  .position = x,
                  .orientation = q,
                  .velocity = v,
                  .angular_velocity = rate};
    if (strcmp(shape_name, "disk") == 0 && ((const tru_disk *)params)->thickness == 0.0) {
        const double r = ((const tru_disk *)params)->radius, m = 0.3;
        b.mass = m;
        b.inertia = (tru_vec3){0.25 * m * r * r, 0.25 * m * r * r, 0.5 * m * r * r};
    }
    return kit_add_body_of(w, &b);
}

static inline tru_id kit_add_solid_ball(tru_world *w, const char *name, double radius, tru_vec3 x, tru_vec3 v,
                                        tru_vec3 rate) {
    const tru_sphere sphere = {radius};
    return kit_add_solid(w, name, TRU_FREE, "sphere", &sphere, x, (tru_quat){1.0, 0.0, 0.0, 0.0}, v, rate);
}

/* ---- joints ---- */

/* Adds a joint that holds the point `at` of a to the point `at_b` of b. */
static inline tru_id kit_add_joint_between(tru_world *w, const char *name, const char *kind, const void *params,
                                           tru_id a, tru_id b, tru_vec3 at, tru_vec3 at_b, tru_vec3 axis) {
    tru_error err;
    tru_id id;
    tru_joint_def d = tru_default_joint_def();
    d.name = name;
    d.joint = (tru_use){kind, params};
    d.a = a;
    d.b = b;
    d.position = at;
    d.position_b = at_b;
    d.axis = axis;
    MUST(tru_joint_add(w, &d, &id, &err));
    return id;
}

/* Adds a joint of which a and b have the same point. */
static inline tru_id kit_add_joint(tru_world *w, const char *name, const char *kind, const void *params, tru_id a,
                                   tru_id b, tru_vec3 at, tru_vec3 axis) {
    return kit_add_joint_between(w, name, kind, params, a, b, at, tru_default_joint_def().position_b, axis);
}

/* ---- steppers ---- */

static inline void kit_set_moreau(tru_world *w, double step, int scheme) {
    tru_error err;
    tru_moreau m = tru_default_moreau();
    m.step = step;
    m.scheme = scheme;
    MUST(tru_stepper_set(w, "moreau", &m, &err));
}

/* Sets the stepper cone; solver {NULL}: the default one. */
static inline void kit_set_cone(tru_world *w, double step, int form, int impact, tru_use solver) {
    tru_error err;
    tru_cone c = tru_default_cone();
    c.step = step;
    c.form = form;
    c.impact = impact;
    if (solver.name) c.solver = solver;
    MUST(tru_stepper_set(w, "cone", &c, &err));
}

/* ---- reading ---- */

static inline tru_body_state kit_get_state(const tru_world *w, tru_id id) {
    tru_error err;
    tru_body_state s;
    MUST(tru_body_get(w, id, &s, &err));
    return s;
}

/* [J] Kinetic and potential. */
static inline double kit_get_energy(const tru_world *w) {
    const tru_ledger l = tru_world_ledger(w);
    return l.kinetic + l.potential;
}

/* FNV-1a over the states of all bodies. */
static inline uint64_t kit_hash_states(const tru_world *w) {
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t k = 0; k < tru_body_count(w); k++) {
        const tru_body_state s = kit_get_state(w, tru_body_at(w, k));
        unsigned char bytes[sizeof s];
        memcpy(bytes, &s, sizeof s);
        for (size_t i = 0; i < sizeof s; i++) h = (h ^ bytes[i]) * UINT64_C(1099511628211);
    }
    return h;
}

#endif
