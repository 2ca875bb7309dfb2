/* A test harness in one header: include it in one .c file, write TEST(name) { ... }, and main is provided.
 *
 *   TEST(ball_rolls) {
 *       if (!check(world != NULL)) return;            // every check returns whether it held
 *       check_close(speed, 5.0 / 7.0, 1e-12, 0.0);    // |a - b| <= atol + rtol |b|; b is the reference
 *       check_status(tru_step(world), TRU_OK);        // two integers
 *       check_str(tru_status_text(s), "good");
 *   }
 *
 * A failed check is counted and the test goes on. A test without any check fails: it could never fail
 * otherwise. Program arguments: --list, or the names of the tests to run; what begins with -- a test may ask for with
 * check_option. Checks are for the main thread only. */
#ifndef TRUNDLE_TESTS_CHECK_H
#define TRUNDLE_TESTS_CHECK_H

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct check_case {
    const char *name;
    void (*run)(void);
    struct check_case *next;
};

static struct {
    struct check_case *first, **end; // tests in the order of the file
    const char *running;
    long checks, failures; // of the running test
    const char *skipped;   // reason given by the running test, or NULL
    int argc;
    char **argv;
    jmp_buf *expects; // where a failed assertion of the library returns to; NULL: it ends the program
    char failed[512]; // the last one: "file:line: relation"
} check_state;

static inline void check_register(struct check_case *c) {
    if (!check_state.end) check_state.end = &check_state.first;
    *check_state.end = c;
    check_state.end = &c->next;
}

#define TEST(name)                                                                                                     \
    static void check_run_##name(void);                                                                                \
    __attribute__((constructor)) static void check_add_##name(void) {                                                  \
        static struct check_case c = {#name, check_run_##name, NULL};                                                  \
        check_register(&c);                                                                                            \
    }                                                                                                                  \
    static void check_run_##name(void)

#define check(cond)                   check_that((cond), #cond, __FILE__, __LINE__)
#define check_close(a, b, rtol, atol) check_near((a), (b), (rtol), (atol), #a, #b, __FILE__, __LINE__)
#define check_str(a, b)               check_same((a), (b), #a, __FILE__, __LINE__)
#define check_status(expr, expected)  check_equal((expr), (expected), #expr, __FILE__, __LINE__)

// Counts one check; after a failure the caller prints the rest of the line.
static inline bool check_count(bool good, const char *file, int line) {
    check_state.checks++;
    if (!good) {
        check_state.failures++;
        printf("%s:%d: %s: ", file, line, check_state.running);
    }
    return good;
}

static inline bool check_that(bool good, const char *text, const char *file, int line) {
    if (!check_count(good, file, line)) printf("not true: %s\n", text);
    return good;
}

// NaN fails, and an infinity equals only itself, whatever the tolerances.
static inline bool check_near(double a, double b, double rtol, double atol, const char *ta, const char *tb,
                              const char *file, int line) {
    double bound = atol + rtol * fabs(b);
    bool good = isfinite(a) && isfinite(b) ? fabs(a - b) <= bound : a == b;
    if (!check_count(good, file, line))
        printf("%s = %.17g, but %s = %.17g: difference %.3g, allowed %.3g\n", ta, a, tb, b, a - b, bound);
    return good;
}

static inline bool check_same(const char *a, const char *b, const char *text, const char *file, int line) {
    bool good = a && b ? strcmp(a, b) == 0 : a == b;
    if (!check_count(good, file, line))
        printf("%s is \"%s\", expected \"%s\"\n", text, a ? a : "(null)", b ? b : "(null)");
    return good;
}

static inline bool check_equal(long long a, long long b, const char *text, const char *file, int line) {
    bool good = a == b;
    if (!check_count(good, file, line)) printf("%s is %lld, expected %lld\n", text, a, b);
    return good;
}

// The library calls this when one of its assertions (src/base/assert.h) fails; the static library lets a program define it.
void trui_assert_failed(const char *relation, const char *file, int line);
void trui_assert_failed(const char *relation, const char *file, int line) {
    snprintf(check_state.failed, sizeof check_state.failed, "%s:%d: %s", file, line, relation);
    if (check_state.expects) longjmp(*check_state.expects, 1);
    printf("%s: assertion of the library failed in %s\n", check_state.failed, check_state.running);
    abort();
}

// Whether a statement fails an assertion whose text, "file:line: relation", contains `part`. Only in builds with TRU_ASSERTIONS.
#define check_asserts(statement, part)                                                                                 \
    do {                                                                                                               \
        jmp_buf check_here;                                                                                            \
        check_state.failed[0] = '\0';                                                                                  \
        check_state.expects = &check_here;                                                                             \
        if (setjmp(check_here) == 0) {                                                                                 \
            statement;                                                                                                 \
        }                                                                                                              \
        check_state.expects = NULL;                                                                                    \
        check_that(strstr(check_state.failed, (part)) != NULL, "fails an assertion: " #statement, __FILE__, __LINE__); \
    } while (0)

// Ends up as "skipped" unless a check of this test failed; the caller returns after it.
static inline void check_skip(const char *reason) { check_state.skipped = reason; }

// The seed for random tests: TRU_SEED of the environment or a fixed number; printed, so that a failure can be
// repeated.
static inline uint64_t check_seed(void) {
    const char *text = getenv("TRU_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 0) : UINT64_C(20050117);
    printf("%s: TRU_SEED=%" PRIu64 "\n", check_state.running, seed);
    return seed;
}

// Whether the program was given this option, for example --print.
static inline bool check_option(const char *option) {
    for (int i = 1; i < check_state.argc; i++)
        if (strcmp(option, check_state.argv[i]) == 0) return true;
    return false;
}

static inline bool check_chosen(const char *name, int argc, char **argv) {
    bool any = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(name, argv[i]) == 0) return true;
        any = any || strncmp(argv[i], "--", 2) != 0;
    }
    return !any;
}

// Exit status: 0 all passed, 1 something failed or nothing was run, 77 everything was skipped (CTest knows
// it).
int main(int argc, char **argv) {
    long passed = 0, failed = 0, skipped = 0;
    bool list = argc > 1 && strcmp(argv[1], "--list") == 0;
    check_state.argc = argc;
    check_state.argv = argv;
    setvbuf(stdout, NULL, _IOLBF, 0); // a crash must not swallow the lines before it
    for (struct check_case *c = check_state.first; c; c = c->next) {
        if (list) puts(c->name);
        if (list || !check_chosen(c->name, argc, argv)) continue;
        check_state.running = c->name;
        check_state.checks = check_state.failures = 0;
        check_state.skipped = NULL;
        c->run();
        bool empty = check_state.checks == 0 && !check_state.skipped;
        if (check_state.failures || empty)
            failed++, printf("FAILED %s: %ld of %ld checks%s\n", c->name, check_state.failures, check_state.checks,
                             empty ? ", a test must check something" : "");
        else if (check_state.skipped)
            skipped++, printf("skipped %s: %s\n", c->name, check_state.skipped);
        else
            passed++;
    }
    if (list) return 0;
    if (skipped) printf("%ld skipped\n", skipped);
    printf("%ld passed, %ld failed\n", passed, failed);
    return failed || passed + skipped == 0 ? 1 : passed ? 0 : 77;
}

#endif
