/* results_layout.h: what run.h5 consists of: groups, datasets, units, provenance; and how it is opened. */
#ifndef TRUNDLE_IO_RESULTS_LAYOUT_H
#define TRUNDLE_IO_RESULTS_LAYOUT_H

#include "run_file.h"

/* Every group, dataset and attribute, in a fresh file `part`; not yet SWMR. */
tru_status trio_results_lay_out(tru_results *r, int64_t resumes, tru_error *err);
void trio_results_close(tru_results *r);
/* Open a file of results for reading, also one whose writer was killed or is still at work; -1: it is none. */
hid_t trio_results_open(const char *path);
/* Where a table stands in the file; the compound type of its rows as the structs above (-1: plain numbers), to close. */
const char *trio_results_path(result_table which);
hid_t trio_results_row_type(result_table which);
/* At the end of a run: what its tables hold. Then: the first table of a file that does not hold it, NULL: none. */
bool trio_results_write_sums(const tru_results *r);
const char *trio_results_damaged_table(hid_t file);

#endif
