/* repose.c: the angle of repose of a heap, by estimators that do not depend on single stones [cone-equations 8.3].
 *
 * angle: rings of one diameter about the axis, 16 sectors each; height of a ring = median over its sectors of the highest
 * top; least squares over the rings outside the apex between 0.2 and 0.8 of the highest. median_angle: a uniform cone of
 * radius R and height H has the median radius R/2 and the median height (1 - 2^(-1/3)) H, so tan = H/R = 2.4235 z50/r50. */
#include <trundle/analysis.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/elementary/elementary.h"
#include "math/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECTORS = 16, QUADRANTS = 4, LEAST = 50 };
#define UNIFORM_CONE 2.4235 /* 0.5/(1 - 2^(-1/3)) */

/* Heights of the highest tops, ring by ring; NaN without a stone. */
typedef struct profile {
    double *tops; /* [m] SECTORS of each ring */
    size_t rings; /* number of rings */
    double width; /* [m] of a ring */
} profile;

/* Compares two doubles, for qsort. */
static int by_size(const void *p, const void *q) {
    const double a = *(const double *)p, b = *(const double *)q;
    return a < b ? -1 : a > b;
}

/* Sorts an array and returns its median. */
static double median(double *x, size_t n) {
    TRU_ASSERT(n > 0);
    qsort(x, n, sizeof *x, by_size);
    return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

/* Returns the median of one number of every grain. which = 0, 1, 2: x, y, z; 3: radius; 4: distance from the axis. `work` is sorted
 * afterwards. */
static double median_of(const tru_grain *g, size_t n, int which, const tru_repose *axis, double *work) {
    for (size_t i = 0; i < n; i++) {
        const double dx = g[i].x - axis->axis_x, dy = g[i].y - axis->axis_y;
        const double all[5] = {g[i].x, g[i].y, g[i].z, g[i].radius, sqrt(dx * dx + dy * dy)};
        work[i] = all[which];
    }
    return median(work, n);
}

/* Finds the highest top in every sector of every ring. */
static void fill_profile(profile *p, const tru_grain *g, size_t n, const tru_repose *axis) {
    for (size_t i = 0; i < p->rings * SECTORS; i++) p->tops[i] = NAN;
    for (size_t i = 0; i < n; i++) {
        const double dx = g[i].x - axis->axis_x, dy = g[i].y - axis->axis_y;
        const double turn = tru_atan2(dy, dx) / 6.283185307179586 + 0.5; /* 0 .. 1 */
        const size_t ring = (size_t)(sqrt(dx * dx + dy * dy) / p->width);
        const int sector = (int)(turn * SECTORS) % SECTORS;
        TRU_ASSERT(sector >= 0 && sector < SECTORS);
        if (ring >= p->rings) continue;
        double *top = &p->tops[ring * SECTORS + (size_t)sector];
        const double own = g[i].z + (g[i].top > 0.0 ? g[i].top : g[i].radius);
        if (!(*top >= own)) *top = own;
    }
}

/* Returns the median over the sectors first .. first + count - 1 of a ring; NaN if all are empty. */
static double ring_height(const profile *p, size_t ring, int first, int count) {
    double heights[SECTORS];
    size_t n = 0;
    TRU_ASSERT(ring < p->rings && first >= 0 && first + count <= SECTORS);
    for (int k = first; k < first + count; k++) {
        const double top = p->tops[ring * SECTORS + (size_t)k];
        if (!isnan(top)) heights[n++] = top;
    }
    return n > 0 ? median(heights, n) : NAN;
}

/* Returns the slope of the line through the flank in these sectors; NaN with fewer than two rings. */
static double flank_slope(const profile *p, double highest, size_t apex, int first, int count, int32_t *rings) {
    double n = 0.0, sr = 0.0, sh = 0.0, srr = 0.0, srh = 0.0;
    for (size_t k = apex + 1; k < p->rings; k++) {
        const double r = ((double)k + 0.5) * p->width, h = ring_height(p, k, first, count);
        if (!(h >= 0.2 * highest && h <= 0.8 * highest)) continue;
        n += 1.0, sr += r, sh += h, srr += r * r, srh += r * h;
    }
    *rings = (int32_t)n;
    return n >= 2.0 ? (n * srh - sr * sh) / (n * srr - sr * sr) : NAN;
}

/* Fits the flank as a whole and in quadrants. */
static void find_angles(const profile *p, tru_repose *out) {
    size_t apex = 0;
    int32_t rings;
    double angle[QUADRANTS], mean = 0.0, spread = 0.0;
    out->height = 0.0;
    for (size_t k = 0; k < p->rings; k++) {
        const double h = ring_height(p, k, 0, SECTORS);
        if (h > out->height) out->height = h, apex = k;
    }
    out->angle = tru_atan(-flank_slope(p, out->height, apex, 0, SECTORS, &out->rings));
    for (int q = 0; q < QUADRANTS; q++) {
        angle[q] = tru_atan(-flank_slope(p, out->height, apex, q * SECTORS / QUADRANTS, SECTORS / QUADRANTS, &rings));
        mean += angle[q] / QUADRANTS;
    }
    for (int q = 0; q < QUADRANTS; q++) spread += (angle[q] - mean) * (angle[q] - mean) / (QUADRANTS - 1);
    out->angle_error = sqrt(spread);
}

/* Finds the axis, the median angle and the centre of mass. */
static void find_centres(const tru_grain *g, size_t n, tru_repose *out, double *work) {
    double mass = 0.0, moment = 0.0;
    out->axis_x = median_of(g, n, 0, out, work);
    out->axis_y = median_of(g, n, 1, out, work);
    out->median_angle = tru_atan(UNIFORM_CONE * median_of(g, n, 2, out, work) / median_of(g, n, 4, out, work));
    for (size_t i = 0; i < n; i++) mass += g[i].mass, moment += g[i].mass * g[i].z;
    out->centre = moment / mass;
}

tru_status tru_repose_of(const tru_grain *g, size_t n, double reach, tru_repose *out, tru_error *err) {
    if (!g || !out) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_repose_of needs grains and a place for the result");
    if (n < LEAST) return tru_fail(err, TRU_REFUSED, "need at least %d bodies to measure a heap, got %zu", LEAST, n);
    memory m = trui_memory_default();
    double *work = MEM_ARRAY(&m, double, n);
    if (!work) return tru_no_memory(err);
    *out = (tru_repose){0};
    find_centres(g, n, out, work);
    profile p = {.width = 2.0 * median_of(g, n, 3, out, work)};
    median_of(g, n, 4, out, work); /* sorts: the farthest grain is the last */
    const double far = reach > 0.0 && reach < work[n - 1] ? reach : work[n - 1];
    p.rings = (size_t)(far / p.width) + 1;
    trui_mem_release(&m, work, n * sizeof *work);
    p.tops = MEM_ARRAY(&m, double, p.rings *SECTORS);
    if (!p.tops) return tru_no_memory(err);
    fill_profile(&p, g, n, out);
    find_angles(&p, out);
    trui_mem_release(&m, p.tops, p.rings * SECTORS * sizeof *p.tops);
    if (isnan(out->angle))
        return tru_fail(err, TRU_REFUSED, "the bodies do not form a heap: fewer than two rings lie on a flank");
    if (!(out->angle > 0.0))
        return tru_fail(err, TRU_REFUSED,
                        "the bodies do not form a heap: their height does not fall with the distance from the middle");
    return TRU_OK;
}
