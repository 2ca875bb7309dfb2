/* report.h: reports as commands write them. */
#ifndef TRUNDLE_APP_REPORT_H
#define TRUNDLE_APP_REPORT_H

#include <trundle/io.h>

/* Paste a report into the template that comes with the program; an exit code, after a sentence. */
int report_write(const tru_report *report, const char *path);
/* One line: where it is and how large. */
void report_tell(const char *path);

#endif
