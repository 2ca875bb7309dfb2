/* results_resume.h: going on with a file of results: is it ours, is it whole, and its rows up to the snapshot. */
#ifndef TRUNDLE_IO_RESULTS_RESUME_H
#define TRUNDLE_IO_RESULTS_RESUME_H

#include "run_file.h"

/* Whether the old file can be gone on with; then its rows up to the snapshot into the new one. */
tru_status trio_results_check_old(const tru_results *r, hid_t old, tru_error *err);
tru_status trio_results_copy_old(tru_results *r, hid_t old, tru_error *err);

#endif
