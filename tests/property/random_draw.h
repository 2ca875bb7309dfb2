/* random_draw.h: random worlds of one body and of many, over the ranges that the project promises: lengths of 1e-4 to 1e2 m,
 * steps of 1e-7 to 1e-2 s, speeds to 100 m/s, mass ratios to 1e6, every shape, law, joint, load and motion. */
#ifndef TRUNDLE_TESTS_PROPERTY_RANDOM_DRAW_H
#define TRUNDLE_TESTS_PROPERTY_RANDOM_DRAW_H

#include "random_scene.h"

static const double earth_gravity = 9.81; /* [m/s^2] */

/* The longest step in which nothing turns by more than 0.05 rad, goes farther than 0.05 lengths or falls farther than 0.005
 * lengths, within 1e-7 to 1e-2 s. */
static inline double sound_step(const random_scene *s) {
    double step = 0.1 * sqrt(s->length / fmax(v3_norm(s->gravity), 1e-300));
    for (int k = 0; k < s->body_count; k++) {
        const random_body *b = &s->bodies[k];
        if (b->kind != TRU_FREE) continue;
        step = fmin(step, 0.05 / fmax(v3_norm(b->rate), 1e-300));
        step = fmin(step, 0.05 * s->length / fmax(v3_norm(b->velocity), 1e-300));
    }
    return fmin(fmax(step, 1e-7), 1e-2);
}

static inline random_scene scene_blank(const draws *d, const book *b) {
    return (random_scene){.test = b->test, .seed = b->seed, .number = d->id, .gravity = {0.0, 0.0, -earth_gravity}};
}

/* Length, speed and gravity of a scene. */
static inline void draw_scales(draws *d, random_scene *s) {
    s->length = draw_scale(d, 1e-4, 1e2);
    s->speed = fmin(sqrt(earth_gravity * s->length) * draw_scale(d, 1e-2, 30.0), 100.0);
    const double kind = draw_between(d, 0.0, 1.0), tilt = draw_between(d, 0.0, 1.0);
    if (kind < 0.1) s->gravity = v3_zero();
    if (kind > 0.85) s->gravity = v3(earth_gravity * sin(tilt), 0.0, -earth_gravity * cos(tilt));
}

/* Moves the body so that its lowest point neither enters nor leaves the floor; `rolls`: nor slips. */
static inline void body_set_rolling(random_body *b, bool rolls) {
    const tru_vec3 p = v3_cross(b->rate, body_farthest(b, v3(0.0, 0.0, -1.0)));
    if (rolls) b->velocity = v3_scale(-1.0, p);
    b->velocity.z = -p.z;
}

/* One body on, above or at rest on a plane. */
static inline random_scene draw_single(draws *d, const book *of) {
    random_scene s = scene_blank(d, of);
    draw_scales(d, &s);
    s.plane = true;
    s.body_count = 1;
    random_body *b = &s.bodies[0];
    *b = draw_body(d, (random_shape)draw_below(d, RANDOM_SHAPES), s.length, 0.1);
    b->mass = draw_scale(d, 1e2, 1e4) * s.length * s.length * s.length;
    draw_laws(d, (random_law)draw_below(d, RANDOM_LAWS), s.length, b->mass, s.speed, s.laws, sizeof s.laws);
    s.restitution = draw_chance(d, 0.6) ? 0.0 : draw_between(d, 0.0, 1.0);
    b->attitude = draw_attitude(d);
    b->velocity = v3_scale(s.speed, draw_direction(d));
    b->rate = v3_scale(s.speed / s.length * draw_scale(d, 0.1, 3.0), draw_direction(d));
    const double start = draw_between(d, 0.0, 1.0), gap = s.length * draw_scale(d, 1e-3, 1.0);
    if (start < 0.2) { /* flat on the floor; slides and spins */
        b->attitude = (tru_quat){1.0, 0.0, 0.0, 0.0};
        b->rate = v3(0.0, 0.0, b->rate.z);
        b->velocity.z = 0.0;
    }
    body_set_down(b, start < 0.7 ? 0.0 : gap);
    if (start >= 0.2 && start < 0.7) body_set_rolling(b, start < 0.45);
    s.step = sound_step(&s);
    s.until = 100.0 * s.step;
    return s;
}

/* A body that stands so that its lowest point, or its lowest face, is straight below its centre. */
static inline random_body draw_upright(draws *d, random_shape shape, double length) {
    random_body b = draw_body(d, shape, length, 0.3);
    const double x = length, y = 0.5 * length, z = 0.25 * length;
    if (shape == DISK) b.size.y = 0.25 * length;
    if (shape == HULL) /* a block whose faces are known to be level */
        for (int i = 0; i < 8; i++) b.points[i] = v3(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    return b;
}

/* ---- many bodies */

/* Shapes that meet each other: round ones, those with straight lines, and disks, which meet planes only. */
typedef enum random_family { FAMILY_ROUND, FAMILY_STRAIGHT, FAMILY_DISKS, RANDOM_FAMILIES } random_family;

static inline random_shape draw_shape_of(draws *d, random_family family) {
    const random_shape round[] = {SPHERE, ELLIPSOID}, straight[] = {SPHERE, CAPSULE, BOX, HULL};
    return family == FAMILY_DISKS   ? DISK
           : family == FAMILY_ROUND ? round[draw_below(d, 2)]
                                    : straight[draw_below(d, 4)];
}

/* Laws in parts of a radius and laws of the contour need surfaces that have one. */
static inline random_law draw_law_of(draws *d, random_family family) {
    random_law law;
    do law = (random_law)draw_below(d, RANDOM_LAWS);
    while (family != FAMILY_ROUND && (law == LAW_FACTOR || law == LAW_CONTOUR || law == LAW_CONTOUR_VISCOUS ||
                                      law == LAW_TRACK_ETA || law == LAW_TRACK_HERTZ));
    return law;
}

/* A point and an axis of a joint between two bodies, somewhere between them. */
static inline void draw_joint(draws *d, random_scene *s, int a, int b, int k, bool passive) {
    static const char *const kinds[] = {"ball", "hinge", "slider", "fixed", "distance"};
    const int kind = draw_below(d, 5);
    const tru_vec3 pa = s->bodies[a].position, pb = s->bodies[b].position, axis = draw_direction(d);
    const tru_vec3 at = v3_madd(pa, draw_between(d, 0.2, 0.8), v3_sub(pb, pa));
    char *text = s->joints;
    const size_t room = sizeof s->joints;
    text_add(text, room, "  j%d: {between: [b%d, b%d], joint: %s, position: " VECTOR_FORMAT, k, a, b, kinds[kind],
             VECTOR_OF(kind == 4 ? pa : at, "m"));
    if (kind == 4) text_add(text, room, ", position_b: " VECTOR_FORMAT, VECTOR_OF(pb, "m"));
    text_add(text, room, ", axis: [%.17g, %.17g, %.17g]}\n", axis.x, axis.y, axis.z);
    if (kind != 1 && kind != 2) return;
    const double force = fmin(s->bodies[a].mass, s->bodies[b].mass) * earth_gravity * draw_scale(d, 0.01, 3.0);
    char value[100] = "";
    if (passive || draw_chance(d, 0.5))
        text_add(value, sizeof value, kind == 1 ? "{seal: {torque: %.17g N*m}}" : "{seal: {force: %.17g N}}",
                 kind == 1 ? force * s->length : force);
    else if (kind == 1)
        text_add(value, sizeof value, "{motor: {speed: %.17g rad/s, torque: %.17g N*m}}", s->speed / s->length,
                 force * s->length);
    else
        text_add(value, sizeof value, "{motor: {velocity: %.17g m/s, force: %.17g N}}", s->speed, force);
    text_add(text, room, "  m%d: {between: [b%d, b%d], joint: %s, position: " VECTOR_FORMAT, k, a, b, value,
             VECTOR_OF(at, "m"));
    text_add(text, room, ", axis: [%.17g, %.17g, %.17g]}\n", axis.x, axis.y, axis.z);
}

/* A push that comes and goes, and a body that moves as it is told. */
static inline void draw_loads(draws *d, random_scene *s) {
    const random_body *b = &s->bodies[s->body_count - 1];
    const tru_vec3 force = v3_scale(b->mass * earth_gravity * draw_scale(d, 0.01, 3.0), draw_direction(d));
    const tru_vec3 torque = v3_scale(b->mass * earth_gravity * s->length * draw_scale(d, 0.01, 1.0), draw_direction(d));
    if (b->kind == TRU_FREE && draw_chance(d, 0.5)) {
        text_add(s->loads, sizeof s->loads, "  - {body: b%d, force: " VECTOR_FORMAT, s->body_count - 1,
                 VECTOR_OF(force, "N"));
        text_add(s->loads, sizeof s->loads,
                 ", torque: " VECTOR_FORMAT ", body_axes: %s, knots: [[0 s, 0], [%.17g s, 1]]}\n",
                 VECTOR_OF(torque, "N*m"), draw_chance(d, 0.5) ? "true" : "false", 20.0 * s->step);
    }
    for (int k = 0; k < s->body_count; k++) {
        if (s->bodies[k].kind != TRU_DRIVEN) continue;
        const tru_vec3 v = v3_scale(0.5 * s->speed, draw_direction(d)),
                       w = v3_scale(0.3 * s->speed / s->length, draw_direction(d));
        text_add(s->motions, sizeof s->motions, "  - {body: b%d, belt: %s, velocity: " VECTOR_FORMAT, k,
                 draw_chance(d, 0.3) ? "true" : "false", VECTOR_OF(v, "m/s"));
        text_add(s->motions, sizeof s->motions, ", angular_velocity: " VECTOR_FORMAT "}\n", VECTOR_OF(w, "rad/s"));
    }
}

/* Two to eight bodies of any shape in the cells of a lattice above a floor, flying towards its middle, some on the floor, some
 * held by joints. `passive`: nothing adds energy. Mass ratios reach 1e6. */
static inline random_scene draw_many(draws *d, const book *of, bool passive) {
    random_scene s = scene_blank(d, of);
    draw_scales(d, &s);
    const random_family family = (random_family)draw_below(d, RANDOM_FAMILIES);
    s.plane = draw_chance(d, 0.8);
    s.pass = family == FAMILY_DISKS;
    s.body_count = 2 + draw_below(d, 7);
    const double spread = draw_scale(d, 1.0, 1e3); /* of the masses, either way */
    const double density = draw_scale(d, 1e2, 1e4);
    for (int k = 0; k < s.body_count; k++) {
        random_body *b = &s.bodies[k];
        *b = draw_body(d, draw_shape_of(d, family), s.length * draw_between(d, 0.3, 1.0), 0.2);
        b->mass = density * s.length * s.length * s.length * draw_scale(d, 1.0 / spread, spread);
        b->attitude = draw_attitude(d);
        b->position = v3(2.9 * s.length * (k % 2), 2.9 * s.length * (k / 2 % 2), 2.9 * s.length * (0.5 + k / 4));
        const double kind = draw_between(d, 0.0, 1.0);
        if (k > 0 && kind < 0.1) b->kind = TRU_FIXED;
        if (k > 0 && kind > 0.9 && !passive) b->kind = TRU_DRIVEN;
        if (k < 4 && draw_chance(d, 0.4)) body_set_down(b, 0.0);
        const tru_vec3 middle = v3(1.45 * s.length, 1.45 * s.length, 1.45 * s.length);
        b->velocity = v3_scale(s.speed / s.length * draw_between(d, 0.0, 0.5), v3_sub(middle, b->position));
        b->rate = v3_scale(s.speed / s.length * draw_scale(d, 0.01, 1.0), draw_direction(d));
    }
    draw_laws(d, draw_law_of(d, family), s.length, s.bodies[0].mass, s.speed, s.laws, sizeof s.laws);
    s.restitution = draw_chance(d, 0.5) ? 0.0 : draw_between(d, 0.0, 1.0);
    s.step = sound_step(&s);
    s.until = 100.0 * s.step;
    const int joints = draw_chance(d, 0.5) ? 0 : 1 + draw_below(d, 3);
    for (int k = 0; k < joints && k + 1 < s.body_count; k++)
        if (s.bodies[k].kind == TRU_FREE) draw_joint(d, &s, k, k + 1, k, passive);
    if (!passive) draw_loads(d, &s);
    return s;
}

/* Columns of touching bodies on the floor, each body centred on the one below: contacts exist from the start. */
static inline random_scene draw_stacks(draws *d, const book *of) {
    random_scene s = scene_blank(d, of);
    s.length = draw_scale(d, 1e-4, 1e2);
    s.speed = sqrt(earth_gravity * s.length) * draw_scale(d, 1e-2, 1.0);
    s.plane = true;
    s.body_count = 1 + draw_below(d, 6);
    const double spread = draw_scale(d, 1.0, 30.0);
    const random_family family = (random_family)draw_below(d, FAMILY_DISKS);
    for (int k = 0; k < s.body_count; k++) {
        random_body *b = &s.bodies[k];
        const int column = k % 2;
        *b = draw_upright(d, draw_shape_of(d, family), s.length * draw_between(d, 0.5, 1.0));
        b->mass = 1000.0 * s.length * s.length * s.length * draw_scale(d, 1.0 / spread, spread);
        body_set_down(b, 0.0);
        if (k > 1) { /* on the top of the one below */
            const random_body *below = &s.bodies[k - 2];
            b->position.z += below->position.z + body_farthest(below, v3(0.0, 0.0, 1.0)).z;
        }
        b->position.x = 4.0 * s.length * column;
        b->velocity = v3_scale(s.speed, draw_direction(d));
        b->velocity.z = -fabs(b->velocity.z);
        b->rate = v3_scale(s.speed / s.length * draw_scale(d, 0.01, 1.0), draw_direction(d));
    }
    s.step = sound_step(&s) * draw_scale(d, 0.1, 1.0);
    s.until = 100.0 * s.step;
    return s;
}

#endif
