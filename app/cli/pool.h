/* pool.h: runs many jobs in a few forked processes, which send their results to the parent one by one. */
#ifndef TRUNDLE_APP_POOL_H
#define TRUNDLE_APP_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pool_plan {
    const size_t *jobs; /* numbers of the jobs, in the order they are begun */
    size_t count;
    size_t workers;
    bool fresh; /* true: every job has a new process, so that its changes do not reach the next job */
    size_t result_size;
    /* Does a job in a worker and fills its result, which is zero at first. */
    void (*work)(void *user, size_t job, void *result);
    /* Receives a result in the parent. `result` is NULL if the worker died in this job (by signal `died`, or 0). Returning
     * false stops all jobs. */
    bool (*done)(void *user, size_t job, const void *result, int died);
    /* Called in the parent about ten times a second; may be NULL. Returning false stops all jobs. */
    bool (*tick)(void *user);
    void *user;
} pool_plan;

/* Runs the jobs. Returns true if `done` received every job; false if it was stopped, or after a sentence on stderr. */
bool pool_run(const pool_plan *plan);
/* Returns the number of processors. */
size_t pool_processors(void);

#endif
