/* study.h: many runs of one scene: sweeps over values, comparisons of methods and steps, published numbers.
 *
 * These functions belong to libtrundle-io. They compute and write tables; "trundle sweep", "compare" and "papers" print what they return.
 *
 *     tru_sweep_create(scene, &def, &sweep, &err);     reads what to vary, tries every path, value and probe once
 *     tru_sweep_open(sweep, "out", &err);              optional: a log in a folder, so that a killed sweep continues
 *     tru_sweep_run(sweep, NULL, &err);                runs the cells that are left
 *     tru_sweep_cells(sweep)[k].values[0]              the first probe of the k-th cell
 *
 * Threads and processes. With 0 processes a run computes in the calling thread and starts nothing. With n processes it forks n
 * children, which compute; the calling thread waits for them and receives their results. fork copies only the calling thread,
 * so a program with further threads takes 0. The children end before the call returns. If one is killed, its run fails and the
 * others continue. Every run uses one thread. Results have the same bits for any number of processes.
 * One thread at a time uses an object. Objects copy the scene, so two threads can have objects of one scene.
 *
 * The rules for every function in trundle.h and io.h apply: status, err, out, memory. */
#ifndef TRUNDLE_STUDY_H
#define TRUNDLE_STUDY_H

#include <trundle/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How runs are distributed, and who is told. NULL instead of it means: in the calling thread, without progress. */
typedef struct tru_study_how {
    size_t processes; /* child processes; 0: the calling thread computes */
    /* Called after each run and, while children compute, about ten times a second, with the number of runs or cells that are
     * done. Returning false stops: a run that has begun in the calling thread is finished, children are ended. May be NULL. */
    bool (*progress)(void *user, size_t done, size_t all);
    void *user; /* passed to progress */
} tru_study_how;

/* ---- sweeps (io/sweep): a grid of runs */

/* Limits of a sweep. */
enum {
    TRU_SWEEP_AXES = 6,   /* most varied paths */
    TRU_SWEEP_PROBES = 64 /* most probes of a cell */
};

/* A path of the scene and its values: either `range` or an array of texts. */
typedef struct tru_vary {
    const char *path;          /* keys joined by dots, as in tru_set */
    const char *range;         /* "0:30 deg:31", ends and number of values, or "midpoint,paper"; NULL: `values` */
    const char *const *values; /* texts as a scene has them, "20 deg" */
    size_t count;              /* number of values */
} tru_vary;

/* What a sweep varies and reads. */
typedef struct tru_sweep_def {
    const char *stepper;       /* stepper block; NULL: the first */
    double until;              /* [s] end of every run; < 0: the scene's */
    const tru_vary *vary;      /* the first varies fastest */
    size_t vary_count;         /* number of varied paths */
    int seeds;                 /* vary parameters.seed from 1 to this, slowest; 0: leave it */
    const char *const *probes; /* names of probes that are read at the end of every run */
    size_t probe_count;        /* number of probes; 0: those of the scene */
    tru_set bisect; /* path and "a:b:tolerance" of one more value, whose border every cell finds; path NULL: none */
    const char *on; /* what changes at the border: "PROBE", "PROBE>1 mm/s", "PROBE<2", "class=rolling" */
} tru_sweep_def;

/* Returns a definition that varies nothing. */
TRU_API tru_sweep_def tru_default_sweep_def(void);

/* How a run ended: the state of its first free body with all bodies that joints hold to it. */
typedef enum tru_class {
    TRU_CLASS_FAILED,  /* the run failed */
    TRU_CLASS_REST,    /* at rest, or nothing moves where it touches */
    TRU_CLASS_FLAT,    /* came to lie flat */
    TRU_CLASS_ROLLING, /* rolls without slip */
    TRU_CLASS_SLIDING, /* slides without rolling */
    TRU_CLASS_BOTH,    /* rolls and slides */
    TRU_CLASS_FLYING,  /* touches nothing */
    TRU_CLASS_HANGING, /* touches nothing, held by joints */
    TRU_CLASSES        /* number of classes */
} tru_class;
/* Returns the word of a class, "rolling-sliding"; "?" for a number that is not a class. The text is static. */
TRU_API const char *tru_class_name(int which);

/* One varied path of a sweep. */
typedef struct tru_sweep_axis {
    const char *path;         /* keys joined by dots */
    const char *unit;         /* as written; "" without, or if `words` */
    double from, to;          /* [unit] ends of a range */
    const char *const *words; /* values as texts; NULL: a range of equal distances */
    size_t count;             /* number of values */
} tru_sweep_axis;

/* What a sweep consists of. Its texts and arrays live as long as the sweep. */
typedef struct tru_sweep_info {
    size_t cells;               /* number of cells: the product of the counts */
    size_t axis_count;          /* number of axes, that of seeds included */
    const tru_sweep_axis *axes; /* the first varies fastest */
    int seeds;                  /* seeds of the last axis; 0: it is not an axis of seeds */
    bool numbers;               /* every value of every axis begins with a number */
    bool bisects;               /* every cell is a bisection */
    tru_sweep_axis bisect;      /* bisected path with its ends, if `bisects` */
    size_t probe_count;         /* number of probes */
    const char *const *probes;  /* names */
    const tru_unit *units;      /* units of the probes */
    size_t groups;              /* cells without regard to their seed: cells / seeds */
} tru_sweep_info;

/* Result of a cell; of a bisection, its last run. */
typedef struct tru_sweep_cell {
    int32_t done;    /* 0: not yet; the other members are then 0 */
    int32_t which;   /* tru_class */
    int32_t status;  /* tru_status of the run; of a cell from a log TRU_OK, or TRU_NO_SOLUTION if it failed */
    int32_t runs;    /* simulations */
    double steps;    /* [-] of all of them */
    double seconds;  /* [s] CPU time */
    double stepping; /* [s] CPU time of the steps alone */
    double time;     /* [s] simulated, at the end */
    double border;   /* [unit] of the bisected path; NaN: no change between its ends, or no bisection */
    double values[TRU_SWEEP_PROBES]; /* [unit of the probe] NaN: without a value */
    char text[200];                  /* why it failed */
} tru_sweep_cell;

/* A grid of runs. */
typedef struct tru_sweep tru_sweep;

/* Checks everything of a definition that needs no scene.
 * Returns TRU_BAD_ARGUMENT or TRU_OUT_OF_RANGE with a sentence that begins with the member that is wrong. */
TRU_API tru_status tru_sweep_check(const tru_sweep_def *def, tru_error *err);
/* Copies the scene and the definition, and tries every path, word and probe once. The caller frees *out with tru_sweep_free.
 * Returns what tru_sweep_check, tru_scene_change, tru_sim_create or tru_sim_probe refuse. */
TRU_API tru_status tru_sweep_create(const tru_scene *scene, const tru_sweep_def *def, tru_sweep **out, tru_error *err);
/* Closes the log of a sweep and frees it. */
TRU_API void tru_sweep_free(tru_sweep *sweep);
/* Returns what a sweep consists of; valid as long as the sweep. */
TRU_API const tru_sweep_info *tru_sweep_describe(const tru_sweep *sweep);
/* Returns the results, one per cell; valid as long as the sweep. */
TRU_API const tru_sweep_cell *tru_sweep_cells(const tru_sweep *sweep);
/* Returns the number of cells that are done. */
TRU_API size_t tru_sweep_done(const tru_sweep *sweep);
/* Returns which value of an axis a cell has. */
TRU_API size_t tru_sweep_index(const tru_sweep_info *info, size_t cell, size_t axis);
/* Returns the k-th value [unit] of an axis: of words the number that they begin with, else 0. */
TRU_API double tru_sweep_value(const tru_sweep_axis *axis, size_t k);
/* Writes the k-th value of an axis as a scene has it, "20 deg", into `room` bytes. */
TRU_API void tru_sweep_value_text(const tru_sweep_axis *axis, size_t k, char *out, size_t room);

/* Opens DIR/sweep.log, or creates it and the folder, and reads the cells that it has. Every further cell is added to it.
 * The log is locked until tru_sweep_free or the end of the process. Call it once, before the first run.
 * Returns TRU_CONFLICT if another sweep is writing there, TRU_REFUSED if the folder has another sweep or tables without
 * their log, or TRU_FILE. */
TRU_API tru_status tru_sweep_open(tru_sweep *sweep, const char *dir, tru_error *err);
/* Runs the cells that are not done. Cells of equal bodies share lanes (tru_run_lanes), at most 16, with the same bits.
 * A failed cell is a result, not a failure of the call. A sweep that was stopped continues with the next call.
 * Returns TRU_REMARK if `progress` stopped it, TRU_FILE if the log cannot be written, TRU_NO_MEMORY without processes. */
TRU_API tru_status tru_sweep_run(tru_sweep *sweep, const tru_study_how *how, tru_error *err);
/* Writes the cells as a table: "*.csv", or "*.h5" by tru_table_write. Cells that are not done are left out.
 * Returns TRU_UNKNOWN_NAME for another ending, TRU_FILE, or the status of tru_table_write. */
TRU_API tru_status tru_sweep_write(const tru_sweep *sweep, const char *path, tru_error *err);

/* Mean of a probe over cells that differ only in their seed. */
typedef struct tru_sweep_mean {
    int n;            /* seeds in the mean */
    int failed;       /* seeds that are not in it because their run failed */
    int valueless;    /* seeds that are not in it because the probe has no value (NaN) */
    double mean;      /* [unit of the probe] NaN: no seed has a value */
    double deviation; /* [unit of the probe] standard deviation of one run, not of the mean; NaN for one run */
} tru_sweep_mean;
/* Computes the mean of a probe over the seeds of a group; group g holds the cells g, g + groups, g + 2 groups and so on.
 * Returns TRU_BAD_ARGUMENT without seeds, TRU_OUT_OF_RANGE for a group or probe that does not exist. */
TRU_API tru_status tru_sweep_mean_of(const tru_sweep *sweep, size_t group, size_t probe, tru_sweep_mean *out,
                                     tru_error *err);
/* Writes the means of all groups as a table, like tru_sweep_write. */
TRU_API tru_status tru_sweep_write_means(const tru_sweep *sweep, const char *path, tru_error *err);

/* Evaluates the scene's parameter border_<b> with the first axis at its k-th value, as [unit of the second axis] in *y.
 * *y is NaN if it has no value there. Returns false without a second axis or such a parameter. */
TRU_API bool tru_sweep_border(tru_sweep *sweep, int b, size_t k, double *y);

/* How far the cells are from a table. */
typedef struct tru_sweep_match {
    const char *column; /* the probe or bisected path that is compared; valid as long as the sweep */
    size_t cells;       /* cells that the table has, with values other than 0 */
    size_t worst;       /* the cell with the largest difference */
    double rms;         /* [-] root of the mean square of ours / theirs - 1 */
    double most;        /* [-] the largest of these differences, with its sign */
} tru_sweep_match;
/* Reads a CSV file with the headings of sweep.csv, to compare with; it replaces an earlier one.
 * Returns TRU_FILE if it cannot be read, TRU_BAD_ARGUMENT if it lacks a column or has entries that are not numbers. */
TRU_API tru_status tru_sweep_against(tru_sweep *sweep, const char *path, tru_error *err);
/* Compares the finished cells with the table. Returns TRU_BAD_ARGUMENT without one. */
TRU_API tru_status tru_sweep_match_of(const tru_sweep *sweep, tru_sweep_match *out, tru_error *err);

/* ---- comparisons (io/compare): one scene by several methods, each at its step, half and a quarter of it */

/* Limits of a comparison. */
enum {
    TRU_COMPARE_SAMPLES = 16,    /* times at which values are compared */
    TRU_COMPARE_LEVELS = 3,      /* steps of every method: h, h/2, h/4 */
    TRU_COMPARE_MOST_LEVELS = 7, /* steps of a method that does not show its order before */
    TRU_COMPARE_PROBES = 48,     /* most probes; further ones of the scene are left out */
    TRU_COMPARE_METHODS = 16     /* most methods; further ones are left out */
};

/* What is compared besides the stepper blocks of the scene. */
typedef struct tru_compare_def {
    double until;            /* [s] end of every run; <= 0: the scene's */
    const tru_set *variants; /* each change is a method: of the block that its path names, otherwise of the first */
    size_t variant_count;    /* number of variants */
} tru_compare_def;
/* Returns a definition without variants. */
TRU_API tru_compare_def tru_default_compare_def(void);

/* A way to run the scene. */
typedef struct tru_method {
    const char *label;   /* name of the block, or "path=value" of a variant */
    const char *stepper; /* stepper block */
    tru_set change;      /* change of a variant; path NULL: none */
    double step;         /* [s] as the scene has it */
    int levels;          /* steps that were run: h, h/2, ... */
    bool cut;            /* further ones would have been too much work */
} tru_method;

/* What a comparison consists of. Its texts and arrays live as long as the comparison. */
typedef struct tru_compare_info {
    size_t method_count;               /* number of methods */
    const tru_method *methods;         /* the blocks of the scene, then the variants */
    size_t probe_count;                /* number of probes: those of the scene */
    const char *const *probes;         /* names */
    const tru_unit *units;             /* units of the probes */
    double until;                      /* [s] end of every run */
    double times[TRU_COMPARE_SAMPLES]; /* [s] of the values */
    double seconds;                    /* [s] wall time of all runs, added */
} tru_compare_info;

/* What the differences between steps say about a method. */
typedef enum tru_convergence {
    TRU_CONVERGENCE_EXACT,     /* differences are round-off */
    TRU_CONVERGENCE_CONVERGES, /* at the expected order, or better */
    TRU_CONVERGENCE_SWITCHES,  /* at first order, because contacts switch between slip and stick within steps */
    TRU_CONVERGENCE_SLOW,      /* converges below the expected order */
    TRU_CONVERGENCE_DIVERGES,  /* does not converge */
    TRU_CONVERGENCE_COARSE,    /* the scene's step is too coarse to tell */
    TRU_CONVERGENCES           /* number of verdicts */
} tru_convergence;
/* Returns the words of a verdict; "?" for a number that is not a verdict. The text is static. */
TRU_API const char *tru_convergence_name(tru_convergence verdict);

/* How a method converges in a probe. Differences are the largest over all times. */
typedef struct tru_order {
    double coarse;           /* [unit of the probe] difference between h and h/2 */
    double fine;             /* [unit of the probe] difference between h/2 and h/4 */
    double observed;         /* [-] log2(coarse / fine); NaN if the differences are round-off */
    int expected;            /* order that the stepper promises, 1 with impacts */
    double error;            /* [unit of the probe] estimate for the run with h/4 */
    tru_convergence verdict; /* what this says */
    double told; /* [s] largest step that shows the order, if the verdict is "too coarse"; NaN: none was found */
    bool good;   /* the order is shown, or the differences are round-off */
} tru_order;

/* Whether two methods agree in a probe. */
typedef struct tru_agreement {
    double difference; /* [unit of the probe] largest difference of their runs with h/4 */
    double errors;     /* [unit of the probe] sum of their estimated errors */
    bool agree;        /* the difference is at most 3 times the errors */
} tru_agreement;

/* One scene by several methods. */
typedef struct tru_compare tru_compare;

/* Copies the scene and finds methods, steps and probes. The caller frees *out with tru_compare_free.
 * Returns TRU_REFUSED if the scene records no probes, TRU_UNKNOWN_NAME if a stepper has no step, or what tru_sim_create refuses. */
TRU_API tru_status tru_compare_create(const tru_scene *scene, const tru_compare_def *def, tru_compare **out,
                                      tru_error *err);
/* Frees a comparison. */
TRU_API void tru_compare_free(tru_compare *compare);
/* Returns what a comparison consists of; valid as long as the comparison. */
TRU_API const tru_compare_info *tru_compare_describe(const tru_compare *compare);
/* Runs every method at three steps, and those that do not show their order at up to four finer ones.
 * A repeated call begins again. Returns TRU_REMARK if `progress` stopped it; nothing can then be asked.
 * Returns the failure of a run with the label of its method before the sentence, or TRU_NO_MEMORY. */
TRU_API tru_status tru_compare_run(tru_compare *compare, const tru_study_how *how, tru_error *err);
/* Judges how a method converges in a probe.
 * Returns TRU_BAD_ARGUMENT before a run, TRU_OUT_OF_RANGE for a method or probe that does not exist. */
TRU_API tru_status tru_compare_order(const tru_compare *compare, size_t method, size_t probe, tru_order *out,
                                     tru_error *err);
/* Judges whether methods a and b agree in a probe. Fails like tru_compare_order. */
TRU_API tru_status tru_compare_agreement(const tru_compare *compare, size_t a, size_t b, size_t probe,
                                         tru_agreement *out, tru_error *err);
/* Copies the values [unit of the probe] of a run with step h / 2^level, one per time. Fails like tru_compare_order. */
TRU_API tru_status tru_compare_values(const tru_compare *compare, size_t method, int level, size_t probe,
                                      double out[TRU_COMPARE_SAMPLES], tru_error *err);

/* ---- published numbers (io/papers): rows of a file, and the runs that recompute them */

/* The run of a row that is skipped. */
#define TRU_PAPERS_NO_RUN ((size_t)-1)

/* What papers are recomputed with. */
typedef struct tru_papers_def {
    /* Writes the path of a scene that a row names into `room` bytes; returns false if there is none. NULL: the name is the path. */
    bool (*find_scene)(void *user, const char *name, char *path, size_t room);
    void *user;  /* passed to find_scene */
    bool curves; /* keep curves of the probes that rows measure */
} tru_papers_def;

/* What became of a row. */
typedef enum tru_paper_verdict {
    TRU_PAPER_SKIPPED, /* it needs a plug-in that this build lacks, or has not run yet */
    TRU_PAPER_HOLDS,   /* found is within the tolerance of the target */
    TRU_PAPER_FAILS    /* it is not, or the run failed */
} tru_paper_verdict;

/* One published number. Texts live as long as the papers; a text that the file does not have is NULL. */
typedef struct tru_paper_row {
    const char *paper, *id;    /* name of the paper, name of the row */
    const char *what;          /* one sentence */
    const char *scene;         /* NULL: a survey of limit directions */
    const char *stepper;       /* stepper block */
    const char *unit;          /* as written, "-" for pure numbers */
    const char *erratum;       /* what is wrong in the paper */
    const char *source;        /* place in the paper */
    const char *needs;         /* name of a plug-in */
    const tru_set *sets;       /* changes of the scene */
    size_t set_count;          /* number of changes */
    double until;              /* [s] end of the run; NaN: the scene's */
    double published;          /* [unit] NaN: none was printed */
    double target;             /* [unit] what must be found */
    double tolerance;          /* [unit] largest difference that holds */
    double found;              /* [unit] NaN: skipped, failed, or not run yet */
    double scale;              /* [unit] in SI units */
    tru_paper_verdict verdict; /* what became of it */
    size_t run;                /* its run; TRU_PAPERS_NO_RUN: skipped */
    bool many;                 /* its run consists of several simulations: a bisection or a survey */
    const char *probe;         /* probe in whose curve the number can be drawn; NULL: none */
    const char *extreme;       /* "largest", "least", "range", "mean" between from and to; NULL: the value at from */
    double from, to;           /* [s] NaN in from: the end of the run */
} tru_paper_row;

/* A run that serves one or more rows. */
typedef struct tru_paper_run {
    size_t first;        /* its first row */
    size_t rows;         /* number of its rows */
    bool done;           /* it has run */
    tru_status status;   /* failure of the run, or TRU_OK */
    const char *text;    /* why it failed; valid until the next run */
    double seconds;      /* [s] wall time */
    uint64_t scene_hash; /* of its scene, 0 for a survey */
} tru_paper_run;

/* A curve of a run. Arrays live until the next run. */
typedef struct tru_paper_curve {
    size_t count;        /* number of points */
    const double *time;  /* [s] */
    const double *value; /* [unit of the probe] */
    tru_unit unit;       /* unit of the probe */
} tru_paper_curve;

/* Papers that were read. */
typedef struct tru_papers tru_papers;

/* Creates a list without papers. `def` may be NULL. The caller frees *out with tru_papers_free. */
TRU_API tru_status tru_papers_create(const tru_papers_def *def, tru_papers **out, tru_error *err);
/* Frees papers with their results. */
TRU_API void tru_papers_free(tru_papers *papers);
/* Adds the rows of a file (papers/README.md has its form). `name` names the paper if the file does not.
 * A file with `lengthy: yes` has rows only if `asked` is true. After a failure the papers can only be freed.
 * Returns TRU_FILE if the file cannot be read, or the failure of the first mistake in it, with file:line:column. */
TRU_API tru_status tru_papers_read(tru_papers *papers, const char *path, const char *name, bool asked, tru_error *err);
/* Runs the scenes of all rows. Rows with equal scene, stepper, changes and end share a run.
 * A run that fails is a result. Returns TRU_REMARK if `progress` stopped it, TRU_OUT_OF_RANGE if more than 200 rows share a
 * run, TRU_NO_MEMORY. */
TRU_API tru_status tru_papers_run(tru_papers *papers, const tru_study_how *how, tru_error *err);
/* Reads the k-th row. Returns false past the end. */
TRU_API bool tru_papers_row(const tru_papers *papers, size_t k, tru_paper_row *out);
/* Reads the k-th run. Returns false past the end, and before tru_papers_run. */
TRU_API bool tru_papers_run_at(const tru_papers *papers, size_t k, tru_paper_run *out);
/* Finds the curve of a probe in a run. Returns false if none was kept. */
TRU_API bool tru_papers_curve(const tru_papers *papers, size_t run, const char *probe, tru_paper_curve *out);

#ifdef __cplusplus
}
#endif
#endif
