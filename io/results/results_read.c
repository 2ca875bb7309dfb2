/* results_read.c: opens a folder of results for reading, whatever holds its rows. */
#include "results_read.h"

#include "run_h5/h5_reader.h"

tru_status trio_results_read(const char *dir, reader *r, tru_error *err) { return trio_reader_open(dir, r, err); }
