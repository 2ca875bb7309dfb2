/* test_results_kill.c: writers killed at random moments: the file opens, what was flushed is there, a resumed run ends with
 * the same bytes as one that was never disturbed. */
#define _GNU_SOURCE
#include "check.h"
#include "folders.h"
#include "h5_files.h"
#include "run_scenes.h"

#include "run_h5/h5_run.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

enum { KILLS = 50 };

/* What the writer has flushed, in memory that survives it. */
typedef struct progress {
    volatile uint64_t frames, rows;
} progress;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double draw(uint64_t *bits) {
    *bits = *bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*bits >> 11) * 0x1p-53;
}

static void note_progress(const tru_results *r, progress *p) {
    if (r->rows.fresh) return;
    p->frames = r->tables[FRAME_TIME].rows;
    p->rows = r->tables[LEDGER].rows;
}

/* The whole life of a run that resumes what is there, with a snapshot now and then. */
static void write_run(const tru_scene *scene, const char *dir, progress *p) {
    tru_error err;
    tru_results *r;
    tru_sim *sim = sim_of(scene);
    int visits = 0;
    RUN(tru_sim_resume(sim, scene, dir, &err));
    RUN(tru_results_create(dir, sim, scene, TRU_RESULTS_RESUME, &r, &err));
    note_progress(r, p);
    while (!tru_sim_done(sim)) {
        RUN(tru_sim_run(sim, 11, &err));
        RUN(tru_results_step(r, &err));
        note_progress(r, p);
        if (++visits % 60 == 0) RUN(tru_results_snapshot(r, &err));
    }
    RUN(tru_results_finish(r, 0.0, &err));
    tru_results_free(r);
    tru_sim_free(sim);
}

/* Run it in a process of its own and kill that after `seconds`; true if it was still alive. */
static bool kill_writer(const tru_scene *scene, const char *dir, progress *p, double seconds) {
    int status = 0;
    fflush(stdout);
    *p = (progress){0, 0};
    const pid_t child = fork();
    if (child == 0) {
        write_run(scene, dir, p);
        _exit(0);
    }
    const struct timespec wait = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&wait, NULL);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    check(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0);
    return WIFSIGNALED(status);
}

/* The first rows of both are equal. */
static bool same_start(hid_t a, hid_t b, const char *name, size_t rows) {
    size_t ra, rb, sa, sb;
    unsigned char *pa = h5_bytes(a, name, &ra, &sa), *pb = h5_bytes(b, name, &rb, &sb);
    const bool same = pa && pb && sa == sb && ra >= rows && rb >= rows && memcmp(pa, pb, rows * sa) == 0;
    if (!same) printf("%s: %zu rows of %zu in the killed file\n", name, ra, rows);
    free(pa);
    free(pb);
    return same;
}

/* A killed writer's file opens and holds all that was flushed. */
static void check_killed(const char *path, const char *whole, const progress *p) {
    static const char *const frames[] = {"/frames/time",     "/frames/step",        "/frames/position",
                                         "/frames/velocity", "/frames/orientation", "/frames/angular_velocity",
                                         "/contacts/start",  "/contacts/count"};
    static const char *const rows[] = {"/ledger", "/solver", "/probes/value", "/probes/time", "/probes/step"};
    if (access(path, F_OK) != 0) {
        check(p->frames == 0);
        return;
    }
    const hid_t file = h5_open(path), reference = h5_open(whole);
    if (check(file >= 0)) {
        for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
            check(same_start(file, reference, frames[i], p->frames));
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check(same_start(file, reference, rows[i], p->rows));
        H5Fclose(file);
    }
    H5Fclose(reference);
}

TEST(killed_writers) {
    uint64_t bits = check_seed();
    char whole[500], path[500];
    tru_scene *scene = scene_of(BALL_RUN);
    progress *p = mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const double start = now();
    write_run(scene, folder_path("whole"), p);
    const double life = now() - start;
    snprintf(whole, sizeof whole, "%s/run.h5", folder_path("whole"));
    int killed = 0, halfway = 0;
    for (int i = 0; i < KILLS; i++) {
        char name[40];
        snprintf(name, sizeof name, "kill-%d", i);
        const char *dir = folder_path(name);
        snprintf(path, sizeof path, "%s/run.h5", dir);
        /* one kill, or one more of the run that resumes */
        for (int k = 0; k <= i % 2; k++) {
            killed += kill_writer(scene, dir, p, 1.1 * life * draw(&bits));
            halfway += p->frames > 1;
            check_killed(path, whole, p);
        }
        run_resumed(scene, dir, UINT64_MAX, true);
        if (!h5_equal(whole, path)) printf("after kill %d\n", i);
        folder_remove(dir);
    }
    printf("%d writers killed, %d of them with frames flushed; life of one %.3f s\n", killed, halfway, life);
    check(killed > KILLS / 2 && halfway > KILLS / 4);
    munmap(p, sizeof *p);
    tru_scene_free(scene);
}
