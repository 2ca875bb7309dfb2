/* sweep_log.h: the log of a sweep, one line per finished cell, so that a killed sweep can continue; and its tables. */
#ifndef TRUNDLE_APP_SWEEP_LOG_H
#define TRUNDLE_APP_SWEEP_LOG_H

#include "sweep.h"

/* A log has one line per finished cell, so that a killed sweep can continue. */
typedef struct sweep_log {
    int file;      /* -1: no log is written */
    double synced; /* [s] wall clock of the last sync */
} sweep_log;

/* Opens DIR/sweep.log and reads its cells into results[cells]. *found is their number. Returns an exit code. */
int sweep_log_open(sweep_log *log, const sweep *s, const char *dir, sweep_result *results, size_t *found);
bool sweep_log_add(sweep_log *log, const sweep *s, size_t cell, const sweep_result *result);
void sweep_log_close(sweep_log *log);
/* Prints the sentence that a file cannot be written. Returns the exit code. */
int sweep_file_failed(const char *path);
/* Writes the heading of an axis to a CSV file, with its comma. */
void sweep_put_head(const sweep *s, size_t axis, FILE *out);
int sweep_write_csv(const sweep *s, const sweep_result *results, const char *path);
int sweep_write_h5(const sweep *s, const sweep_result *results, const char *path);

#endif
