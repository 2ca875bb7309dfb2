/* restitution.c: restitution of a spring with a dashpot, and the damping that gives a restitution. */
#include "analysis/restitution.h"

#include "base/assert.h"
#include "math/elementary/elementary.h"

#include <math.h>

/* Returns acos(z) / sqrt(1 - z^2), continued analytically through z = 1. */
static double arc_ratio(double z) {
    const double s = (1.0 - z) * (1.0 + z);
    if (fabs(s) < 0x1p-8) /* asin(r)/r in s = r^2: the next term is below 2^-55 */
        return 1.0 +
               s * (1.0 / 6.0 + s * (3.0 / 40.0 + s * (15.0 / 336.0 + s * (105.0 / 3456.0 + s * (945.0 / 42240.0)))));
    const double r = sqrt(fabs(s));
    return (s > 0.0 ? tru_atan2(r, z) : tru_log(z + r)) / r;
}

double trui_restitution_of_damping(double ratio) { return tru_exp(-2.0 * ratio * arc_ratio(ratio)); }

double trui_damping_of_restitution(double e) {
    const double wanted = -tru_log(fmax(e, RESTITUTION_LEAST));
    double lo = 0.0, hi = 2.0; /* -ln e grows with the ratio; at 2 it is 3.04, above -ln 0.05 */
    if (!(wanted > 0.0)) return 0.0;
    TRU_ASSERT(4.0 * arc_ratio(2.0) > wanted); /* the root is bracketed */
    for (int i = 0; i < 64; i++) {
        const double z = 0.5 * (lo + hi);
        *(2.0 * z * arc_ratio(z) < wanted ? &lo : &hi) = z;
    }
    return 0.5 * (lo + hi);
}

double trui_damping_of_pulling(double e) {
    const double pi = 0x1.921fb54442d18p+1, l = e > 0.0 ? -tru_log(e) : 0.0;
    return e > 0.0 ? l / sqrt(l * l + pi * pi) : 1.0;
}
