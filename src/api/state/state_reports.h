/* state_reports.h: what a world reports of its past: kept in snapshots, without influence on later steps. */
#ifndef TRUNDLE_API_STATE_STATE_REPORTS_H
#define TRUNDLE_API_STATE_STATE_REPORTS_H

#include "api/state/stream.h"
#include "world/world.h"

/* Writes or reads the report of the solver about the last step. */
void trui_io_solve(stream *s, tru_solve_info *info);
/* Writes or reads the totals of the solver. */
void trui_io_solve_totals(stream *s, tru_solve_totals *t);
/* Writes or reads what the judge needs of the last step: bodies before it, and their attitude in its middle. */
void trui_io_before(stream *s, tru_world *w);
/* Writes or reads the events that were not taken yet. */
void trui_io_events(stream *s, tru_world *w);

#endif
