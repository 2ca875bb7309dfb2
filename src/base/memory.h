/* memory.h: allocation. Every block of the library comes from a `memory`, which holds the user's allocator, and returns to it. */
#ifndef TRUNDLE_BASE_MEMORY_H
#define TRUNDLE_BASE_MEMORY_H

#include <trundle/trundle.h>

typedef struct memory {
    tru_allocator allocator;
} memory;

/* Returns an allocator that uses malloc, realloc and free. */
memory trui_memory_default(void);
/* Returns the user's allocator; NULL means the default one. */
memory trui_memory_of(const tru_allocator *allocator);

/* Changes the size of a block and returns its new address; a NULL block means a new one. NULL means that there is no memory, and
 * the old block is unchanged. A block of zero bytes has an address too. Blocks are aligned as those of malloc. */
void *trui_mem_resize(memory *m, void *block, size_t old_bytes, size_t new_bytes);
/* Releases a block of `bytes` bytes, the size that was requested. NULL is allowed. */
void trui_mem_release(memory *m, void *block, size_t bytes);

/* Returns a new zeroed block of `count` items; NULL if there is no memory or count * item overflows. */
void *trui_mem_array(memory *m, size_t count, size_t item);
#define MEM_NEW(m, T)      ((T *)trui_mem_array(m, 1, sizeof(T)))
#define MEM_ARRAY(m, T, n) ((T *)trui_mem_array(m, n, sizeof(T)))

/* Returns a copy of a block; NULL if there is no memory. */
void *trui_mem_copy(memory *m, const void *block, size_t bytes);
/* Returns a copy of a text; NULL if there is no memory. The caller releases it with trui_mem_release_text. */
char *trui_mem_copy_text(memory *m, const char *text);
/* Releases such a copy. NULL is allowed. */
void trui_mem_release_text(memory *m, char *text);

/* Sets *bytes to count * item; false if the product overflows. */
bool trui_mem_product(size_t count, size_t item, size_t *bytes);

#endif
