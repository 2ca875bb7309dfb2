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
#include "steppers/variational/scheme/step_variational_reduced.h"
#include "base/assert.h"

#include "math/elementary/elementary.h"
#include "math/mat.h"

#include <trundle/params.h>

#include <float.h>
#include <math.h>

reduced_angle trui_reduced_angle_of(double theta) {
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

reduced_disk trui_reduced_disk_of(double e, double i1, double i3, double g) {
    const double tip = 1.0 + i1 + e * e, roll = 1.0 + i3;
    return (reduced_disk){.e = e,
                          .i1 = i1,
                          .i3 = i3,
                          .g = g,
                          .a = 1.0 - i1 + i3 - e * e,
                          .tip = tip,
                          .roll = roll,
                          .per_tip = 1.0 / tip,
                          .per_roll = 1.0 / roll,
                          .det = i1 * roll + i3 * e * e};
}

/* cos^2 + (I1 + e^2) sin^2 - e sin 2 theta + I3 cos^2: of phi'^2; and of phi' psi'. */
static double turn_turn(const reduced_disk *k, reduced_angle t) {
    return k->roll * t.c * t.c + (k->i1 + k->e * k->e) * t.s * t.s - 2.0 * k->e * t.s * t.c;
}
static double turn_roll(const reduced_disk *k, reduced_angle t) { return k->i3 * t.c + fall(k, t); }

void trui_reduced_momenta(const reduced_disk *k, reduced_angle t, const double rate[ANGLES], double p[ANGLES]) {
    const double both = turn_roll(k, t);
    p[THETA] = k->tip * rate[THETA];
    p[PHI] = turn_turn(k, t) * rate[PHI] + both * rate[PSI];
    p[PSI] = both * rate[PHI] + k->roll * rate[PSI];
}

/* Determinant of the turn and roll momenta: sin^2 (I1 (1 + I3) + I3 e^2). */
static double determinant(const reduced_disk *k, reduced_angle t) { return t.s * t.s * k->det; }

bool trui_reduced_rates(const reduced_disk *k, reduced_angle t, const double p[ANGLES], double rate[ANGLES]) {
    const double det = determinant(k, t), tr = turn_roll(k, t);
    rate[THETA] = k->per_tip * p[THETA];
    rate[PHI] = (k->roll * p[PHI] - tr * p[PSI]) / det;
    rate[PSI] = k->per_roll * (p[PSI] - tr * rate[PHI]);
    return det > 0.0;
}

double trui_reduced_energy(const reduced_disk *k, reduced_angle t, const double rate[ANGLES]) {
    double p[ANGLES];
    trui_reduced_momenta(k, t, rate, p);
    return 0.5 * (p[THETA] * rate[THETA] + p[PHI] * rate[PHI] + p[PSI] * rate[PSI]) + k->g * rise(k, t);
}

/* [variational-equations 2], equations (10), (11), (12). */
void trui_reduced_accelerate(const reduced_disk *k, reduced_angle t, const double rate[ANGLES], const double q[ANGLES],
                             double out[ANGLES]) {
    const double a = k->a, sin2 = 2.0 * t.s * t.c, cos2 = t.c * t.c - t.s * t.s, e = k->e,
                 per = 1.0 / determinant(k, t);
    const double th = rate[THETA], ph = rate[PHI], ps = rate[PSI], roll = k->roll;
    const double right_psi = ((1.0 + roll) * t.s + 2.0 * e * t.c) * th * ph + q[PSI];
    const double right_phi = (a * sin2 + 2.0 * e * cos2) * th * ph + k->i3 * th * ps * t.s + q[PHI];
    const double tr = roll * t.c - e * t.s;
    out[PHI] = per * (roll * right_phi - tr * right_psi);
    out[PSI] = k->per_roll * (right_psi - tr * out[PHI]);
    out[THETA] = k->per_tip * (q[THETA] - (0.5 * a * sin2 + e * cos2) * ph * ph - (roll * t.s + e * t.c) * ph * ps -
                               k->g * fall(k, t));
}

/* What the equations of a step are made of, in its middle. */
typedef struct reduced_middle {
    reduced_angle m;                           /* theta + T/2 */
    double sf, cf;                             /* F/2 */
    double b, up, swing, bend, lean, tr, turn; /* */
} reduced_middle;

static inline reduced_angle sum_of(reduced_angle a, reduced_angle b) {
    return (reduced_angle){a.s * b.c + a.c * b.s, a.c * b.c - a.s * b.s};
}

static inline reduced_angle half_of(double angle) {
    reduced_angle a;
    tru_sincos_small(0.5 * angle, &a.s, &a.c);
    return a;
}

/* Half of an angle that becomes less by `by`, mostly next to nothing: of the third order is less than round-off. */
static inline reduced_angle half_less(reduced_angle a, double by) {
    const double x = -0.5 * by;
    if (!(fabs(x) <= 0x1p-18)) return sum_of(a, half_of(-by));
    return (reduced_angle){a.s + x * (a.c - 0.5 * x * a.s), a.c - x * (a.s + 0.5 * x * a.c)};
}

static inline reduced_middle middle_of(const reduced_disk *k, reduced_angle theta, reduced_angle t, reduced_angle f) {
    reduced_middle at = {.m = sum_of(theta, t), .sf = f.s, .cf = f.c};
    const double s = at.m.s, c = at.m.c, sin2 = 2.0 * s * c, cos2 = c * c - s * s;
    at.b = c - k->e * s;
    at.up = s + k->e * c;
    at.swing = k->a * cos2 - 2.0 * k->e * sin2;
    at.bend = k->a * sin2 + 2.0 * k->e * cos2;
    at.lean = k->roll * s + k->e * c;
    at.tr = k->roll * c - k->e * s;
    at.turn = 0.5 * (k->tip + k->i3 + at.swing);
    return at;
}

/* Momenta at the two nodes. */
static inline void momenta_of(const reduced_disk *k, const reduced_middle *at, const double d[ANGLES],
                              double start[ANGLES], double end[ANGLES]) {
    const double t = d[THETA], f = d[PHI], z = d[PSI];
    const double push =
        0.5 * k->g * at->b + 0.25 * f * f * at->bend + 0.5 * f * z * at->lean; /* half of minus the force */
    const double carry = 0.5 * z * t * at->up,
                 drag = t * at->sf * at->up; /* of the constraint: midpoint against node */
    const double mean_phi = f * at->turn + z * at->tr;
    const double mean_psi = k->i3 * f * at->m.c + z * (k->i3 + at->cf) + f * at->cf * at->b;
    start[THETA] = k->tip * t + push; /* (14) */
    end[THETA] = k->tip * t - push;
    start[PHI] = mean_phi + carry; /* (15) */
    end[PHI] = mean_phi - carry;
    start[PSI] = mean_psi - drag; /* (16) */
    end[PSI] = mean_psi + drag;
}

/* Derivatives of the mean of the two, and of the momenta at the first node. */
static inline void slopes_of(const reduced_disk *k, const reduced_middle *at, const double d[ANGLES],
                             double mean[ANGLES][ANGLES], double start[ANGLES][ANGLES]) {
    const double t = d[THETA], f = d[PHI], z = d[PSI], sf = at->sf, cf = at->cf, b = at->b, up = at->up;
    mean[THETA][THETA] = k->tip;
    mean[THETA][PHI] = mean[THETA][PSI] = 0.0;
    mean[PHI][THETA] = -0.5 * f * at->bend - 0.5 * z * at->lean;
    mean[PHI][PHI] = at->turn;
    mean[PHI][PSI] = at->tr;
    mean[PSI][THETA] = -0.5 * f * (k->i3 * at->m.s + cf * up);
    mean[PSI][PHI] = k->i3 * at->m.c - 0.5 * z * sf + cf * b - 0.5 * f * sf * b;
    mean[PSI][PSI] = k->i3 + cf;
    start[THETA][THETA] = k->tip - 0.25 * k->g * up + 0.25 * f * f * at->swing + 0.25 * f * z * at->tr;
    start[THETA][PHI] = 0.5 * (f * at->bend + z * at->lean);
    start[THETA][PSI] = 0.5 * f * at->lean;
    start[PHI][THETA] = mean[PHI][THETA] + 0.5 * z * up + 0.25 * z * t * b;
    start[PHI][PHI] = mean[PHI][PHI];
    start[PHI][PSI] = mean[PHI][PSI] + 0.5 * t * up;
    start[PSI][THETA] = mean[PSI][THETA] - sf * (up + 0.5 * t * b);
    start[PSI][PHI] = mean[PSI][PHI] - 0.5 * t * cf * up;
    start[PSI][PSI] = mean[PSI][PSI];
}

void trui_reduced_discrete(const reduced_disk *k, reduced_angle theta, const double d[ANGLES], double start[ANGLES],
                           double end[ANGLES], double slope[ANGLES][ANGLES]) {
    const reduced_middle at = middle_of(k, theta, half_of(d[THETA]), half_of(d[PHI]));
    double mean[ANGLES][ANGLES];
    momenta_of(k, &at, d, start, end);
    if (slope) slopes_of(k, &at, d, mean, slope);
}

void trui_reduced_middle_force(const reduced_step *s, double q[ANGLES]) {
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

/* Newton on start(d) - q/2 = p; a slope serves for the next step too if that is short. The momenta of the end follow from
 * those of the last trial by the same slopes: end = 2 mean - start. */
static bool newton(reduced_step *s, const double p[ANGLES]) {
    const reduced_disk k = s->disk;
    double last = DBL_MAX, *q = s->force_mean;
    bool known = false;
    tru_mat3 mean = m3_identity(), inverse = mean;
    s->half[THETA] = half_of(s->d[THETA]);
    s->half[PHI] = half_of(s->d[PHI]);
    for (s->iterations = 1; s->iterations <= MOST_ITERATIONS; s->iterations++) {
        double start[ANGLES], end[ANGLES];
        const reduced_middle at = middle_of(&k, s->theta, s->half[THETA], s->half[PHI]);
        momenta_of(&k, &at, s->d, start, end);
        if (s->force) trui_reduced_middle_force(s, q);
        if (!known) {
            tru_mat3 slope;
            slopes_of(&k, &at, s->d, mean.m, slope.m);
            if (!m3_inverse(slope, &inverse)) return false;
        }
        const tru_vec3 left =
            v3(start[0] - 0.5 * q[0] - p[0], start[1] - 0.5 * q[1] - p[1], start[2] - 0.5 * q[2] - p[2]);
        const tru_vec3 by = m3_apply(inverse, left);
        s->d[THETA] -= by.x;
        s->d[PHI] -= by.y;
        s->d[PSI] -= by.z;
        s->half[THETA] = half_less(s->half[THETA], by.x);
        s->half[PHI] = half_less(s->half[PHI], by.y);
        const double change = fabs(by.x) + fabs(by.y) + fabs(by.z);
        const double size = s->disk.g + fabs(s->d[THETA]) + fabs(s->d[PHI]) + fabs(s->d[PSI]);
        if (!isfinite(change)) return false;
        if (converged(s, change, last, known ? last : change, size)) {
            const tru_vec3 both = m3_apply(mean, by);
            s->p_end[THETA] = end[THETA] + 0.5 * q[THETA] + (left.x - 2.0 * both.x);
            s->p_end[PHI] = end[PHI] + 0.5 * q[PHI] + (left.y - 2.0 * both.y);
            s->p_end[PSI] = end[PSI] + 0.5 * q[PSI] + (left.z - 2.0 * both.z);
            return true;
        }
        known = change <= 1e-3 * size;
        last = change;
    }
    return false;
}

/* q1 = q0 + h v0: first order. */
static void as_in_the_paper(reduced_step *s) {
    double start[ANGLES], end[ANGLES], *q = s->force_mean;
    for (int i = 0; i < ANGLES; i++) {
        s->d[i] = s->rate[i];
        s->half[i] = half_of(s->d[i]);
    }
    if (s->force) trui_reduced_middle_force(s, q);
    trui_reduced_discrete(&s->disk, s->theta, s->d, start, end, NULL);
    for (int i = 0; i < ANGLES; i++) s->p_end[i] = end[i] + 0.5 * q[i];
}

/* Where the disk is after the step, by half[THETA]; false: flat, or turned over. */
static bool arrive(reduced_step *s) {
    const reduced_angle h = s->half[THETA];
    const double sine = 2.0 * h.s * h.c, less = 2.0 * h.s * h.s; /* cosine = 1 - less */
    s->theta_end.s = s->theta.s + (s->theta.c * sine - s->theta.s * less);
    s->theta_end.c = s->theta.c - (s->theta.s * sine + s->theta.c * less);
    return s->theta_end.s > 0.0 && fabs(s->d[THETA]) < 1.5;
}

bool trui_reduced_solve(reduced_step *s, bool as_published) {
    trui_reduced_momenta(&s->disk, s->theta, s->rate, s->p);
    s->force_mean[0] = s->force_mean[1] = s->force_mean[2] = 0.0;
    if (as_published)
        as_in_the_paper(s);
    else if (!newton(s, s->p))
        return false;
    s->half[PSI] = half_of(s->d[PSI]);
    const bool there = arrive(s);
    s->path[0] = -s->d[PSI] * s->half[PHI].c;
    s->path[1] = -s->d[PSI] * s->half[PHI].s;
    return there && trui_reduced_rates(&s->disk, s->theta_end, s->p_end, s->end);
}

/* The changes of two steps differ by about the acceleration of the node between them; what that leaves is much the same
 * from step to step. */
void trui_reduced_guess(reduced_step *s, const double *lag, const double *missed) {
    const double none[ANGLES] = {0.0, 0.0, 0.0};
    double a[ANGLES];
    trui_reduced_accelerate(&s->disk, s->theta, s->rate, none, a);
    for (int i = 0; i < ANGLES; i++) {
        s->plain[i] = s->rate[i] + (lag ? lag[i] + a[i] : 0.5 * a[i]);
        s->d[i] = s->plain[i] + (missed ? missed[i] : 0.0);
    }
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
    trui_reduced_accelerate(&s->disk, at.theta, at.rate, q, out + Y_RATE);
    tru_sincos_small(y[PHI], &sine, &cosine);
    out[Y_PATH] = -at.rate[PSI] * cosine;
    out[Y_PATH + 1] = -at.rate[PSI] * sine;
}

const rolling_tableau *trui_rolling_tableau_of(int scheme) {
    static const rolling_tableau midpoint = {2, {0.0, 0.5}, {0.0, 1.0}}, heun = {2, {0.0, 1.0}, {0.5, 0.5}},
                                 ralston = {2, {0.0, 2.0 / 3.0}, {0.25, 0.75}},
                                 classic = {4, {0.0, 0.5, 0.5, 1.0}, {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}};
    if (scheme == TRU_RK2_HEUN) return &heun;
    if (scheme == TRU_RK2_RALSTON) return &ralston;
    return scheme == TRU_RK4 ? &classic : &midpoint;
}

bool trui_reduced_runge_kutta(reduced_step *s, int scheme) {
    const rolling_tableau *t = trui_rolling_tableau_of(scheme);
    TRU_ASSERT(t->stages >= 2 && t->stages <= 4 && t->c[0] == 0.0);
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
        s->half[i] = half_of(sum[i]);
    }
    s->path[0] = sum[Y_PATH];
    s->path[1] = sum[Y_PATH + 1];
    s->iterations = t->stages;
    if (!arrive(s)) return false;
    trui_reduced_momenta(&s->disk, s->theta, s->rate, s->p);
    trui_reduced_momenta(&s->disk, s->theta_end, s->end, s->p_end);
    return true;
}
