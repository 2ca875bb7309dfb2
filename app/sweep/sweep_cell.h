/* sweep_cell.h: one cell of a sweep: a run, or a bisection by runs, and how it ended. */
#ifndef TRUNDLE_APP_SWEEP_CELL_H
#define TRUNDLE_APP_SWEEP_CELL_H

#include "sweep.h"

/* Runs one cell. */
void sweep_cell(sweep *s, size_t cell, sweep_result *out);
/* Returns how many cells of such runs fill the lanes. */
size_t sweep_lanes(const sweep *s, tru_sim *sim);
/* Runs several cells, at most SWEEP_TOGETHER. They share lanes unless they bisect. */
void sweep_cells(sweep *s, const size_t *cells, size_t count, sweep_result *out);

#endif
