/* cmd_report.c: "trundle report": a folder of results as one HTML file with replay and plots. */
#include "cli/app.h"
#include "draw/report.h"

#include <trundle/plugins.h>

#include <stdlib.h>

int cmd_report(const args *a) {
    const char *dir = a->operands[0], *out = args_text(a, "out");
    tru_report *report = NULL;
    tru_error err;
    char *path = out ? need_text("%s", out) : need_text("%s/report.html", dir);
    int code = EXIT_GOOD;
    const tru_status begun = tru_report_begin(&report, &err);
    tru_report_set_plugins(report, a->plugins);
    if (begun < 0 || tru_report_add_run(report, dir, NULL, &err) < 0)
        code = complain(&err);
    else
        code = report_write(report, path);
    if (code == EXIT_GOOD) report_tell(path);
    tru_report_free(report);
    free(path);
    return code;
}
