/* sweep_report.h: a sweep as one HTML file: its cells as a table, maps with their analytic borders, curves over one axis. */
#ifndef TRUNDLE_APP_SWEEP_REPORT_H
#define TRUNDLE_APP_SWEEP_REPORT_H

#include <trundle/study.h>

/* Writes tables, and maps with their borders or curves, as one HTML file. Returns an exit code. */
int sweep_write_report(tru_sweep *sweep, const char *title, const char *path, bool tell);

#endif
