/* results_layout.h: groups, datasets, units and provenance of run.h5, and how it is opened. */
#ifndef TRUNDLE_IO_RESULTS_LAYOUT_H
#define TRUNDLE_IO_RESULTS_LAYOUT_H

#include "h5_run.h"

/* Returns TRU_FILE with a sentence: the path and the text of errno. */
tru_status trio_results_failed(const tru_results *r, tru_error *err);
/* Creates every group, dataset and attribute in a new file `part`. It does not start SWMR. */
tru_status trio_results_lay_out(tru_results *r, int64_t resumes, tru_error *err);
void trio_results_close(tru_results *r);
/* Opens a file of results for reading, also one whose writer was killed or is at work. Returns -1 if it is not a file of
 * results. */
hid_t trio_results_open(const char *path);
/* Returns the compound type of the rows of a table (structs of row_tables.h), which the caller closes; -1 for plain
 * numbers. */
hid_t trio_results_row_type(result_table which);
/* Writes the check sums of all tables, at the end of a run; and returns the first table of a file whose check sum is wrong,
 * NULL if all are right. */
bool trio_results_write_sums(const tru_results *r);
const char *trio_results_damaged_table(hid_t file);

#endif
