/* arena.c: scratch memory as a list of blocks that are filled one after the other. */
#include "base/arena.h"

#include "base/assert.h"

enum {
    SMALLEST_BLOCK = 16 * 1024, /* bytes: a few pages, so that small worlds need one block */
    LARGE_ARENA = 1024 * 1024   /* bytes: above it, unused memory costs more than a few more allocations */
};

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

/* Updates the largest use so far. Callers forget pushed memory afterwards. */
static void note_use(arena *a) {
    size_t used = 0;
    for (const arena_block *b = a->first; a->current && b; b = b == a->current ? NULL : b->next) {
        TRU_ASSERT(b->used <= b->room);
        used += b->used;
    }
    if (used > a->most) a->most = used;
}

static arena_block *new_block(arena *a, size_t room) {
    arena_block *b = trui_mem_resize(a->memory, NULL, 0, block_bytes(room));
    if (!b) return NULL;
    uintptr_t start = (uintptr_t)(b + 1);
    size_t shift = (ARENA_ALIGN - start % ARENA_ALIGN) % ARENA_ALIGN;
    *b = (arena_block){.bytes = (char *)(b + 1) + shift, .room = room};
    TRU_ASSERT((uintptr_t)b->bytes % ARENA_ALIGN == 0 && b->bytes + room <= (char *)b + block_bytes(room));
    return b;
}

/* Returns a block behind the current one that holds `bytes`. Takes the next block if it is large enough. Otherwise allocates one:
 * half as large as all others together, or an eighth of them in a large arena. The first block after a reset gets a->room. */
static arena_block *next_block(arena *a, size_t bytes) {
    arena_block *next = a->current ? a->current->next : a->first;
    if (next && next->room >= bytes) return next;
    size_t room = a->first ? a->room / (a->room < LARGE_ARENA ? 2 : 8) : a->room;
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
    TRU_ASSERT(need > 0 && need % ARENA_ALIGN == 0);
    arena_block *b = next_block(a, need);
    if (!b) return NULL;
    TRU_ASSERT(b->room >= need);
    b->used = need;
    a->current = b;
    return b->bytes;
}

/* Several blocks are released here; the next push allocates one block that holds the largest use so far. */
void trui_arena_reset(arena *a) {
    note_use(a);
    if (a->first && a->first->next) {
        release_blocks(a);
        a->room = a->most + a->most / (a->most < LARGE_ARENA ? 8 : 32);
    }
    a->current = NULL;
}

arena_mark trui_arena_here(const arena *a) { return (arena_mark){a->current, a->current ? a->current->used : 0}; }

void trui_arena_rewind(arena *a, arena_mark mark) {
    TRU_ASSERT(mark.block ? mark.used <= mark.block->used : mark.used == 0);
    note_use(a);
    a->current = mark.block;
    if (mark.block) mark.block->used = mark.used;
}
