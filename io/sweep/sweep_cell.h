/* sweep_cell.h: one cell of a sweep: a run, or a bisection by runs, and how it ended. */
#ifndef TRUNDLE_IO_SWEEP_CELL_H
#define TRUNDLE_IO_SWEEP_CELL_H

#include "sweep_state.h"

/* Returns how many cells of such runs fill the lanes. */
size_t trio_sweep_lanes(const tru_sweep *s, tru_sim *sim);
/* Runs several cells, at most SWEEP_TOGETHER, on s->varied. They share lanes unless they bisect. */
void trio_sweep_cells(tru_sweep *s, const size_t *cells, size_t count, tru_sweep_cell *out);

#endif
