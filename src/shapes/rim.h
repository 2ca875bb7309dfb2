/* rim.h: the lowest point of a circle about z over a plane, for the shape disk and for steps of a single disk. */
#ifndef TRUNDLE_SHAPES_RIM_H
#define TRUNDLE_SHAPES_RIM_H

#include "math/vec.h"
#include "shapes/shape.h"

#define RIM_STEEP 0.5 /* [-] slope above which a jump of the lowest point counts as rolling, not landing */

/* Returns the slope s, the cosine of the inclination [-], of a plane with unit normal `up` in shape axes. */
static inline double rim_slope(tru_vec3 up) { return sqrt(up.x * up.x + up.y * up.y); }

/* Returns the lowest point of a circle of radius r about z; if the circle lies flat, the point on the x axis. */
static inline tru_vec3 rim_lowest(double r, tru_vec3 up, double s) {
    TRU_ASSERT(!(s < 0.0 || s > 1.0 + 1e-6));
    if (s < DISK_FLAT) return v3(r, 0.0, 0.0);
    const double f = -r / s;
    return v3(f * up.x, f * up.y, 0.0);
}

/* Returns true if the lowest point jumped to the other side because the disk passed through the flat position. */
static inline bool rim_flipped(tru_vec3 before, tru_vec3 low, double s) {
    return s < RIM_STEEP && before.x * low.x + before.y * low.y < 0.0;
}

#endif
