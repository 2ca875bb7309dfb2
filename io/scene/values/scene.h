/* scene.h: a scene inside io/: what sim.c needs of it beyond io.h. The file's tree stays the truth; everything here is
 * evaluated from it, so that a sweep changes one value and evaluates again. */
#ifndef TRUNDLE_IO_SCENE_H
#define TRUNDLE_IO_SCENE_H

#include "expression.h"
#include "common/outlet.h"

#include <trundle/io.h>

/* ---- worlds ---- */

/* A new world with materials, pairs, bodies, fills, loads, motions, start modes and the stepper block of that name
 * (NULL: the scene's first); tru_check is left to the caller. Sentences begin with file:line:column of the object. */
tru_status trio_scene_build_world(const tru_scene *scene, const char *stepper, int threads, tru_world **out,
                                  tru_error *err);

/* tru_check of such a world, with file:line:column of the body, pair or law its sentence speaks of. */
tru_status trio_scene_check_world(const tru_scene *scene, tru_world *world, tru_error *err);

/* ---- when to stop: any one of them ends the run ---- */

typedef enum scene_stop_kind { STOP_REST, STOP_FLAT, STOP_EVENT, STOP_PROBE } scene_stop_kind;
typedef struct scene_stop {
    int32_t kind;      /* scene_stop_kind */
    const char *body;  /* rest, flat, event: of this body only; NULL: rest of all free bodies, flat or event of any */
    int32_t event;     /* tru_event_kind */
    int32_t row_kind;  /* tru_kind for slip and stick, -1: any */
    int32_t count;     /* the event has happened that often */
    const char *probe; /* name of a probe */
    bool below;        /* stops below `limit`, else above it */
    quantity limit;    /* of the probe; see trio_quantity_fits with the probe's unit */
    const char *path;  /* "stop_when.probe", for scene_error_at */
} scene_stop;
const scene_stop *trio_scene_stops(const tru_scene *scene, size_t *count);

/* ---- emitters: their state is two counters in the simulation ---- */

size_t trio_scene_emitter_count(const tru_scene *scene);
const char *trio_scene_emitter_name(const tru_scene *scene, size_t e);
/* How many bodies emitter e has made by `time` [s] if there was always room. */
uint64_t trio_scene_emitter_due(const tru_scene *scene, size_t e, double time);
/* Refuse emitters that are faster than their space allows, or that make bodies behind the planes of fixed bodies, or such
 * that the stepper (NULL: the scene's first) would refuse once they are there: shapes that cannot meet, pairs without law. */
tru_status trio_scene_check_emitters(const tru_scene *scene, const char *stepper, tru_world *world, tru_error *err);
/* Add bodies *made, *made + 1, ... of emitter e, named "<emitter>-<k+1>", at free places until there are `due`; *tries counts
 * the places tried so far for all its bodies (0 at first) and names the next one. Ends before with *made < due where no
 * place of a call was free: ask again after the next step. */
tru_status trio_scene_emit(const tru_scene *scene, size_t e, uint64_t *made, uint64_t due, uint64_t *tries,
                           tru_world *world, tru_error *err);

/* ---- outlets: nothing has left yet ---- */

const outlet *trio_scene_outlets(const tru_scene *scene, size_t *count);

/* ---- where things stand ---- */

/* Put "file:line:column: " of a path ("record.probes.2") before a sentence; returns its status. */
tru_status trio_scene_error_at(const tru_scene *scene, const char *path, tru_error *err);
const char *trio_scene_file(const tru_scene *scene);

#endif
