/* check.h: the test harness. Include it in one .c file, write TEST(name) { ... }, and main is provided.
 *
 *   TEST(ball_rolls) {
 *       if (!check(world != NULL)) return;            // every check returns whether it held
 *       check_close(speed, 5.0 / 7.0, 1e-12, 0.0);    // |a - b| <= atol + rtol |b|; b is the reference
 *       check_status(tru_step(world), TRU_OK);        // two integers
 *       check_str(tru_status_text(s), "good");
 *   }
 *
 * A failed check is counted, prints both values and the tolerance, and the test continues. A test without any check fails, because it
 * could never fail otherwise. Checks are for the main thread only.
 *
 * Program arguments: --list prints the names of the tests; names run these tests alone; --junit=FILE writes a JUnit file; a test may
 * ask for further arguments that begin with -- (check_option). check_report.h describes what the program prints. */
#ifndef TRUNDLE_TESTS_CHECK_H
#define TRUNDLE_TESTS_CHECK_H

#include "check_report.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    struct check_case *first, **end; // tests in the order of the file
    struct check_case *now;          // the running one
    const char *running;             // its name
    long failures;                   // its failed checks
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

#define TEST(title)                                                                                                    \
    static void check_run_##title(void);                                                                               \
    __attribute__((constructor)) static void check_add_##title(void) {                                                 \
        static struct check_case c = {.name = #title, .run = check_run_##title};                                       \
        check_register(&c);                                                                                            \
    }                                                                                                                  \
    static void check_run_##title(void)

#define check(cond)                   check_that((cond), #cond, __FILE__, __LINE__)
#define check_close(a, b, rtol, atol) check_near((a), (b), (rtol), (atol), #a, #b, __FILE__, __LINE__)
#define check_str(a, b)               check_same((a), (b), #a, __FILE__, __LINE__)
#define check_status(expr, expected)  check_equal((expr), (expected), #expr, __FILE__, __LINE__)

// Counts one check; after a failure the caller says why.
static inline bool check_count(bool good) {
    check_state.now->checks++;
    if (!good) check_state.failures++;
    return good;
}

#define check_failed(format, ...)                                                                                      \
    check_comment(check_state.now, "%s:%d: %s: " format, file, line, check_state.running, __VA_ARGS__)

static inline bool check_that(bool good, const char *text, const char *file, int line) {
    if (!check_count(good)) check_failed("not true: %s", text);
    return good;
}

// NaN fails, and an infinity equals only itself, whatever the tolerances.
static inline bool check_near(double a, double b, double rtol, double atol, const char *ta, const char *tb,
                              const char *file, int line) {
    double bound = atol + rtol * fabs(b);
    bool good = isfinite(a) && isfinite(b) ? fabs(a - b) <= bound : a == b;
    if (!check_count(good))
        check_failed("%s = %.17g, but %s = %.17g: difference %.3g, allowed %.3g", ta, a, tb, b, a - b, bound);
    return good;
}

static inline bool check_same(const char *a, const char *b, const char *text, const char *file, int line) {
    bool good = a && b ? strcmp(a, b) == 0 : a == b;
    if (!check_count(good)) check_failed("%s is \"%s\", expected \"%s\"", text, a ? a : "(null)", b ? b : "(null)");
    return good;
}

static inline bool check_equal(long long a, long long b, const char *text, const char *file, int line) {
    bool good = a == b;
    if (!check_count(good)) check_failed("%s is %lld, expected %lld", text, a, b);
    return good;
}

// The library calls this when one of its assertions (src/base/assert.h) fails; the static library lets a program define it.
void trui_assert_failed(const char *relation, const char *file, int line);
void trui_assert_failed(const char *relation, const char *file, int line) {
    snprintf(check_state.failed, sizeof check_state.failed, "%s:%d: %s", file, line, relation);
    if (check_state.expects) longjmp(*check_state.expects, 1);
    printf("Bail out! %s: assertion of the library failed in %s\n", check_state.failed, check_state.running);
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
static inline void check_skip(const char *reason) { check_state.now->skipped = reason; }

// The seed for random tests: TRU_SEED of the environment or a fixed number; printed, so that a failure can be
// repeated.
static inline uint64_t check_seed(void) {
    const char *text = getenv("TRU_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 0) : UINT64_C(20050117);
    check_comment(check_state.now, "%s: TRU_SEED=%" PRIu64, check_state.running, seed);
    return seed;
}

// Whether the program was given this option, for example --print.
static inline bool check_option(const char *option) {
    for (int i = 1; i < check_state.argc; i++)
        if (strcmp(option, check_state.argv[i]) == 0) return true;
    return false;
}

// Is a test asked for by name, or none at all?
static inline bool check_chosen(const char *name, int argc, char **argv) {
    bool any = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(name, argv[i]) == 0) return true;
        any = any || strncmp(argv[i], "--", 2) != 0;
    }
    return !any;
}

// The file of --junit=FILE or TRU_JUNIT; NULL: none.
static inline const char *check_junit_path(void) {
    const char *path = getenv("TRU_JUNIT");
    for (int i = 1; i < check_state.argc; i++)
        if (strncmp(check_state.argv[i], "--junit=", 8) == 0) path = check_state.argv[i] + 8;
    return path && *path ? path : NULL;
}

// Ends the program if the JUnit file cannot be written: its reader would believe that nothing ran.
static inline void check_junit(void) {
    const char *path = check_junit_path(), *slash = strrchr(check_state.argv[0], '/');
    if (!path || check_write_junit(path, slash ? slash + 1 : check_state.argv[0], check_state.first)) return;
    printf("Bail out! cannot write %s\n", path);
    exit(1);
}

static inline void check_perform(struct check_case *c) {
    check_state.now = c;
    check_state.running = c->name;
    check_state.failures = 0;
    c->result = CHECK_RUNNING;
    check_junit();
    const double began = check_now();
    c->run();
    c->seconds = check_now() - began;
    c->failures = check_state.failures;
    if (c->checks == 0 && !c->skipped) check_comment(c, "%s: a test must check something", c->name);
    if (c->failures || (c->checks == 0 && !c->skipped))
        c->result = CHECK_FAILED;
    else
        c->result = c->skipped ? CHECK_SKIPPED : CHECK_PASSED;
    if (c->failures) check_comment(NULL, "%s: %ld of %ld checks failed", c->name, c->failures, c->checks);
}

// Marks the tests to run; returns how many.
static inline long check_choose(void) {
    long count = 0;
    for (struct check_case *c = check_state.first; c; c = c->next)
        if (check_chosen(c->name, check_state.argc, check_state.argv)) {
            c->result = CHECK_WAITING;
            count++;
        }
    return count;
}

// Exit status: 0 all passed, 1 a test failed or none was run, 77 all were skipped (CTest knows it).
int main(int argc, char **argv) {
    long number = 0, checks = 0, count[CHECK_SKIPPED + 1] = {0};
    check_state.argc = argc;
    check_state.argv = argv;
    if (check_option("--list")) {
        for (struct check_case *c = check_state.first; c; c = c->next) puts(c->name);
        return 0;
    }
    setvbuf(stdout, NULL, _IOLBF, 0); // a crash must not swallow the lines before it
    printf("TAP version 14\n1..%ld\n", check_choose());
    for (struct check_case *c = check_state.first; c; c = c->next) {
        if (c->result == CHECK_NOT_CHOSEN) continue;
        check_perform(c);
        check_print_result(c, ++number);
        count[c->result]++;
        checks += c->checks;
    }
    check_junit();
    printf("# %ld passed, %ld failed, %ld skipped, %ld checks\n", count[CHECK_PASSED], count[CHECK_FAILED],
           count[CHECK_SKIPPED], checks);
    return count[CHECK_FAILED] || number == 0 ? 1 : count[CHECK_PASSED] ? 0 : 77;
}

#endif
