/* scene.h: reads a scene that is written in the program. */
#ifndef EXAMPLE_SCENE_H
#define EXAMPLE_SCENE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trundle/io.h>

/* Ends the program with the library's sentence if a call failed. */
static inline void must(tru_status status, const tru_error *err) {
    if (status >= 0) return;
    fprintf(stderr, "%s\n", err->text);
    exit(1);
}

/* Reads a scene from a text. The caller frees it with tru_scene_free. */
static inline tru_scene *scene_of(const char *text) {
    tru_error err;
    tru_scene *scene = NULL;
    must(tru_scene_parse(text, strlen(text), "example", NULL, 0, &scene, &err), &err);
    return scene;
}

/* Creates a simulation of a scene. The caller frees it with tru_sim_free. */
static inline tru_sim *sim_of(const tru_scene *scene) {
    tru_error err;
    tru_sim *sim = NULL;
    must(tru_sim_create(scene, NULL, 1, &sim, &err), &err);
    return sim;
}

#endif
