/* arena.c: a chain of blocks in which scratch memory is pushed. */
#include "base/arena.h"

enum {
    SMALLEST_BLOCK = 16 * 1024,
    LARGE = 1024 * 1024
}; /* bytes, from which on unused room is dearer than a few blocks more */

static size_t block_bytes(size_t room) { return sizeof(arena_block) + ARENA_ALIGN + room; }

void trui_arena_init(arena *a, memory *m) { *a = (arena){.memory = m}; }

static void release_blocks(arena *a) {
    for (arena_block *b = a->first, *next; b; b = next) {
        next = b->next;
        trui_mem_release(a->memory, b, block_bytes(b->room));
    }
    a->first = a->current = NULL;
}

void trui_arena_release(arena *a) {
    release_blocks(a);
    a->room = a->most = 0;
}

size_t trui_arena_bytes(const arena *a) {
    size_t bytes = 0;
    for (const arena_block *b = a->first; b; b = b->next) bytes += block_bytes(b->room);
    return bytes;
}

/* Before something is forgotten: how much there was. */
static void note_use(arena *a) {
    size_t used = 0;
    for (const arena_block *b = a->first; a->current && b; b = b == a->current ? NULL : b->next) used += b->used;
    if (used > a->most) a->most = used;
}

static arena_block *new_block(arena *a, size_t room) {
    arena_block *b = trui_mem_resize(a->memory, NULL, 0, block_bytes(room));
    if (!b) return NULL;
    uintptr_t start = (uintptr_t)(b + 1);
    size_t shift = (ARENA_ALIGN - start % ARENA_ALIGN) % ARENA_ALIGN;
    *b = (arena_block){.bytes = (char *)(b + 1) + shift, .room = room};
    return b;
}

/* A block with room for `bytes` behind the current one: a free one that is large enough, else a new one, half as large as all
 * others, of a large arena an eighth. The first block after a reset gets the room that was in use. */
static arena_block *next_block(arena *a, size_t bytes) {
    arena_block *next = a->current ? a->current->next : a->first;
    if (next && next->room >= bytes) return next;
    size_t room = a->first ? a->room / (a->room < LARGE ? 2 : 8) : a->room;
    if (room < SMALLEST_BLOCK) room = SMALLEST_BLOCK;
    if (room < bytes) room = bytes;
    arena_block *b = new_block(a, room);
    if (!b) return NULL;
    a->room = a->first ? a->room + room : room;
    b->next = next;
    if (a->current)
        a->current->next = b;
    else
        a->first = b;
    return b;
}

void *trui_arena_push_slow(arena *a, size_t need) {
    arena_block *b = next_block(a, need);
    if (!b) return NULL;
    b->used = need;
    a->current = b;
    return b->bytes;
}

/* Several blocks become one at the next push. */
void trui_arena_reset(arena *a) {
    note_use(a);
    if (a->first && a->first->next) {
        release_blocks(a);
        a->room = a->most + a->most / (a->most < LARGE ? 8 : 32);
    }
    a->current = NULL;
}

arena_mark trui_arena_here(const arena *a) { return (arena_mark){a->current, a->current ? a->current->used : 0}; }

void trui_arena_rewind(arena *a, arena_mark mark) {
    note_use(a);
    a->current = mark.block;
    if (mark.block) mark.block->used = mark.used;
}
