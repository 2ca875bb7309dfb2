/* bench.c: properties of the machine, printed with the benchmarks. */
#include "bench.h"

#include "cli/app.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>

static void cpu_name(char *out, size_t room) {
    char line[400];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(out, room, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (!colon || strncmp(line, "model name", 10) != 0) continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(out, room, "%.100s", colon + 2);
        break;
    }
    if (file) fclose(file);
}

/* A shift and an exclusive or that depend on each other take two cycles on every current processor. */
static double guess_frequency(void) {
    enum { ROUNDS = 2000000, CHAIN = 16 };
    double best = INFINITY;
    volatile unsigned long long sink;
    for (int repeat = 0; repeat < 5; repeat++) {
        unsigned long long x = 88172645463325252ull;
        const double begun = thread_seconds();
        for (int i = 0; i < ROUNDS; i++)
            for (int k = 0; k < CHAIN; k++) {
                x ^= x >> 7;
#if defined(__GNUC__)
                __asm__ volatile("" : "+r"(x));
#endif
            }
        sink = x;
        best = fmin(best, thread_seconds() - begun);
    }
    (void)sink;
    return 2.0 * ROUNDS * CHAIN / best * 1e-9;
}

/* Three arrays of 64 MB: 24 bytes per element, as the STREAM benchmark counts. Mapped, so that nothing of them is left: what this
 * process holds counts for those it starts (bench_files.c). */
static double measure_triad(void) {
    const size_t n = (size_t)8 << 20;
    double *a = mmap(NULL, 3 * n * sizeof *a, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (a == MAP_FAILED) return NAN;
    double *b = a + n, *c = b + n, best = INFINITY;
    for (size_t i = 0; i < n; i++) {
        a[i] = 0.0;
        b[i] = (double)i;
        c[i] = 1.0;
    }
    for (int repeat = 0; repeat < 7; repeat++) {
        const double begun = thread_seconds(), s = 3.0 + repeat;
        for (size_t i = 0; i < n; i++) a[i] = b[i] + s * c[i];
#if defined(__GNUC__)
        __asm__ volatile("" : : "r"(a) : "memory");
#endif
        best = fmin(best, thread_seconds() - begun);
    }
    munmap(a, 3 * n * sizeof *a);
    return 24.0 * (double)n / best * 1e-9;
}

machine machine_measure(void) {
    machine m = {.processors = processors()};
    struct utsname u;
    cpu_name(m.cpu, sizeof m.cpu);
    if (uname(&u) == 0) snprintf(m.system, sizeof m.system, "%.60s %.60s %.60s", u.sysname, u.release, u.machine);
#if defined(__VERSION__)
    snprintf(m.compiler, sizeof m.compiler, "%.79s", __VERSION__);
#endif
    m.frequency = guess_frequency();
    m.triad = m.triad_end = measure_triad();
    return m;
}

void machine_again(machine *m) { m->triad_end = measure_triad(); }
