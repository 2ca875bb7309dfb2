/* circle.c: the circle on which a path lies, at every sample or where another quantity has its maxima. */
#include "circle.h"

#include "common/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the fit ---- */

/* |p|^2 = 2 c.p + r^2 - |c|^2 is linear in the centre c and in the rest; taken about the mean of the points. */
circle trio_circle_fit(const double *x, const double *y, size_t count) {
    double mx = 0.0, my = 0.0, uu = 0.0, uv = 0.0, vv = 0.0, ru = 0.0, rv = 0.0;
    const double n = (double)count;
    for (size_t k = 0; k < count; k++) {
        mx += x[k] / n;
        my += y[k] / n;
    }
    for (size_t k = 0; k < count; k++) {
        const double u = x[k] - mx, v = y[k] - my, w = 0.5 * (u * u + v * v);
        uu += u * u;
        uv += u * v;
        vv += v * v;
        ru += u * w;
        rv += v * w;
    }
    const double det = uu * vv - uv * uv;
    if (count < 3 || !(det > 1e-12 * (uu + vv) * (uu + vv))) return (circle){NAN, NAN, NAN, NAN, NAN};
    const double a = (ru * vv - rv * uv) / det, b = (rv * uu - ru * uv) / det;
    circle c = {mx + a, my + b, sqrt(a * a + b * b + (uu + vv) / n), 0.0, 0.0};
    for (size_t k = 1; k < count; k++) {
        const double px = x[k - 1] - c.x, py = y[k - 1] - c.y, qx = x[k] - c.x, qy = y[k] - c.y;
        c.turn += atan2(px * qy - py * qx, px * qx + py * qy) / (n - 1.0);
    }
    for (size_t k = 0; k < count; k++) c.error = fmax(c.error, fabs(hypot(x[k] - c.x, y[k] - c.y) - c.radius));
    return c;
}

/* ---- the path ---- */

void trio_footsteps_point(footsteps *p, double x, double y) {
    p->no_memory = p->no_memory || !GROW(p->x, p->x_room, p->count + 1) || !GROW(p->y, p->y_room, p->count + 1);
    if (p->no_memory) return;
    p->x[p->count] = x;
    p->y[p->count++] = y;
}

/* Newton's polynomial through the window: divided differences of `values` by `time`. */
static void differences(const double *time, const double *values, double out[FOOTSTEPS_WINDOW]) {
    memcpy(out, values, FOOTSTEPS_WINDOW * sizeof *out);
    for (int k = 1; k < FOOTSTEPS_WINDOW; k++)
        for (int i = FOOTSTEPS_WINDOW - 1; i >= k; i--) out[i] = (out[i] - out[i - 1]) / (time[i] - time[i - k]);
}

static double polynomial(const double *time, const double c[FOOTSTEPS_WINDOW], double at, double *slope) {
    double value = c[FOOTSTEPS_WINDOW - 1], by = 0.0;
    for (int i = FOOTSTEPS_WINDOW - 2; i >= 0; i--) {
        by = by * (at - time[i]) + value;
        value = value * (at - time[i]) + c[i];
    }
    if (slope) *slope = by;
    return value;
}

/* The maximum between the samples on either side of the middle one. */
static void keep_maximum(footsteps *p) {
    enum { MIDDLE = FOOTSTEPS_WINDOW / 2 };
    double height[FOOTSTEPS_WINDOW], ahead[FOOTSTEPS_WINDOW], aside[FOOTSTEPS_WINDOW], slope;
    double low = p->time[MIDDLE - 1], high = p->time[MIDDLE + 1];
    differences(p->time, p->height, height);
    differences(p->time, p->ahead, ahead);
    differences(p->time, p->aside, aside);
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        polynomial(p->time, height, middle, &slope);
        *(slope > 0.0 ? &low : &high) = middle;
    }
    trio_footsteps_point(p, polynomial(p->time, ahead, low, NULL), polynomial(p->time, aside, low, NULL));
}

void trio_footsteps_sample(footsteps *p, double time, double height, double x, double y) {
    enum { MIDDLE = FOOTSTEPS_WINDOW / 2, REST = (FOOTSTEPS_WINDOW - 1) * sizeof(double) };
    memmove(p->time, p->time + 1, REST);
    memmove(p->height, p->height + 1, REST);
    memmove(p->ahead, p->ahead + 1, REST);
    memmove(p->aside, p->aside + 1, REST);
    p->time[FOOTSTEPS_WINDOW - 1] = time;
    p->height[FOOTSTEPS_WINDOW - 1] = height;
    p->ahead[FOOTSTEPS_WINDOW - 1] = x;
    p->aside[FOOTSTEPS_WINDOW - 1] = y;
    const double *h = p->height + MIDDLE;
    if (++p->seen >= FOOTSTEPS_WINDOW && h[0] > h[-1] && h[0] >= h[1]) keep_maximum(p);
}

circle trio_footsteps_circle(footsteps *p) {
    const circle c = trio_circle_fit(p->x, p->y, p->count);
    trio_footsteps_free(p);
    return c;
}

void trio_footsteps_free(footsteps *p) {
    free(p->x);
    free(p->y);
    *p = (footsteps){.seen = 0};
}
