/* fit.c: a straight line through the averages of a window's parts, with its standard error. */
#include "fit.h"

#include <math.h>

enum { PARTS = 16 };

/* Averages of the parts; returns how many have points. */
static size_t average(const double *x, const double *y, size_t count, double px[PARTS], double py[PARTS]) {
    double sx[PARTS] = {0}, sy[PARTS] = {0}, n[PARTS] = {0}, low = INFINITY, high = -INFINITY;
    size_t parts = 0;
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    for (size_t i = 0; i < count && high > low; i++) {
        const int k = (int)fmin(PARTS - 1, PARTS * (x[i] - low) / (high - low));
        sx[k] += x[i] - low;
        sy[k] += y[i];
        n[k] += 1.0;
    }
    for (int k = 0; k < PARTS; k++) {
        if (n[k] == 0.0) continue;
        px[parts] = sx[k] / n[k];
        py[parts++] = sy[k] / n[k];
    }
    return parts;
}

fit trio_fit_line(const double *x, const double *y, size_t count) {
    double px[PARTS], py[PARTS], mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0, rest = 0.0;
    const size_t n = average(x, y, count, px, py);
    if (n < 3) return (fit){NAN, NAN, n};
    for (size_t k = 0; k < n; k++) {
        mx += px[k] / (double)n;
        my += py[k] / (double)n;
    }
    for (size_t k = 0; k < n; k++) {
        xx += (px[k] - mx) * (px[k] - mx);
        xy += (px[k] - mx) * (py[k] - my);
    }
    const double slope = xy / xx;
    for (size_t k = 0; k < n; k++) {
        const double e = py[k] - my - slope * (px[k] - mx);
        rest += e * e;
    }
    return (fit){slope, sqrt(rest / ((double)(n - 2) * xx)), n};
}
