/* bench_files.h: benchmarks of what surrounds the steps: starting the program, reading scenes, writing results. */
#ifndef TRUNDLE_APP_BENCH_FILES_H
#define TRUNDLE_APP_BENCH_FILES_H

#include "bench_call.h"

/* Returns the benchmark "start", "read", "read_memory", "write", "disk", "sim_save", "sim_load", "api_*" or "track_*"; NULL for
 * another name. */
bench_call *bench_call_named(const char *name);

#endif
