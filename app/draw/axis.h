/* axis.h: round tick values for an axis and how to write them. */
#ifndef TRUNDLE_APP_AXIS_H
#define TRUNDLE_APP_AXIS_H

#include <stddef.h>

typedef struct axis {
    double low, high; /* [unit of the axis] multiples of step around the data */
    double step;      /* [unit of the axis] between ticks: 1, 2 or 5 times a power of ten */
    int ticks;        /* low, low + step, ... high */
    int ten;          /* labels are in 10^ten of the unit; a multiple of 3 */
    int decimals;     /* of a label */
} axis;

/* Returns an axis for values from low to high with about `wanted` steps. */
axis axis_make(double low, double high, int wanted);
double axis_tick(const axis *a, int k);
/* Writes the label of a value without the power of ten. */
void axis_label(const axis *a, double value, char *out, size_t room);

#endif
