/* grow.h: arrays that grow. */
#ifndef TRUNDLE_IO_GROW_H
#define TRUNDLE_IO_GROW_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Enlarges an array to at least `count` items of `each` bytes: doubles it, or adds an eighth if it is large. Returns false
 * and changes nothing if memory ran out. */
static inline bool grow(void *items, size_t *room, size_t count, size_t each) {
    void *old, *now;
    if (count <= *room) return true;
    size_t more = *room < 8 ? 8 : *room + *room / (*room < 4096 ? 1 : 8);
    if (more < count) more = count;
    memcpy(&old, items, sizeof old);
    now = realloc(old, more * each);
    if (!now) return false;
    memcpy(items, &now, sizeof now);
    *room = more;
    return true;
}
#define GROW(items, room, count) grow(&(items), &(room), (count), sizeof *(items))

static inline char *copy_text(const char *text) {
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy) memcpy(copy, text, size);
    return copy;
}

#endif
