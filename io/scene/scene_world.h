/* scene_world.h: worlds that are built from a scene, and the bodies that its emitters add to them. */
#ifndef TRUNDLE_IO_SCENE_WORLD_H
#define TRUNDLE_IO_SCENE_WORLD_H

#include <trundle/io.h>

/* Builds a world with materials, pairs, bodies, fills, loads, motions, start modes and the stepper block of that name (NULL: the
 * scene's first). The caller runs the check. Sentences begin with file:line:column of the object. */
tru_status trio_scene_build_world(const tru_scene *scene, const char *stepper, int threads, tru_world **out,
                                  tru_error *err);

/* Runs tru_check on such a world. The sentence begins with file:line:column of the body, pair or law that it names. */
tru_status trio_scene_check_world(const tru_scene *scene, tru_world *world, tru_error *err);

/* ---- emitters: their state is two counters in the simulation */

size_t trio_scene_emitter_count(const tru_scene *scene);
const char *trio_scene_emitter_name(const tru_scene *scene, size_t e);
/* Returns how many bodies emitter e has made by `time` [s] if there always was room. */
uint64_t trio_scene_emitter_due(const tru_scene *scene, size_t e, double time);
/* Refuses emitters that are faster than their space allows or that make bodies behind the planes of fixed bodies. Also refuses
 * those whose bodies the stepper (NULL: the scene's first) would refuse: shapes that cannot touch, pairs without a law. */
tru_status trio_scene_check_emitters(const tru_scene *scene, const char *stepper, tru_world *world, tru_error *err);
/* Adds bodies *made, *made + 1, ... of emitter e, named "<emitter>-<k+1>", at free places until there are `due`. *tries counts the
 * places that were tried for all its bodies, 0 at first, and determines the next place. If no place is free, *made stays
 * below `due`: the caller calls again after the next step. */
tru_status trio_scene_emit(const tru_scene *scene, size_t e, uint64_t *made, uint64_t due, uint64_t *tries,
                           tru_world *world, tru_error *err);

#endif
