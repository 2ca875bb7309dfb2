/* pool.h: runs many jobs, in the calling thread or in a few forked processes, which send their results to the parent one by one. */
#ifndef TRUNDLE_IO_POOL_H
#define TRUNDLE_IO_POOL_H

#include <trundle/trundle.h>

typedef struct pool_plan {
    const size_t *jobs; /* numbers of the jobs, in the order they are begun */
    size_t count;
    size_t workers; /* processes; 0: the calling thread does the jobs */
    size_t result_size;
    /* Does a job in a worker and fills its result, which is zero at first. */
    void (*work)(void *user, size_t job, void *result);
    /* Receives a result in the parent. `result` is NULL if the worker died in this job (by signal `died`, or 0). Returning
     * false stops all jobs. */
    bool (*done)(void *user, size_t job, const void *result, int died);
    /* Called in the parent after every result and, with workers, about ten times a second; may be NULL. Returning false stops
     * all jobs. */
    bool (*tick)(void *user);
    void *user;
} pool_plan;

/* Runs the jobs. Returns TRU_OK if `done` received every job, TRU_REMARK if `done` or `tick` stopped them, or TRU_NO_MEMORY. */
tru_status trio_pool_run(const pool_plan *plan, tru_error *err);

#endif
