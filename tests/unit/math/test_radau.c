/* The stiff integrator against exact solutions, published reference values and its own order. */
#define _GNU_SOURCE
#include "check.h"

#include "math/radau.h"

/* ---- problems */

/* Kepler's ellipse of eccentricity e, started at its pericentre; period 2 pi. */
static void kepler(void *context, const double *y, double *dy, double *extra) {
    const double r2 = y[0] * y[0] + y[1] * y[1], r3 = r2 * sqrt(r2);
    (void)context;
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = -y[0] / r3;
    dy[3] = -y[1] / r3;
    if (extra) extra[0] = y[0] * y[3] - y[1] * y[2]; /* angular momentum: constant, its integral is linear */
}

static void kepler_start(double e, double y[4]) {
    y[0] = 1.0 - e;
    y[1] = y[2] = 0.0;
    y[3] = sqrt((1.0 + e) / (1.0 - e));
}

/* y' = lambda (y - cos t) - sin t, y = cos t; y[1] is t. */
static void slow_curve(void *context, const double *y, double *dy, double *extra) {
    const double lambda = *(double *)context;
    dy[0] = lambda * (y[0] - cos(y[1])) - sin(y[1]);
    dy[1] = 1.0;
    (void)extra;
}

static void van_der_pol(void *context, const double *y, double *dy, double *extra) {
    (void)context;
    (void)extra;
    dy[0] = y[1];
    dy[1] = ((1.0 - y[0] * y[0]) * y[1] - y[0]) * 1e6;
}

static void robertson(void *context, const double *y, double *dy, double *extra) {
    (void)context;
    (void)extra;
    dy[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    dy[2] = 3e7 * y[1] * y[1];
    dy[1] = -dy[0] - dy[2];
}

/* ---- a loop as a caller writes it */

static radau make(radau_rate *rate, void *context, int n, int extras, double tolerance) {
    radau r = {.rate = rate, .context = context, .n = n, .extras = extras, .tolerance = tolerance};
    for (int i = 0; i < n; i++) r.scale[i] = 1.0;
    return r;
}

/* To `length` with steps of its own choice; integrals of the extras in sum. Returns the number of accepted steps. */
static int advance(radau *r, double length, double first, double *sum) {
    double done = 0.0, h = first;
    int steps = 0;
    while (done < length && steps < 100000) {
        const double left = length - done;
        const bool last = h >= left;
        const bool solved = tru_radau_try(r, last ? left : h);
        if (solved && r->error <= 1.0) {
            for (int j = 0; sum && j < r->extras; j++) sum[j] += r->gained[j];
            done = last ? length : done + h;
            h = tru_radau_next(r);
            tru_radau_accept(r);
            steps++;
        } else {
            h = solved ? tru_radau_next(r) : 0.5 * r->h;
        }
    }
    return steps;
}

/* ---- tests */

/* With n equal steps the error falls by 2^9 when n doubles. */
TEST(order_nine) {
    double before = 0.0;
    for (int n = 20; n <= 80; n *= 2) {
        double y[4];
        radau r = make(kepler, NULL, 4, 1, 1e-13);
        kepler_start(0.3, y);
        tru_radau_start(&r, y);
        for (int i = 0; i < n; i++) {
            if (!check(tru_radau_try(&r, 2.0 * M_PI / n))) return;
            tru_radau_accept(&r);
        }
        const double error = hypot(r.y[0] - y[0], r.y[1] - y[1]);
        if (before > 0.0) {
            const double order = log2(before / error);
            printf("n %d: error %.3g, order %.2f\n", n, error, order);
            check(order > 8.6 && order < 9.6);
        }
        before = error;
    }
}

/* Errors stay below a hundred tolerances over one period, and steps grow fewer as the tolerance grows. */
TEST(tolerance_is_met) {
    int before = 1000000;
    for (double tolerance = 1e-13; tolerance < 1e-3; tolerance *= 10.0) {
        double y[4], sum = 0.0;
        radau r = make(kepler, NULL, 4, 1, tolerance);
        kepler_start(0.6, y);
        tru_radau_start(&r, y);
        const int steps = advance(&r, 2.0 * M_PI, 0.01, &sum);
        const double error = hypot(r.y[0] - y[0], r.y[1] - y[1]);
        check(error < 100.0 * tolerance + 1e-12);
        check_close(sum, 2.0 * M_PI * sqrt(1.0 - 0.36), 0.0, 100.0 * tolerance + 1e-12);
        check(steps <= before);
        before = steps;
    }
    check(before < 20);
}

/* However fast the decay, the slow curve is followed with a few long steps. */
TEST(stiff_decay_costs_nothing) {
    for (double lambda = -1.0; lambda > -1e12; lambda *= 100.0) {
        const double y[2] = {1.0, 0.0};
        radau r = make(slow_curve, &lambda, 2, 0, 1e-12);
        tru_radau_start(&r, y);
        const int steps = advance(&r, 10.0, 0.1, NULL);
        check(steps < 60);
        check_close(r.y[0], cos(10.0), 0.0, 0.1 * pow(1e-12, 0.6)); /* what the estimate promises in stiff directions */
    }
    double lambda = -1e9; /* started off the curve: it falls onto it */
    const double y[2] = {2.0, 0.0};
    radau r = make(slow_curve, &lambda, 2, 0, 1e-10);
    tru_radau_start(&r, y);
    check(advance(&r, 10.0, 1e-10, NULL) < 200);
    check_close(r.y[0], cos(10.0), 0.0, 1e-9);
}

/* Reference values of the test set of Hairer and Wanner. */
TEST(published_stiff_problems) {
    const double v[2] = {2.0, 0.0};
    radau r = make(van_der_pol, NULL, 2, 0, 1e-11);
    tru_radau_start(&r, v);
    advance(&r, 2.0, 1e-6, NULL);
    check_close(r.y[0], 1.706167732170483, 1e-9, 0.0);
    check_close(r.y[1], -0.8928097010247975, 1e-9, 0.0);

    const double c[3] = {1.0, 0.0, 0.0};
    r = make(robertson, NULL, 3, 0, 1e-11);
    r.scale[1] = 1e-5;
    tru_radau_start(&r, c);
    advance(&r, 40.0, 1e-4, NULL);
    check_close(r.y[0], 0.7158270687194, 1e-10, 0.0);
    check_close(r.y[1], 0.9185534764558e-5, 1e-9, 0.0);
    check_close(r.y[2], 0.2841637457461, 1e-10, 0.0);
    check_close(r.y[0] + r.y[1] + r.y[2], 1.0, 1e-13, 0.0);
}

/* A trial changes nothing but the trial; extras and stages belong to the step. */
TEST(trials_can_be_repeated) {
    double y[4];
    radau r = make(kepler, NULL, 4, 1, 1e-12);
    kepler_start(0.3, y);
    tru_radau_start(&r, y);
    check(tru_radau_try(&r, 0.2));
    const double there = r.end[0];
    check(tru_radau_try(&r, 0.1));
    check(r.end[0] != there && r.y[0] == y[0] && r.h == 0.1);
    check(tru_radau_try(&r, 0.2));
    check_close(r.end[0], there, 1e-15, 0.0);
    for (int k = 0; k < RADAU_STAGES; k++) { /* stages are accurate too, to lower order */
        radau s = make(kepler, NULL, 4, 1, 1e-12);
        tru_radau_start(&s, y);
        check(tru_radau_try(&s, 0.2 * tru_radau_node[k]));
        check_close(r.at[k][0], s.end[0], 1e-7, 0.0);
    }
    check(tru_radau_node[RADAU_STAGES - 1] == 1.0);
}

static void breaks_down(void *context, const double *y, double *dy, double *extra) {
    (void)context;
    (void)extra;
    dy[0] = y[0] * y[0]; /* 1/(1 - t): infinite at t = 1 */
}

TEST(a_step_into_nothing_fails) {
    const double one = 1.0;
    radau r = make(breaks_down, NULL, 1, 0, 1e-10);
    tru_radau_start(&r, &one);
    const bool solved = tru_radau_try(&r, 2.0);
    check(!solved || r.error > 1.0);
    tru_radau_start(&r, &one);
    advance(&r, 0.9, 0.01, NULL);
    check_close(r.y[0], 10.0, 1e-7, 0.0);
}
