/* papers_session.h: what "trundle papers" knows while it works: runs and what they gave, verdicts, curves, the report. */
#ifndef TRUNDLE_APP_PAPERS_SESSION_H
#define TRUNDLE_APP_PAPERS_SESSION_H

#include "papers.h"
#include "text/series.h"

enum { MOST_ROWS = 200, MOST_PROBES = 8, MOST_POINTS = 400 }; /* of one run */

/* What a run sends back, rows in file order. */
typedef struct outcome {
    tru_status status;
    char text[500];
    double seconds;
    uint64_t scene_hash;
    double value[MOST_ROWS]; /* [unit of the row] */
    size_t probes, points;   /* of the curves, where a report is wanted */
    tru_unit unit[MOST_PROBES];
    double time[MOST_POINTS];               /* [s] */
    double curve[MOST_PROBES][MOST_POINTS]; /* [unit] */
} outcome;

typedef struct session {
    papers papers;
    outcome *outcomes; /* per run */
    size_t finished;
    bool curves; /* wanted */
} session;

typedef struct verdict {
    const char *word;   /* pass, fail, skip */
    double ours;        /* [unit of the row] */
    double tolerance;   /* [unit of the row] */
    const outcome *run; /* NULL: skipped */
} verdict;

verdict papers_judge(const session *s, size_t k);

/* ---- curves, in a worker ---- */

/* The probes that rows of a run measure, over time. */
typedef struct papers_trace {
    size_t probes;
    size_t probe[MOST_PROBES];
    tru_unit unit[MOST_PROBES];
    series *kept; /* NULL: none is wanted */
} papers_trace;

/* Names of the probes of a run whose values can be drawn alongside what was published, in the order of the rows. */
size_t trace_probes(const papers *all, size_t run, const char *names[MOST_PROBES]);
tru_status trace_begin(papers_trace *t, const papers *all, size_t run, tru_sim *sim, tru_error *err);
void trace_step(papers_trace *t, const tru_sim *sim);
/* Into the outcome; frees what it holds. */
void trace_end(papers_trace *t, outcome *out);

/* ---- the report, in the parent ---- */

/* An exit code: `code`, or that of what went wrong. */
int papers_report(const session *s, int code, const char *path, bool tell_path);

#endif
