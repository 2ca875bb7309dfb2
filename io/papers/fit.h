/* fit.h: a straight line through the averages of a window's parts, with its standard error. */
#ifndef TRUNDLE_IO_FIT_H
#define TRUNDLE_IO_FIT_H

#include <stddef.h>

typedef struct fit {
    double slope; /* [unit of y per unit of x] */
    double error; /* [unit of y per unit of x] standard error of the slope, from the scatter of the parts */
    size_t parts; /* with points in them; fewer than 3: no fit, slope and error NaN */
} fit;

/* Points (x, y), x rising or falling, are cut into 16 parts of equal width in x; each is averaged first, so that an
 * oscillation faster than a part does not count, and crowded parts count no more than others. */
fit trio_fit_line(const double *x, const double *y, size_t count);

#endif
