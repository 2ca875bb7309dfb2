/* Where the memory of a world goes: the parts add up to what its allocator gave, for every stepper; bodies and contacts have
 * theirs. */
#include "check.h"
#include "failing_allocator.h"
#include "zoo.h"

#include "step/step.h"

enum { SIDE = 8, STONES = SIDE * SIDE * SIDE };

/* A block of stones, of which the lowest layer stands on the floor. */
static void stones(tru_world *w) {
    const tru_vec3 zero = {0.0, 0.0, 0.0};
    kit_add_floor(w);
    for (int i = 0; i < STONES; i++)
        kit_add_solid_ball(w, NULL, 0.1,
                           (tru_vec3){0.21 * (i % SIDE), 0.21 * (i / SIDE % SIDE), 0.1 + 0.21 * (i / SIDE / SIDE)},
                           zero, zero);
}

static const zoo_scene scene = {"block", 1e-3, 0, zoo_ball_defs, stones, NULL};

static size_t sum_of(const tru_world *w) {
    tru_memory_part part;
    size_t sum = 0;
    for (size_t k = 0; tru_memory_at(w, k, &part); k++) sum += part.bytes;
    return sum;
}

static size_t part_of(const tru_world *w, const char *name) {
    tru_memory_part part;
    for (size_t k = 0; tru_memory_at(w, k, &part); k++)
        if (strcmp(part.name, name) == 0) return part.bytes;
    check(!"a part of this name");
    return 0;
}

/* Parameters of laws, stepper and solver are all that no part counts: less than 2 kB, while 4 bytes of a stone that
 * is not counted would be more. */
TEST(parts_add_up) {
    tru_error err;
    for (size_t k = 0; tru_stepper_at(k); k++) {
        failing_allocator f = failing_begin(FAIL_NEVER);
        const tru_allocator a = failing_allocator_of(&f);
        tru_world *w = kit_create_zoo_world(&scene, &a, 1);
        if (kit_set_stepper(w, tru_stepper_at(k), 0, 1e-3, &err) >= 0 && tru_run(w, 3, &err) >= 0) {
            check(tru_contact_count(w) == SIDE * SIDE);
            if (!check(sum_of(w) <= f.live_bytes && f.live_bytes - sum_of(w) < 2048))
                printf("%s: %zu of %zu\n", tru_stepper_at(k)->name, sum_of(w), f.live_bytes);
        }
        tru_world_destroy(w);
        check(f.live_bytes == 0 && f.wrong_sizes == 0);
    }
}

TEST(parts_grow) {
    tru_error err;
    tru_world *w = kit_create_zoo_world(&scene, NULL, 1);
    MUST(kit_set_stepper(w, tru_stepper_at(0), 0, 1e-3, &err));
    check(part_of(w, "contacts") == 0 && part_of(w, "scratch") < 1000);
    const size_t bodies = part_of(w, "bodies"), shapes = part_of(w, "shapes"), names = part_of(w, "names");
    MUST(tru_run(w, 2, &err));
    check(part_of(w, "bodies") == bodies && part_of(w, "shapes") == shapes && part_of(w, "names") == names);
    check(part_of(w, "contacts") >= tru_contact_count(w) * 8 * sizeof(double) && part_of(w, "before") > 0);
    check(part_of(w, "undo") > STONES * 13 * sizeof(double) && part_of(w, "near") > 0 && part_of(w, "scratch") > 0);
    MUST(tru_body_reserve(w, 4 * STONES, &err));
    check(part_of(w, "bodies") >= 3 * bodies && part_of(w, "names") > names);
    tru_memory_part past;
    check(!tru_memory_at(w, 1000, &past));
    tru_world_destroy(w);
}

/* An allocator of blocks up to a size. */
static void *limited_resize(void *old, size_t old_bytes, size_t new_bytes, void *user) {
    (void)old_bytes;
    return new_bytes <= *(const size_t *)user ? realloc(old, new_bytes) : NULL;
}

static void limited_release(void *old, size_t bytes, void *user) {
    (void)bytes, (void)user;
    free(old);
}

static void floor_alone(tru_world *w) { kit_add_floor(w); }

/* Room for the bodies themselves, but not for a step of theirs: said at once, nothing else has changed. */
TEST(too_many_for_a_step) {
    tru_error err;
    enum { MANY = 10000 };
    const zoo_scene few = {"few", 1e-3, 0, zoo_ball_defs, floor_alone, NULL};
    const size_t of_step = sizeof(body_start) + sizeof(body_step) + sizeof(twist) + sizeof(problem_body) + 16;
    size_t limit = (MANY + 100) * sizeof(body);
    check(limit < MANY * of_step);
    const tru_allocator a = {limited_resize, limited_release, &limit};
    tru_world *w = kit_create_zoo_world(&few, &a, 1);
    const uint64_t before = tru_state_hash(w);
    check_status(tru_body_reserve(w, MANY, &err), TRU_NO_MEMORY);
    char says[100];
    snprintf(says, sizeof says, "out of memory: 10000 more bodies need at least %.3g GB",
             1e-9 * MANY * (double)(sizeof(body) + sizeof(body_label) + sizeof(solid) + of_step));
    check_str(err.text, says);
    check(tru_state_hash(w) == before && tru_body_count(w) == 1);
    limit = MANY * of_step;
    check_status(tru_body_reserve(w, MANY, &err), TRU_OK);
    tru_world_destroy(w);
}

/* Bodies that are alike have one set of parameters between them; who goes, in whatever order, leaves them to the others. */
TEST(what_is_shared_stays) {
    tru_error err;
    tru_shape_def shape;
    failing_allocator f = failing_begin(FAIL_NEVER);
    const tru_allocator a = failing_allocator_of(&f);
    for (int order = 0; order < 2; order++) {
        tru_world *w = kit_create_zoo_world(&scene, &a, 1);
        const size_t alike = part_of(w, "shapes");
        const tru_id other = kit_add_solid_ball(w, NULL, 0.07, (tru_vec3){9.0, 0.0, 1.0}, (tru_vec3){0}, (tru_vec3){0});
        check(part_of(w, "shapes") > alike && alike < 2 * STONES * 160);
        for (int i = 0; i < STONES - 1; i++)
            MUST(tru_body_remove(w, tru_body_at(w, order ? 1 : STONES - (size_t)i), &err));
        check(tru_body_count(w) == 3);
        MUST(tru_body_shape(w, tru_body_at(w, 1), 0, &shape, &err));
        check(((const tru_sphere *)shape.shape.params)->radius == 0.1 && shape.density > 0.0);
        MUST(tru_body_shape(w, other, 0, &shape, &err));
        check(((const tru_sphere *)shape.shape.params)->radius == 0.07);
        tru_world_destroy(w);
        check(f.live_bytes == 0 && f.wrong_sizes == 0);
    }
}

/* Names of every length are found, also after others went, and come back from a snapshot. */
TEST(names_of_all_lengths) {
    tru_error err;
    enum { LONGEST = 62 };
    const tru_vec3 zero = {0.0, 0.0, 0.0};
    const zoo_scene empty = {"names", 1e-3, 0, zoo_ball_defs, NULL, NULL};
    char name[LONGEST][LONGEST + 1];
    tru_world *w = kit_create_zoo_materials(&empty, NULL, 1), *copy = kit_create_zoo_materials(&empty, NULL, 1);
    for (int i = 0; i < LONGEST; i++) {
        for (int k = 0; k <= i; k++) name[i][k] = (char)('a' + (i + k) % 26);
        name[i][i + 1] = '\0';
        kit_add_solid_ball(w, name[i], 0.1, (tru_vec3){1.0 * i, 0.0, 1.0}, zero, zero);
    }
    for (int i = 0; i < LONGEST; i += 3) MUST(tru_body_remove(w, tru_body_find(w, name[i]), &err));
    unsigned char *snapshot = malloc(tru_snapshot_size(w));
    if (!snapshot) exit(1);
    MUST(tru_snapshot_save(w, snapshot, tru_snapshot_size(w), &err));
    MUST(tru_snapshot_load(copy, snapshot, tru_snapshot_size(w), &err));
    check(tru_state_hash(copy) == tru_state_hash(w));
    for (int i = 0; i < LONGEST; i++) {
        tru_body_info info;
        const tru_id id = tru_body_find(copy, name[i]);
        check(id == tru_body_find(w, name[i]) && (id == TRU_NONE) == (i % 3 == 0));
        if (id == TRU_NONE) continue;
        MUST(tru_body_describe(copy, id, &info, &err));
        check_str(info.name, name[i]);
    }
    free(snapshot);
    tru_world_destroy(w);
    tru_world_destroy(copy);
}
