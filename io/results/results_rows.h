/* results_rows.h: what the world is now, as rows of the tables of run.h5. */
#ifndef TRUNDLE_IO_RESULTS_ROWS_H
#define TRUNDLE_IO_RESULTS_ROWS_H

#include "run_file.h"

tru_status trio_results_write_frame(tru_results *r, tru_error *err);
tru_status trio_results_write_row(tru_results *r, tru_error *err);
tru_status trio_results_write_events(tru_results *r, tru_error *err);
/* Bodies that came since the last look. */
tru_status trio_results_write_bodies(tru_results *r, tru_error *err);
/* TRU_FILE with the path and what the system says. */
tru_status trio_results_failed(const tru_results *r, tru_error *err);

#endif
