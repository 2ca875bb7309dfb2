/* state_actors.h: loads, prescribed motions and joints in the stream of a world. */
#ifndef TRUNDLE_API_STATE_STATE_ACTORS_H
#define TRUNDLE_API_STATE_STATE_ACTORS_H

#include "api/state/stream.h"
#include "world/world.h"

/* Streams one load. Reading fails if its body is not free. */
void trui_io_load(stream *s, tru_world *w, load *l);
/* Writes or reads all loads. */
void trui_io_loads(stream *s, tru_world *w);
/* Streams one prescribed motion. Reading fails if its body is not driven. */
void trui_io_motion(stream *s, tru_world *w, motion *m);
/* Writes or reads all motions. */
void trui_io_motions(stream *s, tru_world *w);
/* Streams what the last step left in a joint. */
void trui_io_joint_motion(stream *s, joint *j);
/* Streams kind and parameters of a joint. */
void trui_io_joint_type(stream *s, tru_world *w, joint *j);
/* Hashes a joint without what trui_io_joint_motion streams, or streams all of it but kind and parameters. */
void trui_io_joint(stream *s, joint *j);
/* Writes or reads all joints. */
void trui_io_joints(stream *s, tru_world *w);

#endif
