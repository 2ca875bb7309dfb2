/* The tests of simd.h for one instruction set, chosen by SIMD_ISA: every lane must have the bits of the scalar code. */
#ifndef TRUNDLE_TESTS_UNIT_MATH_SIMD_CASES_H
#define TRUNDLE_TESTS_UNIT_MATH_SIMD_CASES_H

#include "check.h"

#include "math/simd.h"
#include "unit/math/draw.h"

#if SIMD_ISA == SIMD_GENERIC || SIMD_X86

static bool same_bits(const double *a, const double *b, int n) { return memcmp(a, b, sizeof *a * (size_t)n) == 0; }

/* Numbers of all sizes, with zeros, infinities, NaN and denormals among them. */
static double draw_any(draw *d) {
    static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, 0x1p-1074, -0x1p-1030, 1.0, -1.0};
    uint64_t bits = draw_bits(d);
    if (bits % 8 == 0) return special[bits >> 32 & 7];
    return bits % 8 == 1 ? draw_wide(d, -1000.0, 1000.0) : draw_wide(d, -2.0, 2.0);
}

enum { RESULTS = 11 };

SIMD_TARGET static void by_lanes(const double *x, const double *y, double out[RESULTS][8], unsigned mask[4]) {
    f64x8 a = f64x8_load(x), b = f64x8_load(y);
    f64x8_store(out[0], f64x8_add(a, b));
    f64x8_store(out[1], f64x8_sub(a, b));
    f64x8_store(out[2], f64x8_mul(a, b));
    f64x8_store(out[3], f64x8_div(a, b));
    f64x8_store(out[4], f64x8_min(a, b));
    f64x8_store(out[5], f64x8_max(a, b));
    f64x8_store(out[6], f64x8_abs(a));
    f64x8_store(out[7], f64x8_neg(a));
    f64x8_store(out[8], f64x8_sqrt(f64x8_abs(a)));
    f64x8_store(out[9], f64x8_madd(a, b, f64x8_all(0.1)));
    bool8 less = f64x8_lt(a, b), at_most = f64x8_le(a, b);
    f64x8_store(out[10], f64x8_select(less, a, f64x8_all(7.0)));
    mask[0] = bool8_bits(less);
    mask[1] = bool8_bits(at_most);
    mask[2] = bool8_bits(bool8_and(at_most, bool8_not(less)));
    mask[3] = bool8_bits(bool8_or(less, bool8_not(at_most)));
}

static void by_scalars(const double *x, const double *y, double out[RESULTS][8], unsigned mask[4]) {
    mask[0] = mask[1] = mask[2] = mask[3] = 0;
    for (int i = 0; i < 8; i++) {
        double a = x[i], b = y[i],
               result[RESULTS] = {a + b,   a - b, a * b,         a / b,       a < b ? a : b,  a > b ? a : b,
                                  fabs(a), -a,    sqrt(fabs(a)), a + b * 0.1, a < b ? a : 7.0};
        for (int k = 0; k < RESULTS; k++) out[k][i] = result[k];
        mask[0] |= (unsigned)(a < b) << i;
        mask[1] |= (unsigned)(a <= b) << i;
        mask[2] |= (unsigned)(a <= b && !(a < b)) << i;
        mask[3] |= (unsigned)(a < b || !(a <= b)) << i;
    }
}

TEST(lanes_equal_scalars) {
    if (!simd_supported(SIMD_ISA)) {
        check_skip("this machine lacks the instruction set");
        return;
    }
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 20000; i++) {
        double x[8], y[8], lanes[RESULTS][8], scalars[RESULTS][8];
        unsigned m[4], n[4];
        for (int k = 0; k < 8; k++) x[k] = draw_any(&d), y[k] = draw_any(&d);
        by_lanes(x, y, lanes, m);
        by_scalars(x, y, scalars, n);
        for (int k = 0; k < RESULTS; k++)
            for (int j = 0; j < 8; j++)
                check((isnan(lanes[k][j]) && isnan(scalars[k][j])) || same_bits(&lanes[k][j], &scalars[k][j], 1));
        check(memcmp(m, n, sizeof m) == 0);
    }
}

SIMD_TARGET static void min_max_of_nan(double out[4]) {
    double x[8];
    f64x8 one = f64x8_all(1.0), nan = f64x8_all(NAN);
    f64x8_store(x, f64x8_min(nan, one)), out[0] = x[3];
    f64x8_store(x, f64x8_max(nan, one)), out[1] = x[4];
    f64x8_store(x, f64x8_min(one, nan)), out[2] = x[5];
    out[3] = bool8_bits(bool8_or(f64x8_lt(one, nan), f64x8_le(nan, nan)));
}

TEST(nan_as_documented) {
    if (!simd_supported(SIMD_ISA)) {
        check_skip("this machine lacks the instruction set");
        return;
    }
    double out[4];
    min_max_of_nan(out);
    check(out[0] == 1.0 && out[1] == 1.0 && isnan(out[2]) && out[3] == 0.0);
}

SIMD_TARGET static double turn_rows(double body[16][8], const uint32_t offset[8], double column[8][8]) {
    f64x8 c[8];
    f64x8_load_rows(body, offset, c);
    for (int j = 0; j < 8; j++) f64x8_store(column[j], c[j]);
    c[5] = f64x8_neg(c[5]);
    f64x8_store_rows(body, offset, c);
    return f64x8_sum(c[2]);
}

TEST(rows_to_lanes_and_back) {
    if (!simd_supported(SIMD_ISA)) {
        check_skip("this machine lacks the instruction set");
        return;
    }
    draw d = {check_seed(), 2, 0};
    for (int round = 0; round < 500; round++) {
        double body[16][8], before[16][8], column[8][8], *x = column[2];
        uint32_t offset[8];
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 8; j++) body[i][j] = before[i][j] = draw_in(&d, -1.0, 1.0);
        for (int i = 0, first = draw_int(&d, 16); i < 8; i++) offset[i] = (uint32_t)((first + 5 * i) % 16) * 64;
        double sum = turn_rows(body, offset, column);
        check(sum == ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7])));
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) check(column[j][i] == before[offset[i] / 64][j]);
        for (int i = 0; i < 8; i++) before[offset[i] / 64][5] *= -1.0;
        check(same_bits(body[0], before[0], 128));
    }
}

#else
TEST(instruction_set) { check_skip("not an x86 machine"); }
#endif

#endif
