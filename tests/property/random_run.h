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
        const size_t size = tru_snapshot_size(first.world);
        void *bytes = malloc(size);
        if (bytes && tru_snapshot_save(first.world, bytes, size, &err) >= 0 &&
            tru_snapshot_load(second.world, bytes, size, &err) >= 0) {
            tru_run(second.world, (uint64_t)(steps - steps / 2), &err);
            hash = tru_state_hash(second.world);
        }
        free(bytes);
        scene_close(&second);
    }
    scene_close(&first);
    return hash;
}

/* ---- pieces of a run */

enum { PIECE_EVENTS = 4096 };

/* How a run ended, and what it told. */
typedef struct run_end {
    uint64_t hash, steps;
    tru_error err; /* of a step that failed */
    tru_event events[PIECE_EVENTS];
    size_t event_count;
} run_end;

static inline void take_events(tru_world *w, run_end *end) {
    uint64_t lost;
    end->event_count +=
        tru_events_take(w, end->events + end->event_count, (size_t)PIECE_EVENTS - end->event_count, &lost);
}

static inline void note_end(tru_world *w, tru_status status, const tru_error *err, run_end *end) {
    end->hash = tru_state_hash(w);
    end->steps = tru_steps_done(w);
    end->err = status < 0 ? *err : (tru_error){TRU_OK, ""};
    take_events(w, end);
}

/* Moves the state of a world into a new one of the same scene with another number of threads; false: refused. */
static inline bool change_worlds(const char *scene, opened *o, int threads, tru_error *err) {
    opened next;
    const size_t size = tru_snapshot_size(o->world);
    void *bytes = malloc(size);
    bool good = bytes && text_open(scene, threads, &next, err);
    if (good &&
        !(tru_snapshot_save(o->world, bytes, size, err) >= 0 && tru_snapshot_load(next.world, bytes, size, err) >= 0)) {
        scene_close(&next);
        good = false;
    }
    free(bytes);
    if (!good) return false;
    scene_close(o);
    *o = next;
    return true;
}

/* Runs a scene in pieces of random lengths, each in a new world with one to three threads. */
static inline void run_in_pieces(draws *d, const char *scene, int steps, run_end *end) {
    opened o;
    tru_error err;
    tru_status status = TRU_OK;
    memset(end, 0, sizeof *end);
    if (!text_open(scene, 1 + draw_below(d, 3), &o, &err)) return;
    for (int left = steps; left > 0 && status >= 0;) {
        const int piece = 1 + draw_below(d, draw_chance(d, 0.3) ? 2 : 15), count = piece < left ? piece : left;
        status = tru_run(o.world, (uint64_t)count, &err);
        left -= count;
        take_events(o.world, end);
        if (status >= 0 && !change_worlds(scene, &o, 1 + draw_below(d, 3), &err)) {
            status = TRU_NO_SOLUTION;
            break;
        }
    }
    note_end(o.world, status, &err, end);
    scene_close(&o);
}

static inline bool same_events(const run_end *p, const run_end *q) {
    bool same = p->event_count == q->event_count;
    for (size_t i = 0; same && i < p->event_count; i++) {
        const tru_event *a = &p->events[i], *b = &q->events[i];
        same = a->time == b->time && a->kind == b->kind && a->body_a == b->body_a && a->body_b == b->body_b;
    }
    return same;
}

/* A run that is cut anywhere ends in the same bits, or fails in the same step with the same sentence, and tells the same
 * events. */
static inline void check_pieces(book *b, const random_scene *s, const way *how, draws *d, int steps,
                                char text[SCENE_ROOM]) {
    static run_end whole, pieces;
    opened o;
    tru_error err;
    if (!book_try(b, s, how, s->step, "", text, &o)) return;
    memset(&whole, 0, sizeof whole);
    const tru_status status = tru_run(o.world, (uint64_t)steps, &err);
    if (status < 0) book_stop(b, s, how, &err);
    note_end(o.world, status, &err, &whole);
    scene_close(&o);
    run_in_pieces(d, text, steps, &pieces);
    book_check(b, pieces.steps == whole.steps && strcmp(pieces.err.text, whole.err.text) == 0, s, how, text,
               "in pieces %" PRIu64 " steps ('%s'), in one %" PRIu64 " ('%s')", pieces.steps, pieces.err.text,
               whole.steps, whole.err.text);
    book_check(b, pieces.hash == whole.hash || pieces.steps != whole.steps, s, how, text,
               "%d steps in pieces give other bits", steps);
    book_check(b, same_events(&pieces, &whole), s, how, text, "%d steps in pieces tell %zu events, in one %zu", steps,
               pieces.event_count, whole.event_count);
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
