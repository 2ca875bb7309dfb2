/* h5_reader.h: opens DIR/run.h5 for reading, also while a run writes it. */
#ifndef TRUNDLE_IO_H5_READER_H
#define TRUNDLE_IO_H5_READER_H

#include "rows/row_reader.h"

/* Opens a folder of results. Returns TRU_FILE if it cannot be opened, TRU_DAMAGED if its file is damaged or of another
 * program. */
tru_status trio_reader_open(const char *dir, reader *r, tru_error *err);

#endif
