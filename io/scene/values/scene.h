/* scene.h: stop conditions of a scene, as a simulation gets them. The tree of the file stays the truth: everything else is
 * evaluated from it, so that a sweep changes one value and evaluates again. */
#ifndef TRUNDLE_IO_SCENE_H
#define TRUNDLE_IO_SCENE_H

#include "expression.h"
#include "common/outlet.h"

#include <trundle/io.h>

/* Any one of the stop conditions ends the run. */
typedef enum scene_stop_kind { STOP_REST, STOP_FLAT, STOP_EVENT, STOP_PROBE } scene_stop_kind;
typedef struct scene_stop {
    int32_t kind;      /* scene_stop_kind */
    const char *body;  /* rest, flat, event: of this body only; NULL: rest of all free bodies, flat or event of any */
    int32_t event;     /* tru_event_kind */
    int32_t row_kind;  /* tru_kind for slip and stick, -1: any */
    int32_t count;     /* number of events that stops the run */
    const char *probe; /* name of a probe */
    bool below;        /* stops below `limit`, else above it */
    quantity limit;    /* of the probe; see trio_quantity_fits with the probe's unit */
    const char *path;  /* "stop_when.probe", for scene_error_at */
} scene_stop;

#endif
