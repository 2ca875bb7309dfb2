/* sweep_seeds.h: tells the means over cells that differ only in their seed. */
#ifndef TRUNDLE_APP_SWEEP_SEEDS_H
#define TRUNDLE_APP_SWEEP_SEEDS_H

#include <trundle/study.h>

/* Prints a line per group of cells to stdout. Prints nothing without seeds. */
void sweep_tell_seeds(const tru_sweep *sweep);
/* Writes "means": [{"at": {}, "probes": {name: {"mean", "deviation", "n", "failed", "valueless"}}}]; nothing without seeds. */
void sweep_seeds_json(tru_json *json, const tru_sweep *sweep);

#endif
