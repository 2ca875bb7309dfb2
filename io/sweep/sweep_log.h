/* sweep_log.h: the log of a sweep, one line per finished cell, so that a killed sweep can continue. */
#ifndef TRUNDLE_IO_SWEEP_LOG_H
#define TRUNDLE_IO_SWEEP_LOG_H

#include "sweep_state.h"

/* Adds a finished cell to the log, if there is one. */
tru_status trio_sweep_log_add(tru_sweep *s, size_t cell, tru_error *err);
void trio_sweep_log_close(sweep_log *log);
/* Returns TRU_FILE with the sentence that a file cannot be written, with the text of errno. */
tru_status trio_sweep_file_failed(const char *path, tru_error *err);

#endif
