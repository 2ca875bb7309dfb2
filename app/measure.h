/* measure.h: one number of a run, described by data: a probe at a time, an extreme, an event, a fit. */
#ifndef TRUNDLE_APP_MEASURE_H
#define TRUNDLE_APP_MEASURE_H

#include <trundle/io.h>

typedef enum measure_kind {
    MEASURE_END,         /* a probe at the end of the run */
    MEASURE_AT,          /* a probe at the first step at or after `from` */
    MEASURE_MAX,         /* largest value of a probe between `from` and `to` */
    MEASURE_MIN,         /* smallest */
    MEASURE_MEAN,        /* mean over the steps between `from` and `to` */
    MEASURE_SLOPE,       /* fit: d probe / dt between `from` and `to` */
    MEASURE_EXPONENTIAL, /* fit: d log |probe| / dt [1/s] */
    MEASURE_POWER,       /* fit: d log |probe| / d log |t - origin| [-] */
    MEASURE_EVENT,       /* time, place or speed of an event */
} measure_kind;

typedef enum measure_take { TAKE_TIME, TAKE_X, TAKE_Y, TAKE_Z, TAKE_SPEED } measure_take;

typedef struct measure {
    measure_kind kind;
    const char *probe;   /* owned by the file's tree */
    double from, to;     /* [s] */
    double origin;       /* [s] of a power law; NaN: the end of the run */
    int event, row_kind; /* row_kind -1: any */
    const char *body;    /* NULL: any */
    int number;          /* the n-th such event, from 1; 0: the last */
    measure_take take;   /* of the event */
} measure;

/* Read `measure:` of a row. */
tru_status measure_read(const tru_tree *node, measure *out, tru_error *err);

/* A measure while a run goes on. */
typedef struct measuring {
    const measure *what;
    size_t probe;
    tru_unit unit;        /* of the result */
    double value;         /* [unit] NaN: not yet */
    double sum[5], at[2]; /* of a fit or mean: count, x, y, xx, xy, counted from the point `at` */
    double *points;       /* [s, unit] a power law about the end of the run needs its points afterwards */
    size_t point_count;
} measuring;

tru_status measuring_begin(measuring *m, const measure *what, tru_sim *sim, tru_error *err);
/* Whether it must see every step; else the end is enough. */
bool measuring_every_step(const measure *what);
void measuring_step(measuring *m, const tru_sim *sim);
/* The result; NaN when the event did not happen or no step was in the window. Frees what it holds. */
double measuring_end(measuring *m, const tru_sim *sim);

/* Helpers for reading rows: a sentence with file:line:column of a node. */
tru_status tree_fail(const tru_tree *node, tru_status status, tru_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A number with an optional unit of the given powers of kg, m, s ("1 s", "35 deg"), in SI. */
tru_status tree_number(const tru_tree *node, tru_unit unit, double *out, tru_error *err);

#endif
