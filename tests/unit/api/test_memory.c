/* Where the memory of a world goes: the parts add up to what its allocator gave, for every stepper; bodies and contacts have
 * theirs. */
#include "check.h"
#include "failing_allocator.h"
#include "zoo.h"

enum { SIDE = 8, STONES = SIDE * SIDE * SIDE };

/* A block of stones, of which the lowest layer stands on the floor. */
static void block(tru_world *w) {
    const tru_vec3 zero = {0.0, 0.0, 0.0};
    zoo_floor(w);
    for (int i = 0; i < STONES; i++)
        zoo_ball(w, NULL, 0.1, (tru_vec3){0.21 * (i % SIDE), 0.21 * (i / SIDE % SIDE), 0.1 + 0.21 * (i / SIDE / SIDE)},
                 zero, zero);
}

static const zoo_scene scene = {"block", 1e-3, 0, zoo_ball_defs, block, NULL};

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
 * somebody forgets are more. */
TEST(parts_add_up) {
    tru_error err;
    for (size_t k = 0; tru_stepper_at(k); k++) {
        failing_allocator f = failing_begin(FAIL_NEVER);
        const tru_allocator a = failing_allocator_of(&f);
        tru_world *w = zoo_world(&scene, &a, 1);
        if (zoo_stepper(w, tru_stepper_at(k), 0, 1e-3, &err) >= 0 && tru_run(w, 3, &err) >= 0) {
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
    tru_world *w = zoo_world(&scene, NULL, 1);
    MUST(zoo_stepper(w, tru_stepper_at(0), 0, 1e-3, &err));
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
