/* memory.c: allocations that end the program if memory runs out. */
#include "memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void no_memory(void) {
    fputs("trundle: out of memory\n", stderr);
    exit(EXIT_SYSTEM);
}

void *need(size_t count, size_t size) {
    void *block = calloc(count ? count : 1, size);
    if (!block) no_memory();
    return block;
}

void *need_more(void *block, size_t count, size_t size) {
    if (size && count > (size_t)-1 / size) no_memory();
    block = realloc(block, count > 0 && size > 0 ? count * size : 1);
    if (!block) no_memory();
    return block;
}

char *need_text(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *text = need((size_t)length + 1, 1);
    va_start(list, format);
    vsnprintf(text, (size_t)length + 1, format, list);
    va_end(list);
    return text;
}
