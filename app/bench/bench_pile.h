/* bench_pile.h: benchmarks of one step of a settled pile: sweeps, packing, detection, time to a velocity error, memory. */
#ifndef TRUNDLE_APP_BENCH_PILE_H
#define TRUNDLE_APP_BENCH_PILE_H

#include "bench_call.h"

/* A pile as it stands at the end of its scene, kept for the next benchmark of the same scene. */
typedef struct bench_pile bench_pile;

/* Returns true for "settled.update", "settled.accelerated", "settled.single", "settled.pack", "settled.detect",
 * "settled.settle" and "settled.memory". */
bool bench_pile_knows(const char *call);
/* Measures values [ns, ms, bytes]. The hash is that of the pile's state; the remark has bytes by part, or sweeps. `kept`
 * starts as NULL. */
tru_status bench_pile_call(bench_pile **kept, const tru_scene *scene, const bench_wish *wish, bench_reading *out,
                           tru_error *err);
void bench_pile_free(bench_pile *old);

#endif
