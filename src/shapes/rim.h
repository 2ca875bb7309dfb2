/* rim.h: the lowest point of a circle about z over a plane, for the shape disk and for steps that know they have a rim. */
#ifndef TRUNDLE_SHAPES_RIM_H
#define TRUNDLE_SHAPES_RIM_H

#include "math/vec.h"
#include "shapes/shape.h"

#define RIM_STEEP 0.5 /* [-] s above which a jump of the lowest point is rolling, not landing */

/* s: cosine of the inclination of a plane with normal `up` (unit, shape axes). [-] */
static inline double rim_slope(tru_vec3 up) { return sqrt(up.x * up.x + up.y * up.y); }

/* The lowest point of a circle of radius r about z, towards x when flat. */
static inline tru_vec3 rim_lowest(double r, tru_vec3 up, double s) {
    if (s < DISK_FLAT) return v3(r, 0.0, 0.0);
    const double f = -r / s;
    return v3(f * up.x, f * up.y, 0.0);
}

/* Has the lowest point jumped to the other side: did the disk pass through flat? */
static inline bool rim_flipped(tru_vec3 before, tru_vec3 low, double s) {
    return s < RIM_STEEP && before.x * low.x + before.y * low.y < 0.0;
}

#endif
