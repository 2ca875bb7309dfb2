/* disk_integrals.c: the two linear first integrals of a disk that rolls on a rim without slipping.
 *
 * With Omega = phi' cos theta + psi', p = phi' sin theta and D = I1 (1 + I3) + I3 e^2 (variational-disk note, section 5):
 *   dOmega/dtheta = (I1 p + I3 e Omega)/D,   dp/dtheta = -p cot theta + I3 ((1 + I3) Omega - e p)/D
 * whatever theta does in time, so the values that Omega and p would have upright are constant. For a thin disk Omega = c1
 * P_nu(cos theta) + c2 P_nu(-cos theta), p = (1 + I3) dOmega/dtheta, nu (nu + 1) = -I3/(I1 (1 + I3)). */
#include <trundle/analysis.h>

#include "math/elementary.h"

#include <math.h>

static void slope(const tru_rolling_disk *k, double theta, const double y[2], double out[2]) {
    const double d = k->across * (1.0 + k->axial) + k->axial * k->half_thickness * k->half_thickness;
    double s, c;
    tru_sincos(theta, &s, &c);
    out[0] = (k->across * y[1] + k->axial * k->half_thickness * y[0]) / d;
    out[1] = -y[1] * c / s + k->axial * ((1.0 + k->axial) * y[0] - k->half_thickness * y[1]) / d;
}

/* The classical Runge-Kutta method in theta; 512 steps leave about 1e-13. */
void tru_rolling_upright(const tru_rolling_disk *k, double theta, double omega, double p, double out[2]) {
    enum { STEPS = 512 };
    const double h = (0x1.921fb54442d18p+0 - theta) / STEPS;
    double y[2] = {omega, p};
    for (int i = 0; i < STEPS; i++) {
        const double at = theta + h * i;
        double k1[2], k2[2], k3[2], k4[2], z[2];
        slope(k, at, y, k1);
        for (int j = 0; j < 2; j++) z[j] = y[j] + 0.5 * h * k1[j];
        slope(k, at + 0.5 * h, z, k2);
        for (int j = 0; j < 2; j++) z[j] = y[j] + 0.5 * h * k2[j];
        slope(k, at + 0.5 * h, z, k3);
        for (int j = 0; j < 2; j++) z[j] = y[j] + h * k3[j];
        slope(k, at + h, z, k4);
        for (int j = 0; j < 2; j++) y[j] += h / 6.0 * (k1[j] + 2.0 * (k2[j] + k3[j]) + k4[j]);
    }
    out[0] = y[0];
    out[1] = y[1];
}

/* P_nu(x) and its derivative by the series in z = (1 - x)/2: a_{k+1}/a_k = (k (k + 1) - nu (nu + 1))/(k + 1)^2. */
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
