/* sample.c: one quantity measured several times: smallest value, median and scatter. */
#include "sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void sample_add(sample *s, double value) {
    if (s->count < SAMPLE_MOST) s->values[s->count++] = value;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the quantile `part`, interpolated between the two nearest values. */
static double quantile(const sample *s, double part) {
    double sorted[SAMPLE_MOST];
    if (s->count == 0) return NAN;
    memcpy(sorted, s->values, (size_t)s->count * sizeof *sorted);
    qsort(sorted, (size_t)s->count, sizeof *sorted, by_size);
    const double place = part * (s->count - 1);
    const int below = (int)place, above = below + 1 < s->count ? below + 1 : below;
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

double sample_least(const sample *s) { return quantile(s, 0.0); }

double sample_median(const sample *s) { return quantile(s, 0.5); }

double sample_spread(const sample *s) {
    if (s->count < 3) return NAN;
    return (quantile(s, 0.75) - quantile(s, 0.25)) / fabs(quantile(s, 0.5));
}
