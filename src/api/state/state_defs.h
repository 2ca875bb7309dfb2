/* state_defs.h: definitions, clock, stepper and ledger of a world in its stream. */
#ifndef TRUNDLE_API_STATE_STATE_DEFS_H
#define TRUNDLE_API_STATE_STATE_DEFS_H

#include "api/state/stream.h"
#include "world/world.h"

/* Returns the sum of the hashes of gravity, materials, pairs and start modes: the definitions that a snapshot does not hold. */
uint64_t trui_hash_definitions(const tru_world *w);
/* Streams the hashes of these definitions. Reading fails with TRU_DAMAGED if one differs from that of stream.defs. */
void trui_io_definitions(stream *s);
/* Streams time, numbers of steps, and the next ids. */
void trui_io_clock(stream *s, tru_world *w);
/* Streams the name of the stepper; a hash takes its parameters too. A run may continue with another stepper. */
void trui_io_stepper(stream *s, tru_world *w);
/* Streams every entry of the ledger. */
void trui_io_ledger(stream *s, tru_ledger *l);

#endif
