/* rest.h: scenes that come to rest from motion, and the check that they stay there (P3). */
#ifndef TRUNDLE_TESTS_PROPERTY_REST_H
#define TRUNDLE_TESTS_PROPERTY_REST_H

#include "scenes.h"

static inline scene rest_ball(void) {
    scene s = scene_begin("ball", 0);
    scene_add_coulomb(&s, 0.3);
    scene_add_rolling(&s, 5e-3, 2e-3);
    scene_add_plane(&s);
    scene_add_sphere(&s, 0.1, 2.0, v3(1.0, 0.5, 0.0), v3(1.0, 2.0, 6.0));
    return s;
}

static inline scene rest_bouncing_ball(void) {
    scene s = rest_ball();
    s.name = "ball that bounced";
    s.pair.restitution = 0.5;
    s.bodies[1].def.position.z = 0.4;
    return s;
}

static inline scene rest_box(void) {
    scene s = scene_begin("box on its face", 0);
    scene_add_coulomb(&s, 0.3);
    scene_add_plane(&s);
    scene_add_box(&s, v3(0.3, 0.2, 0.1), 4.0, v3(1.0, 0.3, 0.0), v3(0.0, 0.0, 2.0));
    return s;
}

static inline scene rest_box_on_slope(void) {
    scene s = box_on_slope();
    s.name = "box on a slope";
    return s;
}

static inline scene rest_box_dropped(void) {
    scene s = box_drops();
    s.name = "box that was dropped";
    return s;
}

static inline scene rest_disk(void) {
    scene s = disk_slides_flat();
    s.name = "disk that slid flat";
    return s;
}

static inline scene rest_disk_fallen(void) {
    scene s = disk_falls_flat();
    s.name = "disk that fell flat";
    return s;
}

static inline scene rest_stone(void) {
    const tru_ellipsoid shape = {{0.1, 0.07, 0.05}};
    scene s = scene_begin("ellipsoid", 0);
    scene_add_coulomb(&s, 0.4);
    scene_add_rolling(&s, 4e-3, 4e-3);
    scene_add_plane(&s);
    scene_body *b = scene_add_body(&s, "ellipsoid", &shape, 1.0);
    b->def.orientation = (tru_quat){0.9, 0.3, 0.2, 0.1};
    b->def.velocity = v3(0.3, 0.1, 0.0);
    b->def.angular_velocity = v3(1.0, 2.0, 3.0);
    scene_set_down(b);
    return s;
}

static inline scene rest_coin(void) {
    scene s = coin_falls();
    s.name = "coin that fell";
    return s;
}

static inline scene rest_balls(void) {
    scene s = ball_on_two();
    s.name = "ball on two balls";
    return s;
}

static const struct rest_case {
    scene (*make)(void);
    int settle; /* steps of 1 ms until it must rest */
} rest_cases[] = {
    {rest_ball, 4000},        {rest_bouncing_ball, 5000}, {rest_box, 1500},         {rest_box_on_slope, 1500},
    {rest_box_dropped, 6000}, {rest_disk, 1000},          {rest_disk_fallen, 6000}, {rest_stone, 6000},
    {rest_coin, 6000},        {rest_balls, 500},
};
enum { REST_CASES = sizeof rest_cases / sizeof *rest_cases };

/* Fastest point of any body. [m/s] */
static inline double fastest(const tru_world *w) {
    double speed = 0.0;
    for (size_t k = 0; k < tru_body_count(w); k++) {
        tru_error err;
        tru_body_info info;
        MUST(tru_body_describe(w, tru_body_at(w, k), &info, &err));
        const tru_body_state s = kit_get_state(w, tru_body_at(w, k));
        speed = fmax(speed, v3_norm(s.velocity) + info.size * v3_norm(s.angular_velocity));
    }
    return speed;
}

/* After settling: below 1e-12 m/s in every sample of `steps` steps, and nothing creeps. */
static inline void stays_at_rest(const struct rest_case *c, long steps, int every) {
    tru_error err;
    const scene s = c->make();
    const method m = method_at(0, 1e-3); /* as it comes: moreau with its defaults */
    tru_world *w = scene_build(&s, &m);
    MUST(tru_run(w, (uint64_t)c->settle, &err));
    tru_body_state start[SCENE_BODIES];
    for (size_t k = 0; k < tru_body_count(w); k++) start[k] = kit_get_state(w, tru_body_at(w, k));
    double worst = fastest(w), crept = 0.0;
    for (long i = 0; i < steps; i += every) {
        const tru_status status = tru_run(w, (uint64_t)every, &err);
        check(status == TRU_OK);
        worst = fmax(worst, fastest(w));
    }
    for (size_t k = 0; k < tru_body_count(w); k++) {
        const tru_body_state now = kit_get_state(w, tru_body_at(w, k));
        crept = fmax(crept, v3_norm(v3_sub(now.position, start[k].position)));
        crept = fmax(crept, 0.1 * v3_norm(quat_vec(quat_mul(quat_conj(start[k].orientation), now.orientation))));
    }
    if (!check(worst < 1e-12)) printf("%s: %.3g m/s\n", s.name, worst);
    if (!check(crept < 1e-11)) printf("%s: crept %.3g m\n", s.name, crept);
    bool told = false;
    for (tru_event e[64];;) { /* and it was said */
        const size_t n = tru_events_take(w, e, 64, NULL);
        for (size_t k = 0; k < n; k++) told |= e[k].kind == TRU_EVENT_REST;
        if (n == 0) break;
    }
    check(told);
    tru_world_destroy(w);
}

#endif
