/* sweep.h: a grid of runs of one scene: axes, cells, their log, pictures. */
#ifndef TRUNDLE_APP_SWEEP_H
#define TRUNDLE_APP_SWEEP_H

#include <trundle/io.h>

#include <stdio.h>

enum { SWEEP_AXES = 6, SWEEP_COLUMNS = 64, SWEEP_TOGETHER = 16 };

/* One varied value: a grid "a:b:n" with one unit, or words "x,y,z". */
typedef struct sweep_axis {
    char *path, *unit; /* unit as written, "" without */
    double from, to;   /* [unit] */
    char **words;      /* NULL: a grid */
    size_t count;
} sweep_axis;

/* Bisection: where a condition changes along one more value. */
typedef struct sweep_bisect {
    sweep_axis axis;  /* its ends; count unused */
    double tolerance; /* [unit of the axis] */
    char *probe;      /* condition: probe > limit (or <), or the class is `word` */
    size_t column;    /* of the probe among the sweep's */
    bool below;
    double limit; /* [unit of the probe, SI] */
    char *word;   /* NULL: the probe decides */
} sweep_bisect;

typedef struct sweep {
    tru_scene *scene;
    const char *stepper;
    double until; /* [s] < 0: the scene's */
    sweep_axis axes[SWEEP_AXES];
    size_t axis_count;
    int seeds;                /* of the last axis; 0: it is not an axis of seeds */
    size_t shown[SWEEP_AXES]; /* which value the scene has now, from 1; 0: none yet */
    bool bisects;
    sweep_bisect bisect;
    char
        *probes[SWEEP_COLUMNS]; /* read at the end of every run; owned, because a change of the scene moves its texts */
    tru_unit units[SWEEP_COLUMNS];
    size_t probe_count;
    size_t cells;
    size_t together; /* number of cells whose runs share lanes; 0: one after the other */
} sweep;

/* How a run ended. */
typedef enum sweep_class {
    CLASS_FAILED,
    CLASS_REST,
    CLASS_FLAT,
    CLASS_ROLLING,
    CLASS_SLIDING,
    CLASS_BOTH,
    CLASS_FLYING,
    CLASS_HANGING,
    CLASSES
} sweep_class;

/* Result of a cell; of a bisection, the run nearest to the change. */
typedef struct sweep_result {
    int32_t done;                 /* 0: not yet */
    int32_t class;                /* sweep_class */
    int32_t runs;                 /* simulations of this cell */
    double steps;                 /* of all of them */
    double seconds;               /* [s] CPU time of the cell */
    double stepping;              /* [s] CPU time of its steps alone */
    double time;                  /* [s] simulated, at the end */
    double border;                /* [unit of the bisected value] NaN: no change between its ends */
    double values[SWEEP_COLUMNS]; /* [unit of the probe] */
    char text[200];               /* why it failed */
} sweep_result;

#endif
