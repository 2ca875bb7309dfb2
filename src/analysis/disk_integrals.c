/* disk_integrals.c: the two linear first integrals of a disk that rolls on a rim without slipping.
 *
 * With Omega = phi' cos theta + psi', p = phi' sin theta and D = I1 (1 + I3) + I3 e^2 [variational-equations 5.1]:
 *   dOmega/dtheta = (I1 p + I3 e Omega)/D,   dp/dtheta = -p cot theta + I3 ((1 + I3) Omega - e p)/D
 * for every motion theta(t), so the values that Omega and p would have upright are constant. For a thin disk Omega = c1
 * P_nu(cos theta) + c2 P_nu(-cos theta), p = (1 + I3) dOmega/dtheta, nu (nu + 1) = -I3/(I1 (1 + I3)). */
#include <trundle/analysis.h>

#include "math/elementary/elementary.h"

#include "base/assert.h"

#include <math.h>

enum { TERMS = 28 }; /* of the Taylor series */

/* Advances y from theta to theta + h by its Taylor series; that of the cotangent follows from C' = -1 - C^2. The radius of
 * convergence is min(theta, pi - theta), and |h| is at most a quarter of it, so 28 terms leave round-off. */
static void advance(const tru_rolling_disk *k, double theta, double h, double y[2]) {
    const double d = k->across * (1.0 + k->axial) + k->axial * k->half_thickness * k->half_thickness;
    const double roll = k->axial * (1.0 + k->axial) / d, thick = k->axial * k->half_thickness / d;
    double cot[TERMS], omega[TERMS], p[TERMS], s, c; /* coefficients times h^n */
    tru_sincos(theta, &s, &c);
    cot[0] = c / s;
    omega[0] = y[0];
    p[0] = y[1];
    for (int n = 0; n + 1 < TERMS; n++) {
        const double by = h / (n + 1);
        double square = n == 0 ? 1.0 : 0.0, pull = 0.0;
        for (int i = 0; i <= n; i++) {
            square += cot[i] * cot[n - i];
            pull += cot[i] * p[n - i];
        }
        cot[n + 1] = -by * square;
        omega[n + 1] = by * (k->across / d * p[n] + thick * omega[n]);
        p[n + 1] = by * (roll * omega[n] - thick * p[n] - pull);
    }
    y[0] = y[1] = 0.0;
    for (int n = TERMS - 1; n >= 0; n--) {
        y[0] += omega[n];
        y[1] += p[n];
    }
}

void tru_rolling_upright(const tru_rolling_disk *k, double theta, double omega, double p, double out[2]) {
    const double upright = 0x1.921fb54442d18p+0;
    double y[2] = {omega, p};
    if (!(theta > 0.0 && theta < 2.0 * upright)) y[0] = y[1] = NAN, theta = upright;
    while (theta != upright) {
        const double left = upright - theta, most = 0.25 * (upright - fabs(left));
        const bool last = fabs(left) <= most;
        const double h = last ? left : left > 0.0 ? most : -most;
        TRU_ASSERT(fabs(h) <= 0.25 * fmin(theta, 2.0 * upright - theta) * (1.0 + 1e-9));
        advance(k, theta, h, y);
        theta = last ? upright : theta + h;
    }
    out[0] = y[0];
    out[1] = y[1];
}

/* Computes P_nu(x) and its derivative by the series in z = (1 - x)/2: a_{k+1}/a_k = (k (k + 1) - nu (nu + 1))/(k + 1)^2. */
static void legendre(double nn, double x, double *value, double *derivative) {
    const double z = 0.5 * (1.0 - x);
    double a = 1.0, power = 1.0;
    *value = 1.0;
    *derivative = 0.0;
    for (int k = 0; k < 4000; k++) {
        a *= (k * (k + 1.0) - nn) / ((k + 1.0) * (k + 1.0));
        *derivative += a * (k + 1.0) * power;
        power *= z;
        *value += a * power;
        if (a * power * (k + 1.0) < 1e-18 * *value) break;
    }
    *derivative *= -0.5;
}

void tru_rolling_legendre(const tru_rolling_disk *k, double theta, double omega, double p, double out[2]) {
    double s, c, a, da, b, db;
    const double nn = -k->axial / (k->across * (1.0 + k->axial));
    tru_sincos(theta, &s, &c);
    legendre(nn, c, &a, &da);
    legendre(nn, -c, &b, &db);
    const double dp = -s * da, dq = s * db, rate = p / (1.0 + k->axial); /* by theta */
    const double det = a * dq - b * dp;
    out[0] = (omega * dq - b * rate) / det;
    out[1] = (a * rate - omega * dp) / det;
}
