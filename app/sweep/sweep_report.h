/* sweep_report.h: a sweep as one HTML file: its cells as a table, maps with their analytic borders, curves over one axis. */
#ifndef TRUNDLE_APP_SWEEP_REPORT_H
#define TRUNDLE_APP_SWEEP_REPORT_H

#include "sweep.h"

/* Tables, maps with their borders, or curves, as one HTML file. An exit code. */
int sweep_write_report(sweep *s, const sweep_result *results, const char *path, bool tell);

#endif
