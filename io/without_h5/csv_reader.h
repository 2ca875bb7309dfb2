/* csv_reader.h: reads the CSV files of a run into memory. */
#ifndef TRUNDLE_IO_CSV_READER_H
#define TRUNDLE_IO_CSV_READER_H

#include "rows/row_memory.h"

/* Read probes.csv, ledger.csv and events.csv of a folder. The names and units of probes go to the reader.
 * Events add a body for every name. Return TRU_FILE or TRU_DAMAGED with the file and its line. */
tru_status trio_csv_read_probes(const char *dir, reader *r, row_memory *m, tru_error *err);
tru_status trio_csv_read_ledger(const char *dir, row_memory *m, tru_error *err);
tru_status trio_csv_read_events(const char *dir, row_memory *m, tru_error *err);

#endif
