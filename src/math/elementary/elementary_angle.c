/* Arc tangent, sine and cosine. */
#include "math/elementary/elementary.h"

#include <math.h>
#include <stdbool.h>

#include "math/elementary/asin_rest.h"
#include "math/elementary/dd.h"

static const dd half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const dd whole_pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

/* atan(k/16) for k = 3..16 */
static const dd atan_of_16ths[14] = {
    {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},  {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57}, {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56}, {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56}, {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},  {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},  {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56}, {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};

/* atan(t) - t for |t| <= 0.1563; relative error of the minimax polynomial 2^-69 of t. */
static double atan_rest(double t) {
    double u = t * t, v = u * u;
    double low =
        (-0x1.5555555555555p-2 + u * 0x1.99999999998a8p-3) + v * (-0x1.24924924776ffp-3 + u * 0x1.c71c7198f4d2dp-4);
    double high =
        (-0x1.745d014dbd66dp-4 + u * 0x1.3b0d966a89686p-4) + v * (-0x1.101434af110aep-4 + u * 0x1.b577b02375590p-5);
    return t * u * (low + v * v * high);
}

/* atan(q.hi + q.lo) for 0 <= q <= 1: the nearest sixteenth c is taken off by atan q = atan c + atan((q-c)/(1+q c)).
   Only from 5/32 on, so that the rest is at most a fifth of the result and its roundings stay below those of the sum.
 */
static dd atan_unit(dd q) {
    if (q.hi < 0.15625) return (dd){q.hi, q.lo + atan_rest(q.hi)};
    int k = (int)(16.0 * q.hi + 0.5);
    double c = 0.0625 * k, t = ((q.hi - c) + q.lo) / (1.0 + c * q.hi);
    dd base = atan_of_16ths[k - 3], sum = dd_fast_sum(base.hi, t);
    return (dd){sum.hi, sum.lo + (base.lo + atan_rest(t))};
}

/* a - b */
static dd minus(dd a, dd b) {
    dd s = dd_sum(a.hi, -b.hi);
    return (dd){s.hi, s.lo + (a.lo - b.lo)};
}

/* a / b with its rest, 0 <= a <= b */
static dd quotient(double a, double b) {
    double q = a / b;
    return (dd){q, dd_remainder(a, q, b) / b};
}

double tru_atan(double x) {
    double a = fabs(x);
    if (isnan(x) || a < 0x1p-27) return x;
    dd r = half_pi;
    if (a <= 1.0)
        r = atan_unit((dd){a, 0.0});
    else if (a < 0x1p60)
        r = minus(half_pi, atan_unit(quotient(1.0, a)));
    return copysign(r.hi + r.lo, x);
}

/* atan2 of zeros and infinities: only directions in steps of pi/4 remain. */
static double atan2_of_limits(double y, double x) {
    bool left = signbit(x);
    double r;
    if (isinf(x) && isinf(y))
        r = left ? 3.0 * 0x1.921fb54442d18p-1 : 0x1.921fb54442d18p-1;
    else if (isinf(x) || y == 0.0)
        r = left ? whole_pi.hi : 0.0;
    else
        r = half_pi.hi;
    return copysign(r, y);
}

double tru_atan2(double y, double x) {
    if (isnan(x) || isnan(y)) return x + y;
    double ax = fabs(x), ay = fabs(y), large = fmax(ax, ay), small = fmin(ax, ay);
    if (small == 0.0 || isinf(large)) return atan2_of_limits(y, x);
    /* x > 0 and far larger: the angle is the slope, denormal or not */
    if (x > 0.0 && ay < 0x1p-60 * ax) return y / x;
    double scale = large > 0x1p500 ? 0x1p-600 : large < 0x1p-400 ? 0x1p600 : 1.0;
    dd r = atan_unit(quotient(scale * small, scale * large));
    if (ay > ax) r = minus(half_pi, r);
    if (x < 0.0) r = minus(whole_pi, r);
    return copysign(r.hi + r.lo, y);
}

/* asin(t) - t for |t| <= 1/2, u = t^2 */
static double asin_rest(double t, double u) {
    const double *c = asin_rest_of, v = u * u, w = v * v;
    const double p0 = (c[0] + u * c[1]) + v * (c[2] + u * c[3]), p1 = (c[4] + u * c[5]) + v * (c[6] + u * c[7]);
    const double p2 = (c[8] + u * c[9]) + v * (c[10] + u * c[11]);
    return t * u * (p0 + w * (p1 + w * (p2 + w * c[12])));
}

/* 2 asin(sqrt((1 - a)/2)) = acos(a) for 1/2 <= a <= 1; 1 - a is exact there. */
static dd acos_near_one(double a) {
    double u = 0.5 * (1.0 - a), s = sqrt(u);
    if (s == 0.0) return (dd){0.0, 0.0};
    double rest = dd_remainder(u, s, s) / (2.0 * s); /* sqrt(u) = s + rest */
    return (dd){2.0 * s, 2.0 * (rest * (1.0 + 0.5 * u) + asin_rest(s, u))};
}

double tru_asin(double x) {
    double a = fabs(x);
    if (a < 0x1p-27) return x;
    if (!(a <= 1.0)) return (x - x) / (x - x);
    if (a <= 0.5) return x + asin_rest(x, x * x);
    dd r = minus(half_pi, acos_near_one(a));
    return copysign(r.hi + r.lo, x);
}

double tru_acos(double x) {
    double a = fabs(x);
    if (!(a <= 1.0)) return (x - x) / (x - x);
    dd r;
    if (a <= 0.5)
        r = minus(half_pi, (dd){x, asin_rest(x, x * x)});
    else
        r = x > 0.0 ? acos_near_one(a) : minus(whole_pi, acos_near_one(a));
    return r.hi + r.lo;
}
