/* scene_text.h: a small scene for the tests of scenes, and what to do with it. */
#ifndef TRUNDLE_TESTS_IO_SCENE_TEXT_H
#define TRUNDLE_TESTS_IO_SCENE_TEXT_H

#include "check.h"

#include "scene/values/scene.h"
#include "scene/scene_world.h"

/* A ball on a table. */
#define BALL_HEAD                                                                                                      \
    "trundle: 1\n"                                                                                                     \
    "title: A ball\n"                                                                                                  \
    "parameters: {radius: 0.1 m, speed: 1 m/s, mu: 0.2}\n"
#define BALL_LAWS                                                                                                      \
    "materials: [steel, glass]\n"                                                                                      \
    "laws: {felt: {coulomb: {slide: mu}}}\n"                                                                           \
    "pairs: [{between: [steel, glass], law: felt}]\n"
#define BALL_BODIES                                                                                                    \
    "bodies:\n"                                                                                                        \
    "  table: {kind: fixed, shape: plane, material: glass}\n"                                                          \
    "  ball: {shape: {sphere: {radius: radius}}, material: steel, density: 1800, position: [0, 0, radius], "           \
    "velocity: [speed, 0, 0]}\n"
#define BALL_END                                                                                                       \
    "steppers: {moreau: {step: 1 ms}}\n"                                                                               \
    "record: {until: 1 s}\n"
#define BALL BALL_HEAD BALL_LAWS BALL_BODIES BALL_END

static inline tru_scene *scene_of_sets(const char *text, const tru_set *sets, size_t count) {
    tru_scene *scene = NULL;
    tru_error err = {TRU_OK, ""};
    if (!check_status(tru_scene_parse(text, strlen(text), "a.yaml", sets, count, &scene, &err), TRU_OK))
        printf("  %s\n", err.text);
    return scene;
}

static inline tru_scene *scene_of(const char *text) { return scene_of_sets(text, NULL, 0); }

/* The world of a scene, checked; NULL after a failed check. */
static inline tru_world *world_of(const tru_scene *scene, const char *stepper) {
    tru_world *world = NULL;
    tru_error err = {TRU_OK, ""};
    tru_status s = trio_scene_build_world(scene, stepper, 1, &world, &err);
    if (!s) s = trio_scene_check_world(scene, world, &err);
    if (!check_status(s, TRU_OK)) printf("  %s\n", err.text);
    return world;
}

#endif
