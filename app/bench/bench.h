/* bench.h: properties of the machine, printed with the benchmarks. */
#ifndef TRUNDLE_APP_BENCH_H
#define TRUNDLE_APP_BENCH_H

#include <stddef.h>

typedef struct machine {
    char cpu[120];     /* name, as the system reports it */
    char system[200];  /* kernel and architecture */
    char compiler[80]; /* that built the program */
    size_t processors;
    double frequency; /* [GHz] estimated from a chain of dependent operations */
    double triad;     /* [GB/s] a = b + s c over arrays beyond the caches, one thread, before the benchmarks */
    double triad_end; /* [GB/s] the same after them; less if other processes use the machine */
} machine;

/* Measures the machine before the benchmarks. */
machine machine_measure(void);
/* Measures it again after the benchmarks. */
void machine_again(machine *m);

#endif
