/* state_bodies.h: bodies with their shapes in the stream of a world. */
#ifndef TRUNDLE_API_STATE_STATE_BODIES_H
#define TRUNDLE_API_STATE_STATE_BODIES_H

#include "api/state/stream.h"
#include "fields/fields.h"
#include "world/world.h"

/* A plug-in with parameters: what reading them needs. `check` and `build` may be NULL. */
typedef struct param_type {
    plug plug;
    tru_status (*check)(const void *params, tru_error *err);
    tru_status (*build)(void *params, const tru_allocator *allocator, tru_error *err);
    const char *name;
} param_type;

/* Streams the parameters of a plug-in by its field table. Reading allocates *params, which stays NULL on failure. */
void trui_io_params(stream *s, memory *m, const param_type *type, void **params);
/* Streams pose, velocities and gains of a body. A hash omits gains that are zero. */
void trui_io_body_motion(stream *s, body *b, body_gains *gains);
/* Hashes body i without what trui_io_body_motion streams, or writes all of it. */
void trui_give_body(stream *s, tru_world *w, size_t i);
/* Writes or reads all bodies with their shapes and names. */
void trui_io_bodies(stream *s, tru_world *w);

#endif
