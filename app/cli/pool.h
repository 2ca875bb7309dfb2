/* pool.h: many jobs in a few forked processes; results come back to the parent one by one. */
#ifndef TRUNDLE_APP_POOL_H
#define TRUNDLE_APP_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pool_plan {
    const size_t *jobs; /* numbers of the jobs, in the order they are begun */
    size_t count;
    size_t workers;
    bool fresh; /* a new process for every job: what a job changes is gone after it */
    size_t result_size;
    /* In a worker: do a job, fill its (zeroed) result. */
    void (*work)(void *user, size_t job, void *result);
    /* In the parent, as results arrive; NULL: the worker died in this job (by signal `died`, or 0). False stops all. */
    bool (*done)(void *user, size_t job, const void *result, int died);
    /* In the parent, about ten times a second; false stops all. May be NULL. */
    bool (*tick)(void *user);
    void *user;
} pool_plan;

/* True when every job was handed to `done`; false when stopped, or after a sentence on stderr. */
bool pool_run(const pool_plan *plan);
/* Processors of the machine. */
size_t pool_processors(void);

#endif
