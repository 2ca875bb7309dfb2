/* bench.h: what the machine itself can do, printed alongside the benchmarks. */
#ifndef TRUNDLE_APP_BENCH_H
#define TRUNDLE_APP_BENCH_H

#include <stddef.h>

typedef struct machine {
    char cpu[120];     /* name, as the system tells it */
    char system[200];  /* kernel and architecture */
    char compiler[80]; /* that built the program */
    size_t processors;
    double frequency; /* [GHz] guessed from a chain of dependent operations */
    double triad;     /* [GB/s] a = b + s c over arrays beyond the caches, one thread, before the benchmarks */
    double triad_end; /* [GB/s] and after them: a host that others use has less */
} machine;

/* Before the benchmarks. */
machine machine_measure(void);
/* After them. */
void machine_again(machine *m);

#endif
