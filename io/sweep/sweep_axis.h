/* sweep_axis.h: the values of a sweep, read from "a:b:n", "x,y,z", a list of texts and "a:b:tolerance". */
#ifndef TRUNDLE_IO_SWEEP_AXIS_H
#define TRUNDLE_IO_SWEEP_AXIS_H

#include "sweep_state.h"

/* Read a varied path, and a bisection with its condition, into texts of the sweep. */
tru_status trio_sweep_read_axis(tru_sweep *s, const tru_vary *vary, tru_sweep_axis *out, tru_error *err);
tru_status trio_sweep_read_bisect(tru_sweep *s, const tru_set *bisect, const char *on, tru_error *err);
/* Returns a copy of a text without the spaces around it. Without memory it sets s->no_memory and returns "". */
const char *trio_sweep_copy(tru_sweep *s, const char *from, size_t length);
/* Returns true if every value of every axis begins with a number. */
bool trio_sweep_is_numbers(const tru_sweep_info *info);

#endif
