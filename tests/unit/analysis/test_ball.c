/* test_ball.c: the ball's closed forms against explicit integration of its laws, and known results. */
#define _GNU_SOURCE
#include "check.h"

#include <trundle/analysis.h>

#include "math/random.h"

#include <math.h>

#define G 9.81

static tru_ball solid(double incline, double slide, double roll) {
    const double r = 0.1, m = 2.0;
    return (tru_ball){r, m, 0.4 * m * r * r, G, incline, slide, roll, 0.0};
}

/* The laws regularised: friction mu tanh(u/e), couple rho tanh(R w/e), by Runge and Kutta's rule. */
static void forces(const tru_ball *b, const double y[3], double d[3]) {
    const double e = 1e-4, n = b->mass * G * cos(b->incline);
    const double f = -b->slide * n * tanh((y[1] - b->radius * y[2]) / e);
    d[0] = y[1];
    d[1] = G * sin(b->incline) + f / b->mass;
    d[2] = (-b->radius * f - b->roll * n * tanh(b->radius * y[2] / e)) / b->inertia;
}

static void integrate(const tru_ball *b, double y[3], double t) {
    const int steps = 200000;
    const double h = t / steps;
    for (int i = 0; i < steps; i++) {
        double k[4][3], z[3];
        for (int s = 0; s < 4; s++) {
            for (int j = 0; j < 3; j++) z[j] = y[j] + (s == 0 ? 0.0 : s == 3 ? h : 0.5 * h) * (s ? k[s - 1][j] : 0.0);
            forces(b, z, k[s]);
        }
        for (int j = 0; j < 3; j++) y[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
    }
}

TEST(phases_follow_the_laws) {
    const uint64_t seed = check_seed();
    int modes[3] = {0, 0, 0};
    for (uint64_t i = 0; i < 40; i++) {
        tru_ball b = solid(0.6 * tru_random_uniform(seed, 1, i), 0.05 + 0.4 * tru_random_uniform(seed, 2, i),
                           0.02 * tru_random_uniform(seed, 3, i));
        if (i % 4 == 0) b.incline = 0.0;
        const double v = 4.0 * tru_random_uniform(seed, 4, i) - 2.0, w = 40.0 * tru_random_uniform(seed, 5, i) - 20.0;
        double y[3] = {0.0, v, i % 3 ? w : 0.0}, x;
        tru_ball_phase last;
        tru_ball_after(&b, v, y[2], 1.5, &last, &x);
        integrate(&b, y, 1.5);
        check_close(x, y[0], 0.0, 2e-3); /* the regularised law creeps by e times its time */
        check_close(last.velocity, y[1], 0.0, 2e-3);
        check_close(b.radius * last.rate, b.radius * y[2], 0.0, 2e-3);
        modes[last.mode]++;
    }
    check(modes[TRU_BALL_RESTS] > 0 && modes[TRU_BALL_ROLLS] > 0 && modes[TRU_BALL_SLIDES] > 0);
}

TEST(known_results) {
    tru_ball b = solid(0.0, 0.3, 0.0);
    tru_ball_phase p = tru_ball_next(&b, 1.0, 0.0); /* slides until 5/7 of its speed */
    check_status(p.mode, TRU_BALL_SLIDES);
    check_close(p.time, 2.0 / (7.0 * 0.3 * G), 1e-14, 0.0);
    check_close(p.end_velocity, 5.0 / 7.0, 1e-14, 0.0);
    check_close(p.distance, 12.0 / (49.0 * 0.3 * G), 1e-14, 0.0);
    p = tru_ball_next(&b, p.end_velocity, p.end_rate); /* and rolls for ever */
    check_status(p.mode, TRU_BALL_ROLLS);
    check(p.time == HUGE_VAL && p.distance == HUGE_VAL);
    check_close(p.end_velocity, 5.0 / 7.0, 1e-14, 0.0);
    b.roll = 1e-3; /* stops after v^2 / (2 a), a = g rho / (R (1 + 2/5)) */
    p = tru_ball_next(&b, 0.7, 7.0);
    check_close(p.distance, 0.49 * 1.4 * 0.1 / (2.0 * G * 1e-3), 1e-14, 0.0);
    check(p.end_velocity == 0.0 && tru_ball_next(&b, 0.0, 0.0).mode == TRU_BALL_RESTS);
    b = solid(0.3, 0.3, 0.0); /* rolls down with 5/7 g sin while 2/7 tan(incline) <= mu */
    p = tru_ball_next(&b, 0.0, 0.0);
    check_status(p.mode, TRU_BALL_ROLLS);
    check_close(p.acceleration, 5.0 / 7.0 * G * sin(0.3), 1e-14, 0.0);
    b = solid(1.0, 0.3, 0.0);
    p = tru_ball_next(&b, 0.0, 0.0);
    check_status(p.mode, TRU_BALL_SLIDES);
    check_close(p.acceleration, G * (sin(1.0) - 0.3 * cos(1.0)), 1e-14, 0.0);
    check_close(p.spin_up, 2.5 * 0.3 * G * cos(1.0) / 0.1, 1e-14, 0.0);
    b = solid(0.5, 0.3, 0.1); /* the roll couple holds the rotation: a block */
    p = tru_ball_next(&b, 0.0, 0.0);
    check_status(p.mode, TRU_BALL_SLIDES);
    check(p.spin_up == 0.0 && p.time == HUGE_VAL);
    b.slide = 0.6;
    check_status(tru_ball_next(&b, 0.0, 0.0).mode, TRU_BALL_RESTS);
    b.spin = 2e-3;
    check_close(tru_ball_spin_time(&b, -5.0), 0.4 * 2.0 * 0.01 * 5.0 / (2e-3 * 2.0 * G * cos(0.5)), 1e-14, 0.0);
    b.spin = 0.0;
    check(tru_ball_spin_time(&b, 5.0) == HUGE_VAL && tru_ball_spin_time(&b, 0.0) == 0.0);
}
