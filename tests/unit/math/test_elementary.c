/* Elementary functions within 1 ulp of long double libm on millions of points, and their special values. */
#include "check.h"

#include <float.h>

#include "math/elementary/elementary.h"
#include "math/random.h"
#include "draw.h"

enum { POINTS = 1000000 };

/* |ours - exact| in units of the spacing of doubles at exact. */
static double ulps(double ours, long double exact) {
    if (isnan(ours) || isnan(exact)) return isnan(ours) && isnan(exact) ? 0.0 : INFINITY;
    double near = (double)exact;
    if (isinf(ours) || isinf(near)) return ours == near ? 0.0 : INFINITY;
    int e = 0;
    frexp(near, &e);
    return (double)fabsl((ours - exact) / ldexpl(1.0L, e < -1021 ? -1074 : e - 53));
}

typedef double (*function)(double);
typedef long double (*reference)(long double);
typedef double (*argument)(draw *d, int i);

/* The worst error over POINTS arguments, printed and checked against 1 ulp. */
static void sweep(const char *name, function f, reference exact, argument pick, uint64_t id) {
    if (LDBL_MANT_DIG < 64) {
        check_skip("long double is no better than double here");
        return;
    }
    draw d = {check_seed(), id, 0};
    double worst = 0.0, at = 0.0;
    for (int i = 0; i < POINTS; i++) {
        double x = pick(&d, i), u = ulps(f(x), exact(x));
        if (u > worst) worst = u, at = x;
    }
    printf("%s: %.4f ulp at %a\n", name, worst, at);
    check(worst <= 1.0);
    check(worst > 0.4); /* nothing rounds better than this on a million points: the measure works */
}

/* Angles: ordinary, of all sizes, and a few ulps beside multiples of pi/2 */
static double pick_angle(draw *d, int i) {
    if (i % 4 == 0) return draw_in(d, -10.0, 10.0);
    if (i % 4 == 1) return draw_in(d, -0x1p21, 0x1p21);
    if (i % 4 == 2) return draw_wide(d, -40.0, 1024.0);
    double x = 0x1.921fb54442d18p+0 * draw_int(d, i % 8 == 3 ? 16 : 1 << 21);
    for (int k = draw_int(d, 4); k > 0; k--) x = nextafter(x, i % 16 < 8 ? 0.0 : INFINITY);
    return x;
}

static double pick_slope(draw *d, int i) { return i % 2 ? draw_wide(d, -8.0, 8.0) : draw_wide(d, -1022.0, 1022.0); }

static double pick_cosine(draw *d, int i) {
    if (i % 4 == 0) return copysign(1.0 - ldexp(draw_in(d, 0.0, 1.0), -draw_int(d, 50)), draw_in(d, -1.0, 1.0));
    return i % 4 == 1 ? draw_wide(d, -60.0, 0.0) : draw_in(d, -1.0, 1.0);
}

static double pick_exponent(draw *d, int i) {
    if (i % 4 == 0) return draw_wide(d, -60.0, 9.0);
    return i % 4 == 1 ? draw_in(d, -1.0, 1.0) : draw_in(d, -745.2, 709.8);
}

static double pick_positive(draw *d, int i) {
    if (i % 4 == 0) return 1.0 + draw_wide(d, -52.0, -1.0);
    return i % 4 == 1 ? draw_in(d, 0.0, 4.0) : fabs(draw_wide(d, -1074.0, 1024.0));
}

static double pick_any(draw *d, int i) { return i % 2 ? draw_in(d, -8.0, 8.0) : draw_wide(d, -1074.0, 1024.0); }

TEST(sin_accuracy) { sweep("sin", tru_sin, sinl, pick_angle, 1); }
TEST(cos_accuracy) { sweep("cos", tru_cos, cosl, pick_angle, 2); }
TEST(tan_accuracy) { sweep("tan", tru_tan, tanl, pick_angle, 3); }
TEST(atan_accuracy) { sweep("atan", tru_atan, atanl, pick_slope, 4); }
TEST(asin_accuracy) { sweep("asin", tru_asin, asinl, pick_cosine, 5); }
TEST(acos_accuracy) { sweep("acos", tru_acos, acosl, pick_cosine, 6); }
TEST(exp_accuracy) { sweep("exp", tru_exp, expl, pick_exponent, 7); }
TEST(log_accuracy) { sweep("log", tru_log, logl, pick_positive, 8); }
TEST(cbrt_accuracy) { sweep("cbrt", tru_cbrt, cbrtl, pick_any, 9); }

TEST(atan2_accuracy) {
    if (LDBL_MANT_DIG < 64) {
        check_skip("long double is no better than double here");
        return;
    }
    draw d = {check_seed(), 10, 0};
    double worst = 0.0, at[2] = {0.0, 0.0};
    for (int i = 0; i < POINTS; i++) {
        double y = pick_any(&d, i), x = pick_any(&d, i + draw_int(&d, 2));
        if (i % 4 == 0) x = y * draw_wide(&d, -3.0, 3.0);
        double u = ulps(tru_atan2(y, x), atan2l(y, x));
        if (u > worst) worst = u, at[0] = y, at[1] = x;
    }
    printf("atan2: %.4f ulp at %a, %a\n", worst, at[0], at[1]);
    check(worst <= 1.0 && worst > 0.4);
}

static bool same_bits(double a, double b) { return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b); }

/* Zeros keep their sign, infinities and NaN do as annex F of C says, tiny arguments come back. */
TEST(special_values) {
    static const function odd[] = {tru_sin, tru_tan, tru_atan, tru_asin, tru_cbrt};
    for (int k = 0; k < 5; k++) {
        check(same_bits(odd[k](0.0), 0.0) && same_bits(odd[k](-0.0), -0.0));
        check(isnan(odd[k](NAN)));
        if (k < 4) check(odd[k](DBL_TRUE_MIN) == DBL_TRUE_MIN && odd[k](-0x1p-1030) == -0x1p-1030);
    }
    check(isnan(tru_sin(INFINITY)) && isnan(tru_cos(-INFINITY)) && isnan(tru_tan(INFINITY)) && isnan(tru_cos(NAN)));
    check(tru_cos(0.0) == 1.0 && tru_cos(-0x1p-40) == 1.0 && tru_cos(DBL_TRUE_MIN) == 1.0);
    check(tru_atan(INFINITY) == 0x1.921fb54442d18p+0 && tru_atan(-INFINITY) == -0x1.921fb54442d18p+0);
    check(tru_asin(1.0) == 0x1.921fb54442d18p+0 && tru_asin(-1.0) == -0x1.921fb54442d18p+0);
    check(tru_acos(1.0) == 0.0 && tru_acos(-1.0) == 0x1.921fb54442d18p+1 && tru_acos(0.0) == 0x1.921fb54442d18p+0);
    check(isnan(tru_asin(1.0 + DBL_EPSILON)) && isnan(tru_acos(-1.0 - DBL_EPSILON)) && isnan(tru_acos(NAN)));
    check(tru_exp(0.0) == 1.0 && tru_exp(-0.0) == 1.0 && tru_exp(1.0) == 0x1.5bf0a8b145769p+1);
    check(tru_exp(INFINITY) == INFINITY && same_bits(tru_exp(-INFINITY), 0.0) && isnan(tru_exp(NAN)));
    check(tru_exp(0x1.62e42fefa39efp+9) < INFINITY && tru_exp(0x1.62e42fefa39f0p+9) == INFINITY);
    check(tru_exp(-745.13) == DBL_TRUE_MIN && tru_exp(-745.14) == 0.0 && tru_exp(1e300) == INFINITY);
    check(same_bits(tru_log(1.0), 0.0) && tru_log(0.0) == -INFINITY && tru_log(-0.0) == -INFINITY);
    check(isnan(tru_log(-1.0)) && isnan(tru_log(-INFINITY)) && isnan(tru_log(NAN)) && tru_log(INFINITY) == INFINITY);
    check(tru_cbrt(27.0) == 3.0 && tru_cbrt(-0x1p-1074) == -0x1p-358 && tru_cbrt(-INFINITY) == -INFINITY);
}

TEST(special_values_of_atan2) {
    const double pi = 0x1.921fb54442d18p+1;
    check(same_bits(tru_atan2(0.0, 0.0), 0.0) && same_bits(tru_atan2(-0.0, 0.0), -0.0));
    check(tru_atan2(0.0, -0.0) == pi && tru_atan2(-0.0, -1.0) == -pi && same_bits(tru_atan2(-0.0, 1.0), -0.0));
    check(tru_atan2(1.0, 0.0) == pi / 2 && tru_atan2(-DBL_TRUE_MIN, -0.0) == -pi / 2);
    check(tru_atan2(INFINITY, INFINITY) == pi / 4 && tru_atan2(-INFINITY, -INFINITY) == -3 * (pi / 4));
    check(tru_atan2(1.0, -INFINITY) == pi && same_bits(tru_atan2(-1.0, INFINITY), -0.0));
    check(tru_atan2(-INFINITY, 5.0) == -pi / 2 && isnan(tru_atan2(NAN, 1.0)) && isnan(tru_atan2(1.0, NAN)));
    check(tru_atan2(DBL_MAX, DBL_MAX) == pi / 4 && tru_atan2(DBL_TRUE_MIN, DBL_TRUE_MIN) == pi / 4);
    check(same_bits(tru_atan2(DBL_TRUE_MIN, DBL_MAX), 0.0) && tru_atan2(-DBL_TRUE_MIN, -DBL_MAX) == -pi);
}

/* sincos is sin and cos, to the bit. */
TEST(sincos_is_both) {
    draw d = {check_seed(), 11, 0};
    for (int i = 0; i < 100000; i++) {
        double x = pick_angle(&d, i), s, c;
        tru_sincos(x, &s, &c);
        check(same_bits(s, tru_sin(x)) && same_bits(c, tru_cos(x)));
    }
    double s, c;
    tru_sincos(-0.0, &s, &c);
    check(same_bits(s, -0.0) && c == 1.0);
    tru_sincos(INFINITY, &s, &c);
    check(isnan(s) && isnan(c));
}

/* Small angles by their own polynomials: within 2 ulp of the others; large ones the same bits. */
TEST(sincos_of_small_angles) {
    const uint64_t seed = check_seed();
    for (uint64_t i = 0; i < 100000; i++) {
        const double x = (2.0 * tru_random_uniform(seed, i, 0) - 1.0) * (i % 2 ? 0.25 : 3.0);
        double s, c, sine, cosine;
        tru_sincos_small(x, &s, &c);
        tru_sincos(x, &sine, &cosine);
        const double off = fabs(x) <= 0.25 ? 2.0 * 0x1p-52 : 0.0;
        check(fabs(s - sine) <= off * fabs(sine) && fabs(c - cosine) <= off * fabs(cosine));
    }
}

/* The double nearest, relative to its size, to an odd multiple of pi/2; value by mpmath, 1500 bits. */
TEST(hardest_reduction) {
    double x = ldexp(6381956970095103.0, 797);
    check_close(tru_cos(x), -4.687165924254627611122582e-19, 2e-16, 0.0);
    check(tru_sin(x) == 1.0);
    check_close(tru_tan(x), -1.0 / 4.687165924254627611122582e-19, 3e-16, 0.0);
}

/* A length from a volume does not depend on the unit. */
TEST(cbrt_keeps_bits_under_powers_of_eight) {
    draw d = {check_seed(), 12, 0};
    for (int i = 0; i < 10000; i++) {
        double x = draw_wide(&d, -3.0, 3.0);
        int k = draw_int(&d, 600) - 300;
        check(tru_cbrt(ldexp(x, 3 * k)) == ldexp(tru_cbrt(x), k));
    }
}
