/* random_run.h: a run that nothing may break: finite, with closed books, and the same bits however it is cut. */
#ifndef TRUNDLE_TESTS_PROPERTY_RANDOM_RUN_H
#define TRUNDLE_TESTS_PROPERTY_RANDOM_RUN_H

#include "random_scene.h"

/* Runs `steps` one by one; a failing step leaves the world as it was. Returns the steps done. */
static inline int run_singly(book *b, const random_scene *s, const way *how, opened *o, int steps, const char *text) {
    for (int i = 0; i < steps; i++) {
        tru_error err = {TRU_OK, ""};
        const uint64_t before = tru_state_hash(o->world);
        const tru_status status = tru_run(o->world, 1, &err);
        if (status < 0) {
            book_stop(b, s, how, &err);
            book_check(b, err.text[0] != '\0', s, how, text, "step %d failed without a sentence (status %d)", i,
                       status);
            book_check(b, tru_state_hash(o->world) == before, s, how, text, "failed step %d changed the world: %s", i,
                       err.text);
            return i;
        }
        if (!book_check(b, world_finite(o->world), s, how, text, "not finite after step %d with status %d", i, status))
            return i;
    }
    return steps;
}

/* Runs in two calls with a snapshot between them, loaded by another world with two threads. */
static inline uint64_t run_resumed(const char *scene, int steps) {
    opened first, second;
    tru_error err;
    uint64_t hash = 0;
    if (!text_open(scene, 1, &first, &err)) return 0;
    if (text_open(scene, 2, &second, &err)) {
        tru_run(first.world, (uint64_t)(steps / 2), &err);
        const size_t size = tru_save_size(first.world);
        void *bytes = malloc(size);
        if (bytes && tru_save(first.world, bytes, size, &err) >= 0 && tru_load(second.world, bytes, size, &err) >= 0) {
            tru_run(second.world, (uint64_t)(steps - steps / 2), &err);
            hash = tru_state_hash(second.world);
        }
        free(bytes);
        scene_close(&second);
    }
    scene_close(&first);
    return hash;
}

/* All of this, and the books. */
static inline void check_run(book *b, const random_scene *s, const way *how, int steps, char text[SCENE_ROOM]) {
    opened o;
    if (!book_try(b, s, how, s->step, "", text, &o)) return;
    const int done = run_singly(b, s, how, &o, steps, text);
    const uint64_t hash = tru_state_hash(o.world);
    const tru_ledger l = tru_world_ledger(o.world);
    scene_close(&o);
    book_check(b, fabs(tru_ledger_gap(&l)) <= 1e-9 * ledger_largest(&l), s, how, text,
               "ledger gap %.3g J, largest entry %.3g J", tru_ledger_gap(&l), ledger_largest(&l));
    book_check(b, run_resumed(text, done) == hash, s, how, text, "%d steps resumed with two threads give other bits",
               done);
}

#endif
