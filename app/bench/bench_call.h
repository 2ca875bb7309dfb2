/* bench_call.h: the interface of benchmarks that are functions of the program. */
#ifndef TRUNDLE_APP_BENCH_CALL_H
#define TRUNDLE_APP_BENCH_CALL_H

#include "sample.h"

#include <trundle/io.h>

enum { BENCH_REMARK = 240 };

/* The options of a call, apart from its scene. */
typedef struct bench_wish {
    const char *call;    /* its name in bench/bench.yaml */
    const char *path;    /* file of the scene */
    const char *stepper; /* block of the scene; NULL: its first */
    int threads;
    bool exact;   /* form of the contact law of "settled.*" */
    double error; /* [m/s] that "settled.settle" is to reach */
    double from;  /* [s] simulated time before "parts" measures */
} bench_wish;

typedef struct bench_reading {
    sample values;             /* [unit of the benchmark] */
    bool difference;           /* each value is a difference of two times; a busy machine makes it unreliable */
    bool middle;               /* the median counts; otherwise the smallest value, unless they are differences */
    uint64_t hash;             /* hash of the scene or of the state that was reached */
    char remark[BENCH_REMARK]; /* for the note */
} bench_reading;

typedef tru_status bench_call(const tru_scene *scene, const bench_wish *wish, bench_reading *out, tru_error *err);

#endif
