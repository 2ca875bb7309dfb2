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

/* Where a condition changes along one more value. */
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
    char *probes[SWEEP_COLUMNS]; /* read at the end of every run; owned, for a change of the scene moves its own */
    tru_unit units[SWEEP_COLUMNS];
    size_t probe_count;
    size_t cells;
    size_t together; /* cells whose runs go side by side; 0: one after the other */
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
const char *sweep_class_name(int class);

/* What a cell gives; of a bisection, the run nearest to the change. */
typedef struct sweep_result {
    int32_t done;                 /* 0: not yet */
    int32_t class;                /* sweep_class */
    int32_t runs;                 /* simulations this cell took */
    double steps;                 /* of all of them */
    double seconds;               /* [s] CPU time of the cell */
    double stepping;              /* [s] CPU time of its steps alone */
    double time;                  /* [s] simulated, at the end */
    double border;                /* [unit of the bisected value] NaN: no change between its ends */
    double values[SWEEP_COLUMNS]; /* [unit of the probe] */
    char text[200];               /* why it failed */
} sweep_result;

/* "path=a:b:n" or "path=x,y,z". False after a sentence on stderr. */
bool sweep_read_axis(const char *text, sweep_axis *out);
/* "path=a:b:tol" and "PROBE", "PROBE>1 mm/s", "PROBE<2", "class=rolling". */
bool sweep_read_bisect(const char *text, const char *on, sweep_bisect *out);
void sweep_axis_free(sweep_axis *axis);
/* The value of an axis as a scene would have it, and as a number [unit]. */
void sweep_value_text(const sweep_axis *axis, size_t k, char *out, size_t room);
double sweep_value(const sweep_axis *axis, size_t k);
/* Which value of an axis a cell has; the first axis runs fastest. */
size_t sweep_index(const sweep *s, size_t cell, size_t axis);

/* Run one cell. */
void sweep_cell(sweep *s, size_t cell, sweep_result *out);
/* How many cells of such runs are best run together. */
size_t sweep_lanes(const sweep *s, tru_sim *sim);
/* Run several cells, at most SWEEP_TOGETHER, side by side unless they bisect. */
void sweep_cells(sweep *s, const size_t *cells, size_t count, sweep_result *out);

/* ---- the log: one line per finished cell, so that a killed sweep can continue ---- */

typedef struct sweep_log {
    int file;      /* -1: none is wanted */
    double synced; /* [s] wall clock of the last sync */
} sweep_log;
/* Open DIR/sweep.log, read the cells it has into results[cells]; *found counts them. An exit code. */
int sweep_log_open(sweep_log *log, const sweep *s, const char *dir, sweep_result *results, size_t *found);
bool sweep_log_add(sweep_log *log, const sweep *s, size_t cell, const sweep_result *result);
void sweep_log_close(sweep_log *log);

/* ---- a table to compare with (--against): exit codes ---- */

typedef struct sweep_table {
    const char *path;
    size_t axis[SWEEP_AXES];       /* its columns of the sweep's axes, */
    size_t value;                  /* and of what is compared: */
    int probe;                     /* a probe, -1: the border of the bisection */
    double (*row)[SWEEP_AXES + 1]; /* numbers of the axes, then the value */
    size_t rows;
} sweep_table;

/* Cells that the table has, with values other than 0. */
typedef struct sweep_match {
    size_t cells, worst;
    double rms, most; /* [-] of ours / theirs - 1; most: at cell `worst` */
} sweep_match;

/* Headings as in sweep.csv; bad files get a sentence on stderr. */
int sweep_table_read(const char *path, const sweep *s, sweep_table *out);
void sweep_table_free(sweep_table *t);
sweep_match sweep_compare(const sweep_table *t, const sweep *s, const sweep_result *results);

/* ---- seeds: cells that differ in nothing else, told together ---- */

typedef struct sweep_mean {
    int n;                  /* seeds that the mean is over */
    int failed, valueless;  /* seeds that it is not over: runs that failed, probes without a value (NaN) */
    double mean, deviation; /* [unit of the probe] deviation: of one run, not of the mean; NaN: one run only */
} sweep_mean;
/* A line for each group of cells, on stdout; nothing without seeds. */
void sweep_tell_seeds(const sweep *s, const sweep_result *results);
/* "means": [{"at": {}, "probes": {name: {"mean", "deviation", "n", "failed", "valueless"}}}]; nothing without seeds. */
void sweep_seeds_json(tru_json *json, const sweep *s, const sweep_result *results);
/* DIR/means.csv and DIR/means.h5: a row for each group; nothing without seeds. An exit code. */
int sweep_write_means(const sweep *s, const sweep_result *results, const char *dir);

/* ---- at the end: exit codes ---- */

/* Prints the sentence that a file cannot be written; the exit code. */
int sweep_file_failed(const char *path);
/* The heading of an axis in a CSV file, with its comma. */
void sweep_put_head(const sweep *s, size_t axis, FILE *out);
int sweep_write_csv(const sweep *s, const sweep_result *results, const char *path);
int sweep_write_h5(const sweep *s, const sweep_result *results, const char *path);
/* A map over two axes, lines over one; *drawn false when there is no picture for that number of axes. */
int sweep_write_svg(sweep *s, const sweep_result *results, const char *path, bool *drawn);
/* Whether every value of every axis is a number. */
bool sweep_is_numbers(const sweep *s);
/* Parameters of the scene named border_1, border_2, ... are formulas for the second axis in terms of the first: the b-th
 * at the first axis' value i [unit of the second axis], NaN where it has none. False: there is no such parameter. */
bool sweep_border(sweep *s, int b, size_t i, double *y);
/* Tables, maps with their borders, or curves, as one HTML file. An exit code. */
int sweep_write_report(sweep *s, const sweep_result *results, const char *path, bool tell);

#endif
