/* root.c: zeros of a function of one variable in a bracket. */
#include "math/root.h"

#include <math.h>

#include "math/elementary/bits.h"

static bool opposite(double a, double b) { return (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0); }

/* Returns the next point as a fraction of the way from a, the newest point, to b: by inverse quadratic interpolation through a, b and c if
   these are sufficiently monotone, otherwise 1/2. */
static double next_fraction(double a, double fa, double b, double fb, double c, double fc) {
    double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
    if (!(phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi)) return 0.5;
    return fa / (fb - fa) * (fc / (fb - fc)) + (c - a) / (b - a) * (fa / (fc - fa)) * (fb / (fc - fb));
}

bool tru_root_bracket(root_function f, void *context, double lo, double hi, double xtol, double *root) {
    double a = hi, b = lo, fa = f(a, context), fb = f(b, context), fraction = 0.5;
    if (fa != 0.0 && fb != 0.0 && !opposite(fa, fb)) return false;
    while (fa != 0.0 && fb != 0.0) {
        double x = a + fraction * (b - a);
        if (x == a || x == b) x = 0.5 * a + 0.5 * b;
        if (x == a || x == b) break; /* there is no double between a and b */
        double fx = f(x, context), c, fc;
        if (isnan(fx)) return false;
        if (opposite(fx, fa))
            c = b, fc = fb, b = a, fb = fa;
        else
            c = a, fc = fa;
        a = x, fa = fx;
        double width = fabs(b - a);
        if (fa == 0.0 || width <= xtol) break;
        fraction = next_fraction(a, fa, b, fb, c, fc);
        /* at least one spacing of doubles, or half the tolerance, away from both ends */
        double least = fmax(0.5 * xtol, 0x1p-53 * fabs(a)) / width;
        if (least > 0.5) least = 0.5;
        fraction = fmin(fmax(fraction, least), 1.0 - least);
    }
    *root = fabs(fa) <= fabs(fb) ? a : b;
    return true;
}

/* Returns the middle of l and h; if both have the same sign that of their logarithms, up to 6 %. */
static double middle(double l, double h) {
    if (!((l > 0.0 && h > 0.0) || (l < 0.0 && h < 0.0))) return 0.5 * l + 0.5 * h;
    uint64_t a = bits_of(l), b = bits_of(h);
    return bits_to_double(a < b ? a + (b - a) / 2 : b + (a - b) / 2);
}

static bool strictly_between(double x, double a, double b) { return (a < x && x < b) || (b < x && x < a); }

bool tru_root_newton(root_slope_function f, void *context, double lo, double hi, double xtol, double *root) {
    double slope, fl = f(lo, context, &slope), fh = f(hi, context, &slope);
    double x = fl == 0.0 ? lo : hi, moved = fabs(hi - lo);
    bool found = fl == 0.0 || fh == 0.0;
    if (!found && !opposite(fl, fh)) return false;
    double below = fl < 0.0 ? lo : hi, above = fl < 0.0 ? hi : lo; /* by the sign of f */
    if (!found) x = middle(lo, hi);
    while (!found && strictly_between(x, below, above)) {
        double value = f(x, context, &slope);
        if (isnan(value)) return false;
        if (value < 0.0) below = x;
        if (value > 0.0) above = x;
        double next = x - value / slope;
        if (!strictly_between(next, below, above) || fabs(next - x) > 0.5 * moved) next = middle(below, above);
        if (next == x) break;
        moved = value == 0.0 ? 0.0 : fabs(next - x);
        found = moved <= xtol;
        if (value != 0.0) x = next;
    }
    *root = x;
    return true;
}
