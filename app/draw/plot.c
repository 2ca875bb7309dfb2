/* plot.c: lines over time from a series, as panels of an SVG picture. */
#include "plot.h"

#include "cli/app.h"
#include "svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 860, PANEL = 190, LEFT = 80, RIGHT = 190, TOP = 50, BOTTOM = 48, BETWEEN = 22 };

void plot_add_panel(plot *p, const char *name, const char *unit) {
    p->panels = need_more(p->panels, p->panel_count + 1, sizeof *p->panels);
    p->panels[p->panel_count++] = (plot_panel){.name = name, .unit = unit};
}

void plot_add_line(plot *p, const char *name, size_t column, double base) {
    plot_panel *panel = &p->panels[p->panel_count - 1];
    panel->lines = need_more(panel->lines, panel->count + 1, sizeof *panel->lines);
    panel->lines[panel->count++] = (plot_line){name, column, base};
}

void plot_add_mark(plot *p, double time, const char *label) {
    p->marks = need_more(p->marks, p->mark_count + 1, sizeof *p->marks);
    p->marks[p->mark_count++] = (plot_mark){time, label};
}

void plot_free(plot *p) {
    for (size_t k = 0; k < p->panel_count; k++) free(p->panels[k].lines);
    free(p->panels);
    free(p->marks);
    *p = (plot){0};
}

static axis value_axis(const plot *p, const plot_panel *panel) {
    double low = INFINITY, high = -INFINITY, a, b;
    for (size_t i = 0; i < panel->count; i++) {
        series_range(p->data, panel->lines[i].column, &a, &b);
        low = fmin(low, a - panel->lines[i].base);
        high = fmax(high, b - panel->lines[i].base);
    }
    if (low > 0.0 && low < 0.5 * high) low = 0.0; /* show zero when it is near */
    return axis_make(low, high, 4);
}

/* Draws row by row. A row of many samples is drawn from its lowest to its highest value. */
static void draw_line(FILE *svg, const plot *p, const svg_frame *f, const plot_line *l, const char *colour) {
    const series *s = p->data;
    double before = NAN;
    svg_line line = svg_line_begin(svg, colour, 1.5);
    for (size_t r = 0; r < s->rows; r++) {
        const size_t at = r * s->columns + l->column;
        const double low = svg_y(f, s->low[at] - l->base), high = svg_y(f, s->high[at] - l->base);
        const double x = svg_x(f, s->time[r]);
        const bool rising = !(s->last[at] < before);
        if (s->merged > 1) {
            svg_line_to(&line, x, rising ? low : high);
            svg_line_to(&line, x, rising ? high : low);
        } else {
            svg_line_to(&line, x, svg_y(f, s->last[at] - l->base));
        }
        before = s->last[at];
    }
    svg_line_end(&line);
}

static void draw_legend(FILE *svg, const svg_frame *f, const plot_panel *panel) {
    const double x = f->left + f->width + 12;
    for (size_t i = 0; i < panel->count; i++) {
        const double y = f->top + 14 + 18 * (double)i;
        fprintf(svg, "<path d=\"M%.1f %.1fh18\" stroke=\"%s\" stroke-width=\"2.5\"/>\n", x, y - 4, svg_colour(i));
        svg_text(svg, x + 24, y, "start", "", panel->lines[i].name);
    }
}

/* Omits labels that would overlap; the lines stay. */
static void draw_marks(FILE *svg, const plot *p, const svg_frame *f, bool labels) {
    double taken = -INFINITY;
    for (size_t k = 0; k < p->mark_count; k++) {
        const double x = svg_x(f, p->marks[k].time);
        if (x < f->left || x > f->left + f->width) continue;
        fprintf(svg, "<path d=\"M%.1f %.1fv%.1f\" stroke=\"#777\" stroke-dasharray=\"2 3\"/>\n", x, f->top, f->height);
        const double half = 3.2 * (double)strlen(p->marks[k].label);
        if (!labels || x - half < taken + 6) continue;
        svg_text(svg, x, f->top - 6, "middle", "font-size=\"11\" fill=\"#555\"", p->marks[k].label);
        taken = x + half;
    }
}

int plot_svg(const plot *p, const char *path) {
    const series *s = p->data;
    const double height = TOP + (double)p->panel_count * (PANEL + BETWEEN) - BETWEEN + BOTTOM;
    if (s->rows == 0) return EXIT_GOOD;
    FILE *svg = svg_open(path, WIDTH, height, p->title);
    if (!svg) return EXIT_SYSTEM;
    svg_frame f = {.left = LEFT, .width = WIDTH - LEFT - RIGHT, .height = PANEL};
    f.x = axis_make(s->begin, s->time[s->rows - 1], 8);
    for (size_t k = 0; k < p->panel_count; k++) {
        const bool last = k + 1 == p->panel_count;
        f.top = TOP + (double)k * (PANEL + BETWEEN);
        f.y = value_axis(p, &p->panels[k]);
        svg_axes(svg, &f, last ? "time" : NULL, "s", p->panels[k].name, p->panels[k].unit);
        draw_marks(svg, p, &f, k == 0);
        for (size_t i = 0; i < p->panels[k].count; i++) draw_line(svg, p, &f, &p->panels[k].lines[i], svg_colour(i));
        draw_legend(svg, &f, &p->panels[k]);
    }
    return svg_close(svg, path);
}
