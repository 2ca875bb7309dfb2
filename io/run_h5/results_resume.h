/* results_resume.h: continues a file of results: checks it, and copies its rows up to the snapshot. */
#ifndef TRUNDLE_IO_RESULTS_RESUME_H
#define TRUNDLE_IO_RESULTS_RESUME_H

#include "h5_run.h"

/* Checks that the old file can be continued; and copies its rows up to the snapshot to the new file. */
tru_status trio_results_check_old(const tru_results *r, hid_t old, tru_error *err);
tru_status trio_results_copy_old(tru_results *r, hid_t old, tru_error *err);

#endif
