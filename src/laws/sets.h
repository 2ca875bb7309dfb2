/* sets.h: the two convex sets that dry laws are made of, a disc and an interval, with projection and derivatives. */
#ifndef TRUNDLE_LAWS_SETS_H
#define TRUNDLE_LAWS_SETS_H

#include <trundle/plugin.h>

#include <math.h>

enum { ROW_SLIDE = 0, ROW_SPIN = 2, ROW_ROLL = 3 }; /* first friction row of each kind */
#define STICK_SLACK 1e-9 /* [-] a reaction this much beyond its limit still counts as stuck */

/* Rows [row, row+1] of a section onto the disc of radius c p_n. A kind has one metric scalar, so the disc stays round.
 */
static inline void disc_section(double c, int row, tru_section *s) {
    const double radius = c * s->normal, x0 = s->x[row], x1 = s->x[row + 1];
    const double size2 = x0 * x0 + x1 * x1;
    const bool inside = size2 <= radius * radius;
    const double size = inside ? 0.0 : sqrt(size2);
    const double e0 = inside ? 0.0 : x0 / size, e1 = inside ? 0.0 : x1 / size;
    const double slack = radius * (1.0 + STICK_SLACK);
    s->y[row] = inside ? x0 : radius * e0;
    s->y[row + 1] = inside ? x1 : radius * e1;
    if (radius > 0.0 && size2 <= slack * slack)
        s->stuck |= TRU_KIND_BIT(row == ROW_SLIDE ? TRU_KIND_SLIDE : TRU_KIND_ROLL);
    if (s->dx) {
        const double k = inside ? 1.0 : radius / size;
        double *d = s->dx + row * TRU_FRICTION_ROWS + row;
        d[0] = k * (1.0 - e0 * e0);
        d[1] = d[TRU_FRICTION_ROWS] = -k * e0 * e1;
        d[TRU_FRICTION_ROWS + 1] = k * (1.0 - e1 * e1);
    }
    if (s->dn) {
        s->dn[row] = c * e0;
        s->dn[row + 1] = c * e1;
    }
}

/* One row onto the interval [-c p_n, c p_n]. */
static inline void interval_section(double c, int row, tru_section *s) {
    const double limit = c * s->normal, x = s->x[row];
    const bool inside = fabs(x) <= limit;
    s->y[row] = inside ? x : copysign(limit, x);
    if (limit > 0.0 && fabs(x) <= limit * (1.0 + STICK_SLACK)) s->stuck |= TRU_KIND_BIT(TRU_KIND_SPIN);
    if (s->dx) s->dx[row * TRU_FRICTION_ROWS + row] = inside ? 1.0 : 0.0;
    if (s->dn) s->dn[row] = inside ? 0.0 : copysign(c, x);
}

#endif
