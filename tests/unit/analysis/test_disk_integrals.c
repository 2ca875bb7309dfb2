/* test_disk_integrals.c: first integrals of a rolling disk: published coefficients, both forms against each other, and
 * constancy along the equations of motion. */
#define _GNU_SOURCE
#include "check.h"

#include "steppers/variational/scheme/step_variational_reduced.h"

#include <trundle/analysis.h>

#include <math.h>

/* The disk of [variational-equations 5.4]: c1, c2 and the same after the angle has changed to pi/2. */
TEST(thin_disk) {
    const tru_rolling_disk k = {0.0, 0.25, 0.5};
    const double theta = 1.2, omega = 2.0 * cos(theta) + 5.0, p = 2.0 * sin(theta);
    double c[2], up[2], again[2];
    tru_rolling_legendre(&k, theta, omega, p, c);
    check_close(c[0], 2.6160995884, 1e-10, 0.0);
    check_close(c[1], 0.5130451350, 1e-9, 0.0);
    tru_rolling_upright(&k, theta, omega, p, up);
    tru_rolling_legendre(&k, M_PI / 2, up[0], up[1], again);
    check_close(again[0], c[0], 1e-12, 0.0);
    check_close(again[1], c[1], 1e-12, 0.0);
}

/* Along a thick disk's motion by Runge-Kutta of order 4: they change by no more than its error, about 16 times less each time. */
TEST(thick_disk) {
    const tru_rolling_disk k = {0.25, 0.25, 0.5};
    double last = 0.0;
    for (int level = 0; level < 3; level++) {
        const int steps = 400 << level;
        const double h = 2.0 / steps;
        reduced_step s = {.disk = trui_reduced_disk_of(0.25, 0.25, 0.5, 9.8 * h * h),
                          .theta = trui_reduced_angle_of(M_PI / 2)};
        const double start[3] = {M_PI / 8, M_PI, 2 * M_PI};
        double up[2], worst = 0.0;
        for (int i = 0; i < 3; i++) s.rate[i] = h * start[i];
        for (int n = 0; n < steps; n++) {
            check(trui_reduced_runge_kutta(&s, TRU_RK4));
            s.theta = s.theta_end;
            for (int i = 0; i < 3; i++) s.rate[i] = s.end[i];
            const double phi = s.rate[PHI] / h, psi = s.rate[PSI] / h;
            tru_rolling_upright(&k, atan2(s.theta.s, s.theta.c), phi * s.theta.c + psi, phi * s.theta.s, up);
            worst = fmax(worst, fmax(fabs(up[0] - 2 * M_PI), fabs(up[1] - M_PI)));
        }
        if (level > 0) check(last / worst > 14.0);
        check(worst < 1e-4);
        last = worst;
    }
}
