/* memory.h: every block of the library comes from and goes back to a `memory`, which knows the user's allocator. */
#ifndef TRUNDLE_BASE_MEMORY_H
#define TRUNDLE_BASE_MEMORY_H

#include <trundle/trundle.h>

typedef struct memory {
    tru_allocator allocator;
} memory;

/* malloc, realloc and free. */
memory trui_memory_default(void);
/* The user's allocator, or the default for NULL. */
memory trui_memory_of(const tru_allocator *allocator);

/* Change the size of a block (NULL: a new one). NULL means no memory, and the old block is as before. Zero bytes are a
 * block like any other, so NULL always means failure. Blocks are aligned as malloc's. */
void *trui_mem_resize(memory *m, void *block, size_t old_bytes, size_t new_bytes);
/* Give a block back; `bytes` is the size it was asked for. NULL is allowed. */
void trui_mem_release(memory *m, void *block, size_t bytes);

/* A new zeroed block of count items; NULL if there is no memory or count * item overflows. */
void *trui_mem_array(memory *m, size_t count, size_t item);
#define MEM_NEW(m, T)      ((T *)trui_mem_array(m, 1, sizeof(T)))
#define MEM_ARRAY(m, T, n) ((T *)trui_mem_array(m, n, sizeof(T)))

/* A copy of a block; NULL on no memory. */
void *trui_mem_copy(memory *m, const void *block, size_t bytes);
/* A copy of a text, NULL on no memory; goes back with trui_mem_release_text. */
char *trui_mem_copy_text(memory *m, const char *text);
void trui_mem_release_text(memory *m, char *text);

/* count * item, or false if it does not fit. */
bool trui_mem_product(size_t count, size_t item, size_t *bytes);

#endif
