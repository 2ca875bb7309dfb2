/* memory.c: blocks from the user's allocator or from malloc. */
#include "base/memory.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

static void *malloc_resize(void *block, size_t old_bytes, size_t new_bytes, void *user) {
    (void)old_bytes, (void)user;
    return realloc(block, new_bytes);
}

static void malloc_release(void *block, size_t bytes, void *user) {
    (void)bytes, (void)user;
    free(block);
}

memory trui_memory_default(void) { return (memory){{malloc_resize, malloc_release, NULL}}; }

memory trui_memory_of(const tru_allocator *allocator) {
    return allocator ? (memory){*allocator} : trui_memory_default();
}

/* An allocator may return NULL for zero bytes, which would look like a failure. */
static size_t at_least_one(size_t bytes) { return bytes ? bytes : 1; }

void *trui_mem_resize(memory *m, void *block, size_t old_bytes, size_t new_bytes) {
    TRU_ASSERT(block || old_bytes == 0);
    size_t old_size = block ? at_least_one(old_bytes) : 0;
    return m->allocator.resize(block, old_size, at_least_one(new_bytes), m->allocator.user);
}

void trui_mem_release(memory *m, void *block, size_t bytes) {
    if (block) m->allocator.release(block, at_least_one(bytes), m->allocator.user);
}

bool trui_mem_product(size_t count, size_t item, size_t *bytes) {
    if (item && count > SIZE_MAX / item) return false;
    *bytes = count * item;
    return true;
}

void *trui_mem_array(memory *m, size_t count, size_t item) {
    size_t bytes;
    if (!trui_mem_product(count, item, &bytes)) return NULL;
    void *block = trui_mem_resize(m, NULL, 0, bytes);
    if (block) memset(block, 0, bytes);
    return block;
}

void *trui_mem_copy(memory *m, const void *block, size_t bytes) {
    void *copy = trui_mem_resize(m, NULL, 0, bytes);
    if (copy && bytes) memcpy(copy, block, bytes);
    return copy;
}

char *trui_mem_copy_text(memory *m, const char *text) { return trui_mem_copy(m, text, strlen(text) + 1); }

void trui_mem_release_text(memory *m, char *text) {
    if (text) trui_mem_release(m, text, strlen(text) + 1);
}
