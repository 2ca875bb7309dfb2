/* arena.h: scratch memory of a step: pushing is a pointer increment, everything is forgotten at once.
 *
 * Grows by blocks; after a reset the blocks become one that holds the most that was ever in use, and an eighth more (of a large
 * arena a thirty-second), so that a steady step allocates nothing. */
#ifndef TRUNDLE_BASE_ARENA_H
#define TRUNDLE_BASE_ARENA_H

#include "base/memory.h"

#include <stdint.h>

#define ARENA_ALIGN 64 /* bytes: a cache line, and the widest vector register */

typedef struct arena_block {
    struct arena_block *next;
    char *bytes; /* aligned start of the room */
    size_t used, room;
} arena_block;

typedef struct arena {
    memory *memory;
    arena_block *first, *current; /* blocks behind `current` are empty */
    size_t room;                  /* bytes of all blocks, or of the block to come after a reset */
    size_t most;                  /* bytes that were in use at a time */
} arena;

typedef struct arena_mark {
    arena_block *block;
    size_t used;
} arena_mark;

/* Empty, allocates nothing; `m` must outlive the arena. */
void trui_arena_init(arena *a, memory *m);
void trui_arena_release(arena *a);
size_t trui_arena_bytes(const arena *a); /* that its blocks take */

/* Uninitialised bytes, aligned to ARENA_ALIGN; NULL: no memory, what was pushed before is untouched. */
void *trui_arena_push_slow(arena *a, size_t need); /* `need`: a multiple of ARENA_ALIGN; perhaps from a new block */
static inline void *arena_push(arena *a, size_t bytes) {
    if (bytes > SIZE_MAX / 4) return NULL; /* keeps the sums of sizes from overflowing */
    const size_t need = bytes ? (bytes + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN : ARENA_ALIGN;
    arena_block *b = a->current;
    if (!b || b->room - b->used < need) return trui_arena_push_slow(a, need);
    void *place = b->bytes + b->used;
    b->used += need;
    return place;
}
static inline void *arena_push_array(arena *a, size_t count, size_t item) {
    return item && count > SIZE_MAX / item ? NULL : arena_push(a, count * item);
}
#define ARENA_ARRAY(a, T, n) ((T *)arena_push_array((a), (n), sizeof(T)))

/* Forget everything; pointers into the arena die. */
void trui_arena_reset(arena *a);
/* Forget what was pushed since the mark was taken. */
arena_mark trui_arena_here(const arena *a);
void trui_arena_rewind(arena *a, arena_mark mark);

#endif
