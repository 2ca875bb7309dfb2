/* store.h: memory that is released all at once. */
#ifndef TRUNDLE_IO_STORE_H
#define TRUNDLE_IO_STORE_H

#include <stddef.h>

typedef struct store {
    struct store_block *blocks; /* the newest first */
    size_t used;                /* bytes of the newest */
} store;

/* Returns zeroed bytes, aligned for any type. NULL if memory ran out. */
void *trio_store_take(store *s, size_t bytes);
/* Returns a copy of a text. NULL if memory ran out. */
char *trio_store_text(store *s, const char *text);
/* Releases everything that was taken. Some memory is kept for the next use. */
void trio_store_reset(store *s);
void trio_store_release(store *s);

#endif
