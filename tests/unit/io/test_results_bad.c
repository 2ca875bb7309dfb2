/* test_results_bad.c: foreign and damaged files, full disks, places that cannot be written: a sentence, nothing changed. */
#define _GNU_SOURCE
#include "check.h"
#include "folders.h"
#include "h5_files.h"
#include "run_scenes.h"

#include "run_h5/h5_run.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char *join(const char *dir, const char *name) {
    static char paths[8][500];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", dir, name);
    return path;
}

/* What a try to resume says, with the folder's name taken away; "" if it worked. */
static const char *resume_says(const tru_scene *scene, const char *dir, tru_status *status) {
    static char text[600];
    tru_error err = {0};
    tru_results *r = NULL;
    tru_sim *sim = sim_of(scene);
    const uint64_t before = tru_state_hash(tru_sim_world(sim));
    *status = tru_sim_resume(sim, scene, dir, &err);
    if (*status < 0) check(tru_state_hash(tru_sim_world(sim)) == before);
    if (*status >= 0) *status = tru_results_create(dir, sim, scene, TRU_RESULTS_RESUME, &r, &err);
    tru_results_free(r);
    tru_sim_free(sim);
    const size_t length = strlen(dir) + 1;
    const char *from = *status < 0 ? err.text : "";
    snprintf(text, sizeof text, "%s", from);
    for (char *at; (at = strstr(text, dir));) memmove(at, at + length, strlen(at + length) + 1);
    return text;
}

/* The files of a folder before and after. */
typedef struct content {
    unsigned char *results, *snapshot;
    size_t results_size, snapshot_size;
} content;

static content content_of(const char *dir) {
    content c = {0};
    c.results = file_bytes(join(dir, "run.h5"), &c.results_size);
    c.snapshot = file_bytes(join(dir, "snapshot.tru"), &c.snapshot_size);
    return c;
}

static void check_refused(const tru_scene *scene, const char *dir, tru_status expected, const char *sentence) {
    tru_status status;
    const content before = content_of(dir);
    const char *says = resume_says(scene, dir, &status);
    check_status(status, expected);
    check_str(says, sentence);
    const content after = content_of(dir);
    check(before.results_size == after.results_size && before.snapshot_size == after.snapshot_size);
    check(!before.results || memcmp(before.results, after.results, before.results_size) == 0);
    check(!before.snapshot || memcmp(before.snapshot, after.snapshot, before.snapshot_size) == 0);
    check(access(join(dir, "run.h5.part"), F_OK) != 0);
    free(before.results), free(before.snapshot), free(after.results), free(after.snapshot);
}

static const char *half_run(const tru_scene *scene, const char *name) {
    const char *dir = folder_path(name);
    run_resumed(scene, dir, 200, false);
    return dir;
}

/* ---- snapshots: foreign, damaged and lying ones are refused ---- */

TEST(foreign_snapshots) {
    tru_scene *scene = scene_of(BALL_RUN), *rain = scene_of(RAIN_RUN);
    const char *dir = half_run(scene, "foreign");
    char sentence[200];
    snprintf(sentence, sizeof sentence,
             "snapshot.tru: belongs to another scene (hash %016" PRIx64 ", this one has %016" PRIx64 ")",
             tru_scene_hash(scene), tru_scene_hash(rain));
    check_refused(rain, dir, TRU_DAMAGED, sentence);
    file_put(join(dir, "snapshot.tru"), "hello", 5);
    check_refused(scene, dir, TRU_DAMAGED, "snapshot.tru: is not a snapshot of trundle");
    file_put(join(dir, "snapshot.tru"), "TRUSNAP9aaaaaaaaaaaaaaaaaa", 26);
    check_refused(scene, dir, TRU_DAMAGED,
                  "snapshot.tru: is a snapshot of format 9, this version of trundle reads format 3");
    file_put(join(dir, "snapshot.tru"), "", 0);
    check_refused(scene, dir, TRU_DAMAGED, "snapshot.tru: is not a snapshot of trundle");
    remove(join(dir, "snapshot.tru"));
    check_refused(scene, dir, TRU_FILE, "snapshot.tru: is missing, so run.h5 cannot be resumed");
    mkdir(join(dir, "snapshot.tru"), 0777);
    check_refused(scene, dir, TRU_FILE, "snapshot.tru: is not a file");
    tru_scene_free(scene);
    tru_scene_free(rain);
}

TEST(another_stepper) {
    tru_error err = {0};
    tru_scene *scene = scene_of(BALL_RUN);
    const char *dir = half_run(scene, "stepper");
    tru_sim *sim = sim_of(scene);
    free(sim->stepper);
    sim->stepper = strdup("cone");
    check_status(tru_sim_resume(sim, scene, dir, &err), TRU_DAMAGED);
    check(strstr(err.text, "snapshot.tru: belongs to a run of stepper moreau, not cone") != NULL);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

/* Bytes all over a snapshot flipped in turn, and every such length cut off: never accepted, never a crash. */
TEST(damaged_snapshots) {
    tru_scene *scene = scene_of(BALL_RUN);
    const char *dir = half_run(scene, "damaged");
    const content good = content_of(dir);
    tru_sim *sim = sim_of(scene);
    tru_error err;
    long accepted = 0;
    const uint64_t hash = tru_state_hash(tru_sim_world(sim));
    const size_t stride = good.snapshot_size / 500 + 1;
    for (size_t i = 0; i < good.snapshot_size; i += stride) {
        good.snapshot[i] ^= 0x10;
        file_put(join(dir, "snapshot.tru"), good.snapshot, good.snapshot_size);
        accepted += tru_sim_resume(sim, scene, dir, &err) >= 0;
        good.snapshot[i] ^= 0x10;
        file_put(join(dir, "snapshot.tru"), good.snapshot, i);
        accepted += tru_sim_resume(sim, scene, dir, &err) >= 0;
    }
    check_status(accepted, 0);
    check(tru_state_hash(tru_sim_world(sim)) == hash);
    file_put(join(dir, "snapshot.tru"), good.snapshot, good.snapshot_size);
    check_status(tru_sim_resume(sim, scene, dir, &err), TRU_OK);
    check(tru_state_hash(tru_sim_world(sim)) != hash);
    free(good.results), free(good.snapshot);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

/* Lies inside a snapshot whose check sum is right: lengths and counts beyond reason. */
TEST(lying_snapshots) {
    tru_scene *scene = scene_of(BALL_RUN);
    const char *dir = half_run(scene, "lying");
    const content good = content_of(dir);
    tru_sim *sim = sim_of(scene);
    tru_error err;
    uint64_t bits = check_seed();
    long survived = 0;
    for (int i = 0; i < 400; i++) {
        unsigned char *copy = malloc(good.snapshot_size);
        memcpy(copy, good.snapshot, good.snapshot_size);
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const size_t at = 16 + (size_t)(bits >> 33) % (good.snapshot_size - 24) / 8 * 8;
        memset(copy + at, i % 2 ? 0xff : 0x7f, at + 8 <= good.snapshot_size - 8 ? 8 : 1);
        const uint64_t sum = trio_snapshot_hash(copy, good.snapshot_size - 8);
        for (int k = 0; k < 8; k++) copy[good.snapshot_size - 8 + (size_t)k] = (unsigned char)(sum >> 8 * k);
        file_put(join(dir, "snapshot.tru"), copy, good.snapshot_size);
        survived += tru_sim_resume(sim, scene, dir, &err) >= 0; /* an event's time may be anything */
        free(copy);
    }
    check(survived < 400);
    free(good.results), free(good.snapshot);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

/* ---- results: files that do not belong to the run, or lost a bit, are refused ---- */

static void make_h5(const char *path, bool provenance) {
    const hid_t f = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (provenance) {
        const hid_t g = H5Gcreate2(f, "/provenance", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        trio_h5_attribute_text(g, "program", "other");
        H5Gclose(g);
    }
    H5Fclose(f);
}

TEST(foreign_results) {
    tru_scene *scene = scene_of(BALL_RUN), *rain = scene_of(RAIN_RUN);
    const char *dir = half_run(scene, "results");
    const content good = content_of(dir);
    file_put(join(dir, "run.h5"), "hello", 5);
    check_refused(scene, dir, TRU_DAMAGED, "run.h5: is not an HDF5 file");
    make_h5(join(dir, "run.h5"), false);
    check_refused(scene, dir, TRU_DAMAGED, "run.h5: is not a file of trundle's results");
    make_h5(join(dir, "run.h5"), true);
    check_refused(scene, dir, TRU_DAMAGED, "run.h5: is not a file of trundle's results");
    file_put(join(dir, "run.h5"), good.results, good.results_size / 2);
    tru_status status;
    check(*resume_says(scene, dir, &status));
    check_status(status, TRU_DAMAGED);
    remove(join(dir, "run.h5"));
    check_refused(scene, dir, TRU_DAMAGED, "run.h5: is missing, but the snapshot next to it refers to it");
    const char *other = half_run(rain, "results-rain");
    const content foreign = content_of(other);
    file_put(join(dir, "run.h5"), foreign.results, foreign.results_size);
    char sentence[200];
    snprintf(sentence, sizeof sentence,
             "run.h5: belongs to another scene (hash %016" PRIx64 ", this one has %016" PRIx64 ")",
             tru_scene_hash(rain), tru_scene_hash(scene));
    check_refused(scene, dir, TRU_DAMAGED, sentence);
    free(foreign.results), free(foreign.snapshot);
    free(good.results), free(good.snapshot);
    tru_scene_free(scene);
    tru_scene_free(rain);
}

/* An older file than the snapshot: rows are missing. */
TEST(results_shorter_than_the_snapshot) {
    tru_scene *scene = scene_of(BALL_RUN);
    const char *dir = half_run(scene, "older");
    const content old = content_of(dir);
    run_resumed(scene, dir, 400, false);
    file_put(join(dir, "run.h5"), old.results, old.results_size);
    tru_status status;
    const char *says = resume_says(scene, dir, &status);
    check_status(status, TRU_DAMAGED);
    check(strstr(says, "run.h5: is damaged: /frames/time does not have the ") == says);
    free(old.results), free(old.snapshot);
    tru_scene_free(scene);
}

/* The lowest bit of the first byte of row `row`, in a dataset of its own type. */
static void flip_bit(const char *path, const char *which, hsize_t row) {
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, which, H5P_DEFAULT);
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    hsize_t size[3] = {0}, first[3] = {row, 0, 0};
    const int rank = H5Sget_simple_extent_dims(space, size, NULL);
    size[0] = 1;
    H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, size, NULL);
    const hid_t memory = H5Screate_simple(rank, size, NULL);
    unsigned char *bytes = malloc(H5Tget_size(type) * (size_t)H5Sget_simple_extent_npoints(memory));
    check(H5Dread(set, type, memory, space, H5P_DEFAULT, bytes) >= 0);
    bytes[0] ^= 1;
    check(H5Dwrite(set, type, memory, space, H5P_DEFAULT, bytes) >= 0);
    free(bytes);
    H5Sclose(memory), H5Sclose(space), H5Tclose(type), H5Dclose(set), H5Fclose(file);
}

/* One bit in the numbers of a finished run: neither a resuming run nor a report or an export takes them. */
TEST(results_with_a_wrong_bit) {
    static const char *const tables[] = {
        "/frames/time", "/frames/position", "/frames/orientation", "/contacts/record", "/ledger",
        "/solver",      "/events",          "/probes/value",       "/bodies/shape",    "/bodies/body"};
    tru_scene *scene = scene_of(BALL_RUN);
    const char *dir = folder_path("bit");
    run_resumed(scene, dir, 200, true);
    const content good = content_of(dir);
    char results[500], out[500], sentence[200];
    size_t files;
    tru_error err;
    snprintf(results, sizeof results, "%s/run.h5", dir);
    snprintf(out, sizeof out, "%s/csv", dir);
    RUN(tru_export(dir, "csv", out, &files, &err));
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        flip_bit(results, tables[i], 1);
        snprintf(sentence, sizeof sentence, "run.h5: is damaged: %s does not match its checksum", tables[i]);
        check_refused(scene, dir, TRU_DAMAGED, sentence);
        check_status(tru_export(dir, "csv", out, &files, &err), TRU_DAMAGED);
        check_str(err.text + strlen(dir) + 1, sentence);
        tru_report *report;
        RUN(tru_report_begin(&report, &err));
        check_status(tru_report_add_run(report, dir, NULL, &err), TRU_DAMAGED);
        check_str(err.text + strlen(dir) + 1, sentence);
        tru_report_free(report);
        file_put(results, good.results, good.results_size);
    }
    RUN(tru_export(dir, "csv", out, &files, &err));
    free(good.results), free(good.snapshot);
    tru_scene_free(scene);
}

/* ---- places ---- */

TEST(places_that_cannot_be_written) {
    tru_error err = {0};
    tru_results *r;
    tru_scene *scene = scene_of(BALL_RUN);
    tru_sim *sim = sim_of(scene);
    check_status(tru_results_create("/dev/null/here", sim, scene, TRU_RESULTS_NEW, &r, &err), TRU_FILE);
    check_str(err.text, "/dev/null: cannot create the folder: File exists");
    const char *dir = folder_path("taken");
    mkdir(dir, 0777);
    mkdir(join(dir, "run.h5.part"), 0777);
    check_status(tru_results_create(dir, sim, scene, TRU_RESULTS_NEW, &r, &err), TRU_FILE);
    check(strstr(err.text, "run.h5: cannot be written: Is a directory") != NULL);
    check_status(tru_results_create("", sim, scene, TRU_RESULTS_NEW, &r, &err), TRU_BAD_ARGUMENT);
    /* and the simulation can still be recorded elsewhere */
    check_status(tru_results_create(folder_path("free"), sim, scene, TRU_RESULTS_NEW, &r, &err), TRU_OK);
    tru_results *second;
    check_status(tru_results_create(folder_path("second"), sim, scene, TRU_RESULTS_NEW, &second, &err), TRU_CONFLICT);
    tru_results_free(r);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

#ifdef TRUNDLE_COVERAGE
void __gcov_dump(void); /* of gcc's library for --coverage */
#endif

/* A disk that is full after `limit` bytes of any file: the process tells where and why, and ends in good order. */
static int run_on_full_disk(const char *dir, rlim_t limit, char *said, size_t room) {
    int channel[2];
    if (pipe(channel) != 0) return -1;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit most = {limit, limit};
        tru_error err = {0};
        tru_results *r = NULL;
        tru_scene *scene = scene_of(BALL_RUN);
        tru_sim *sim = sim_of(scene);
        if (freopen(join(dir, "stderr"), "w", stderr) == NULL) _exit(50);
#ifdef TRUNDLE_COVERAGE
        __gcov_dump(); /* now: its counts at the end would be cut short, and spoil those of all later programs */
#endif
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &most);
        tru_status s = tru_results_create(dir, sim, scene, TRU_RESULTS_NEW, &r, &err);
        while (s >= 0 && !tru_sim_done(sim)) {
            s = tru_sim_run(sim, 5, &err);
            if (s >= 0) s = tru_results_step(r, &err);
        }
        if (s >= 0) s = tru_results_finish(r, 0.0, &err);
        tru_results_free(r);
        tru_sim_free(sim);
        tru_scene_free(scene);
        const ssize_t sent = write(channel[1], err.text, strlen(err.text) + 1);
        exit(s == TRU_FILE && sent > 0 ? 3 : 4); /* through the exit handlers of HDF5 */
    }
    int status = 0;
    close(channel[1]);
    const ssize_t got = read(channel[0], said, room - 1);
    said[got > 0 ? got : 0] = '\0';
    close(channel[0]);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

TEST(full_disks) {
    const rlim_t limits[] = {100, 3000, 20000, 100000, 300000};
    tru_scene *scene = scene_of(BALL_RUN);
    const char *whole = folder_path("disk-whole");
    run_whole(scene, whole);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        char said[600], name[40];
        snprintf(name, sizeof name, "disk-%zu", i);
        const char *dir = folder_path(name);
        mkdir(dir, 0777);
        check_status(run_on_full_disk(dir, limits[i], said, sizeof said), 3);
        if (!check(strstr(said, dir) == said && strstr(said, ": cannot be written: File too large")))
            printf("%s\n", said);
        size_t printed = 1;
        free(file_bytes(join(dir, "stderr"), &printed));
        check_status((long long)printed, 0); /* HDF5 says nothing by itself */
        /* with room again, the run continues */
        if (access(join(dir, "snapshot.tru"), F_OK) != 0) continue;
        run_resumed(scene, dir, UINT64_MAX, true);
        check(h5_equal(join(whole, "run.h5"), join(dir, "run.h5")));
    }
    tru_scene_free(scene);
}

/* Two runs in one folder: the second is told, the first is not disturbed. */
TEST(a_folder_has_one_writer) {
    tru_error err = {0};
    tru_results *r, *other;
    tru_scene *scene = scene_of(BALL_RUN);
    tru_sim *one = sim_of(scene), *two = sim_of(scene);
    const char *dir = folder_path("one-writer"), *whole = folder_path("one-whole");
    check_status(tru_results_create(dir, one, scene, TRU_RESULTS_NEW, &r, &err), TRU_OK);
    run_recorded(one, r, 300);
    check_status(tru_results_create(dir, two, scene, TRU_RESULTS_NEW, &other, &err), TRU_CONFLICT);
    check(strstr(err.text, ": another run is writing its results there") != NULL);
    run_recorded(one, r, UINT64_MAX);
    check_status(tru_results_finish(r, 0.0, &err), TRU_OK);
    tru_results_free(r);
    check_status(tru_results_create(whole, two, scene, TRU_RESULTS_NEW, &other, &err), TRU_OK);
    run_recorded(two, other, UINT64_MAX);
    check_status(tru_results_finish(other, 0.0, &err), TRU_OK);
    tru_results_free(other);
    check(h5_equal(join(dir, "run.h5"), join(whole, "run.h5")));
    tru_sim_free(one);
    tru_sim_free(two);
    tru_scene_free(scene);
}
