/* papers_trace.h: curves of the probes that the rows of a run measure, with bounded memory. */
#ifndef TRUNDLE_IO_PAPERS_TRACE_H
#define TRUNDLE_IO_PAPERS_TRACE_H

#include "papers_state.h"

enum { TRACE_ROWS = 800 }; /* kept while the run continues; halved when they are full */

typedef struct papers_trace {
    size_t probes, rows;
    size_t probe[MOST_PROBES];
    tru_unit unit[MOST_PROBES];
    uint64_t merged, pending; /* samples per row; in the row that is being filled */
    double *time;             /* [s] of the last sample of each row; NULL: nothing is kept */
    double *last;             /* [unit of the probe] rows x probes */
} papers_trace;

/* Returns true if the value of a row can be drawn into a plot of its probe. */
bool trio_trace_drawable(const paper_row *row);
/* Lists the probes of a run that can be drawn with the published values, in the order of the rows. Returns their number. */
size_t trio_trace_probes(const papers *all, size_t run, const char *names[MOST_PROBES]);
tru_status trio_trace_begin(papers_trace *t, const papers *all, size_t run, tru_sim *sim, tru_error *err);
void trio_trace_step(papers_trace *t, const tru_sim *sim);
/* Writes the curves to the outcome and frees the trace. */
void trio_trace_end(papers_trace *t, outcome *out);

#endif
