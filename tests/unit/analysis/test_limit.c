/* test_limit.c: limit directions against worked examples, the wheel's closed forms, full Newton-Euler and random bodies. */
#define _GNU_SOURCE
#include "check.h"
#include "limit_cases.h"

#include "draw.h"
#include "math/mat.h"
#include "math/solve.h"

#define G 9.81

static tru_limit limit_of(const tru_limit_body *b, tru_limit_problem *p) {
    tru_limit l = {0};
    tru_error err = {0};
    tru_limit_problem own;
    if (!p) p = &own;
    if (tru_limit_problem_of(b, p, &err) < 0 || tru_limit_directions(p, &l, &err) < 0) {
        printf("%s\n", err.text);
        check(false);
    }
    return l;
}

/* ---- worked examples */

TEST(six_worked_cases) {
    for (size_t k = 0; k < sizeof worked_cases / sizeof *worked_cases; k++) {
        const worked *w = &worked_cases[k];
        const tru_limit_body b = worked_body(w);
        const tru_limit l = limit_of(&b, NULL);
        check_str(tru_limit_case_name(l.which), w->name);
        check_close(l.couple[0], w->a[0], 1e-6, 0.0);
        check_close(l.couple[1], w->a[1], 1e-6, 0.0);
        check_close(l.wedge, w->wedge, 0.0, 5.1e-6); /* printed digits */
        check_close(l.normal0, w->n0, 1e-6, 0.0);
        for (int i = 0; i < 3; i++) check_close(l.schur[i], w->s[i], 1e-6, 0.0);
        for (int i = 0; i < 2; i++) check_close(l.field_free[i], w->c[i], 1e-6, 0.0);
        check_close(l.field_cos[0], w->a1, 1e-6, 0.0);
        check_close(l.field_cos[1], w->a2, 1e-6, 0.0);
        check_close(l.field_sin[0], w->b1, 1e-6, 0.0);
        check_close(l.field_sin[1], w->b2, 1e-6, 0.0);
        for (int i = 0; i < 2; i++) check_close(l.roll_force[i], w->ft[i], 1e-6, 0.0);
        check_close(l.roll_normal, w->nroll, 1e-6, 0.0);
        check_close(l.needed / w->mu, w->needed, 0.0, 1e-6);
        check(l.rolls == w->rolls && !l.near_fold);
        if (!check_status(l.count, w->count)) continue;
        for (int i = 0; i < l.count; i++) {
            const tru_limit_direction *d = &l.directions[i];
            check_close(d->angle, w->at[i][0], 0.0, 1e-8);
            check_close(d->radial, w->at[i][1], 1e-6, 0.0);
            check_close(d->angular, w->at[i][2], 1e-6, 0.0);
            check_close(d->margin, w->at[i][3], 0.0, 1e-6);
            check(d->repelling == (w->at[i][1] > 0.0) && d->stable == (w->at[i][2] < 0.0));
            check_close(d->normal * d->margin, l.normal0, 1e-14, 0.0);
        }
    }
}

/* The contact frame is arbitrary: turned by 1 rad about n and laid into a turned world, everything but the angles stays. */
TEST(frames_do_not_matter) {
    draw d = {check_seed(), 1, 0};
    for (size_t k = 0; k < sizeof worked_cases / sizeof *worked_cases; k++) {
        tru_limit_body b = worked_body(&worked_cases[k]);
        const tru_limit l = limit_of(&b, NULL);
        const tru_vec3 x = draw_unit(&d);
        tru_vec3 y, z;
        v3_tangents(x, &y, &z);
        const tru_mat3 r = m3_columns(x, y, z);
        const double c = cos(1.0), s = sin(1.0), *h = b.inverse_curvature;
        const double turned[3] = {c * c * h[0] + 2 * c * s * h[1] + s * s * h[2],
                                  c * s * (h[2] - h[0]) + (c * c - s * s) * h[1],
                                  s * s * h[0] - 2 * c * s * h[1] + c * c * h[2]};
        b.inertia = m3_rotate_sym(r, b.inertia);
        b.angular_velocity = m3_apply(r, b.angular_velocity);
        b.t1 = m3_apply(r, v3(c, s, 0));
        b.t2 = m3_apply(r, v3(-s, c, 0));
        b.normal = m3_apply(r, b.normal);
        b.arm = m3_apply(r, b.arm);
        b.force = m3_apply(r, b.force);
        b.torque = m3_apply(r, b.torque);
        memcpy(b.inverse_curvature, turned, sizeof turned);
        const tru_limit m = limit_of(&b, NULL);
        check(m.which == l.which && m.count == l.count);
        check_close(m.needed, l.needed, 1e-10, 0.0);
        for (int i = 0; i < l.count; i++) {
            const double angle = fmod(l.directions[i].angle - 1.0 + 2.0 * M_PI, 2.0 * M_PI);
            int best = 0;
            for (int j = 1; j < m.count; j++)
                if (fabs(m.directions[j].angle - angle) < fabs(m.directions[best].angle - angle)) best = j;
            check_close(m.directions[best].angle, angle, 0.0, 1e-10);
            check_close(m.directions[best].radial, l.directions[i].radial, 1e-9, 0.0);
            check_close(m.directions[best].angular, l.directions[i].angular, 1e-9, 0.0);
        }
    }
}

/* ---- the wheel */

static const wheel paper_wheel = {1.0, 0.3, 0.5, G};

/* In units M* and W; how W is shared between omega2 and omega3 does not matter. */
static tru_limit_body wheel_at(double moment, double spin) {
    const wheel *w = &paper_wheel;
    const double product = spin * w->mu * w->g / w->rho;
    return wheel_body(w, moment * w->mu * w->m * w->g * w->rho, product / 3.0, 3.0);
}

TEST(wheel_coefficients) {
    const wheel *w = &paper_wheel;
    const tru_limit_body b = wheel_body(w, 0.7, 2.0, -5.0);
    const tru_limit l = limit_of(&b, NULL);
    check_close(l.field_cos[0], -3.0 * w->mu * w->g, 1e-14, 0.0);
    check_close(l.field_sin[1], -w->mu * w->g, 1e-14, 0.0);
    check_close(l.field_cos[1], 0.0, 0.0, 1e-14);
    check_close(l.field_sin[0], 0.0, 0.0, 1e-14);
    check_close(l.field_free[0], -2.0 * 0.7 / (w->m * w->rho), 1e-14, 0.0);
    check_close(l.field_free[1], -w->rho * 2.0 * -5.0, 1e-14, 0.0);
    check_close(l.normal0, w->m * w->g, 1e-15, 0.0);
}

TEST(wheel_points) {
    const double unit = paper_wheel.mu * paper_wheel.g;
    const struct {
        double moment, spin;
        const char *name;
        int count;
        double at[4][3]; /* phi, R/(mu g), V'/(mu g) */
    } points[] = {
        {0.0,
         0.5,
         "II",
         4,
         {{0.25268, -3.0, 1.875}, {1.57080, -1.5, -1.5}, {2.88891, -3.0, 1.875}, {4.71239, -0.5, -2.5}}},
        {0.1,
         1.2,
         "IV",
         4,
         {{0.56621, -3.2370, 1.6615},
          {1.83867, -2.2444, -0.6155},
          {2.37000, -2.7210, 0.7486},
          {4.64989, 0.2023, -3.1945}}},
        {0.5, 0.8, "I", 2, {{0.26660, -4.0366, 2.8978}, {4.35443, -0.1459, -2.6086}}},
        {0.5, 1.1, "III", 2, {{0.36632, -4.0711, 2.8145}, {4.39036, 0.1596, -2.9593}}},
        {1.2, 0.3, "I", 2, {{0.06815, -5.4056, 4.3963}, {3.60060, -0.3229, -1.0697}}},
    };
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        const tru_limit_body b = wheel_at(points[k].moment, points[k].spin);
        const tru_limit l = limit_of(&b, NULL);
        check_str(tru_limit_case_name(l.which), points[k].name);
        if (!check_status(l.count, points[k].count)) continue;
        for (int i = 0; i < l.count; i++) {
            check_close(l.directions[i].angle, points[k].at[i][0], 0.0, 5.1e-6); /* printed digits */
            check_close(l.directions[i].radial / unit, points[k].at[i][1], 0.0, 5.1e-5);
            check_close(l.directions[i].angular / unit, points[k].at[i][2], 0.0, 5.1e-5);
        }
    }
    const tru_limit_body b = wheel_at(0.0, 0.5); /* the closed form of the first row: sin phi = W/2, or cos phi = 0 */
    const tru_limit l = limit_of(&b, NULL);
    const double phi[4] = {asin(0.25), 0.5 * M_PI, M_PI - asin(0.25), 1.5 * M_PI};
    for (int i = 0; i < 4; i++) check_close(l.directions[i].angle, phi[i], 1e-14, 0.0);
}

/* Where `inside` of the state (moment(x), spin(x)) changes between lo (true) and hi (false). */
static double boundary(bool (*inside)(const tru_limit *l), double moment0, double spin0, double moment1, double spin1) {
    double lo = 0.0, hi = 1.0;
    for (int i = 0; i < 60; i++) {
        const double x = 0.5 * (lo + hi);
        const tru_limit_body b = wheel_at(moment0 + x * (moment1 - moment0), spin0 + x * (spin1 - spin0));
        const tru_limit l = limit_of(&b, NULL);
        if (inside(&l))
            lo = x;
        else
            hi = x;
    }
    return 0.5 * (lo + hi);
}

static bool rolls(const tru_limit *l) { return l->rolls; }
static bool has_four(const tru_limit *l) { return l->count >= 3; } /* 3 on the fold itself */
static bool attracts(const tru_limit *l) {
    return l->which == TRU_CASE_I || l->which == TRU_CASE_II || l->which == TRU_CASE_EVERY;
}

/* Both boundaries in the plane (M*, W), along rays; and the moments where the picture in (omega2, omega3) changes. */
TEST(wheel_regions) {
    for (double moment = 0.05; moment < 1.5; moment += 0.05) {
        const double cone = sqrt(1.0 - 4.0 * moment * moment / 9.0);
        check_close(2.0 * boundary(rolls, moment, 0.0, moment, 2.0), cone, 0.0, 1e-9);
        check_close(2.0 * boundary(attracts, moment, 0.0, moment, 2.0), cone, 0.0, 1e-9);
        if (moment >= 1.0) continue;
        const double fold = pow(cbrt(4.0) - pow(2.0 * moment, 2.0 / 3.0), 1.5);
        check_close(4.0 * boundary(has_four, moment, 0.0, moment, 4.0), fold, 0.0, 1e-9);
    }
    check_close(3.0 * boundary(rolls, 0.0, 0.0, 3.0, 0.0), 1.5, 0.0, 1e-9);
    check_close(3.0 * boundary(attracts, 0.0, 0.0, 3.0, 0.0), 1.5, 0.0, 1e-9);
    check_close(3.0 * boundary(has_four, 0.0, 0.0, 3.0, 0.0), 1.0, 0.0, 1e-9);
    /* where the two boundaries cross: bisect the moment on which of them lies inside */
    double lo = 0.1, hi = 0.5;
    while (hi - lo > 1e-12) {
        const double moment = 0.5 * (lo + hi);
        if (boundary(attracts, moment, 0.0, moment, 2.0) < boundary(has_four, moment, 0.0, moment, 2.0))
            lo = moment;
        else
            hi = moment;
    }
    check_close(lo, 0.2296396634, 0.0, 1e-9);
    check_close(2.0 * boundary(attracts, lo, 0.0, lo, 2.0), 0.9882117688, 0.0, 1e-9);
}

/* The wheel's slip with its directions turning with it [AS19 (62)]: sigma = ln u, phi, omega2, t over tau, dt = u dtau. */
static void wheel_rates(const double y[4], double rate[4]) {
    const wheel *w = &paper_wheel;
    const double omega3 = 3.0, u = exp(y[0]), c = cos(y[1]), s = sin(y[1]);
    const double moment = 0.1 * w->mu * w->m * w->g * w->rho;
    tru_limit_problem p;
    const tru_limit_body b = wheel_body(w, moment, y[2], omega3);
    const tru_limit l = limit_of(&b, &p);
    const double n = l.normal0 / (1.0 - w->mu * (l.couple[0] * c + l.couple[1] * s));
    const double d1 = l.field_cos[0] * c + l.field_sin[0] * s + l.field_free[0] + omega3 * u * s;
    const double d2 = l.field_cos[1] * c + l.field_sin[1] * s + l.field_free[1] - omega3 * u * c;
    const tru_vec3 force = {-w->mu * n * c, -w->mu * n * s, n};
    rate[0] = c * d1 + s * d2;
    rate[1] = c * d2 - s * d1;
    rate[2] = u * (m3_apply(p.turning, force).y + p.free_turning.y);
    rate[3] = u;
}

static void wheel_step(double y[4], double h) {
    double k[4][4], z[4];
    for (int i = 0; i < 4; i++) {
        const double at = i == 3 ? h : 0.5 * h;
        for (int j = 0; j < 4; j++) z[j] = y[j] + (i > 0 ? at * k[i - 1][j] : 0.0);
        wheel_rates(z, k[i]);
    }
    for (int j = 0; j < 4; j++) y[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
}

/* Slip until it dies (u < 1e-10 m/s) or `until`, landing on it by shorter steps; returns the least speed on the way. */
static double wheel_slip(double y[4], double until) {
    double least = exp(y[0]), h = 1e-3 / G;
    while (y[3] < until && exp(y[0]) > 1e-10) {
        double z[4];
        memcpy(z, y, sizeof z);
        wheel_step(z, h);
        if (z[3] > until) {
            h = (until - y[3]) / (0.5 * (exp(y[0]) + exp(z[0])));
            if (h * exp(y[0]) < 1e-15) break;
            continue;
        }
        memcpy(y, z, sizeof z);
        least = fmin(least, exp(y[0]));
    }
    return least;
}

/* Case IV: of two slips of equal size one reaches zero and leaves along the repelling direction, the other never does. */
TEST(wheel_crossing) {
    double y[4] = {log(0.05), 1.9, 6.54, 0.0};
    tru_limit_body b = wheel_at(0.1, 1.2);
    tru_limit l = limit_of(&b, NULL);
    check_status(l.which, TRU_CASE_IV);
    wheel_slip(y, 0.1);
    check_close(y[3], 0.00449858, 0.0, 5.1e-9);
    check_close(y[1], 1.8365, 0.0, 5.1e-5);
    b = wheel_body(&paper_wheel, 0.1 * 0.5 * G * 0.3, y[2], 3.0);
    l = limit_of(&b, NULL);
    check(!l.rolls && l.exit >= 0);
    y[0] = log(2e-10);
    y[1] = l.directions[l.exit].angle;
    wheel_slip(y, 0.1);
    check_close(exp(y[0]) * cos(y[1]), -0.0076099, 0.0, 5.1e-8);
    check_close(exp(y[0]) * sin(y[1]), -0.0955490, 0.0, 5.1e-8);
    check_close(y[2], 6.6006124, 0.0, 5.1e-8);

    double z[4] = {log(0.05), 0.3, 6.54, 0.0};
    const double least = wheel_slip(z, 0.1);
    check(least > 0.0043 && least < 0.0044);
    check_close(exp(z[0]) * cos(z[1]), -0.0092694, 0.0, 5.1e-8);
    check_close(exp(z[0]) * sin(z[1]), -0.1130056, 0.0, 5.1e-8);
    check_close(z[2], 6.7383210, 0.0, 5.1e-8);
}

/* ---- special states */

static tru_limit_body ball(double mu) {
    const double m = 0.5, r = 0.1, j = 0.4 * m * r * r;
    return (tru_limit_body){.mass = m,
                            .inertia = {{{j, 0, 0}, {0, j, 0}, {0, 0, j}}},
                            .angular_velocity = {3, -4, 7},
                            .normal = {0, 0, 1},
                            .t1 = {1, 0, 0},
                            .t2 = {0, 1, 0},
                            .arm = {0, 0, r},
                            .inverse_curvature = {r, 0, r},
                            .force = {0, 0, -m * G},
                            .slide = mu,
                            .slide_static = mu};
}

TEST(ball_has_every_direction) {
    const tru_limit_body b = ball(0.2);
    const tru_limit l = limit_of(&b, NULL);
    check_status(l.which, TRU_CASE_EVERY);
    check_status(l.count, -1);
    check_status(l.exit, -1);
    check(l.rolls && l.definite && !l.near_fold);
    check_close(l.field_cos[0], -0.2 * 3.5 * G, 1e-14, 0.0); /* -mu N0 S11, S11 = 3.5/m */
    check_close(l.needed, 0.0, 0.0, 1e-15);
}

/* On a slope a ball has two directions: up, and down, along which it slips away once 2/7 tan(slope) exceeds mu. */
TEST(ball_on_a_slope) {
    for (double slope = 0.1; slope < 1.5; slope += 0.1) {
        tru_limit_body b = ball(0.2);
        b.force = (tru_vec3){0.5 * G * sin(slope), 0.0, -0.5 * G * cos(slope)};
        const tru_limit l = limit_of(&b, NULL);
        check_close(l.needed, 2.0 / 7.0 * tan(slope), 1e-13, 0.0);
        check(l.rolls == (2.0 / 7.0 * tan(slope) <= 0.2));
        check_status(l.which, l.rolls ? TRU_CASE_I : TRU_CASE_III);
        check_status(l.count, 2);
        check_close(l.directions[0].radial, G * (sin(slope) - 0.7 * cos(slope)), 1e-13, 1e-13);
    }
}

/* A rod on its end, leaning: [G13/G33] of a rod of length 2 l at angle beta from the vertical is known in closed form. */
TEST(painleve_rod) {
    const double m = 1.0, l = 0.5, mu_critical = 4.0 / 3.0;
    for (int k = 0; k < 40; k++) {
        const double beta = 0.05 + 0.035 * k, s = sin(beta), c = cos(beta), j = m * l * l / 3.0;
        const double wedge = 3.0 * s * c / (1.0 + 3.0 * s * s); /* |a|: largest 3/4 at tan beta = 1/2 */
        const tru_limit_body b = {.mass = m,
                                  .inertia = {{{1e-3 * j, 0, 0}, {0, j, 0}, {0, 0, j}}},
                                  .angular_velocity = {0, 2.0, 0},
                                  .normal = {0, 0, 1},
                                  .t1 = {1, 0, 0},
                                  .t2 = {0, 1, 0},
                                  .arm = {l * s, 0, l * c},
                                  .force = {0, 0, -m * G},
                                  .blocked = {{{1, 0, 0}, {0, 0, 0}}, {{0, 0, 1}, {0, 0, 0}}},
                                  .blocked_count = 2,
                                  .slide = 1.5,
                                  .slide_static = 1.5};
        const tru_limit d = limit_of(&b, NULL);
        check_close(d.wedge, 1.5 * wedge, 1e-12, 0.0);
        if (fabs(1.5 * wedge - 1.0) < 1e-9) continue;
        check((d.which == TRU_CASE_PAINLEVE) == (1.5 * wedge > 1.0));
        for (int i = 0; i < d.count; i++)
            check(isfinite(d.directions[i].radial) && isfinite(d.directions[i].angular) &&
                  (d.directions[i].margin > 0.0 || (d.directions[i].radial == 0.0 && !d.directions[i].repelling)));
    }
    check(1.5 > mu_critical); /* below 4/3 no angle is a Painleve state */
}

TEST(contact_that_opens) {
    tru_limit_body b = ball(0.2);
    b.force.z = 1.0;
    const tru_limit l = limit_of(&b, NULL);
    check_status(l.which, TRU_CASE_LIFT);
    check(!l.rolls);
    check(l.needed == DBL_MAX);
}

TEST(no_friction) {
    tru_limit_body b = ball(0.0);
    tru_limit l = limit_of(&b, NULL);
    check_status(l.which, TRU_CASE_EVERY);
    b.force.x = 1.0;
    l = limit_of(&b, NULL);
    check_status(l.which, TRU_CASE_III);
    check_status(l.exit, 0);
    check_close(l.directions[0].radial, 2.0, 1e-15, 0.0);
}

/* Rolling is judged with the static coefficient, the field with the kinetic one, or with Stribeck the static one. */
TEST(static_and_stribeck) {
    tru_limit_body b = ball(0.2);
    const double slope = 0.8; /* needs 0.294 */
    b.force = (tru_vec3){0.5 * G * sin(slope), 0.0, -0.5 * G * cos(slope)};
    b.slide_static = 0.35;
    tru_limit l = limit_of(&b, NULL);
    check(l.rolls);
    check_status(l.which, TRU_CASE_III);
    check_close(l.directions[0].radial, G * (sin(slope) - 0.2 * 3.5 * cos(slope)), 1e-13, 0.0);
    check_close(l.directions[0].growth, 0.0, 0.0, 0.0);
    b.stribeck = 0.01;
    l = limit_of(&b, NULL);
    check(l.rolls);
    check_status(l.which, TRU_CASE_I);
    check_close(l.directions[0].radial, G * (sin(slope) - 0.35 * 3.5 * cos(slope)), 1e-13, 0.0);
    check_close(l.directions[0].growth, 0.15 / 0.01 * 3.5 * G * cos(slope), 1e-13, 0.0);
}

TEST(bad_input_gets_a_sentence) {
    tru_error err;
    tru_limit_problem p;
    tru_limit l;
    tru_limit_body b = ball(0.2);
    b.slide_static = 0.1;
    check_status(tru_limit_problem_of(&b, &p, &err), TRU_OK);
    check_status(tru_limit_directions(&p, &l, &err), TRU_OUT_OF_RANGE);
    b = ball(0.2);
    b.mass = 0.0;
    check_status(tru_limit_problem_of(&b, &p, &err), TRU_OUT_OF_RANGE);
    b = ball(0.2);
    b.t1.x = 1.1;
    check_status(tru_limit_problem_of(&b, &p, &err), TRU_BAD_ARGUMENT);
    b = ball(0.2);
    b.inertia.m[2][2] = -1.0;
    check_status(tru_limit_problem_of(&b, &p, &err), TRU_OUT_OF_RANGE);
    b = ball(0.2);
    b.blocked_count = 2;
    b.blocked[0].axis = b.blocked[1].axis = (tru_vec3){0, 1, 0};
    check_status(tru_limit_problem_of(&b, &p, &err), TRU_OUT_OF_RANGE);
    b = ball(0.2);
    b.force.z = NAN;
    check_status(tru_limit_problem_of(&b, &p, &err), TRU_OK);
    check_status(tru_limit_directions(&p, &l, &err), TRU_BAD_ARGUMENT);
    check_status(tru_limit_directions(NULL, &l, &err), TRU_BAD_ARGUMENT);
}

/* ---- random bodies */

static tru_mat3 random_inertia(draw *d, double size) {
    const double a = draw_in(d, 0.1, 1.0), b = draw_in(d, 0.1, 1.0), c = draw_in(d, 0.05, 1.0);
    const tru_vec3 x = draw_unit(d);
    tru_vec3 y, z;
    v3_tangents(x, &y, &z);
    return m3_rotate_diag(m3_columns(x, y, z), v3(size * (b + c), size * (a + c), size * (a + b)));
}

static tru_limit_body random_body(draw *d, double mu_most) {
    const double m = draw_in(d, 1.0, 5.0), size = draw_in(d, 1.0, 30.0), reach = draw_in(d, 0.5, 12.0);
    const double h1 = draw_in(d, 0.0, 10.0), h2 = draw_in(d, 0.0, 10.0), turn = draw_in(d, 0.0, M_PI);
    const double c = cos(turn), s = sin(turn), mu = draw_in(d, 0.02, mu_most);
    tru_vec3 arm = v3_scale(reach, draw_vec(d));
    arm.z = fabs(arm.z) + 0.1;
    return (tru_limit_body){.mass = m,
                            .inertia = random_inertia(d, size),
                            .angular_velocity = v3_scale(draw_in(d, 0.0, 3.0), draw_vec(d)),
                            .normal = {0, 0, 1},
                            .t1 = {1, 0, 0},
                            .t2 = {0, 1, 0},
                            .arm = arm,
                            .inverse_curvature = {c * c * h1 + s * s * h2, c * s * (h1 - h2), s * s * h1 + c * c * h2},
                            .force = v3_add(v3_scale(10.0, draw_vec(d)), v3(0, 0, -m * G)),
                            .torque = v3_scale(draw_in(d, 0.0, 60.0), draw_vec(d)),
                            .slide = mu,
                            .slide_static = mu};
}

static double field_scale(const tru_limit *l) {
    return sqrt(l->field_cos[0] * l->field_cos[0] + l->field_cos[1] * l->field_cos[1] +
                l->field_sin[0] * l->field_sin[0] + l->field_sin[1] * l->field_sin[1]) +
           hypot(l->field_free[0], l->field_free[1]);
}

/* Counts are ill-conditioned near a fold or near the cone: 1e-3 from folds as in [slip-roll-equations 4.1]. */
static bool well_posed(const tru_limit *l) {
    const double scale = field_scale(l);
    if (l->near_fold || l->count < 0) return false;
    for (int i = 0; i < l->count; i++) {
        const tru_limit_direction *d = &l->directions[i];
        if (fabs(d->angular * d->margin) < 1e-3 * scale || fabs(d->radial * d->margin) < 1e-9 * scale) return false;
    }
    return true;
}

static int count_if(const tru_limit *l, bool repelling) {
    int n = 0;
    for (int i = 0; i < l->count; i++) n += l->directions[i].repelling == repelling;
    return n;
}

/* [slip-roll-equations 4.2], fact 2: a stable direction in the quadrant of C between the axes of S, an unstable one in
 * the opposite quadrant. */
static bool brackets_hold(const tru_limit *l) {
    double lambda[2];
    vec2 g[2], c = v2(l->field_free[0], l->field_free[1]);
    bool stable = false, unstable = false;
    s2_eigen((sym2){l->schur[0], l->schur[1], l->schur[2]}, lambda, g);
    for (int i = 0; i < l->count; i++) {
        const vec2 e = v2(l->directions[i].cosine, l->directions[i].sine);
        const double x = v2_dot(e, g[0]) * v2_dot(c, g[0]), y = v2_dot(e, g[1]) * v2_dot(c, g[1]);
        stable |= x > 0.0 && y > 0.0 && l->directions[i].stable;
        unstable |= x < 0.0 && y < 0.0 && !l->directions[i].stable;
    }
    return stable && unstable;
}

/* (lambda + nu S)^-1 C */
static vec2 slip_direction(const tru_limit *l, double lambda, double nu) {
    sym2 inverse = {0};
    s2_inverse((sym2){lambda + nu * l->schur[0], nu * l->schur[1], lambda + nu * l->schur[2]}, &inverse);
    return s2_apply(inverse, v2(l->field_free[0], l->field_free[1]));
}

/* Fact 3's function nu (1 - mu a.e) - mu N0 at lambda, nu(lambda) by bisection of |e| = 1. */
static double repelling_function(const tru_limit *l, double mu, double lambda) {
    const double c = hypot(l->field_free[0], l->field_free[1]);
    double low = 0.0, high = c / fmin(l->schur[0], l->schur[2]);
    while (v2_norm(slip_direction(l, lambda, high)) > 1.0) high *= 2.0;
    for (int i = 0; i < 60; i++) {
        const double nu = 0.5 * (low + high);
        if (v2_norm(slip_direction(l, lambda, nu)) > 1.0)
            low = nu;
        else
            high = nu;
    }
    const vec2 e = slip_direction(l, lambda, low);
    return low * (1.0 - mu * (l->couple[0] * e.x + l->couple[1] * e.y)) - mu * l->normal0;
}

static int repelling_by_scan(const tru_limit *l, double mu, int points) {
    const double c = hypot(l->field_free[0], l->field_free[1]);
    int changes = 0;
    bool before = repelling_function(l, mu, 1e-12 * c) < 0.0;
    for (int i = 1; i < points; i++) {
        const bool now = repelling_function(l, mu, c * i / points) < 0.0;
        changes += now != before;
        before = now;
    }
    return changes + (before != true); /* at |C| nu = 0: the function ends below zero */
}

/* Fact 3 the easy way: the direction found solves (lambda + mu N S) e = C. */
static double repelling_residual(const tru_limit *l, double mu, const tru_limit_direction *d) {
    const vec2 e = v2(d->cosine, d->sine), se = s2_apply((sym2){l->schur[0], l->schur[1], l->schur[2]}, e);
    const vec2 r = v2_sub(v2_madd(v2_scale(d->radial, e), mu * d->normal, se), v2(l->field_free[0], l->field_free[1]));
    return v2_norm(r) / (fabs(d->radial) + mu * d->normal * v2_norm(se));
}

static int zeros_by_scan(const tru_limit *l, int points) {
    int changes = 0;
    bool before = false;
    for (int i = 0; i <= points; i++) {
        const double phi = 2.0 * M_PI * i / points, c = cos(phi), s = sin(phi);
        const double d1 = l->field_cos[0] * c + l->field_sin[0] * s + l->field_free[0];
        const double d2 = l->field_cos[1] * c + l->field_sin[1] * s + l->field_free[1];
        const bool now = c * d2 - s * d1 < 0.0;
        changes += i > 0 && now != before;
        before = now;
    }
    return changes;
}

/* The five facts of [slip-roll-equations 4.2]. */
TEST(facts_on_random_bodies) {
    draw d = {check_seed(), 2, 0};
    enum { WANTED = 100000 };
    int seen[TRU_CASES] = {0}, done = 0, definite = 0, left_out = 0;
    while (done < WANTED) {
        const tru_limit_body b = random_body(&d, 1.2);
        const tru_limit l = limit_of(&b, NULL);
        if (!(l.wedge < 1.0) || !(l.normal0 > 0.0)) continue;
        if (!well_posed(&l)) {
            left_out++;
            continue;
        }
        const int repelling = count_if(&l, true);
        bool good = check(l.count == 2 || l.count == 4);              /* fact 1 */
        good &= check(brackets_hold(&l));                             /* fact 2 */
        good &= check(l.rolls == (repelling == 0 || repelling == 2)); /* fact 4 */
        good &= check(l.rolls || repelling == 1 || repelling == 3);
        const double tr = l.field_cos[0] + l.field_sin[1], off = 0.5 * (l.field_cos[1] + l.field_sin[0]);
        const double det = l.field_cos[0] * l.field_sin[1] - off * off;
        if (fabs(det) > 1e-9 * tr * tr) good &= check(l.definite == (tr < 0.0 && det > 0.0));
        if (l.definite) good &= check(repelling <= 1); /* fact 5 */
        for (int i = 0; i < l.count; i++) {
            const tru_limit_direction *at = &l.directions[i];
            if (l.definite && at->repelling) good &= check(at->stable);
            good &= check(repelling_residual(&l, b.slide, at) < 1e-9); /* fact 3, for each */
            good &= check(!at->repelling || at->radial < hypot(l.field_free[0], l.field_free[1]));
        }
        if (done % 20 == 0) { /* fact 3 the other way round, and no zero overlooked */
            int scan = repelling_by_scan(&l, b.slide, 100);
            if (scan != repelling) scan = repelling_by_scan(&l, b.slide, 20000);
            good &= check_status(scan, repelling);
            good &= check_status(zeros_by_scan(&l, 3000), l.count);
        }
        check(l.exit < 0 || !l.rolls || l.which == TRU_CASE_V);
        if (!good) return;
        seen[l.which]++;
        definite += l.definite;
        done++;
    }
    printf("I %d, II %d, III %d, IV %d, V %d, VI %d; definite %d; left out near a fold or the cone %d\n",
           seen[TRU_CASE_I], seen[TRU_CASE_II], seen[TRU_CASE_III], seen[TRU_CASE_IV], seen[TRU_CASE_V],
           seen[TRU_CASE_VI], definite, left_out);
    for (int k = TRU_CASE_I; k <= TRU_CASE_IV; k++) check(seen[k] > 0);
}

/* Whatever the input, if it is accepted every number that comes out is finite. */
TEST(never_not_a_number) {
    draw d = {check_seed(), 3, 0};
    int painleve = 0;
    for (int k = 0; k < 100000; k++) {
        tru_limit_body b = random_body(&d, 20.0);
        if (k % 3 == 0) b.slide_static = 2.0 * b.slide;
        if (k % 6 == 0) b.stribeck = draw_in(&d, 1e-6, 1.0);
        if (k % 5 == 0) b.inverse_curvature[0] = b.inverse_curvature[1] = b.inverse_curvature[2] = 0.0;
        if (k % 7 == 0) b.force = b.torque = b.angular_velocity = v3_zero();
        if (k % 11 == 0) b.arm.x = b.arm.y = 0.0;
        const tru_limit l = limit_of(&b, NULL);
        const double *numbers = &l.normal0;
        const size_t count = (size_t)(&l.needed - numbers) + 1;
        bool finite = true;
        for (size_t i = 0; i < count; i++) finite &= isfinite(numbers[i]);
        for (int i = 0; i < l.count; i++) {
            const tru_limit_direction *at = &l.directions[i];
            finite &= isfinite(at->angle) && isfinite(at->radial) && isfinite(at->angular) && isfinite(at->growth) &&
                      isfinite(at->normal) && fabs(hypot(at->cosine, at->sine) - 1.0) < 1e-14 && at->angle >= 0.0 &&
                      at->angle < 2.0 * M_PI;
        }
        painleve += l.which == TRU_CASE_PAINLEVE;
        if (!check(finite)) return;
    }
    check(painleve > 1000);
}

/* Through a fold: the quartic takes over, the flag is up where two directions are nearly one, the case changes once. */
TEST(flag_near_folds) {
    const double moment = 0.5, fold = pow(cbrt(4.0) - pow(2.0 * moment, 2.0 / 3.0), 1.5);
    for (double away = 1e-2; away > 1e-14; away *= 0.3) {
        for (int side = -1; side <= 1; side += 2) {
            const tru_limit_body b = wheel_at(moment, fold + side * away);
            const tru_limit l = limit_of(&b, NULL);
            if (away > 1e-13) check_status(l.count, side < 0 ? 4 : 2);
            if (away > 1e-4) check(!l.near_fold);
            if (away < 1e-6) check(l.near_fold);
            check(l.which == (side < 0 ? TRU_CASE_II : TRU_CASE_I) || away < 1e-13);
        }
    }
}

/* ---- against full Newton-Euler */

/* Accelerations of a body whose contact point keeps still: 6 + 3 unknowns (dv_C, domega, force) at once. */
static void rolling_by_multipliers(const tru_limit_body *b, double x[9]) {
    double a[81] = {0}, work[9];
    int perm[9];
    const tru_vec3 r = b->arm, w = b->angular_velocity;
    const tru_mat3 cross = m3_skew(r);
    const tru_vec3 gyro = v3_cross(w, m3_apply(b->inertia, w));
    const double *h = b->inverse_curvature;
    const tru_vec3 path = v3(h[0] * w.y - h[1] * w.x, h[1] * w.y - h[2] * w.x, 0.0);
    /* v_P = v_C - omega x r = 0 for all time: dv_C - domega x r - omega x (omega x r - w_P) = 0 */
    const tru_vec3 bend = v3_cross(w, v3_sub(v3_cross(w, r), path));
    for (int i = 0; i < 3; i++) {
        a[i * 9 + i] = b->mass;
        a[i * 9 + 6 + i] = -1.0;
        x[i] = v3_get(b->force, i);
        for (int j = 0; j < 3; j++) {
            a[(3 + i) * 9 + 3 + j] = b->inertia.m[i][j];
            a[(3 + i) * 9 + 6 + j] = cross.m[i][j]; /* + r x F on the left */
            a[(6 + i) * 9 + 3 + j] = cross.m[i][j]; /* -domega x r = r x domega */
        }
        x[3 + i] = v3_get(b->torque, i) - v3_get(gyro, i);
        a[(6 + i) * 9 + i] = 1.0;
        x[6 + i] = v3_get(bend, i);
    }
    if (!check(tru_lu(a, 9, 9, perm, work))) return;
    tru_lu_solve(a, 9, 9, perm, x);
}

/* [AS19 (56)], corrected: the rolling acceleration is the mixture of slipping ones that keeps u = 0. With e-weights
 * (alpha, beta) = -M^-1 C and the common factor D the angular acceleration is X_A alpha + X_B beta + X_C. */
TEST(mixture_is_the_rolling_acceleration) {
    draw d = {check_seed(), 4, 0};
    for (int k = 0; k < 100000; k++) {
        const tru_limit_body b = random_body(&d, 1.2);
        tru_limit_problem p;
        const tru_limit l = limit_of(&b, &p);
        double x[9];
        if (!(l.wedge < 1.0) || !(l.normal0 > 0.0)) continue;
        const double det = l.field_cos[0] * l.field_sin[1] - l.field_cos[1] * l.field_sin[0];
        if (fabs(det) < 1e-6 * field_scale(&l) * field_scale(&l)) continue;
        const double alpha = (l.field_sin[0] * l.field_free[1] - l.field_sin[1] * l.field_free[0]) / det;
        const double beta = (l.field_cos[1] * l.field_free[0] - l.field_cos[0] * l.field_free[1]) / det;
        rolling_by_multipliers(&b, x);
        /* D domega/dt = T(-mu N0 e, N0) + D free; the weights of e and of D = 1 - mu a.e are mixed alike */
        const double margin = 1.0 - b.slide * (l.couple[0] * alpha + l.couple[1] * beta);
        const tru_vec3 force = v3(-b.slide * l.normal0 * alpha, -b.slide * l.normal0 * beta, l.normal0);
        const tru_vec3 mixed = v3_madd(p.free_turning, 1.0 / margin, m3_apply(p.turning, force));
        const tru_vec3 exact = v3(x[3], x[4], x[5]);
        const double size = v3_norm(exact) + v3_norm(p.free_turning);
        bool good = check_close(v3_norm(v3_sub(mixed, exact)) / size, 0.0, 0.0, 1e-7);
        good &= check_close(l.roll_force[0], x[6], 1e-9, 1e-9 * fabs(x[8]) + 1e-9 * fabs(x[7]));
        good &= check_close(l.roll_force[1], x[7], 1e-9, 1e-9 * fabs(x[8]) + 1e-9 * fabs(x[6]));
        good &= check_close(l.roll_normal, x[8], 1e-9, 1e-9 * hypot(x[6], x[7]));
        if (!good) return;
    }
}
