/* sweep_seeds.h: mean and standard deviation of every probe over cells that differ only in their seed. */
#ifndef TRUNDLE_APP_SWEEP_SEEDS_H
#define TRUNDLE_APP_SWEEP_SEEDS_H

#include "sweep.h"

typedef struct sweep_mean {
    int n;                  /* number of seeds in the mean */
    int failed, valueless;  /* seeds that are not in the mean: failed runs, probes without a value (NaN) */
    double mean, deviation; /* [unit of the probe] deviation of a single run, not of the mean; NaN for one run */
} sweep_mean;

/* Prints a line per group of cells to stdout. Prints nothing without seeds. */
void sweep_tell_seeds(const sweep *s, const sweep_result *results);
/* Writes "means": [{"at": {}, "probes": {name: {"mean", "deviation", "n", "failed", "valueless"}}}]; nothing without seeds. */
void sweep_seeds_json(tru_json *json, const sweep *s, const sweep_result *results);
/* Writes DIR/means.csv and DIR/means.h5 with a row per group; nothing without seeds. Returns an exit code. */
int sweep_write_means(const sweep *s, const sweep_result *results, const char *dir);

#endif
