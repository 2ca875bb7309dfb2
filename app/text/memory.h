/* memory.h: allocations that end the program if memory runs out, and the exit codes of the program. */
#ifndef TRUNDLE_APP_MEMORY_H
#define TRUNDLE_APP_MEMORY_H

#include <stddef.h>

/* 0 good, 1 usage, 2 bad input, 3 numerical failure, 4 file or system, 5 stopped by a signal with a snapshot written. */
enum { EXIT_GOOD, EXIT_USAGE, EXIT_INPUT, EXIT_NUMERICAL, EXIT_SYSTEM, EXIT_SIGNAL };

/* Returns zeroed memory, or ends the program with exit code 4. */
void *need(size_t count, size_t size);
void *need_more(void *block, size_t count, size_t size);
char *need_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void no_memory(void);

#endif
