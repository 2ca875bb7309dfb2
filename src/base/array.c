/* array.c: the untyped part of growable arrays. */
#include "base/array.h"

#include "base/assert.h"

enum { MANY_ITEMS = 4096 }; /* above it, unused memory costs more than a few more copies */

/* Grows by half, or by a sixteenth if there are many items. */
void *trui_array_grown(memory *m, void *items, size_t *capacity, size_t item, size_t need) {
    if (need <= *capacity) return items;
    size_t room = *capacity + *capacity / (*capacity < MANY_ITEMS ? 2 : 16), bytes;
    if (room < 8) room = 8;
    if (room < need) room = need;
    if (!trui_mem_product(room, item, &bytes)) return items;
    void *block = trui_mem_resize(m, items, *capacity * item, bytes);
    if (!block) return items;
    *capacity = room;
    TRU_ASSERT(*capacity >= need);
    return block;
}

/* Keeps an eighth of the items as a reserve, so that the next few pushes do not allocate. */
void *trui_array_trimmed(memory *m, void *items, size_t *capacity, size_t item, size_t count) {
    TRU_ASSERT(count <= *capacity);
    const size_t room = count + count / 8;
    if (*capacity < MANY_ITEMS || count == 0 || count > *capacity - *capacity / 3) return items;
    void *block = trui_mem_resize(m, items, *capacity * item, room * item);
    if (!block) return items;
    *capacity = room;
    return block;
}

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
