/* bench_files.c: benchmarks of what surrounds the steps: starting the program, reading scenes, writing results. */
#include "bench_files.h"
#include "bench_api.h"
#include "bench_parts.h"
#include "bench_track.h"

#include "cli/app.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REPEATS = 15, BODIES = 20000, BLOCK = 1 << 20 };

extern char **environ;

static tru_status fail(tru_error *err, const char *what) {
    snprintf(err->text, sizeof err->text, "%s: %s", what, strerror(errno));
    return err->status = TRU_FILE;
}

/* ---- starting ---- */

/* Wall time of a whole `trundle run` of the scene that ends after its first step [ms]. */
static tru_status time_start(const tru_scene *scene, const bench_wish *wish, bench_reading *out, tru_error *err) {
    char *file = need_text("%s", wish->path);
    char *const words[] = {"trundle", "run", file, "--until", "1e-9", "--out", "none", NULL};
    posix_spawn_file_actions_t silent;
    posix_spawn_file_actions_init(&silent);
    posix_spawn_file_actions_addopen(&silent, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    tru_status status = TRU_OK;
    for (int k = 0; k < REPEATS && status >= 0; k++) {
        pid_t child;
        int result = 1;
        const double begun = now();
        errno = posix_spawn(&child, "/proc/self/exe", &silent, NULL, words, environ);
        if (errno != 0 || waitpid(child, &result, 0) < 0 || result != 0) status = fail(err, "trundle run");
        sample_add(&out->values, 1e3 * (now() - begun));
    }
    posix_spawn_file_actions_destroy(&silent);
    free(file);
    out->hash = tru_scene_hash(scene);
    return status;
}

/* ---- reading ---- */

/* A scene of many bodies, each written out: the text of a file. */
static char *large_scene(size_t *bytes) {
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);
    if (!out) no_memory();
    fputs("trundle: 1\ntitle: Many bodies\nparameters: {radius: 5 mm}\n"
          "pairs: [{default: none}]\nbodies:\n  floor: {kind: fixed, shape: plane}\n",
          out);
    for (int k = 0; k < BODIES; k++)
        fprintf(out,
                "  ball-%d:\n    shape: {sphere: {radius: radius}}\n    density: 2500 kg/m^3\n"
                "    position: [%.4f, %.4f, %.4f]\n    velocity: [%.4f m/s, 0, %.4f m/s]\n",
                k, 0.011 * (k % 28), 0.011 * (k / 28 % 28), 0.006 + 0.011 * (k / 784), 1e-3 * (k % 37),
                -1e-3 * (k % 41));
    fputs("steppers: {moreau: {step: 1 ms}}\nrecord: {until: 1 s}\n", out);
    if (fclose(out) != 0) no_memory();
    return text;
}

/* Reads the scene, builds and checks its world. */
static tru_status read_scene(const char *text, size_t bytes, uint64_t *hash, tru_error *err) {
    tru_scene *scene = NULL;
    tru_sim *sim = NULL;
    tru_status status = tru_scene_parse(text, bytes, "many.yaml", NULL, 0, &scene, err);
    if (status >= 0) status = tru_sim_create(scene, NULL, 1, &sim, err);
    if (status >= 0) *hash = tru_scene_hash(scene);
    tru_sim_free(sim);
    tru_scene_free(scene);
    return status;
}

static tru_status time_reading(const tru_scene *scene, const bench_wish *wish, bench_reading *out, tru_error *err) {
    size_t bytes;
    char *text = large_scene(&bytes);
    tru_status status = TRU_OK;
    (void)scene, (void)wish;
    for (int k = 0; k < REPEATS / 3 && status >= 0; k++) {
        const double begun = thread_seconds();
        status = read_scene(text, bytes, &out->hash, err);
        sample_add(&out->values, thread_seconds() - begun);
    }
    free(text);
    return status;
}

/* Returns the peak memory of `trundle check` of a file [bytes], negative if it failed. The memory of this process counts
 * for its child, so it releases what it does not need. */
static double check_memory(const char *path) {
    struct rusage used;
    int result = 1;
#ifdef __GLIBC__
    malloc_trim(0);
#endif
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stdout)) _exit(1);
        execl("/proc/self/exe", "trundle", "check", path, (char *)NULL);
        _exit(1);
    }
    if (child < 0 || wait4(child, &result, 0, &used) < 0 || result != 0) return -1.0;
    return 1024.0 * (double)used.ru_maxrss;
}

/* What the large scene adds to the memory of the program with a small one, in parts of its file. */
static tru_status memory_of_reading(const tru_scene *scene, const bench_wish *wish, bench_reading *out,
                                    tru_error *err) {
    char name[] = "trundle-bench-XXXXXX";
    size_t bytes;
    char *text = large_scene(&bytes);
    const int file = mkstemp(name);
    const bool written = file >= 0 && write(file, text, bytes) == (ssize_t)bytes;
    free(text);
    const double most = written ? check_memory(name) : -1.0, least = check_memory(wish->path);
    if (file >= 0) close(file), unlink(name);
    if (most < 0.0 || least < 0.0) return fail(err, name);
    sample_add(&out->values, (most - least) / (double)bytes);
    out->hash = tru_scene_hash(scene);
    return TRU_OK;
}

/* ---- writing ---- */

static void remove_folder(const char *dir) {
    static const char *const names[] = {"run.h5", "summary.json", "snapshot.tru"};
    char path[300];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(path, sizeof path, "%s/%s", dir, names[k]);
        unlink(path);
    }
    rmdir(dir);
}

/* A whole run, recorded into `dir` or not at all (NULL); wall time of the run and of what closes the file [s]. */
static tru_status run_recorded(const tru_scene *scene, const char *dir, double *seconds, uint64_t *hash,
                               tru_error *err) {
    tru_sim *sim = NULL;
    tru_results *results = NULL;
    tru_status status = tru_sim_create(scene, NULL, 1, &sim, err);
    const double begun = now();
    if (status >= 0 && dir) status = tru_results_create(dir, sim, scene, TRU_RESULTS_NEW, &results, err);
    while (status >= 0 && !tru_sim_done(sim)) {
        status = tru_sim_run(sim, UINT64_C(1) << 30, err);
        if (status >= 0 && dir) status = tru_results_step(results, err);
    }
    if (status >= 0 && dir) status = tru_results_finish(results, 0.0, err);
    *seconds = now() - begun;
    if (status >= 0) *hash = tru_state_hash(tru_sim_world(sim));
    tru_results_free(results);
    tru_sim_free(sim);
    return status;
}

/* Measures what recording adds to a run [s]: runs with and without it alternate. */
static tru_status time_writing(const tru_scene *scene, const bench_wish *wish, bench_reading *out, tru_error *err) {
    (void)wish;
    tru_status status = TRU_OK;
    out->difference = true;
    for (int k = 0; k < 5 && status >= 0; k++) {
        char dir[] = "trundle-bench-XXXXXX";
        double bare, recorded;
        if (!mkdtemp(dir)) return fail(err, "trundle-bench-XXXXXX");
        status = run_recorded(scene, NULL, &bare, &out->hash, err);
        if (status >= 0) status = run_recorded(scene, dir, &recorded, &out->hash, err);
        if (status >= 0) sample_add(&out->values, recorded - bare);
        remove_folder(dir);
    }
    return status;
}

/* Measures the limit of the disk: the bytes of all frames, by plain writes and one sync [s]. */
static tru_status time_disk(const tru_scene *scene, const bench_wish *wish, bench_reading *out, tru_error *err) {
    (void)wish;
    const tru_plan *plan = tru_scene_plan(scene);
    tru_sim *sim = NULL;
    if (tru_sim_create(scene, NULL, 1, &sim, err) < 0) return err->status;
    const double frames = plan->frames > 0.0 ? floor(plan->until / plan->frames + 1.5) : 0.0;
    const double bytes = frames * 13.0 * 4.0 * (double)tru_body_count(tru_sim_world(sim));
    tru_sim_free(sim);
    char *block = need(BLOCK, 1);
    tru_status status = TRU_OK;
    for (int k = 0; k < 3 && status >= 0; k++) {
        char name[] = "trundle-bench-XXXXXX";
        const int file = mkstemp(name);
        bool good = file >= 0;
        const double begun = now();
        for (double at = 0.0; at < bytes && good; at += BLOCK) good = write(file, block, BLOCK) == BLOCK;
        good = good && fsync(file) == 0;
        sample_add(&out->values, now() - begun);
        if (!good) status = fail(err, name);
        if (file >= 0) close(file), unlink(name);
    }
    free(block);
    out->hash = tru_scene_hash(scene);
    return status;
}

/* ---- simulations in memory ---- */

/* Measures one save and one load of a simulation in memory [us], after 50 steps. */
static tru_status time_memory(const tru_scene *scene, const bench_wish *wish, bench_reading *out, tru_error *err) {
    tru_sim *sim = NULL;
    const bool loads = strcmp(wish->call, "sim_load") == 0;
    tru_status status = tru_sim_create(scene, wish->stepper, 1, &sim, err);
    if (status >= 0) status = tru_sim_run(sim, 50, err);
    const size_t bytes = status >= 0 ? tru_sim_save_size(sim) : 0;
    void *buffer = need(bytes + 1, 1);
    if (status >= 0) status = tru_sim_save(sim, buffer, bytes, err);
    const int each = bytes < 100000 ? 2000 : 2;
    for (int k = 0; k < REPEATS && status >= 0; k++) {
        const double begun = thread_seconds();
        for (int i = 0; i < each && status >= 0; i++)
            status = loads ? tru_sim_load(sim, buffer, bytes, err) : tru_sim_save(sim, buffer, bytes, err);
        sample_add(&out->values, 1e6 * (thread_seconds() - begun) / each);
    }
    if (status >= 0) out->hash = tru_state_hash(tru_sim_world(sim));
    snprintf(out->remark, sizeof out->remark, "; %zu bytes", bytes);
    free(buffer);
    tru_sim_free(sim);
    return status;
}

bench_call *bench_call_named(const char *name) {
    static const struct {
        const char *name;
        bench_call *call;
    } calls[] = {{"start", time_start},
                 {"read", time_reading},
                 {"read_memory", memory_of_reading},
                 {"write", time_writing},
                 {"disk", time_disk},
                 {"sim_save", time_memory},
                 {"sim_load", time_memory},
                 {"parts", bench_parts},
                 {"api_step", bench_api_step},
                 {"api_force", bench_api_force},
                 {"api_view", bench_api_view},
                 {"api_copy", bench_api_copy},
                 {"api_contacts", bench_api_contacts},
                 {"track_loads", bench_track_loads},
                 {"track_collide", bench_track_collide},
                 {"track_step", bench_track_step}};
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        if (strcmp(calls[k].name, name) == 0) return calls[k].call;
    return NULL;
}
