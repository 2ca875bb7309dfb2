/* sample.h: one quantity measured several times: smallest value, median and scatter. */
#ifndef TRUNDLE_APP_SAMPLE_H
#define TRUNDLE_APP_SAMPLE_H

enum { SAMPLE_MOST = 256 };

typedef struct sample {
    double values[SAMPLE_MOST];
    int count;
} sample;

/* Adds a value. Values beyond SAMPLE_MOST are dropped. */
void sample_add(sample *s, double value);
/* Return NaN if there is no value. */
double sample_least(const sample *s);
double sample_median(const sample *s);
/* Returns the upper minus the lower quartile, relative to the median. NaN for fewer than three values. */
double sample_spread(const sample *s);

#endif
