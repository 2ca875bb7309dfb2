/* step_variational_reduced.c: a rolling disk in its three angles: discrete Lagrange-d'Alembert-Poincare equations after
 * Campos, Cendra, Diaz, Martin de Diego 2012 [C12], corrected, and Runge-Kutta on the same reduced equations.
 *
 * | symbol | name | unit |
 * |---|---|---|
 * | theta, phi, psi | angle of the disk to the floor (pi/2 upright), heading, turn about the axis | rad |
 * | T, F, kappa | d[THETA], d[PHI], d[PSI] | rad |
 * | m | theta + T/2; s, c its sine and cosine | rad |
 * | e bar, I1, I3 | e, i1, i3 | - |
 * | a = 1 - I1 + I3 - e^2 | a | - |
 *
 * No slip: the contact point moves by -r psi' (cos phi, sin phi). Momenta are those of (14), (15), (16) divided by 4, 2, 1
 * and, like forces and energies, by M r^2; the step h is in the rates. */
#include "steppers/step_variational.h"

#include "math/elementary.h"

/* Coefficients of the kinetic energy at an angle. */
typedef struct shape_at {
    double s, c;
    double b; /* c - e s: height of the centre changes by r b theta' */
    double d; /* s + e c: height of the centre over r */
} shape_at;

static shape_at at_angle(const reduced_disk *k, double theta) {
    shape_at a;
    tru_sincos(theta, &a.s, &a.c);
    a.b = a.c - k->e * a.s;
    a.d = a.s + k->e * a.c;
    return a;
}

static double tip(const reduced_disk *k) { return 1.0 + k->i1 + k->e * k->e; }
static double a_of(const reduced_disk *k) { return 1.0 - k->i1 + k->i3 - k->e * k->e; }

/* cos^2 + (I1 + e^2) sin^2 - e sin 2 theta + I3 cos^2: of phi'^2; and of phi' psi'. */
static double turn_turn(const reduced_disk *k, const shape_at *t) {
    return (1.0 + k->i3) * t->c * t->c + (k->i1 + k->e * k->e) * t->s * t->s - 2.0 * k->e * t->s * t->c;
}
static double turn_roll(const reduced_disk *k, const shape_at *t) { return k->i3 * t->c + t->b; }

void reduced_momenta(const reduced_disk *k, double theta, const double rate[ANGLES], double p[ANGLES]) {
    const shape_at t = at_angle(k, theta);
    p[THETA] = tip(k) * rate[THETA];
    p[PHI] = turn_turn(k, &t) * rate[PHI] + turn_roll(k, &t) * rate[PSI];
    p[PSI] = turn_roll(k, &t) * rate[PHI] + (1.0 + k->i3) * rate[PSI];
}

/* Determinant of the turn and roll momenta: sin^2 (I1 (1 + I3) + I3 e^2). */
static double determinant(const reduced_disk *k, const shape_at *t) {
    return t->s * t->s * (k->i1 * (1.0 + k->i3) + k->i3 * k->e * k->e);
}

bool reduced_rates(const reduced_disk *k, double theta, const double p[ANGLES], double rate[ANGLES]) {
    const shape_at t = at_angle(k, theta);
    const double det = determinant(k, &t), tr = turn_roll(k, &t), roll = 1.0 + k->i3;
    rate[THETA] = p[THETA] / tip(k);
    rate[PHI] = (roll * p[PHI] - tr * p[PSI]) / det;
    rate[PSI] = (p[PSI] - tr * rate[PHI]) / roll;
    return det > 0.0;
}

double reduced_energy(const reduced_disk *k, double theta, const double rate[ANGLES]) {
    double p[ANGLES];
    reduced_momenta(k, theta, rate, p);
    const shape_at t = at_angle(k, theta);
    return 0.5 * (p[THETA] * rate[THETA] + p[PHI] * rate[PHI] + p[PSI] * rate[PSI]) + k->g * t.d;
}

/* Equations (10), (11), (12) of the note. */
void reduced_accelerate(const reduced_disk *k, double theta, const double rate[ANGLES], const double q[ANGLES],
                        double out[ANGLES]) {
    const shape_at t = at_angle(k, theta);
    const double a = a_of(k), sin2 = 2.0 * t.s * t.c, cos2 = t.c * t.c - t.s * t.s, e = k->e;
    const double th = rate[THETA], ph = rate[PHI], ps = rate[PSI], roll = 1.0 + k->i3;
    const double right_psi = ((2.0 + k->i3) * t.s + 2.0 * e * t.c) * th * ph + q[PSI];
    const double right_phi = (a * sin2 + 2.0 * e * cos2) * th * ph + k->i3 * th * ps * t.s + q[PHI];
    const double tr = roll * t.c - e * t.s;
    out[PHI] = (roll * right_phi - tr * right_psi) / determinant(k, &t);
    out[PSI] = (right_psi - tr * out[PHI]) / roll;
    out[THETA] =
        (q[THETA] - (0.5 * a * sin2 + e * cos2) * ph * ph - (roll * t.s + e * t.c) * ph * ps - k->g * t.b) / tip(k);
}

void reduced_discrete(const reduced_disk *k, double theta, const double d[ANGLES], double start[ANGLES],
                      double end[ANGLES], double slope[ANGLES][ANGLES]) {
    const double t = d[THETA], f = d[PHI], z = d[PSI], e = k->e, a = a_of(k), roll = 1.0 + k->i3;
    const shape_at m = at_angle(k, theta + 0.5 * t);
    double sf, cf;
    tru_sincos(0.5 * f, &sf, &cf);
    const double sin2 = 2.0 * m.s * m.c, cos2 = m.c * m.c - m.s * m.s;
    const double bend = a * sin2 + 2.0 * e * cos2, lean = roll * m.s + e * m.c, tr = roll * m.c - e * m.s;
    const double turn = 0.5 * (1.0 + k->i1 + k->i3 + e * e + a * cos2 - 2.0 * e * sin2);
    const double push = 0.5 * k->g * m.b + 0.25 * f * f * bend + 0.5 * f * z * lean; /* half of minus the force */
    const double carry = 0.5 * z * t * m.d, drag = t * sf * m.d; /* of the constraint: midpoint against node */
    const double mean_phi = f * turn + z * tr, mean_psi = k->i3 * f * m.c + z * (k->i3 + cf) + f * cf * m.b;
    start[THETA] = tip(k) * t + push; /* (14) */
    end[THETA] = tip(k) * t - push;
    start[PHI] = mean_phi + carry; /* (15) */
    end[PHI] = mean_phi - carry;
    start[PSI] = mean_psi - drag; /* (16) */
    end[PSI] = mean_psi + drag;
    if (!slope) return;
    slope[THETA][THETA] = tip(k) - 0.25 * k->g * m.d + 0.25 * f * f * (a * cos2 - 2.0 * e * sin2) + 0.25 * f * z * tr;
    slope[THETA][PHI] = 0.5 * (f * bend + z * lean);
    slope[THETA][PSI] = 0.5 * f * lean;
    slope[PHI][THETA] = -0.5 * f * bend - 0.5 * z * lean + 0.5 * z * m.d + 0.25 * z * t * m.b;
    slope[PHI][PHI] = turn;
    slope[PHI][PSI] = tr + 0.5 * t * m.d;
    slope[PSI][THETA] = -0.5 * f * (k->i3 * m.s + cf * m.d) - sf * (m.d + 0.5 * t * m.b);
    slope[PSI][PHI] = k->i3 * m.c - 0.5 * z * sf + cf * m.b - 0.5 * f * sf * m.b - 0.5 * t * cf * m.d;
    slope[PSI][PSI] = k->i3 + cf;
}

void reduced_middle_force(const reduced_step *s, double q[ANGLES]) {
    const reduced_at at = {
        s->theta + 0.5 * s->d[THETA], 0.5 * s->d[PHI], 0.5 * s->d[PSI], 0.5, {s->d[THETA], s->d[PHI], s->d[PSI]}};
    s->force(s->context, &at, q);
}

#define MOST_ITERATIONS 40
#define QUADRATIC       1e-8 /* a Newton step this small, in parts of the angles, leaves round-off */

/* Newton on start(d) - q/2 = p; the slope leaves forces out, with them convergence is linear in h. */
static bool newton(reduced_step *s, const double p[ANGLES]) {
    const double enough = s->force ? 4.0 * 0x1p-52 : QUADRATIC;
    double last = DBL_MAX;
    for (s->iterations = 1; s->iterations <= MOST_ITERATIONS; s->iterations++) {
        double start[ANGLES], end[ANGLES], q[ANGLES] = {0.0, 0.0, 0.0};
        tru_mat3 slope, inverse;
        reduced_discrete(&s->disk, s->theta, s->d, start, end, slope.m);
        if (s->force) reduced_middle_force(s, q);
        if (!m3_inverse(slope, &inverse)) return false;
        const tru_vec3 left =
            v3(start[0] - 0.5 * q[0] - p[0], start[1] - 0.5 * q[1] - p[1], start[2] - 0.5 * q[2] - p[2]);
        const tru_vec3 by = m3_apply(inverse, left);
        s->d[THETA] -= by.x;
        s->d[PHI] -= by.y;
        s->d[PSI] -= by.z;
        const double change = fabs(by.x) + fabs(by.y) + fabs(by.z);
        const double size = s->disk.g + fabs(s->d[THETA]) + fabs(s->d[PHI]) + fabs(s->d[PSI]);
        if (!isfinite(change)) return false;
        if (change <= enough * size || (change <= 1e-13 * size && change >= 0.5 * last)) return true;
        last = change;
    }
    return false;
}

bool reduced_solve(reduced_step *s, bool as_published) {
    double p[ANGLES], start[ANGLES], end[ANGLES], *q = s->force_mean;
    reduced_momenta(&s->disk, s->theta, s->rate, p);
    if (as_published)
        for (int i = 0; i < ANGLES; i++) s->d[i] = s->rate[i]; /* q1 = q0 + h v0: first order */
    else if (!newton(s, p))
        return false;
    q[0] = q[1] = q[2] = 0.0;
    if (s->force) reduced_middle_force(s, q);
    reduced_discrete(&s->disk, s->theta, s->d, start, end, NULL);
    for (int i = 0; i < ANGLES; i++) end[i] += 0.5 * q[i];
    double sf, cf;
    tru_sincos(0.5 * s->d[PHI], &sf, &cf);
    s->path[0] = -s->d[PSI] * cf;
    s->path[1] = -s->d[PSI] * sf;
    const double theta = s->theta + s->d[THETA];
    return theta > 0.0 && theta < 0x1.921fb54442d18p+1 && reduced_rates(&s->disk, theta, end, s->end);
}

/* ---- Runge-Kutta */

enum { Y_RATE = ANGLES, Y_PATH = 2 * ANGLES, Y_COUNT = 2 * ANGLES + 2 };

static void derivative(const reduced_step *s, double part, const double y[Y_COUNT], double out[Y_COUNT]) {
    const reduced_at at = {s->theta + y[THETA], y[PHI], y[PSI], part, {y[Y_RATE], y[Y_RATE + 1], y[Y_RATE + 2]}};
    double q[ANGLES] = {0.0, 0.0, 0.0}, sine, cosine;
    if (s->force) s->force(s->context, &at, q);
    for (int i = 0; i < ANGLES; i++) out[i] = at.rate[i];
    reduced_accelerate(&s->disk, at.theta, at.rate, q, out + Y_RATE);
    tru_sincos(at.phi, &sine, &cosine);
    out[Y_PATH] = -at.rate[PSI] * cosine;
    out[Y_PATH + 1] = -at.rate[PSI] * sine;
}

/* Explicit tableaux of up to four stages: c and a below the diagonal (only the stage before counts), weights b. */
typedef struct tableau {
    int stages;
    double c[4], b[4];
} tableau;

static const tableau *tableau_of(int scheme) {
    static const tableau midpoint = {2, {0.0, 0.5}, {0.0, 1.0}}, heun = {2, {0.0, 1.0}, {0.5, 0.5}},
                         ralston = {2, {0.0, 2.0 / 3.0}, {0.25, 0.75}},
                         classic = {4, {0.0, 0.5, 0.5, 1.0}, {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}};
    if (scheme == TRU_RK2_HEUN) return &heun;
    if (scheme == TRU_RK2_RALSTON) return &ralston;
    return scheme == TRU_RK4 ? &classic : &midpoint;
}

void reduced_runge_kutta(reduced_step *s, int scheme) {
    const tableau *t = tableau_of(scheme);
    double y0[Y_COUNT] = {0.0}, y[Y_COUNT], slope[Y_COUNT] = {0.0}, sum[Y_COUNT] = {0.0};
    for (int i = 0; i < ANGLES; i++) y0[Y_RATE + i] = s->rate[i];
    for (int stage = 0; stage < t->stages; stage++) {
        for (int i = 0; i < Y_COUNT; i++) y[i] = y0[i] + t->c[stage] * slope[i];
        derivative(s, t->c[stage], y, slope);
        for (int i = 0; i < Y_COUNT; i++) sum[i] += t->b[stage] * slope[i];
    }
    for (int i = 0; i < ANGLES; i++) {
        s->d[i] = sum[i];
        s->end[i] = s->rate[i] + sum[Y_RATE + i];
    }
    s->path[0] = sum[Y_PATH];
    s->path[1] = sum[Y_PATH + 1];
    s->iterations = t->stages;
}
