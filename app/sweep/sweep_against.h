/* sweep_against.h: how far a sweep's cells are from a table of published or earlier values. */
#ifndef TRUNDLE_APP_SWEEP_AGAINST_H
#define TRUNDLE_APP_SWEEP_AGAINST_H

#include "sweep.h"

/* A table to compare with (--against). */
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

/* Reads a table with the headings of sweep.csv. Prints a sentence to stderr if the file is wrong. Returns an exit code. */
int sweep_table_read(const char *path, const sweep *s, sweep_table *out);
void sweep_table_free(sweep_table *t);
sweep_match sweep_compare(const sweep_table *t, const sweep *s, const sweep_result *results);

#endif
