/* sweep_seeds.h: cells that differ only in their seed, told together: mean and standard deviation of every probe, and over how many seeds. */
#ifndef TRUNDLE_APP_SWEEP_SEEDS_H
#define TRUNDLE_APP_SWEEP_SEEDS_H

#include "sweep.h"

typedef struct sweep_mean {
    int n;                  /* seeds that the mean is over */
    int failed, valueless;  /* seeds that it is not over: runs that failed, probes without a value (NaN) */
    double mean, deviation; /* [unit of the probe] deviation: of one run, not of the mean; NaN: one run only */
} sweep_mean;

/* A line for each group of cells, on stdout; nothing without seeds. */
void sweep_tell_seeds(const sweep *s, const sweep_result *results);
/* "means": [{"at": {}, "probes": {name: {"mean", "deviation", "n", "failed", "valueless"}}}]; nothing without seeds. */
void sweep_seeds_json(tru_json *json, const sweep *s, const sweep_result *results);
/* DIR/means.csv and DIR/means.h5: a row for each group; nothing without seeds. An exit code. */
int sweep_write_means(const sweep *s, const sweep_result *results, const char *dir);

#endif
