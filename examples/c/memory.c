/* memory.c: worlds with an allocator of the program, in two threads. All memory comes back, and both end in the same bits. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <trundle/trundle.h>

static atomic_size_t in_use, calls;

static void *resize(void *block, size_t old_bytes, size_t new_bytes, void *user) {
    void *grown = realloc(block, new_bytes);
    (void)user;
    calls++;
    if (grown) in_use += new_bytes - old_bytes;
    return grown;
}

static void release(void *block, size_t bytes, void *user) {
    (void)user;
    in_use -= bytes;
    free(block);
}

/* Drops a ball on a plane. */
static void *run(void *out) {
    const tru_allocator own = {resize, release, NULL};
    tru_error err;
    tru_world *w;
    tru_world_def def = tru_default_world_def();
    tru_pair_def pair = tru_default_pair_def();
    tru_shape_def shapes[2] = {tru_default_shape_def(), tru_default_shape_def()};
    tru_body_def table = tru_default_body_def(), ball = tru_default_body_def();
    tru_moreau moreau = tru_default_moreau();
    def.allocator = &own;
    shapes[0].shape.name = "plane";
    shapes[1].shape = (tru_use){"sphere", &(tru_sphere){0.1}};
    table.kind = TRU_FIXED;
    table.shapes = &shapes[0];
    ball.shapes = &shapes[1];
    table.shape_count = ball.shape_count = 1;
    ball.mass = 1.0;
    ball.position.z = 0.1;
    moreau.step = 1e-3;
    if (tru_world_create(&def, &w, &err) < 0) return NULL;
    tru_pair_set(w, &pair, &err);
    tru_body_add(w, &table, NULL, &err);
    tru_body_add(w, &ball, NULL, &err);
    tru_stepper_set(w, "moreau", &moreau, &err);
    if (tru_run(w, 500, &err) >= 0 && tru_run(w, 500, &err) >= 0) *(uint64_t *)out = tru_state_hash(w);
    tru_world_destroy(w);
    return NULL;
}

int main(void) {
    pthread_t other;
    uint64_t hash[2] = {0, 1};
    if (pthread_create(&other, NULL, run, &hash[1]) != 0) return 1;
    run(&hash[0]);
    pthread_join(other, NULL);
    printf("the allocator was %s, %zu bytes are left\n", calls > 0 ? "used" : "not used", (size_t)in_use);
    printf("both threads end in %s state\n", hash[0] == hash[1] ? "the same" : "another");
    return hash[0] != hash[1] || in_use != 0;
}
