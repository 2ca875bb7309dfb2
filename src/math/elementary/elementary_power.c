/* Exponential, natural logarithm and cube root. */
#include "math/elementary/elementary.h"

#include <math.h>

#include "math/elementary/bits.h"
#include "math/elementary/dd.h"

/* ln 2: 42 bits, so that multiples up to 2^11 are exact, and the rest */
static const dd ln2 = {0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45};

/* e^r - 1 - r for |r| <= ln(2)/2; error of the minimax polynomial 2^-62. */
static double exp_rest(double r) {
    double u = r * r, v = u * u;
    double p0 = (0.5 + r * 0x1.5555555555557p-3) + u * (0x1.5555555555558p-5 + r * 0x1.11111111100bdp-7);
    double p1 =
        (0x1.6c16c16c151cdp-10 + r * 0x1.a01a01abf87e6p-13) + u * (0x1.a01a01ad0c616p-16 + r * 0x1.71de01fd53287p-19);
    double p2 = (0x1.27e4cca352ec7p-22 + r * 0x1.af4e561852f0ap-26) + u * 0x1.1f8b948b1907ep-29;
    return u * (p0 + v * (p1 + v * p2));
}

double tru_exp(double x) {
    const double round_to_integer = 0x1.8p52;
    if (isnan(x)) return x;
    if (x > 710.0) return INFINITY;
    if (x < -746.0) return 0.0;
    double n = (x * 0x1.71547652b82fep+0 + round_to_integer) - round_to_integer;
    dd r = dd_fast_sum(x - n * ln2.hi, -(n * ln2.lo));
    dd s = dd_fast_sum(1.0, r.hi);
    double y = s.hi + (s.lo + (r.lo * s.hi + exp_rest(r.hi)));
    int k = (int)n;
    if (k >= -1021 && k <= 1023) return y * bits_power(k);
    /* the first product is exact, the second rounds once, to a denormal or to infinity */
    return y * bits_power(k / 2) * bits_power(k - k / 2);
}

/* log m = 2 atanh(s), s = (m - 1)/(m + 1) kept as a sum of two doubles: |s| <= 0.172 leaves a rest below 1 % of 2 s,
   whose minimax polynomial errs by 2^-59. */
double tru_log(double x) {
    if (isnan(x) || x == INFINITY) return x;
    if (x <= 0.0) return x == 0.0 ? -INFINITY : (x - x) / (x - x);
    int e;
    double m = bits_split(x, &e);
    if (m > 0x1.6a09e667f3bcdp+0) m *= 0.5, e++;
    double top = m - 1.0, n = e;
    dd bottom = dd_sum(m, 1.0);
    double s = top / bottom.hi;
    double s_lo = (dd_remainder(top, s, bottom.hi) - s * bottom.lo) / bottom.hi;
    double u = s * s, v = u * u;
    double low =
        (0x1.5555555555593p-1 + u * 0x1.999999997fb30p-2) + v * (0x1.2492494217b99p-2 + u * 0x1.c71c51e7e4f4ep-3);
    double high = (0x1.7466462ff8eb0p-3 + u * 0x1.39a0f4b346166p-3) + v * 0x1.2f0d916051a1dp-3;
    dd sum = dd_fast_sum(n * ln2.hi, 2.0 * s);
    return sum.hi + (sum.lo + (n * ln2.lo + (2.0 * s_lo + s * u * (low + v * v * high))));
}

/* x = 8^k 2^j m, 1 <= m < 2: a quadratic guess of m^(1/3) (error 2^-10.6), one step of Halley (2^-31), and one of
   Newton with the cube to 106 bits. */
double tru_cbrt(double x) {
    static const double root[3] = {1.0, 0x1.428a2f98d728bp+0, 0x1.965fea53d6e3dp+0};
    if (x == 0.0 || !isfinite(x)) return x;
    int e;
    double m = bits_split(x, &e);
    int k = (e + 1200) / 3 - 400, j = e - 3 * k; /* e >= -1074 */
    double r = root[j] * (0x1.3e370501fdc0fp-1 + m * (0x1.c1fd1232fb7c4p-2 - m * 0x1.ee23043518b45p-5));
    m *= bits_power(j);
    double cube = r * r * r;
    r *= (cube + 2.0 * m) / (2.0 * cube + m);
    dd square = dd_prod(r, r), third = dd_prod(square.hi, r);
    r += (((m - third.hi) - third.lo) - square.lo * r) / (3.0 * square.hi);
    return copysign(r * bits_power(k), x);
}
