/* sweep_map.c: pictures of a sweep: a map over two axes, lines over one, with the scene's analytic borders. */
#include "sweep_map.h"

#include "cli/app.h"
#include "draw/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT = 90, TOP = 50, WIDTH = 520, HEIGHT = 400, RIGHT = 200, BOTTOM = 56 };

static const char *const class_colours[TRU_CLASSES] = {"#000000", "#d9d9d9", "#f0e442", "#56b4e9",
                                                       "#e69f00", "#cc79a7", "#ffffff", "#009e73"};

/* Chooses what colours a map: the classes if there are several, otherwise the value. */
typedef struct shade {
    bool classes;
    double low, high; /* of the value */
} shade;

static double shown_value(const tru_sweep_info *s, const tru_sweep_cell *r) {
    if (s->bisects) return r->border;
    return s->probe_count ? r->values[0] : NAN;
}

static shade choose(const tru_sweep_info *s, const tru_sweep_cell *results) {
    shade look = {.low = INFINITY, .high = -INFINITY};
    for (size_t k = 0; k < s->cells; k++) {
        const double value = shown_value(s, &results[k]);
        look.classes = look.classes || results[k].which != results[0].which;
        look.low = fmin(look.low, value);
        look.high = fmax(look.high, value);
    }
    if (s->bisects) look.classes = false;
    if (!(look.high >= look.low)) look.classes = true;
    return look;
}

/* From pale yellow to dark blue, lightness falling evenly. */
static void ramp(double x, char out[8]) {
    static const double stops[5][3] = {{255, 247, 188}, {161, 218, 180}, {65, 182, 196}, {44, 127, 184}, {37, 52, 148}};
    const double at = 4.0 * fmin(fmax(x, 0.0), 1.0);
    const int k = at >= 4.0 ? 3 : (int)at;
    int c[3];
    for (int i = 0; i < 3; i++) c[i] = (int)lround(stops[k][i] + (at - k) * (stops[k + 1][i] - stops[k][i]));
    snprintf(out, 8, "#%02x%02x%02x", c[0] & 255, c[1] & 255, c[2] & 255);
}

static void cell_colour(const tru_sweep_info *s, const tru_sweep_cell *r, const shade *look, char out[8]) {
    const double value = shown_value(s, r);
    if (look->classes || r->which == TRU_CLASS_FAILED)
        snprintf(out, 8, "%s", class_colours[r->which]);
    else if (isnan(value))
        snprintf(out, 8, "#ffffff");
    else
        ramp(look->high > look->low ? (value - look->low) / (look->high - look->low) : 0.5, out);
}

/* Returns an axis that ends where its outermost cells end. */
static axis cell_axis(const tru_sweep_axis *a) {
    const double first = tru_sweep_value(a, 0), last = tru_sweep_value(a, a->count - 1);
    const double half = a->count > 1 ? 0.5 * fabs(last - first) / (double)(a->count - 1) : 0.5;
    axis out = axis_make(fmin(first, last), fmax(first, last), 6);
    const double low = fmin(first, last) - half, high = fmax(first, last) + half;
    const int skip = (int)ceil((low - out.low) / out.step - 1e-9);
    out.low += (skip > 0 ? skip : 0) * out.step; /* ticks inside the map only */
    out.ticks = (int)floor((high - out.low) / out.step + 1e-9) + 1;
    return out;
}

typedef struct map {
    svg_frame frame;
    double x0, x1, y0, y1; /* [unit of the axes] edges of the map */
} map;

static double map_x(const map *m, double v) { return m->frame.left + m->frame.width * (v - m->x0) / (m->x1 - m->x0); }
static double map_y(const map *m, double v) { return m->frame.top + m->frame.height * (m->y1 - v) / (m->y1 - m->y0); }

static void edges(const tru_sweep_axis *a, double *low, double *high) {
    const double first = tru_sweep_value(a, 0), last = tru_sweep_value(a, a->count - 1);
    const double half = a->count > 1 ? 0.5 * (last - first) / (double)(a->count - 1) : 0.5;
    *low = first - half;
    *high = last + half;
}

/* One rectangle per stretch of equal colour in a row. */
static void draw_cells(FILE *svg, const tru_sweep_info *s, const tru_sweep_cell *results, const shade *look,
                       const map *m) {
    const size_t nx = s->axes[0].count, ny = s->axes[1].count;
    const double w = m->frame.width / (double)nx, h = m->frame.height / (double)ny;
    fputs("<g shape-rendering=\"crispEdges\">\n", svg);
    for (size_t j = 0; j < ny; j++) {
        for (size_t i = 0, end; i < nx; i = end) {
            char colour[8], next[8];
            cell_colour(s, &results[j * nx + i], look, colour);
            for (end = i + 1; end < nx; end++) {
                cell_colour(s, &results[j * nx + end], look, next);
                if (strcmp(colour, next) != 0) break;
            }
            fprintf(svg, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n",
                    m->frame.left + w * (double)i, m->frame.top + m->frame.height - h * (double)(j + 1),
                    w * (double)(end - i), h, colour);
        }
    }
    fputs("</g>\n", svg);
}

static void draw_frame(FILE *svg, const tru_sweep_info *s, const map *m) {
    char text[40];
    const double bottom = m->frame.top + m->frame.height;
    const axis x = cell_axis(&s->axes[0]), y = cell_axis(&s->axes[1]);
    fprintf(svg, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#555\"/>\n",
            m->frame.left, m->frame.top, m->frame.width, m->frame.height);
    for (int k = 0; k < x.ticks; k++) {
        axis_label(&x, axis_tick(&x, k), text, sizeof text);
        fprintf(svg, "<path d=\"M%.1f %.1fv5\" stroke=\"#555\"/>\n", map_x(m, axis_tick(&x, k)), bottom);
        svg_text(svg, map_x(m, axis_tick(&x, k)), bottom + 18, "middle", "fill=\"#444\"", text);
    }
    for (int k = 0; k < y.ticks; k++) {
        axis_label(&y, axis_tick(&y, k), text, sizeof text);
        fprintf(svg, "<path d=\"M%.1f %.1fh-5\" stroke=\"#555\"/>\n", m->frame.left, map_y(m, axis_tick(&y, k)));
        svg_text(svg, m->frame.left - 8, map_y(m, axis_tick(&y, k)) + 4, "end", "fill=\"#444\"", text);
    }
    svg_axis_name(svg, m->frame.left + 0.5 * m->frame.width, bottom + 40, false, s->axes[0].path, s->axes[0].unit,
                  x.ten);
    svg_axis_name(svg, m->frame.left - 62, m->frame.top + 0.5 * m->frame.height, true, s->axes[1].path, s->axes[1].unit,
                  y.ten);
}

static void draw_key(FILE *svg, const tru_sweep_info *s, const tru_sweep_cell *results, const shade *look,
                     const map *m) {
    const double x = m->frame.left + m->frame.width + 16;
    double y = m->frame.top + 12;
    size_t counts[TRU_CLASSES] = {0};
    char text[120], colour[8];
    for (size_t k = 0; k < s->cells; k++) counts[results[k].which]++;
    for (int k = 0; look->classes && k < TRU_CLASSES; k++) {
        if (counts[k] == 0) continue;
        fprintf(svg, "<rect x=\"%.1f\" y=\"%.1f\" width=\"14\" height=\"14\" fill=\"%s\" stroke=\"#555\"/>\n", x,
                y - 11, class_colours[k]);
        snprintf(text, sizeof text, "%s (%zu)", tru_class_name(k), counts[k]);
        svg_text(svg, x + 20, y, "start", "", text);
        y += 20;
    }
    if (look->classes) return;
    for (int k = 0; k <= 50; k++) {
        ramp(1.0 - k / 50.0, colour);
        fprintf(svg, "<rect x=\"%.1f\" y=\"%.1f\" width=\"16\" height=\"4.2\" fill=\"%s\"/>\n", x, y + 4.0 * k, colour);
    }
    snprintf(text, sizeof text, "%.5g %s", look->high,
             s->bisects ? s->bisect.unit : tru_unit_describe(s->units[0]).symbol);
    svg_text(svg, x + 22, y + 10, "start", "", text);
    snprintf(text, sizeof text, "%.5g", look->low);
    svg_text(svg, x + 22, y + 204, "start", "", text);
    svg_text(svg, x, y - 8, "start", "", s->bisects ? s->bisect.path : s->probes[0]);
}

static void draw_borders(FILE *svg, tru_sweep *sweep, const map *m) {
    const tru_sweep_info *s = tru_sweep_describe(sweep);
    double y;
    for (int b = 1; b <= 9 && tru_sweep_border(sweep, b, 0, &y); b++) {
        svg_line line = svg_line_begin(svg, "#b2182b", 2.0);
        for (size_t i = 0; i < s->axes[0].count; i++) {
            tru_sweep_border(sweep, b, i, &y);
            const bool inside = y >= fmin(m->y0, m->y1) && y <= fmax(m->y0, m->y1);
            svg_line_to(&line, map_x(m, tru_sweep_value(&s->axes[0], i)), inside ? map_y(m, y) : NAN);
        }
        svg_line_end(&line);
    }
}

static int draw_map(tru_sweep *sweep, const char *title, const char *path) {
    const tru_sweep_info *s = tru_sweep_describe(sweep);
    const tru_sweep_cell *results = tru_sweep_cells(sweep);
    const shade look = choose(s, results);
    map m = {.frame = {.left = LEFT, .top = TOP, .width = WIDTH, .height = HEIGHT}};
    edges(&s->axes[0], &m.x0, &m.x1);
    edges(&s->axes[1], &m.y0, &m.y1);
    FILE *svg = svg_open(path, LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM, title);
    if (!svg) return EXIT_SYSTEM;
    draw_cells(svg, s, results, &look, &m);
    draw_borders(svg, sweep, &m);
    draw_frame(svg, s, &m);
    draw_key(svg, s, results, &look, &m);
    return svg_close(svg, path);
}

/* Draws the value over one axis, each point in the colour of its class. */
static int draw_line(const tru_sweep *sweep, const char *title, const char *path) {
    const tru_sweep_info *s = tru_sweep_describe(sweep);
    const tru_sweep_cell *results = tru_sweep_cells(sweep);
    const tru_sweep_axis *a = &s->axes[0];
    const shade look = choose(s, results);
    const bool values = s->bisects || s->probe_count > 0;
    svg_frame f = {.left = LEFT, .top = TOP, .width = WIDTH, .height = HEIGHT};
    f.x = axis_make(fmin(tru_sweep_value(a, 0), tru_sweep_value(a, a->count - 1)),
                    fmax(tru_sweep_value(a, 0), tru_sweep_value(a, a->count - 1)), 6);
    f.y = values ? axis_make(look.low, look.high, 5) : axis_make(0.0, TRU_CLASSES - 1.0, TRU_CLASSES - 1);
    FILE *svg = svg_open(path, LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM, title);
    if (!svg) return EXIT_SYSTEM;
    svg_axes(svg, &f, a->path, a->unit,
             s->bisects ? s->bisect.path
             : values   ? s->probes[0]
                        : "class",
             s->bisects ? s->bisect.unit
             : values   ? tru_unit_describe(s->units[0]).symbol
                        : "");
    svg_line line = svg_line_begin(svg, "#888", 1.0);
    for (size_t k = 0; k < s->cells; k++)
        svg_line_to(&line, svg_x(&f, tru_sweep_value(a, k)),
                    svg_y(&f, values ? shown_value(s, &results[k]) : results[k].which));
    svg_line_end(&line);
    for (size_t k = 0; k < s->cells; k++) {
        const double y = svg_y(&f, values ? shown_value(s, &results[k]) : results[k].which);
        if (!isfinite(y)) continue;
        fprintf(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\" stroke=\"#555\"/>\n",
                svg_x(&f, tru_sweep_value(a, k)), y, class_colours[results[k].which]);
    }
    map m = {.frame = f};
    shade classes = {.classes = true};
    draw_key(svg, s, results, &classes, &m);
    return svg_close(svg, path);
}

int sweep_write_svg(tru_sweep *sweep, const char *title, const char *path, bool *drawn) {
    const tru_sweep_info *s = tru_sweep_describe(sweep);
    *drawn = s->numbers && s->cells > 0 && (s->axis_count == 1 || s->axis_count == 2);
    if (!*drawn) return EXIT_GOOD;
    return s->axis_count == 2 ? draw_map(sweep, title, path) : draw_line(sweep, title, path);
}
