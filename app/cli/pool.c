/* pool.c: runs many jobs in a few forked processes, which send their results to the parent one by one. */
#include "pool.h"

#include "app.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
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
} pool;

size_t pool_processors(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (size_t)n : 1;
}

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
    if (!record) _exit(EXIT_SYSTEM);
    for (;;) {
        size_t k = atomic_fetch_add(&p->board->next, 1);
        if (k >= p->plan->count) break;
        p->board->current[me] = k + 1;
        memset(record, 0, p->record);
        memcpy(record, &k, sizeof k);
        p->plan->work(p->plan->user, p->plan->jobs[k], record + sizeof k);
        if (!write_all(out, record, p->record)) _exit(EXIT_SYSTEM);
        p->board->current[me] = 0;
        if (p->plan->fresh) break;
    }
    _exit(EXIT_GOOD);
}

static bool hire(pool *p, size_t me) {
    int ends[2];
    worker *w = &p->workers[me];
    w->pipe = -1;
    w->filled = 0;
    p->board->current[me] = 0;
    if (pipe(ends) != 0) return false;
    fflush(NULL);
    pid_t parent = getpid();
    w->pid = fork();
    if (w->pid == 0) {
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* if the parent is killed, its workers end too */
        if (getppid() != parent) _exit(EXIT_SYSTEM);
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

/* Passes every complete record to the user. */
static bool deliver(pool *p, worker *w) {
    size_t at = 0;
    bool go_on = true;
    for (; go_on && w->filled - at >= p->record; at += p->record) {
        size_t k;
        memcpy(&k, w->buffer + at, sizeof k);
        w->delivered = k + 1;
        go_on = p->plan->done(p->plan->user, p->plan->jobs[k], w->buffer + at + sizeof k, 0);
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
    if (died && !p->plan->done(p->plan->user, p->plan->jobs[lost - 1], NULL, number)) return false;
    return atomic_load(&p->board->next) >= p->plan->count || hire(p, me);
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
static bool attend(pool *p) {
    struct pollfd *files = need(p->plan->workers, sizeof *files);
    bool go_on = true;
    double last = now();
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
        if (go_on && p->plan->tick && now() - last >= 0.1) {
            last = now();
            go_on = p->plan->tick(p->plan->user);
        }
    }
    free(files);
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

bool pool_run(const pool_plan *given) {
    pool_plan plan = *given;
    pool p = {.plan = &plan, .record = sizeof(size_t) + plan.result_size};
    if (plan.workers > plan.count) plan.workers = plan.count;
    if (plan.count == 0) return true;
    const size_t bytes = sizeof(board) + plan.workers * sizeof(size_t);
    p.board = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool good = p.board != MAP_FAILED;
    p.workers = need(plan.workers, sizeof *p.workers);
    for (size_t k = 0; k < plan.workers; k++) {
        p.workers[k].pipe = -1;
        p.workers[k].buffer = need(64, p.record);
    }
    for (size_t k = 0; good && k < plan.workers; k++) good = hire(&p, k);
    if (!good) say(stderr, "trundle: cannot start processes: %s\n", strerror(errno));
    if (good) good = attend(&p);
    dismiss(&p);
    free(p.workers);
    if (p.board != MAP_FAILED) munmap(p.board, bytes);
    return good;
}
