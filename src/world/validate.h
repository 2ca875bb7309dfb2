/* validate.h: a check of all invariants of a world, for assertions and tests. */
#ifndef TRUNDLE_WORLD_VALIDATE_H
#define TRUNDLE_WORLD_VALIDATE_H

#include "world/world.h"

/* Returns a sentence about the first invariant that a world violates; NULL if all hold. It allocates nothing. Its time is proportional
 * to the number of bodies, contacts, joints and events, so that runs call it once per VALIDATE_PERIOD steps. */
const char *trui_world_validate(const tru_world *w);

enum { VALIDATE_PERIOD = 64 }; /* [steps] between two checks of tru_run in builds with assertions */

/* Asserts that a world is valid and hands the sentence to the handler of assertions. Builds without assertions contain no code for it. */
static inline void world_assert_valid(const tru_world *w) {
#ifdef TRU_ASSERTIONS
    const char *wrong = trui_world_validate(w);
    if (wrong) trui_assert_failed(wrong, __FILE__, __LINE__);
#endif
    (void)w;
}
/* The same if the last `steps` steps have passed a multiple of the period. */
static inline void world_assert_valid_after(const tru_world *w, uint64_t steps) {
    if (w->steps_done % VALIDATE_PERIOD < steps) world_assert_valid(w);
}

#endif
