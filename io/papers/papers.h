/* papers.h: published numbers as data, and the runs that recompute them. */
#ifndef TRUNDLE_IO_PAPERS_H
#define TRUNDLE_IO_PAPERS_H

#include "measure.h"

#include <trundle/study.h>

#define NO_RUN TRU_PAPERS_NO_RUN

/* One number of a paper. Texts belong to the file's tree. */
typedef struct paper_row {
    const char *paper, *id, *what, *scene, *stepper, *unit, *erratum, *source, *needs;
    bool skipped; /* it needs a plug-in that this build does not have */
    const tru_tree *node;
    tru_set *sets;
    size_t set_count;
    double until;              /* [s] NaN: the scene's */
    double published;          /* [unit] NaN: none */
    double target;             /* [unit] what we must get; default: published */
    double absolute, relative; /* [unit], [-] tolerance */
    double scale;              /* [SI per unit] */
    tru_unit_info powers;      /* of the unit */
    measure measure;
    const char
        *bisect;      /* path of a number of the scene; ours is where the measure changes. NULL: ours is the measure */
    double low, high; /* [unit] between which */
    int seeds;        /* ours is the mean over the scene's parameter seed = 1 .. seeds; 0: as the scene has it */
    size_t survey_states; /* random bodies of a survey of limit directions, instead of a scene; 0: none */
    uint64_t survey_seed; /* */
    int survey_take;      /* which of its values */
    size_t run;           /* which run gives it */
} paper_row;

/* A run that serves one or more rows. */
typedef struct paper_run {
    size_t first; /* its first row */
    size_t rows;
} paper_run;

typedef struct papers {
    tru_tree **trees;
    size_t tree_count, tree_room;
    paper_row *rows;
    size_t row_count, row_room;
    paper_run *runs;
    size_t run_count;
} papers;

/* Adds the rows of a file; `name` is that of the paper. A file with `lengthy: yes` has rows only if the user named it
 * (`asked`). */
tru_status trio_papers_read(papers *all, const char *path, const char *name, bool asked, tru_error *err);
/* Finds the runs. Rows with the same scene, stepper, changes and end share a run. */
tru_status trio_papers_group(papers *all, tru_error *err);
void trio_papers_free(papers *all);

#endif
