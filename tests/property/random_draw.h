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

#endif
