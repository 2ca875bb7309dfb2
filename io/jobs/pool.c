/* pool.c: runs many jobs, in the calling thread or in a few forked processes, which send their results to the parent one by one. */
#define _DEFAULT_SOURCE
#include "pool.h"

#include "clock.h"
#include "common/fail.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* Memory that parent and workers share. */
typedef struct board {
    atomic_size_t next; /* index into plan->jobs of the next job */
    size_t current[];   /* per worker: index of its job + 1; 0: none */
} board;

typedef struct worker {
    pid_t pid;
    int pipe; /* -1: gone */
    char *buffer;
    size_t filled;
    size_t delivered; /* index of its last job whose result arrived, + 1 */
} worker;

typedef struct pool {
    const pool_plan *plan;
    board *board;
    worker *workers;
    size_t record; /* bytes: index of the job, result */
    int reason;    /* errno of a process that could not be started, 0: none */
} pool;

static bool write_all(int file, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t n = write(file, bytes, count);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes += n;
        count -= (size_t)n;
    }
    return true;
}

/* Runs a worker: takes the next job, does it, sends the result. */
static void live(pool *p, size_t me, int out) {
    char *record = calloc(1, p->record);
    if (!record) _exit(1);
    for (;;) {
        size_t k = atomic_fetch_add(&p->board->next, 1);
        if (k >= p->plan->count) break;
        p->board->current[me] = k + 1;
        memset(record, 0, p->record);
        memcpy(record, &k, sizeof k);
        p->plan->work(p->plan->user, p->plan->jobs[k], record + sizeof k);
        if (!write_all(out, record, p->record)) _exit(1);
        p->board->current[me] = 0;
    }
    _exit(0);
}

static bool hire(pool *p, size_t me) {
    int ends[2];
    worker *w = &p->workers[me];
    w->pipe = -1;
    w->filled = 0;
    p->board->current[me] = 0;
    if (pipe(ends) != 0) return false;
    pid_t parent = getpid();
    w->pid = fork();
    if (w->pid == 0) {
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* if the parent is killed, its workers end too */
        if (getppid() != parent) _exit(1);
#endif
        signal(SIGINT, SIG_IGN); /* the parent decides */
        signal(SIGHUP, SIG_IGN);
        signal(SIGTERM, SIG_DFL);
        for (size_t k = 0; k < p->plan->workers; k++)
            if (p->workers[k].pipe >= 0) close(p->workers[k].pipe);
        close(ends[0]);
        live(p, me, ends[1]);
    }
    close(ends[1]);
    if (w->pid < 0) {
        close(ends[0]);
        return false;
    }
    w->pipe = ends[0];
    return true;
}

/* Passes a result to the user. Returns false if the user stops. */
static bool hand_over(const pool_plan *plan, size_t job, const void *result, int died) {
    return plan->done(plan->user, job, result, died) && (!plan->tick || plan->tick(plan->user));
}

/* Passes every complete record to the user. */
static bool deliver(pool *p, worker *w) {
    size_t at = 0;
    bool go_on = true;
    for (; go_on && w->filled - at >= p->record; at += p->record) {
        size_t k;
        memcpy(&k, w->buffer + at, sizeof k);
        w->delivered = k + 1;
        go_on = hand_over(p->plan, p->plan->jobs[k], w->buffer + at + sizeof k, 0);
    }
    memmove(w->buffer, w->buffer + at, w->filled - at);
    w->filled -= at;
    return go_on;
}

/* Handles the end of a worker's pipe: the worker is done, or died in a job. */
static bool bury(pool *p, size_t me) {
    worker *w = &p->workers[me];
    int status = 0;
    close(w->pipe);
    w->pipe = -1;
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR) {}
    const size_t lost = p->board->current[me];
    const bool died = lost != 0 && lost != w->delivered;
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (died && !hand_over(p->plan, p->plan->jobs[lost - 1], NULL, number)) return false;
    if (atomic_load(&p->board->next) >= p->plan->count || hire(p, me)) return true;
    p->reason = errno;
    return false;
}

static bool receive(pool *p, size_t me) {
    worker *w = &p->workers[me];
    ssize_t n = read(w->pipe, w->buffer + w->filled, 64 * p->record - w->filled);
    if (n < 0) return errno == EINTR || errno == EAGAIN;
    if (n == 0) return bury(p, me);
    w->filled += (size_t)n;
    return deliver(p, w);
}

/* Runs until all workers have ended or a stop is requested. */
static bool attend(pool *p, struct pollfd *files) {
    bool go_on = true;
    double last = trio_now();
    for (size_t alive = 1; go_on && alive > 0;) {
        alive = 0;
        for (size_t k = 0; k < p->plan->workers; k++) {
            files[k] = (struct pollfd){.fd = p->workers[k].pipe, .events = POLLIN};
            alive += p->workers[k].pipe >= 0;
        }
        if (alive == 0) break;
        if (poll(files, (nfds_t)p->plan->workers, 100) < 0 && errno != EINTR) go_on = false;
        for (size_t k = 0; go_on && k < p->plan->workers; k++)
            if (p->workers[k].pipe >= 0 && files[k].revents) go_on = receive(p, k);
        if (go_on && p->plan->tick && trio_now() - last >= 0.1) {
            last = trio_now();
            go_on = p->plan->tick(p->plan->user);
        }
    }
    return go_on;
}

static void dismiss(pool *p) {
    for (size_t k = 0; k < p->plan->workers; k++) {
        worker *w = &p->workers[k];
        free(w->buffer);
        if (w->pipe < 0) continue;
        close(w->pipe);
        kill(w->pid, SIGKILL);
        while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR) {}
    }
}

static tru_status say_stopped(tru_error *err) { return trio_fail(err, TRU_REMARK, "stopped by the caller"); }

/* Starts all workers and receives their results. */
static tru_status run_workers(pool *p, tru_error *err) {
    const size_t workers = p->plan->workers;
    struct pollfd *files = calloc(workers, sizeof *files);
    bool room = files != NULL, started = true, finished = false;
    for (size_t k = 0; k < workers; k++) p->workers[k].pipe = -1;
    for (size_t k = 0; room && k < workers; k++) {
        p->workers[k].buffer = calloc(64, p->record);
        room = p->workers[k].buffer != NULL;
    }
    for (size_t k = 0; room && started && k < workers; k++) started = hire(p, k);
    if (!started) p->reason = errno;
    if (room && started) finished = attend(p, files);
    dismiss(p);
    free(files);
    if (!room) return trio_no_memory(err);
    if (p->reason != 0) return trio_fail_call(err, TRU_NO_MEMORY, "cannot start processes", p->reason);
    return finished ? TRU_OK : say_stopped(err);
}

/* Does the jobs in the calling thread. */
static tru_status run_here(const pool_plan *plan, tru_error *err) {
    void *result = calloc(1, plan->result_size);
    bool go_on = true;
    if (!result) return trio_no_memory(err);
    for (size_t k = 0; go_on && k < plan->count; k++) {
        memset(result, 0, plan->result_size);
        plan->work(plan->user, plan->jobs[k], result);
        go_on = hand_over(plan, plan->jobs[k], result, 0);
    }
    free(result);
    return go_on ? TRU_OK : say_stopped(err);
}

tru_status trio_pool_run(const pool_plan *given, tru_error *err) {
    pool_plan plan = *given;
    pool p = {.plan = &plan, .record = sizeof(size_t) + plan.result_size};
    if (plan.workers > plan.count) plan.workers = plan.count;
    if (plan.count == 0) return TRU_OK;
    if (plan.workers == 0) return run_here(&plan, err);
    const size_t bytes = sizeof(board) + plan.workers * sizeof(size_t);
    p.board = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p.board == MAP_FAILED) return trio_fail_call(err, TRU_NO_MEMORY, "cannot start processes", errno);
    p.workers = calloc(plan.workers, sizeof *p.workers);
    const tru_status status = p.workers ? run_workers(&p, err) : trio_no_memory(err);
    free(p.workers);
    munmap(p.board, bytes);
    return status;
}
