/* series.h: columns over time with bounded memory: if there are too many rows, pairs are merged and keep their extremes. */
#ifndef TRUNDLE_APP_SERIES_H
#define TRUNDLE_APP_SERIES_H

#include <stddef.h>
#include <stdint.h>

typedef struct series {
    size_t columns, rows;
    double begin;              /* [s] time of the first sample */
    double *time;              /* [s] rows: of the last sample in each */
    double *low, *high, *last; /* [unit of the column] rows x columns */
    uint64_t merged;           /* samples per row */
    uint64_t pending;          /* samples in the row being filled, the one behind `rows` */
} series;

series *series_new(size_t columns);
void series_free(series *s);
void series_add(series *s, double time, const double *values);
/* Closes the row being filled, so that the last sample counts. */
void series_end(series *s);
/* Computes the smallest and the largest value of a column. */
void series_range(const series *s, size_t column, double *low, double *high);

#endif
