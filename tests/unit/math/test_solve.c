/* Dense factorizations and least squares: residuals, optimality, ranks, refusals. */
#include "check.h"

#include "math/solve.h"
#include "draw.h"

enum { N = 24, LDA = 27 };

static void fill(draw *d, double *a, int m, int n) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) a[i * LDA + j] = draw_in(d, -1.0, 1.0);
}

/* c (m x n) = a (m x k) b (k x n) */
static void multiply(double *c, const double *a, const double *b, int m, int k, int n) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            c[i * LDA + j] = 0.0;
            for (int l = 0; l < k; l++) c[i * LDA + j] += a[i * LDA + l] * b[l * LDA + j];
        }
}

static double residual(const double *a, const double *x, const double *b, int m, int n) {
    double worst = 0.0;
    for (int i = 0; i < m; i++) {
        double s = -b[i];
        for (int j = 0; j < n; j++) s += a[i * LDA + j] * x[j];
        worst = fmax(worst, fabs(s));
    }
    return worst;
}

static void transpose(double *t, const double *a, int m, int n) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) t[j * LDA + i] = a[i * LDA + j];
}

/* g g^T + shift: positive definite for shift > 0 */
static void draw_spd(draw *d, double *a, int n, int rank, double shift) {
    double g[N * LDA] = {0}, t[N * LDA] = {0};
    fill(d, g, n, rank);
    transpose(t, g, n, rank);
    multiply(a, g, t, n, rank, n);
    for (int i = 0; i < n; i++) a[i * LDA + i] += shift;
}

TEST(ldl) {
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 500; i++) {
        int n = 1 + draw_int(&d, N);
        double a[N * LDA], f[N * LDA], b[N], x[N], work[N];
        draw_spd(&d, a, n, n, 0.1);
        for (int k = 0; k < n; k++) x[k] = b[k] = draw_in(&d, -1.0, 1.0);
        memcpy(f, a, sizeof f);
        f[LDA] = NAN; /* the lower triangle is not read */
        if (!check(tru_ldl(f, n, LDA, work))) continue;
        tru_ldl_solve(f, n, LDA, x);
        check_close(residual(a, x, b, n, n), 0.0, 0.0, 1e-12);
    }
}

TEST(ldl_keeps_bits_in_any_units) {
    draw d = {check_seed(), 2, 0};
    for (int i = 0; i < 200; i++) {
        int n = 1 + draw_int(&d, N);
        double a[N * LDA], c[N * LDA], s[N], x[N], y[N], work[N];
        draw_spd(&d, a, n, n, 0.1);
        for (int k = 0; k < n; k++)
            s[k] = ldexp(1.0, draw_int(&d, 40) - 20), x[k] = draw_in(&d, -1.0, 1.0), y[k] = s[k] * x[k];
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) c[k * LDA + j] = s[k] * a[k * LDA + j] * s[j];
        if (!check(tru_ldl(a, n, LDA, work)) || !check(tru_ldl(c, n, LDA, work))) continue;
        tru_ldl_solve(a, n, LDA, x);
        tru_ldl_solve(c, n, LDA, y);
        for (int k = 0; k < n; k++) check(x[k] == s[k] * y[k]);
    }
}

/* The same contact twice: two equal rows and columns. */
TEST(semidefinite_is_refused) {
    draw d = {check_seed(), 3, 0};
    int missed = 0;
    for (int i = 0; i < 500; i++) {
        int n = 2 + draw_int(&d, N - 1), one = draw_int(&d, n), two = (one + 1 + draw_int(&d, n - 1)) % n;
        double a[N * LDA], work[N];
        draw_spd(&d, a, n, n, 0.1);
        for (int j = 0; j < n; j++) a[two * LDA + j] = a[one * LDA + j];
        for (int j = 0; j < n; j++) a[j * LDA + two] = a[j * LDA + one];
        missed += tru_ldl(a, n, LDA, work);
    }
    check_status(missed, 0);
    double bad[4] = {1.0, NAN, 0.0, 1.0}, negative[1] = {-1.0}, zero[1] = {0.0}, work[2];
    check(!tru_ldl(bad, 2, 2, work) && !tru_ldl(negative, 1, 1, work) && !tru_ldl(zero, 1, 1, work));
}

TEST(lu) {
    draw d = {check_seed(), 4, 0};
    for (int i = 0; i < 500; i++) {
        int n = 1 + draw_int(&d, N), perm[N];
        double a[N * LDA], f[N * LDA], b[N], x[N], work[N], size = 0.0;
        fill(&d, a, n, n);
        for (int k = 0; k < n; k++) x[k] = b[k] = draw_in(&d, -1.0, 1.0);
        memcpy(f, a, sizeof f);
        if (!check(tru_lu(f, n, LDA, perm, work))) continue;
        tru_lu_solve(f, n, LDA, perm, x);
        for (int k = 0; k < n; k++) size = fmax(size, fabs(x[k]));
        check_close(residual(a, x, b, n, n), 0.0, 0.0, 4e-15 * n * (1.0 + size)); /* backward stable */
    }
    /* a permutation: zero diagonal everywhere */
    double a[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0}, b[3] = {5, 6, 7}, work[3];
    int perm[3];
    check(tru_lu(a, 3, 3, perm, work));
    tru_lu_solve(a, 3, 3, perm, b);
    check(b[0] == 7 && b[1] == 5 && b[2] == 6);
}

TEST(lu_refuses_singular) {
    draw d = {check_seed(), 5, 0};
    int missed = 0;
    for (int i = 0; i < 500; i++) {
        int n = 2 + draw_int(&d, N - 1), one = draw_int(&d, n), two = (one + 1 + draw_int(&d, n - 1)) % n;
        int perm[N];
        double a[N * LDA], work[N];
        fill(&d, a, n, n);
        for (int j = 0; j < n; j++) {
            if (i % 3 == 0) a[two * LDA + j] = a[one * LDA + j];
            if (i % 3 == 1) a[two * LDA + j] = -2.0 * a[one * LDA + j];
            if (i % 3 == 2) a[j * LDA + two] = 0.0;
        }
        missed += tru_lu(a, n, LDA, perm, work);
    }
    check_status(missed, 0);
    double zero[1] = {0.0}, work[1];
    int perm[1];
    check(!tru_lu(zero, 1, 1, perm, work));
}

/* x must satisfy the normal equations and lie in the row space: least residual, least length. */
static void check_min_norm(draw *d, int m, int n, int rank) {
    double g[N * LDA], h[N * LDA], a[N * LDA], f[N * LDA], t[N * LDA], b[N], c[N], x[N], r[N], y[N], work[3 * N];
    int perm[N];
    fill(d, g, m, rank);
    fill(d, h, rank, n);
    multiply(a, g, h, m, rank, n);
    for (int i = 0; i < m; i++) b[i] = c[i] = draw_in(d, -1.0, 1.0);
    memcpy(f, a, sizeof f);
    check(tru_solve_min_norm(f, m, n, LDA, c, x, 1e-11, perm, work) == rank);
    transpose(t, a, m, n);
    double size = 1.0;
    for (int j = 0; j < n; j++) size = fmax(size, fabs(x[j]));
    for (int i = 0; i < m; i++) {
        r[i] = -b[i];
        for (int j = 0; j < n; j++) r[i] += a[i * LDA + j] * x[j];
    }
    double zero[N] = {0};
    check_close(residual(t, r, zero, n, m), 0.0, 0.0, 1e-12 * size * N); /* a^T (a x - b) = 0 */
    /* the shortest: x is a combination of the rows, so least squares for a^T y = x leaves nothing */
    memcpy(r, x, sizeof r);
    memcpy(f, t, sizeof f);
    check(tru_solve_min_norm(f, n, m, LDA, r, y, 1e-11, perm, work) == rank);
    check_close(residual(t, y, x, n, m), 0.0, 0.0, 1e-10 * size);
}

TEST(min_norm_of_any_rank) {
    draw d = {check_seed(), 6, 0};
    for (int i = 0; i < 300; i++) {
        int m = 1 + draw_int(&d, N), n = 1 + draw_int(&d, N), least = m < n ? m : n;
        check_min_norm(&d, m, n, 1 + draw_int(&d, least));
    }
}

/* A table on four legs: the reactions of three balance equations with four unknowns, all equal by symmetry. */
TEST(min_norm_shares_a_load) {
    double a[12] = {1, 1, 1, 1, 1, 1, -1, -1, 1, -1, 1, -1}, b[3] = {8, 0, 0}, x[4], work[12];
    int perm[4];
    check(tru_solve_min_norm(a, 3, 4, 4, b, x, 0.0, perm, work) == 3);
    for (int j = 0; j < 4; j++) check_close(x[j], 2.0, 1e-15, 0.0);
    double zero[4] = {0}, c[2] = {1, 1}, z[2];
    check(tru_solve_min_norm(zero, 2, 2, 2, c, z, 0.0, perm, work) == 0 && z[0] == 0.0 && z[1] == 0.0);
}
