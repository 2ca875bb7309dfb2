/* test_arena.c: alignment, marks, no allocation in a steady step, every allocation failed in turn. */
#include "check.h"
#include "failing_allocator.h"

#include "base/arena.h"

static bool aligned(const void *p) { return (uintptr_t)p % ARENA_ALIGN == 0; }

/* A step with pushes of many sizes, each filled with its own byte; true if none overlaps another. */
static bool step(arena *a, size_t pushes, size_t largest) {
    unsigned char *place[200];
    size_t size[200];
    for (size_t i = 0; i < pushes; i++) {
        size[i] = (i * 7919) % (largest + 1);
        place[i] = arena_push(a, size[i]);
        if (!place[i] || !aligned(place[i])) return false;
        memset(place[i], (int)(i & 255), size[i]);
    }
    for (size_t i = 0; i < pushes; i++)
        for (size_t k = 0; k < size[i]; k++)
            if (place[i][k] != (i & 255)) return false;
    return true;
}

TEST(a_steady_step_allocates_nothing) {
    failing_allocator f = failing_begin(FAIL_NEVER);
    tru_allocator allocator = failing_allocator_of(&f);
    memory m = trui_memory_of(&allocator);
    arena a;
    trui_arena_init(&a, &m);
    check(f.calls == 0);
    for (int i = 0; i < 3; i++) {
        check(step(&a, 200, 5000));
        trui_arena_reset(&a);
    }
    long calls = f.calls;
    check(f.live_blocks == 1);
    for (int i = 0; i < 100; i++) {
        if (!step(&a, 200, 5000)) check(false);
        trui_arena_reset(&a);
    }
    check(f.calls == calls && calls < 12);
    trui_arena_release(&a);
    check(f.live_blocks == 0 && f.wrong_sizes == 0);
}

TEST(rewind_forgets_and_reuses) {
    failing_allocator f = failing_begin(FAIL_NEVER);
    tru_allocator allocator = failing_allocator_of(&f);
    memory m = trui_memory_of(&allocator);
    arena a;
    trui_arena_init(&a, &m);
    arena_mark empty = trui_arena_here(&a);
    double *kept = ARENA_ARRAY(&a, double, 10);
    kept[9] = 3.0;
    arena_mark mark = trui_arena_here(&a);
    char *first = arena_push(&a, 100);
    trui_arena_rewind(&a, mark);
    check(arena_push(&a, 100) == (void *)first);
    long calls = 0;
    for (int i = 0; i < 50; i++) { /* the blocks behind the mark are used again */
        trui_arena_rewind(&a, mark);
        check(step(&a, 100, 3000));
        if (i == 0) calls = f.calls;
    }
    check(f.calls == calls);
    check(kept[9] == 3.0);
    trui_arena_rewind(&a, empty);
    check(arena_push(&a, 8) == (void *)kept);
    trui_arena_release(&a);
    check(f.live_blocks == 0 && f.wrong_sizes == 0);
}

TEST(a_free_block_too_small_is_passed_over) {
    memory m = trui_memory_default();
    arena a;
    trui_arena_init(&a, &m);
    arena_push(&a, 16 * 1024);
    arena_mark mark = trui_arena_here(&a);
    arena_push(&a, 100);
    trui_arena_rewind(&a, mark);
    char *large = arena_push(&a, 1000000);
    memset(large, 1, 1000000);
    check(aligned(large) && step(&a, 100, 1000) && large[0] == 1 && large[999999] == 1);
    trui_arena_release(&a);
}

TEST(impossible_sizes_are_refused) {
    memory m = trui_memory_default();
    arena a;
    trui_arena_init(&a, &m);
    check(arena_push(&a, SIZE_MAX) == NULL);
    check(arena_push(&a, SIZE_MAX - 64) == NULL);
    check(ARENA_ARRAY(&a, double, SIZE_MAX / 4) == NULL);
    check(arena_push(&a, 0) != NULL);
    check(arena_push(&a, 0) != arena_push(&a, 0));
    trui_arena_release(&a);
}

TEST(every_allocation_failed_in_turn) {
    for (long k = 0;; k++) {
        failing_allocator f = failing_begin(k);
        tru_allocator allocator = failing_allocator_of(&f);
        memory m = trui_memory_of(&allocator);
        arena a;
        trui_arena_init(&a, &m);
        for (int i = 0; i < 4; i++) {
            bool good = step(&a, 100, 2000);
            if (!good) check(f.failed);
            if (!good) check(step(&a, 100, 2000)); /* works again at once */
            trui_arena_reset(&a);
        }
        trui_arena_release(&a);
        check(f.live_blocks == 0 && f.wrong_sizes == 0);
        if (!f.failed) break;
    }
}
