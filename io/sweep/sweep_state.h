/* sweep_state.h: a grid of runs of one scene: axes, cells, their log. */
#ifndef TRUNDLE_IO_SWEEP_STATE_H
#define TRUNDLE_IO_SWEEP_STATE_H

#include <trundle/study.h>

#include "common/store.h"

enum { SWEEP_TOGETHER = 16 /* most cells that share lanes */ };

/* Bisection: where a condition changes along one more value. Its axis is info.bisect. */
typedef struct sweep_bisect {
    double tolerance;  /* [unit of the axis] */
    const char *probe; /* condition: probe > limit (or <), or the class is `word` */
    size_t column;     /* of the probe among the sweep's */
    bool below;
    double limit;     /* [unit of the probe, SI] */
    const char *word; /* NULL: the probe decides */
} sweep_bisect;

/* A log has one line per finished cell, so that a killed sweep can continue. */
typedef struct sweep_log {
    int file;      /* -1: no log is written */
    double synced; /* [s] wall clock of the last sync */
} sweep_log;

/* A table to compare with. */
typedef struct sweep_table {
    size_t axis[TRU_SWEEP_AXES];       /* its columns of the sweep's axes, */
    size_t value;                      /* and of what is compared: */
    int probe;                         /* a probe, -1: the border of the bisection */
    double (*row)[TRU_SWEEP_AXES + 1]; /* numbers of the axes, then the value */
    size_t rows, room;
} sweep_table;

struct tru_sweep {
    tru_sweep_info info;
    tru_sweep_axis axes[TRU_SWEEP_AXES]; /* those of info */
    const char *probes[TRU_SWEEP_PROBES];
    tru_unit units[TRU_SWEEP_PROBES];
    store texts;                  /* of axes and probes */
    bool no_memory;               /* a text could not be copied */
    tru_scene *scene;             /* with the values that were tried first: its hash and text name the sweep */
    tru_scene *varied;            /* that of the cells in this process */
    tru_scene *bordered;          /* that of tru_sweep_border; NULL: not yet */
    size_t shown[TRU_SWEEP_AXES]; /* which value `varied` has now, from 1; 0: none yet */
    const char *stepper;
    double until; /* [s] < 0: the scene's */
    sweep_bisect bisect;
    size_t together; /* number of cells whose runs share lanes */
    tru_sweep_cell *cells;
    size_t done;
    size_t *order, left; /* cells to be run, in this order */
    sweep_log log;
    sweep_table table;
    bool against;             /* there is a table */
    const tru_study_how *how; /* of the present call */
    tru_error broken;         /* why the log cannot be written */
};

#endif
