/* bench_pile.h: benchmarks of one step of a settled pile: sweeps, packing, detection, time to a velocity error, memory. */
#ifndef TRUNDLE_APP_BENCH_PILE_H
#define TRUNDLE_APP_BENCH_PILE_H

#include <trundle/io.h>

enum { BENCH_REMARK = 240 };

/* A pile as it stands at the end of its scene, kept for the next benchmark of the same scene. */
typedef struct bench_pile bench_pile;

typedef struct pile_wish {
    const char *
        call; /* "settled.update", "settled.accelerated", "settled.pack", "settled.detect", "settled.settle", "settled.memory", "settled.single" */
    bool exact;   /* form of the contact law */
    double error; /* [m/s] that "settled.settle" is to reach */
} pile_wish;

/* Is it one of these? */
bool bench_pile_knows(const char *call);
/* Value [ns, ms, bytes]; the hash is that of the pile's state; the remark, for the note, tells bytes by part. `kept` starts as
 * NULL. */
tru_status bench_pile_call(bench_pile **kept, const tru_scene *scene, const pile_wish *wish, double *value,
                           uint64_t *hash, char remark[BENCH_REMARK], tru_error *err);
void bench_pile_free(bench_pile *old);

#endif
