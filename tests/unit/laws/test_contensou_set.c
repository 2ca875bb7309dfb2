/* test_contensou_set.c: the Contensou set against quadrature of the Hertz patch, and a certificate of its projection. */
#define _GNU_SOURCE
#include "check.h"
#include "draw.h"

#include "laws/set_valued/contensou_set.h"

#include <math.h>

/* ---- the patch itself ---- */

/* Double exponential rule on [-1, 1]; end points where the integrand has a root do no harm. */
enum { HALF = 44, POINTS = 2 * HALF + 1 };
static double rule_at[POINTS], rule_weight[POINTS];

static void make_rule(void) {
    const double h = 0.07;
    for (int i = 0; i < POINTS; i++) {
        const double t = h * (i - HALF), u = 0.5 * M_PI * sinh(t);
        rule_at[i] = tanh(u);
        rule_weight[i] = h * 0.5 * M_PI * cosh(t) / (cosh(u) * cosh(u));
    }
}

/* Unit patch with pressure 3/(2 pi) sqrt(1 - rho^2), sliding with k along x and turning with 1: the point of no slip is
 * (0, k). In polar coordinates (R, phi) about it the slip points along (-sin phi, cos phi) everywhere, so the force is
 * the integral of -sin phi, the couple that of R + k sin phi. */
static void patch_panel(double k, double from, double to, double *force, double *couple) {
    const double wide = 0.5 * (to - from);
    for (int i = 0; i < POINTS; i++) {
        const double phi = 0.5 * (from + to) + wide * rule_at[i], s = sin(phi), c = cos(phi);
        const double root2 = 1.0 - k * k * c * c, root = root2 > 0.0 ? sqrt(root2) : 0.0;
        const double far = -k * s + root, near = k < 1.0 ? 0.0 : -k * s - root;
        const double middle = 0.5 * (far + near), half = 0.5 * (far - near);
        for (int j = 0; j < POINTS; j++) {
            const double r = middle + half * rule_at[j];
            const double p2 = (far - r) * (r + k * s + root);
            const double w = wide * rule_weight[i] * half * rule_weight[j] * r * 1.5 / M_PI * sqrt(fmax(p2, 0.0));
            *force -= w * s;
            *couple += w * (r + k * s);
        }
    }
}

/* For k below 1 the rim is far on one side of the line phi = 0, pi and near on the other: panels end there. */
static void patch_integrals(double k, double *force, double *couple) {
    *force = *couple = 0.0;
    if (k < 1.0) {
        patch_panel(k, -M_PI, 0.0, force, couple);
        patch_panel(k, 0.0, M_PI, force, couple);
    } else {
        patch_panel(k, -0.5 * M_PI - asin(1.0 / k), -0.5 * M_PI + asin(1.0 / k), force, couple);
    }
}

static meridian meridian_at(double k) { return k <= 1.0 ? trui_contensou_below(k) : trui_contensou_above(1.0 / k); }

TEST(meridian_is_the_hertz_patch) {
    make_rule();
    for (int i = -60; i <= 60; i++) {
        const double k = pow(10.0, i / 20.0);
        double force, couple;
        patch_integrals(k, &force, &couple);
        const meridian m = meridian_at(k);
        check_close(m.xi, force, 1e-9, 1e-11);
        check_close(m.eta, couple, 1e-9, 1e-11);
    }
    check_close(trui_contensou_below(0.0).eta, 3.0 * M_PI / 16.0, 1e-15, 0.0);
    check_close(trui_contensou_above(0.0).xi, 1.0, 0.0, 0.0);
    check(trui_contensou_below(0.0).xi == 0.0 && trui_contensou_above(0.0).eta == 0.0);
}

/* Branches meet in value and slope at k = 1; closed form and series at k = 5. */
TEST(branches_meet) {
    const meridian a = trui_contensou_below(1.0), b = trui_contensou_above(1.0);
    check_close(a.xi, 9.0 * M_PI / 32.0, 1e-15, 0.0);
    check_close(a.eta, 9.0 * M_PI / 128.0, 1e-15, 0.0);
    check_close(b.xi, a.xi, 1e-15, 0.0);
    check_close(b.eta, a.eta, 1e-14, 0.0);
    check_close(b.slope, a.slope, 1e-14, 0.0);
    const meridian c = trui_contensou_above(nextafter(0.2, 0.0)), d = trui_contensou_above(0.2); /* cancels 3 digits */
    check_close(d.xi, c.xi, 1e-14, 0.0);
    check_close(d.eta, c.eta, 1e-12, 0.0);
    check_close(d.slope, c.slope, 1e-10, 0.0);
}

/* (k, 1) is the outward normal, d eta = -k d xi; slope is d xi / dk (its own slope jumps at k = 1). */
TEST(normal_and_slope) {
    for (int i = -40; i <= 40; i++) {
        const double k = pow(10.0, i / 20.0), h = 1e-5 * k;
        const meridian lo = meridian_at(k - h), at = meridian_at(k), hi = meridian_at(k + h);
        const double dxi = (hi.xi - lo.xi) / (2.0 * h), deta = (hi.eta - lo.eta) / (2.0 * h);
        const double slope = k <= 1.0 ? at.slope : at.slope / (k * k * k);
        check_close(dxi, slope, 1e-7, 1e-11 / h * 1e-4);
        check_close(deta, -k * slope, 1e-7, 1e-11 / h * 1e-4);
    }
}

/* ---- projection ---- */

/* b on the meridian over a, by bisection: independent of the projection. */
static double height(double a) {
    double lo = 0.0, hi = 2.0; /* k below 1, then 2 - 1/k */
    for (int i = 0; i < 60; i++) {
        const double g = 0.5 * (lo + hi);
        const meridian m = g <= 1.0 ? trui_contensou_below(g) : trui_contensou_above(2.0 - g);
        if (m.xi < a)
            lo = g;
        else
            hi = g;
    }
    return lo <= 1.0 ? trui_contensou_below(lo).eta : trui_contensou_above(2.0 - lo).eta;
}

/* What the projection claims, checked by what makes a point the nearest: it lies on the meridian, and the residual in
 * the metric is a positive multiple of the normal there. */
static bool certified(double a, double b, double q, const contensou_foot *f) {
    if (f->inside) return a <= 1.0 + 1e-14 && b <= height(a) + 1e-13;
    if (!(f->t >= 0.0 && f->t <= 1.0)) return false;
    const meridian m = f->above ? trui_contensou_above(f->t) : trui_contensou_below(f->t);
    if (m.xi != f->at.xi || m.eta != f->at.eta) return false;
    const double sine = f->above ? 1.0 : f->t, cosine = f->above ? f->t : 1.0; /* normal (sine, cosine), not unit */
    const double ra = a - m.xi, rb = q * (b - m.eta), round = 1e-13 * (a + 1.0 + q * (b + 1.0));
    const double across = ra * cosine - rb * sine, along = ra * sine + rb * cosine;
    return fabs(across) <= round + 1e-12 * (fabs(ra) * cosine + fabs(rb) * sine) && along >= -round;
}

TEST(a_million_projections) {
    draw d = {check_seed(), 1, 0};
    long inside = 0, above = 0, below = 0, failed = 0;
    double guess = 0.5;
    for (int i = 0; i < 1000000; i++) {
        const double q = pow(10.0, draw_in(&d, -4.0, 4.0));
        const double a = i % 7 == 0 ? 0.0 : pow(10.0, draw_in(&d, -3.0, i % 5 ? 0.5 : 6.0));
        const double b = i % 11 == 0 ? 0.0 : pow(10.0, draw_in(&d, -3.0, i % 5 ? 0.3 : 6.0));
        const contensou_foot f = trui_contensou_project(a, b, q, guess);
        failed += !certified(a, b, q, &f);
        inside += f.inside;
        above += !f.inside && f.above;
        below += !f.inside && !f.above;
        guess = i % 3 ? draw_in(&d, -0.5, 2.5) : f.above ? 2.0 - f.t : f.t; /* warm, cold and senseless starts */
    }
    check_status(failed, 0);
    check(inside > 100000 && above > 100000 && below > 100000);
}

/* Points on and next to the boundary, where inside and outside meet. */
TEST(on_the_boundary) {
    draw d = {check_seed(), 2, 0};
    for (int i = 0; i < 100000; i++) {
        const double g = draw_in(&d, 0.0, 2.0), q = pow(10.0, draw_in(&d, -4.0, 4.0));
        const meridian m = g <= 1.0 ? trui_contensou_below(g) : trui_contensou_above(2.0 - g);
        const double beyond = i % 2 ? 0.0 : pow(10.0, draw_in(&d, -15.0, -3.0));
        const double k = g <= 1.0 ? g : 1.0, one = g <= 1.0 ? 1.0 : 2.0 - g; /* normal (k, one) */
        const double a = m.xi + beyond * k, b = m.eta + beyond * one / q;
        const contensou_foot f = trui_contensou_project(a, b, q, draw_in(&d, 0.0, 2.0));
        const double xi = f.inside ? a : f.at.xi, eta = f.inside ? b : f.at.eta;
        check_close(xi, m.xi, 0.0, 2e-14 / fmin(q, 1.0) + 1e-12 * beyond);
        check_close(eta, m.eta, 0.0, 2e-14 / fmin(q, 1.0) + 1e-12 * beyond);
        if (check_state.failures > 5) return;
    }
}

/* ---- the truncated series of [LSLG05 (2.31)], for what it leaves out ---- */

#define XI_SEAM  (9.0 * M_PI / 32.0)
#define ETA_SEAM (9.0 * M_PI / 128.0)

/* xi <= 9 pi/32, with x = xi / (9 pi/32): (16 eta / (3 pi))^2 + (9/8) x^2 - (243/1024) x^4 - (729/32768) x^6 = 1 */
static double series_low(double xi) {
    const double x2 = xi * xi / (XI_SEAM * XI_SEAM);
    const double e2 = 1.0 - x2 * (9.0 / 8.0 - x2 * (243.0 / 1024.0 + x2 * 729.0 / 32768.0));
    return 3.0 * M_PI / 16.0 * sqrt(e2);
}

/* above: xi^2 + 5 eta^2 - (75/7) eta^4 + (1250/147) eta^6 = 1 */
static double series_high(double xi) {
    double lo = 0.0, hi = 0.09; /* eta^2 */
    for (int i = 0; i < 100; i++) {
        const double e = 0.5 * (lo + hi);
        if (xi * xi + e * (5.0 - e * (75.0 / 7.0 - e * 1250.0 / 147.0)) < 1.0)
            lo = e;
        else
            hi = e;
    }
    return sqrt(lo);
}

/* The two branches do not meet: the published set steps outwards by 2 % where they should, so it is not convex there
 * and has no nearest point for points above the notch. */
TEST(published_series_has_a_notch) {
    check_close(series_low(XI_SEAM), 0.21607, 0.0, 5e-6);
    check_close(series_high(XI_SEAM), 0.22081, 0.0, 5e-6);
    check_close(ETA_SEAM, 0.22089, 0.0, 5e-6);
    double worst_low = 0.0, worst_high = 0.0;
    for (int i = 0; i <= 10000; i++) {
        const meridian low = trui_contensou_below(i / 10000.0), high = trui_contensou_above(i / 10000.0);
        worst_low = fmax(worst_low, fabs(series_low(low.xi) - low.eta));
        worst_high = fmax(worst_high, fabs(series_high(high.xi) - high.eta));
    }
    check_close(worst_low, 4.8e-3, 0.01, 0.0);
    check_close(worst_high, 8.4e-5, 0.01, 0.0);
    check_close(worst_low, ETA_SEAM - series_low(XI_SEAM), 1e-12, 0.0); /* both at the seam */
    check_close(worst_high, ETA_SEAM - series_high(XI_SEAM), 1e-12, 0.0);
    check(series_high(XI_SEAM) / series_low(XI_SEAM) > 1.02);
    /* next terms: what was dropped */
    check_close(series_low(0.5) - height(0.5), 0.0, 0.0, 1e-4);
}
