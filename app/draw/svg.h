/* svg.h: the parts every picture has: page, framed axes with ticks and units, text, colours. */
#ifndef TRUNDLE_APP_SVG_H
#define TRUNDLE_APP_SVG_H

#include "axis.h"

#include <stdbool.h>
#include <stdio.h>

/* A rectangle of the page with its two axes. Lengths are pixels. */
typedef struct svg_frame {
    double left, top, width, height;
    axis x, y;
} svg_frame;

/* Begins a page with a title. If it fails, prints a sentence to stderr and returns NULL. */
FILE *svg_open(const char *path, double width, double height, const char *title);
/* Finishes a page. Returns the exit code. */
int svg_close(FILE *svg, const char *path);

double svg_x(const svg_frame *f, double value);
double svg_y(const svg_frame *f, double value);
/* Draws grid, ticks and labels "name [unit]". If x_name is NULL, there are no labels below. */
void svg_axes(FILE *svg, const svg_frame *f, const char *x_name, const char *x_unit, const char *y_name,
              const char *y_unit);
/* Draws "name [unit]", or "name [10^ten unit]" if labels are scaled, centred at a point. `upright` text reads upwards. */
void svg_axis_name(FILE *svg, double x, double y, bool upright, const char *name, const char *unit, int ten);
/* Draws text and escapes its markup. The anchor is "start", "middle" or "end"; `extra` has more attributes, or "". */
void svg_text(FILE *svg, double x, double y, const char *anchor, const char *extra, const char *text);
/* Returns the k-th colour of a palette that colour-blind readers can distinguish. */
const char *svg_colour(size_t k);

/* A line through many points. It omits points that would not be visible. */
typedef struct svg_line {
    FILE *svg;
    long x, y; /* [0.1 pixel] */
    int count;
} svg_line;
svg_line svg_line_begin(FILE *svg, const char *colour, double width);
void svg_line_to(svg_line *line, double x, double y); /* not finite: a gap */
void svg_line_end(svg_line *line);

#endif
