/* papers_session.h: the state of "trundle papers": runs, their results, verdicts. */
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
    size_t probes, points;   /* of the curves, if a report is written */
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

#endif
