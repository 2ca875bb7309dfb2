/* test_sim_bytes.c: simulations as bytes in memory: they go on with the same bits, and bad bytes change nothing. */
#define _XOPEN_SOURCE 700
#include "check.h"
#include "folders.h"
#include "run_scenes.h"

#include "snapshot/snapshot.h"

#include <dirent.h>
#include <inttypes.h>

typedef struct saved {
    unsigned char *bytes;
    size_t count;
} saved;

static saved save_of(const tru_sim *sim) {
    tru_error err;
    saved s = {NULL, tru_sim_save_size(sim)};
    s.bytes = malloc(s.count);
    MUST(tru_sim_save(sim, s.bytes, s.count, &err));
    return s;
}

static bool same_bytes(saved a, saved b) { return a.count == b.count && memcmp(a.bytes, b.bytes, a.count) == 0; }

/* True if both simulations have the same bytes, which hold all that later steps depend on. */
static bool equal(const tru_sim *a, const tru_sim *b) {
    const saved x = save_of(a), y = save_of(b);
    const bool same = same_bytes(x, y);
    free(x.bytes), free(y.bytes);
    return same;
}

static void run_on(tru_sim *sim, uint64_t steps) {
    tru_error err;
    MUST(tru_sim_run(sim, steps, &err));
}

/* Saves after `first` steps, goes on, goes back, goes on again; a second simulation of the scene does the same. */
static void check_goes_on(const tru_scene *scene, uint64_t first, uint64_t then) {
    tru_error err;
    tru_sim *sim = sim_of(scene), *other = sim_of(scene);
    run_on(sim, first);
    const saved half = save_of(sim);
    run_on(sim, then);
    const saved whole = save_of(sim);
    const uint64_t hash = tru_state_hash(tru_sim_world(sim));
    MUST(tru_sim_load(sim, half.bytes, half.count, &err));
    const saved again = save_of(sim);
    check(same_bytes(half, again));
    check(tru_steps_done(tru_sim_world(sim)) <= first);
    run_on(other, first / 2); /* a state of its own, which the load replaces */
    MUST(tru_sim_load(other, half.bytes, half.count, &err));
    run_on(sim, then);
    run_on(other, then);
    const saved one = save_of(sim), two = save_of(other);
    check(same_bytes(whole, one) && same_bytes(whole, two));
    check(tru_state_hash(tru_sim_world(other)) == hash);
    check_str(tru_sim_reason(other), tru_sim_reason(sim));
    free(half.bytes), free(whole.bytes), free(again.bytes), free(one.bytes), free(two.bytes);
    tru_sim_free(sim);
    tru_sim_free(other);
}

/* ---- every scene that is small enough ---- */

static int check_file(const char *path) {
    tru_error err;
    tru_scene *scene;
    MUST(tru_scene_read(path, NULL, 0, &scene, &err));
    tru_sim *sim = sim_of(scene);
    const size_t bodies = tru_body_count(tru_sim_world(sim));
    tru_sim_free(sim);
    const uint64_t steps = bodies > 20 ? 2000 / bodies : 100;
    if (bodies <= 300) check_goes_on(scene, steps, steps);
    tru_scene_free(scene);
    return bodies <= 300;
}

static int check_folder(const char *folder, int depth) {
    int count = 0;
    DIR *dir = opendir(folder);
    if (!check(dir != NULL)) return 0;
    for (const struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        char path[1000];
        const char *dot = strrchr(e->d_name, '.');
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (!dot && depth > 0) count += check_folder(path, depth - 1);
        if (dot && strcmp(dot, ".yaml") == 0) count += check_file(path);
    }
    closedir(dir);
    return count;
}

TEST(scenes_go_on) { check(check_folder(TRUNDLE_SOURCE_DIR "/scenes", 2) >= 60); }

/* ---- emitters, outlets, stop conditions, probes ---- */

TEST(hopper_goes_on) {
    tru_scene *scene = scene_of(LEAVE_RUN);
    for (uint64_t first = 1; first < 400; first += 57) check_goes_on(scene, first, 500 - first);
    tru_scene_free(scene);
}

/* What left, what came and what was counted are those of the saved simulation, not of the loading one. */
TEST(all_of_a_hopper_is_loaded) {
    tru_error err;
    tru_scene *scene = scene_of(LEAVE_RUN);
    tru_sim *a = sim_of(scene), *b = sim_of(scene);
    tru_outlet_info one, two;
    size_t number, count, other_count;
    run_on(a, 300);
    const saved s = save_of(a);
    run_on(b, 400);
    MUST(tru_sim_load(b, s.bytes, s.count, &err));
    check(tru_sim_outlet(a, 1, &one) && tru_sim_outlet(b, 1, &two));
    check(one.count > 0 && one.count == two.count && one.mass == two.mass);
    MUST(tru_sim_probe(b, "bodies", &number, NULL, &err));
    check(tru_sim_value(b, number) == (double)tru_body_count(tru_sim_world(a)));
    const tru_event *events = tru_sim_events(a, &count), *others = tru_sim_events(b, &other_count);
    check(count > 0 && count == other_count && events[count - 1].time == others[count - 1].time);
    check(tru_sim_event_count(a, TRU_EVENT_TOUCH) == tru_sim_event_count(b, TRU_EVENT_TOUCH));
    for (tru_id id = 1; id < 8; id++) {
        const char *name = tru_sim_body_name(a, id);
        if (name) check_str(tru_sim_body_name(b, id), name);
    }
    free(s.bytes);
    tru_sim_free(a), tru_sim_free(b);
    tru_scene_free(scene);
}

/* A stop condition that has counted some events stops at the same one. */
TEST(stop_conditions_go_on_counting) {
    tru_error err;
    tru_scene *scene = scene_of(RAIN_RUN "stop_when: [{event: {kind: touch, count: 6}}]\n");
    tru_sim *a = sim_of(scene), *b = sim_of(scene);
    while (tru_sim_event_count(a, TRU_EVENT_TOUCH) < 3) run_on(a, 1);
    const saved s = save_of(a);
    MUST(tru_sim_load(b, s.bytes, s.count, &err));
    run_on(a, 1000);
    run_on(b, 1000);
    check(tru_sim_done(a) && tru_steps_done(tru_sim_world(a)) < 400);
    check(equal(a, b));
    MUST(tru_sim_load(a, s.bytes, s.count, &err)); /* undo of the end */
    check(!tru_sim_done(a) && !*tru_sim_reason(a));
    free(s.bytes);
    tru_sim_free(a), tru_sim_free(b);
    tru_scene_free(scene);
}

/* ---- bad bytes ---- */

static void check_kept(const tru_sim *sim, saved before) {
    const saved now = save_of(sim);
    check(same_bytes(before, now));
    free(now.bytes);
}

TEST(bytes_of_another_scene_or_stepper) {
    tru_error err;
    char wanted[200];
    tru_scene *scene = scene_of(BALL_RUN), *rain = scene_of(RAIN_RUN);
    tru_scene *two = scene_of(BALL_SCENE("steppers: {moreau: {step: 1 ms}, cone: {step: 1 ms}}\nrecord: {until: 1}\n"));
    tru_sim *sim = sim_of(scene), *other = sim_of(rain), *moreau = sim_of(two), *cone;
    MUST(tru_sim_create(two, "cone", 1, &cone, &err));
    run_on(sim, 50), run_on(other, 50);
    const saved mine = save_of(sim), foreign = save_of(other), of_cone = save_of(cone);
    check_status(tru_sim_load(sim, foreign.bytes, foreign.count, &err), TRU_DAMAGED);
    snprintf(wanted, sizeof wanted,
             "snapshot: belongs to another scene (hash %016" PRIx64 ", this one has %016" PRIx64 ")",
             tru_scene_hash(rain), tru_scene_hash(scene));
    check_str(err.text, wanted);
    check_kept(sim, mine);
    check_status(tru_sim_load(moreau, of_cone.bytes, of_cone.count, &err), TRU_DAMAGED);
    check_str(err.text, "snapshot: belongs to a run of stepper cone, not moreau");
    free(mine.bytes), free(foreign.bytes), free(of_cone.bytes);
    tru_sim_free(sim), tru_sim_free(other), tru_sim_free(moreau), tru_sim_free(cone);
    tru_scene_free(scene), tru_scene_free(rain), tru_scene_free(two);
}

TEST(arguments) {
    tru_error err;
    char wanted[200];
    tru_scene *scene = scene_of(BALL_RUN);
    tru_sim *sim = sim_of(scene);
    const saved s = save_of(sim);
    check(tru_sim_save_size(NULL) == 0);
    check_status(tru_sim_save(NULL, s.bytes, s.count, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "tru_sim_save needs a simulation and a buffer");
    check_status(tru_sim_load(sim, NULL, 10, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "tru_sim_load needs a simulation and a buffer");
    for (size_t room = 0; room < s.count; room += room + 9 < s.count ? 7 : 1) {
        unsigned char *exact = malloc(room + 1); /* the address sanitizer watches its end */
        unsigned char *tight = realloc(exact, room > 0 ? room : 1);
        check_status(tru_sim_save(sim, tight, room, &err), TRU_BAD_ARGUMENT);
        free(tight);
    }
    snprintf(wanted, sizeof wanted, "simulation: the buffer is %zu bytes, must be at least tru_sim_save_size",
             s.count - 1);
    check_str(err.text, wanted);
    check_status(tru_sim_load(sim, s.bytes, 0, &err), TRU_DAMAGED);
    check_str(err.text, "snapshot: is not a snapshot of trundle");
    check_status(tru_sim_load(sim, s.bytes, s.count - 1, &err), TRU_DAMAGED);
    check_str(err.text, "snapshot: is damaged: it ends too early");
    sim->recorded = true;
    check_status(tru_sim_load(sim, s.bytes, s.count, &err), TRU_CONFLICT);
    check_str(err.text, "simulation: results are open, must be finished before a load");
    sim->recorded = false;
    free(s.bytes);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

/* Every truncation and thousands of flipped bits are refused, with the simulation as it was. */
TEST(damaged_bytes) {
    tru_error err;
    tru_scene *scene = scene_of(LEAVE_RUN);
    tru_sim *sim = sim_of(scene);
    run_on(sim, 200);
    const saved s = save_of(sim);
    uint64_t bits = check_seed();
    int refused = 0, tried = 0;
    for (size_t k = 0; k < s.count; k += 13, tried++) {
        unsigned char *cut = malloc(k + 1);
        memcpy(cut, s.bytes, k);
        refused += tru_sim_load(sim, cut, k, &err) == TRU_DAMAGED;
        free(cut);
    }
    for (int i = 0; i < 3000; i++, tried++) {
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const size_t at = (size_t)(bits >> 24) % s.count;
        s.bytes[at] ^= (unsigned char)(1u << (bits >> 61));
        refused += tru_sim_load(sim, s.bytes, s.count, &err) == TRU_DAMAGED;
        s.bytes[at] ^= (unsigned char)(1u << (bits >> 61));
    }
    check((uint64_t)refused == (uint64_t)tried);
    check_kept(sim, s);
    free(s.bytes);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

/* Wrong numbers under a right check sum: refused, or taken for another state of the scene; never a crash. */
TEST(lying_bytes) {
    tru_error err;
    tru_scene *scene = scene_of(LEAVE_RUN);
    tru_sim *sim = sim_of(scene);
    run_on(sim, 200);
    const saved good = save_of(sim);
    unsigned char *bytes = malloc(good.count);
    uint64_t bits = check_seed();
    int refused = 0;
    for (int i = 0; i < 2000; i++) {
        static const unsigned char values[] = {0xff, 0x7f, 0x80, 0x00, 0x01};
        memcpy(bytes, good.bytes, good.count);
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const size_t at = 16 + (size_t)(bits >> 24) % (good.count - 32), length = 1 + (size_t)(bits >> 62) * 4;
        memset(bytes + at, values[i % 5], length < 8 ? length : 8);
        const uint64_t sum = trio_snapshot_hash(bytes, good.count - 8);
        for (int k = 0; k < 8; k++) bytes[good.count - 8 + (size_t)k] = (unsigned char)(sum >> 8 * k);
        const tru_status s = tru_sim_load(sim, bytes, good.count, &err);
        refused += s < 0;
        if (s >= 0) tru_sim_run(sim, 2, &err); /* may fail, with a sentence */
        MUST(tru_sim_load(sim, good.bytes, good.count, &err));
    }
    check(refused > 100);
    check_kept(sim, good);
    free(bytes), free(good.bytes);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

/* The bytes of a file are those in memory but for the lengths of the tables and the wall time. */
TEST(files_load_too) {
    tru_error err;
    tru_scene *scene = scene_of(LEAVE_RUN);
    tru_sim *sim = sim_of(scene), *other = sim_of(scene);
    const struct sim_lengths lengths = {{3, 4}, {5, 6}};
    const char *path = folder_path("snapshot.tru");
    run_on(sim, 120);
    MUST(trio_snapshot_write(sim, tru_scene_hash(scene), &lengths, 0.0, path, false, &err));
    saved file;
    file.bytes = file_bytes(path, &file.count);
    check(file.count == tru_sim_save_size(sim));
    MUST(tru_sim_load(other, file.bytes, file.count, &err));
    check(equal(sim, other));
    free(file.bytes);
    tru_sim_free(sim), tru_sim_free(other);
    tru_scene_free(scene);
}
