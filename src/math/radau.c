/* radau.c: Radau IIA of 5 stages. It solves the collocation equations by simplified Newton iteration in the eigenbasis of the method [Hairer,
   Wanner 1996, chapter IV.8].

   Z = h (A x I) F(y + Z) becomes, with T^-1 A^-1 T = diag(gamma, [alpha beta; -beta alpha], ...) and W = (T^-1 x I) Z,
   one real and two complex systems with the matrices gamma/h - J and (alpha + i beta)/h - J. */
#include "math/radau.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/elementary/elementary.h"
#include "math/solve.h"

enum { S = RADAU_STAGES, MOST = RADAU_MOST, MOST_ITERATIONS = 12 };

const double tru_radau_node[S] = {0x1.d3cc2dd8d6d32p-5, 0x1.1b7cbc26ceaaep-2, 0x1.2acc5d7a90e51p-1,
                                  0x1.b8716522b33bep-1, 1.0};
/* weights: the last row of A */
static const double weight[S] = {0x1.26534b9cb85e2p-3, 0x1.201bca8e66374p-2, 0x1.3f4f73b8d3267p-2, 0x1.c8eab2b61c94ap-3,
                                 0x1.47ae147ae147bp-5};
static const double gamma_real = 0x1.92595ee3123e2p+2;
static const double alpha[2] = {0x1.6cdc6b397464ep+2, 0x1.d3edcaaa04f82p+1};
static const double beta[2] = {0x1.9ae9fbb266469p+1, 0x1.a2cc95da18518p+2};
/* eigenvectors as columns: real, then real and imaginary parts of the two pairs, scaled to 1 in the last component */
static const double t[S][S] = {
    {0x1.bce3049d4571bp-7, -0x1.7820c3d05d519p-7, 0x1.cb6719b83f651p-7, -0x1.4f9c863603a7fp-7, -0x1.868b5dfabb152p-5},
    {0x1.a81f7541182a2p-10, -0x1.f695a1442b72fp-8, -0x1.94d34a11716e1p-6, 0x1.9b041f87f5bd6p-5, 0x1.826214e5b71e4p-4},
    {0x1.443b067594e3ap-4, 0x1.3dd30e1ded383p-6, -0x1.4f0de33f576c9p-4, -0x1.d8251c7936647p-3, -0x1.a4abf2d1b7462p-4},
    {0x1.a6267562c234ap-2, 0x1.a1623391d6c89p-2, -0x1.98f319cae0a7ep-3, 0x1.82f69e7e11149p-2, -0x1.ddf22c5d8318fp-2},
    {1.0, 1.0, 0.0, 1.0, 0.0}};
static const double t_inverse[S][S] = {
    {0x1.bb29c0f2d2f98p+4, 0x1.99111aaad89ebp+3, 0x1.9aafc7bcbfa6dp+1, -0x1.e729c05622205p-1, 0x1.7bac81b18745bp-1},
    {-0x1.0855c54b1b4f1p+5, -0x1.1608005f0b102p+4, -0x1.608533caefc20p-3, -0x1.96330c92fc51ep-4, 0x1.0ffd21b07b821p-1},
    {0x1.1390f2f71cd09p+3, -0x1.366654626d079p+3, -0x1.ea2ba7f8366fcp+0, -0x1.3597b31c9da03p+1, 0x1.0c2691306fb5ap+0},
    {0x1.5607268d8e926p+2, 0x1.25fdcc267b033p+2, -0x1.84a7748010aabp+1, 0x1.0cf810f440d55p+0, -0x1.175346c4058f7p-2},
    {-0x1.dfc06c7c33f87p+1, 0x1.fe135b74a3869p+1, 0x1.0b5ed2d02325fp+0, -0x1.2f21157164963p+0, 0x1.ccb73e72d9b82p-2}};
/* weights on Z of the difference to an embedded formula of order 5 that uses f(y) with the weight 1/gamma */
static const double embedded[S] = {-0x1.1ad0dbccaf4dep+2, 0x1.289178764aa4fp-1, -0x1.9809dcc3708a8p-3,
                                   0x1.81b5c36cdb36fp-4, -0x1.049d0cfe40115p-5};

/* ---- linear algebra */

typedef double grid[S][MOST];

/* Complex LU with row exchanges, |re| + |im| as size; false when a column has no pivot. */
static bool complex_lu(double *re, double *im, int n, int *perm) {
    for (int k = 0; k < n; k++) {
        int p = k;
        double most = 0.0;
        for (int i = k; i < n; i++) {
            const double size = fabs(re[i * MOST + k]) + fabs(im[i * MOST + k]);
            if (size > most) most = size, p = i;
        }
        perm[k] = p;
        if (!(most > 0.0 && most <= DBL_MAX)) return false;
        for (int j = 0; p != k && j < n; j++) {
            const double a = re[k * MOST + j], b = im[k * MOST + j];
            re[k * MOST + j] = re[p * MOST + j], im[k * MOST + j] = im[p * MOST + j];
            re[p * MOST + j] = a, im[p * MOST + j] = b;
        }
        const double a = re[k * MOST + k], b = im[k * MOST + k], d = 1.0 / (a * a + b * b);
        re[k * MOST + k] = a * d, im[k * MOST + k] = -b * d; /* the inverse of the pivot */
        for (int i = k + 1; i < n; i++) {
            const double x = re[i * MOST + k], y = im[i * MOST + k];
            if (x == 0.0 && y == 0.0) continue;
            const double c = (x * a + y * b) * d, s = (y * a - x * b) * d;
            re[i * MOST + k] = c, im[i * MOST + k] = s;
            for (int j = k + 1; j < n; j++) {
                const double u = re[k * MOST + j], v = im[k * MOST + j];
                re[i * MOST + j] -= c * u - s * v;
                im[i * MOST + j] -= c * v + s * u;
            }
        }
    }
    return true;
}

static void complex_solve(const double *re, const double *im, int n, const int *perm, double *x, double *y) {
    for (int k = 0; k < n; k++) {
        const double a = x[perm[k]], b = y[perm[k]];
        x[perm[k]] = x[k], y[perm[k]] = y[k];
        x[k] = a, y[k] = b;
    }
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++) {
            const double c = re[i * MOST + j], s = im[i * MOST + j];
            x[i] -= c * x[j] - s * y[j];
            y[i] -= c * y[j] + s * x[j];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) {
            const double c = re[i * MOST + j], s = im[i * MOST + j];
            x[i] -= c * x[j] - s * y[j];
            y[i] -= c * y[j] + s * x[j];
        }
        const double a = x[i], b = y[i], c = re[i * MOST + i], s = im[i * MOST + i];
        x[i] = c * a - s * b;
        y[i] = c * b + s * a;
    }
}

/* ---- Jacobian and factors */

static double size_of(const radau *r, int i) { return fmax(r->scale[i], fabs(r->y[i])); }

/* Computes the Jacobian by forward differences; the iteration needs only a few digits of it. */
static void differentiate(radau *r) {
    double y[MOST], dy[MOST];
    memcpy(y, r->y, sizeof y);
    for (int j = 0; j < r->n; j++) {
        const double step = 0x1p-26 * size_of(r, j);
        y[j] = r->y[j] + step;
        r->rate(r->context, y, dy, NULL);
        const double moved = y[j] - r->y[j];
        for (int i = 0; i < r->n; i++) r->jacobian[i * MOST + j] = (dy[i] - r->dy[i]) / moved;
        y[j] = r->y[j];
    }
    r->steepness = 0.0;
    for (int i = 0; i < r->n; i++) {
        double sum = 0.0;
        for (int j = 0; j < r->n; j++) sum += fabs(r->jacobian[i * MOST + j]) * size_of(r, j);
        r->steepness = fmax(r->steepness, sum / size_of(r, i));
    }
    r->jacobian_here = r->jacobian_known = true;
    r->factored_h = 0.0;
}

static bool factor(radau *r, double h) {
    double work[MOST];
    const int n = r->n;
    if (r->factored_h == h) return true;
    r->factored_h = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double a = -r->jacobian[i * MOST + j], one = i == j ? 1.0 / h : 0.0;
            r->lu[i * MOST + j] = a + gamma_real * one;
            for (int k = 0; k < 2; k++) {
                r->lu_re[k][i * MOST + j] = a + alpha[k] * one;
                r->lu_im[k][i * MOST + j] = beta[k] * one;
            }
        }
    if (!tru_lu(r->lu, n, MOST, r->perm, work)) return false;
    for (int k = 0; k < 2; k++)
        if (!complex_lu(r->lu_re[k], r->lu_im[k], n, r->perm_c[k])) return false;
    r->factored_h = h;
    return true;
}

/* ---- the collocation equations */

/* The polynomial through (0, 0) and the last step's (c, z), continued to this step: a first guess of its Z. */
static void first_guess(radau *r, double h) {
    double node[S + 1] = {0.0};
    memset(r->z, 0, sizeof r->z);
    if (!(r->last_h > 0.0)) return;
    memcpy(node + 1, tru_radau_node, sizeof tru_radau_node);
    for (int k = 0; k < S; k++) {
        const double x = 1.0 + tru_radau_node[k] * (h / r->last_h);
        for (int j = 1; j <= S; j++) {
            double lagrange = 1.0;
            for (int i = 0; i <= S; i++)
                if (i != j) lagrange *= (x - node[i]) / (node[j] - node[i]);
            for (int i = 0; i < r->n; i++) r->z[k][i] += lagrange * r->last[j - 1][i];
        }
        for (int i = 0; i < r->n; i++) r->z[k][i] -= r->last[S - 1][i];
    }
}

/* Sets out = m in, over the stages. */
static void transform(const double m[S][S], int n, grid in, grid out) {
    for (int k = 0; k < S; k++)
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int j = 0; j < S; j++) sum += m[k][j] * in[j][i];
            out[k][i] = sum;
        }
}

static void rates_at_stages(radau *r, grid f, bool extras) {
    for (int k = 0; k < S; k++) {
        for (int i = 0; i < r->n; i++) r->at[k][i] = r->y[i] + r->z[k][i];
        r->rate(r->context, r->at[k], f[k], extras ? r->extra_at[k] : NULL);
    }
}

/* Does one Newton correction of W and returns its norm relative to the sizes of the unknowns. */
static double correct(radau *r, grid f, grid w) {
    const double h = r->h;
    const int n = r->n;
    grid d;
    double sum = 0.0;
    transform(t_inverse, n, f, d);
    for (int i = 0; i < n; i++) d[0][i] -= gamma_real / h * w[0][i];
    tru_lu_solve(r->lu, n, MOST, r->perm, d[0]);
    for (int k = 0; k < 2; k++) {
        double *x = d[1 + 2 * k], *y = d[2 + 2 * k], *u = w[1 + 2 * k], *v = w[2 + 2 * k];
        for (int i = 0; i < n; i++) {
            x[i] -= (alpha[k] * u[i] + beta[k] * v[i]) / h;
            y[i] = -(y[i] - (alpha[k] * v[i] - beta[k] * u[i]) / h); /* the complex unknown is u - i v */
        }
        complex_solve(r->lu_re[k], r->lu_im[k], n, r->perm_c[k], x, y);
        for (int i = 0; i < n; i++) y[i] = -y[i];
    }
    for (int k = 0; k < S; k++)
        for (int i = 0; i < n; i++) {
            const double part = d[k][i] / size_of(r, i);
            w[k][i] += d[k][i];
            sum += part * part;
        }
    return sqrt(sum / (S * n));
}

/* Iterate until the next correction would be far below the tolerance. Rates are rounded in parts of |J| |y|: below
   what that makes over the step nothing more can be gained. */
static bool solve_stages(radau *r) {
    grid f, w;
    double norm, before = 0.0, theta = 0.0;
    const double enough = 1e-4 * r->tolerance, noise = 4.0 * DBL_EPSILON * (1.0 + r->h * r->steepness);
    first_guess(r, r->h);
    transform(t_inverse, r->n, r->z, w);
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        rates_at_stages(r, f, false);
        norm = correct(r, f, w);
        r->iterations++;
        if (!(norm <= 1e3)) return false; /* also when it is not a number */
        transform(t, r->n, w, r->z);
        if (i > 0) {
            theta = i > 1 ? sqrt(theta * (norm / before)) : norm / before;
            r->rate_of_convergence = theta;
            if (norm > noise && (theta >= 0.99 || (i > 2 && norm > 1e-3 && theta > 0.5))) return false;
            if (norm * theta <= enough * (1.0 - theta) || norm <= noise) return true;
        } else if (norm <= 1e-2 * enough || norm <= noise) {
            r->rate_of_convergence = 1e-3;
            return true;
        }
        before = norm;
    }
    return false;
}

/* Filtered difference to the embedded formula; 1 is the tolerance. It is of order 6 in h where the method is of order
   10, so it is compared with the tolerance to the power 6/10. */
static double estimate(radau *r, double *target) {
    double e[MOST], f[MOST], sum = 0.0;
    for (int round = 0;; round++) {
        for (int i = 0; i < r->n; i++) {
            double combined = 0.0;
            for (int k = 0; k < S; k++) combined += embedded[k] * r->z[k][i];
            e[i] = (round == 0 ? r->dy[i] : f[i]) + gamma_real / r->h * combined;
        }
        tru_lu_solve(r->lu, r->n, MOST, r->perm, e);
        sum = 0.0;
        for (int i = 0; i < r->n; i++) {
            const double part = e[i] / fmax(size_of(r, i), fabs(target[i]));
            sum += part * part;
        }
        sum = sqrt(sum / r->n) / (0.1 * tru_exp(0.6 * tru_log(r->tolerance)));
        /* stiff parts far from their slow curve are overestimated; once more with f there tells */
        if (!(sum > 1.0) || round == 1 || !(r->rejected || !(r->last_h > 0.0))) return sum;
        for (int i = 0; i < r->n; i++) e[i] += r->y[i];
        r->rate(r->context, e, f, NULL);
    }
}

/* ---- functions for callers ---- */

void tru_radau_start(radau *r, const double *y) {
    memset(r->y, 0, sizeof r->y);
    memcpy(r->y, y, (size_t)r->n * sizeof *y);
    r->rate(r->context, r->y, r->dy, r->extra);
    r->jacobian_known = r->jacobian_here = r->rejected = false;
    r->factored_h = r->last_h = 0.0;
    r->rate_of_convergence = 1.0;
    r->iterations = r->trials = 0;
}

bool tru_radau_try(radau *r, double h) {
    r->h = h;
    r->trials++;
    if (!r->jacobian_here && (!r->jacobian_known || r->rate_of_convergence > 1e-3)) differentiate(r);
    bool solved = factor(r, h) && solve_stages(r);
    if (!solved && !r->jacobian_here) {
        differentiate(r);
        solved = factor(r, h) && solve_stages(r);
    }
    if (!solved) {
        r->rejected = true;
        r->rate_of_convergence = 1.0;
        return false;
    }
    grid f;
    rates_at_stages(r, f, true);
    memcpy(r->end, r->at[S - 1], sizeof r->end);
    memcpy(r->end_dy, f[S - 1], sizeof r->end_dy);
    for (int j = 0; j < r->extras; j++) {
        r->gained[j] = 0.0;
        for (int k = 0; k < S; k++) r->gained[j] += h * weight[k] * r->extra_at[k][j];
    }
    r->error = estimate(r, r->end);
    r->rejected = !(r->error <= 1.0);
    return r->error <= DBL_MAX;
}

void tru_radau_accept(radau *r) {
    memcpy(r->last, r->z, sizeof r->last);
    r->last_h = r->h;
    r->last_error = fmax(r->error, 1e-6);
    memcpy(r->y, r->end, sizeof r->y);
    memcpy(r->dy, r->end_dy, sizeof r->dy);
    memcpy(r->extra, r->extra_at[S - 1], sizeof r->extra);
    r->jacobian_here = r->rejected = false;
}

/* The estimate goes with h^6. Where the step before was accepted, the trend of the error counts as well [Gustafsson
   1994]: on a curve that steepens the next step is not tried in vain. */
double tru_radau_next(const radau *r) {
    const double error = fmax(r->error, 1e-12);
    double wanted = 0.9 * tru_exp(-tru_log(error) / (S + 1.0));
    if (r->last_h > 0.0 && r->error <= 1.0)
        wanted = fmin(wanted, 0.9 * r->h / r->last_h * tru_exp(tru_log(r->last_error / (error * error)) / (S + 1.0)));
    return r->h * fmin(8.0, fmax(0.125, wanted));
}
