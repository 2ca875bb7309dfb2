/* Roots of polynomials: known roots, multiple and near-multiple ones, wild scales, units. */
#include "check.h"

#include <complex.h>
#include <float.h>

#include "math/poly.h"
#include "draw.h"

/* Coefficients of lead (x - r[0]) ... (x - r[n-1]); exact for few-bit roots. */
static void expand(const double *r, int n, double lead, double *a) {
    a[0] = lead;
    for (int i = 0; i < n; i++) {
        a[i + 1] = a[i];
        for (int k = i; k > 0; k--) a[k] = a[k - 1] - r[i] * a[k];
        a[0] *= -r[i];
    }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int distinct(double *r, int n) {
    int kept = 0;
    qsort(r, (size_t)n, sizeof *r, ascending);
    for (int i = 0; i < n; i++)
        if (kept == 0 || r[i] != r[kept - 1]) r[kept++] = r[i];
    return kept;
}

/* ---- real roots: known ones are found, once each ---- */

TEST(value_slope_noise) {
    double a[4] = {1.0, -2.0, 0.0, 3.0}, slope, noise;
    check(tru_poly_value(a, 3, 2.0, &slope, &noise) == 21.0 && slope == 34.0);
    check_close(noise, 3 * DBL_EPSILON * 29.0, 1e-15, 0.0);
}

/* Distinct dyadic roots, exact coefficients: the error is at most the noise of p over its slope. */
TEST(distinct_real_roots) {
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 20000; i++) {
        int n = 1 + draw_int(&d, 4);
        double r[4], a[5], root[4];
        for (int k = 0; k < n; k++) r[k] = (draw_int(&d, 401) - 200) / 16.0;
        int m = distinct(r, n);
        expand(r, m, draw_in(&d, 0.1, 2.0) > 1.0 ? 1.0 : -3.0, a);
        int found = tru_poly_real_roots(a, m, root);
        if (!check(found == m)) continue;
        for (int k = 0; k < m; k++) {
            double slope, noise;
            tru_poly_value(a, m, r[k], &slope, &noise);
            check_close(root[k], r[k], DBL_EPSILON, 2.0 * noise / fabs(slope));
        }
    }
}

/* Double, triple and quadruple roots are reported once, besides simple ones. */
TEST(multiple_real_roots) {
    draw d = {check_seed(), 2, 0};
    for (int i = 0; i < 20000; i++) {
        int n = 2 + draw_int(&d, 3);
        double r[4], a[5], root[4];
        int steps = 1 + draw_int(&d, 3); /* few values, so roots coincide often */
        for (int k = 0; k < n; k++) r[k] = (draw_int(&d, steps) * 7 - 9) / 4.0;
        expand(r, n, 1.0, a);
        int m = distinct(r, n), found = tru_poly_real_roots(a, n, root);
        if (!check(found == m)) continue;
        for (int k = 0; k < m; k++) check_close(root[k], r[k], 1e-12, 0.0);
    }
}

/* Coefficients with rounding errors of their own: a double root must not be lost, wherever it lies. */
TEST(touching_roots_with_rounded_coefficients) {
    draw d = {check_seed(), 3, 0};
    int lost = 0;
    for (int i = 0; i < 20000; i++) {
        double t = draw_in(&d, -2.0, 2.0), u = draw_in(&d, -2.0, 2.0), r[4] = {t, t, u, u + draw_in(&d, 0.1, 1.0)};
        double a[5], root[4];
        int n = 2 + draw_int(&d, 3);
        if (fabs(t - u) < 0.1 || fabs(t - r[3]) < 0.1) continue;
        expand(r, n, 1.0, a);
        int found = tru_poly_real_roots(a, n, root);
        double nearest = INFINITY;
        for (int k = 0; k < found; k++) nearest = fmin(nearest, fabs(root[k] - t));
        if (!(nearest < 1e-6)) lost++;
    }
    printf("lost double roots: %d of 20000\n", lost);
    check_status(lost, 0);
}

/* Two roots at the distance 2^-k: separate while p between them is above its noise, one root when it is not. */
TEST(nearly_double_roots) {
    for (int k = 1; k <= 50; k++) {
        double gap = ldexp(1.0, -k), a[3] = {1.0 + gap, -(2.0 + gap), 1.0}, root[4], r[3] = {1.0, 1.0 + gap, -1.0},
               c[4];
        check(tru_poly_real_roots(a, 2, root) == 2); /* the discriminant is exact */
        check_close(root[0], 1.0, 0.0, 3e-16);
        check_close(root[1], 1.0 + gap, 0.0, 3e-16);
        expand(r, 3, 1.0, c);
        int found = tru_poly_real_roots(c, 3, root);
        if (!check(found == 3 || (k > 22 && found == 2))) continue;
        check_close(root[0], -1.0, 0.0, 1e-15);
        check_close(root[1], 1.0, 0.0, fmin(gap, 4e-15 / gap));
        check_close(root[found - 1], 1.0 + gap, 0.0, fmin(gap, 4e-15 / gap));
    }
}

/* ---- none, bad input, extreme scales ---- */

TEST(no_real_roots) {
    double root[4];
    check(tru_poly_real_roots((double[]){1, 0, 1}, 2, root) == 0);
    check(tru_poly_real_roots((double[]){1, 1, 1}, 2, root) == 0);
    check(tru_poly_real_roots((double[]){5, 4, 6, 4, 1}, 4, root) == 0); /* (x + 1)^4 + 4 */
    check(tru_poly_real_roots((double[]){1, 0, 0, 0, 1e-300}, 4, root) == 0);
    check(tru_poly_real_roots((double[]){3.0}, 0, root) == 0);
}

TEST(degenerate_and_bad_input) {
    double root[8];
    vec2 z[8];
    check(tru_poly_real_roots((double[]){0, 0, 0}, 2, root) == -1 && tru_poly_roots((double[]){0, 0}, 1, z) == -1);
    check(tru_poly_real_roots((double[]){1, NAN}, 1, root) == -1);
    check(tru_poly_real_roots((double[]){1, INFINITY}, 1, root) == -1);
    check(tru_poly_real_roots((double[10]){1}, 9, root) == -1);
    check(tru_poly_real_roots((double[]){-6, 2, 0, 0, 0}, 4, root) == 1 && root[0] == 3.0);
    check(tru_poly_real_roots((double[]){0, 0, 2, 1, 0}, 4, root) == 2 && root[0] == -2.0 && root[1] == 0.0);
    check(tru_poly_roots((double[]){0, 0, 2, 1, 0}, 4, z) == 3 && z[0].x == -2.0 && z[2].x == 0.0);
    check(tru_poly_real_roots((double[]){0, 5}, 1, root) == 1 && root[0] == 0.0);
}

/* Roots that differ by up to 60 orders of magnitude, found to a few round-offs each. */
TEST(wildly_scaled_real_roots) {
    draw d = {check_seed(), 4, 0};
    for (int i = 0; i < 5000; i++) {
        int n = 2 + draw_int(&d, 3);
        double r[4], a[5], root[4];
        r[0] = draw_wide(&d, -200.0, -100.0);
        for (int k = 1; k < n; k++) r[k] = r[k - 1] * draw_wide(&d, 8.0, 66.0);
        expand(r, n, draw_wide(&d, -100.0, 100.0), a);
        qsort(r, (size_t)n, sizeof *r, ascending);
        if (!check(tru_poly_real_roots(a, n, root) == n)) continue;
        for (int k = 0; k < n; k++) check_close(root[k], r[k], 1e-14, 0.0);
    }
}

/* Coefficients near both ends of the range of doubles. */
TEST(extreme_coefficients) {
    double root[4];
    check(tru_poly_real_roots((double[]){6e300, -5e300, 1e300}, 2, root) == 2);
    check_close(root[0], 2.0, 1e-15, 0.0);
    check_close(root[1], 3.0, 1e-15, 0.0);
    check(tru_poly_real_roots((double[]){6e-310, -5e-310, 1e-310}, 2, root) == 2);
    check_close(root[1], 3.0, 1e-11, 0.0); /* denormals have fewer bits */
    check(tru_poly_real_roots((double[]){-1e300, 1.0, 1e-300}, 2, root) == 2);
    check_close(root[0], -1.618033988749895e300, 1e-15, 0.0);
    check(tru_poly_real_roots((double[]){-8e-200, 0.0, 0.0, 1e100}, 3, root) == 1);
    check_close(root[0], 2e-100, 1e-15, 0.0);
}

/* ---- units: the same bits ---- */

/* Units: x in other units by 2^k, p by 2^j. */
TEST(roots_keep_bits_in_any_units) {
    draw d = {check_seed(), 5, 0};
    for (int i = 0; i < 5000; i++) {
        int n = 2 + draw_int(&d, 3), k = draw_int(&d, 60) - 30, j = draw_int(&d, 100) - 50;
        double a[5], b[5], r[4], s[4];
        vec2 z[4], w[4];
        for (int m = 0; m <= n; m++) a[m] = draw_in(&d, -1.0, 1.0), b[m] = ldexp(a[m], j - m * k);
        int found = tru_poly_real_roots(a, n, r);
        if (!check(found == tru_poly_real_roots(b, n, s))) continue;
        for (int m = 0; m < found; m++) check(s[m] == ldexp(r[m], k));
        check(tru_poly_roots(a, n, z) == n && tru_poly_roots(b, n, w) == n);
        for (int m = 0; m < n; m++) check(w[m].x == ldexp(z[m].x, k) && w[m].y == ldexp(z[m].y, k));
    }
}

/* ---- complex roots ---- */

/* lead (x - z[0]) ... (x - z[n-1]) must give the coefficients back, relative to the same product of sizes. */
static void check_product(const double *a, int n, const vec2 *z, double tolerance) {
    double complex c[TRU_POLY_DEGREE + 1] = {a[n]};
    double size[TRU_POLY_DEGREE + 1] = {fabs(a[n])};
    for (int i = 0; i < n; i++) {
        double complex r = z[i].x + I * z[i].y;
        c[i + 1] = c[i];
        size[i + 1] = size[i];
        for (int k = i; k > 0; k--) c[k] = c[k - 1] - r * c[k], size[k] = size[k - 1] + cabs(r) * size[k];
        c[0] *= -r;
        size[0] *= cabs(r);
    }
    for (int k = 0; k <= n; k++) check_close(cabs(c[k] - a[k]) / size[k], 0.0, 0.0, tolerance);
}

TEST(complex_roots_multiply_back) {
    draw d = {check_seed(), 6, 0};
    for (int i = 0; i < 20000; i++) {
        int n = 1 + draw_int(&d, TRU_POLY_DEGREE);
        double a[TRU_POLY_DEGREE + 1];
        vec2 z[TRU_POLY_DEGREE];
        for (int k = 0; k <= n; k++) a[k] = i % 2 ? draw_in(&d, -1.0, 1.0) : draw_wide(&d, -30.0, 30.0);
        if (!check(tru_poly_roots(a, n, z) == n)) continue;
        check_product(a, n, z, 1e-13);
        double imaginary = 0.0;
        for (int k = 0; k < n; k++) imaginary += z[k].y;
        check(imaginary == 0.0);
    }
}

/* Multiple complex pairs: ((x - s)^2 + t^2)^2, and real double roots; found to the square root of a round-off. */
TEST(double_complex_roots) {
    draw d = {check_seed(), 7, 0};
    for (int i = 0; i < 5000; i++) {
        double s = draw_int(&d, 64) / 8.0 - 4.0, t = draw_int(&d, 32) / 8.0, q = s * s + t * t;
        double a[5] = {q * q, -4.0 * s * q, 4.0 * s * s + 2.0 * q, -4.0 * s, 1.0};
        vec2 z[4];
        if (q == 0.0 || !check(tru_poly_roots(a, 4, z) == 4)) continue;
        double size = sqrt(q), tolerance = t == 0.0 ? 2e-3 : 1e-6 * (1.0 + size / t);
        for (int k = 0; k < 4; k++) {
            check_close(z[k].x, s, 0.0, tolerance * size);
            check_close(fabs(z[k].y), t, 0.0, tolerance * size);
        }
    }
}

/* The two methods agree on how many real roots a random polynomial has. */
TEST(real_and_complex_agree) {
    draw d = {check_seed(), 8, 0};
    int odd = 0;
    for (int i = 0; i < 20000; i++) {
        int n = 3 + draw_int(&d, TRU_POLY_DEGREE - 2), real = 0;
        double a[TRU_POLY_DEGREE + 1], r[TRU_POLY_DEGREE];
        vec2 z[TRU_POLY_DEGREE];
        for (int k = 0; k <= n; k++) a[k] = draw_in(&d, -1.0, 1.0);
        int found = tru_poly_real_roots(a, n, r);
        check(tru_poly_roots(a, n, z) == n);
        for (int k = 0; k < n; k++)
            if (z[k].y == 0.0 && real < found && fabs(z[k].x - r[real]) <= 1e-9 * fabs(r[real])) real++;
        odd += real != found;
    }
    check_status(odd, 0);
}
