/* papers_report.h: published numbers and ours as one HTML file: table, curves with the published values, replays. */
#ifndef TRUNDLE_APP_PAPERS_REPORT_H
#define TRUNDLE_APP_PAPERS_REPORT_H

#include "papers_session.h"

/* The probes that rows of a run measure, over time. */
typedef struct papers_trace {
    size_t probes;
    size_t probe[MOST_PROBES];
    tru_unit unit[MOST_PROBES];
    series *kept; /* NULL without a report */
} papers_trace;

verdict papers_judge(const session *s, size_t k);
/* Lists the probes of a run that can be drawn with the published values, in the order of the rows. Returns their number. */
size_t trace_probes(const papers *all, size_t run, const char *names[MOST_PROBES]);
tru_status trace_begin(papers_trace *t, const papers *all, size_t run, tru_sim *sim, tru_error *err);
void trace_step(papers_trace *t, const tru_sim *sim);
/* Writes the curves to the outcome and frees the trace. */
void trace_end(papers_trace *t, outcome *out);
/* Writes the report. Returns `code`, or the exit code of a failure. */
int papers_report(const session *s, int code, const char *path, bool tell_path);

#endif
