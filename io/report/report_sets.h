/* report_sets.h: the boundary of what friction can do at recorded contacts, from the laws of the scene, for a report. */
#ifndef TRUNDLE_IO_REPORT_SETS_H
#define TRUNDLE_IO_REPORT_SETS_H

#include "report_run.h"

tru_status trio_report_sets(report_run *run, tru_error *err);

#endif
