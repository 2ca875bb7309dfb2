/* zoo.h: small scenes that between them use every shape, law and kind of body; for tests of whole runs.
 *
 *     for (size_t i = 0; i < ZOO_COUNT; i++) {
 *         tru_world *w = kit_create_zoo_world(&zoo[i], NULL, 1);     materials, pairs, bodies, loads, motions
 *         ... set a stepper with steps of zoo[i].step, run ...
 *     }
 *
 * A scene's `act` changes bodies during the run; call it after some steps. Numbers are arbitrary but not round, so that
 * nothing is right by symmetry; sines come from src/math, so that every CPU starts from the same bits. */
#ifndef TRUNDLE_TESTS_KIT_ZOO_H
#define TRUNDLE_TESTS_KIT_ZOO_H

#include "worlds.h"

#include <trundle/plugin.h>

#include "math/elementary/elementary.h"

#include <math.h>
#include <string.h>

typedef struct zoo_scene {
    const char *name;
    double step;                   /* [s] */
    uint64_t steps;                /* for a run in which things happen */
    void (*define)(tru_world *w);  /* materials and pairs */
    void (*inhabit)(tru_world *w); /* bodies, loads, motions */
    void (*act)(tru_world *w);     /* in the middle of a run; may be NULL */
} zoo_scene;

/* Returns the turn by an angle [rad] about an axis of any length. */
static inline tru_quat kit_turn_about(double angle, double x, double y, double z) {
    const double size = sqrt(x * x + y * y + z * z), s = tru_sin(0.5 * angle) / size;
    return (tru_quat){tru_cos(0.5 * angle), s * x, s * y, s * z};
}

/* ---- one ball ---- */

static inline void zoo_ball_defs(tru_world *w) { kit_set_dry_pair(w, 0.31, 1.3e-3, 0.9e-3, 0.0); }

static inline void zoo_ball_bodies(tru_world *w) {
    kit_add_floor(w);
    kit_add_solid_ball(w, "ball", 0.11, (tru_vec3){0.2, -0.1, 0.11}, (tru_vec3){1.1, 0.37, 0.0},
                       (tru_vec3){0.3, -0.2, 5.0});
}

static inline void zoo_stribeck_defs(tru_world *w) {
    tru_coulomb coulomb = tru_default_coulomb();
    tru_rolling rolling = tru_default_rolling();
    coulomb.slide = 0.2;
    coulomb.slide_static = 0.37;
    coulomb.stribeck = 0.13;
    rolling.roll_viscosity = 0.011;
    rolling.spin_viscosity = 0.017;
    const tru_use laws[] = {{"coulomb", &coulomb}, {"rolling", &rolling}};
    kit_set_pair(w, TRU_NONE, TRU_NONE, laws, 2, 0.0);
}

/* Friction lengths as parts of a radius, and a static coefficient without Stribeck speed. */
static inline void zoo_factor_defs(tru_world *w) {
    tru_coulomb coulomb = tru_default_coulomb();
    tru_rolling rolling = tru_default_rolling();
    coulomb.slide = 0.21;
    coulomb.slide_static = 0.35;
    rolling.roll = (tru_length){0.0, 0.013, TRU_RADIUS_EFFECTIVE};
    rolling.spin = (tru_length){0.0, 0.011, TRU_RADIUS_SMALLER};
    const tru_use laws[] = {{"coulomb", &coulomb}, {"rolling", &rolling}};
    kit_set_pair(w, TRU_NONE, TRU_NONE, laws, 2, 0.0);
}

/* ---- disks, ellipsoid, box ---- */

static inline void zoo_slide_defs(tru_world *w) {
    tru_coulomb coulomb = tru_default_coulomb();
    coulomb.slide = 0.29;
    const tru_use law = {"coulomb", &coulomb};
    kit_set_pair(w, TRU_NONE, TRU_NONE, &law, 1, 0.0);
}

/* Slide and spin coupled, dry and viscous contour: laws with a memory and with a lever. */
static inline void zoo_contour_defs(tru_world *w) {
    tru_contensou contensou = tru_default_contensou();
    tru_contour contour = tru_default_contour();
    contensou.slide = 0.31;
    contensou.patch = 2.3e-3;
    contour.contour = 1.7e-3;
    contour.contour_viscosity = 0.4e-3;
    const tru_use laws[] = {{"contensou", &contensou}, {"contour", &contour}};
    kit_set_pair(w, TRU_NONE, TRU_NONE, laws, 2, 0.0);
}

/* Tilted by 0.15 rad, one point of the rim on the floor, spinning a little: it falls flat and slides to rest. */
static inline void zoo_disk(tru_world *w, double thickness) {
    const double r = 0.1, tilt = 0.15;
    const tru_disk disk = {r, thickness};
    kit_add_floor(w);
    kit_add_solid(w, "disk", TRU_FREE, "disk", &disk,
                  (tru_vec3){0.0, 0.0, r * tru_sin(tilt) + 0.5 * thickness * tru_cos(tilt) + 1e-6},
                  kit_turn_about(tilt, 0.8, 0.6, 0.0), (tru_vec3){0.21, 0.1, 0.0}, (tru_vec3){0.0, 0.0, 1.7});
}

static inline void zoo_thin_disk_bodies(tru_world *w) { zoo_disk(w, 0.0); }
static inline void zoo_thick_disk_bodies(tru_world *w) { zoo_disk(w, 0.021); }

/* A coin on its rim, rolling and spinning down. */
static inline void zoo_rolling_disk_bodies(tru_world *w) {
    const double r = 0.1, tilt = 1.1;
    const tru_disk disk = {r, 0.0};
    kit_add_floor(w);
    kit_add_solid(w, "coin", TRU_FREE, "disk", &disk, (tru_vec3){0.0, 0.0, r * tru_sin(tilt)},
                  kit_turn_about(tilt, 1.0, 0.0, 0.0), (tru_vec3){0.0, 0.0, 0.0}, (tru_vec3){0.4, 0.0, 9.0});
}

/* A thick disk that rolls without slipping, slowed by viscous resistance. */
static inline void zoo_pure_defs(tru_world *w) {
    tru_coulomb coulomb = tru_default_coulomb();
    tru_rolling rolling = tru_default_rolling();
    coulomb.slide = 0.9;
    rolling.roll_viscosity = 0.7e-3;
    rolling.spin_viscosity = 0.4e-3;
    const tru_use laws[] = {{"coulomb", &coulomb}, {"rolling", &rolling}};
    kit_set_pair(w, TRU_NONE, TRU_NONE, laws, 2, 0.0);
}

static inline void zoo_pure_disk_bodies(tru_world *w) {
    const double r = 0.1, half = 0.02, tilt = 1.2;
    const double s = tru_sin(tilt), c = tru_cos(tilt);
    const tru_disk disk = {r, 2.0 * half};
    const tru_vec3 rate = {0.3, -9.0 * s, 9.0 * c + 1.1}, arm = {0.0, r * c - half * s, r * s + half * c};
    const tru_vec3 v = {rate.y * arm.z - rate.z * arm.y, -rate.x * arm.z, rate.x * arm.y};
    kit_add_floor(w);
    kit_add_solid(w, "wheel", TRU_FREE, "disk", &disk, arm, kit_turn_about(tilt, 1.0, 0.0, 0.0), v, rate);
}

static inline void zoo_ellipsoid_bodies(tru_world *w) {
    const tru_ellipsoid ellipsoid = {{0.1, 0.07, 0.05}};
    kit_add_floor(w);
    kit_add_solid(w, "egg", TRU_FREE, "ellipsoid", &ellipsoid, (tru_vec3){0.0, 0.0, 0.12},
                  kit_turn_about(0.7, 0.3, 1.0, 0.2), (tru_vec3){0.3, 0.0, 0.0}, (tru_vec3){1.0, 2.0, 3.0});
}

static inline void zoo_box_bodies(tru_world *w) {
    const tru_box box = {{0.2, 0.15, 0.11}};
    kit_add_floor(w);
    kit_add_solid(w, "box", TRU_FREE, "box", &box, (tru_vec3){0.0, 0.0, 0.16}, kit_turn_about(0.4, 0.3, 1.0, 0.2),
                  (tru_vec3){0.5, 0.1, 0.0}, (tru_vec3){1.0, 0.4, 3.0});
}

/* ---- many ---- */

static inline void zoo_crowd_defs(tru_world *w) {
    tru_error err;
    tru_id rubber, steel;
    tru_coulomb coulomb = tru_default_coulomb();
    MUST(tru_material_add(w, "rubber", &rubber, &err));
    MUST(tru_material_add(w, "steel", &steel, &err));
    kit_set_dry_pair(w, 0.33, 0.7e-3, 0.4e-3, 0.61);
    coulomb.slide = 0.8;
    const tru_use law = {"coulomb", &coulomb};
    kit_set_pair(w, rubber, steel, &law, 1, 0.43);
}

/* Eight balls fly into each other above the floor; a box lands on its corners among them. */
static inline void zoo_crowd_bodies(tru_world *w) {
    kit_add_floor(w);
    for (int i = 0; i < 8; i++) {
        const double angle = 0.77 * i, r = 0.05 + 0.003 * i;
        char name[16];
        snprintf(name, sizeof name, "ball %d", i);
        kit_add_solid_ball(w, name, r, (tru_vec3){0.3 * tru_cos(angle), 0.3 * tru_sin(angle), 0.1 + 0.12 * i},
                           (tru_vec3){-1.2 * tru_cos(angle), -1.1 * tru_sin(angle), 0.1 * i},
                           (tru_vec3){1.0, -0.3 * i, 2.0});
    }
    const tru_box box = {{0.2, 0.15, 0.11}};
    kit_add_solid(w, "box", TRU_FREE, "box", &box, (tru_vec3){0.03, -0.02, 1.3}, kit_turn_about(0.4, 0.3, 1.0, 0.2),
                  (tru_vec3){0.0, 0.1, -3.0}, (tru_vec3){1.0, 0.4, 3.0});
}

/* A belt that starts, carries a ball and stops; a driven plate that turns under another; both balls under loads. */
static inline void zoo_belt_bodies(tru_world *w) {
    tru_error err;
    const tru_quat one = {1.0, 0.0, 0.0, 0.0};
    const tru_vec3 zero = {0.0, 0.0, 0.0};
    const tru_box slab = {{2.0, 1.0, 0.1}};
    const tru_knot ramp[] = {{0.0, 0.0}, {0.05, 1.0}, {0.3, 1.0}, {0.35, 0.0}}, pulse[] = {{0.02, 0.0}, {0.13, 1.7}};
    const tru_id belt = kit_add_solid(w, "belt", TRU_DRIVEN, "box", &slab, zero, one, zero, zero);
    const tru_id plate =
        kit_add_solid(w, "plate", TRU_DRIVEN, "box", &slab, (tru_vec3){0.0, 1.2, 0.0}, one, zero, zero);
    const tru_id first =
        kit_add_solid_ball(w, "carried", 0.1, (tru_vec3){-0.3, 0.0, 0.15}, zero, (tru_vec3){0.0, 0.0, 1.0});
    const tru_id second = kit_add_solid_ball(w, "turned", 0.08, (tru_vec3){0.2, 1.3, 0.13}, zero, zero);
    const tru_motion_def moves = {
        .body = belt, .belt = true, .velocity = {0.7, 0.1, 0.0}, .knots = ramp, .knot_count = 4};
    const tru_motion_def turns = {.body = plate, .velocity = {0.0, 0.02, 0.0}, .angular_velocity = {0.0, 0.0, 1.1}};
    const tru_load_def push = {.body = first, .force = {0.0, 1.3, 0.0}, .knots = pulse, .knot_count = 2};
    const tru_load_def twist = {.body = second, .body_axes = true, .torque = {0.05, 0.01, 0.02}};
    MUST(tru_motion_set(w, &moves, &err));
    MUST(tru_motion_set(w, &turns, &err));
    MUST(tru_load_add(w, &push, NULL, &err));
    MUST(tru_load_add(w, &twist, NULL, &err));
}

/* A fixed groove of two planes; in it a body of two spheres off its centre, and a ball. */
static inline void zoo_compound_bodies(tru_world *w) {
    tru_error err;
    const tru_vec3 zero = {0.0, 0.0, 0.0};
    const tru_sphere big = {0.1}, small = {0.06};
    tru_shape_def sides[2] = {tru_default_shape_def(), tru_default_shape_def()}, shapes[2] = {sides[0], sides[0]};
    tru_body_def groove = tru_default_body_def(), b = groove;
    sides[0].shape.name = sides[1].shape.name = "plane";
    sides[0].orientation = kit_turn_about(0.5, 0.9, 0.1, 0.2);
    sides[1].orientation = kit_turn_about(-0.4, 1.0, 0.1, 0.0);
    groove.name = "groove";
    groove.kind = TRU_FIXED;
    groove.shapes = sides;
    groove.shape_count = 2;
    shapes[0].shape = (tru_use){"sphere", &big};
    shapes[0].density = 800.0;
    shapes[0].position = (tru_vec3){0.03, 0.0, 0.0};
    shapes[1].shape = (tru_use){"sphere", &small};
    shapes[1].density = 2000.0;
    shapes[1].position = (tru_vec3){-0.1, 0.02, 0.01};
    shapes[1].orientation = kit_turn_about(0.3, 0.0, 1.0, 1.0);
    b.name = "dumbbell";
    b.position = (tru_vec3){0.0, 0.0, 0.25};
    b.orientation = kit_turn_about(1.0, 1.0, 0.2, 0.3);
    b.angular_velocity = (tru_vec3){2.0, 1.0, -1.0};
    b.shapes = shapes;
    b.shape_count = 2;
    MUST(tru_body_add(w, &groove, NULL, &err));
    MUST(tru_body_add(w, &b, NULL, &err));
    kit_add_solid_ball(w, "by-stander", 0.05, (tru_vec3){0.4, 0.0, 0.3}, zero, zero);
}

/* A motor swings a clamped hammer on a post; a ball on a string hangs from it; all touch the floor now and then. */
static inline void zoo_mechanism_bodies(tru_world *w) {
    const tru_quat one = {1.0, 0.0, 0.0, 0.0};
    const tru_vec3 zero = {0.0, 0.0, 0.0}, y = {0.0, 1.0, 0.1}, x = {1.0, 0.0, 0.0};
    const tru_box post = {{0.1, 0.1, 0.7}}, arm = {{0.31, 0.05, 0.04}}, sledge = {{0.2, 0.1, 0.05}};
    tru_motor motor = tru_default_motor();
    const tru_seal seal = {.force = 1.1, .torque = TRU_DERIVED};
    motor.speed = 2.3;
    motor.torque = 3.1;
    kit_add_floor(w);
    const tru_id stand = kit_add_solid(w, "post", TRU_FIXED, "box", &post, (tru_vec3){0.0, 0.0, 0.4}, one, zero, zero);
    const tru_id bar = kit_add_solid(w, "arm", TRU_FREE, "box", &arm, (tru_vec3){0.25, 0.0, 0.5}, one, zero, zero);
    const tru_id head = kit_add_solid_ball(w, "head", 0.06, (tru_vec3){0.45, 0.0, 0.5}, zero, zero);
    const tru_id bob = kit_add_solid_ball(w, "bob", 0.05, (tru_vec3){0.45, 0.2, 0.2}, zero, (tru_vec3){0.0, 0.0, 2.0});
    const tru_id slide =
        kit_add_solid(w, "slide", TRU_FREE, "box", &sledge, (tru_vec3){-0.5, 0.3, 0.6}, one, zero, zero);
    const tru_vec3 pivot = {0.07, 0.0, 0.5}, neck = {0.4, 0.0, 0.5}, eye = {0.45, 0.2, 0.2}, way = {-0.5, 0.3, 0.6};
    kit_add_joint_between(w, "pivot", "hinge", NULL, bar, stand, pivot, pivot, y);
    kit_add_joint_between(w, "neck", "fixed", NULL, head, bar, neck, neck, y);
    kit_add_joint_between(w, "string", "distance", NULL, bob, head, eye, (tru_vec3){0.45, 0.0, 0.46}, y);
    kit_add_joint_between(w, "drive", "motor", &motor, bar, stand, pivot, pivot, y);
    kit_add_joint_between(w, "way", "slider", NULL, slide, stand, way, way, (tru_vec3){1.0, 0.0, -0.2});
    kit_add_joint_between(w, "seal", "seal", &seal, slide, stand, way, way, x);
}

/* One joint lets go. */
static inline void zoo_mechanism_act(tru_world *w) {
    tru_error err;
    MUST(tru_joint_remove(w, tru_joint_find(w, "string"), &err));
}

/* One goes, one comes, one is moved. */
static inline void zoo_crowd_act(tru_world *w) {
    tru_error err;
    const tru_id moved = tru_body_find(w, "ball 5");
    tru_body_state s = kit_get_state(w, moved);
    MUST(tru_body_remove(w, tru_body_find(w, "ball 2"), &err));
    kit_add_solid_ball(w, NULL, 0.04, (tru_vec3){0.5, 0.6, 1.0}, (tru_vec3){-1.0, -1.0, 0.0},
                       (tru_vec3){0.0, 0.0, 0.0});
    s.velocity.x += 0.4;
    MUST(tru_body_set(w, moved, &s, &err));
}

enum {
    ZOO_BALL,
    ZOO_STRIBECK,
    ZOO_FACTOR,
    ZOO_THIN_DISK,
    ZOO_THICK_DISK,
    ZOO_ELLIPSOID,
    ZOO_BOX,
    ZOO_CROWD,
    ZOO_BELT,
    ZOO_ROLLING_DISK,
    ZOO_SPINNING_BALL,
    ZOO_COMPOUND,
    ZOO_PURE_DISK,
    ZOO_MECHANISM,
    ZOO_COUNT
};

static const zoo_scene zoo[] = {
    [ZOO_BALL] = {"ball", 1e-3, 1200, zoo_ball_defs, zoo_ball_bodies, NULL},
    [ZOO_STRIBECK] = {"ball stribeck", 1e-3, 1200, zoo_stribeck_defs, zoo_ball_bodies, NULL},
    [ZOO_FACTOR] = {"ball factor", 1e-3, 1200, zoo_factor_defs, zoo_ball_bodies, NULL},
    [ZOO_THIN_DISK] = {"thin disk", 1e-3, 600, zoo_slide_defs, zoo_thin_disk_bodies, NULL},
    [ZOO_THICK_DISK] = {"thick disk", 1e-3, 600, zoo_ball_defs, zoo_thick_disk_bodies, NULL},
    [ZOO_ELLIPSOID] = {"ellipsoid", 1e-3, 800, zoo_ball_defs, zoo_ellipsoid_bodies, NULL},
    [ZOO_BOX] = {"box", 1e-3, 800, zoo_slide_defs, zoo_box_bodies, NULL},
    [ZOO_CROWD] = {"crowd", 1e-3, 800, zoo_crowd_defs, zoo_crowd_bodies, zoo_crowd_act},
    [ZOO_BELT] = {"belt", 1e-3, 500, zoo_ball_defs, zoo_belt_bodies, NULL},
    [ZOO_ROLLING_DISK] = {"rolling disk", 1e-3, 800, zoo_contour_defs, zoo_rolling_disk_bodies, NULL},
    [ZOO_SPINNING_BALL] = {"spinning ball", 1e-3, 800, zoo_contour_defs, zoo_ball_bodies, NULL},
    [ZOO_COMPOUND] = {"compound", 1e-3, 600, zoo_ball_defs, zoo_compound_bodies, NULL},
    [ZOO_PURE_DISK] = {"pure disk", 1e-3, 600, zoo_pure_defs, zoo_pure_disk_bodies, NULL},
    [ZOO_MECHANISM] = {"mechanism", 1e-3, 500, zoo_ball_defs, zoo_mechanism_bodies, zoo_mechanism_act},
};

/* ---- worlds ---- */

/* An empty world with the scene's materials and pairs. */
static inline tru_world *kit_create_zoo_materials(const zoo_scene *scene, const tru_allocator *allocator, int threads) {
    tru_error err;
    tru_world *w;
    tru_world_def def = tru_default_world_def();
    def.allocator = allocator;
    def.threads = threads;
    MUST(tru_world_create(&def, &w, &err));
    scene->define(w);
    return w;
}

static inline tru_world *kit_create_zoo_world(const zoo_scene *scene, const tru_allocator *allocator, int threads) {
    tru_world *w = kit_create_zoo_materials(scene, allocator, threads);
    scene->inhabit(w);
    return w;
}

/* The field that chooses between ways of stepping, "scheme" or "form"; NULL: there is one way. */
static inline const tru_field *kit_find_choice(const tru_stepper *stepper) {
    const tru_field *scheme = tru_field_find(stepper->fields, "scheme");
    return scheme ? scheme : tru_field_find(stepper->fields, "form");
}

static inline int kit_count_variants(const tru_stepper *stepper) {
    const tru_field *f = kit_find_choice(stepper);
    int count = 1;
    for (const char *c = f ? f->words : ""; *c; c++) count += *c == '|';
    return count;
}

/* Set a stepper with its defaults but for the step and the k-th scheme. */
static inline tru_status kit_set_stepper(tru_world *w, const tru_stepper *stepper, int variant, double step,
                                         tru_error *err) {
    _Alignas(max_align_t) char params[1024] = {0};
    const tru_field *h = tru_field_find(stepper->fields, "step"), *scheme = kit_find_choice(stepper);
    if (stepper->size > sizeof params || !h) exit(1);
    tru_fields_defaults(stepper->fields, params);
    *(double *)(void *)(params + h->offset) = step;
    if (scheme) *(int32_t *)(void *)(params + scheme->offset) = variant;
    return tru_stepper_set(w, stepper->name, params, err);
}

#endif
