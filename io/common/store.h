/* store.h: memory that is given back all at once. */
#ifndef TRUNDLE_IO_STORE_H
#define TRUNDLE_IO_STORE_H

#include <stddef.h>

typedef struct store {
    struct store_block *blocks; /* the newest first */
    size_t used;                /* bytes of the newest */
} store;

/* Zeroed bytes, aligned for any type; NULL without memory. */
void *trio_store_take(store *s, size_t bytes);
/* A copy of a text. */
char *trio_store_text(store *s, const char *text);
/* Everything that was taken is free again; some memory is kept for the next round. */
void trio_store_reset(store *s);
void trio_store_release(store *s);

#endif
