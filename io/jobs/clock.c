/* clock.c: clocks of a process. */
#define _POSIX_C_SOURCE 200809L
#include "clock.h"

#include <time.h>

static double read_clock(clockid_t which) {
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double trio_now(void) { return read_clock(CLOCK_MONOTONIC); }

double trio_thread_seconds(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }
