/* sweep_map.h: pictures of a sweep: a map over two axes, lines over one, with the scene's analytic borders. */
#ifndef TRUNDLE_APP_SWEEP_MAP_H
#define TRUNDLE_APP_SWEEP_MAP_H

#include <trundle/study.h>

/* Draws a map over two axes, or lines over one. *drawn is false if there is no picture for this number of axes. */
int sweep_write_svg(tru_sweep *sweep, const char *title, const char *path, bool *drawn);

#endif
