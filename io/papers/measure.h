/* measure.h: one number of a run, described by data: a probe at a time, an extreme, an event, a fit. */
#ifndef TRUNDLE_IO_MEASURE_H
#define TRUNDLE_IO_MEASURE_H

#include <trundle/io.h>

#include "circle.h"

typedef enum measure_kind {
    MEASURE_END,         /* a probe at the end of the run */
    MEASURE_AT,          /* a probe at the first step at or after `from` */
    MEASURE_MAX,         /* largest value of a probe between `from` and `to` */
    MEASURE_MIN,         /* smallest */
    MEASURE_RANGE,       /* largest minus smallest */
    MEASURE_WHEN_MAX,    /* time of the largest [s] */
    MEASURE_MEAN,        /* mean over the steps between `from` and `to` */
    MEASURE_FREQUENCY,   /* 2 pi over the mean time between rises of the probe through zero [rad/s]; over the mean of a
                            second probe [-] */
    MEASURE_SHARE,       /* part of the steps on which a condition holds, or two conditions agree [-] */
    MEASURE_SLOPE,       /* fit: d probe^raise / dt */
    MEASURE_EXPONENTIAL, /* fit: d log |probe| / dt [1/s] */
    MEASURE_POWER,       /* fit: p of |probe| ~ |t - origin|^p [-] */
    MEASURE_FINITE_TIME, /* fit: n of |probe| ~ |t - origin|^(-1/n) [-] */
    MEASURE_CIRCLE,      /* of the points (probe, second probe): all, or where a third probe has its maxima */
    MEASURE_EVENT,       /* time, place, speed or number of an event */
} measure_kind;

typedef enum measure_take { TAKE_TIME, TAKE_X, TAKE_Y, TAKE_Z, TAKE_SPEED, TAKE_COUNT } measure_take;
typedef enum measure_of_circle { CIRCLE_RADIUS, CIRCLE_ERROR, CIRCLE_X, CIRCLE_Y, CIRCLE_TURN } measure_of_circle;

/* A probe above or below a level. */
typedef struct measure_condition {
    const char *probe; /* NULL: no condition */
    double level;      /* [unit of the probe] */
    bool below;
} measure_condition;

typedef struct measure {
    measure_kind kind;
    const char *probe;      /* owned by the file's tree */
    double from, to;        /* [s] */
    bool back;              /* from and to count back from the origin */
    double origin;          /* [s] of a power law and of back; NaN: the end of the run */
    double raise;           /* [-] power of the probe in a slope */
    bool error;             /* the standard error of a fit instead of its value */
    measure_condition a, b; /* of a share; b.probe: the second probe of others */
    const char *maxima;     /* of this probe are what counts of a circle's points; NULL: all */
    measure_of_circle part; /* of the circle */
    int event, row_kind;    /* row_kind -1: any */
    const char *body;       /* NULL: any */
    int number;             /* the n-th such event, from 1; 0: the last */
    measure_take take;      /* of the event */
} measure;

/* Reads `measure:` of a row. */
tru_status trio_measure_read(const tru_tree *node, measure *out, tru_error *err);

/* A measure during a run. */
typedef struct measuring {
    const measure *what;
    size_t probe, other, third;
    tru_unit unit;       /* of the result */
    double value;        /* [unit] NaN: not yet */
    double sum, count;   /* of a mean, of a share, of a second probe */
    double last[2];      /* time and value of the step before; of a range: smallest and largest value */
    double first, final; /* [s] rises through zero */
    size_t rises;
    double *times;  /* [s] points of a fit, which looks at its window afterwards */
    double *values; /* [unit of the probe] */
    size_t point_count, time_room, value_room;
    bool no_memory; /* a point could not be kept */
    footsteps path; /* of a circle */
} measuring;

tru_status trio_measuring_begin(measuring *m, const measure *what, tru_sim *sim, tru_error *err);
/* Returns true if the measure needs every step; otherwise the end of the run is enough. */
bool trio_measuring_every_step(const measure *what);
void trio_measuring_step(measuring *m, const tru_sim *sim);
/* Returns the result and frees the measure. NaN if the event did not happen or no step was in the window. */
double trio_measuring_end(measuring *m, const tru_sim *sim);
/* Returns false if memory ran out during the run, so that the result would lack points. */
bool trio_measuring_fits(const measuring *m);
/* Frees the points of a measure whose result is not wanted. */
void trio_measuring_free(measuring *m);

/* Writes a sentence with file:line:column of a node. */
tru_status trio_entry_fail(const tru_tree *node, tru_status status, tru_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Reads a number with an optional unit of the given powers of kg, m, s ("1 s", "35 deg"). The result is in SI. */
tru_status trio_tree_number(const tru_tree *node, tru_unit unit, double *out, tru_error *err);
/* Reads the number of a required key. */
tru_status trio_tree_number_at(const tru_tree *map, const char *key, tru_unit unit, double *out, tru_error *err);

#endif
