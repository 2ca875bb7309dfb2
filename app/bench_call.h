/* bench_call.h: what every benchmark that is a call of its own looks like. */
#ifndef TRUNDLE_APP_BENCH_CALL_H
#define TRUNDLE_APP_BENCH_CALL_H

#include <trundle/io.h>

/* With a scene and its file; `hash` names the scene or the state that was reached. */
typedef tru_status bench_call(const tru_scene *scene, const char *path, double *value, uint64_t *hash, tru_error *err);

#endif
