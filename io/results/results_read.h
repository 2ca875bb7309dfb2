/* results_read.h: opens a folder of results for reading, whatever holds its rows. */
#ifndef TRUNDLE_IO_RESULTS_READ_H
#define TRUNDLE_IO_RESULTS_READ_H

#include "rows/row_reader.h"

/* Opens a folder of results. Returns TRU_FILE if it cannot be opened, TRU_DAMAGED if its file is damaged or of another
 * program. The caller calls trio_reader_close after a success. */
tru_status trio_results_read(const char *dir, reader *r, tru_error *err);

#endif
