/* random_reference.h: one smooth body that stays on a plane, and what the stepper event says of it: an independent method
 * that locates slip, stick and lift to round-off. */
#ifndef TRUNDLE_TESTS_PROPERTY_RANDOM_REFERENCE_H
#define TRUNDLE_TESTS_PROPERTY_RANDOM_REFERENCE_H

#include "random_draw.h"

/* A sphere, ellipsoid, disk or capsule that touches the floor in one point, with Coulomb friction and without restitution;
 * `rolls`: it starts without slip. It turns by about `turn` rad until s.until. */
static inline random_scene draw_smooth(draws *d, const book *of, bool rolls, double turn) {
    random_scene s = scene_blank(d, of);
    const random_shape shapes[] = {SPHERE, ELLIPSOID, DISK, CAPSULE};
    const double tilt = draw_chance(d, 0.3) ? draw_between(d, 0.0, 0.3) : 0.0;
    s.plane = true;
    s.body_count = 1;
    s.length = draw_scale(d, 1e-4, 1e2);
    s.gravity = v3(earth_gravity * sin(tilt), 0.0, -earth_gravity * cos(tilt));
    random_body *b = &s.bodies[0];
    *b = draw_body(d, shapes[draw_below(d, 4)], s.length, 0.4);
    b->mass = draw_scale(d, 1e2, 1e4) * s.length * s.length * s.length;
    b->attitude = draw_attitude(d);
    const double rate = sqrt(earth_gravity / s.length) * draw_scale(d, 0.3, 3.0);
    b->rate = v3_scale(rate, draw_direction(d));
    s.speed = rate * s.length;
    b->velocity = v3_scale(s.speed * draw_between(d, 0.1, 1.0), draw_direction(d));
    text_add(s.laws, sizeof s.laws, "{coulomb: {slide: %.17g}}", draw_scale(d, 0.1, 1.5));
    body_set_down(b, 0.0);
    body_set_rolling(b, rolls);
    s.until = turn / rate;
    return s;
}

/* What a run says of its one contact. */
typedef struct contact_story {
    double lowest;             /* [-] normal force, in parts of the weight; 0 without contact */
    double demand;             /* [-] largest friction force, in parts of the normal force */
    double rate;               /* [rad/s] largest: of the body, or of its contact as seen from its centre */
    long lifts, slips, others; /* events: lift; slip, stick or cross; touch after the start, handover */
    tru_body_state end;
    bool good; /* ran to its end */
} contact_story;

static inline void count_events(tru_world *w, contact_story *story) {
    tru_event e[64];
    uint64_t lost;
    for (size_t n; (n = tru_events_take(w, e, 64, &lost)) > 0;)
        for (size_t i = 0; i < n; i++) {
            const bool first = e[i].kind == TRU_EVENT_TOUCH && e[i].time <= 1.001 * tru_step_size(w);
            if (e[i].kind == TRU_EVENT_LIFT)
                story->lifts++;
            else if (e[i].kind == TRU_EVENT_SLIP || e[i].kind == TRU_EVENT_STICK || e[i].kind == TRU_EVENT_CROSS)
                story->slips++;
            else if (!first && e[i].kind != TRU_EVENT_REST)
                story->others++;
        }
}

/* The contact's place on the body, body axes. */
static inline tru_vec3 contact_on_body(const random_scene *s, const tru_body_state *now, tru_vec3 down) {
    random_body b = s->bodies[0];
    b.attitude = now->orientation;
    return quat_unrotate(b.attitude, body_farthest(&b, down));
}

/* [rad/s] How fast the contact runs over the body, as seen from its centre: now, or on the mean since it was at `last`, `time`
 * ago. A disk that falls nearly flat, or a body with flat sides, turns slowly while its contact runs round: a step must resolve
 * that too. */
static inline double contact_turns(const random_scene *s, const tru_body_state *now, tru_vec3 last, double time) {
    const double moment = 1e-6 / fmax(v3_norm(now->angular_velocity), 1e-300);
    const tru_vec3 down = v3(0.0, 0.0, -1.0), later = v3_madd(down, -moment, v3_cross(now->angular_velocity, down));
    const tru_vec3 here = contact_on_body(s, now, down), there = contact_on_body(s, now, later);
    return fmax(v3_norm(v3_sub(there, here)) / moment, v3_norm(v3_sub(here, last)) / time) / v3_norm(here);
}

/* Runs `steps` steps; forces are means over a step. */
static inline contact_story run_story(const random_scene *s, opened *o, int steps, tru_error *err) {
    contact_story story = {.lowest = HUGE_VAL, .good = true};
    const double weight = s->bodies[0].mass * earth_gravity * tru_step_size(o->world);
    tru_body_state now = state_of(o->world, 0);
    for (int i = 0; i < steps && story.good; i++) {
        tru_contact_info c;
        double normal = 0.0, friction = 0.0;
        story.good = tru_run(o->world, 1, err) >= 0;
        for (size_t k = 0; k < tru_contact_count(o->world); k++) {
            if (tru_contact_get(o->world, k, &c, err) < 0) continue;
            normal += c.impulse[TRU_ROW_NORMAL];
            friction = fmax(friction, hypot(c.impulse[TRU_ROW_SLIDE1], c.impulse[TRU_ROW_SLIDE2]));
        }
        const tru_vec3 last = contact_on_body(s, &now, v3(0.0, 0.0, -1.0));
        now = state_of(o->world, 0);
        story.rate = fmax(story.rate,
                          fmax(v3_norm(now.angular_velocity), contact_turns(s, &now, last, tru_step_size(o->world))));
        story.lowest = fmin(story.lowest, normal / weight);
        story.demand = fmax(story.demand, friction / fmax(normal, 1e-300));
        count_events(o->world, &story);
    }
    story.end = state_of(o->world, 0);
    return story;
}

enum { FINE_RECORDS = 200 };
#define MOST_TURNED 10.0 /* [rad] of the body or its contact in a run that is used: they take 200 steps of 0.05 rad */

/* The story by event; good only if the body stayed on the floor without another method's help, and its contact does not run round
 * faster than can be looked at. */
static inline contact_story reference_story(const random_scene *s) {
    contact_story story = {.good = false};
    char block[SCENE_ROOM];
    opened o;
    tru_error err;
    if (!scene_open_with(s, way_named("event"), s->until / FINE_RECORDS, "", 1, block, &o, &err)) return story;
    story = run_story(s, &o, FINE_RECORDS, &err);
    story.good = story.good && story.lifts == 0 && story.others == 0 && story.rate * s->until <= MOST_TURNED;
    scene_close(&o);
    return story;
}

/* Difference of two states in parts of the length and speed of the scene. */
static inline double state_distance(const random_scene *s, const tru_body_state *a, const tru_body_state *b) {
    const tru_quat p = a->orientation, q = b->orientation;
    const double cosine = fabs(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z);
    const double turned = s->bodies[0].shape == SPHERE ? 0.0 : 2.0 * sqrt(fmax(0.0, 2.0 * (1.0 - fmin(cosine, 1.0))));
    return v3_norm(v3_sub(a->position, b->position)) / s->length + turned +
           v3_norm(v3_sub(a->velocity, b->velocity)) / s->speed +
           v3_norm(v3_sub(a->angular_velocity, b->angular_velocity)) * s->length / s->speed;
}

/* Does the end of the scene depend on its start so much that steps cannot be compared? The start turns faster by 1e-3. */
static inline bool scene_sensitive(const random_scene *s, const contact_story *truth) {
    random_scene other = *s;
    random_body *b = &other.bodies[0];
    b->rate = v3_scale(1.001, b->rate);
    b->velocity = v3_scale(1.001, b->velocity);
    const contact_story story = reference_story(&other);
    return !story.good || state_distance(s, &story.end, &truth->end) > 0.05;
}

/* Can this way be expected to follow the story? A scheme for rolling needs a body that rolls all the time (or slips by its own
 * means), and the relaxed form throws up what starts to slip with s(u), at any step. */
static inline bool way_follows(const way *how, const contact_story *truth, bool rolls) {
    const bool always_rolls = rolls && truth->slips == 0;
    if (how->lifts) return always_rolls;
    return !how->rolls || truth->slips == 0 || strcmp(how->name, "variational-slip") == 0;
}

#endif
