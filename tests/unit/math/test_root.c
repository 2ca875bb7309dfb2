/* Bracketed root finding: known roots, hard shapes, units, refusals, number of evaluations. */
#include "check.h"

#include "math/root.h"
#include "draw.h"

/* A function, its root, a unit of x and of f, and how often it was called. */
typedef struct problem {
    int kind;
    double x_unit, f_unit;
    int calls;
} problem;

enum { KINDS = 7 };

static const double lo[KINDS] = {0.0, -1.0, 1.0, -4.0, 1e-8, 0.0, -10.0};
static const double hi[KINDS] = {2.0, 3.0, 3.0, 5.0, 1e8, 1.0, 10.0};
static const double zero[KINDS] = {1.4142135623730951, 0.0, 2.0, 1.0, 1e-3, 0.7390851332151607, 0.1};

static double plain(int kind, double x, double *slope) {
    switch (kind) {
    case 0:
        *slope = 2.0 * x;
        return x * x - 2.0;
    case 1:
        *slope = 3.0 * x * x;
        return x * x * x; /* triple */
    case 2:
        *slope = x < 2.0 ? 1.0 : 1000.0;
        return x < 2.0 ? x - 2.0 : 1000.0 * (x - 2.0); /* kink */
    case 3:
        *slope = 0.0;
        return x < 1.0 ? -1.0 : 1.0; /* jump */
    case 4:
        *slope = -1e-3 / (x * x);
        return 1e-3 / x - 1.0; /* Newton overshoots */
    case 5:
        *slope = -sin(x) - 1.0;
        return cos(x) - x;
    default:
        *slope = 1.0 / (1.0 + (x - 0.1) * (x - 0.1));
        return atan(x - 0.1); /* Newton diverges */
    }
}

static double with_slope(double x, void *context, double *slope) {
    problem *p = context;
    p->calls++;
    double f = p->f_unit * plain(p->kind, x / p->x_unit, slope);
    *slope *= p->f_unit / p->x_unit;
    return f;
}

static double without_slope(double x, void *context) {
    double slope;
    return with_slope(x, context, &slope);
}

TEST(to_the_last_bit) {
    for (int kind = 0; kind < KINDS; kind++) {
        problem p = {kind, 1.0, 1.0, 0}, q = p;
        double x = NAN, y = NAN;
        check(tru_root_bracket(without_slope, &p, lo[kind], hi[kind], 0.0, &x));
        check(tru_root_newton(with_slope, &q, lo[kind], hi[kind], 0.0, &y));
        double tolerance = kind == 1 ? 1e-100 : 2.3e-16 * zero[kind];
        check_close(x, zero[kind], 0.0, tolerance);
        check_close(y, zero[kind], 0.0, tolerance);
        printf("kind %d: %d and %d calls\n", kind, p.calls, q.calls);
        check(p.calls < 1100 && q.calls < 1100);
        if (kind == 0 || kind == 5) check(p.calls <= 12 && q.calls <= 12);
    }
}

TEST(to_a_tolerance) {
    for (int kind = 0; kind < KINDS; kind++) {
        problem p = {kind, 1.0, 1.0, 0};
        double x = NAN, y = NAN;
        check(tru_root_bracket(without_slope, &p, lo[kind], hi[kind], 1e-6, &x));
        check(tru_root_newton(with_slope, &p, lo[kind], hi[kind], 1e-6, &y));
        check_close(x, zero[kind], 0.0, 1e-6);
        if (kind != 1) check_close(y, zero[kind], 0.0, 1e-6); /* at a triple root a step is a third of the error */
        if (kind == 1) check_close(y, zero[kind], 0.0, 3e-6);
    }
}

TEST(refusals) {
    problem p = {0, 1.0, 1.0, 0};
    double x = 7.0;
    check(!tru_root_bracket(without_slope, &p, 2.0, 3.0, 0.0, &x) &&
          !tru_root_newton(with_slope, &p, 2.0, 3.0, 0.0, &x));
    check(!tru_root_bracket(without_slope, &p, 0.0, NAN, 0.0, &x) &&
          !tru_root_newton(with_slope, &p, NAN, 3.0, 0.0, &x));
    check(x == 7.0);
    p.kind = 2; /* a root at an end */
    check(tru_root_bracket(without_slope, &p, 2.0, 3.0, 0.0, &x) && x == 2.0);
    check(tru_root_newton(with_slope, &p, 1.0, 2.0, 0.0, &x) && x == 2.0);
}

TEST(same_bits_in_any_units) {
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 500; i++) {
        int kind = i % KINDS;
        double u = ldexp(1.0, draw_int(&d, 80) - 40), x, y, s, t;
        problem p = {kind, 1.0, 1.0, 0}, q = {kind, u, ldexp(1.0, draw_int(&d, 80) - 40), 0};
        double tolerance = kind == 1 ? 1e-9 : 0.0; /* the triple root at 0 would end at the smallest number */
        check(tru_root_bracket(without_slope, &p, lo[kind], hi[kind], tolerance, &x));
        check(tru_root_bracket(without_slope, &q, u * lo[kind], u * hi[kind], u * tolerance, &y));
        check(tru_root_newton(with_slope, &p, lo[kind], hi[kind], tolerance, &s));
        check(tru_root_newton(with_slope, &q, u * lo[kind], u * hi[kind], u * tolerance, &t));
        check(y == u * x && t == u * s && p.calls == q.calls);
    }
}
