/* results_rows.h: writes the present state of the world as rows of the tables of run.h5. */
#ifndef TRUNDLE_IO_RESULTS_ROWS_H
#define TRUNDLE_IO_RESULTS_ROWS_H

#include "run_file.h"

tru_status trio_results_write_frame(tru_results *r, tru_error *err);
tru_status trio_results_write_row(tru_results *r, tru_error *err);
tru_status trio_results_write_events(tru_results *r, tru_error *err);
/* Writes the bodies that were added since the last call. */
tru_status trio_results_write_bodies(tru_results *r, tru_error *err);
/* Returns TRU_FILE with a sentence: the path and the text of errno. */
tru_status trio_results_failed(const tru_results *r, tru_error *err);

#endif
