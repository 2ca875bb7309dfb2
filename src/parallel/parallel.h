/* parallel.h: loops over ranges by several threads, with results that do not depend on the number of threads.
 *
 * Only this file and parallel.c use OpenMP; without it everything runs on one thread. */
#ifndef TRUNDLE_PARALLEL_PARALLEL_H
#define TRUNDLE_PARALLEL_PARALLEL_H

#include <stddef.h>

/* Threads for the loops of a world. */
typedef struct crew {
    int threads;             /* number that share a loop; below 2: one */
    struct standby *standby; /* where threads wait for the next loop; NULL: each loop starts them */
} crew;

/* Calls work(context) on this thread while the other threads wait in a spin loop. Loops in `work` then need not start them, which costs a
 * fifth. */
void trui_parallel_together(crew *c, void (*work)(void *context), void *context);

typedef void (*parallel_work)(void *context, size_t begin, size_t end);
typedef double (*parallel_term)(void *context, size_t begin, size_t end);
typedef unsigned (*parallel_bits)(void *context, size_t begin, size_t end);

/* Calls work(context, begin, end) on contiguous ranges that cover 0 .. n-1, one per thread. Range borders are multiples of `grain`, and every
 * range but the last has at least `grain` items. Ranges must not depend on each other. */
void trui_parallel_for(const crew *c, size_t n, size_t grain, parallel_work work, void *context);

/* Runs several such loops. Stage s has counts[s] items and begins when all threads have finished the stage before. Threads wait for each other
 * in a spin loop, which costs a fifth of separate calls of trui_parallel_for. */
typedef void (*parallel_stage)(void *context, size_t stage, size_t begin, size_t end);
void trui_parallel_stages(const crew *c, size_t stages, const size_t *counts, size_t grain, parallel_stage work,
                          void *context);

/* Runs a loop as trui_parallel_for and returns all bits that any range returned. */
unsigned trui_parallel_any(const crew *c, size_t n, size_t grain, parallel_bits work, void *context);

#define PARALLEL_BLOCK 32 /* items that one call of a term adds */

/* Returns the sum of term(context, begin, end) over blocks of PARALLEL_BLOCK items of 0 .. n-1. The order depends only on n, so that every number
 * of threads gives the same bits. Short sums use one thread. Nothing is allocated. */
double trui_parallel_sum(const crew *c, size_t n, parallel_term term, void *context);

/* Returns the number of threads that this machine runs at once; 1 without OpenMP. */
int trui_parallel_threads(void);

#endif
