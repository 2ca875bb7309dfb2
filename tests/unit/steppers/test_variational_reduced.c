/* test_variational_reduced.c: the disk in its three angles: slopes, orders, first integrals, steady rolling, forces, against
 * references of an independent integrator of order 8 [variational-equations 4, 5]. */
#define _GNU_SOURCE
#include "check.h"

#include "math/elementary/elementary.h"
#include "math/radau.h"
#include "math/random.h"
#include "steppers/variational/scheme/step_variational_reduced.h"

#include <trundle/analysis.h>

#include <math.h>
#include <string.h>

#define G 9.8

/* theta, phi, psi, x, y and the rates of a disk of radius 1. */
typedef struct state {
    double angle[3], x, y, rate[3];
} state;

/* The data of the paper: I1 1/4, I3 1/2, thickness half the radius, started upright. */
static state paper_start(void) { return (state){{M_PI / 2, 0, 0}, 0, 0, {M_PI / 8, M_PI, 2 * M_PI}}; }

typedef struct setup {
    double e, i1, i3, g;
    int scheme;
    bool published;
    reduced_force *force;
} setup;

static const setup paper = {0.25, 0.25, 0.5, G, TRU_REDUCED, false, NULL};

/* One step of h; energy in the middle of the step for the variational scheme, at its end for the others. */
static double go(const setup *by, state *s, double h, bool first) {
    reduced_step k = {
        .disk = trui_reduced_disk_of(by->e, by->i1, by->i3, by->g * h * h), .force = by->force, .context = &h};
    k.theta = trui_reduced_angle_of(s->angle[0]);
    for (int i = 0; i < 3; i++) k.d[i] = k.rate[i] = h * s->rate[i];
    if (by->scheme == TRU_REDUCED)
        check(trui_reduced_solve(&k, first && by->published));
    else
        check(trui_reduced_runge_kutta(&k, by->scheme));
    const double c = cos(s->angle[1]), n = sin(s->angle[1]);
    s->x += k.path[0] * c - k.path[1] * n;
    s->y += k.path[0] * n + k.path[1] * c;
    for (int i = 0; i < 3; i++) s->angle[i] += k.d[i], s->rate[i] = k.end[i] / h;
    const double e = by->scheme == TRU_REDUCED
                         ? trui_reduced_energy(&k.disk, reduced_angle_turned(k.theta, 0.5 * k.d[0]), k.d)
                         : trui_reduced_energy(&k.disk, k.theta_end, k.end);
    return e / (h * h);
}

static state run(const setup *by, state s, double until, int steps) {
    for (int i = 0; i < steps; i++) go(by, &s, until / steps, i == 0);
    return s;
}

static double distance(const state *a, const state *b) {
    double most = fmax(fabs(a->x - b->x), fabs(a->y - b->y));
    for (int i = 0; i < 3; i++) most = fmax(most, fabs(a->angle[i] - b->angle[i]));
    return most;
}

/* ---- a reference: order 9, adaptive */

static void rolling_rates(void *context, const double *y, double *dy, double *extra) {
    const setup *by = context;
    const reduced_disk disk = trui_reduced_disk_of(by->e, by->i1, by->i3, by->g);
    const double one = 1.0; /* forces with a step of 1 s are those per second squared */
    reduced_at at = {trui_reduced_angle_of(y[0]), {0, 0, 0}, 0.0, {y[5], y[6], y[7]}};
    double q[3] = {0, 0, 0};
    (void)extra;
    if (by->force) by->force(&one, &at, q);
    memcpy(dy, y + 5, 3 * sizeof *dy);
    dy[3] = -y[7] * cos(y[1]);
    dy[4] = -y[7] * sin(y[1]);
    trui_reduced_accelerate(&disk, at.theta, at.rate, q, dy + 5);
}

/* Radau IIA with a tolerance of 1e-13, which chooses its steps. */
static state reference_of(const setup *by, const state *s, double until) {
    static radau r; /* large */
    setup own = *by;
    double t = 0.0, h = 1e-3;
    r = (radau){.rate = rolling_rates, .context = &own, .n = 8, .tolerance = 1e-13};
    const double y[8] = {s->angle[0], s->angle[1], s->angle[2], s->x, s->y, s->rate[0], s->rate[1], s->rate[2]};
    for (int i = 0; i < 8; i++) r.scale[i] = 1.0;
    tru_radau_start(&r, y);
    while (t < until) {
        const double left = until - t, go_by = fmin(h, left);
        const bool good = tru_radau_try(&r, go_by);
        h = good ? fmin(tru_radau_next(&r), 0.1) : 0.25 * go_by;
        if (!good || r.error > 1.0) continue;
        t = go_by == left ? until : t + go_by;
        tru_radau_accept(&r);
    }
    return (state){{r.y[0], r.y[1], r.y[2]}, r.y[3], r.y[4], {r.y[5], r.y[6], r.y[7]}};
}

/* ---- equations: slopes, limits, an independent reference ---- */

TEST(slope_is_the_derivative) {
    const uint64_t seed = check_seed();
    for (uint64_t k = 0; k < 200; k++) {
        double u[8];
        for (uint64_t i = 0; i < 8; i++) u[i] = tru_random_uniform(seed, k, i);
        const reduced_disk disk = trui_reduced_disk_of(u[0], 0.1 + u[1], 0.1 + u[2], 0.1 * u[3]);
        const reduced_angle theta = trui_reduced_angle_of(0.2 + 2.0 * u[4]);
        const double d[3] = {0.3 * (u[5] - 0.5), 0.6 * (u[6] - 0.5), u[7] - 0.5};
        double start[3], end[3], slope[3][3], up[3], down[3], ignored[3];
        trui_reduced_discrete(&disk, theta, d, start, end, slope);
        for (int j = 0; j < 3; j++) {
            double a[3], b[3];
            memcpy(a, d, sizeof a);
            memcpy(b, d, sizeof b);
            a[j] += 1e-5;
            b[j] -= 1e-5;
            trui_reduced_discrete(&disk, theta, a, up, ignored, NULL);
            trui_reduced_discrete(&disk, theta, b, down, ignored, NULL);
            for (int i = 0; i < 3; i++) check_close(slope[i][j], (up[i] - down[i]) / 2e-5, 1e-8, 1e-8);
        }
    }
}

/* Small steps: discrete momenta are those of the Legendre transform, and their change is what forces do in the step. */
TEST(discrete_equations_tend_to_the_continuous_ones) {
    const reduced_disk disk = trui_reduced_disk_of(0.25, 0.25, 0.5, 0.0);
    const reduced_angle theta = trui_reduced_angle_of(1.1);
    const double rate[3] = {0.7, -1.3, 2.1}, none[3] = {0, 0, 0};
    double last = 0.0;
    for (int level = 0; level < 3; level++) {
        const double h = 0.01 / (1 << level);
        reduced_disk k = disk;
        k.g = G * h * h;
        const double scaled[3] = {h * rate[0], h * rate[1], h * rate[2]};
        reduced_step s = {.disk = k, .theta = theta};
        memcpy(s.rate, scaled, sizeof scaled);
        memcpy(s.d, scaled, sizeof scaled);
        double a[3], worst = 0.0;
        check(trui_reduced_solve(&s, false));
        trui_reduced_accelerate(&k, theta, scaled, none, a);
        for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(s.end[i] - s.rate[i] - a[i]) / (h * h));
        if (level > 0) check_close(last / worst, 2.0, 0.1, 0.0);
        last = worst;
    }
}

/* Thin and homogeneous: the equations of the rolling-disk paper with alpha = phi, beta = pi/2 - theta, gamma = psi. */
TEST(thin_limit_is_the_rolling_disk) {
    const uint64_t seed = check_seed();
    const tru_disk_body disk = tru_disk_homogeneous(0.7, 1.3, 9.81);
    const reduced_disk k = trui_reduced_disk_of(0.0, 0.25, 0.5, 9.81 / 0.7);
    for (uint64_t i = 0; i < 200; i++) {
        double u[4], a[3];
        for (uint64_t j = 0; j < 4; j++) u[j] = tru_random_uniform(seed, i, j);
        const double theta = 0.1 + 2.9 * u[0], rate[3] = {4 * u[1] - 2, 8 * u[2] - 4, 10 * u[3] - 5}, none[3] = {0};
        const tru_disk_angles now = {.beta = M_PI / 2 - theta,
                                     .alpha_rate = rate[PHI],
                                     .beta_rate = -rate[THETA],
                                     .gamma_rate = rate[PSI],
                                     .cos_beta = sin(theta)};
        const tru_disk_rolling on = tru_disk_roll_on(&disk, &now, NULL);
        trui_reduced_accelerate(&k, trui_reduced_angle_of(theta), rate, none, a);
        const double scale = 1.0 + fabs(a[0]) + fabs(a[1]) + fabs(a[2]);
        check_close(a[THETA], -on.beta_rate2, 0.0, 1e-12 * scale);
        check_close(a[PHI], on.alpha_rate2, 0.0, 1e-12 * scale);
        check_close(a[PSI], on.gamma_rate2, 0.0, 1e-12 * scale);
    }
}

/* The reference has every digit of [variational-equations 4, 5.4, 5.5] (order 8, another program), in the motion, thin,
 * and forced. */
TEST(adaptive_reference) {
    const state printed[] = {{{1.25454501, 0.41412092, 6.07622243}, -5.79976629, -0.46300642, {0, 0, 0}},
                             {{1.50358652, -0.99768793, 61.43067581}, -53.91967564, 18.52431858, {0, 0, 0}},
                             {{1.51994599, -7.6845538, 614.29093729}, -78.09382713, 78.07100893, {0, 0, 0}}};
    const state start = paper_start();
    for (int i = 0; i < 3; i++) {
        const state s = reference_of(&paper, &start, i == 0 ? 1.0 : i == 1 ? 10.0 : 100.0);
        check(distance(&s, &printed[i]) < 1e-8);
    }
    const setup thin = {0.0, 0.25, 0.5, 9.81, TRU_RK4, false, NULL};
    const state begun = {{1.2, 0, 0}, 0, 0, {0.1, 2, 5}}, end = reference_of(&thin, &begun, 10.0);
    const state there = {{1.1044237673, -8.2540506218, 64.4419237155}, -5.7460573564, 11.559650449, {0, 0, 0}};
    check(distance(&end, &there) < 2e-10);
    check_close(end.rate[0], -1.5325040467, 0.0, 2e-10);
    check_close(end.rate[1], 0.9355165311, 0.0, 2e-10);
    check_close(end.rate[2], 5.2179860801, 0.0, 2e-10);
}

/* ---- published orders and energies ---- */

/* [variational-equations 4]: errors at t = 1 against the reference; orders 2, 1 (start as published), 2, 2, 2, 4. */
TEST(orders_at_one_second) {
    const state start = paper_start(), reference = reference_of(&paper, &start, 1.0);
    static const struct {
        int scheme;
        bool published;
        double error, ratio;
    } rows[] = {{TRU_REDUCED, false, 1.22e-3, 4.0},      {TRU_REDUCED, true, 8.4e-2, 2.0},
                {TRU_RK2_MIDPOINT, false, 2.03e-3, 4.0}, {TRU_RK2_HEUN, false, 2.10e-3, 4.0},
                {TRU_RK2_RALSTON, false, 2.00e-3, 4.0},  {TRU_RK4, false, 9.06e-7, 15.8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        setup by = paper;
        by.scheme = rows[i].scheme;
        by.published = rows[i].published;
        const state coarse = run(&by, start, 1.0, 100), fine = run(&by, start, 1.0, 200);
        const state finest = run(&by, start, 1.0, 400);
        check_close(distance(&coarse, &reference), rows[i].error, 0.01, 0.0);
        check_close(distance(&coarse, &reference) / distance(&fine, &reference), rows[i].ratio, 0.03, 0.0);
        check_close(distance(&fine, &reference) / distance(&finest, &reference), rows[i].ratio, 0.03, 0.0);
    }
}

/* [variational-equations 4], 100 s: the energy in the middle of the steps stays in its band; that of Runge-Kutta
 * drifts. */
TEST(energy_over_a_hundred_seconds) {
    static const struct {
        int scheme;
        bool published;
        double low, high; /* of E - E0 */
    } rows[] = {{TRU_REDUCED, false, -1.832e-3, -7e-6},     {TRU_REDUCED, true, -0.0583, -0.0565},
                {TRU_RK2_MIDPOINT, false, -0.182, 0.00386}, {TRU_RK2_HEUN, false, -0.156, 0.000627},
                {TRU_RK2_RALSTON, false, -0.175, 0.00256},  {TRU_RK4, false, -9.61e-6, 5.24e-5}};
    const double e0 = 36.1173386886;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        setup by = paper;
        state s = paper_start();
        double low = 1e9, high = -1e9;
        by.scheme = rows[i].scheme;
        by.published = rows[i].published;
        for (int k = 0; k < 10000; k++) {
            const double e = go(&by, &s, 0.01, k == 0) - e0;
            low = fmin(low, e);
            high = fmax(high, e);
        }
        if (!check_close(low, rows[i].low, 5e-3, 0.0) || !check_close(high, rows[i].high, 1e-2, 6e-7))
            printf("scheme %d: %.6g to %.6g\n", rows[i].scheme, low, high);
    }
}

/* ---- steady rolling, published end states, refusals ---- */

/* Steady rolling about a resting centre solves the discrete equations exactly: 1e-12 over 10 000 steps. */
TEST(steady_rolling_is_kept) {
    state s = {{0.9, 0, 0}, 0, 0, {0, 9.626088000050, -4.098578815062}};
    const double e0 = go(&paper, &s, 0.01, true), x0 = s.x, y0 = s.y;
    double drift = 0.0, range = 0.0, f = 0.01 * 9.626088000050, z = 0.01 * 4.098578815062;
    for (int k = 1; k < 10000; k++) {
        range = fmax(range, fabs(go(&paper, &s, 0.01, false) - e0));
        drift = fmax(drift, fabs(s.angle[0] - 0.9));
    }
    check(drift < 1e-12 && range < 1e-11 * e0);
    const double nodes = z / (2.0 * sin(0.5 * f)); /* radius of the circle of the nodes */
    check_close(hypot(s.x - x0, s.y - y0), 2.0 * nodes * fabs(sin(0.5 * 9999 * f)), 1e-9, 0.0);
    check_close(z / (2.0 * tan(0.5 * f)), 0.42544941, 1e-8, 0.0); /* of the midpoints; the motion's is 0.42577824 */
}

/* Thin homogeneous disk [variational-equations 5.4]. */
TEST(thin_disk_after_ten_seconds) {
    setup by = {0.0, 0.25, 0.5, 9.81, TRU_RK4, false, NULL};
    const state start = {{1.2, 0, 0}, 0, 0, {0.1, 2, 5}};
    const state there = {{1.1044237673, -8.2540506218, 64.4419237155}, -5.7460573564, 11.559650449, {0, 0, 0}};
    const state rk = run(&by, start, 10.0, 40000);
    check(distance(&rk, &there) < 2e-9);
    by.scheme = TRU_REDUCED;
    const state a = run(&by, start, 10.0, 2000), b = run(&by, start, 10.0, 4000);
    check_close(distance(&a, &there) / distance(&b, &there), 4.0, 0.01, 0.0);
    const reduced_disk thin = trui_reduced_disk_of(0.0, 0.25, 0.5, 9.81);
    check_close(trui_reduced_energy(&thin, trui_reduced_angle_of(1.2), start.rate), 34.1631776061, 1e-11, 0.0);
}

static void damping(const void *context, const reduced_at *at, double q[ANGLES]) {
    const double h = *(const double *)context;
    q[THETA] = -0.1 * h * at->rate[THETA];
    q[PHI] = -0.05 * h * at->rate[PHI];
    q[PSI] = -0.02 * h * at->rate[PSI];
}

/* [variational-equations 5.5]: forced scheme, second order; its loss of energy over 10 s. */
TEST(forces) {
    setup by = paper;
    state start = paper_start();
    start.angle[0] = 1.5;
    by.force = damping;
    static const double error[] = {4.2e-3, 1.06e-3, 2.6e-4, 6.6e-5};
    const state reference = reference_of(&by, &start, 1.0);
    check(fabs(reference.angle[0] - 1.0856792381) < 1e-10 && fabs(reference.angle[1] - 0.2284028027) < 1e-10 &&
          fabs(reference.angle[2] - 6.1859545691) < 1e-10);
    for (int i = 0; i < 4; i++) {
        const state s = run(&by, start, 1.0, 50 << i);
        check_close(fabs(s.angle[0] - reference.angle[0]), error[i], 0.02, 0.0);
    }
    state s = start;
    const double first = go(&by, &s, 0.01, true);
    double last = first;
    for (int k = 1; k < 1000; k++) last = go(&by, &s, 0.01, false);
    check_close(last - first, -8.47, 2e-3, 0.0);
}

/* Where the step is too long for the angles near flat, it says so. */
TEST(no_solution) {
    reduced_step s = {
        .disk = {0.15, 0.2575, 0.5, 196.2 * 0.01}, .theta = trui_reduced_angle_of(0.05), .rate = {-0.2, 3.0, -2.0}};
    memcpy(s.d, s.rate, sizeof s.d);
    check(!trui_reduced_solve(&s, false));
}
