/* plot.h: lines over time from a series, and their picture as SVG. */
#ifndef TRUNDLE_APP_PLOT_H
#define TRUNDLE_APP_PLOT_H

#include "text/series.h"

#include <stdio.h>

typedef struct plot_line {
    const char *name;
    size_t column; /* of the series */
    double base;   /* [unit of the panel] is subtracted */
} plot_line;

typedef struct plot_panel {
    const char *name, *unit; /* of the vertical axis */
    plot_line *lines;
    size_t count;
} plot_panel;

typedef struct plot_mark {
    double time; /* [s] */
    const char *label;
} plot_mark;

typedef struct plot {
    const char *title;
    const series *data;
    plot_panel *panels; /* one below the other */
    size_t panel_count;
    plot_mark *marks; /* vertical lines, for events */
    size_t mark_count;
} plot;

/* Add a panel, and a line to the last panel. Names are not copied. */
void plot_add_panel(plot *p, const char *name, const char *unit);
void plot_add_line(plot *p, const char *name, size_t column, double base);
void plot_add_mark(plot *p, double time, const char *label);
void plot_free(plot *p);

/* Writes the picture. Returns the exit code. */
int plot_svg(const plot *p, const char *path);

#endif
