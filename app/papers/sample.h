/* sample.h: one quantity measured several times: the least value, the median, and how far values scatter. */
#ifndef TRUNDLE_APP_SAMPLE_H
#define TRUNDLE_APP_SAMPLE_H

enum { SAMPLE_MOST = 256 };

typedef struct sample {
    double values[SAMPLE_MOST];
    int count;
} sample;

/* One more; beyond SAMPLE_MOST they are dropped. */
void sample_add(sample *s, double value);
/* NaN where there is none. */
double sample_least(const sample *s);
double sample_median(const sample *s);
/* Upper minus lower quartile, in parts of the median; NaN with fewer than three values. */
double sample_spread(const sample *s);

#endif
