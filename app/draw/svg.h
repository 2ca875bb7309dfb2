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

/* Start a page; `title` is shown at its top. NULL after a sentence about the path on stderr. */
FILE *svg_open(const char *path, double width, double height, const char *title);
/* Finish it; the exit code. */
int svg_close(FILE *svg, const char *path);

double svg_x(const svg_frame *f, double value);
double svg_y(const svg_frame *f, double value);
/* Grid, ticks and labels "name [unit]"; x_name NULL: no labels below. */
void svg_axes(FILE *svg, const svg_frame *f, const char *x_name, const char *x_unit, const char *y_name,
              const char *y_unit);
/* "name [unit]", or "name [10^ten unit]" when labels are scaled, centred there; upright reads from below. */
void svg_axis_name(FILE *svg, double x, double y, bool upright, const char *name, const char *unit, int ten);
/* Text with its markup escaped; anchor "start", "middle", "end". `extra` are more attributes, or "". */
void svg_text(FILE *svg, double x, double y, const char *anchor, const char *extra, const char *text);
/* The k-th colour, told apart by colour-blind eyes too. */
const char *svg_colour(size_t k);

/* A line through many points; points that would not show are left out. */
typedef struct svg_line {
    FILE *svg;
    long x, y; /* [0.1 pixel] */
    int count;
} svg_line;
svg_line svg_line_begin(FILE *svg, const char *colour, double width);
void svg_line_to(svg_line *line, double x, double y); /* not finite: a gap */
void svg_line_end(svg_line *line);

#endif
