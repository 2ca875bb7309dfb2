/* array.c: the untyped part of growable arrays. */
#include "base/array.h"

#include "base/assert.h"

enum { MANY = 4096 }; /* items, from which on unused room is dearer than a few copies more */

/* The items in a block with room for `need`; on failure the old block and capacity. */
void *trui_array_grown(memory *m, void *items, size_t *capacity, size_t item, size_t need) {
    if (need <= *capacity) return items;
    size_t room = *capacity + *capacity / (*capacity < MANY ? 2 : 16), bytes;
    if (room < 8) room = 8;
    if (room < need) room = need;
    if (!trui_mem_product(room, item, &bytes)) return items;
    void *block = trui_mem_resize(m, items, *capacity * item, bytes);
    if (!block) return items;
    *capacity = room;
    return block;
}

/* The items in a block with room for an eighth more, if that is much less than they have; else in the old one. */
void *trui_array_trimmed(memory *m, void *items, size_t *capacity, size_t item, size_t count) {
    const size_t room = count + count / 8;
    if (*capacity < MANY || count == 0 || count > *capacity - *capacity / 3) return items;
    void *block = trui_mem_resize(m, items, *capacity * item, room * item);
    if (!block) return items;
    *capacity = room;
    return block;
}

/* Makes place k free for a new item, zeroes it, returns k. */
size_t trui_array_open(void *items, size_t *count, size_t item, size_t k) {
    TRU_ASSERT(k <= *count);
    char *place = (char *)items + k * item;
    memmove(place + item, place, (*count - k) * item);
    memset(place, 0, item);
    ++*count;
    return k;
}

void trui_array_close(void *items, size_t *count, size_t item, size_t k) {
    TRU_ASSERT(k < *count);
    char *place = (char *)items + k * item;
    --*count;
    memmove(place, place + item, (*count - k) * item);
}

void trui_array_zero(void *items, size_t count, size_t item, size_t new_count) {
    if (new_count > count) memset((char *)items + count * item, 0, (new_count - count) * item);
}
