/* parallel.h: loops over ranges with several threads, with results that do not depend on their number.
 *
 * The only file pair that knows OpenMP; without it everything runs on one thread. */
#ifndef TRUNDLE_PARALLEL_PARALLEL_H
#define TRUNDLE_PARALLEL_PARALLEL_H

#include <stddef.h>

/* Threads for the loops of a world. */
typedef struct crew {
    int threads;             /* how many share a loop; below 2: one */
    struct standby *standby; /* where they wait for the next loop; NULL: each loop calls them by itself */
} crew;

/* work(context) on this thread, while the others stand by: they take part in loops without being called, which costs a fifth, and
 * need not be woken after parts that are not shared. */
void trui_parallel_together(crew *c, void (*work)(void *context), void *context);

typedef void (*parallel_work)(void *context, size_t begin, size_t end);
typedef double (*parallel_term)(void *context, size_t begin, size_t end);
typedef unsigned (*parallel_bits)(void *context, size_t begin, size_t end);

/* Call work(context, begin, end) on contiguous ranges that cover 0 .. n-1, one per thread, at least `grain` items each
 * (the last may be shorter); range borders are multiples of grain. Ranges must not depend on each other. */
void trui_parallel_for(const crew *c, size_t n, size_t grain, parallel_work work, void *context);

/* Such loops one after the other: stage s has counts[s] items, and begins when all threads are through with the one before.
 * The threads stay together and wait by themselves, which costs a fifth of as many trui_parallel_for. */
typedef void (*parallel_stage)(void *context, size_t stage, size_t begin, size_t end);
void trui_parallel_stages(const crew *c, size_t stages, const size_t *counts, size_t grain, parallel_stage work,
                          void *context);

/* trui_parallel_for for work that finds something: all bits that any range returned. */
unsigned trui_parallel_any(const crew *c, size_t n, size_t grain, parallel_bits work, void *context);

#define PARALLEL_BLOCK 32 /* items whose sum a term gives */

/* Sum of term(context, begin, end) over blocks of PARALLEL_BLOCK items of 0 .. n-1, in an order that depends on n
 * alone: the same bits for every number of threads. Short sums stay on one thread. Allocates nothing. */
double trui_parallel_sum(const crew *c, size_t n, parallel_term term, void *context);

/* Threads that can run at once here; 1 without OpenMP. */
int trui_parallel_threads(void);

#endif
