/* Names of bodies: thousands come and go, and every one is found at every time. */
#include "check.h"
#include "worlds.h"

#include "math/random.h"

#include <string.h>

enum { POOL = 600 };

static tru_id add(tru_world *w, const char *name, tru_error *err) {
    static const tru_sphere sphere = {0.1};
    tru_id id = TRU_NONE;
    tru_shape_def shape = tru_default_shape_def();
    tru_body_def b = tru_default_body_def();
    shape.shape = (tru_use){"sphere", &sphere};
    shape.density = 1.0;
    b.name = name;
    b.shapes = &shape;
    b.shape_count = 1;
    return tru_body_add(w, &b, &id, err) < 0 ? TRU_NONE : id;
}

static tru_world *empty(void) {
    tru_world *w = kit_create_world(tru_default_world_def().gravity);
    return w;
}

/* A random walk through a pool of names with at most `most` in use; the answers of an array are the reference. */
static void walk(uint64_t seed, size_t pool, size_t most, uint64_t rounds) {
    tru_error err;
    tru_id ids[POOL] = {0};
    tru_id newest = 0;
    size_t count = 0;
    tru_world *w = empty();
    for (uint64_t round = 0; round < rounds; round++) {
        const size_t k = (size_t)(tru_random_u64(seed, pool, round) % pool);
        const bool thin_out = count == most || tru_random_uniform(seed, most, round) < (round / 3000 % 2 ? 0.9 : 0.3);
        char name[32];
        snprintf(name, sizeof name, "body %zu", k);
        check(tru_body_find(w, name) == ids[k]);
        if (ids[k] == TRU_NONE && count < most) {
            ids[k] = add(w, name, &err);
            check(ids[k] > newest); /* ids grow and are never used again */
            newest = ids[k];
            count++;
        } else if (ids[k] != TRU_NONE && thin_out) {
            MUST(tru_body_remove(w, ids[k], &err));
            ids[k] = TRU_NONE;
            count--;
        }
        check(tru_body_count(w) == count);
        for (size_t i = 0; i < pool && (pool < 50 || round % 500 == 0); i++) {
            snprintf(name, sizeof name, "body %zu", i);
            check(tru_body_find(w, name) == ids[i]);
        }
    }
    tru_world_destroy(w);
}

TEST(names_come_and_go) { walk(check_seed(), POOL, POOL, 12000); }

/* Eight names in sixteen places: collisions and runs round the end of the table are common. */
TEST(names_in_a_small_table) { walk(check_seed(), 40, 8, 20000); }

TEST(names_that_are_not_there) {
    tru_error err;
    tru_world *w = empty();
    check(tru_body_find(w, "ball") == TRU_NONE);
    check(add(w, "ball", &err) == 1);
    check(tru_body_find(w, "ball") == 1 && tru_body_find(w, "Ball") == TRU_NONE && tru_body_find(w, "bal") == TRU_NONE);
    check(tru_body_find(w, "") == TRU_NONE && tru_body_find(w, NULL) == TRU_NONE);
    tru_world_destroy(w);
}

TEST(names_are_unique) {
    tru_error err;
    tru_body_info info;
    tru_world *w = empty();
    const tru_id first = add(w, "ball", &err);
    const uint64_t before = tru_state_hash(w);
    check(add(w, "ball", &err) == TRU_NONE);
    check_status(err.status, TRU_CONFLICT);
    check_str(err.text, "there is already a body 'ball'");
    check(tru_state_hash(w) == before);
    MUST(tru_body_remove(w, first, &err));
    check(add(w, "ball", &err) != TRU_NONE); /* a name is free again when its body is gone */
    tru_world_destroy(w);

    /* names that the library makes avoid those that are taken */
    w = empty();
    check(add(w, "body-3", &err) == 1 && add(w, "body-3-2", &err) == 2 && add(w, NULL, &err) == 3);
    MUST(tru_body_describe(w, 3, &info, &err));
    check_str(info.name, "body-3-3");
    check(tru_body_find(w, "body-3") == 1 && tru_body_find(w, "body-3-3") == 3);
    check(add(w, NULL, &err) == 4 && tru_body_find(w, "body-4") == 4);
    tru_world_destroy(w);
}

TEST(names_too_long) {
    tru_error err;
    char name[65];
    tru_world *w = empty();
    memset(name, 'n', 64);
    name[64] = '\0';
    check(add(w, name, &err) == TRU_NONE);
    check_status(err.status, TRU_BAD_ARGUMENT);
    name[63] = '\0';
    check(add(w, name, &err) == 1 && tru_body_find(w, name) == 1);
    tru_world_destroy(w);
}
