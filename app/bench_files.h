/* bench_files.h: benchmarks of what surrounds the steps: starting the program, reading scenes, writing results. */
#ifndef TRUNDLE_APP_BENCH_FILES_H
#define TRUNDLE_APP_BENCH_FILES_H

#include <trundle/io.h>

/* One of the calls below, with a scene and its file; `hash` names the scene or the state that was reached. */
typedef tru_status bench_call(const tru_scene *scene, const char *path, double *value, uint64_t *hash, tru_error *err);

/* "start", "read", "read_memory", "write", "disk", "track_loads", "track_collide"; NULL: no such call. */
bench_call *bench_call_named(const char *name);

#endif
