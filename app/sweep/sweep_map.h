/* sweep_map.h: pictures of a sweep: a map over two axes, lines over one, with the scene's analytic borders. */
#ifndef TRUNDLE_APP_SWEEP_MAP_H
#define TRUNDLE_APP_SWEEP_MAP_H

#include "sweep.h"

/* A map over two axes, lines over one; *drawn false when there is no picture for that number of axes. */
int sweep_write_svg(sweep *s, const sweep_result *results, const char *path, bool *drawn);
/* Whether every value of every axis is a number. */
bool sweep_is_numbers(const sweep *s);
/* Parameters of the scene named border_1, border_2, ... are formulas for the second axis in terms of the first: the b-th
 * at the first axis' value i [unit of the second axis], NaN where it has none. False: there is no such parameter. */
bool sweep_border(sweep *s, int b, size_t i, double *y);

#endif
