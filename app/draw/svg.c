/* svg.c: the parts every picture has: page, framed axes with ticks and units, text, colours. */
#include "svg.h"

#include "cli/app.h"

#include <errno.h>
#include <math.h>
#include <string.h>

FILE *svg_open(const char *path, double width, double height, const char *title) {
    FILE *svg = fopen(path, "w");
    if (!svg) {
        say(stderr, "trundle: cannot write %s: %s\n", path, strerror(errno));
        return NULL;
    }
    fprintf(svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
            "font-family=\"system-ui, 'DejaVu Sans', sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            width, height, width, height);
    svg_text(svg, 16, 24, "start", "font-size=\"15\" font-weight=\"600\"", title);
    return svg;
}

int svg_close(FILE *svg, const char *path) {
    fputs("</svg>\n", svg);
    bool good = !ferror(svg);
    good = fclose(svg) == 0 && good;
    if (!good) say(stderr, "trundle: cannot write %s: %s\n", path, strerror(errno));
    return good ? EXIT_GOOD : EXIT_SYSTEM;
}

static void escape(FILE *svg, const char *text) {
    for (; *text; text++) switch (*text) {
        case '<':
            fputs("&lt;", svg);
            break;
        case '>':
            fputs("&gt;", svg);
            break;
        case '&':
            fputs("&amp;", svg);
            break;
        default:
            if ((unsigned char)*text >= 0x20) fputc(*text, svg);
        }
}

void svg_text(FILE *svg, double x, double y, const char *anchor, const char *extra, const char *text) {
    fprintf(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>", x, y, anchor, extra);
    escape(svg, text);
    fputs("</text>\n", svg);
}

double svg_x(const svg_frame *f, double value) {
    return f->left + f->width * (value - f->x.low) / (f->x.high - f->x.low);
}

double svg_y(const svg_frame *f, double value) {
    return f->top + f->height * (f->y.high - value) / (f->y.high - f->y.low);
}

void svg_axis_name(FILE *svg, double x, double y, bool upright, const char *name, const char *unit, int ten) {
    const bool plain = !unit || !*unit || strcmp(unit, "-") == 0;
    fprintf(svg, "<text transform=\"translate(%.1f %.1f)%s\" text-anchor=\"middle\">", x, y,
            upright ? " rotate(-90)" : "");
    escape(svg, name);
    if (!plain || ten != 0) fputs(" [", svg);
    if (ten != 0) fprintf(svg, "10<tspan dy=\"-4\" font-size=\"9\">%d</tspan><tspan dy=\"4\">&#8203;</tspan>", ten);
    if (ten != 0 && !plain) fputc(' ', svg);
    if (!plain) escape(svg, unit);
    if (!plain || ten != 0) fputc(']', svg);
    fputs("</text>\n", svg);
}

static void ticks_x(FILE *svg, const svg_frame *f, bool labels) {
    char text[40];
    for (int k = 0; k < f->x.ticks; k++) {
        double x = svg_x(f, axis_tick(&f->x, k));
        fprintf(svg, "<path d=\"M%.1f %.1fv%.1f\" stroke=\"#e4e4e4\"/>\n", x, f->top, f->height);
        axis_label(&f->x, axis_tick(&f->x, k), text, sizeof text);
        if (labels) svg_text(svg, x, f->top + f->height + 16, "middle", "fill=\"#444\"", text);
    }
}

static void ticks_y(FILE *svg, const svg_frame *f) {
    char text[40];
    for (int k = 0; k < f->y.ticks; k++) {
        double y = svg_y(f, axis_tick(&f->y, k));
        fprintf(svg, "<path d=\"M%.1f %.1fh%.1f\" stroke=\"#e4e4e4\"/>\n", f->left, y, f->width);
        axis_label(&f->y, axis_tick(&f->y, k), text, sizeof text);
        svg_text(svg, f->left - 6, y + 4, "end", "fill=\"#444\"", text);
    }
}

void svg_axes(FILE *svg, const svg_frame *f, const char *x_name, const char *x_unit, const char *y_name,
              const char *y_unit) {
    const double middle = f->top + 0.5 * f->height, bottom = f->top + f->height;
    ticks_x(svg, f, x_name != NULL);
    ticks_y(svg, f);
    fprintf(svg, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#888\"/>\n",
            f->left, f->top, f->width, f->height);
    if (x_name) svg_axis_name(svg, f->left + 0.5 * f->width, bottom + 34, false, x_name, x_unit, f->x.ten);
    svg_axis_name(svg, f->left - 54, middle, true, y_name, y_unit, f->y.ten);
}

const char *svg_colour(size_t k) {
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                          "#e69f00", "#56b4e9", "#000000", "#8c6d31"};
    return colours[k % (sizeof colours / sizeof *colours)];
}

svg_line svg_line_begin(FILE *svg, const char *colour, double width) {
    fprintf(svg, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\" stroke-linejoin=\"round\" d=\"", colour,
            width);
    return (svg_line){.svg = svg};
}

void svg_line_to(svg_line *line, double x, double y) {
    if (!isfinite(x) || !isfinite(y)) {
        line->count = 0;
        return;
    }
    /* In tenths of a pixel, each point from the one before: short, and without drift. */
    const long at_x = lround(10.0 * x), at_y = lround(10.0 * y);
    const long dx = at_x - line->x, dy = at_y - line->y;
    if (line->count > 0 && dx == 0 && dy == 0) return;
    if (line->count == 0)
        fprintf(line->svg, "M%.1f %.1f", 0.1 * (double)at_x, 0.1 * (double)at_y);
    else
        fprintf(line->svg, "%s%g %g", line->count == 1 ? "l" : " ", 0.1 * (double)dx, 0.1 * (double)dy);
    line->x = at_x;
    line->y = at_y;
    line->count++;
}

void svg_line_end(svg_line *line) { fputs("\"/>\n", line->svg); }
