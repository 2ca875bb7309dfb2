/* law_contensou.c: sliding and spinning under one round contact patch: friction force and drilling couple are coupled.
 *
 * | symbol | name | unit |
 * |---|---|---|
 * | mu | slide | - |
 * | epsilon | patch | m |
 * | lambda_tau = couple / epsilon | row 3 / patch | N s |
 *
 * -(gamma_T, gamma_tau) in the normal cone of mu lambda_N C_1 [LSLG05 (2.30), (2.31)], with the exact set of
 * contensou_set.h for the Hertz pressure (printed as "parabolic"). */
#include "laws/set_valued/contensou_set.h"
#include "base/assert.h"
#include "laws/law.h"
#include "laws/stribeck.h"

#include <stddef.h>
#include <string.h>

static const tru_field fields[] = {
    STRIBECK_FIELDS(tru_contensou),
    TRU_REAL_WITH_UNIT(tru_contensou, patch, TRU_UNIT_M, TRU_REQUIRED, TRU_POSITIVE,
                       "Radius of the contact patch; the couple of pure spinning is 3 pi/16 slide patch per normal "
                       "force."),
    {.name = NULL},
};

enum { PATCH = STRIBECK_WORK };

static tru_status check(const void *params, tru_error *err) {
    const tru_contensou *p = params;
    const tru_status s = stribeck_check("contensou", p->slide, p->slide_static, p->stribeck, err);
    if (s >= 0 && !(p->slide > 0.0))
        return tru_fail(err, TRU_CONFLICT, "law contensou: patch is %.6g m but has no effect without slide", p->patch);
    return s;
}

static unsigned claims(const void *params) {
    (void)params;
    return TRU_KIND_BIT(TRU_KIND_SLIDE) | TRU_KIND_BIT(TRU_KIND_SPIN);
}

static void prepare(const void *params, const tru_contact *contact, double work[TRU_LAW_WORK]) {
    const tru_contensou *p = params;
    stribeck_prepare(work, p->slide, p->slide_static, p->stribeck, contact->stuck);
    work[PATCH] = p->patch;
}

/* dy/dx and dy/dp_n at a foot on the boundary: in the meridian plane from the implicit equation, across it y = x xi/a.
 */
static void derivatives(const contensou_foot *f, double a, double b, double q, const double e[2], double sign,
                        double mu, double patch, tru_section *s) {
    const double t = f->t, root = 1.0 / sqrt(1.0 + t * t);
    const double sine = f->above ? root : t * root, cosine = f->above ? t * root : root;
    const double radius = f->above ? f->at.slope / (sine * sine * sine) : f->at.slope / (cosine * cosine * cosine);
    const double d =
        radius * (cosine * cosine + q * sine * sine) + (a - f->at.xi) * sine + q * (b - f->at.eta) * cosine;
    const double aa = radius * cosine * cosine / d, ab = -q * radius * sine * cosine / d;
    const double ba = -radius * sine * cosine / d, bb = q * radius * sine * sine / d;
    const double round = a > 0.0 ? f->at.xi / a : aa;
    double *m = s->dx;
    for (int i = 0; m && i < 2; i++) {
        for (int j = 0; j < 2; j++) m[i * TRU_FRICTION_ROWS + j] = (i == j ? round : 0.0) + (aa - round) * e[i] * e[j];
        m[i * TRU_FRICTION_ROWS + ROW_SPIN] = ab * e[i] * sign / patch;
        m[ROW_SPIN * TRU_FRICTION_ROWS + i] = ba * e[i] * sign * patch;
    }
    if (m) m[ROW_SPIN * TRU_FRICTION_ROWS + ROW_SPIN] = bb;
    if (!s->dn) return;
    s->dn[0] = mu * (f->at.xi - aa * a - ab * b) * e[0];
    s->dn[1] = mu * (f->at.xi - aa * a - ab * b) * e[1];
    s->dn[ROW_SPIN] = mu * patch * (f->at.eta - ba * a - bb * b) * sign;
}

static void section_inside(tru_section *s) {
    for (int i = 0; i < 3; i++) {
        s->y[i] = s->x[i];
        if (s->dn) s->dn[i] = 0.0;
        for (int j = 0; s->dx && j < 3; j++) s->dx[i * TRU_FRICTION_ROWS + j] = i == j ? 1.0 : 0.0;
    }
    s->stuck |= TRU_KIND_BIT(TRU_KIND_SLIDE) | TRU_KIND_BIT(TRU_KIND_SPIN);
}

/* No normal impulse: the set is a point; it opens along the direction of x. */
static void section_empty(const double *work, double mu, tru_section *s) {
    memset(s->y, 0, 3 * sizeof *s->y);
    if (s->dx)
        for (int i = 0; i < 3; i++) memset(s->dx + i * TRU_FRICTION_ROWS, 0, 3 * sizeof *s->dx);
    if (!s->dn) return;
    const double size = sqrt(s->x[0] * s->x[0] + s->x[1] * s->x[1]), couple = s->x[ROW_SPIN];
    const double q = work[PATCH] * work[PATCH] * s->metric[TRU_KIND_SLIDE] / s->metric[TRU_KIND_SPIN];
    const double v = size, w = q * fabs(couple) / work[PATCH]; /* normal (v, w) at the far point */
    const meridian m = v <= w ? trui_contensou_below(w > 0.0 ? v / w : 0.0) : trui_contensou_above(w / v);
    s->dn[0] = size > 0.0 ? mu * m.xi * s->x[0] / size : 0.0;
    s->dn[1] = size > 0.0 ? mu * m.xi * s->x[1] / size : 0.0;
    s->dn[ROW_SPIN] = copysign(mu * work[PATCH] * m.eta, couple);
}

static void section(const double *work, double *memory, tru_section *s) {
    const double mu = stribeck_coefficient(work, s->slip), patch = work[PATCH], scale = mu * s->normal;
    if (!(scale > 0.0)) {
        section_empty(work, mu, s);
        return;
    }
    const double size = sqrt(s->x[0] * s->x[0] + s->x[1] * s->x[1]), sign = copysign(1.0, s->x[ROW_SPIN]);
    const double a = size / scale, b = fabs(s->x[ROW_SPIN]) / (scale * patch);
    TRU_ASSERT(!(patch < 0.0));
    const double q = patch * patch * s->metric[TRU_KIND_SLIDE] / s->metric[TRU_KIND_SPIN];
    const contensou_foot f = trui_contensou_project(a, b, q, memory ? *memory : 1.0);
    if (f.inside) {
        section_inside(s);
        return;
    }
    if (memory) *memory = f.above ? 2.0 - f.t : f.t;
    const double e[2] = {size > 0.0 ? s->x[0] / size : 1.0, size > 0.0 ? s->x[1] / size : 0.0};
    s->y[0] = scale * f.at.xi * e[0];
    s->y[1] = scale * f.at.xi * e[1];
    s->y[ROW_SPIN] = scale * patch * f.at.eta * sign;
    const double beyond = (a - f.at.xi) * (a - f.at.xi) + q * (b - f.at.eta) * (b - f.at.eta);
    if (beyond <= STICK_SLACK * STICK_SLACK) s->stuck |= TRU_KIND_BIT(TRU_KIND_SLIDE) | TRU_KIND_BIT(TRU_KIND_SPIN);
    if (s->dx || s->dn) derivatives(&f, a, b, q, e, sign, mu, patch, s);
}

/* Phi(v, w) = v xi + w eta at k = v/w: the dissipation per mu N. */
static double support(const double *work, const double u[TRU_FRICTION_ROWS]) {
    const double v = sqrt(u[0] * u[0] + u[1] * u[1]), w = work[PATCH] * fabs(u[ROW_SPIN]);
    if (!(v + w > 0.0)) return 0.0;
    const meridian m = v <= w ? trui_contensou_below(v / w) : trui_contensou_above(w / v);
    return stribeck_coefficient(work, v) * (v * m.xi + w * m.eta);
}

/* The meridian through slide direction 1 and spin: angle is that of the outward normal. */
static void boundary(const double *work, double angle, double y[TRU_FRICTION_ROWS]) {
    double sine, cosine;
    tru_sincos(angle, &sine, &cosine);
    const double v = fabs(cosine), w = fabs(sine), mu = stribeck_coefficient(work, 0.0);
    const meridian m = v <= w ? trui_contensou_below(v / w) : trui_contensou_above(w / v);
    memset(y, 0, TRU_FRICTION_ROWS * sizeof *y);
    y[0] = copysign(mu * m.xi, cosine);
    y[ROW_SPIN] = copysign(mu * work[PATCH] * m.eta, sine);
}

static bool coupled(const double *work, double limit[3], double *patch) {
    limit[0] = work[MU];
    limit[1] = CONTENSOU_DRILL * work[MU] * work[PATCH];
    *patch = work[PATCH];
    return work[MU_STATIC] == work[MU];
}

TRU_DEFAULTS(tru_contensou, tru_default_contensou, fields)

const tru_law tru_law_contensou = {
    .name = "contensou",
    .doc = "Sliding and spinning friction coupled through a round contact patch (Coulomb-Contensou).",
    .fields = fields,
    .size = sizeof(tru_contensou),
    .history = 1, /* where on the meridian the last foot was */
    .check = check,
    .claims = claims,
    .prepare = prepare,
    .section = section,
    .support = support,
    .boundary = boundary,
    .revise = stribeck_revise,
    .coupled = coupled,
};
