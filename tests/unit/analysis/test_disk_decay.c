/* test_disk_decay.c: decay laws of the disk against the power of each friction law at stationary rolling. */
#define _GNU_SOURCE
#include "check.h"

#include <trundle/analysis.h>

#include <math.h>

#define G  9.81
#define MU 0.3 /* slide and patch of the paper */

static tru_disk_body paper_disk(void) { return tru_disk_homogeneous(0.0375, 0.3048, G); }

/* Power that a law takes from a steady motion, from its own rates. */
static double power(const tru_disk_body *d, int law, double k, double patch, const tru_disk_steady *s) {
    const double n = d->mass * d->gravity, turn = fabs(s->gamma_rate), level = fabs(s->gamma_rate) * cos(s->beta);
    switch (law) { /* contour speed r gamma'; horizontal part of omega: gamma' cos beta */
    case TRU_DECAY_CONTOUR:
        return k * n * d->radius * turn;
    case TRU_DECAY_CONTOUR_VISCOUS:
        return k * d->radius * turn * d->radius * turn;
    case TRU_DECAY_ROLL:
        return k * n * level;
    case TRU_DECAY_ROLL_VISCOUS:
        return k * level * level;
    default:
        return 3.0 * M_PI / 16.0 * k * n * patch * fabs(s->spin);
    }
}

TEST(factor_is_the_power_of_the_law) {
    tru_error err;
    const tru_disk_body disks[] = {paper_disk(), tru_disk_hoop(0.3, 1.2, 1.6), {0.1, 2.0, 6e-3, 7e-3, G}};
    for (size_t k = 0; k < sizeof disks / sizeof *disks; k++)
        for (int law = 0; law < TRU_DECAY_LAWS; law++) {
            const tru_decay decay = tru_disk_decay(&disks[k], (tru_decay_law)law, 0.02, 1e-3);
            for (double c = 1e-1; c > 1e-4; c *= 0.1) { /* the error of the limit falls like cos^2 beta */
                tru_disk_steady s;
                check_status(tru_disk_stationary(&disks[k], acos(c), &s, &err), TRU_OK);
                const double loss = decay.factor * pow(s.energy, decay.power);
                const double error = fabs(loss / power(&disks[k], law, 0.02, 1e-3, &s) - 1.0);
                check(error <= 1.02 * c * c + 1e-8); /* round-off: 1 - sin^2 beta in the spin */
                check_close(tru_disk_precession(&disks[k], s.energy), s.alpha_rate, 1e-10, 0.0);
            }
        }
}

/* The constants of the homogeneous disk as published, with the errata of (5.37) and (5.40). */
TEST(published_constants) {
    const tru_disk_body d = paper_disk();
    const double m = d.mass, r = d.radius, gr = G / r, k = 3e-4, eps = 2e-3;
    check_close(tru_disk_decay(&d, TRU_DECAY_CONTOUR, k, 0).factor, sqrt(6.0) * k * m * sqrt(m) * gr * gr * r * r * r,
                1e-13, 0.0);
    check_close(tru_disk_decay(&d, TRU_DECAY_CONTOUR, k, 0).factor, 4.463e-4, 2e-4, 0.0);
    check_close(tru_disk_decay(&d, TRU_DECAY_CONTOUR_VISCOUS, 2e-4, 0).factor, 6.0 * 2e-4 * gr * gr * m * r * r * r * r,
                1e-13, 0.0);
    check_close(tru_disk_decay(&d, TRU_DECAY_CONTOUR_VISCOUS, 2e-4, 0).factor, 4.95e-5, 1e-3, 0.0);
    check_close(tru_disk_decay(&d, TRU_DECAY_ROLL, k, 0).factor, 2.0 * sqrt(6.0) / 3.0 * k * gr * sqrt(m), 1e-13, 0.0);
    check_close(tru_disk_decay(&d, TRU_DECAY_ROLL_VISCOUS, 2e-5, 0).factor, 0.1244, 1e-3, 0.0);
    check_close(tru_disk_decay(&d, TRU_DECAY_CONTENSOU, MU, eps).factor,
                M_PI * sqrt(6.0) / 12.0 * MU * eps / (r * r * sqrt(m)), 1e-13, 0.0);
    check_close(0.5 * tru_disk_decay(&d, TRU_DECAY_CONTENSOU, MU, eps).factor, 0.248, 2e-3, 0.0);
    const double n[] = {3.0, 4.0, 1.0, HUGE_VAL, HUGE_VAL};
    for (int law = 0; law < TRU_DECAY_LAWS; law++) {
        const tru_decay decay = tru_disk_decay(&d, (tru_decay_law)law, k, eps);
        check_close(tru_decay_exponent(&decay), n[law], 0.0, 0.0);
        check(tru_decay_name(law) != NULL);
    }
    check(tru_decay_name(TRU_DECAY_LAWS) == NULL);
}

TEST(energy_follows_its_law) {
    const tru_disk_body d = paper_disk();
    for (int law = 0; law < TRU_DECAY_LAWS; law++) {
        const tru_decay decay = tru_disk_decay(&d, (tru_decay_law)law, 1e-3, 2e-3);
        const double e0 = 0.05, end = tru_decay_time(&decay, 1, e0);
        const double q = 1.0 - decay.power;
        check_close(end, q > 0.0 ? pow(e0, q) / (q * decay.factor) : HUGE_VAL, 1e-13, 0.0);
        check_close(tru_decay_energy(&decay, e0, 0.0), e0, 1e-14, 0.0);
        if (q > 0.0) check(tru_decay_energy(&decay, e0, 1.000001 * end) == 0.0);
        const double span = q > 0.0 ? end : 10.0 * pow(e0, q) / decay.factor;
        for (int i = 1; i < 10; i++) {
            const double t = 0.1 * i * span, h = 1e-5 * span, e = tru_decay_energy(&decay, e0, t);
            const double slope = (tru_decay_energy(&decay, e0, t + h) - tru_decay_energy(&decay, e0, t - h)) / (2 * h);
            check_close(slope, -decay.factor * pow(e, decay.power), 1e-7, 0.0);
        }
    }
}

/* Two laws at once against Simpson's rule on E = E0 y^2. */
TEST(time_under_several_laws) {
    const tru_disk_body d = paper_disk();
    const tru_decay both[] = {tru_disk_decay(&d, TRU_DECAY_CONTENSOU, MU, 2e-3),
                              tru_disk_decay(&d, TRU_DECAY_CONTOUR, 3e-4, 0.0)};
    const double e0 = 0.1;
    enum { N = 200000 };
    double sum = 0.0;
    for (int i = 0; i <= N; i++) {
        const double y = (double)i / N, e = e0 * y * y;
        const double loss = both[0].factor * e * sqrt(e) + (e > 0.0 ? both[1].factor / sqrt(e) : HUGE_VAL);
        sum += (i == 0 || i == N ? 1.0 : i % 2 ? 4.0 : 2.0) * 2.0 * e0 * y / loss;
    }
    check_close(tru_decay_time(both, 2, e0), sum / (3.0 * N), 1e-12, 0.0);
    check(tru_decay_time(both, 1, e0) == HUGE_VAL);
    check(tru_decay_time(both, 2, 0.0) == 0.0);
    const tru_decay wide[] = {{1.0, 1.5}, {1e-12, -0.5}}; /* scales far apart */
    /* integral of E^(1/2) / (E^2 + k) dE = k^(-1/4) (pi / sqrt 2 - small), small = 2 k^(1/4) / sqrt(E0) */
    check_close(tru_decay_time(wide, 2, 1.0), M_PI / sqrt(2.0) * 1e3 - 2.0, 1e-12, 1e-9);
}

TEST(upright) {
    const tru_disk_body d = paper_disk();
    const double inertia = 1.5 * d.mass * d.radius * d.radius, w = d.mass * G;
    check_close(tru_disk_upright_roll(&d, TRU_DECAY_CONTOUR, 0.2).deceleration, 0.2 * d.radius * w / inertia, 1e-14, 0);
    check_close(tru_disk_upright_roll(&d, TRU_DECAY_ROLL, 1e-4).deceleration, 1e-4 * w / inertia, 1e-14, 0);
    check_close(tru_disk_upright_roll(&d, TRU_DECAY_CONTOUR_VISCOUS, 0.2).rate, 0.2 / (1.5 * d.mass), 1e-14, 0);
    check_close(tru_disk_upright_roll(&d, TRU_DECAY_ROLL_VISCOUS, 1e-5).rate, 1e-5 / inertia, 1e-14, 0);
    check_close(tru_disk_upright_spin(&d, MU, 2e-3), 3.0 * M_PI / 16.0 * MU * w * 2e-3 / d.across, 1e-14, 0);
}
