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
 * and, like forces and energies, by M r^2; the step h is in the rates. theta itself is never needed, only its sine and
 * cosine, which the changes of a step turn by small angles. */
#include "steppers/step_variational.h"

#include "math/elementary.h"

reduced_angle reduced_angle_of(double theta) {
    reduced_angle a;
    tru_sincos(theta, &a.s, &a.c);
    return a;
}

/* Coefficients of the kinetic energy at an angle. */
static double fall(const reduced_disk *k, reduced_angle t) {
    return t.c - k->e * t.s;
} /* height changes by r b theta' */
static double rise(const reduced_disk *k, reduced_angle t) {
    return t.s + k->e * t.c;
} /* height of the centre over r */
static double tip(const reduced_disk *k) { return 1.0 + k->i1 + k->e * k->e; }
static double a_of(const reduced_disk *k) { return 1.0 - k->i1 + k->i3 - k->e * k->e; }

/* cos^2 + (I1 + e^2) sin^2 - e sin 2 theta + I3 cos^2: of phi'^2; and of phi' psi'. */
static double turn_turn(const reduced_disk *k, reduced_angle t) {
    return (1.0 + k->i3) * t.c * t.c + (k->i1 + k->e * k->e) * t.s * t.s - 2.0 * k->e * t.s * t.c;
}
static double turn_roll(const reduced_disk *k, reduced_angle t) { return k->i3 * t.c + fall(k, t); }

void reduced_momenta(const reduced_disk *k, reduced_angle t, const double rate[ANGLES], double p[ANGLES]) {
    const double both = turn_roll(k, t);
    p[THETA] = tip(k) * rate[THETA];
    p[PHI] = turn_turn(k, t) * rate[PHI] + both * rate[PSI];
    p[PSI] = both * rate[PHI] + (1.0 + k->i3) * rate[PSI];
}

/* Determinant of the turn and roll momenta: sin^2 (I1 (1 + I3) + I3 e^2). */
static double determinant(const reduced_disk *k, reduced_angle t) {
    return t.s * t.s * (k->i1 * (1.0 + k->i3) + k->i3 * k->e * k->e);
}

bool reduced_rates(const reduced_disk *k, reduced_angle t, const double p[ANGLES], double rate[ANGLES]) {
    const double det = determinant(k, t), tr = turn_roll(k, t), roll = 1.0 + k->i3;
    rate[THETA] = p[THETA] / tip(k);
    rate[PHI] = (roll * p[PHI] - tr * p[PSI]) / det;
    rate[PSI] = (p[PSI] - tr * rate[PHI]) / roll;
    return det > 0.0;
}

double reduced_energy(const reduced_disk *k, reduced_angle t, const double rate[ANGLES]) {
    double p[ANGLES];
    reduced_momenta(k, t, rate, p);
    return 0.5 * (p[THETA] * rate[THETA] + p[PHI] * rate[PHI] + p[PSI] * rate[PSI]) + k->g * rise(k, t);
}

/* Equations (10), (11), (12) of the note. */
void reduced_accelerate(const reduced_disk *k, reduced_angle t, const double rate[ANGLES], const double q[ANGLES],
                        double out[ANGLES]) {
    const double a = a_of(k), sin2 = 2.0 * t.s * t.c, cos2 = t.c * t.c - t.s * t.s, e = k->e;
    const double th = rate[THETA], ph = rate[PHI], ps = rate[PSI], roll = 1.0 + k->i3;
    const double right_psi = ((2.0 + k->i3) * t.s + 2.0 * e * t.c) * th * ph + q[PSI];
    const double right_phi = (a * sin2 + 2.0 * e * cos2) * th * ph + k->i3 * th * ps * t.s + q[PHI];
    const double tr = roll * t.c - e * t.s;
    out[PHI] = (roll * right_phi - tr * right_psi) / determinant(k, t);
    out[PSI] = (right_psi - tr * out[PHI]) / roll;
    out[THETA] =
        (q[THETA] - (0.5 * a * sin2 + e * cos2) * ph * ph - (roll * t.s + e * t.c) * ph * ps - k->g * fall(k, t)) /
        tip(k);
}

void reduced_discrete(const reduced_disk *k, reduced_angle theta, const double d[ANGLES], double start[ANGLES],
                      double end[ANGLES], double slope[ANGLES][ANGLES]) {
    const double t = d[THETA], f = d[PHI], z = d[PSI], e = k->e, a = a_of(k), roll = 1.0 + k->i3;
    const reduced_angle m = reduced_angle_turned(theta, 0.5 * t);
    const double b = fall(k, m), up = rise(k, m);
    double sf, cf;
    tru_sincos_small(0.5 * f, &sf, &cf);
    const double sin2 = 2.0 * m.s * m.c, cos2 = m.c * m.c - m.s * m.s;
    const double bend = a * sin2 + 2.0 * e * cos2, lean = roll * m.s + e * m.c, tr = roll * m.c - e * m.s;
    const double turn = 0.5 * (1.0 + k->i1 + k->i3 + e * e + a * cos2 - 2.0 * e * sin2);
    const double push = 0.5 * k->g * b + 0.25 * f * f * bend + 0.5 * f * z * lean; /* half of minus the force */
    const double carry = 0.5 * z * t * up, drag = t * sf * up; /* of the constraint: midpoint against node */
    const double mean_phi = f * turn + z * tr, mean_psi = k->i3 * f * m.c + z * (k->i3 + cf) + f * cf * b;
    start[THETA] = tip(k) * t + push; /* (14) */
    end[THETA] = tip(k) * t - push;
    start[PHI] = mean_phi + carry; /* (15) */
    end[PHI] = mean_phi - carry;
    start[PSI] = mean_psi - drag; /* (16) */
    end[PSI] = mean_psi + drag;
    if (!slope) return;
    slope[THETA][THETA] = tip(k) - 0.25 * k->g * up + 0.25 * f * f * (a * cos2 - 2.0 * e * sin2) + 0.25 * f * z * tr;
    slope[THETA][PHI] = 0.5 * (f * bend + z * lean);
    slope[THETA][PSI] = 0.5 * f * lean;
    slope[PHI][THETA] = -0.5 * f * bend - 0.5 * z * lean + 0.5 * z * up + 0.25 * z * t * b;
    slope[PHI][PHI] = turn;
    slope[PHI][PSI] = tr + 0.5 * t * up;
    slope[PSI][THETA] = -0.5 * f * (k->i3 * m.s + cf * up) - sf * (up + 0.5 * t * b);
    slope[PSI][PHI] = k->i3 * m.c - 0.5 * z * sf + cf * b - 0.5 * f * sf * b - 0.5 * t * cf * up;
    slope[PSI][PSI] = k->i3 + cf;
}

void reduced_middle_force(const reduced_step *s, double q[ANGLES]) {
    const double *d = s->d;
    const reduced_at at = {reduced_angle_turned(s->theta, 0.5 * d[THETA]),
                           {0.5 * d[THETA], 0.5 * d[PHI], 0.5 * d[PSI]},
                           0.5,
                           {d[THETA], d[PHI], d[PSI]}};
    s->force(s->context, &at, q);
}

/* ---- Newton */

#define MOST_ITERATIONS 40
#define ENOUGH          1e-14 /* what is left after a step, in parts of the angles: a bound, found to be ten times too large */

/* `off`: how far from the end of the last step its slope was taken. With forces, which the slope leaves out, convergence
 * is linear in h: until nothing changes. */
static bool converged(const reduced_step *s, double change, double last, double off, double size) {
    if (change <= 1e-13 * size && change >= 0.5 * last) return true;
    return s->force ? change <= 4.0 * 0x1p-52 * size : change * off <= ENOUGH * size * size;
}

/* Newton on start(d) - q/2 = p; a slope serves for the next step too if that is short. */
static bool newton(reduced_step *s, const double p[ANGLES]) {
    double last = DBL_MAX;
    bool known = false;
    tru_mat3 slope, inverse = m3_identity();
    for (s->iterations = 1; s->iterations <= MOST_ITERATIONS; s->iterations++) {
        double start[ANGLES], end[ANGLES], q[ANGLES] = {0.0, 0.0, 0.0};
        reduced_discrete(&s->disk, s->theta, s->d, start, end, known ? NULL : slope.m);
        if (s->force) reduced_middle_force(s, q);
        if (!known && !m3_inverse(slope, &inverse)) return false;
        const tru_vec3 left =
            v3(start[0] - 0.5 * q[0] - p[0], start[1] - 0.5 * q[1] - p[1], start[2] - 0.5 * q[2] - p[2]);
        const tru_vec3 by = m3_apply(inverse, left);
        s->d[THETA] -= by.x;
        s->d[PHI] -= by.y;
        s->d[PSI] -= by.z;
        const double change = fabs(by.x) + fabs(by.y) + fabs(by.z);
        const double size = s->disk.g + fabs(s->d[THETA]) + fabs(s->d[PHI]) + fabs(s->d[PSI]);
        if (!isfinite(change)) return false;
        if (converged(s, change, last, known ? last : change, size)) return true;
        known = change <= 1e-3 * size;
        last = change;
    }
    return false;
}

/* Where the disk is after the step; false: flat, or turned over. */
static bool arrive(reduced_step *s) {
    s->theta_end = reduced_angle_turned(s->theta, s->d[THETA]);
    return s->theta_end.s > 0.0 && fabs(s->d[THETA]) < 1.5;
}

bool reduced_solve(reduced_step *s, bool as_published) {
    double start[ANGLES], end[ANGLES], sf, cf, *q = s->force_mean;
    reduced_momenta(&s->disk, s->theta, s->rate, s->p);
    if (as_published)
        for (int i = 0; i < ANGLES; i++) s->d[i] = s->rate[i]; /* q1 = q0 + h v0: first order */
    else if (!newton(s, s->p))
        return false;
    q[0] = q[1] = q[2] = 0.0;
    if (s->force) reduced_middle_force(s, q);
    reduced_discrete(&s->disk, s->theta, s->d, start, end, NULL);
    for (int i = 0; i < ANGLES; i++) s->p_end[i] = end[i] + 0.5 * q[i];
    tru_sincos_small(0.5 * s->d[PHI], &sf, &cf);
    s->path[0] = -s->d[PSI] * cf;
    s->path[1] = -s->d[PSI] * sf;
    return arrive(s) && reduced_rates(&s->disk, s->theta_end, s->p_end, s->end);
}

/* The changes of two steps differ by about the acceleration of the node between them. */
void reduced_guess(reduced_step *s, const double *lag) {
    const double none[ANGLES] = {0.0, 0.0, 0.0};
    double a[ANGLES];
    reduced_accelerate(&s->disk, s->theta, s->rate, none, a);
    for (int i = 0; i < ANGLES; i++) s->d[i] = s->rate[i] + (lag ? lag[i] + a[i] : 0.5 * a[i]);
}

/* ---- Runge-Kutta */

enum { Y_RATE = ANGLES, Y_PATH = 2 * ANGLES, Y_COUNT = 2 * ANGLES + 2 };

static void derivative(const reduced_step *s, double part, const double y[Y_COUNT], double out[Y_COUNT]) {
    const reduced_at at = {reduced_angle_turned(s->theta, y[THETA]),
                           {y[THETA], y[PHI], y[PSI]},
                           part,
                           {y[Y_RATE], y[Y_RATE + 1], y[Y_RATE + 2]}};
    double q[ANGLES] = {0.0, 0.0, 0.0}, sine, cosine;
    if (s->force) s->force(s->context, &at, q);
    for (int i = 0; i < ANGLES; i++) out[i] = at.rate[i];
    reduced_accelerate(&s->disk, at.theta, at.rate, q, out + Y_RATE);
    tru_sincos_small(y[PHI], &sine, &cosine);
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

bool reduced_runge_kutta(reduced_step *s, int scheme) {
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
    if (!arrive(s)) return false;
    reduced_momenta(&s->disk, s->theta, s->rate, s->p);
    reduced_momenta(&s->disk, s->theta_end, s->end, s->p_end);
    return true;
}
