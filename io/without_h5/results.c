/* results.c: what takes the place of run.h5 in a library that is built without HDF5. */
#include "common/fail.h"

#include "run_h5/h5_reader.h"

static tru_status refuse(const char *dir, tru_error *err) {
    return trio_fail(err, TRU_REFUSED, "%s/run.h5: cannot be used: this build of trundle has no HDF5", dir);
}

tru_status tru_results_create(const char *dir, tru_sim *sim, const tru_scene *scene, tru_results_mode mode,
                              tru_results **out, tru_error *err) {
    (void)sim, (void)scene, (void)mode;
    *out = NULL;
    return refuse(dir, err);
}
bool tru_results_exist(const char *dir) { return (void)dir, false; }
tru_status tru_results_step(tru_results *results, tru_error *err) { return (void)results, refuse("", err); }
tru_status tru_results_snapshot(tru_results *results, tru_error *err) { return (void)results, refuse("", err); }
tru_status tru_results_finish(tru_results *results, double wall_seconds, tru_error *err) {
    return (void)results, (void)wall_seconds, refuse("", err);
}
void tru_results_free(tru_results *results) { (void)results; }
tru_status tru_sim_resume(tru_sim *sim, const tru_scene *scene, const char *dir, tru_error *err) {
    (void)sim, (void)scene;
    return refuse(dir, err);
}
tru_status tru_results_scene(const char *dir, tru_scene **scene, char *stepper, size_t room, tru_error *err) {
    (void)stepper, (void)room;
    *scene = NULL;
    return refuse(dir, err);
}
tru_status trio_reader_open(const char *dir, reader *r, tru_error *err) {
    (void)r;
    return refuse(dir, err);
}
