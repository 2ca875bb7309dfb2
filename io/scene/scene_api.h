/* scene_api.h: what a simulation reads from a scene beyond the public functions. */
#ifndef TRUNDLE_IO_SCENE_API_H
#define TRUNDLE_IO_SCENE_API_H

#include "scene/values/scene.h"

/* Returns the stop conditions of a scene. */
const scene_stop *trio_scene_stops(const tru_scene *scene, size_t *count);
/* Returns the outlets of a scene; no body has left through them. */
const outlet *trio_scene_outlets(const tru_scene *scene, size_t *count);
/* Puts "file:line:column: " of a path ("record.probes.2") before a sentence. Returns its status. */
tru_status trio_scene_error_at(const tru_scene *scene, const char *path, tru_error *err);
const char *trio_scene_file(const tru_scene *scene);

#endif
