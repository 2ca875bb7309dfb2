/* sim_scenes.h: scenes as text for the tests of simulations and results. */
#ifndef TRUNDLE_TESTS_SIM_SCENES_H
#define TRUNDLE_TESTS_SIM_SCENES_H

#include <trundle/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Or the test ends with what was said. */
#define MUST(call)                                                                                                     \
    do {                                                                                                               \
        if ((call) < 0) {                                                                                              \
            printf("%s: %s\n", #call, err.text);                                                                       \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* A ball of radius 0.1 m that slides with 1 m/s on a table with friction 0.3; `end` holds steppers, record, stop_when. */
#define BALL_SCENE(end)                                                                                                \
    "trundle: 1\n"                                                                                                     \
    "title: a ball\n"                                                                                                  \
    "laws:\n"                                                                                                          \
    "  felt: {coulomb: {slide: 0.3}, rolling: {roll: 2 mm, spin: 1 mm}}\n"                                             \
    "pairs:\n"                                                                                                         \
    "  - {default: felt}\n"                                                                                            \
    "bodies:\n"                                                                                                        \
    "  table: {kind: fixed, shape: plane}\n"                                                                           \
    "  ball: {shape: {sphere: {radius: 0.1}}, mass: 2, position: [0, 0, 0.1], velocity: [1, 0, 0],\n"                  \
    "         angular_velocity: [0, 0, 3]}\n" end

static inline tru_scene *scene_of(const char *text) {
    tru_error err;
    tru_scene *scene;
    if (tru_scene_parse(text, strlen(text), "test.yaml", NULL, 0, &scene, &err) < 0) {
        printf("%s\n", err.text);
        exit(1);
    }
    return scene;
}

static inline tru_sim *sim_of(const tru_scene *scene) {
    tru_error err;
    tru_sim *sim;
    if (tru_sim_create(scene, NULL, 1, &sim, &err) < 0) {
        printf("%s\n", err.text);
        exit(1);
    }
    return sim;
}

#endif
