/* scenes.h: the scenes that every property is tried on. A test writes
 *
 *     scene s;
 *     EACH_SCENE(s) { ... }
 *
 * A new scene is one function here and one line in scene_makers. A shape, law or joint of the registry that is in none of them gets
 * a scene by its field table: a ball launched under the law, a body of the shape thrown on a plane, a box on the joint. */
#ifndef TRUNDLE_TESTS_KIT_SCENES_H
#define TRUNDLE_TESTS_KIT_SCENES_H

#include "plugins/law_values.h"
#include "methods.h"

static inline scene ball_slides(void) {
    scene s = scene_begin("ball slides", 600);
    scene_add_coulomb(&s, 0.3);
    scene_add_rolling(&s, 1e-3, 2e-3);
    scene_add_plane(&s);
    scene_add_sphere(&s, 0.1, 2.0, v3(1.0, 0.5, 0.0), v3(2.0, -3.0, 6.0));
    return s;
}

static inline scene ball_viscous(void) {
    scene s = scene_begin("ball viscous", 600);
    scene_add_coulomb(&s, 0.3);
    tru_rolling *r = scene_add_law(&s, "rolling");
    r->roll_viscosity = 5e-3;
    r->spin_viscosity = 2e-2;
    scene_add_plane(&s);
    scene_add_sphere(&s, 0.1, 2.0, v3(1.0, 0.5, 0.0), v3(2.0, -3.0, 6.0));
    return s;
}

static inline scene ball_bounces(void) {
    scene s = scene_begin("ball bounces", 900);
    scene_add_coulomb(&s, 0.2);
    scene_add_rolling(&s, 1e-3, 1e-3);
    s.pair.restitution = 0.7;
    scene_add_plane(&s);
    scene_add_sphere(&s, 0.1, 1.5, v3(0.7, 0.0, 0.0), v3(1.0, -9.0, 4.0))->def.position.z = 0.35;
    return s;
}

static inline scene ball_stribeck(void) {
    scene s = scene_begin("ball stribeck", 500);
    tru_coulomb *c = scene_add_law(&s, "coulomb");
    *c = (tru_coulomb){0.15, 0.4, 0.3};
    scene_add_plane(&s);
    scene_add_sphere(&s, 0.1, 2.0, v3(1.0, 0.5, 0.0), v3(0, 0, 6.0));
    return s;
}

static inline scene ball_factors(void) {
    scene s = scene_begin("ball, lengths from radii", 500);
    scene_add_coulomb(&s, 0.3);
    tru_rolling *r = scene_add_law(&s, "rolling");
    r->roll = (tru_length){0.0, 0.02, TRU_RADIUS_EFFECTIVE};
    r->spin = (tru_length){0.0, 0.01, TRU_RADIUS_SMALLER};
    scene_add_plane(&s);
    scene_add_sphere(&s, 0.1, 2.0, v3(1.0, 0.5, 0.0), v3(0, 0, 6.0));
    return s;
}

static inline scene ball_contensou(void) {
    scene s = scene_begin("ball, contensou and contour", 500);
    *(tru_contensou *)scene_add_law(&s, "contensou") = (tru_contensou){0.3, TRU_DERIVED, 0.0, 0.01};
    *(tru_contour *)scene_add_law(&s, "contour") = (tru_contour){0.005, 0.02};
    scene_add_plane(&s);
    scene_add_sphere(&s, 0.1, 2.0, v3(1.0, 0.5, 0.0), v3(0, 0, 9.0));
    return s;
}

/* Static and kinetic memory, coefficients in parts of the radius and of Hertz's circle. */
static inline scene ball_tracks(void) {
    scene s = scene_begin("ball tracks", 600);
    tru_track_law *t = scene_add_law(&s, "track");
    t->slide = 0.2;
    t->slide_static = 0.25;
    t->eta_r = 0.05;
    t->eta_psi = 0.5;
    t->modulus = 2e5;
    scene_add_plane(&s);
    scene_add_sphere(&s, 0.1, 2.0, v3(1.0, 0.5, 0.0), v3(2.0, -3.0, 6.0));
    return s;
}

/* The laws that users compare with. */
static inline scene ball_constant_torque(void) {
    scene s = scene_begin("ball constant torque", 600);
    tru_coulomb *slide = scene_add_law(&s, "coulomb");
    slide->slide = 0.3;
    tru_constant_torque *t = scene_add_law(&s, "constant_torque");
    t->roll.length = 0.004;
    t->spin.length = 0.003;
    scene_add_plane(&s);
    scene_add_sphere(&s, 0.1, 2.0, v3(1.0, 0.5, 0.0), v3(2.0, -3.0, 6.0));
    return s;
}

static inline scene ball_luding(void) {
    scene s = scene_begin("ball luding", 600);
    tru_luding *t = scene_add_law(&s, "luding");
    t->slide = 0.2;
    t->slide_static = 0.25;
    t->roll.length = 0.004;
    t->spin.length = 0.003;
    scene_add_plane(&s);
    scene_add_sphere(&s, 0.1, 2.0, v3(1.0, 0.5, 0.0), v3(2.0, -3.0, 6.0));
    return s;
}

static inline scene egg_tracks(void) {
    const tru_ellipsoid shape = {{0.08, 0.07, 0.12}};
    scene s = scene_begin("egg tracks", 600);
    tru_track_law *t = scene_add_law(&s, "track");
    t->slide = 0.3;
    t->eta_r = 0.1;
    t->eta_psi = 0.02;
    scene_add_plane(&s);
    scene_body *b = scene_add_body(&s, "ellipsoid", &shape, 1.2);
    b->def.orientation = (tru_quat){0.8, 0.5, 0.3, 0.1};
    b->def.velocity = v3(0.5, -0.2, 0.0);
    b->def.angular_velocity = v3(2.0, 3.0, 5.0);
    scene_set_down(b);
    return s;
}

static inline scene egg_rolls(void) {
    const tru_ellipsoid shape = {{0.08, 0.08, 0.12}};
    scene s = scene_begin("egg rolls", 600);
    scene_add_coulomb(&s, 0.35);
    scene_add_rolling(&s, 5e-4, 5e-4);
    scene_add_plane(&s);
    scene_body *b = scene_add_body(&s, "ellipsoid", &shape, 1.2);
    b->def.orientation = (tru_quat){0.8, 0.5, 0.3, 0.1};
    b->def.velocity = v3(0.5, -0.2, 0.0);
    b->def.angular_velocity = v3(2.0, 3.0, 5.0);
    scene_set_down(b);
    return s;
}

static inline scene stone_slides(void) {
    const tru_ellipsoid shape = {{0.1, 0.07, 0.05}};
    scene s = scene_begin("stone slides", 600);
    scene_add_coulomb(&s, 0.25);
    *(tru_contour *)scene_add_law(&s, "contour") = (tru_contour){0.002, 0.01};
    scene_add_plane(&s);
    scene_body *b = scene_add_body(&s, "ellipsoid", &shape, 1.0);
    b->def.orientation = (tru_quat){cos(0.2), 0.6 * sin(0.2), 0.8 * sin(0.2), 0.0};
    b->def.velocity = v3(0.6, -0.3, 0.0);
    b->def.angular_velocity = v3(2.0, -3.0, 4.0);
    scene_set_down(b);
    return s;
}

/* Runs E2 and E3 of [slip-roll-equations 6.1]: what the stepper event is for. */
static inline scene stone_slips_and_rolls(void) {
    const tru_ellipsoid shape = {{0.1, 0.07, 0.05}};
    scene s = scene_begin("stone slips and rolls", 400);
    scene_add_coulomb(&s, 0.25);
    scene_add_plane(&s);
    scene_body *b = scene_add_body(&s, "ellipsoid", &shape, 1.0);
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
    scene s = scene_begin("disk rolls purely", 400);
    scene_add_coulomb(&s, 0.9);
    tru_rolling *r = scene_add_law(&s, "rolling");
    r->roll_viscosity = 2e-4;
    r->spin_viscosity = 1e-4;
    scene_add_plane(&s);
    scene_body *b = scene_add_body(&s, "disk", &shape, 0.3);
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
    scene s = scene_begin("disk slips and rolls", 600);
    scene_add_coulomb(&s, 0.3);
    scene_add_plane(&s);
    scene_body *b = scene_add_body(&s, "disk", &shape, 0.3);
    b->def.orientation = (tru_quat){cos(0.65), sin(0.65), 0.0, 0.0};
    b->def.angular_velocity = v3(0.5, -30.0 * sin(1.3), 30.0 * cos(1.3) + 3.0);
    scene_set_slipping(b, v3(0.3, 0.05, 0.0));
    return s;
}

static inline scene disk_rolls(void) {
    const tru_disk shape = {0.05, 0.0};
    scene s = scene_begin("disk rolls", 600);
    *(tru_contensou *)scene_add_law(&s, "contensou") = (tru_contensou){0.3, TRU_DERIVED, 0.0, 2e-3};
    *(tru_contour *)scene_add_law(&s, "contour") = (tru_contour){3e-4, 0.0};
    scene_add_plane(&s);
    scene_body *b = scene_add_body(&s, "disk", &shape, 0.3);
    b->def.orientation = (tru_quat){cos(0.65), sin(0.65), 0.0, 0.0};
    b->def.angular_velocity = v3(0.5, -30.0 * sin(1.3), 30.0 * cos(1.3) + 3.0);
    b->def.velocity = v3(1.2, 0.05, 0.0);
    scene_set_down(b);
    return s;
}

static inline scene disk_slides_flat(void) {
    const tru_disk shape = {0.0375, 0.0};
    scene s = scene_begin("disk slides flat", 400);
    scene_add_coulomb(&s, 0.3);
    scene_add_plane(&s);
    scene_body *b = scene_add_body(&s, "disk", &shape, 0.3048);
    b->def.velocity = v3(0.5, 0.0, 0.0);
    b->def.angular_velocity = v3(0.0, 0.0, 30.0);
    return s;
}

static inline scene disk_falls_flat(void) {
    const tru_disk shape = {0.0375, 0.0};
    scene s = scene_begin("disk falls flat", 900);
    scene_add_coulomb(&s, 0.3);
    *(tru_contour *)scene_add_law(&s, "contour") = (tru_contour){3e-3, 0.0};
    scene_add_plane(&s);
    scene_body *b = scene_add_body(&s, "disk", &shape, 0.3048);
    b->def.orientation = (tru_quat){cos(0.2), sin(0.2), 0.0, 0.0};
    b->def.angular_velocity = v3(1.0, 0.5, 3.0);
    scene_set_down(b);
    return s;
}

static inline scene coin_falls(void) {
    const tru_disk shape = {0.05, 0.02};
    scene s = scene_begin("coin falls", 900);
    scene_add_coulomb(&s, 0.4);
    scene_add_rolling(&s, 2e-4, 2e-4);
    scene_add_plane(&s);
    scene_body *b = scene_add_body(&s, "disk", &shape, 0.5);
    b->def.orientation = (tru_quat){cos(0.7), sin(0.7), 0.02, 0.0};
    b->def.angular_velocity = v3(0.0, 2.0, 1.0);
    scene_set_down(b);
    return s;
}

static inline scene box_slides(void) {
    scene s = scene_begin("box slides and turns", 400);
    scene_add_coulomb(&s, 0.3);
    scene_add_rolling(&s, 1e-3, 1e-3);
    scene_add_plane(&s);
    scene_add_box(&s, v3(0.3, 0.2, 0.1), 4.0, v3(1.0, 0.3, 0.0), v3(0.0, 0.0, 4.0));
    return s;
}

static inline scene box_drops(void) {
    scene s = scene_begin("box drops", 900);
    scene_add_coulomb(&s, 0.4);
    s.pair.restitution = 0.3;
    scene_add_plane(&s);
    scene_body *b = scene_add_box(&s, v3(0.3, 0.2, 0.1), 4.0, v3(0.4, 0.0, 0.0), v3(1.0, 2.0, -1.0));
    b->def.orientation = (tru_quat){0.9, 0.2, 0.3, 0.1};
    b->def.position.z = 0.4;
    return s;
}

static inline scene box_on_slope(void) {
    scene s = scene_begin("box on a slope", 400);
    scene_add_coulomb(&s, 0.5);
    scene_tilt_gravity(&s, 0.4);
    scene_add_plane(&s);
    scene_add_box(&s, v3(0.3, 0.2, 0.1), 4.0, v3(0.3, 0.1, 0.0), v3(0, 0, 0));
    return s;
}

static inline scene balls_collide(void) {
    scene s = scene_begin("balls collide", 500);
    scene_add_coulomb(&s, 0.2);
    scene_add_rolling(&s, 1e-3, 1e-3);
    s.pair.restitution = 0.6;
    scene_add_plane(&s);
    scene_add_sphere(&s, 0.1, 2.0, v3(1.5, 0.0, 0.0), v3(0.0, 5.0, 3.0));
    scene_add_sphere(&s, 0.12, 1.0, v3(-0.2, 0.0, 0.0), v3(1.0, 0.0, 0.0))->def.position.x = 0.3;
    scene_add_sphere(&s, 0.08, 0.7, v3(0, 0, 0), v3(0, 0, 0))->def.position = v3(0.55, 0.05, 0.08);
    return s;
}

static inline scene ball_on_two(void) {
    scene s = scene_begin("ball on two", 300);
    scene_add_coulomb(&s, 0.5);
    scene_add_rolling(&s, 1e-3, 1e-3);
    scene_add_plane(&s);
    scene_add_sphere(&s, 0.1, 1.0, v3_zero(), v3_zero())->def.position.x = -0.102;
    scene_add_sphere(&s, 0.1, 1.0, v3_zero(), v3_zero())->def.position.x = 0.102;
    scene_add_sphere(&s, 0.1, 1.0, v3_zero(), v3_zero())->def.position = v3(0, 0, 0.1 + sqrt(0.04 - 0.102 * 0.102));
    return s;
}

static inline scene rod_on_block(void) {
    static const tru_capsule rod = {0.03, 0.2};
    scene s = scene_begin("rod on a block", 400);
    scene_add_coulomb(&s, 0.4);
    scene_add_rolling(&s, 1e-3, 1e-3);
    scene_add_plane(&s);
    scene_add_box(&s, v3(0.3, 0.2, 0.1), 0.0, v3_zero(), v3_zero())->def.kind = TRU_FIXED;
    scene_body *b = scene_add_body(&s, "capsule", &rod, 0.3);
    b->def.position = v3(0.0, 0.0, 0.15);
    b->def.orientation = (tru_quat){0.7, 0.68, 0.1, 0.05};
    b->def.velocity = v3(0.3, 0.0, 0.0);
    return s;
}

static inline scene ball_on_block(void) {
    scene s = scene_begin("ball on a block", 700);
    scene_add_coulomb(&s, 0.3);
    scene_add_rolling(&s, 1e-3, 1e-3);
    scene_add_plane(&s);
    scene_body *b = scene_add_box(&s, v3(0.4, 0.3, 0.1), 0.0, v3_zero(), v3_zero());
    b->def.kind = TRU_FIXED;
    scene_add_sphere(&s, 0.05, 0.5, v3(0.5, 0.1, 0.0), v3(0, 0, 2.0))->def.position = v3(0.0, 0.0, 0.16);
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
    scene s = scene_begin("belt carries", 500);
    scene_add_coulomb(&s, 0.3);
    scene_add_rolling(&s, 1e-3, 1e-3);
    scene_body *plane = scene_add_plane(&s);
    plane->def.kind = TRU_DRIVEN;
    plane->moves = true;
    plane->motion = tru_default_motion_def();
    plane->motion.belt = true;
    plane->motion.velocity = v3(0.6, 0.0, 0.0);
    plane->motion.angular_velocity = v3(0.0, 0.0, 1.0);
    scene_add_sphere(&s, 0.1, 2.0, v3_zero(), v3_zero());
    scene_add_box(&s, v3(0.2, 0.2, 0.1), 1.0, v3_zero(), v3_zero())->def.position.y = 0.5;
    return s;
}

static inline scene plate_shakes(void) {
    scene s = scene_begin("plate shakes", 700);
    scene_add_coulomb(&s, 0.3);
    scene_add_rolling(&s, 1e-3, 1e-3);
    s.pair.restitution = 0.5;
    const tru_box shape = {{1.0, 1.0, 0.1}};
    scene_body *plate = scene_add_body(&s, "box", &shape, 0.0);
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
    scene_add_sphere(&s, 0.05, 0.5, v3_zero(), v3_zero())->def.position.z = 0.1;
    return s;
}

static inline scene stone_flies(void) {
    const tru_box shape = {{0.3, 0.2, 0.1}};
    scene s = scene_begin("stone flies", 500);
    scene_add_coulomb(&s, 0.3);
    scene_body *b = scene_add_body(&s, "box", &shape, 2.0);
    b->def.velocity = v3(1.0, 2.0, 3.0);
    b->def.angular_velocity = v3(1.0, 4.0, -2.0);
    return s;
}

static inline scene dumbbell(void) {
    scene s = scene_begin("dumbbell", 600);
    scene_add_coulomb(&s, 0.3);
    scene_add_rolling(&s, 5e-4, 5e-4);
    scene_add_plane(&s);
    const tru_sphere big = {0.1}, small = {0.06};
    scene_body *b = scene_add_body(&s, "sphere", &big, 0.0);
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
    scene s = scene_begin("stone on a block", 500);
    stone.radius = 0.05;
    stone.seed = 1;
    scene_add_coulomb(&s, 0.4);
    scene_add_plane(&s);
    scene_add_box(&s, v3(0.3, 0.2, 0.1), 0.0, v3_zero(), v3_zero())->def.kind = TRU_FIXED;
    scene_body *b = scene_add_body(&s, "hull", &stone, 0.3);
    b->def.position = v3(-0.05, 0.0, 0.16);
    b->def.orientation = (tru_quat){0.7, 0.5, 0.1, 0.3};
    b->def.velocity = v3(0.3, 0.0, 0.0);
    return s;
}

/* A crank that a motor turns, a rod, a slide with a seal; a bob on a string hangs from the slide. */
static inline scene crank_turns(void) {
    scene s = scene_begin("crank turns", 500);
    const tru_vec3 y = {0.0, 1.0, 0.0}, x = {1.0, 0.0, 0.0};
    scene_add_box(&s, v3(0.1, 0.1, 0.1), 0.0, v3_zero(), v3_zero())->def.kind = TRU_FIXED;
    s.bodies[0].def.position = v3(0.0, 0.5, 0.0);
    scene_add_box(&s, v3(0.1, 0.03, 0.02), 0.5, v3_zero(), v3_zero())->def.position = v3(0.05, 0.2, 0.0);
    scene_add_box(&s, v3(0.3, 0.03, 0.02), 0.4, v3_zero(), v3_zero())->def.position = v3(0.25, 0.0, 0.0);
    scene_add_box(&s, v3(0.05, 0.05, 0.05), 0.8, v3_zero(), v3_zero())->def.position = v3(0.4, -0.2, 0.0);
    scene_add_box(&s, v3(0.04, 0.05, 0.06), 0.3, v3_zero(), v3(0, 0, 3.0))->def.position = v3(0.4, -0.25, -0.4);
    scene_connect(&s, "hinge", NULL, 1, 0, v3(0.0, 0.3, 0.0), y);
    scene_connect(&s, "ball", NULL, 2, 1, v3(0.1, 0.1, 0.0), y);
    scene_connect(&s, "hinge", NULL, 3, 2, v3(0.4, -0.1, 0.0), y);
    scene_connect(&s, "slider", NULL, 0, 3, v3(0.4, -0.2, 0.0), x);
    tru_motor m = tru_default_motor();
    m.speed = 9.0;
    scene_connect(&s, "motor", &m, 1, 0, v3(0.0, 0.3, 0.0), y);
    const tru_seal seal = {.force = 1.5, .torque = TRU_DERIVED};
    scene_connect(&s, "seal", &seal, 3, 0, v3(0.4, -0.2, 0.0), x);
    scene_connect(&s, "distance", NULL, 4, 3, v3(0.41, -0.24, -0.37), y);
    s.joints[6].def.position_b = v3(0.4, -0.2, 0.0);
    return s;
}

/* A flail of two clamped pieces on a post swings down and drags over the floor; a weak motor holds against it. */
static inline scene flail_drags(void) {
    scene s = scene_begin("flail drags", 600);
    const tru_vec3 y = {0.0, 1.0, 0.0};
    scene_add_coulomb(&s, 0.3);
    scene_add_rolling(&s, 1e-3, 1e-3);
    scene_add_plane(&s);
    scene_add_box(&s, v3(0.1, 0.1, 0.6), 0.0, v3_zero(), v3_zero())->def.kind = TRU_FIXED;
    scene_add_box(&s, v3(0.3, 0.05, 0.04), 0.7, v3_zero(), v3_zero())->def.position = v3(0.25, 0.0, 0.5);
    scene_add_sphere(&s, 0.06, 1.1, v3_zero(), v3_zero())->def.position = v3(0.44, 0.0, 0.5);
    scene_add_sphere(&s, 0.08, 0.9, v3_zero(), v3_zero())->def.position = v3(0.7, 0.1, 0.5);
    scene_connect(&s, "hinge", NULL, 2, 1, v3(0.1, 0.0, 0.5), y);
    scene_connect(&s, "fixed", NULL, 3, 2, v3(0.4, 0.0, 0.5), y);
    scene_connect(&s, "ball", NULL, 4, 3, v3(0.5, 0.0, 0.5), y);
    tru_motor m = tru_default_motor();
    m.speed = -0.4;
    m.torque = 0.8;
    scene_connect(&s, "motor", &m, 2, 1, v3(0.1, 0.0, 0.5), y);
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

/* ---- scenes of plug-ins that no scene above has ---- */

static inline scene law_by_table(const tru_law *law) {
    scene s = scene_begin(law->name, 600);
    const law_params p = law_values_together(law, NULL);
    memcpy(scene_add_law(&s, law->name), p.bytes, law->size);
    scene_add_plane(&s);
    scene_add_sphere(&s, 0.1, 2.0, v3(1.0, 0.5, 0.0), v3(2.0, -3.0, 6.0));
    return s;
}

static inline scene shape_by_table(const tru_shape *shape) {
    scene s = scene_begin(shape->name, 400);
    const blob p = kit_accepted_params(shape->fields, shape->check, SHAPE_LENGTH);
    scene_add_coulomb(&s, 0.4);
    scene_add_plane(&s);
    scene_body *b = scene_add_body(&s, shape->name, p.bytes, 0.7);
    b->def.position = v3(0.0, 0.0, 1.5 * shape->radius(p.bytes));
    b->def.orientation = (tru_quat){0.7, 0.68, 0.1, 0.05};
    b->def.velocity = v3(0.3, 0.0, 0.0);
    return s;
}

static inline scene joint_by_table(const tru_joint *joint) {
    scene s = scene_begin(joint->name, 500);
    const blob p = kit_accepted_params(joint->fields, joint->check, SHAPE_LENGTH);
    scene_add_box(&s, v3(0.1, 0.1, 0.1), 0.0, v3_zero(), v3_zero())->def.kind = TRU_FIXED;
    scene_add_box(&s, v3(0.2, 0.04, 0.05), 0.5, v3_zero(), v3(1.0, 2.0, 3.0))->def.position = v3(0.25, 0.1, 0.1);
    scene_connect(&s, joint->name, p.bytes, 1, 0, v3(0.15, 0.0, 0.1), v3(0.0, 1.0, 0.3));
    if (joint->begin)
        s.joints[0].def.position_b = v3(0.05, 0.05, 0.1); /* a length may be derived from the distance of the points */
    return s;
}

/* Does a scene of scene_makers have the plug-in of this kind ('s', 'l' or 'j') and name? */
static inline bool scene_has(char kind, const char *name) {
    for (int k = 0; k < SCENES; k++) {
        const scene s = scene_makers[k]();
        const int count = kind == 's' ? s.body_count : kind == 'l' ? (int)s.pair.law_count : s.joint_count;
        for (int i = 0; i < count; i++)
            if (strcmp(kind == 's'   ? s.bodies[i].parts[0].shape.name
                       : kind == 'l' ? s.laws[i].name
                                     : s.joints[i].def.joint.name,
                       name) == 0)
                return true;
    }
    return false;
}

/* Plug-ins of the registry that no scene of scene_makers has. */
typedef struct scene_gaps {
    const tru_shape *shapes[16];
    const tru_law *laws[16];
    const tru_joint *joints[16];
    int shape_count, law_count, joint_count;
} scene_gaps;

static inline const scene_gaps *scene_find_gaps(void) {
    static scene_gaps gaps;
    static bool found;
    if (found) return &gaps;
    found = true;
    for (size_t k = 0; tru_shape_at(k); k++)
        if (!scene_has('s', tru_shape_at(k)->name)) gaps.shapes[gaps.shape_count++] = tru_shape_at(k);
    for (size_t k = 0; tru_law_at(k); k++)
        if (!scene_has('l', tru_law_at(k)->name)) gaps.laws[gaps.law_count++] = tru_law_at(k);
    for (size_t k = 0; tru_joint_at(k); k++)
        if (!scene_has('j', tru_joint_at(k)->name)) gaps.joints[gaps.joint_count++] = tru_joint_at(k);
    return &gaps;
}

static inline int scene_count(void) {
    const scene_gaps *g = scene_find_gaps();
    return SCENES + g->shape_count + g->law_count + g->joint_count;
}

/* Returns scene k < scene_count(). */
static inline scene scene_at(int k) {
    const scene_gaps *g = scene_find_gaps();
    if (k < SCENES) return scene_makers[k]();
    k -= SCENES;
    if (k < g->shape_count) return shape_by_table(g->shapes[k]);
    k -= g->shape_count;
    return k < g->law_count ? law_by_table(g->laws[k]) : joint_by_table(g->joints[k - g->law_count]);
}

#define EACH_SCENE(s) for (int s##_k = 0; s##_k < scene_count() && (s = scene_at(s##_k), true); s##_k++)

#endif
