/* test_isotropy.c: a scene turned as a whole moves the same way, turned (P7). */
#define _GNU_SOURCE
#include "scenes.h"

#include "math/random.h"

static tru_quat normal(tru_quat q) { return quat_renormalise(quat_scale(1.0 / sqrt(quat_norm2(q)), q)); }

/* Everything with a direction in the world turns: gravity, poses, velocities, loads, motions and joints in world axes. */
static scene turned(const scene *from, tru_quat q) {
    scene s = *from;
    s.world.gravity = quat_rotate(q, s.world.gravity);
    for (int i = 0; i < s.body_count; i++) {
        scene_body *b = &s.bodies[i];
        b->def.position = quat_rotate(q, b->def.position);
        b->def.orientation = quat_mul(q, normal(b->def.orientation));
        b->def.velocity = quat_rotate(q, b->def.velocity);
        b->def.angular_velocity = quat_rotate(q, b->def.angular_velocity);
        if (b->loaded && !b->load.body_axes) {
            b->load.force = quat_rotate(q, b->load.force);
            b->load.torque = quat_rotate(q, b->load.torque);
        }
        b->motion.velocity = quat_rotate(q, b->motion.velocity);
        b->motion.angular_velocity = quat_rotate(q, b->motion.angular_velocity);
    }
    for (int i = 0; i < s.joint_count; i++) {
        tru_joint_def *j = &s.joints[i].def;
        j->position = quat_rotate(q, j->position);
        j->axis = quat_rotate(q, j->axis);
        if (j->position_b.x != TRU_DERIVED) j->position_b = quat_rotate(q, j->position_b);
    }
    return s;
}

/* Largest difference of two worlds, the second one turned back, as a part of the way bodies went, their speeds. */
static double difference(const tru_world *w, const tru_world *v, tru_quat q) {
    double worst = 0.0, way = 0.0, speed = 0.0, rate = 0.0;
    for (size_t k = 0; k < tru_body_count(w); k++) {
        const tru_body_state a = kit_get_state(w, tru_body_at(w, k));
        way = fmax(way, v3_norm(a.position));
        speed = fmax(speed, v3_norm(a.velocity));
        rate = fmax(rate, v3_norm(a.angular_velocity));
    }
    for (size_t k = 0; k < tru_body_count(w); k++) {
        const tru_body_state a = kit_get_state(w, tru_body_at(w, k)), b = kit_get_state(v, tru_body_at(w, k));
        const tru_quat back = quat_mul(quat_conj(q), b.orientation);
        const tru_quat e = quat_mul(quat_conj(a.orientation), back);
        worst = fmax(worst, v3_norm(v3_sub(a.position, quat_unrotate(q, b.position))) / way);
        worst = fmax(worst, v3_norm(quat_vec(e)));
        worst = fmax(worst, v3_norm(v3_sub(a.velocity, quat_unrotate(q, b.velocity))) / fmax(speed, 1e-3));
        const tru_vec3 w_back = quat_unrotate(q, b.angular_velocity);
        worst = fmax(worst, v3_norm(v3_sub(a.angular_velocity, w_back)) / fmax(rate, 1e-2));
    }
    return worst;
}

/* Round-off of 2e-16 per step, summed twice over n <= 600 steps as a velocity error becomes a position error, grows like
 * n^2/2: 4e-11; the lever of a slip-stick transition costs another factor of ten. */
static void compare(const scene *s, int method_index, uint64_t seed, double limit) {
    const method m = method_at(method_index, 1e-3);
    for (uint64_t i = 0; i < 6; i++) {
        const tru_quat q = tru_random_attitude(seed, (uint64_t)method_index, i);
        const scene other = turned(s, q);
        tru_world *w = scene_build(s, &m), *v = scene_build(&other, &m);
        double worst = 0.0;
        for (int k = 0; k < s->steps; k++) {
            scene_run_step(w, s->name, m.name);
            scene_run_step(v, s->name, m.name);
            worst = fmax(worst, difference(w, v, q));
        }
        if (!check(worst < limit)) printf("scene %s, %s, frame %d: %.3g\n", s->name, m.name, (int)i, worst);
        tru_world_destroy(w);
        tru_world_destroy(v);
    }
}

TEST(turned_scenes_move_the_same) {
    const uint64_t seed = check_seed();
    static scene (*const makers[])(void) = {ball_slides,  ball_viscous,  ball_contensou, ball_factors,
                                            egg_rolls,    stone_slides,  disk_rolls,     disk_slides_flat,
                                            box_on_slope, egg_is_pushed, stone_flies};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        const scene s = makers[i]();
        compare(&s, 0, seed + i, 1e-9);
        compare(&s, 1, seed + i, 1e-9);
    }
    const scene balls = balls_collide();
    compare(&balls, 0, seed, 1e-9);
    compare(&balls, CONES, seed, 1e-9);
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        const scene s = makers[i]();
        compare(&s, CONES, seed + i, 1e-9);
        /* relaxed, what begins to slide hops, and each of its bounces multiplies round-off by ten and more */
        if (makers[i] == stone_slides || makers[i] == disk_rolls || makers[i] == disk_slides_flat) continue;
        compare(&s, CONES + 1, seed + i, 1e-9);
    }
    static scene (*const events[])(void) = {ball_stribeck, stone_slips_and_rolls, disk_slips_and_rolls};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        const scene s = events[i]();
        compare(&s, EVENT, seed + i, 1e-9);
    }
    static scene (*const rolling[])(void) = {ball_slides, ball_viscous,          ball_factors,
                                             egg_rolls,   stone_slips_and_rolls, disk_slips_and_rolls};
    for (size_t i = 0; i < sizeof rolling / sizeof *rolling; i++) {
        const scene s = rolling[i]();
        compare(&s, VARIATIONAL, seed + i, 1e-9);
    }
    const scene pure = disk_rolls_purely();
    for (int k = VARIATIONAL; k < TRACKS; k++) compare(&pure, k, seed, 1e-9);
    static scene (*const soft[])(void) = {ball_slides, ball_viscous, ball_factors, ball_tracks,   ball_constant_torque,
                                          ball_luding, egg_tracks,   egg_rolls,    egg_is_pushed, disk_slides_flat,
                                          box_slides,  box_on_slope, ball_on_block};
    for (size_t i = 0; i < sizeof soft / sizeof *soft; i++) {
        scene s = soft[i]();
        s.bodies[1].def.position.z -= 1e-4; /* a contact that begins a step later in some frames has another history */
        compare(&s, TRACKS, seed + i, 1e-9);
    }
}

/* Four corners on a plane hold a self-stress that nothing determines, and friction depends on it: the solver carries it
 * from step to step with 1e-10 of noise (round-off over its shift), 400 steps sum it up. */
TEST(turned_boxes_move_almost_the_same) {
    const uint64_t seed = check_seed();
    static scene (*const makers[])(void) = {box_slides, belt_carries};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        const scene s = makers[i]();
        compare(&s, 0, seed + i, 1e-5);
        compare(&s, 1, seed + i, 1e-5);
    }
}

/* Launched in 72 directions on the floor: what counts is the same to round-off. */
TEST(no_direction_on_the_floor_is_special) {
    tru_error err;
    static scene (*const makers[])(void) = {ball_slides, egg_rolls, disk_slides_flat, stone_slides};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        const scene s = makers[i]();
        double first = 0.0;
        for (int k = 0; k < 72; k++) {
            const double a = k * M_PI / 72.0; /* half the angle */
            const scene other = turned(&s, (tru_quat){cos(a), 0.0, 0.0, sin(a)});
            const method m = method_at(0, 1e-3);
            tru_world *w = scene_build(&other, &m);
            MUST(tru_run(w, (uint64_t)s.steps, &err));
            const tru_vec3 x = kit_get_state(w, 2).position;
            if (k == 0) first = hypot(x.x, x.y);
            check_close(hypot(x.x, x.y), first, 1e-10, 0.0);
            tru_world_destroy(w);
        }
    }
}
