/* limit.c: slip near zero: coefficients of the slip field, its limit directions, and their case.
 *
 * | [slip-roll-equations 3, 4] | name | unit |
 * |---|---|---|
 * | G, b | problem.response, problem.free_point | 1/kg, m/s^2 |
 * | N0, a, S, C | normal0, couple, schur, field_free | N, -, 1/kg, m/s^2 |
 * | M = [A B] | field_cos, field_sin | m/s^2 |
 * | e = (cos phi, sin phi) | direction.cosine, sine | - |
 * | R = e.(M e + C), V = e'.(M e + C) | radial, angular field times D | m/s^2 |
 *
 * The normal force depends on the direction of slip, N = N0/D with D = 1 - mu a.e, so M need not be symmetric:
 * M = -mu (N0 S + C a^T). Rolling is tested with the static coefficient. The slip field near zero has the kinetic one, or with
 * Stribeck friction the static one, from which friction falls smoothly. */
#include <trundle/analysis.h>

#include "base/assert.h"
#include "base/error.h"
#include "math/elementary/elementary.h"
#include "math/poly.h"

#include <float.h>

#define TWO_PI 0x1.921fb54442d18p+2

/* The slip field near zero. */
typedef struct field {
    mat2 m;       /* [m/s^2] M */
    vec2 c;       /* [m/s^2] C */
    double scale; /* [m/s^2] |M| + |C| */
} field;

/* Returns V at e, and in *slope dV/dphi = e'.M e' - R unless it is NULL. */
static double turn(const field *f, vec2 e, double *slope) {
    const vec2 flow = v2_add(m2_apply(f->m, e), f->c), across = v2(-e.y, e.x);
    if (slope) *slope = v2_dot(across, m2_apply(f->m, across)) - v2_dot(e, flow);
    return v2_dot(across, flow);
}

/* Returns R at e. */
static double radial(const field *f, vec2 e) { return v2_dot(e, v2_add(m2_apply(f->m, e), f->c)); }

/* ---- coefficients */

/* Computes the coefficients of the field, and whether the contact can roll. Fails unless the response is positive definite. */
static tru_status coefficients(const tru_limit_problem *p, tru_limit *l, tru_error *err) {
    const double(*g)[3] = p->response.m;
    const double g33 = g[2][2];
    if (!(g33 > 0.0 && isfinite(g33) && v3_is_finite(p->free_point)))
        return tru_fail(err, TRU_BAD_ARGUMENT,
                        "limit directions: the response along the normal is %.6g 1/kg, must be "
                        "above 0, and accelerations must be finite",
                        g33);
    const double a1 = g[0][2] / g33, a2 = g[1][2] / g33;
    const sym2 s = {g[0][0] - g33 * a1 * a1, g[0][1] - g33 * a1 * a2, g[1][1] - g33 * a2 * a2};
    sym2 inverse;
    if (!(s.xx > 0.0 && s.yy > 0.0 && s2_inverse(s, &inverse) && inverse.xx > 0.0))
        return tru_fail(err, TRU_BAD_ARGUMENT,
                        "limit directions: the response of the contact point to forces is not "
                        "positive definite");
    const double n0 = -p->free_point.z / g33;
    const vec2 c = v2(p->free_point.x + n0 * g33 * a1, p->free_point.y + n0 * g33 * a2);
    const vec2 roll = v2_scale(-1.0, s2_apply(inverse, c)); /* F_t = -S^-1 C */
    const double mu = p->stribeck > 0.0 ? p->slide_static : p->slide;
    *l = (tru_limit){.normal0 = n0,
                     .couple = {a1, a2},
                     .schur = {s.xx, s.xy, s.yy},
                     .field_cos = {-mu * (n0 * s.xx + c.x * a1), -mu * (n0 * s.xy + c.y * a1)},
                     .field_sin = {-mu * (n0 * s.xy + c.x * a2), -mu * (n0 * s.yy + c.y * a2)},
                     .field_free = {c.x, c.y},
                     .wedge = mu * sqrt(a1 * a1 + a2 * a2),
                     .roll_force = {roll.x, roll.y},
                     .roll_normal = n0 - (a1 * roll.x + a2 * roll.y),
                     .exit = -1};
    const double size = v2_norm(roll);
    l->needed = l->roll_normal > 0.0 ? size / l->roll_normal : DBL_MAX;
    l->rolls = l->roll_normal > 0.0 && size <= p->slide_static * l->roll_normal;
    /* 2 N0 + a.S^-1 C > sqrt(a.S^-1 a C.S^-1 C) */
    const vec2 a = v2(a1, a2), sa = s2_apply(inverse, a);
    const double product = v2_dot(a, sa) * -v2_dot(c, roll);
    l->definite = 2.0 * n0 - v2_dot(a, roll) > sqrt(fmax(product, 0.0));
    return TRU_OK;
}

static field field_of(const tru_limit *l) {
    field f = {{l->field_cos[0], l->field_sin[0], l->field_cos[1], l->field_sin[1]},
               {l->field_free[0], l->field_free[1]},
               0.0};
    f.scale = sqrt(f.m.a * f.m.a + f.m.b * f.m.b + f.m.c * f.m.c + f.m.d * f.m.d) + v2_norm(f.c);
    return f;
}

/* ---- zeros of V
 *
 * V and its slope at 32 angles, with bounds of its higher derivatives, nearly always separate the zeros: between two neighbours V is
 * within width^2/8 max|V''| of its chord, and V' likewise. Undecided sectors are halved. If that does not help, near a fold, the
 * quartic in the half-angle tangent decides. */

enum { SECTORS = 32 };

/* cos(k pi/16) */
static const double cosine[SECTORS] = {1.0,
                                       0x1.f6297cff75cb0p-1,
                                       0x1.d906bcf328d46p-1,
                                       0x1.a9b66290ea1a3p-1,
                                       0x1.6a09e667f3bcdp-1,
                                       0x1.1c73b39ae68c8p-1,
                                       0x1.87de2a6aea963p-2,
                                       0x1.8f8b83c69a60bp-3,
                                       0.0,
                                       -0x1.8f8b83c69a60bp-3,
                                       -0x1.87de2a6aea963p-2,
                                       -0x1.1c73b39ae68c8p-1,
                                       -0x1.6a09e667f3bcdp-1,
                                       -0x1.a9b66290ea1a3p-1,
                                       -0x1.d906bcf328d46p-1,
                                       -0x1.f6297cff75cb0p-1,
                                       -1.0,
                                       -0x1.f6297cff75cb0p-1,
                                       -0x1.d906bcf328d46p-1,
                                       -0x1.a9b66290ea1a3p-1,
                                       -0x1.6a09e667f3bcdp-1,
                                       -0x1.1c73b39ae68c8p-1,
                                       -0x1.87de2a6aea963p-2,
                                       -0x1.8f8b83c69a60bp-3,
                                       0.0,
                                       0x1.8f8b83c69a60bp-3,
                                       0x1.87de2a6aea963p-2,
                                       0x1.1c73b39ae68c8p-1,
                                       0x1.6a09e667f3bcdp-1,
                                       0x1.a9b66290ea1a3p-1,
                                       0x1.d906bcf328d46p-1,
                                       0x1.f6297cff75cb0p-1};

/* Returns the direction at angle k pi/16. */
static vec2 compass(int k) { return v2(cosine[k % SECTORS], cosine[(k + 24) % SECTORS]); }

/* V = v0 + c1 cos phi + s1 sin phi + c2 cos 2 phi + s2 sin 2 phi */
typedef struct harmonics {
    double v0, c1, s1, c2, s2; /* [m/s^2] */
} harmonics;

static harmonics harmonics_of(const field *f) {
    return (harmonics){0.5 * (f->m.c - f->m.b), f->c.y, -f->c.x, 0.5 * (f->m.c + f->m.b), -0.5 * (f->m.a - f->m.d)};
}

/* Returns a zero of V near e, by Newton steps in the angle as long as they reduce |V|. */
static vec2 polished(const field *f, vec2 e) {
    TRU_ASSERT(!(fabs(v2_dot(e, e) - 1.0) > 1e-9));
    double slope, v = turn(f, e, &slope);
    for (int i = 0; i < 8; i++) {
        const double step = slope != 0.0 ? -v / slope : 0.0;
        if (!(fabs(step) > 0.5 * DBL_EPSILON && fabs(step) < 0.3)) break;
        vec2 next = v2(e.x - step * e.y, e.y + step * e.x);
        next = v2_scale(1.0 / v2_norm(next), next);
        const double there = turn(f, next, &slope);
        if (!(fabs(there) < fabs(v))) break;
        e = next;
        v = there;
    }
    return e;
}

/* Bounds of |V''| and |V'''| and the zeros found so far. */
typedef struct search {
    const field *f;
    double second, third; /* [m/s^2] */
    vec2 *e;
    int n;
} search;

/* V in a direction. */
typedef struct sample {
    vec2 e;
    double v; /* [m/s^2] */
} sample;

/* Finds the zeros between l and r, `width` [rad] apart; if there may be two or none, in both halves. Returns false if this is not
 * decided after `depth` halvings. */
static bool between(search *s, sample l, sample r, double width, int depth) {
    TRU_ASSERT(s->n <= TRU_LIMIT_DIRECTIONS && width > 0.0);
    const double part = 0.125 * width * width, least = fmin(fabs(l.v), fabs(r.v));
    const bool same = (l.v < 0.0) == (r.v < 0.0);
    double dl, dr;
    if (same && least > part * s->second) return true;
    turn(s->f, l.e, &dl);
    turn(s->f, r.e, &dr);
    if ((dl < 0.0) == (dr < 0.0) && fmin(fabs(dl), fabs(dr)) > part * s->third) { /* V is monotone */
        if (same) return true;
        if (s->n == TRU_LIMIT_DIRECTIONS) return false;
        const vec2 chord = v2_sub(v2_scale(r.v, l.e), v2_scale(l.v, r.e));
        s->e[s->n++] = polished(s->f, v2_scale((r.v > l.v ? 1.0 : -1.0) / v2_norm(chord), chord));
        return true;
    }
    if (depth == 0) return false;
    const vec2 sum = v2_add(l.e, r.e), e = v2_scale(1.0 / v2_norm(sum), sum);
    const sample middle = {e, turn(s->f, e, NULL)};
    return between(s, l, middle, 0.5 * width, depth - 1) && between(s, middle, r, 0.5 * width, depth - 1);
}

/* Finds the zeros by sectors. Returns their number, or -1 if some sector stays undecided. */
static int by_sectors(const field *f, const harmonics *h, const double v[SECTORS], vec2 *e) {
    const double first = sqrt(h->c1 * h->c1 + h->s1 * h->s1), second = sqrt(h->c2 * h->c2 + h->s2 * h->s2);
    search s = {f, first + 4.0 * second, first + 8.0 * second, e, 0};
    if (s.second < 0.1 * f->scale) return -1; /* all of V may be near a fold, relative to the whole field */
    for (int k = 0; k < SECTORS; k++) {
        const sample l = {compass(k), v[k]}, r = {compass(k + 1), v[(k + 1) % SECTORS]};
        if (!between(&s, l, r, TWO_PI / SECTORS, 4)) return -1;
    }
    return s.n;
}

/* Returns the direction at angle 2 atan(t) from p. */
static vec2 at_half_tangent(vec2 p, double t) {
    const double c = (1.0 - t * t) / (1.0 + t * t), s = 2.0 * t / (1.0 + t * t);
    return v2(p.x * c - p.y * s, p.y * c + p.x * s);
}

/* Returns true if an extremum of V is near zero. An extremum of the quartic is then close to it. */
static bool folds(const field *f, vec2 p0, const double q[5]) {
    const double slope[4] = {q[1], 2.0 * q[2], 3.0 * q[3], 4.0 * q[4]};
    double t[3];
    const int n = tru_poly_real_roots(slope, 3, t);
    for (int i = 0; i < n; i++)
        if (fabs(turn(f, at_half_tangent(p0, t[i]), NULL)) < TRU_LIMIT_FOLD * f->scale) return true;
    return false;
}

/* Finds the zeros by the quartic V (1 + t^2)^2 in t = tan((phi - p0)/2), p0 opposite to `far`. Its leading coefficient is V at `far`,
 * where |V| is largest, so no zero is lost at infinity. Returns their number. */
static int by_quartic(const field *f, const harmonics *h, vec2 far, vec2 *e, bool *near_fold) {
    const vec2 p = v2(-far.x, -far.y);
    const double cc = p.x * p.x - p.y * p.y, ss = 2.0 * p.x * p.y;
    const double c1 = h->c1 * p.x + h->s1 * p.y, s1 = -h->c1 * p.y + h->s1 * p.x;
    const double c2 = h->c2 * cc + h->s2 * ss, s2 = -h->c2 * ss + h->s2 * cc;
    const double q[5] = {h->v0 + c1 + c2, 2.0 * s1 + 4.0 * s2, 2.0 * h->v0 - 6.0 * c2, 2.0 * s1 - 4.0 * s2,
                         h->v0 - c1 + c2};
    double t[4];
    const int n = tru_poly_real_roots(q, 4, t);
    for (int i = 0; i < n; i++) e[i] = polished(f, at_half_tangent(p, t[i]));
    *near_fold = folds(f, p, q);
    return n > 0 ? n : 0;
}

/* Finds all zeros of V. Returns their number, or -1 if V vanishes everywhere. */
static int zeros(const field *f, vec2 e[TRU_LIMIT_DIRECTIONS], bool *near_fold) {
    const harmonics h = harmonics_of(f);
    double most = 0.0, v[SECTORS];
    int far = 0;
    for (int k = 0; k < SECTORS; k++) {
        const vec2 c = compass(k), c2 = compass(2 * k);
        v[k] = h.v0 + (h.c1 * c.x + h.s1 * c.y) + (h.c2 * c2.x + h.s2 * c2.y);
        if (fabs(v[k]) > most) most = fabs(v[k]), far = k;
    }
    *near_fold = false;
    if (!(most > TRU_LIMIT_FLAT * f->scale)) return -1;
    const int n = by_sectors(f, &h, v, e);
    TRU_ASSERT(n <= TRU_LIMIT_DIRECTIONS);
    return n >= 0 ? n : by_quartic(f, &h, compass(far), e, near_fold);
}

/* [rad] Returns the angle of a direction, 0 to below 2 pi. */
static double angle_of(vec2 e) {
    const double angle = tru_atan2(e.y, e.x);
    return angle < 0.0 ? fmin(angle + TWO_PI, 0x1.921fb54442d17p+2) : angle;
}

/* ---- directions and cases */

/* Returns what slip does along a zero of V. */
static tru_limit_direction direction_of(const tru_limit_problem *p, const tru_limit *l, const field *f, vec2 e) {
    const double mu = p->stribeck > 0.0 ? p->slide_static : p->slide;
    tru_limit_direction d = {.angle = angle_of(e), .cosine = e.x, .sine = e.y};
    double slope;
    turn(f, e, &slope);
    d.margin = 1.0 - mu * (l->couple[0] * e.x + l->couple[1] * e.y);
    if (!(d.margin > 0.0)) return d;
    d.radial = radial(f, e) / d.margin;
    d.angular = slope / d.margin;
    d.normal = l->normal0 / d.margin;
    d.repelling = d.radial > 0.0;
    d.stable = d.angular < 0.0;
    if (p->stribeck > 0.0) { /* -mu'(0) (N0/D^2) e.S e, since d(mu N)/dmu = N0/D^2 */
        const double s = l->schur[0] * e.x * e.x + 2.0 * l->schur[1] * e.x * e.y + l->schur[2] * e.y * e.y;
        d.growth = (p->slide_static - p->slide) / p->stribeck * (d.normal / d.margin) * s;
    }
    return d;
}

/* Sorts directions by angle. */
static void sort(tru_limit_direction *d, int n) {
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && d[j].angle < d[j - 1].angle; j--) {
            const tru_limit_direction t = d[j];
            d[j] = d[j - 1];
            d[j - 1] = t;
        }
}

/* Returns the case from the numbers of simple directions. An odd number of zeros has a double one, the flattest, which is not
 * counted. */
static int which_case(const tru_limit *l) {
    int skip = -1, repelling = 0, count = l->count;
    if (l->count % 2 == 1)
        for (int i = 0; i < l->count; i++)
            if (skip < 0 || fabs(l->directions[i].angular) < fabs(l->directions[skip].angular)) skip = i;
    if (skip >= 0) count--;
    for (int i = 0; i < l->count; i++) repelling += i != skip && l->directions[i].repelling;
    if (count <= 2) return repelling == 0 ? TRU_CASE_I : TRU_CASE_III;
    TRU_ASSERT(count == 4 && repelling >= 0 && repelling <= count);
    static const int of_four[] = {TRU_CASE_II, TRU_CASE_IV, TRU_CASE_V, TRU_CASE_VI, TRU_CASE_VI};
    return of_four[repelling];
}

/* Returns the exit, -1 without one: repelling and stable, and closest to opposite of the force that would keep the point at rest. */
static int find_exit(const tru_limit *l) {
    int best = -1;
    double most = 0.0;
    for (int i = 0; i < l->count; i++) {
        const tru_limit_direction *d = &l->directions[i];
        const double along = -(l->roll_force[0] * d->cosine + l->roll_force[1] * d->sine);
        if (!d->repelling || !d->stable || (best >= 0 && !(along > most))) continue;
        best = i;
        most = along;
    }
    return best;
}

/* Returns true if the friction coefficients are in range. */
static bool sane(const tru_limit_problem *p) {
    return p->slide >= 0.0 && p->slide_static >= p->slide && isfinite(p->slide_static) && p->stribeck >= 0.0 &&
           isfinite(p->stribeck);
}

tru_status tru_limit_directions(const tru_limit_problem *p, tru_limit *l, tru_error *err) {
    vec2 e[TRU_LIMIT_DIRECTIONS];
    if (!p || !l) return tru_fail(err, TRU_BAD_ARGUMENT, "limit directions need a problem and a place for the answer");
    if (!sane(p))
        return tru_fail(err, TRU_OUT_OF_RANGE,
                        "limit directions: slide %.6g, slide_static %.6g, stribeck %.6g m/s must be finite, not "
                        "negative, and slide_static at least slide",
                        p->slide, p->slide_static, p->stribeck);
    const tru_status s = coefficients(p, l, err);
    if (s < 0) return s;
    const field f = field_of(l);
    l->count = zeros(&f, e, &l->near_fold);
    for (int i = 0; i < l->count; i++) l->directions[i] = direction_of(p, l, &f, e[i]);
    sort(l->directions, l->count);
    l->exit = find_exit(l);
    if (l->wedge >= 1.0)
        l->which = TRU_CASE_PAINLEVE;
    else if (!(l->normal0 > 0.0))
        l->which = TRU_CASE_LIFT;
    else
        l->which = l->count < 0 ? TRU_CASE_EVERY : which_case(l);
    return TRU_OK;
}

const char *tru_limit_case_name(int which) {
    static const char *const names[] = {
#define TRU_CASE_NAME(name, text, doc) text,
        TRU_CASE_LIST(TRU_CASE_NAME)
#undef TRU_CASE_NAME
    };
    return which >= 0 && which < TRU_CASES ? names[which] : "?";
}

const char *tru_limit_case_text(int which) {
    static const char *const texts[] = {
#define TRU_CASE_TEXT(name, text, doc) doc,
        TRU_CASE_LIST(TRU_CASE_TEXT)
#undef TRU_CASE_TEXT
    };
    return which >= 0 && which < TRU_CASES ? texts[which] : "?";
}
