/* store.c: blocks of memory, each larger than the last, filled from the front. */
#include "store.h"

#include <stdlib.h>
#include <string.h>

typedef struct store_block {
    struct store_block *next;
    size_t room;
    max_align_t bytes[];
} store_block;

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

static size_t aligned(size_t bytes) {
    const size_t unit = sizeof(max_align_t);
    return (bytes + unit - 1) / unit * unit;
}

static store_block *new_block(const store *s, size_t bytes) {
    size_t room = s->blocks ? 2 * s->blocks->room : FIRST_BLOCK;
    if (room > LARGEST_BLOCK) room = LARGEST_BLOCK;
    if (room < bytes) room = bytes;
    store_block *b = malloc(sizeof *b + room);
    if (b) *b = (store_block){s->blocks, room};
    return b;
}

void *trio_store_take(store *s, size_t bytes) {
    const size_t size = aligned(bytes > 0 ? bytes : 1);
    if (!s->blocks || s->used + size > s->blocks->room) {
        store_block *b = new_block(s, size);
        if (!b) return NULL;
        s->blocks = b;
        s->used = 0;
    }
    void *out = (char *)s->blocks->bytes + s->used;
    s->used += size;
    return memset(out, 0, size);
}

char *trio_store_text(store *s, const char *text) {
    char *copy = trio_store_take(s, strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

void trio_store_reset(store *s) {
    while (s->blocks && s->blocks->next) {
        store_block *old = s->blocks->next;
        s->blocks->next = old->next;
        free(old);
    }
    s->used = 0;
}

void trio_store_release(store *s) {
    trio_store_reset(s);
    free(s->blocks);
    *s = (store){0};
}
