/* The tests of simd.h for one instruction set, chosen by SIMD_ISA: every lane must have the bits of the scalar code. */
#ifndef TRUNDLE_TESTS_UNIT_MATH_SIMD_CASES_H
#define TRUNDLE_TESTS_UNIT_MATH_SIMD_CASES_H

#include "check.h"

#include "lanes/simd.h"
#include "draw.h"

#if SIMD_ISA == SIMD_GENERIC || SIMD_X86

static bool same_bits(const double *a, const double *b, int n) { return memcmp(a, b, sizeof *a * (size_t)n) == 0; }

/* Numbers of all sizes, with zeros, infinities, NaN and denormals among them. */
static double draw_any(draw *d) {
    static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, 0x1p-1074, -0x1p-1030, 1.0, -1.0};
    uint64_t bits = draw_bits(d);
    if (bits % 8 == 0) return special[bits >> 32 & 7];
    return bits % 8 == 1 ? draw_wide(d, -1000.0, 1000.0) : draw_wide(d, -2.0, 2.0);
}

enum { RESULTS = 14 };

/* Eight numbers, SIMD_LANES at a time from `at` on. */
SIMD_TARGET static void by_lanes(const double *x, const double *y, int at, double out[RESULTS][8], unsigned mask[4]) {
    f64xn a = f64xn_load(x + at), b = f64xn_load(y + at);
    f64xn_store(out[0] + at, f64xn_add(a, b));
    f64xn_store(out[1] + at, f64xn_sub(a, b));
    f64xn_store(out[2] + at, f64xn_mul(a, b));
    f64xn_store(out[3] + at, f64xn_div(a, b));
    f64xn_store(out[4] + at, f64xn_min(a, b));
    f64xn_store(out[5] + at, f64xn_max(a, b));
    f64xn_store(out[6] + at, f64xn_abs(a));
    f64xn_store(out[7] + at, f64xn_neg(a));
    f64xn_store(out[8] + at, f64xn_sqrt(f64xn_abs(a)));
    f64xn_store(out[9] + at, f64xn_madd(a, b, f64xn_all(0.1)));
    boolxn less = f64xn_lt(a, b), at_most = f64xn_le(a, b);
    f64xn_store(out[10] + at, f64xn_select(less, a, f64xn_all(7.0)));
    f64xn_store(out[11] + at, f64xn_where(less, a));
    f64xn_store(out[12] + at, f64xn_halves(x[0], x[1], at));
    f64xn_store(out[13] + at, f64xn_msub(a, b, f64xn_all(0.1)));
    mask[0] |= boolxn_bits(less) << at;
    mask[1] |= boolxn_bits(at_most) << at;
    mask[2] |= boolxn_bits(boolxn_and(at_most, boolxn_not(less))) << at;
    mask[3] |= boolxn_bits(boolxn_or(less, boolxn_not(at_most))) << at;
}

static void by_scalars(const double *x, const double *y, double out[RESULTS][8], unsigned mask[4]) {
    mask[0] = mask[1] = mask[2] = mask[3] = 0;
    for (int i = 0; i < 8; i++) {
        double
            a = x[i],
            b = y[i],
            result[RESULTS] = {
                a + b, a - b,         a * b,       a / b,           a < b ? a : b,   a > b ? a : b,       fabs(a),
                -a,    sqrt(fabs(a)), a + b * 0.1, a < b ? a : 7.0, a < b ? a : 0.0, i < 4 ? x[0] : x[1], a - b * 0.1};
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
        unsigned m[4] = {0, 0, 0, 0}, n[4];
        for (int k = 0; k < 8; k++) x[k] = draw_any(&d), y[k] = draw_any(&d);
        for (int at = 0; at < 8; at += SIMD_LANES) by_lanes(x, y, at, lanes, m);
        by_scalars(x, y, scalars, n);
        for (int k = 0; k < RESULTS; k++)
            for (int j = 0; j < 8; j++)
                check((isnan(lanes[k][j]) && isnan(scalars[k][j])) || same_bits(&lanes[k][j], &scalars[k][j], 1));
        check(memcmp(m, n, sizeof m) == 0);
    }
}

SIMD_TARGET static void min_max_of_nan(double out[4]) {
    double x[8];
    f64xn one = f64xn_all(1.0), nan = f64xn_all(NAN);
    f64xn_store(x, f64xn_min(nan, one)), out[0] = x[3];
    f64xn_store(x, f64xn_max(nan, one)), out[1] = x[2];
    f64xn_store(x, f64xn_min(one, nan)), out[2] = x[1];
    out[3] = boolxn_bits(boolxn_or(f64xn_lt(one, nan), f64xn_le(nan, nan)));
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

/* Columns of the rows, and the rows with column 5 added twice and column 2 taken away. */
SIMD_TARGET static void turn_rows(double body[16][8], const uint32_t offset[8], double column[8][8]) {
    for (int at = 0; at < 8; at += SIMD_LANES) {
        f64xn c[8], d[8], zero = f64xn_all(0.0);
        f64xn_load_rows(body, offset + at, c);
        for (int j = 0; j < 8; j++) f64xn_store(column[j] + at, c[j]), d[j] = zero;
        d[5] = f64xn_add(c[5], c[5]);
        f64xn_add_rows(body, offset + at, d);
        d[5] = zero;
        d[2] = c[2];
        f64xn_sub_rows(body, offset + at, d);
    }
}

TEST(rows_to_lanes_and_back) {
    if (!simd_supported(SIMD_ISA)) {
        check_skip("this machine lacks the instruction set");
        return;
    }
    draw d = {check_seed(), 2, 0};
    for (int round = 0; round < 500; round++) {
        double body[16][8], before[16][8], column[8][8];
        uint32_t offset[8];
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 8; j++) body[i][j] = before[i][j] = draw_in(&d, -1.0, 1.0);
        for (int i = 0, first = draw_int(&d, 16); i < 8; i++) offset[i] = (uint32_t)((first + 5 * i) % 16) * 64;
        turn_rows(body, offset, column);
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) check(column[j][i] == before[offset[i] / 64][j]);
        for (int i = 0; i < 8; i++) before[offset[i] / 64][5] *= 3.0, before[offset[i] / 64][2] = 0.0;
        check(same_bits(body[0], before[0], 128));
    }
}

/* ---- floats */

enum { RESULTS32 = 10 };

SIMD_TARGET static void by_lanes32(const float *x, const float *y, float out[RESULTS32][8], double wide[8]) {
    const f32xn a = f32xn_load(x), b = f32xn_load(y);
    const f32xn result[RESULTS32] = {f32xn_add(a, b), f32xn_sub(a, b),
                                     f32xn_mul(a, b), f32xn_div(a, b),
                                     f32xn_min(a, b), f32xn_max(a, b),
                                     f32xn_abs(a),    f32xn_neg(a),
                                     f32xn_sqrt(b),   f32xn_where(f32xn_lt(a, f32xn_all(y[0])), a)};
    for (int k = 0; k < RESULTS32; k++) f32xn_store(out[k], result[k]);
    f64x8_store(wide, f64x8_squares(f32xn_wide(b), f32xn_wide(a), 3.0, 5.0));
}

TEST(floats_equal_scalars) {
    if (!simd_supported(SIMD_ISA)) {
        check_skip("this machine lacks the instruction set");
        return;
    }
    draw d = {check_seed(), 3, 0};
    for (int i = 0; i < 5000; i++) {
        float x[8], y[8], lanes[RESULTS32][8];
        double wide[8];
        for (int k = 0; k < 8; k++) x[k] = (float)draw_wide(&d, -44.0, 38.0), y[k] = (float)fabs(draw_any(&d));
        by_lanes32(x, y, lanes, wide);
        for (int j = 0; j < 8; j++) {
            const float a = x[j], b = y[j];
            const float scalars[RESULTS32] = {a + b,         a - b,    a * b, a / b,    a < b ? a : b,
                                              a > b ? a : b, fabsf(a), -a,    sqrtf(b), a < y[0] ? a : 0.0f};
            for (int k = 0; k < RESULTS32; k++)
                check((isnan(lanes[k][j]) && isnan(scalars[k])) || memcmp(&lanes[k][j], &scalars[k], 4) == 0);
            const double square = (double)b + (double)a * (double)a * (j < 4 ? 3.0 : 5.0);
            check(same_bits(&wide[j], &square, 1));
        }
    }
}

SIMD_TARGET static void turn_rows32(float body[16][8], const uint32_t offset[8], float column[8][8]) {
    f32xn c[8], d[8], zero = f32xn_all(0);
    f32xn_load_rows(body, offset, c);
    for (int j = 0; j < 8; j++) f32xn_store(column[j], c[j]), d[j] = zero;
    d[5] = f32xn_add(c[5], c[5]);
    f32xn_add_rows(body, offset, d);
    d[5] = zero;
    d[2] = c[2];
    f32xn_sub_rows(body, offset, d);
}

TEST(rows_of_floats_to_lanes_and_back) {
    if (!simd_supported(SIMD_ISA)) {
        check_skip("this machine lacks the instruction set");
        return;
    }
    draw d = {check_seed(), 4, 0};
    for (int round = 0; round < 500; round++) {
        float body[16][8], before[16][8], column[8][8];
        uint32_t offset[8];
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 8; j++) body[i][j] = before[i][j] = (float)draw_int(&d, 1000);
        for (int i = 0, first = draw_int(&d, 16); i < 8; i++) offset[i] = (uint32_t)((first + 5 * i) % 16) * 32;
        turn_rows32(body, offset, column);
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) check(column[j][i] == before[offset[i] / 32][j]);
        for (int i = 0; i < 8; i++) before[offset[i] / 32][5] *= 3.0f, before[offset[i] / 32][2] = 0.0f;
        check(memcmp(body, before, sizeof body) == 0);
    }
}

#else
TEST(instruction_set) { check_skip("not an x86 machine"); }
#endif

#endif
