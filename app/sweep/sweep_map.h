/* sweep_map.h: pictures of a sweep: a map over two axes, lines over one, with the scene's analytic borders. */
#ifndef TRUNDLE_APP_SWEEP_MAP_H
#define TRUNDLE_APP_SWEEP_MAP_H

#include "sweep.h"

/* Draws a map over two axes, or lines over one. *drawn is false if there is no picture for this number of axes. */
int sweep_write_svg(sweep *s, const sweep_result *results, const char *path, bool *drawn);
/* Returns true if every value of every axis is a number. */
bool sweep_is_numbers(const sweep *s);
/* Evaluates a border. Parameters border_1, border_2, ... of the scene are formulas for the second axis as a function of the
 * first. *y is the b-th at value i of the first axis [unit of the second axis], NaN if it has none. Returns false if there
 * is no such parameter. */
bool sweep_border(sweep *s, int b, size_t i, double *y);

#endif
