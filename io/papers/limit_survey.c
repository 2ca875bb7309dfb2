/* limit_survey.c: what holds for the limit directions of many random bodies on a plane.
 *
 * A body has random principal moments (none above the sum of the others), arm, curvatures, rates, loads and friction; long
 * levers and much friction are frequent enough for the rare cases V and VI. */
#define _DEFAULT_SOURCE /* M_PI */
#include "limit_survey.h"

#include <trundle/analysis.h>
#include <trundle/plugin.h>

#include <math.h>
#include <stdbool.h>

const char *const trio_limit_survey_names[SURVEY_VALUES] = {
#define LIMIT_SURVEY_NAME(name, text) #name,
    LIMIT_SURVEY_LIST(LIMIT_SURVEY_NAME)
#undef LIMIT_SURVEY_NAME
};

/* ---- random bodies ---- */

typedef struct dice {
    uint64_t seed, index;
} dice;

static double between(dice *d, double low, double high) {
    return low + (high - low) * tru_random(d->seed, 7, d->index++);
}

static tru_vec3 vector(dice *d, double size) {
    const double x = between(d, -size, size), y = between(d, -size, size);
    return (tru_vec3){x, y, between(d, -size, size)};
}

/* Returns the inertia of a cloud of point masses, which is always that of a possible body. */
static tru_mat3 random_inertia(dice *d) {
    tru_mat3 j = {{{0}}};
    const double size = between(d, 0.3, 2.0);
    for (int k = 0; k < 4; k++) {
        const tru_vec3 x = vector(d, size);
        const double v[3] = {x.x, x.y, x.z}, n = x.x * x.x + x.y * x.y + x.z * x.z;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) j.m[a][b] += 2.0 * ((a == b ? n : 0.0) - v[a] * v[b]);
    }
    return j;
}

static tru_limit_body random_body(dice *d) {
    const double mass = between(d, 1.0, 5.0), mu = between(d, 0.02, 1.2), turn = between(d, 0.0, M_PI);
    const double h1 = between(d, 0.0, 10.0), h2 = between(d, 0.0, 10.0), c = cos(turn), s = sin(turn);
    tru_limit_body b = {.mass = mass, .slide = mu, .slide_static = mu};
    b.inertia = random_inertia(d);
    b.angular_velocity = vector(d, between(d, 0.0, 3.0));
    b.normal.z = b.t1.x = b.t2.y = 1.0;
    b.arm = vector(d, between(d, 0.5, 12.0));
    b.arm.z = fabs(b.arm.z) + 0.1;
    b.inverse_curvature[0] = c * c * h1 + s * s * h2;
    b.inverse_curvature[1] = c * s * (h1 - h2);
    b.inverse_curvature[2] = s * s * h1 + c * c * h2;
    b.force = vector(d, 10.0);
    b.force.z -= 9.81 * mass;
    b.torque = vector(d, between(d, 0.0, 60.0));
    return b;
}

static double field_scale(const tru_limit *l) {
    return hypot(hypot(l->field_cos[0], l->field_cos[1]), hypot(l->field_sin[0], l->field_sin[1])) +
           hypot(l->field_free[0], l->field_free[1]);
}

/* Returns true if the state is far enough from folds and from the cone for counts to be reliable. */
static bool well_posed(const tru_limit *l) {
    const double scale = field_scale(l);
    if (!(l->wedge < 1.0) || !(l->normal0 > 0.0) || l->near_fold || l->count < 0) return false;
    for (int i = 0; i < l->count; i++) {
        const tru_limit_direction *d = &l->directions[i];
        if (fabs(d->angular * d->margin) < 1e-3 * scale || fabs(d->radial * d->margin) < 1e-9 * scale) return false;
    }
    return true;
}

static bool limits_of(const tru_limit_body *b, tru_limit_problem *p, tru_limit *l) {
    return tru_limit_problem_of(b, p, NULL) >= 0 && tru_limit_directions(p, l, NULL) >= 0 && well_posed(l);
}

/* ---- what is claimed ---- */

/* Angle of the first principal axis of S. */
static double principal_angle(const tru_limit *l) { return 0.5 * atan2(2.0 * l->schur[1], l->schur[0] - l->schur[2]); }

static bool quadrants_hold(const tru_limit *l) {
    const double g = principal_angle(l), c = cos(g), s = sin(g), *f = l->field_free;
    bool stable = false, unstable = false;
    for (int i = 0; i < l->count; i++) {
        const tru_limit_direction *d = &l->directions[i];
        const double x = (d->cosine * c + d->sine * s) * (f[0] * c + f[1] * s);
        const double y = (d->sine * c - d->cosine * s) * (f[1] * c - f[0] * s);
        stable = stable || (x > 0.0 && y > 0.0 && d->stable);
        unstable = unstable || (x < 0.0 && y < 0.0 && !d->stable);
    }
    return stable && unstable;
}

/* A limit direction with radial acceleration lambda solves (lambda + mu N S) e = C. */
static double radial_residual(const tru_limit *l, double mu, const tru_limit_direction *d) {
    const double *s = l->schur, f = mu * d->normal, c = d->cosine, e = d->sine;
    const double x = d->radial * c + f * (s[0] * c + s[1] * e), y = d->radial * e + f * (s[1] * c + s[2] * e);
    return hypot(x - l->field_free[0], y - l->field_free[1]) / (fabs(d->radial) + f * (s[0] + s[2]));
}

/* [AS19 (56)] with its sign corrected: weights (alpha, beta) = -M^-1 C of A and B leave u = 0; the angular acceleration
 * they give, against the one of the forces that rolling needs. NaN where M is nearly singular. */
static double mixture_error(const tru_limit *l, const tru_limit_problem *p, double mu) {
    const double *a = l->field_cos, *b = l->field_sin, *c = l->field_free, det = a[0] * b[1] - a[1] * b[0];
    if (fabs(det) < 1e-6 * field_scale(l) * field_scale(l)) return NAN;
    const double alpha = (b[0] * c[1] - b[1] * c[0]) / det, beta = (a[1] * c[0] - a[0] * c[1]) / det;
    const double margin = 1.0 - mu * (l->couple[0] * alpha + l->couple[1] * beta);
    const double mixed[3] = {-mu * l->normal0 * alpha / margin, -mu * l->normal0 * beta / margin, l->normal0 / margin};
    const double rolls[3] = {l->roll_force[0], l->roll_force[1], l->roll_normal};
    const double w[3] = {p->free_turning.x, p->free_turning.y, p->free_turning.z};
    double off = 0.0, size = 0.0;
    for (int i = 0; i < 3; i++) {
        double turned = w[i], other = w[i];
        for (int k = 0; k < 3; k++) {
            turned += p->turning.m[i][k] * mixed[k];
            other += p->turning.m[i][k] * rolls[k];
        }
        off += (turned - other) * (turned - other);
        size += other * other + w[i] * w[i];
    }
    return sqrt(off / size);
}

static void survey_state(const tru_limit *l, const tru_limit_problem *p, double mu, double *v) {
    int repelling = 0, unstable = 0;
    for (int i = 0; i < l->count; i++) {
        repelling += l->directions[i].repelling;
        unstable += l->directions[i].repelling && !l->directions[i].stable;
        v[SURVEY_radial_residual] = fmax(v[SURVEY_radial_residual], radial_residual(l, mu, &l->directions[i]));
    }
    v[SURVEY_not_two_or_four] += l->count != 2 && l->count != 4;
    v[SURVEY_wrong_quadrants] += !quadrants_hold(l);
    v[SURVEY_wrong_parity] += l->rolls != (repelling % 2 == 0);
    v[SURVEY_definite_wrong] += l->definite && (repelling > 1 || unstable > 0);
    v[SURVEY_several_repel] += repelling > 1;
    v[SURVEY_roll_and_repel] += l->rolls && repelling > 0;
    v[SURVEY_roll_and_repel_definite] += l->rolls && repelling > 0 && l->definite;
    v[SURVEY_unstable_repels] += unstable > 0;
    v[SURVEY_mixture_error] = fmax(v[SURVEY_mixture_error], mixture_error(l, p, mu));
    v[SURVEY_share_I] += l->which == TRU_CASE_I;
    v[SURVEY_share_II] += l->which == TRU_CASE_II;
    v[SURVEY_share_III] += l->which == TRU_CASE_III;
    v[SURVEY_share_IV] += l->which == TRU_CASE_IV;
    v[SURVEY_count_V] += l->which == TRU_CASE_V;
    v[SURVEY_count_VI] += l->which == TRU_CASE_VI;
}

/* In principal axes, with the centre above: 4 directions inside |C1|^(2/3) + |C2|^(2/3) = |A1 - B2|^(2/3) [AS19 Thm 2],
 * rolling inside (C1/A1)^2 + (C2/B2)^2 = 1. */
static void survey_above(const tru_limit *l, double mu, double *v) {
    const double g = principal_angle(l), c = cos(g), s = sin(g), *f = l->field_free, *m = l->schur;
    const double c1 = f[0] * c + f[1] * s, c2 = f[1] * c - f[0] * s;
    const double a1 = mu * l->normal0 * (m[0] * c * c + 2.0 * m[1] * c * s + m[2] * s * s);
    const double b2 = mu * l->normal0 * (m[0] * s * s - 2.0 * m[1] * c * s + m[2] * c * c);
    const double astroid = pow(fabs(c1), 2.0 / 3.0) + pow(fabs(c2), 2.0 / 3.0) - pow(fabs(a1 - b2), 2.0 / 3.0);
    const double ellipse = hypot(c1 / a1, c2 / b2) - 1.0;
    v[SURVEY_above_wrong_astroid] += (astroid < 0.0) != (l->count == 4);
    v[SURVEY_above_wrong_ellipse] += (ellipse <= 0.0) != l->rolls;
    v[SURVEY_above_other_cases] += l->which < TRU_CASE_I || l->which > TRU_CASE_IV;
}

void trio_limit_survey(size_t states, uint64_t seed, double values[SURVEY_VALUES]) {
    dice d = {seed, 0};
    for (int k = 0; k < SURVEY_VALUES; k++) values[k] = 0.0;
    for (size_t done = 0; done < states;) {
        tru_limit_body b = random_body(&d);
        tru_limit_problem p;
        tru_limit l;
        if (!limits_of(&b, &p, &l)) continue;
        survey_state(&l, &p, b.slide, values);
        b.arm.x = b.arm.y = 0.0;
        if (limits_of(&b, &p, &l)) survey_above(&l, b.slide, values);
        done++;
    }
    for (int k = SURVEY_share_I; k <= SURVEY_share_IV; k++) values[k] /= (double)states;
}
