/* report_run_summary.h: the story of a run from its file, for runs that have no summary because they did not end. */
#ifndef TRUNDLE_IO_REPORT_RUN_SUMMARY_H
#define TRUNDLE_IO_REPORT_RUN_SUMMARY_H

#include "report_run.h"

tru_status trio_report_run_summary(report_run *run, tru_error *err);

#endif
