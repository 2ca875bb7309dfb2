/* check_report.h: what a test program says: TAP on standard output, and a JUnit file if one is asked for.
 *
 * TAP (Test Anything Protocol, version 14) is one line per case, in the order of the file:
 *
 *     TAP version 14
 *     1..3
 *     ok 1 - ball_rolls
 *     # tests/unit/steppers/test_moreau.c:71: ball_spins: speed = 0.72, but 5.0 / 7.0 = 0.714: difference 0.006, allowed 1e-12
 *     not ok 2 - ball_spins
 *     ok 3 - ball_on_four_threads # SKIP built without OpenMP
 *     # 1 passed, 1 failed, 1 skipped, 12 checks
 *
 * Lines that begin with # are comments: failed checks, seeds, totals. Other lines come from the test itself; TAP readers ignore them.
 *
 * JUnit: `--junit=FILE`, or the variable TRU_JUNIT, names an XML file with one <testcase> per case: its time, its failed checks, the
 * reason of a skip, its seeds. The file is written before every case too, with the case that is about to run as an <error>. So a
 * program that crashes or is killed leaves the name of the case that did it. */
#ifndef TRUNDLE_TESTS_CHECK_REPORT_H
#define TRUNDLE_TESTS_CHECK_REPORT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum check_result { CHECK_NOT_CHOSEN, CHECK_WAITING, CHECK_RUNNING, CHECK_PASSED, CHECK_FAILED, CHECK_SKIPPED };
enum { CHECK_TEXT = 8000 };

struct check_case {
    const char *name;
    void (*run)(void);
    struct check_case *next;
    enum check_result result;
    long checks, failures;
    double seconds;        /* [s] wall time */
    const char *skipped;   /* the reason, or NULL */
    char text[CHECK_TEXT]; /* its comment lines, cut */
};

static inline double check_now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Prints "# " and a line, and keeps the line for the JUnit file. */
__attribute__((format(printf, 2, 3))) static inline void check_comment(struct check_case *c, const char *format, ...) {
    va_list list, again;
    const size_t used = c ? strlen(c->text) : 0;
    va_start(list, format);
    va_copy(again, list);
    printf("# ");
    vprintf(format, list);
    printf("\n");
    if (c) {
        const int n = vsnprintf(c->text + used, sizeof c->text - used, format, again);
        if (n >= 0 && used + (size_t)n + 1 < sizeof c->text) strcat(c->text, "\n");
    }
    va_end(again);
    va_end(list);
}

/* ---- TAP ---- */

static inline void check_print_result(const struct check_case *c, long number) {
    if (c->result == CHECK_SKIPPED)
        printf("ok %ld - %s # SKIP %s\n", number, c->name, c->skipped);
    else
        printf("%s %ld - %s\n", c->result == CHECK_PASSED ? "ok" : "not ok", number, c->name);
}

/* ---- JUnit ---- */

/* XML knows five marked characters and few control characters; a test may print anything. */
static inline void check_write_escaped(FILE *f, const char *text) {
    for (const char *c = text; *c; c++) {
        const unsigned char u = (unsigned char)*c;
        if (*c == '&')
            fputs("&amp;", f);
        else if (*c == '<')
            fputs("&lt;", f);
        else if (*c == '>')
            fputs("&gt;", f);
        else if (*c == '"')
            fputs("&quot;", f);
        else
            fputc((u < 32 && *c != '\n' && *c != '\t') || u > 126 ? '?' : *c, f);
    }
}

static inline void check_write_element(FILE *f, const char *tag, const char *message, const char *text) {
    fprintf(f, "<%s", tag);
    if (message) {
        fprintf(f, " message=\"");
        check_write_escaped(f, message);
        fprintf(f, "\"");
    }
    fprintf(f, ">");
    check_write_escaped(f, text);
    fprintf(f, "</%s>", tag);
}

static inline void check_write_case(FILE *f, const char *suite, const struct check_case *c) {
    char message[64];
    snprintf(message, sizeof message, "%ld of %ld checks failed", c->failures, c->checks);
    fprintf(f, "  <testcase classname=\"%s\" name=\"%s\" time=\"%.3f\">", suite, c->name, c->seconds);
    if (c->result == CHECK_FAILED) check_write_element(f, "failure", message, c->text);
    if (c->result == CHECK_RUNNING) check_write_element(f, "error", "the program ended in this case", c->text);
    if (c->result == CHECK_WAITING) check_write_element(f, "skipped", "the program did not come to this case", "");
    if (c->result == CHECK_SKIPPED) check_write_element(f, "skipped", c->skipped, c->text);
    if (c->result == CHECK_PASSED && c->text[0]) check_write_element(f, "system-out", NULL, c->text);
    fprintf(f, "</testcase>\n");
}

/* Writes aside and renames, so that a kill leaves a whole file. Returns whether that worked. */
static inline bool check_write_junit(const char *path, const char *suite, const struct check_case *first) {
    char aside[4096];
    long count[CHECK_SKIPPED + 1] = {0}, checks = 0;
    double seconds = 0.0;
    for (const struct check_case *c = first; c; c = c->next) {
        count[c->result]++;
        checks += c->checks;
        seconds += c->seconds;
    }
    snprintf(aside, sizeof aside, "%s.part", path);
    FILE *f = fopen(aside, "w");
    if (!f) return false;
    fprintf(f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    fprintf(f, "<testsuite name=\"%s\" tests=\"%ld\" failures=\"%ld\" errors=\"%ld\" skipped=\"%ld\" time=\"%.3f\">\n",
            suite,
            count[CHECK_PASSED] + count[CHECK_FAILED] + count[CHECK_SKIPPED] + count[CHECK_RUNNING] +
                count[CHECK_WAITING],
            count[CHECK_FAILED], count[CHECK_RUNNING], count[CHECK_SKIPPED] + count[CHECK_WAITING], seconds);
    fprintf(f, "  <properties><property name=\"checks\" value=\"%ld\"/></properties>\n", checks);
    for (const struct check_case *c = first; c; c = c->next)
        if (c->result != CHECK_NOT_CHOSEN) check_write_case(f, suite, c);
    fprintf(f, "</testsuite>\n</testsuites>\n");
    const bool good = !ferror(f);
    return fclose(f) == 0 && good && rename(aside, path) == 0;
}

#endif
