/* sweep_table.h: tables of a sweep, as CSV or by tru_table_write. */
#ifndef TRUNDLE_IO_SWEEP_TABLE_H
#define TRUNDLE_IO_SWEEP_TABLE_H

#include "sweep_state.h"

#include <stdio.h>

/* Chooses a format by the ending of a path and writes the table by `csv` or `h5`. */
tru_status trio_sweep_write_as(const tru_sweep *s, const char *path,
                               tru_status (*csv)(const tru_sweep *s, const char *path, tru_error *err),
                               tru_status (*h5)(const tru_sweep *s, const char *path, tru_error *err), tru_error *err);
/* Writes the heading of an axis to a CSV file, with its comma. */
void trio_sweep_put_head(const tru_sweep_axis *axis, FILE *out);
/* Writes a value of an axis to a CSV file, with its comma. */
void trio_sweep_put_value(const tru_sweep_axis *axis, size_t k, FILE *out);
/* Closes a CSV file. Returns TRU_FILE if anything could not be written. */
tru_status trio_sweep_close_csv(FILE *out, const char *path, tru_error *err);

#endif
