/* contensou_set.c: the Contensou set: its meridian in closed form and the nearest point on it. */
#include "laws/set_valued/contensou_set.h"
#include "base/assert.h"

#include "math/elementary/elementary.h"

#include <float.h>
#include <math.h>

meridian trui_contensou_below(double k) {
    const double k2 = k * k;
    return (meridian){CONTENSOU_DRILL * k * (2.0 - 0.5 * k2), CONTENSOU_DRILL * (1.0 + k2 * (0.375 * k2 - 1.0)),
                      CONTENSOU_DRILL * (2.0 - 1.5 * k2)};
}

static meridian far_above(double j) {
    const double y = j * j;
    double xi = 0.0, eta = 0.0, slope = 0.0;
    for (int n = 6; n >= 0; n--) {
        xi = xi * y + contensou_far_xi[n];
        eta = eta * y + contensou_far_eta[n];
        slope = slope * y + 2.0 * (n + 1) * contensou_far_xi[n];
    }
    return (meridian){1.0 - y * xi, j * eta, slope};
}

meridian trui_contensou_above(double j) {
    if (j < CONTENSOU_FAR) return far_above(j);
    const double k = 1.0 / j, k2 = k * k, w = sqrt(1.0 - j * j) * k, a = tru_asin(j);
    meridian m;
    m.xi = 0.75 * ((k - 0.25 * k * k2) * a + 0.25 * w * (k2 + 2.0) * j);
    m.eta = 0.75 * ((0.5 - 0.5 * k2 + 0.1875 * k2 * k2) * a - 0.1875 * w * (k2 - 2.0));
    m.slope = 0.75 * ((1.0 - 0.75 * k2) * a + 0.25 * w * (3.0 - 2.0 * j * j)) * k * k2;
    return m;
}

static bool surely_inside(double a, double b) {
    const bool first =
        b * CONTENSOU_SEAM_XI <= CONTENSOU_DRILL * CONTENSOU_SEAM_XI - (CONTENSOU_DRILL - CONTENSOU_SEAM_ETA) * a;
    const bool second = b * (1.0 - CONTENSOU_SEAM_XI) <= CONTENSOU_SEAM_ETA * (1.0 - a);
    return first && second;
}

/* At the nearest point (a - xi, q (b - eta)) is parallel to the normal (k, 1):
 *   below  f(k) = (a - xi) - q (b - eta) k = 0, decreasing;  above  f(j) = (a - xi) j - q (b - eta) = 0, increasing.
 * For a point outside f is monotone: Newton, kept in a shrinking bracket of [0, 1]. */
static double solve_half(double a, double b, double q, bool above, double t, meridian *at) {
    double lo = 0.0, hi = 1.0;
    for (int i = 0; i < 60; i++) {
        *at = above ? trui_contensou_above(t) : trui_contensou_below(t);
        const double da = a - at->xi, db = q * (b - at->eta);
        const double f = above ? db - da * t : da - db * t;
        const double slope = above ? -(da + at->slope * (t * t + q)) : -(at->slope * (1.0 + q * t * t) + db);
        if (f > 0.0)
            lo = t;
        else
            hi = t;
        TRU_ASSERT(!(lo < 0.0) && !(hi < lo) && !(hi > 1.0));
        double next = t - f / slope;
        if (fabs(next - t) <= 2e-16 + 4e-16 * t || hi - lo <= 2.0 * DBL_EPSILON * hi) break;
        if (!(next > lo && next < hi)) next = 0.5 * (lo + hi);
        t = next;
    }
    return t;
}

contensou_foot trui_contensou_project(double a, double b, double q, double guess) {
    TRU_ASSERT(!(a < 0.0) && !(b < 0.0)); /* q may be negative where a body turns too far in a step */
    contensou_foot foot = {.inside = surely_inside(a, b)};
    if (foot.inside) return foot;
    foot.above = (a - CONTENSOU_SEAM_XI) - q * (b - CONTENSOU_SEAM_ETA) > 0.0;
    double t = foot.above ? 2.0 - guess : guess;
    if (!(t >= 0.0 && t <= 1.0)) t = 0.5;
    foot.t = solve_half(a, b, q, foot.above, t, &foot.at);
    TRU_ASSERT(!(foot.t < 0.0) && !(foot.t > 1.0));
    /* a - xi and q (b - eta) have one sign at the foot; without q the larger of them drowns the other's round-off */
    foot.inside = (a - foot.at.xi) + (b - foot.at.eta) <= 0.0;
    return foot;
}
