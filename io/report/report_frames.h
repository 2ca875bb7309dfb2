/* report_frames.h: poses and contacts of a run for a report: quantised to 16 bits, differences from frame to frame. */
#ifndef TRUNDLE_IO_REPORT_FRAMES_H
#define TRUNDLE_IO_REPORT_FRAMES_H

#include "report_run.h"

tru_status trio_report_frames(report_run *run, tru_error *err);
tru_status trio_report_contacts(report_run *run, tru_error *err);

#endif
