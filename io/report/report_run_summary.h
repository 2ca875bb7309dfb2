/* report_run_summary.h: the summary of a run that did not end, from its file of results. */
#ifndef TRUNDLE_IO_REPORT_RUN_SUMMARY_H
#define TRUNDLE_IO_REPORT_RUN_SUMMARY_H

#include "report_run.h"

tru_status trio_report_run_summary(report_run *run, tru_error *err);

#endif
