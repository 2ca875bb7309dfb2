/* Sine, cosine and tangent: exact argument reduction, then minimax polynomials on [-pi/4, pi/4]. */
#include "math/elementary/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "math/elementary/bits.h"
#include "math/elementary/dd.h"

/* An angle x = quadrant pi/2 + (hi + lo), |hi + lo| <= pi/4 and a little; only quadrant mod 4 is kept. */
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

/* 32 binary digits of 2/pi from digit `at` on (digit 0 is worth 1/2); zeros before the point. */
static uint32_t digits(int at) {
    if (at <= -32) return 0;
    if (at < 0) return two_over_pi[0] >> -at;
    int word = at / 32, shift = at % 32;
    uint64_t pair = (uint64_t)two_over_pi[word] << 32 | two_over_pi[word + 1];
    return (uint32_t)(pair >> (32 - shift));
}

/* x mod pi/2 for finite |x| >= 2^-32 by integer arithmetic [Payne, Hanek 1983]. With x = m 2^e, digits of 2/pi worth
   a multiple of 4 after multiplication by 2^e are dropped; the next 192 are kept. No double lies closer than about
   2^-62 of a quadrant to a multiple of pi/2, so at least 70 correct bits remain of the fraction. */
static reduced reduce_exactly(double x) {
    uint64_t bits = bits_of(x);
    int e = (int)(bits >> 52 & 0x7ff) - 1075;
    uint64_t m = (bits & 0xfffffffffffff) | 0x10000000000000;
    enum { WORDS = 6 };
    uint32_t product[WORDS]; /* m times the window, mod 4 units; word 0 is the most significant */
    uint64_t carry_low = 0, carry_high = 0;
    for (int k = WORDS - 1; k >= 0; k--) {
        uint64_t d = digits(e - 2 + 32 * k);
        uint64_t low = d * (m & 0xffffffff) + carry_low;
        uint64_t high = d * (m >> 32) + carry_high + (low >> 32);
        product[k] = (uint32_t)low;
        carry_low = high & 0xffffffff;
        carry_high = high >> 32;
    }
    /* The two leading bits are the quadrant; round it to nearest so that the fraction is in [-1/2, 1/2). */
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
    /* fraction as a sum of two doubles: words 0.. are worth 2^-30, 2^-62, ... */
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

/* x mod pi/2 for finite x. Up to 2^20 quadrants three parts of pi/2 of 33, 33 and 53 bits leave an error below 2^-97;
   the integer path serves larger angles and those where cancellation would make that visible. */
static reduced reduce(double x) {
    const double part1 = 0x1.921fb544p+0, part2 = 0x1.0b4611a6p-34, part3 = 0x1.3198a2e037073p-69;
    const double round_to_integer = 0x1.8p52;
    if (fabs(x) <= 0x1.921fb54442d18p-1) return (reduced){x, 0.0, 0};
    if (!(fabs(x) < 0x1.8p20)) return reduce_exactly(x);
    double n = (x * 0x1.45f306dc9c883p-1 + round_to_integer) - round_to_integer;
    dd r = dd_sum(x - n * part1, -(n * part2));
    r = dd_fast_sum(r.hi, r.lo - n * part3);
    if (fabs(r.hi) < 0x1p-30) return reduce_exactly(x);
    return (reduced){r.hi, r.lo, (unsigned)(int)n & 3};
}

/* sin(hi + lo) as hi plus a small rest; relative error of the polynomial 2^-57.9. */
static double sin_rest(double hi, double lo) {
    double u = hi * hi, v = u * u;
    double p = (-0x1.5555555555548p-3 + u * 0x1.111111110f7c3p-7) +
               v * ((-0x1.a01a019bfc3cfp-13 + u * 0x1.71de35664dd52p-19) +
                    v * (-0x1.ae5e5956fc94ap-26 + u * 0x1.5d8f73d984d34p-33));
    return hi * u * p + lo * (1.0 - 0.5 * u);
}

/* cos(hi + lo) as the pair: 1 - hi^2/2 rounded, and the rest; error of the polynomial 2^-63.9. */
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

/* Both parts are kept as sums of two doubles and divided so, else the three roundings would add up to 2.5 ulp. */
double tru_tan(double x) {
    if (fabs(x) < 0x1p-27) return x;
    if (!isfinite(x)) return x - x;
    reduced r = reduce(x);
    dd s = dd_fast_sum(r.hi, sin_rest(r.hi, r.lo)), c = cos_pair(r.hi, r.lo);
    c = dd_fast_sum(c.hi, c.lo - 0.5 * dd_prod(r.hi, r.hi).lo); /* the rounding of hi^2 counts here */
    bool odd = r.quadrant & 1;
    dd top = odd ? c : s, bottom = odd ? (dd){-s.hi, -s.lo} : c;
    double q = top.hi / bottom.hi;
    double rest = dd_remainder(top.hi, q, bottom.hi) + (top.lo - q * bottom.lo);
    return q + rest / bottom.hi;
}
