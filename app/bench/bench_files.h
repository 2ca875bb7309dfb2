/* bench_files.h: benchmarks of what surrounds the steps: starting the program, reading scenes, writing results. */
#ifndef TRUNDLE_APP_BENCH_FILES_H
#define TRUNDLE_APP_BENCH_FILES_H

#include "bench_call.h"

/* "start", "read", "read_memory", "write", "disk", "track_loads", "track_collide"; NULL: no such call. */
bench_call *bench_call_named(const char *name);

#endif
