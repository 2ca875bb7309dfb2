/* story.h: what happened in a run, in words. */
#ifndef TRUNDLE_APP_STORY_H
#define TRUNDLE_APP_STORY_H

#include "table.h"

#include <trundle/io.h>

/* Whether an event is worth telling: every flat and rest, the first two slips and sticks of sliding, the first of every
 * other kind; not what is so from the start. Events must be asked in order; `seen` starts zeroed. */
typedef struct story_past {
    int slips[TRU_KINDS], sticks[TRU_KINDS], starts[TRU_KINDS], touches, lifts, others;
} story_past;
bool story_tells(const tru_event *event, double step, story_past *seen);

/* Rows "label, sentence" of a table of two columns. */

/* One row per body that had events: "coin: first slip at 25.29 s, stuck again at 25.68 s, flat at 67.65 s at ...". */
void story_events(table *t, const tru_sim *sim);
/* Where the energy is and where it went, in J and in parts of what was lost. */
void story_energy(table *t, const tru_ledger *ledger);
/* How the solver did. */
void story_solver(table *t, const tru_sim *sim);
/* The angle of repose where the bodies form a heap, with its estimators. */
void story_heap(table *t, const tru_world *world);

#endif
