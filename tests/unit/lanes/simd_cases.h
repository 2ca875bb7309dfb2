/* The tests of realxn.h and rows.h for one instruction set and one precision, chosen by SIMD_ISA, SIMD_SINGLE and SIMD_FLOAT: every
 * lane must have the bits of the scalar code. */
#ifndef TRUNDLE_TESTS_UNIT_LANES_SIMD_CASES_H
#define TRUNDLE_TESTS_UNIT_LANES_SIMD_CASES_H

#include "check.h"

#include "lanes/isa.h"

#if SIMD_ISA == SIMD_ONE || SIMD_ISA == SIMD_GENERIC || SIMD_X86
#include "lanes/rows.h"
#include "lanes/sums.h"
#include "draw.h"

static bool same_bits(const real *a, const real *b, int n) { return memcmp(a, b, sizeof *a * (size_t)n) == 0; }

/* Numbers of all sizes, with zeros, infinities and denormals among them. */
static real draw_any(draw *d) {
    static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, 0x1p-1074, -0x1p-1030, 0x1p-140, -1.0};
    uint64_t bits = draw_bits(d);
    if (bits % 8 == 0) return (real)special[bits >> 32 & 7];
    return (real)(bits % 8 == 1 ? draw_wide(d, -1000.0, 1000.0) : draw_wide(d, -2.0, 2.0));
}

static bool unsupported(void) {
    if (simd_supported(SIMD_ISA)) return false;
    check_skip("this machine lacks the instruction set");
    return true;
}

enum { RESULTS = 13 };
#define TENTH ((real)0.1)

/* Eight numbers, REAL_LANES at a time from `at` on. */
SIMD_TARGET static void by_lanes(const real *x, const real *y, int at, real out[RESULTS][8], unsigned mask[5]) {
    const realxn a = realxn_load(x + at), b = realxn_load(y + at), tenth = realxn_all(TENTH);
    const boolxn less = realxn_lt(a, b), at_most = realxn_le(a, b);
    const realxn result[RESULTS] = {realxn_add(a, b),
                                    realxn_sub(a, b),
                                    realxn_mul(a, b),
                                    realxn_div(a, b),
                                    realxn_min(a, b),
                                    realxn_max(a, b),
                                    realxn_abs(a),
                                    realxn_neg(a),
                                    realxn_sqrt(realxn_abs(a)),
                                    realxn_madd(a, b, tenth),
                                    realxn_msub(a, b, tenth),
                                    realxn_select(less, a, tenth),
                                    realxn_where(less, a)};
    for (int k = 0; k < RESULTS; k++) realxn_store(out[k] + at, result[k]);
    mask[0] |= boolxn_bits(less) << at;
    mask[1] |= boolxn_bits(at_most) << at;
    mask[2] |= boolxn_bits(boolxn_and(at_most, boolxn_not(less))) << at;
    mask[3] |= boolxn_bits(boolxn_or(less, boolxn_not(at_most))) << at;
    mask[4] |= (unsigned)boolxn_any(less) << at;
}

static void by_scalars(const real *x, const real *y, real out[RESULTS][8], unsigned mask[5]) {
    memset(mask, 0, 5 * sizeof *mask);
    for (int i = 0; i < 8; i++) {
        const real a = x[i], b = y[i];
        const real result[RESULTS] = {a + b,
                                      a - b,
                                      a * b,
                                      a / b,
                                      a < b ? a : b,
                                      a > b ? a : b,
                                      (real)fabs(a),
                                      -a,
                                      (real)sqrt(fabs(a)),
                                      a + b * TENTH,
                                      a - b * TENTH,
                                      a < b ? a : TENTH,
                                      a < b ? a : 0};
        for (int k = 0; k < RESULTS; k++) out[k][i] = result[k];
        mask[0] |= (unsigned)(a < b) << i;
        mask[1] |= (unsigned)(a <= b) << i;
        mask[2] |= (unsigned)(a <= b && !(a < b)) << i;
        mask[3] |= (unsigned)(a < b || !(a <= b)) << i;
        if (a < b) mask[4] |= 1u << i / REAL_LANES * REAL_LANES;
    }
}

TEST(lanes_equal_scalars) {
    if (unsupported()) return;
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 20000; i++) {
        real x[8], y[8], lanes[RESULTS][8], scalars[RESULTS][8];
        unsigned m[5] = {0, 0, 0, 0, 0}, n[5];
        for (int k = 0; k < 8; k++) x[k] = draw_any(&d), y[k] = draw_any(&d);
        for (int at = 0; at < 8; at += REAL_LANES) by_lanes(x, y, at, lanes, m);
        by_scalars(x, y, scalars, n);
        for (int k = 0; k < RESULTS; k++)
            for (int j = 0; j < 8; j++)
                check((isnan(lanes[k][j]) && isnan(scalars[k][j])) || same_bits(&lanes[k][j], &scalars[k][j], 1));
        check(memcmp(m, n, sizeof m) == 0);
    }
}

SIMD_TARGET static void min_max_of_nan(real out[4]) {
    real x[8];
    const realxn one = realxn_all(1), nan = realxn_all((real)NAN);
    realxn_store(x, realxn_min(nan, one)), out[0] = x[REAL_LANES - 1];
    realxn_store(x, realxn_max(nan, one)), out[1] = x[REAL_LANES / 2];
    realxn_store(x, realxn_min(one, nan)), out[2] = x[0];
    out[3] = (real)boolxn_bits(boolxn_or(realxn_lt(one, nan), realxn_le(nan, nan)));
}

TEST(nan_as_documented) {
    if (unsupported()) return;
    real out[4];
    min_max_of_nan(out);
    check(out[0] == 1 && out[1] == 1 && isnan(out[2]) && out[3] == 0);
}

/* Columns of the rows, and the rows with column 5 added twice and column 2 taken away. */
SIMD_TARGET static void turn_rows(real body[16][8], const uint32_t offset[8], real column[8][8]) {
    for (int at = 0; at < 8; at += REAL_LANES) {
        realxn c[8], d[8], zero = realxn_all(0);
        realxn_load_rows(body, offset + at, c);
        for (int j = 0; j < 8; j++) realxn_store(column[j] + at, c[j]), d[j] = zero;
        d[5] = realxn_add(c[5], c[5]);
        realxn_add_rows(body, offset + at, d);
        d[5] = zero;
        d[2] = c[2];
        realxn_sub_rows(body, offset + at, d);
    }
}

TEST(rows_to_lanes_and_back) {
    if (unsupported()) return;
    draw d = {check_seed(), 2, 0};
    for (int round = 0; round < 500; round++) {
        real body[16][8], before[16][8], column[8][8];
        uint32_t offset[8];
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 8; j++) body[i][j] = before[i][j] = (real)draw_int(&d, 1000);
        for (int i = 0, first = draw_int(&d, 16); i < 8; i++)
            offset[i] = (uint32_t)((first + 5 * i) % 16) * (uint32_t)sizeof body[0];
        turn_rows(body, offset, column);
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) check(column[j][i] == before[offset[i] / sizeof body[0]][j]);
        for (int i = 0; i < 8; i++) {
            real *row = before[offset[i] / sizeof body[0]];
            row[5] *= 3, row[2] = 0;
        }
        check(same_bits(body[0], before[0], 128));
    }
}

#ifndef SIMD_FLOAT
/* Columns of rows that lie anywhere, and they with one added written to other rows. */
SIMD_TARGET static void move_rows(const double *const from[8], double *const to[8], int first) {
    for (int at = 0; at < 8; at += REAL_LANES) {
        realxn c[8];
        realxn_take(from + at, first, c);
        for (int j = 0; j < 8; j++) c[j] = realxn_add(c[j], realxn_all(j));
        realxn_give(to + at, first, c);
    }
}

TEST(rows_anywhere_to_lanes_and_back) {
    if (unsupported()) return;
    draw d = {check_seed(), 5, 0};
    double x[8][12], y[8][12];
    const double *from[8];
    double *to[8];
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 12; j++) x[i][j] = draw_in(&d, -1.0, 1.0), y[i][j] = -7.0;
        from[i] = x[5 * i % 8];
        to[i] = y[3 * i % 8];
    }
    move_rows(from, to, 3);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 12; j++) check(to[i][j] == (j < 3 || j > 10 ? -7.0 : from[i][j] + (j - 3)));
}
#endif

SIMD_TARGET static void add_squares(const real *x, double sum[8], double wide[8]) {
    f64x8 s = f64x8_zero();
    for (int round = 0; round < 2; round++)
        for (int at = 0; at < 8; at += REAL_LANES) f64x8_add_squares(&s, at, realxn_load(x + at), 3.0, 5.0);
    for (int at = 0; at < 8; at += REAL_LANES) realxn_store_wide(wide + at, realxn_load(x + at));
    f64x8_store(sum, s);
}

TEST(sums_in_doubles_equal_scalars) {
    if (unsupported()) return;
    draw d = {check_seed(), 3, 0};
    for (int i = 0; i < 5000; i++) {
        real x[8];
        double sum[8], wide[8];
        for (int k = 0; k < 8; k++) x[k] = (real)draw_wide(&d, -38.0, 38.0);
        add_squares(x, sum, wide);
        for (int j = 0; j < 8; j++) {
            const double a = (double)x[j], square = a * a * (j < 4 ? 3.0 : 5.0);
            check(sum[j] == square + square && wide[j] == a);
        }
    }
}

#else
TEST(instruction_set) { check_skip("not an x86 machine"); }
#endif

#endif
