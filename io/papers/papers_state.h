/* papers_state.h: the state of recomputed papers: rows, runs, their results. */
#ifndef TRUNDLE_IO_PAPERS_STATE_H
#define TRUNDLE_IO_PAPERS_STATE_H

#include "common/store.h"
#include "papers.h"

enum { MOST_ROWS = 200, MOST_PROBES = 8, MOST_POINTS = 400 }; /* of one run */

/* What a run sends back, rows in file order. */
typedef struct outcome {
    bool done;
    tru_status status;
    char text[500];
    double seconds; /* [s] wall clock */
    uint64_t scene_hash;
    double value[MOST_ROWS]; /* [SI unit of the row] */
    size_t probes, points;   /* of the curves */
    tru_unit unit[MOST_PROBES];
    double time[MOST_POINTS];               /* [s] */
    double curve[MOST_PROBES][MOST_POINTS]; /* [unit] */
} outcome;

struct tru_papers {
    tru_papers_def def;
    papers papers;
    store texts;       /* names of the papers */
    outcome *outcomes; /* per run; NULL: not yet */
    size_t done;
    const tru_study_how *how; /* of the present call */
};

#endif
