/* solve.c: small dense factorisations and least squares. */
#include "math/solve.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

/* Returns a.b in four interleaved sums for speed; their order is fixed, so that the bits are too. */
static double dot(const double *a, const double *b, int n) {
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        s0 += a[k] * b[k];
        s1 += a[k + 1] * b[k + 1];
        s2 += a[k + 2] * b[k + 2];
        s3 += a[k + 3] * b[k + 3];
    }
    for (; k < n; k++) s0 += a[k] * b[k];
    return (s0 + s1) + (s2 + s3);
}

/* Adds s x to y. */
static void axpy(double *restrict y, double s, const double *restrict x, int n) {
    for (int k = 0; k < n; k++) y[k] += s * x[k];
}

/* [-] A pivot counts as zero below n times this part of its first value. */
static const double singular = 8.0 * DBL_EPSILON;

static double *row(double *a, int i, int lda) { return a + (ptrdiff_t)i * lda; }

static const double *crow(const double *a, int i, int lda) { return a + (ptrdiff_t)i * lda; }

bool tru_ldl(double *a, int n, int lda, double *work) {
    for (int k = 0; k < n; k++) work[k] = crow(a, k, lda)[k];
    for (int k = 0; k < n; k++) {
        double *ak = row(a, k, lda), pivot = ak[k];
        if (!(pivot > singular * n * work[k] && isfinite(pivot))) return false;
        ak[k] = 1.0 / pivot;
        for (int i = k + 1; i < n; i++) {
            double l = ak[i] * ak[k];
            axpy(row(a, i, lda) + i, -l, ak + i, n - i);
            ak[i] = l; /* the row updates above no longer need its old value */
        }
    }
    return true;
}

void tru_ldl_solve(const double *a, int n, int lda, double *b) {
    for (int k = 0; k < n; k++) {
        const double *ak = crow(a, k, lda);
        axpy(b + k + 1, -b[k], ak + k + 1, n - k - 1);
        b[k] *= ak[k];
    }
    for (int k = n - 1; k >= 0; k--)
        for (int i = 0; i < k; i++) b[i] -= crow(a, i, lda)[k] * b[k];
}

enum { SMALL = 6 }; /* rows of one contact */

static void swap_rows(double *a, double *b, int n) {
    for (int k = 0; k < n; k++) {
        double t = a[k];
        a[k] = b[k];
        b[k] = t;
    }
}

/* One text for every n. It is inlined for constant n up to SMALL with lda = n, where unrolled loops halve the time of one contact. */
static inline __attribute__((always_inline)) bool lu(double *a, int n, int lda, int *perm, double *work) {
    for (int j = 0; j < n; j++) work[j] = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double size = fabs(crow(a, i, lda)[j]);
            work[j] = work[j] > size ? work[j] : size;
        }
    for (int k = 0; k < n; k++) {
        int best = k;
        double largest = fabs(crow(a, k, lda)[k]);
        for (int i = k + 1; i < n; i++) {
            double size = fabs(crow(a, i, lda)[k]);
            if (size > largest) largest = size, best = i;
        }
        perm[k] = best;
        double *ak = row(a, k, lda);
        if (best != k) swap_rows(ak, row(a, best, lda), n);
        if (!(largest > singular * n * work[k] && isfinite(largest))) return false;
        for (int i = k + 1; i < n; i++) {
            double *ai = row(a, i, lda);
            double l = ai[k] /= ak[k]; /* exactly 1 for two equal rows, so that the second becomes exactly 0 */
            axpy(ai + k + 1, -l, ak + k + 1, n - k - 1);
        }
        ak[k] = 1.0 / ak[k];
    }
    return true;
}

bool tru_lu(double *a, int n, int lda, int *perm, double *work) {
    switch (lda == n ? n : 0) {
    case 3:
        return lu(a, 3, 3, perm, work);
    case 4:
        return lu(a, 4, 4, perm, work);
    case 5:
        return lu(a, 5, 5, perm, work);
    case SMALL:
        return lu(a, SMALL, SMALL, perm, work);
    default:
        return lu(a, n, lda, perm, work);
    }
}

static void exchange(const int *perm, int n, double *b) {
    for (int k = 0; k < n; k++) {
        double t = b[perm[k]];
        b[perm[k]] = b[k];
        b[k] = t;
    }
}

/* Works by columns, so that the next unknown waits for one product only; a sum along the row would wait for all terms. */
static inline __attribute__((always_inline)) void lu_solve(const double *a, int n, int lda, double *x) {
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) x[i] -= crow(a, i, lda)[k] * x[k];
    for (int k = n - 1; k >= 0; k--) {
        double t = x[k] *= crow(a, k, lda)[k];
        for (int i = 0; i < k; i++) x[i] -= crow(a, i, lda)[k] * t;
    }
}

/* The same for at most SMALL unknowns, in registers. */
static inline __attribute__((always_inline)) void lu_solve_small(const double *a, int n, double *b) {
    double x[SMALL];
    for (int k = 0; k < n; k++) x[k] = b[k];
    lu_solve(a, n, n, x);
    for (int k = 0; k < n; k++) b[k] = x[k];
}

void tru_lu_solve(const double *a, int n, int lda, const int *perm, double *b) {
    exchange(perm, n, b);
    switch (lda == n ? n : 0) {
    case 3:
        lu_solve_small(a, 3, b);
        break;
    case 4:
        lu_solve_small(a, 4, b);
        break;
    case 5:
        lu_solve_small(a, 5, b);
        break;
    case SMALL:
        lu_solve_small(a, SMALL, b);
        break;
    default:
        lu_solve(a, n, lda, b);
    }
}

/* Householder vector of x (length n >= 1, stride step): x becomes v with v[0] = 1 implied, x[0] the new first entry;
   returns beta, so that (I - beta v v^T) x = x[0] e1. */
static double reflector(double *x, int n, int step) {
    double tail = 0.0;
    for (int i = 1; i < n; i++) tail += x[(ptrdiff_t)i * step] * x[(ptrdiff_t)i * step];
    if (tail == 0.0) return 0.0;
    double head = x[0], length = sqrt(head * head + tail);
    double alpha = head > 0.0 ? -length : length;
    double first = head - alpha;
    for (int i = 1; i < n; i++) x[(ptrdiff_t)i * step] /= first;
    x[0] = alpha;
    return -first / alpha;
}

/* Returns the index of the longest column of a[k..m)[k..n) and sets its length. */
static int longest_column(const double *a, int m, int n, int lda, int k, double *length, double *work) {
    for (int j = k; j < n; j++) work[j] = 0.0;
    for (int i = k; i < m; i++)
        for (int j = k; j < n; j++) work[j] += crow(a, i, lda)[j] * crow(a, i, lda)[j];
    int best = k;
    for (int j = k + 1; j < n; j++)
        if (work[j] > work[best]) best = j;
    *length = sqrt(work[best]);
    return best;
}

/* Applies the reflector stored in column k below row k to the columns right of it and to b. */
static void reflect_below(double *a, int m, int n, int lda, int k, double beta, double *b, double *work) {
    int width = n - k - 1;
    double *ak = row(a, k, lda);
    for (int j = 0; j < width; j++) work[j] = ak[k + 1 + j];
    double s = b[k];
    for (int i = k + 1; i < m; i++) {
        const double *ai = crow(a, i, lda);
        axpy(work, ai[k], ai + k + 1, width);
        s += ai[k] * b[i];
    }
    axpy(ak + k + 1, -beta, work, width);
    b[k] -= beta * s;
    for (int i = k + 1; i < m; i++) {
        double *ai = row(a, i, lda);
        axpy(ai + k + 1, -beta * ai[k], work, width);
        b[i] -= beta * s * ai[k];
    }
}

static void swap_columns(double *a, int m, int lda, int j, int k) {
    for (int i = 0; i < m; i++) {
        double *ai = row(a, i, lda), t = ai[j];
        ai[j] = ai[k];
        ai[k] = t;
    }
}

/* QR with column pivoting of a, applied to b too; stops at the first column length not above the tolerance. Returns
   the rank; the rows below it are negligible. */
static int pivoted_qr(double *a, int m, int n, int lda, double *b, double rtol, int *perm, double *work) {
    int most = m < n ? m : n;
    double first = 0.0;
    for (int j = 0; j < n; j++) perm[j] = j;
    for (int k = 0; k < most; k++) {
        double length;
        int best = longest_column(a, m, n, lda, k, &length, work);
        if (k == 0) first = length;
        if (!(length > rtol * first)) return k;
        if (best != k) {
            swap_columns(a, m, lda, k, best);
            int t = perm[k];
            perm[k] = perm[best];
            perm[best] = t;
        }
        double beta = reflector(row(a, k, lda) + k, m - k, lda);
        reflect_below(a, m, n, lda, k, beta, b, work);
    }
    return most;
}

/* Right reflectors that turn the r x n trapezoid [R11 R12] into [T 0]: number k mixes column k with columns r..n-1, its
   vector (1, tail of row k) and beta[k] are kept for unfold. */
static void fold_right(double *a, int r, int n, int lda, double *beta) {
    int width = n - r;
    for (int k = r - 1; k >= 0; k--) {
        double *ak = row(a, k, lda), *v = ak + r;
        double tail = dot(v, v, width);
        beta[k] = 0.0;
        if (tail == 0.0) continue;
        double length = sqrt(ak[k] * ak[k] + tail);
        double alpha = ak[k] > 0.0 ? -length : length, first = ak[k] - alpha;
        for (int j = 0; j < width; j++) v[j] /= first;
        beta[k] = -first / alpha;
        ak[k] = alpha;
        for (int i = 0; i < k; i++) {
            double *ai = row(a, i, lda);
            double s = beta[k] * (ai[k] + dot(ai + r, v, width));
            ai[k] -= s;
            axpy(ai + r, -s, v, width);
        }
    }
}

/* Finds the shortest z with [T 0] H_0 ... H_(r-1) z = b. */
static void unfold(const double *a, int r, int n, int lda, const double *beta, const double *b, double *z) {
    int width = n - r;
    for (int i = r - 1; i >= 0; i--) {
        const double *ai = crow(a, i, lda);
        z[i] = (b[i] - dot(ai + i + 1, z + i + 1, r - i - 1)) / ai[i];
    }
    for (int j = r; j < n; j++) z[j] = 0.0;
    for (int k = 0; k < r; k++) {
        const double *v = crow(a, k, lda) + r;
        double s = beta[k] * (z[k] + dot(v, z + r, width));
        z[k] -= s;
        axpy(z + r, -s, v, width);
    }
}

int tru_solve_min_norm(double *a, int m, int n, int lda, double *b, double *x, double rtol, int *perm, double *work) {
    if (!(rtol > 0.0)) rtol = (m > n ? m : n) * DBL_EPSILON;
    double *beta = work + n, *z = work + 2 * n;
    int rank = pivoted_qr(a, m, n, lda, b, rtol, perm, work);
    fold_right(a, rank, n, lda, beta);
    unfold(a, rank, n, lda, beta, b, z);
    for (int j = 0; j < n; j++) x[perm[j]] = z[j];
    return rank;
}
