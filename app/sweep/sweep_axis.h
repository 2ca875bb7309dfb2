/* sweep_axis.h: the values of a sweep, read from "path=a:b:n", "path=x,y,z" and "path=a:b:tol". */
#ifndef TRUNDLE_APP_SWEEP_AXIS_H
#define TRUNDLE_APP_SWEEP_AXIS_H

#include "sweep.h"

const char *sweep_class_name(int class);
/* Reads "path=a:b:n" or "path=x,y,z". Prints a sentence to stderr and returns false if it is wrong. */
bool sweep_read_axis(const char *text, sweep_axis *out);
/* Reads "path=a:b:tol" and "PROBE", "PROBE>1 mm/s", "PROBE<2" or "class=rolling". */
bool sweep_read_bisect(const char *text, const char *on, sweep_bisect *out);
void sweep_axis_free(sweep_axis *axis);
/* Return the k-th value of an axis as text for a scene, and as a number [unit]. */
void sweep_value_text(const sweep_axis *axis, size_t k, char *out, size_t room);
double sweep_value(const sweep_axis *axis, size_t k);
/* Returns which value of an axis a cell has. The first axis varies fastest. */
size_t sweep_index(const sweep *s, size_t cell, size_t axis);

#endif
