/* limit_picture.c: pictures of limit directions: the flow of small slips, and the map of cases around a state.
 *
 * Near u = 0 the slip u = |u| e moves by D du/dt = M e + C with D = 1 - mu a.e, M = -mu (N0 S + C a^T): only the
 * direction matters, so the portrait has no scale. Limit directions fold where V = e'.(M e + C) and dV/dphi vanish
 * together; both are linear in C, so for each phi one C folds, and that curve divides the map. */
#include "limit_picture.h"

#include "analyze_limit.h"
#include "cli/app.h"
#include "draw/svg.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { LEFT = 90, TOP = 50, SIDE = 480, RIGHT = 250, BOTTOM = 60, CELLS = 240 };

static const char *const case_colours[TRU_CASES] = {"#ffffff", "#b7dfb9", "#5fb878", "#f6c69a", "#e58a4f",
                                                    "#b39ddb", "#c2185b", "#d0e6f5", "#9e9e9e"};

static FILE *open_picture(const limit_view *v, const char *folder, const char *kind, const char *what, char **path) {
    char *title = need_text("%s: %s (case %s)", v->name, what, tru_limit_case_name(v->limit.which));
    mkdir(folder, 0777); /* svg_open prints what is wrong */
    *path = need_text("%s/%s-%s.svg", folder, v->name, kind);
    FILE *svg = svg_open(*path, LEFT + SIDE + RIGHT, TOP + SIDE + BOTTOM, title);
    free(title);
    return svg;
}

static int close_picture(FILE *svg, char *path) {
    const int code = svg ? svg_close(svg, path) : EXIT_SYSTEM;
    free(path);
    return code;
}

static void key_text(FILE *svg, double *y, const char *extra, const char *text) {
    svg_text(svg, LEFT + SIDE + 54, *y + 4, "start", extra, text);
    *y += 21;
}

static void key_line(FILE *svg, double *y, const char *colour, const char *dash, const char *text) {
    fprintf(svg,
            "<path d=\"M%.1f %.1fh28\" fill=\"none\" stroke=\"%s\" stroke-width=\"2.5\" stroke-dasharray=\"%s\"/>\n",
            (double)(LEFT + SIDE + 18), *y, colour, dash);
    key_text(svg, y, "", text);
}

/* Slip relative to the speed of the contact point if the body only turned. */
static bool slips(const limit_view *v) {
    const tru_vec3 w = v->contact.body.angular_velocity, r = v->contact.body.arm;
    const double turning = hypot(hypot(w.x, w.y), w.z) * hypot(hypot(r.x, r.y), r.z);
    return hypot(v->contact.slip[0], v->contact.slip[1]) > 1e-9 * turning;
}

/* ---- the flow of small slips ---- */

static double margin(const limit_view *v, double c, double s) {
    const tru_limit *l = &v->limit;
    const double mu = v->problem.stribeck > 0.0 ? v->problem.slide_static : v->problem.slide;
    return 1.0 - mu * (l->couple[0] * c + l->couple[1] * s);
}

/* d ln u and dphi over an arc of the flow; false where it has no finite force or stands still. */
static bool flow(const limit_view *v, double phi, double *radial, double *angular) {
    const tru_limit *l = &v->limit;
    const double c = cos(phi), s = sin(phi);
    const double f1 = l->field_cos[0] * c + l->field_sin[0] * s + l->field_free[0];
    const double f2 = l->field_cos[1] * c + l->field_sin[1] * s + l->field_free[1];
    const double size = hypot(f1, f2);
    if (!(size > 0.0) || !(margin(v, c, s) > 0.0)) return false;
    *radial = (c * f1 + s * f2) / size;
    *angular = (c * f2 - s * f1) / size;
    return true;
}

/* One midpoint step; sign -1 goes back. False where the flow ends. */
static bool advance(const limit_view *v, double sign, double *ln, double *phi) {
    const double h = 0.02 * sign;
    double r, a;
    if (!flow(v, *phi, &r, &a) || !flow(v, *phi + 0.5 * h * a, &r, &a)) return false;
    *ln += h * r;
    *phi += h * a;
    return true;
}

static void arrow(FILE *svg, double x0, double y0, double x1, double y1) {
    const double n = hypot(x1 - x0, y1 - y0), c = (x1 - x0) / n, s = (y1 - y0) / n;
    if (!(n > 0.0)) return;
    fprintf(svg, "<path d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\" fill=\"#7a8ca0\"/>\n", x1, y1, x1 - 8 * c + 3.5 * s,
            y1 - 8 * s - 3.5 * c, x1 - 8 * c - 3.5 * s, y1 - 8 * s + 3.5 * c);
}

/* A streamline both ways from a point, within the picture and down to a hundredth of it. */
static void streamline(FILE *svg, const svg_frame *f, const limit_view *v, double ln0, double phi0) {
    double last[2] = {svg_x(f, exp(ln0) * cos(phi0)), svg_y(f, exp(ln0) * sin(phi0))}, head[4] = {0};
    for (int way = 1; way >= -1; way -= 2) {
        double ln = ln0, phi = phi0;
        svg_line line = svg_line_begin(svg, "#a9b8c8", 1.1);
        svg_line_to(&line, last[0], last[1]);
        for (int k = 0; k < 800 && ln > log(0.01) && advance(v, way, &ln, &phi); k++) {
            const double x = exp(ln) * cos(phi), y = exp(ln) * sin(phi);
            if (fmax(fabs(x), fabs(y)) > 1.0) break;
            svg_line_to(&line, svg_x(f, x), svg_y(f, y));
            if (way == 1 && k == 8) head[0] = svg_x(f, x), head[1] = svg_y(f, y);
            if (way == 1 && k == 9) head[2] = svg_x(f, x), head[3] = svg_y(f, y);
        }
        svg_line_end(&line);
    }
    if (head[2] != 0.0) arrow(svg, head[0], head[1], head[2], head[3]);
}

/* Draws from zero to the edge of the picture. */
static void ray(FILE *svg, const svg_frame *f, double phi, const char *colour, const char *dash) {
    const double c = cos(phi), s = sin(phi), reach = 1.0 / fmax(fabs(c), fabs(s));
    fprintf(svg,
            "<path d=\"M%.1f %.1fL%.1f %.1f\" fill=\"none\" stroke=\"%s\" stroke-width=\"2.5\" "
            "stroke-dasharray=\"%s\"/>\n",
            svg_x(f, 0.0), svg_y(f, 0.0), svg_x(f, reach * c), svg_y(f, reach * s), colour, dash);
}

/* Draws the directions without a finite force. */
static void shade_wedge(FILE *svg, const svg_frame *f, const tru_limit *l) {
    const double middle = atan2(l->couple[1], l->couple[0]), half = l->wedge > 1.0 ? acos(1.0 / l->wedge) : 0.0;
    if (!(half > 0.0)) return;
    fprintf(svg, "<path fill=\"#e0e0e0\" d=\"M%.1f %.1f", svg_x(f, 0.0), svg_y(f, 0.0));
    for (int k = 0; k <= 60; k++) {
        const double phi = middle + half * (k / 30.0 - 1.0);
        fprintf(svg, "L%.1f %.1f", svg_x(f, cos(phi)), svg_y(f, sin(phi)));
    }
    fputs("Z\"/>\n", svg);
}

static void portrait_key(FILE *svg, const limit_view *v) {
    const tru_limit *l = &v->limit;
    char text[120];
    double y = TOP + 12;
    key_line(svg, &y, svg_colour(0), "none", "attracting, neighbours turn towards it");
    key_line(svg, &y, svg_colour(5), "none", "attracting, neighbours turn away");
    key_line(svg, &y, svg_colour(1), "9 5", "repelling, neighbours turn towards it");
    key_line(svg, &y, svg_colour(4), "9 5", "repelling, neighbours turn away");
    if (l->wedge > 1.0) key_line(svg, &y, "#bdbdbd", "none", "no finite contact force");
    if (slips(v)) key_line(svg, &y, "#000000", "2 3", "present slip");
    y += 10;
    key_text(svg, &y, "", l->rolls ? "rolling is possible:" : "rolling is not possible:");
    snprintf(text, sizeof text, "needs %.5g, has %.5g", l->needed, v->contact.body.slide_static);
    key_text(svg, &y, "", text);
    for (int k = 0; k < l->count; k++) {
        const tru_limit_direction *d = &l->directions[k];
        snprintf(text, sizeof text, "%.5g rad: %+.5g m/s\u00b2", d->angle, d->radial);
        key_text(svg, &y, "fill=\"#444\"", text);
    }
    if (l->count < 0) key_text(svg, &y, "fill=\"#444\"", "every direction is a limit direction");
}

int limit_draw_portrait(const limit_view *v, const char *folder) {
    const tru_limit *l = &v->limit;
    char *path;
    FILE *svg = open_picture(v, folder, "portrait", "how small slips move", &path);
    const axis unit = {-1.0, 1.0, 0.5, 5, 0, 1};
    const svg_frame f = {LEFT, TOP, SIDE, SIDE, unit, unit};
    if (!svg) return close_picture(svg, path);
    shade_wedge(svg, &f, l);
    svg_axes(svg, &f, "u1 / scale", "-", "u2 / scale", "-");
    for (int k = 0; k < 32; k++) {
        const double phi = M_PI * (k + 0.5) / 16.0;
        streamline(svg, &f, v, log(0.75), phi);
        if (k % 2 == 0) streamline(svg, &f, v, log(0.3), phi);
    }
    for (int k = 0; k < l->count; k++) {
        const tru_limit_direction *d = &l->directions[k];
        ray(svg, &f, d->angle, svg_colour(d->repelling ? (d->stable ? 1 : 4) : (d->stable ? 0 : 5)),
            d->repelling ? "9 5" : "none");
    }
    if (slips(v)) ray(svg, &f, atan2(v->contact.slip[1], v->contact.slip[0]), "#000000", "2 3");
    fprintf(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"black\"/>\n", svg_x(&f, 0.0), svg_y(&f, 0.0));
    portrait_key(svg, v);
    return close_picture(svg, path);
}

/* ---- the map of cases ---- */

/* The case with another slip acceleration C, all else as it is. */
static int case_at(const limit_view *v, double c1, double c2) {
    const tru_limit *l = &v->limit;
    const double g33 = v->problem.response.m[2][2];
    tru_limit_problem p = v->problem;
    tru_limit other;
    p.free_point.x = c1 - l->normal0 * g33 * l->couple[0];
    p.free_point.y = c2 - l->normal0 * g33 * l->couple[1];
    return tru_limit_directions(&p, &other, NULL) < 0 ? TRU_CASE_LIFT : other.which;
}

/* The C at which directions fold at angle phi: D e'.C = mu N0 e'.S e, and its derivative. */
static void fold_at(const limit_view *v, double phi, double out[2]) {
    const tru_limit *l = &v->limit;
    const double mu = v->problem.stribeck > 0.0 ? v->problem.slide_static : v->problem.slide, *S = l->schur;
    const double c = cos(phi), s = sin(phi), d = margin(v, c, s);
    const double d_rate = -mu * (-l->couple[0] * s + l->couple[1] * c);
    const double along = S[0] * c * c + 2.0 * S[1] * c * s + S[2] * s * s;
    const double across = S[0] * s * s - 2.0 * S[1] * c * s + S[2] * c * c;
    const double mixed = (S[2] - S[0]) * c * s + S[1] * (c * c - s * s);
    const double e_across = mu * l->normal0 * mixed / d;
    const double e_along = (mu * l->normal0 * (along - across) + d_rate * e_across) / d;
    out[0] = e_along * c - e_across * s;
    out[1] = e_along * s + e_across * c;
}

/* The C at which rolling just gets the friction it needs: |S^-1 C| = mu0 (N0 + a.S^-1 C), in the direction of F_t = -p. */
static void cone_at(const limit_view *v, double phi, double out[2]) {
    const tru_limit *l = &v->limit;
    const double mu = v->problem.slide_static, *S = l->schur, c = cos(phi), s = sin(phi);
    const double size = mu * l->normal0 / (1.0 - mu * (l->couple[0] * c + l->couple[1] * s));
    out[0] = size * (S[0] * c + S[1] * s);
    out[1] = size * (S[1] * c + S[2] * s);
}

typedef void curve(const limit_view *v, double phi, double out[2]);

static double reach_of(const limit_view *v, curve *f) {
    double most = 0.0, at[2];
    for (int k = 0; k < 360; k++) {
        f(v, M_PI * k / 180.0, at);
        most = fmax(most, fmax(fabs(at[0]), fabs(at[1])));
    }
    return most;
}

static void draw_curve(FILE *svg, const svg_frame *f, const limit_view *v, curve *at, const char *colour) {
    double c[2];
    svg_line line = svg_line_begin(svg, colour, 2.0);
    for (int k = 0; k <= 1440; k++) {
        at(v, M_PI * k / 720.0, c);
        const bool inside = fabs(c[0]) <= f->x.high && fabs(c[1]) <= f->y.high;
        svg_line_to(&line, inside ? svg_x(f, c[0]) : NAN, svg_y(f, c[1]));
    }
    svg_line_end(&line);
}

/* One rectangle per stretch of equal case in a row. */
static void draw_cells(FILE *svg, const svg_frame *f, const limit_view *v, bool seen[TRU_CASES]) {
    const double cell = (double)SIDE / CELLS, width = (f->x.high - f->x.low) / CELLS;
    fputs("<g shape-rendering=\"crispEdges\">\n", svg);
    for (int j = 0; j < CELLS; j++) {
        int from = 0, was = -1;
        for (int i = 0; i <= CELLS; i++) {
            const int is = i < CELLS ? case_at(v, f->x.low + (i + 0.5) * width, f->y.high - (j + 0.5) * width) : -1;
            if (is == was) continue;
            if (was >= 0)
                fprintf(svg, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
                        LEFT + cell * from, TOP + cell * j, cell * (i - from), cell, case_colours[was]);
            if (is >= 0) seen[is] = true;
            from = i;
            was = is;
        }
    }
    fputs("</g>\n", svg);
}

static void regions_key(FILE *svg, const bool seen[TRU_CASES]) {
    double y = TOP + 12;
    char text[60];
    for (int k = 0; k < TRU_CASES; k++) {
        if (!seen[k]) continue;
        fprintf(svg, "<rect x=\"%d\" y=\"%.1f\" width=\"28\" height=\"14\" fill=\"%s\" stroke=\"#555\"/>\n",
                LEFT + SIDE + 18, y - 7, case_colours[k]);
        snprintf(text, sizeof text, "case %s", tru_limit_case_name(k));
        key_text(svg, &y, "", text);
    }
    key_line(svg, &y, "#1a1a1a", "none", "rolling is possible inside");
    key_line(svg, &y, "#b2182b", "none", "two directions appear or vanish");
    fprintf(svg, "<circle cx=\"%d\" cy=\"%.1f\" r=\"5\" fill=\"black\" stroke=\"white\" stroke-width=\"2\"/>\n",
            LEFT + SIDE + 32, y);
    key_text(svg, &y, "", "this state");
}

int limit_draw_regions(const limit_view *v, const char *folder) {
    const tru_limit *l = &v->limit;
    const double *c = l->field_free;
    bool seen[TRU_CASES] = {false};
    char *path;
    if (!(l->normal0 > 0.0) || l->wedge >= 1.0 || !(v->problem.slide > 0.0)) return EXIT_GOOD;
    const double wide = fmax(reach_of(v, cone_at), fmin(reach_of(v, fold_at), 2.0 * reach_of(v, cone_at)));
    const axis a =
        axis_make(-1.15 * fmax(wide, fmax(fabs(c[0]), fabs(c[1]))), 1.15 * fmax(wide, fmax(fabs(c[0]), fabs(c[1]))), 8);
    const svg_frame f = {LEFT, TOP, SIDE, SIDE, a, a};
    FILE *svg = open_picture(v, folder, "regions", "cases around its state", &path);
    if (!svg) return close_picture(svg, path);
    draw_cells(svg, &f, v, seen);
    draw_curve(svg, &f, v, fold_at, "#b2182b");
    draw_curve(svg, &f, v, cone_at, "#1a1a1a");
    svg_axes(svg, &f, "C1, slip acceleration without friction", "m/s^2", "C2", "m/s^2");
    fprintf(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\" fill=\"black\" stroke=\"white\" stroke-width=\"2\"/>\n",
            svg_x(&f, c[0]), svg_y(&f, c[1]));
    regions_key(svg, seen);
    return close_picture(svg, path);
}
