/* series.c: columns over time with bounded memory: if there are too many rows, pairs are merged and keep their extremes. */
#include "series.h"

#include "memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 800 };

series *series_new(size_t columns) {
    series *s = need(1, sizeof *s);
    s->columns = columns;
    s->merged = 1;
    s->time = need(MOST_ROWS, sizeof(double));
    s->low = need(MOST_ROWS * columns, sizeof(double));
    s->high = need(MOST_ROWS * columns, sizeof(double));
    s->last = need(MOST_ROWS * columns, sizeof(double));
    return s;
}

void series_free(series *s) {
    if (!s) return;
    free(s->time);
    free(s->low);
    free(s->high);
    free(s->last);
    free(s);
}

static void halve(series *s) {
    const size_t n = s->columns;
    for (size_t r = 0; r < MOST_ROWS / 2; r++) {
        const size_t a = 2 * r * n, b = a + n, to = r * n;
        s->time[r] = s->time[2 * r + 1];
        for (size_t c = 0; c < n; c++) {
            s->low[to + c] = fmin(s->low[a + c], s->low[b + c]);
            s->high[to + c] = fmax(s->high[a + c], s->high[b + c]);
            s->last[to + c] = s->last[b + c];
        }
    }
    s->rows = MOST_ROWS / 2;
    s->merged *= 2;
}

void series_add(series *s, double time, const double *values) {
    if (s->rows == 0 && s->pending == 0) s->begin = time;
    double *low = s->low + s->rows * s->columns, *high = s->high + s->rows * s->columns;
    for (size_t c = 0; c < s->columns; c++) {
        low[c] = s->pending ? fmin(low[c], values[c]) : values[c];
        high[c] = s->pending ? fmax(high[c], values[c]) : values[c];
    }
    memcpy(s->last + s->rows * s->columns, values, s->columns * sizeof *values);
    s->time[s->rows] = time;
    if (++s->pending >= s->merged) series_end(s);
}

void series_end(series *s) {
    if (s->pending == 0) return;
    s->pending = 0;
    if (++s->rows == MOST_ROWS) halve(s);
}

void series_range(const series *s, size_t column, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t r = 0; r < s->rows; r++) {
        *low = fmin(*low, s->low[r * s->columns + column]);
        *high = fmax(*high, s->high[r * s->columns + column]);
    }
}
