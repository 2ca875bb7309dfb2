/* fetch.h: asking for memory before it is needed. Bodies and contacts of a pile fill more than the caches, and one of them is
 * several lines long: too much for what the processor asks for by itself. */
#ifndef TRUNDLE_LANES_FETCH_H
#define TRUNDLE_LANES_FETCH_H

#include <stdint.h>

#define FETCH_LINE  64 /* bytes */
#define FETCH_AHEAD 12 /* items: how far a loop over bodies or contacts looks ahead */

/* All lines from `from` up to `end`, to be written too; most things begin in the middle of one. */
static inline void fetch(const void *from, const void *end) {
    const char *p = (const char *)from - (uintptr_t)from % FETCH_LINE;
    for (; p < (const char *)end; p += FETCH_LINE) __builtin_prefetch(p, 1);
}

/* In a loop over `items`, at i: these bytes of the item that comes FETCH_AHEAD items later, `field` up to `end`. */
#define FETCH_NEXT(items, i, count, field, end)                                                                        \
    do {                                                                                                               \
        if ((i) + FETCH_AHEAD < (count)) fetch(&(items)[(i) + FETCH_AHEAD].field, &(items)[(i) + FETCH_AHEAD].end);    \
    } while (0)

#endif
