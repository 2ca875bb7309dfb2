/* The lot of one body on a plane (step/lot) takes the steps in which nothing begins or ends to the bits of the lot of all bodies,
 * whatever the law, the scheme, and wherever a run is interrupted. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "sim_scenes.h"
#include "world/world.h"

#include <dirent.h>

#define SCENES TRUNDLE_SOURCE_DIR "/scenes/"

enum { PIECES = 40, LONGEST = 1000 };

static const uint64_t seed = 20261116;

/* 1 .. LONGEST, by Knuth's linear congruence. */
static uint64_t next_length(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return 1 + (*state >> 33) % LONGEST;
}

/* Snapshots hold bodies, contacts with all they remember, ledger, events, and what solvers said. */
static bool same_bytes(const tru_world *a, const tru_world *b) {
    tru_error err;
    const size_t n = tru_snapshot_size(a);
    char *bytes = malloc(2 * n);
    if (!bytes || tru_snapshot_size(b) != n) exit(1);
    MUST(tru_snapshot_save(a, bytes, n, &err));
    MUST(tru_snapshot_save(b, bytes + n, n, &err));
    const bool same = memcmp(bytes, bytes + n, n) == 0;
    free(bytes);
    return same;
}

static bool same_events(tru_world *a, tru_world *b) {
    static tru_event of_a[4096], of_b[4096];
    uint64_t lost_a, lost_b;
    const size_t n = tru_events_take(a, of_a, 4096, &lost_a), m = tru_events_take(b, of_b, 4096, &lost_b);
    return n == m && lost_a == lost_b && memcmp(of_a, of_b, n * sizeof *of_a) == 0;
}

static bool same_totals(tru_world *a, tru_world *b) {
    const tru_solve_totals p = tru_world_solve_take(a), q = tru_world_solve_take(b);
    bool same = p.steps == q.steps && p.unconverged == q.unconverged && p.iterations == q.iterations;
    for (int k = 0; k < TRU_KINDS; k++) same = same && p.residual[k] == q.residual[k];
    return same && p.most_iterations == q.most_iterations && p.worst_relative == q.worst_relative &&
           p.worst_time == q.worst_time && p.worst_a == q.worst_a && p.lift == q.lift && p.hop == q.hop;
}

/* A world with a profile is always stepped by the lot of all bodies. */
static double no_clock(void) { return 0.0; }

/* Judges see bodies before and after the last step and its contacts. */
static bool same_verdicts(const tru_world *a, const tru_world *b) {
    tru_error err;
    tru_verdict of_a, of_b;
    const tru_status on_a = tru_judge(a, &of_a, &err), on_b = tru_judge(b, &of_b, &err);
    return on_a == on_b && (on_a < 0 || (of_a.momentum == of_b.momentum && of_a.spin == of_b.spin &&
                                         memcmp(of_a.law, of_b.law, sizeof of_a.law) == 0));
}

/* One world by the lot of all bodies, the other by the lot that fits, in pieces of random length. */
static void compare(const tru_scene *scene, const char *stepper, uint64_t number) {
    tru_error err;
    tru_sim *one, *other;
    MUST(tru_sim_create(scene, stepper, 1, &one, &err));
    MUST(tru_sim_create(scene, stepper, 1, &other, &err));
    tru_world *a = tru_sim_world(one), *b = tru_sim_world(other);
    uint64_t random = seed + number;
    bool same = true;
    tru_profile_set(a, no_clock);
    for (int i = 0; same && i < PIECES; i++) {
        const uint64_t steps = i % 4 == 3 ? 1 : next_length(&random);
        tru_status on_a = TRU_OK;
        for (uint64_t k = 0; on_a >= 0 && k < steps; k++) on_a = tru_run(a, 1, &err);
        const tru_status on_b = tru_run(b, steps, &err);
        same = (on_a < 0) == (on_b < 0) && same_bytes(a, b) && same_events(a, b) && same_totals(a, b) &&
               same_verdicts(a, b);
        if (!check(same)) printf("  piece %d, %llu steps done\n", i, (unsigned long long)tru_steps_done(b));
        if (on_a < 0) break; /* rolling ends here */
    }
    tru_sim_free(one);
    tru_sim_free(other);
}

static void compare_all(const tru_scene *scene) {
    for (size_t k = 0; tru_scene_stepper(scene, k); k++) {
        printf("  %s, %s, seed %llu\n", tru_scene_title(scene), tru_scene_stepper(scene, k), (unsigned long long)seed);
        compare(scene, tru_scene_stepper(scene, k), k);
    }
}

/* All scenes of a folder, of which there are at least `least`. */
static void compare_folder(const char *folder, int least) {
    int count = 0;
    DIR *dir = opendir(folder);
    if (!check(dir != NULL)) return;
    for (const struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        char path[1000];
        tru_scene *scene;
        tru_error err;
        if (e->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        MUST(tru_scene_read(path, NULL, 0, &scene, &err));
        compare_all(scene);
        tru_scene_free(scene);
        count++;
    }
    closedir(dir);
    check(count >= least);
}

TEST(disks) { compare_folder(SCENES "rolling-disk", 14); }
TEST(bodies_that_roll_without_slipping) { compare_folder(SCENES "variational", 9); }

/* Late in its life the contact point of Euler's disk runs round so fast that every step of scheme paper is an impact. */
TEST(a_rim_that_is_struck_in_every_step) {
    static const tru_set sets[] = {{"steppers.moreau.scheme", "paper"}};
    tru_scene *scene;
    tru_sim *sim;
    tru_error err;
    MUST(tru_scene_read(SCENES "examples/euler-disk.yaml", sets, 1, &scene, &err));
    compare_all(scene);
    MUST(tru_sim_create(scene, NULL, 1, &sim, &err));
    tru_world *w = tru_sim_world(sim);
    uint64_t struck = 0, taken = 0;
    MUST(tru_run(w, 1, &err));
    for (int n = 0; n < 1000; n++) {
        uint64_t at_once;
        MUST(w->stepper->run(w->stepper_params, w, 20, &at_once, &err));
        taken += at_once - 1;
        struck += w->contacts.count == 1 && (w->contacts.items[0].flags & CONTACT_IMPACT);
    }
    printf("  %llu of 1000 steps were impacts, %llu of 19000 taken at once\n", (unsigned long long)struck,
           (unsigned long long)taken);
    check(struck > 100 && taken > 18000);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

#define STEPPERS                                                                                                       \
    "steppers:\n"                                                                                                      \
    "  midpoint: {moreau: {step: 0.2 ms}}\n"                                                                           \
    "  paper: {moreau: {step: 0.2 ms, scheme: paper}}\n"                                                               \
    "  r7: {moreau: {step: 0.2 ms, scheme: paper, correction: r7}}\n"                                                  \
    "  exact: {cone: {step: 0.2 ms}}\n"                                                                                \
    "  poisson: {cone: {step: 0.2 ms, impact: poisson}}\n"                                                             \
    "  relaxed: {cone: {step: 0.2 ms, form: relaxed}}\n"                                                               \
    "record: {until: 8 s}\n"

#define ON_PLANE(laws, body)                                                                                           \
    "trundle: 1\n"                                                                                                     \
    "title: a body on a slope\n"                                                                                       \
    "laws:\n"                                                                                                          \
    "  felt: {" laws "}\n"                                                                                             \
    "pairs:\n"                                                                                                         \
    "  - {default: felt, restitution: 0.5}\n"                                                                          \
    "bodies:\n"                                                                                                        \
    "  slope: {kind: fixed, shape: plane, position: [0.1, -0.2, 0.3], orientation: {axis: y, angle: 2 deg}}\n"         \
    "  body: {shape: " body "}\n" STEPPERS

static const char *const bodies[] = {
    /* slides, rolls, comes to rest or runs away */
    ON_PLANE(
        "coulomb: {slide: 0.3}, rolling: {roll: 1 mm, spin: 1 mm}",
        "{sphere: {radius: 0.1}}, mass: 2, position: [0, 0, 0.45], velocity: [-0.5, 0.3, 0], angular_velocity: [0, 0, 3]"),
    ON_PLANE(
        "coulomb: {slide: 0.2, slide_static: 0.3, stribeck: 0.1 m/s}, rolling: {roll: 5 mm, roll_viscosity: 1e-3}",
        "{sphere: {radius: 0.1}}, mass: 2, position: [0, 0, 0.41], velocity: [1, 0.3, 0], angular_velocity: [0, 9, 3]"),
    ON_PLANE(
        "contensou: {slide: 0.3, patch: 2 mm}",
        "{sphere: {radius: 0.1}}, mass: 2, position: [0, 0, 0.41], velocity: [1, 0.3, 0], angular_velocity: [0, 9, 30]"),
    /* a coin: both rims, falls flat */
    ON_PLANE(
        "contensou: {slide: 0.3, patch: 2 mm}, contour: {contour: 2e-3}",
        "{disk: {radius: 0.04, thickness: 4 mm}}, density: 8000, position: [0, 0, 0.36], orientation: {axis: [1, 0.3, "
        "0.1], angle: 50 deg}, velocity: [0.1, 0, 0], angular_velocity: [0, 3, 9]"),
    ON_PLANE("coulomb: {slide: 0.3}, contour: {contour: 1e-3, contour_viscosity: 1e-3}",
             "{disk: {radius: 0.04}}, mass: 0.3, position: [0, 0, 0.36], orientation: {axis: x, angle: 70 deg}, "
             "velocity: [0.3, 0, 0], angular_velocity: [0, -3, 1]"),
};

TEST(bodies_on_a_slope) {
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        tru_scene *scene = scene_of(bodies[i]);
        compare_all(scene);
        tru_scene_free(scene);
    }
}

/* One world asks for its events after every step, the other runs from event to event. */
TEST(a_run_to_an_event_ends_with_its_step) {
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        tru_scene *scene = scene_of(bodies[i]);
        tru_error err;
        tru_sim *one, *other;
        static tru_event events[4096];
        MUST(tru_sim_create(scene, "paper", 1, &one, &err));
        MUST(tru_sim_create(scene, "paper", 1, &other, &err));
        tru_world *a = tru_sim_world(one), *b = tru_sim_world(other);
        tru_profile_set(a, no_clock);
        for (int n = 0; n < 4; n++) {
            for (uint64_t k = 0; k < 20000; k++) {
                MUST(tru_run(a, 1, &err));
                if (tru_events_take(a, events, 4096, NULL) > 0) break;
            }
            MUST(tru_run_to_event(b, 20000, &err));
            tru_events_take(b, events, 4096, NULL);
            check(tru_steps_done(a) == tru_steps_done(b) && tru_state_hash(a) == tru_state_hash(b));
        }
        tru_sim_free(one);
        tru_sim_free(other);
        tru_scene_free(scene);
    }
}

/* All of this would be true of a stepper that never uses the lot of one body. */
TEST(what_rolls_on_is_taken_by_one_body) {
    static const char *const blocks[] = {"midpoint", "paper", "r7", "exact"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
            tru_scene *scene = scene_of(bodies[i]);
            tru_error err;
            tru_sim *sim;
            MUST(tru_sim_create(scene, blocks[k], 1, &sim, &err));
            tru_world *w = tru_sim_world(sim);
            uint64_t taken = 0;
            MUST(tru_run(w, 1, &err));
            for (int n = 0; n < 5000; n++) {
                uint64_t at_once;
                MUST(w->stepper->run(w->stepper_params, w, 20, &at_once, &err));
                taken += at_once - 1;
            }
            if (!check(taken > 4000)) printf("  body %zu, %s: %llu\n", i, blocks[k], (unsigned long long)taken);
            tru_sim_free(sim);
            tru_scene_free(scene);
        }
}
