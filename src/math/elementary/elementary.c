/* elementary.c: sine to cube root from + - * /, sqrt and moves of bits, so that every machine gives the same bits. */
#include "math/elementary/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/assert.h"
#include "math/elementary/asin_rest.h"
#include "math/elementary/bits.h"
#include "math/elementary/dd.h"

/* ---- sine, cosine and tangent: argument reduction to [-pi/4, pi/4], then minimax polynomials ---- */

/* An angle x = quadrant * pi/2 + (hi + lo) with |hi + lo| <= pi/4 up to rounding; quadrant is taken modulo 4. */
typedef struct reduced {
    double hi, lo;
    unsigned quadrant;
} reduced;

/* The first 1280 binary digits of 2/pi. */
static const uint32_t two_over_pi[40] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};

/* Returns 32 binary digits of 2/pi from digit `at` on. Digit 0 is worth 1/2; digits before the point are zeros. */
static uint32_t digits(int at) {
    TRU_ASSERT(at / 32 + 1 < 40);
    if (at <= -32) return 0;
    if (at < 0) return two_over_pi[0] >> -at;
    int word = at / 32, shift = at % 32;
    uint64_t pair = (uint64_t)two_over_pi[word] << 32 | two_over_pi[word + 1];
    return (uint32_t)(pair >> (32 - shift));
}

/* Reduces a finite x, |x| >= 2^-32, by integer arithmetic [Payne, Hanek 1983]. With x = m 2^e, the digits of 2/pi that are worth a
   multiple of 4 after multiplication by 2^e do not matter; the next 192 are used. No double is closer than about 2^-62 of a quadrant
   to a multiple of pi/2, so the fraction has at least 70 correct bits. */
static reduced reduce_exactly(double x) {
    uint64_t bits = bits_of(x);
    int e = (int)(bits >> 52 & 0x7ff) - 1075;
    uint64_t m = (bits & 0xfffffffffffff) | 0x10000000000000;
    enum { WORDS = 6 };
    uint32_t product[WORDS]; /* m times the 192 digits, modulo 4; word 0 is the most significant */
    uint64_t carry_low = 0, carry_high = 0;
    for (int k = WORDS - 1; k >= 0; k--) {
        uint64_t d = digits(e - 2 + 32 * k);
        uint64_t low = d * (m & 0xffffffff) + carry_low;
        uint64_t high = d * (m >> 32) + carry_high + (low >> 32);
        product[k] = (uint32_t)low;
        carry_low = high & 0xffffffff;
        carry_high = high >> 32;
    }
    /* The two leading bits are the quadrant. It is rounded to the nearest, so that the fraction is in [-1/2, 1/2). */
    unsigned quadrant = product[0] >> 30;
    bool negative = product[0] >> 29 & 1;
    product[0] &= 0x3fffffff;
    if (negative) {
        quadrant++;
        uint64_t borrow = 0;
        for (int k = WORDS - 1; k >= 0; k--) {
            uint64_t top = k == 0 ? 0x40000000 : 0;
            uint64_t d = top - product[k] - borrow;
            product[k] = (uint32_t)d;
            borrow = d >> 63;
        }
    }
    /* The fraction as a sum of two doubles; the words are worth 2^-30, 2^-62, ... */
    double f = 0.0, g = 0.0, unit = 0x1p-30;
    for (int k = 0; k < WORDS; k++, unit *= 0x1p-32) {
        dd s = dd_sum(f, product[k] * unit);
        f = s.hi;
        g += s.lo;
    }
    const double half_pi_hi = 0x1.921fb54442d18p+0, half_pi_lo = 0x1.1a62633145c07p-54;
    dd p = dd_prod(f, half_pi_hi);
    dd r = dd_fast_sum(p.hi, p.lo + (f * half_pi_lo + g * half_pi_hi));
    bool flip = negative != (x < 0.0);
    if (x < 0.0) quadrant = 0u - quadrant;
    return (reduced){flip ? -r.hi : r.hi, flip ? -r.lo : r.lo, quadrant & 3};
}

/* Reduces a finite x. Up to 2^20 quadrants, three parts of pi/2 with 33, 33 and 53 bits leave an error below 2^-97. The integer
   arithmetic above is used for larger angles, and where cancellation would make that error visible. */
static reduced reduce(double x) {
    const double part1 = 0x1.921fb544p+0, part2 = 0x1.0b4611a6p-34, part3 = 0x1.3198a2e037073p-69;
    const double round_to_integer = 0x1.8p52;
    if (fabs(x) <= 0x1.921fb54442d18p-1) return (reduced){x, 0.0, 0};
    if (!(fabs(x) < 0x1.8p20)) return reduce_exactly(x);
    double n = (x * 0x1.45f306dc9c883p-1 + round_to_integer) - round_to_integer;
    dd r = dd_sum(x - n * part1, -(n * part2));
    r = dd_fast_sum(r.hi, r.lo - n * part3);
    if (fabs(r.hi) < 0x1p-30) return reduce_exactly(x);
    TRU_ASSERT(fabs(r.hi) <= 0.7854);
    return (reduced){r.hi, r.lo, (unsigned)(int)n & 3};
}

/* Returns sin(hi + lo) - hi; the relative error of the polynomial is 2^-57.9. */
static double sin_rest(double hi, double lo) {
    double u = hi * hi, v = u * u;
    double p = (-0x1.5555555555548p-3 + u * 0x1.111111110f7c3p-7) +
               v * ((-0x1.a01a019bfc3cfp-13 + u * 0x1.71de35664dd52p-19) +
                    v * (-0x1.ae5e5956fc94ap-26 + u * 0x1.5d8f73d984d34p-33));
    return hi * u * p + lo * (1.0 - 0.5 * u);
}

/* Returns cos(hi + lo) as a pair: 1 - hi^2/2 rounded, and the remainder. The error of the polynomial is 2^-63.9. */
static dd cos_pair(double hi, double lo) {
    double u = hi * hi, v = u * u, half = 0.5 * u;
    double p = (0x1.555555555554bp-5 - u * 0x1.6c16c16c14f83p-10) +
               v * ((0x1.a01a019c82d31p-16 - u * 0x1.27e4f7e9aac6dp-22) +
                    v * (0x1.1ee9d6f078e3cp-29 - u * 0x1.8fa431f213c51p-37));
    double w = 1.0 - half;
    return (dd){w, ((1.0 - w) - half) + (v * p - hi * lo)};
}

static double sin_reduced(double hi, double lo) { return hi + sin_rest(hi, lo); }

static double cos_reduced(double hi, double lo) {
    dd c = cos_pair(hi, lo);
    return c.hi + c.lo;
}

double tru_sin(double x) {
    if (fabs(x) < 0x1p-27) return x;
    if (!isfinite(x)) return x - x;
    reduced r = reduce(x);
    double y = r.quadrant & 1 ? cos_reduced(r.hi, r.lo) : sin_reduced(r.hi, r.lo);
    return r.quadrant & 2 ? -y : y;
}

double tru_cos(double x) {
    if (!isfinite(x)) return x - x;
    reduced r = reduce(x);
    double y = r.quadrant & 1 ? sin_reduced(r.hi, r.lo) : cos_reduced(r.hi, r.lo);
    return (r.quadrant + 1) & 2 ? -y : y;
}

void tru_sincos(double x, double *sine, double *cosine) {
    if (fabs(x) < 0x1p-27 || !isfinite(x)) {
        *sine = x - (isfinite(x) ? 0.0 : x);
        *cosine = 1.0 + (isfinite(x) ? 0.0 : *sine);
        return;
    }
    reduced r = reduce(x);
    double s = sin_reduced(r.hi, r.lo), c = cos_reduced(r.hi, r.lo);
    double a = r.quadrant & 1 ? c : s, b = r.quadrant & 1 ? s : c;
    *sine = r.quadrant & 2 ? -a : a;
    *cosine = (r.quadrant + 1) & 2 ? -b : b;
}

/* Sine and cosine are divided as sums of two doubles, since three roundings would add up to 2.5 ulp. */
double tru_tan(double x) {
    if (fabs(x) < 0x1p-27) return x;
    if (!isfinite(x)) return x - x;
    reduced r = reduce(x);
    dd s = dd_fast_sum(r.hi, sin_rest(r.hi, r.lo)), c = cos_pair(r.hi, r.lo);
    c = dd_fast_sum(c.hi, c.lo - 0.5 * dd_prod(r.hi, r.hi).lo); /* the rounding of hi^2 is visible in a quotient */
    bool odd = r.quadrant & 1;
    dd top = odd ? c : s, bottom = odd ? (dd){-s.hi, -s.lo} : c;
    double q = top.hi / bottom.hi;
    double rest = dd_remainder(top.hi, q, bottom.hi) + (top.lo - q * bottom.lo);
    return q + rest / bottom.hi;
}

/* ---- arc tangent, arc sine and arc cosine ---- */

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

/* Returns atan(t) - t for |t| <= 0.1563; the error of the minimax polynomial is 2^-69 t. */
static double atan_rest(double t) {
    TRU_ASSERT(fabs(t) <= 0.15626);
    double u = t * t, v = u * u;
    double low =
        (-0x1.5555555555555p-2 + u * 0x1.99999999998a8p-3) + v * (-0x1.24924924776ffp-3 + u * 0x1.c71c7198f4d2dp-4);
    double high =
        (-0x1.745d014dbd66dp-4 + u * 0x1.3b0d966a89686p-4) + v * (-0x1.101434af110aep-4 + u * 0x1.b577b02375590p-5);
    return t * u * (low + v * v * high);
}

/* Returns atan(q.hi + q.lo) for 0 <= q <= 1. From 5/32 on, the nearest sixteenth c is removed by
   atan q = atan c + atan((q - c) / (1 + q c)). Then the second term is at most a fifth of the result, and its rounding errors are
   below those of the sum. */
static dd atan_unit(dd q) {
    TRU_ASSERT(q.hi >= 0.0 && q.hi <= 1.0);
    if (q.hi < 0.15625) return (dd){q.hi, q.lo + atan_rest(q.hi)};
    int k = (int)(16.0 * q.hi + 0.5);
    double c = 0.0625 * k, t = ((q.hi - c) + q.lo) / (1.0 + c * q.hi);
    TRU_ASSERT(k >= 3 && k <= 16);
    dd base = atan_of_16ths[k - 3], sum = dd_fast_sum(base.hi, t);
    return (dd){sum.hi, sum.lo + (base.lo + atan_rest(t))};
}

/* Returns a - b. */
static dd minus(dd a, dd b) {
    dd s = dd_sum(a.hi, -b.hi);
    return (dd){s.hi, s.lo + (a.lo - b.lo)};
}

/* Returns a / b with the remainder of the rounded quotient, for 0 <= a <= b. */
static dd quotient(double a, double b) {
    TRU_ASSERT(a >= 0.0 && a <= b);
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

/* Returns atan2 if an argument is zero or infinite. The result is a multiple of pi/4. */
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
    /* for x > 0 and much larger than |y| the angle equals the slope, even if it is denormal */
    if (x > 0.0 && ay < 0x1p-60 * ax) return y / x;
    double scale = large > 0x1p500 ? 0x1p-600 : large < 0x1p-400 ? 0x1p600 : 1.0;
    dd r = atan_unit(quotient(scale * small, scale * large));
    if (ay > ax) r = minus(half_pi, r);
    if (x < 0.0) r = minus(whole_pi, r);
    return copysign(r.hi + r.lo, y);
}

/* Returns asin(t) - t for |t| <= 1/2 and u = t^2. */
static double asin_rest(double t, double u) {
    const double *c = asin_rest_of, v = u * u, w = v * v;
    const double p0 = (c[0] + u * c[1]) + v * (c[2] + u * c[3]), p1 = (c[4] + u * c[5]) + v * (c[6] + u * c[7]);
    const double p2 = (c[8] + u * c[9]) + v * (c[10] + u * c[11]);
    return t * u * (p0 + w * (p1 + w * (p2 + w * c[12])));
}

/* Returns acos(a) = 2 asin(sqrt((1 - a)/2)) for 1/2 <= a <= 1, where 1 - a is exact. */
static dd acos_near_one(double a) {
    TRU_ASSERT(a >= 0.5 && a <= 1.0);
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

/* ---- exponential function, natural logarithm and cube root ---- */

/* ln 2 in two parts; the first has 42 bits, so that its multiples up to 2^11 are exact */
static const dd ln2 = {0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45};

/* Returns e^r - 1 - r for |r| <= ln(2)/2; the error of the minimax polynomial is 2^-62. */
static double exp_rest(double r) {
    TRU_ASSERT(fabs(r) <= 0.3466);
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
    /* The first product is exact. The second rounds once, to a denormal number or to infinity. */
    return y * bits_power(k / 2) * bits_power(k - k / 2);
}

/* Uses log m = 2 atanh(s) with s = (m - 1)/(m + 1) as a sum of two doubles. |s| <= 0.172, so that the terms beyond 2 s are below 1 % of
   it; their minimax polynomial has an error of 2^-59. */
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

/* Splits x = 8^k 2^j m with 1 <= m < 2. A quadratic polynomial gives m^(1/3) with an error of 2^-10.6, one step of Halley's method
   2^-31, and one step of Newton's method with the cube to 106 bits the result. */
double tru_cbrt(double x) {
    static const double root[3] = {1.0, 0x1.428a2f98d728bp+0, 0x1.965fea53d6e3dp+0};
    if (x == 0.0 || !isfinite(x)) return x;
    int e;
    double m = bits_split(x, &e);
    int k = (e + 1200) / 3 - 400, j = e - 3 * k; /* the sum e + 1200 is positive, since e >= -1074 */
    TRU_ASSERT(j >= 0 && j < 3);
    double r = root[j] * (0x1.3e370501fdc0fp-1 + m * (0x1.c1fd1232fb7c4p-2 - m * 0x1.ee23043518b45p-5));
    m *= bits_power(j);
    double cube = r * r * r;
    r *= (cube + 2.0 * m) / (2.0 * cube + m);
    dd square = dd_prod(r, r), third = dd_prod(square.hi, r);
    r += (((m - third.hi) - third.lo) - square.lo * r) / (3.0 * square.hi);
    return copysign(r * bits_power(k), x);
}
