/* axis.c: round tick values for an axis and how to write them. */
#include "axis.h"

#include <math.h>
#include <stdio.h>

/* Returns the smallest of 1, 2, 5, 10 times a power of ten that is at least `size`. */
static double round_step(double size, int *ten) {
    static const double nice[] = {1.0, 2.0, 5.0, 10.0};
    *ten = (int)floor(log10(size));
    double unit = pow(10.0, *ten);
    int k = 0;
    while (k < 3 && nice[k] * unit < size * (1.0 - 1e-9)) k++;
    if (k == 3) ++*ten;
    return k == 3 ? pow(10.0, *ten) : nice[k] * unit;
}

axis axis_make(double low, double high, int wanted) {
    axis a = {0};
    int ten;
    if (!(low <= high) || !isfinite(low) || !isfinite(high)) low = 0.0, high = 1.0;
    double size = fmax(fabs(low), fabs(high));
    if (high - low <= 1e-12 * size) { /* a constant: room around it */
        low -= size > 0.0 ? 0.1 * size : 1.0;
        high += size > 0.0 ? 0.1 * size : 1.0;
    }
    a.step = round_step((high - low) / wanted, &ten);
    a.low = a.step * floor(low / a.step + 1e-9);
    a.high = a.step * ceil(high / a.step - 1e-9);
    a.ticks = (int)lround((a.high - a.low) / a.step) + 1;
    size = fmax(fabs(a.low), fabs(a.high));
    int digits = (int)floor(log10(size));
    a.ten = digits >= 4 || digits <= -3 ? 3 * (int)floor(digits / 3.0) : 0;
    a.decimals = ten - a.ten < 0 ? a.ten - ten : 0;
    return a;
}

double axis_tick(const axis *a, int k) { return a->low + k * a->step; }

void axis_label(const axis *a, double value, char *out, size_t room) {
    double shown = value / pow(10.0, a->ten);
    if (fabs(value) < 1e-9 * a->step) shown = 0.0; /* not "-0.0" */
    snprintf(out, room, "%.*f", a->decimals, shown);
}
