/* run_scenes.h: scenes with something in every table of run.h5, and running them with results in tests. */
#ifndef TRUNDLE_TESTS_RUN_SCENES_H
#define TRUNDLE_TESTS_RUN_SCENES_H

#include "sim_scenes.h"

/* Frames every 8 steps (7.7), rows every 3 (2.7); the ball bounces, slips, sticks, rests in between. */
#define BALL_RUN                                                                                                            \
    BALL_SCENE(                                                                                                             \
        "  second: {shapes: [{shape: {box: {size: [0.2, 0.1, 0.05]}}}, {shape: {sphere: {radius: 0.02}}}], density: 900,\n" \
        "           position: [0.5, 1, 0.3], angular_velocity: [1, 2, 3]}\n"                                                \
        "steppers: {moreau: {step: 1 ms}}\n"                                                                                \
        "record: {until: 0.7, frames: 7.7 ms, interval: 2.7 ms, contacts: true, snapshots: 0,\n"                            \
        "         probes: [ball.speed, contact.slip, second.tilt, energy.total, solver.relative]}\n")

/* Bodies that come while it runs, frames in double precision. */
#define RAIN_RUN                                                                                                       \
    "trundle: 1\n"                                                                                                     \
    "laws: {felt: {coulomb: {slide: 0.3}}}\n"                                                                          \
    "pairs:\n"                                                                                                         \
    "  - {default: felt, restitution: 0.3}\n"                                                                          \
    "bodies:\n"                                                                                                        \
    "  table: {kind: fixed, shape: plane}\n"                                                                           \
    "fill:\n"                                                                                                          \
    "  rain:\n"                                                                                                        \
    "    body: {shape: {sphere: {radius: 0.02}}, density: 1000}\n"                                                     \
    "    place: {emitter: {lowest: [-0.05, -0.05, 0.1], highest: [0.05, 0.05, 0.15], rate: 40, count: 12}}\n"          \
    "    sizes: {uniform: {lowest: 0.5, highest: 1}}\n"                                                                \
    "steppers: {moreau: {step: 1 ms}}\n"                                                                               \
    "record: {until: 0.4, frames: 9 ms, interval: 4 ms, contacts: true, double: true, snapshots: 0,\n"                 \
    "         probes: [energy.total, bodies]}\n"

/* The same where bodies go again, through two outlets; the last one stays. */
#define LEAVE_RUN                                                                                                      \
    RAIN_RUN                                                                                                           \
    "outlets:\n"                                                                                                       \
    "  left: {lowest: [-1, -1, -1], highest: [-0.01, 1, 0.06]}\n"                                                      \
    "  right: {lowest: [0.01, -1, -1], highest: [1, 1, 0.05]}\n"

static inline void run_must(tru_status s, const tru_error *err, const char *what) {
    if (s >= 0) return;
    printf("%s: %s\n", what, err->text);
    exit(1);
}
#define RUN(call) run_must((call), &err, #call)

/* Advance a recorded simulation to its end, or to `stop` steps. */
static inline void run_recorded(tru_sim *sim, tru_results *r, uint64_t stop) {
    tru_error err;
    while (!tru_sim_done(sim) && tru_steps_done(tru_sim_world(sim)) < stop) {
        const uint64_t left = stop - tru_steps_done(tru_sim_world(sim));
        RUN(tru_sim_run(sim, left < 5 ? left : 5, &err));
        RUN(tru_results_step(r, &err));
    }
}

/* A whole run into a folder, over what is there. */
static inline void run_whole(const tru_scene *scene, const char *dir) {
    tru_error err;
    tru_results *r;
    tru_sim *sim = sim_of(scene);
    RUN(tru_results_create(dir, sim, scene, TRU_RESULTS_REPLACE, &r, &err));
    run_recorded(sim, r, UINT64_MAX);
    RUN(tru_results_finish(r, 0.0, &err));
    tru_results_free(r);
    tru_sim_free(sim);
}

/* Go on with a folder to `stop` steps; UINT64_MAX: to the end. Returns the state hash. */
static inline uint64_t run_resumed(const tru_scene *scene, const char *dir, uint64_t stop, bool finish) {
    tru_error err;
    tru_results *r;
    tru_sim *sim = sim_of(scene);
    RUN(tru_sim_resume(sim, scene, dir, &err));
    RUN(tru_results_create(dir, sim, scene, TRU_RESULTS_RESUME, &r, &err));
    run_recorded(sim, r, stop);
    if (finish)
        RUN(tru_results_finish(r, 0.0, &err));
    else
        RUN(tru_results_snapshot(r, &err));
    const uint64_t hash = tru_state_hash(tru_sim_world(sim));
    tru_results_free(r);
    tru_sim_free(sim);
    return hash;
}

#endif
