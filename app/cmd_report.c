/* cmd_report.c: "trundle report": a folder of results as one HTML file with replay and plots. */
#include "app.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int report_write(const tru_report *report, const char *path) {
    tru_error err;
    char *template_path = data_path("viewer/report.html");
    if (!template_path) {
        fprintf(stderr, "trundle: viewer/report.html, which comes with the program, is not there\n");
        return EXIT_SYSTEM;
    }
    const int code = tru_report_write(report, template_path, path, &err) < 0 ? complain(&err) : EXIT_GOOD;
    free(template_path);
    return code;
}

void report_tell(const char *path) {
    struct stat s;
    if (stat(path, &s) == 0) printf("report: %s (%.3g MB)\n", path, (double)s.st_size / 1e6);
}

int cmd_report(const args *a) {
    const char *dir = a->operands[0], *out = args_text(a, "out");
    tru_report *report = NULL;
    tru_error err;
    char *path = out ? need_text("%s", out) : need_text("%s/report.html", dir);
    int code = EXIT_GOOD;
    if (tru_report_begin(&report, &err) < 0 || tru_report_add_run(report, dir, NULL, &err) < 0)
        code = complain(&err);
    else
        code = report_write(report, path);
    if (code == EXIT_GOOD) report_tell(path);
    tru_report_free(report);
    free(path);
    return code;
}
