/* braille.c: a panel of a plot as braille dots, two by four to a character, in a terminal. */
#include "braille.h"

#include "axis.h"
#include "cli/app.h"
#include "plot.h"
#include "text/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 9, LABELS = 10 };

typedef struct canvas {
    int columns, lines;
    unsigned char *dots;   /* columns x lines patterns */
    unsigned char *colour; /* of the line that drew there last, 0: none */
} canvas;

/* Bits of the dots of a braille character, [column][row]. */
static const unsigned char bit[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};

static void dot(canvas *c, int x, int y, unsigned char colour) {
    if (x < 0 || y < 0 || x >= 2 * c->columns || y >= 4 * c->lines) return;
    const int at = (y / 4) * c->columns + x / 2;
    c->dots[at] = (unsigned char)(c->dots[at] | bit[x % 2][y % 4]);
    c->colour[at] = colour;
}

/* All dots of a column of dots between two heights. */
static void stroke(canvas *c, int x, double from, double to, unsigned char colour) {
    const int low = (int)lround(fmin(from, to)), high = (int)lround(fmax(from, to));
    for (int y = low; y <= high; y++) dot(c, x, y, colour);
}

static void draw(canvas *c, const plot *p, const plot_line *l, const axis *values, unsigned char colour) {
    const series *s = p->data;
    const double first = s->begin, span = fmax(s->time[s->rows - 1] - first, 1e-300);
    const double scale = (4.0 * c->lines - 1.0) / (values->high - values->low);
    int last_x = -1;
    double last_y = 0.0;
    for (size_t r = 0; r < s->rows; r++) {
        const size_t at = r * s->columns + l->column;
        const double low = scale * (values->high - (s->low[at] - l->base));
        const double high = scale * (values->high - (s->high[at] - l->base));
        if (!isfinite(low) || !isfinite(high)) continue;
        const int x = (int)lround((s->time[r] - first) / span * (2.0 * c->columns - 1.0));
        for (int k = last_x + 1; last_x >= 0 && k < x; k++) { /* between two rows: a straight line */
            const double y = last_y + (low - last_y) * (k - last_x) / (x - last_x);
            stroke(c, k, y, y, colour);
        }
        stroke(c, x, low, high, colour);
        last_x = x;
        last_y = low;
    }
}

static void print_canvas(const canvas *c, const axis *values, FILE *out) {
    char label[40];
    for (int line = 0; line < c->lines; line++) {
        *label = '\0';
        if (line == 0) axis_label(values, values->high, label, sizeof label);
        if (line == c->lines - 1) axis_label(values, values->low, label, sizeof label);
        fprintf(out, "%*s \xE2\x94\x82", LABELS, label);
        int colour = 0;
        for (int k = 0; k < c->columns; k++) {
            const int at = line * c->columns + k, pattern = c->dots[at];
            if (pattern && c->colour[at] != colour) fprintf(out, "\033[%dm", colour = c->colour[at]);
            /* U+2800 + pattern in UTF-8 */
            fprintf(out, "\xE2%c%c", 0xA0 | (pattern >> 6), 0x80 | (pattern & 0x3F));
        }
        fputs(colour ? "\033[0m\n" : "\n", out);
    }
}

static void print_foot(const plot *p, const plot_panel *panel, const axis *values, int columns, FILE *out) {
    static const unsigned char colours[] = {34, 31, 32, 35, 33, 36};
    const series *s = p->data;
    char first[40], last[40], power[24] = "";
    snprintf(first, sizeof first, "%.5g s", s->begin);
    snprintf(last, sizeof last, "%.5g s", s->time[s->rows - 1]);
    fprintf(out, "%*s \xE2\x94\x94%s%*s\n", LABELS, "", first, columns - text_columns(first), last);
    if (values->ten != 0) snprintf(power, sizeof power, "1e%d ", values->ten);
    int used = fprintf(out, "%*s  %s [%s%s]:", LABELS, "", panel->name, power, panel->unit);
    for (size_t i = 0; i < panel->count; i++) {
        const char *comma = i + 1 < panel->count ? "," : "";
        const int more = text_columns(panel->lines[i].name) + 2;
        if (i > 0 && used + more > LABELS + 2 + columns) used = fprintf(out, "\n%*s ", LABELS, "") - 1;
        fprintf(out, " \033[%dm%s\033[0m%s", colours[i % sizeof colours], panel->lines[i].name, comma);
        used += more;
    }
    fputc('\n', out);
}

void plot_braille(const plot *p, size_t panel, FILE *out, int width) {
    static const unsigned char colours[] = {34, 31, 32, 35, 33, 36};
    const plot_panel *lines = &p->panels[panel];
    canvas c = {.columns = width - LABELS - 4, .lines = LINES};
    double low = INFINITY, high = -INFINITY, a, b;
    if (p->data->rows < 2 || c.columns < 20) return;
    if (c.columns > 100) c.columns = 100;
    for (size_t i = 0; i < lines->count; i++) {
        series_range(p->data, lines->lines[i].column, &a, &b);
        low = fmin(low, a - lines->lines[i].base);
        high = fmax(high, b - lines->lines[i].base);
    }
    const axis values = axis_make(low, high, 4);
    c.dots = need((size_t)(c.columns * c.lines), 1);
    c.colour = need((size_t)(c.columns * c.lines), 1);
    for (size_t i = 0; i < lines->count; i++) draw(&c, p, &lines->lines[i], &values, colours[i % sizeof colours]);
    print_canvas(&c, &values, out);
    print_foot(p, lines, &values, c.columns, out);
    free(c.dots);
    free(c.colour);
}
