/* arena.h: scratch memory of a step. A push increments a pointer; a reset forgets all pushes at once.
 *
 * An arena grows by blocks. After a reset one block replaces them. It holds the largest use so far and an eighth more, or a
 * thirty-second more in a large arena, so that steps of constant size allocate nothing. */
#ifndef TRUNDLE_BASE_ARENA_H
#define TRUNDLE_BASE_ARENA_H

#include "base/memory.h"

#include <stdint.h>

#define ARENA_ALIGN 64 /* bytes: a cache line, and the widest vector register */

typedef struct arena_block {
    struct arena_block *next;
    char *bytes;       /* aligned start of its memory */
    size_t used, room; /* bytes in use and in all, used <= room */
} arena_block;

typedef struct arena {
    memory *memory;
    arena_block *first, *current; /* blocks behind `current` are empty; NULL: no memory is in use */
    size_t room;                  /* bytes of all blocks; without blocks, bytes that the first one will have */
    size_t most;                  /* largest number of bytes in use at one time */
} arena;

/* A state of an arena to which trui_arena_rewind returns. */
typedef struct arena_mark {
    arena_block *block;
    size_t used;
} arena_mark;

/* Makes an empty arena without allocating. `m` must outlive the arena. */
void trui_arena_init(arena *a, memory *m);
/* Returns all blocks to the allocator. */
void trui_arena_release(arena *a);
/* Returns the bytes that all blocks take, with their headers. */
size_t trui_arena_bytes(const arena *a);

/* Takes `need` bytes, a multiple of ARENA_ALIGN, from the next block or from a new one. NULL if there is no memory. */
void *trui_arena_push_slow(arena *a, size_t need);
/* Returns `bytes` uninitialised bytes, aligned to ARENA_ALIGN. NULL if there is no memory; earlier pushes stay valid. */
static inline void *arena_push(arena *a, size_t bytes) {
    if (bytes > SIZE_MAX / 4) return NULL; /* keeps the sums of sizes from overflowing */
    const size_t need = bytes ? (bytes + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN : ARENA_ALIGN;
    arena_block *b = a->current;
    if (!b || b->room - b->used < need) return trui_arena_push_slow(a, need);
    void *place = b->bytes + b->used;
    b->used += need;
    return place;
}
/* The same for an array; NULL also if its size overflows. */
static inline void *arena_push_array(arena *a, size_t count, size_t item) {
    return item && count > SIZE_MAX / item ? NULL : arena_push(a, count * item);
}
#define ARENA_ARRAY(a, T, n) ((T *)arena_push_array((a), (n), sizeof(T)))

/* Forgets everything that was pushed; pointers into the arena become invalid. */
void trui_arena_reset(arena *a);
/* Returns a mark of the present state. */
arena_mark trui_arena_here(const arena *a);
/* Forgets what was pushed after the mark was taken. */
void trui_arena_rewind(arena *a, arena_mark mark);

#endif
