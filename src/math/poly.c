/* poly.c: real roots by changes of sign between critical points, complex ones by the Ehrlich-Aberth iteration. */
#include "math/poly.h"

#include <float.h>
#include <stddef.h>

#include "math/elementary/bits.h"
#include "math/elementary/dd.h"
#include "math/elementary/elementary.h"
#include "math/root.h"

enum { MOST = TRU_POLY_DEGREE };

/* A polynomial with a[0], a[n] != 0 in y = x 2^-shift, where x is the caller's variable. The sizes of a[0] and a[n] are
   about equal and the largest coefficient is about 1. */
typedef struct balanced {
    double a[MOST + 1];
    int n, shift, zeros; /* degree, power of two, number of roots x = 0 that were removed */
} balanced;

static int floor_div(int a, int b) { return a / b - (a % b < 0); }

static bool balance(const double *a, int degree, balanced *p) {
    if (degree > MOST) return false;
    for (int k = 0; k <= degree; k++)
        if (!isfinite(a[k])) return false;
    while (degree >= 0 && a[degree] == 0.0) degree--;
    if (degree < 0) return false;
    p->zeros = 0;
    while (a[p->zeros] == 0.0) p->zeros++;
    a += p->zeros;
    int n = p->n = degree - p->zeros, largest = INT32_MIN;
    p->shift = n > 0 ? floor_div(bits_exponent(a[0]) - bits_exponent(a[n]), n) : 0;
    for (int k = 0; k <= n; k++) {
        int e = a[k] == 0.0 ? INT32_MIN : bits_exponent(a[k]) + k * p->shift;
        if (e > largest) largest = e;
    }
    for (int k = 0; k <= n; k++) p->a[k] = bits_scale(a[k], k * p->shift - largest);
    return true;
}

double tru_poly_value(const double *a, int degree, double x, double *slope, double *noise) {
    double p = a[degree], d = 0.0, size = fabs(p);
    for (int k = degree - 1; k >= 0; k--) {
        d = d * x + p;
        p = p * x + a[k];
        size = size * fabs(x) + fabs(a[k]);
    }
    if (slope) *slope = d;
    if (noise) *noise = degree * DBL_EPSILON * size; /* Horner: 2 n roundings of the sum of sizes */
    return p;
}

/* Finds the roots of a quadratic. The discriminant has 106 bits, so that it does not cancel. */
static int quadratic(const double *a, double *root) {
    dd square = dd_prod(a[1], a[1]), product = dd_prod(4.0 * a[2], a[0]);
    double d = (square.hi - product.hi) + (square.lo - product.lo);
    if (d < -4.0 * DBL_EPSILON * square.hi) return 0;
    if (d <= 0.0) {
        root[0] = -0.5 * a[1] / a[2];
        return 1;
    }
    double t = -0.5 * (a[1] < 0.0 ? a[1] - sqrt(d) : a[1] + sqrt(d)), r = t / a[2], s = a[0] / t;
    root[0] = fmin(r, s);
    root[1] = fmax(r, s);
    return 2;
}

/* A power of two above the size of every root, from Fujiwara's bound 2 max |a[n-k]/a[n]|^(1/k); with `low`, the
   reciprocal bound: one below every root's size. */
static double root_bound(const double *a, int n, bool low) {
    int lead = bits_exponent(low ? a[0] : a[n]), most = INT32_MIN;
    for (int k = 1; k <= n; k++) {
        double c = low ? a[k] : a[n - k];
        if (c == 0.0) continue;
        int e = floor_div(bits_exponent(c) + 1 - lead, k) + 1;
        if (e > most) most = e;
    }
    return bits_scale(1.0, low ? -most - 1 : most + 1);
}

static double value_and_slope(double x, void *context, double *slope) {
    const balanced *p = context;
    return tru_poly_value(p->a, p->n, x, slope, NULL);
}

/* The root between l and r, where p changes its sign once. No root is smaller in size than `least`: a bracket around
   zero loses one side, and its end at zero moves out. */
static double root_between(balanced *p, double l, double r, double least) {
    double at_r = tru_poly_value(p->a, p->n, r, NULL, NULL), root = l;
    if (l < least && r > -least) {
        if ((p->a[0] < 0.0) != (at_r < 0.0))
            l = least;
        else
            r = -least;
    }
    return tru_root_newton(value_and_slope, p, l, r, 0.0, &root) ? root : 0.5 * (l + r);
}

static int real_roots(const double *a, int degree, double *root);

/* The critical points cut the line into stretches on which p is monotone. A stretch holds a root when the signs of p at
   its ends differ. Neighbouring critical points where p is within its noise of zero are one root, whatever the signs
   around them: the one where p is smallest. */
static int roots_between_extrema(balanced *p, double *root) {
    double slope[MOST], cut[MOST + 2], before, least_value = 0.0;
    for (int k = 1; k <= p->n; k++) slope[k - 1] = k * p->a[k];
    int cuts = real_roots(slope, p->n - 1, cut + 1), found = 0;
    double bound = root_bound(p->a, p->n, false), least = root_bound(p->a, p->n, true);
    cut[0] = -bound;
    cut[cuts + 1] = bound;
    before = tru_poly_value(p->a, p->n, -bound, NULL, NULL);
    bool touched = false; /* the previous point was a root */
    for (int i = 1; i <= cuts + 1; i++) {
        double noise, here = tru_poly_value(p->a, p->n, cut[i], NULL, &noise);
        bool touches = i <= cuts && fabs(here) <= noise;
        if (touches && !touched) least_value = INFINITY, found++;
        if (touches && fabs(here) < least_value) least_value = fabs(here), root[found - 1] = cut[i];
        if (!touches && !touched && (before < 0.0) != (here < 0.0))
            root[found++] = root_between(p, cut[i - 1], cut[i], least);
        touched = touches;
        before = here;
    }
    return found;
}

static void sort(double *x, int n) {
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && x[j] < x[j - 1]; j--) {
            double t = x[j];
            x[j] = x[j - 1];
            x[j - 1] = t;
        }
}

static int real_roots(const double *a, int degree, double *root) {
    balanced p;
    if (!balance(a, degree, &p)) return -1;
    int found = 0;
    if (p.n == 1) root[found++] = -p.a[0] / p.a[1];
    if (p.n == 2) found = quadratic(p.a, root);
    if (p.n > 2) found = roots_between_extrema(&p, root);
    for (int i = 0; i < found; i++) root[i] = bits_scale(root[i], p.shift);
    if (p.zeros > 0) root[found++] = 0.0;
    sort(root, found);
    return found;
}

int tru_poly_real_roots(const double *a, int degree, double *root) { return real_roots(a, degree, root); }

/* ---- complex roots */

static vec2 c_mul(vec2 a, vec2 b) { return v2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

/* Returns 1 / a without overflow of |a|^2. */
static vec2 c_inverse(vec2 a) {
    if (fabs(a.x) >= fabs(a.y)) {
        double r = a.y / a.x, d = a.x + r * a.y;
        return v2(1.0 / d, -r / d);
    }
    double r = a.x / a.y, d = a.y + r * a.x;
    return v2(r / d, -1.0 / d);
}

/* p'(z)/p(z), for |z| > 1 by the reversed polynomial in 1/z so that no power overflows; *small when p is within the
   rounding error of its evaluation. */
static vec2 log_slope(const balanced *p, vec2 z, bool *small) {
    bool outside = v2_norm(z) > 1.0;
    vec2 w = outside ? c_inverse(z) : z, value = v2(0.0, 0.0), slope = value;
    double size = 0.0, length = v2_norm(w);
    for (int k = 0; k <= p->n; k++) {
        double c = outside ? p->a[k] : p->a[p->n - k];
        slope = v2_add(c_mul(slope, w), value);
        value = v2_add(c_mul(value, w), v2(c, 0.0));
        size = size * length + fabs(c);
    }
    *small = v2_norm(value) <= 2.0 * p->n * DBL_EPSILON * size;
    if (value.x == 0.0 && value.y == 0.0) return v2(0.0, 0.0);
    vec2 ratio = c_mul(slope, c_inverse(value));
    return outside ? c_mul(w, v2_sub(v2(p->n, 0.0), c_mul(w, ratio))) : ratio;
}

/* First guesses on circles whose radii are the slopes of the Newton polygon of the coefficients [Bini 1996], to a power
   of two: right in size for roots that differ by orders of magnitude. */
static void first_guesses(const balanced *p, vec2 *z) {
    for (int k = 0, next; k < p->n; k = next) {
        int best = INT32_MAX;
        next = p->n;
        for (int j = p->n; j > k; j--) {
            if (p->a[j] == 0.0) continue;
            int e = floor_div(bits_exponent(p->a[k]) - bits_exponent(p->a[j]), j - k);
            if (e < best) best = e, next = j;
        }
        double radius = bits_scale(1.0, best);
        for (int j = k; j < next; j++) {
            double s, c; /* no guess is real or the conjugate of another */
            tru_sincos(0.7 + k + 0x1.921fb54442d18p+2 * (j - k) / (next - k), &s, &c);
            z[j] = v2(radius * c, radius * s);
        }
    }
}

/* Does one Ehrlich-Aberth step of root i; true if p is already zero within its rounding error there. */
static bool aberth_step(const balanced *p, vec2 *z, int i) {
    bool small;
    vec2 d = log_slope(p, z[i], &small);
    if (d.x == 0.0 && d.y == 0.0) return true; /* exactly a root, or a stationary point of a first guess */
    for (int j = 0; j < p->n; j++) {
        vec2 gap = v2_sub(z[i], z[j]);
        if (j != i && (gap.x != 0.0 || gap.y != 0.0)) d = v2_sub(d, c_inverse(gap));
    }
    vec2 step = c_inverse(d);
    bool tiny = v2_norm(step) <= 0x1p-20 * v2_norm(z[i]);
    if (tiny || (!small && isfinite(step.x) && isfinite(step.y))) z[i] = v2_sub(z[i], step);
    return small;
}

/* Real coefficients have conjugate roots: each root joins the one nearest to its conjugate, or becomes real when that
   is itself. */
static void make_conjugate(vec2 *z, int n) {
    bool done[MOST] = {false};
    for (int i = 0; i < n; i++) {
        if (done[i]) continue;
        int mate = i;
        double nearest = 2.0 * fabs(z[i].y);
        for (int j = i + 1; j < n; j++) {
            double gap = v2_norm(v2(z[j].x - z[i].x, z[j].y + z[i].y));
            if (!done[j] && gap < nearest) nearest = gap, mate = j;
        }
        done[i] = done[mate] = true;
        if (mate == i) {
            z[i].y = 0.0;
        } else {
            z[i] = v2(0.5 * (z[i].x + z[mate].x), -0.5 * fabs(z[i].y - z[mate].y));
            z[mate] = v2(z[i].x, -z[i].y);
        }
    }
}

static bool before(vec2 a, vec2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

int tru_poly_roots(const double *a, int degree, vec2 *root) {
    balanced p;
    if (!balance(a, degree, &p)) return -1;
    int left = p.n;
    bool done[MOST] = {false};
    first_guesses(&p, root);
    for (int round = 0; round < 200 && left > 0; round++)
        for (int i = 0; i < p.n; i++)
            if (!done[i] && aberth_step(&p, root, i)) done[i] = true, left--;
    make_conjugate(root, p.n);
    int count = p.n + p.zeros;
    for (int i = 0; i < p.n; i++) root[i] = v2(bits_scale(root[i].x, p.shift), bits_scale(root[i].y, p.shift));
    for (int i = p.n; i < count; i++) root[i] = v2(0.0, 0.0);
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && before(root[j], root[j - 1]); j--) {
            vec2 t = root[j];
            root[j] = root[j - 1];
            root[j - 1] = t;
        }
    return count;
}
