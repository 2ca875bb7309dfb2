/* Small dense factorizations and least squares. */
#include "math/solve.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

static double dot(const double *a, const double *b, int n) {
    double s = 0.0;
    for (int k = 0; k < n; k++) s += a[k] * b[k];
    return s;
}

/* y += s x */
static void axpy(double *restrict y, double s, const double *restrict x, int n) {
    for (int k = 0; k < n; k++) y[k] += s * x[k];
}

static double *row(double *a, int i, int lda) { return a + (ptrdiff_t)i * lda; }

static const double *crow(const double *a, int i, int lda) { return a + (ptrdiff_t)i * lda; }

bool tru_cholesky(double *a, int n, int lda) {
    for (int i = 0; i < n; i++) {
        double *ai = row(a, i, lda);
        double diagonal = ai[i];
        for (int j = 0; j < i; j++) {
            const double *aj = crow(a, j, lda);
            ai[j] = (ai[j] - dot(ai, aj, j)) / aj[j];
        }
        double pivot = diagonal - dot(ai, ai, i);
        if (!(pivot > n * DBL_EPSILON * diagonal && isfinite(pivot))) return false;
        ai[i] = sqrt(pivot);
    }
    return true;
}

void tru_cholesky_solve(const double *l, int n, int lda, double *b) {
    for (int i = 0; i < n; i++) b[i] = (b[i] - dot(crow(l, i, lda), b, i)) / crow(l, i, lda)[i];
    for (int i = n - 1; i >= 0; i--) {
        b[i] /= crow(l, i, lda)[i];
        axpy(b, -b[i], crow(l, i, lda), i);
    }
}

bool tru_ldl(double *a, int n, int lda) {
    for (int i = 0; i < n; i++) {
        double *ai = row(a, i, lda);
        double pivot = ai[i], diagonal = pivot;
        /* first the products l_ij d_j, then each divided once its last use in this row is past */
        for (int j = 0; j < i; j++) ai[j] -= dot(ai, crow(a, j, lda), j);
        for (int j = 0; j < i; j++) {
            double c = ai[j];
            ai[j] = c / crow(a, j, lda)[j];
            pivot -= c * ai[j];
        }
        if (!(pivot > n * DBL_EPSILON * diagonal && isfinite(pivot))) return false;
        ai[i] = pivot;
    }
    return true;
}

void tru_ldl_solve(const double *l, int n, int lda, double *b) {
    for (int i = 0; i < n; i++) b[i] -= dot(crow(l, i, lda), b, i);
    for (int i = 0; i < n; i++) b[i] /= crow(l, i, lda)[i];
    for (int i = n - 1; i >= 0; i--) axpy(b, -b[i], crow(l, i, lda), i);
}

static void swap_rows(double *a, double *b, int n) {
    for (int k = 0; k < n; k++) {
        double t = a[k];
        a[k] = b[k];
        b[k] = t;
    }
}

bool tru_lu(double *a, int n, int lda, int *perm, double *work) {
    for (int j = 0; j < n; j++) work[j] = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) work[j] = fmax(work[j], fabs(crow(a, i, lda)[j]));
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(crow(a, i, lda)[k]) > fabs(crow(a, best, lda)[k])) best = i;
        perm[k] = best;
        double *ak = row(a, k, lda);
        if (best != k) swap_rows(ak, row(a, best, lda), n);
        if (!(fabs(ak[k]) > n * DBL_EPSILON * work[k] && isfinite(ak[k]))) return false;
        for (int i = k + 1; i < n; i++) {
            double *ai = row(a, i, lda);
            ai[k] /= ak[k];
            if (ai[k] != 0.0) axpy(ai + k + 1, -ai[k], ak + k + 1, n - k - 1);
        }
    }
    return true;
}

void tru_lu_solve(const double *lu, int n, int lda, const int *perm, double *b) {
    for (int k = 0; k < n; k++) {
        double t = b[perm[k]];
        b[perm[k]] = b[k];
        b[k] = t;
    }
    for (int i = 0; i < n; i++) b[i] -= dot(crow(lu, i, lda), b, i);
    for (int i = n - 1; i >= 0; i--) {
        const double *ui = crow(lu, i, lda);
        b[i] = (b[i] - dot(ui + i + 1, b + i + 1, n - i - 1)) / ui[i];
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

/* The longest column of a[k..m)[k..n): its number, and its length in *length. */
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

/* The shortest z with [T 0] H_0 ... H_(r-1) z = b. */
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
