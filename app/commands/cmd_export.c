/* cmd_export.c: "trundle export": a folder of results for ParaView, spreadsheets, Blender, OVITO. */
#include "cli/app.h"

#include <stdlib.h>

int cmd_export(const args *a) {
    const char *format = args_text(a, "format"), *out = args_text(a, "out");
    tru_error err;
    size_t files = 0;
    if (!format) {
        say(stderr, "trundle export: --format is missing: vtp, csv, glb, xyz (trundle help export)\n");
        return EXIT_USAGE;
    }
    char *folder = out ? need_text("%s", out) : need_text("%s/%s", a->operands[0], format);
    int code = EXIT_GOOD;
    const tru_status status = tru_export(a->operands[0], format, folder, &files, &err);
    if (status < 0)
        code = complain(&err);
    else
        say(stdout, "export: %s (%zu file%s)\n", folder, files, files == 1 ? "" : "s");
    remark_on(status, &err);
    free(folder);
    return code;
}
