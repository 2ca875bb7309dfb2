/* Restitution of a spring with a dashpot: the closed form against integration of the impact, for Hooke and for Hertz. */
#include "check.h"

#include "analysis/restitution.h"

/* Force per mass at overlap x and closing speed v, ratio z: Hooke, or Hertz with k = 1 and the dashpot of Tsuji. */
static double force(double x, double v, double z, int hertz) {
    if (x <= 0.0) return 0.0;
    return hertz ? x * sqrt(x) + z * sqrt(5.0) * sqrt(sqrt(x)) * v : x + 2.0 * z * v;
}

/* Restitution by Runge-Kutta steps of fourth order from the first touch to where the force ends, or the overlap. */
static double integrated(double z, int hertz, int pulls) {
    double x = hertz ? 1e-9 : 0.0, v = 1.0; /* x^(1/4) is not smooth at 0 */
    const double h = 1e-4;
    for (long i = 0; i < 2000000; i++) {
        if (i > 0 && (pulls ? x <= 0.0 : v < 0.0 && force(x, v, z, hertz) <= 0.0)) break;
        const double a1 = -force(x, v, z, hertz), x2 = x + 0.5 * h * v, v2 = v + 0.5 * h * a1;
        const double a2 = -force(x2, v2, z, hertz), x3 = x + 0.5 * h * v2, v3 = v + 0.5 * h * a2;
        const double a3 = -force(x3, v3, z, hertz), x4 = x + h * v3, v4 = v + h * a3, a4 = -force(x4, v4, z, hertz);
        x += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
        v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    return -v;
}

TEST(formula_is_the_integral) {
    for (int hertz = 0; hertz < 2; hertz++)
        for (double z = 0.0; z < 2.0; z += 0.13) {
            check_close(trui_restitution_of_damping(z), integrated(z, hertz, 0), 0.0, 2e-4);
        }
    for (double e = 0.2; e < 1.0; e += 0.2) check_close(integrated(trui_damping_of_pulling(e), 0, 1), e, 0.0, 2e-4);
}

TEST(known_values) {
    check_close(trui_restitution_of_damping(0.0), 1.0, 0.0, 0.0);
    check_close(trui_restitution_of_damping(1.0), exp(-2.0), 1e-15, 0.0);
    for (double s = -1e-6; s < 2e-6; s += 1e-6) /* smooth through the border */
        check_close(trui_restitution_of_damping(1.0 + s), exp(-2.0) * (1.0 - 4.0 / 3.0 * s), 1e-11, 0.0);
    check_close(trui_damping_of_pulling(0.0), 1.0, 0.0, 0.0);
    check_close(trui_damping_of_pulling(exp(-acos(-1.0))), sqrt(0.5), 1e-15, 0.0);
}

TEST(damping_gives_the_restitution) {
    double last = 2.0;
    for (double e = RESTITUTION_LEAST; e <= 1.0; e += 1e-3) {
        const double z = trui_damping_of_restitution(e);
        check_close(trui_restitution_of_damping(z), e, 1e-14, 0.0);
        check(z < last);
        last = z;
    }
    check_close(trui_damping_of_restitution(1.0), 0.0, 0.0, 0.0);
    check_close(trui_damping_of_restitution(0.0), trui_damping_of_restitution(RESTITUTION_LEAST), 0.0, 0.0);
    check_close(trui_damping_of_restitution(RESTITUTION_LEAST), 1.945, 1e-3, 0.0);
}
