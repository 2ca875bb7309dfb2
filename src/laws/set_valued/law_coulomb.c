/* law_coulomb.c: dry sliding friction: the slide impulse lies in the disc of radius mu p_n.
 *
 * | symbol | name | unit |
 * |---|---|---|
 * | mu | slide | - |
 * | mu_0 | slide_static | - |
 * | 1/gamma | stribeck | m/s |
 *
 * [LSLG05 (2.27)]: -gamma_T in the normal cone of {|lambda_T| <= mu lambda_N}. */
#include "laws/law.h"
#include "laws/stribeck.h"

#include <stddef.h>

static const tru_field fields[] = {STRIBECK_FIELDS(tru_coulomb), {.name = NULL}};

static tru_status check(const void *params, tru_error *err) {
    const tru_coulomb *p = params;
    return stribeck_check("coulomb", p->slide, p->slide_static, p->stribeck, err);
}

static unsigned claims(const void *params) {
    const tru_coulomb *p = params;
    return p->slide > 0.0 || p->slide_static > 0.0 ? TRU_KIND_BIT(TRU_KIND_SLIDE) : 0u;
}

static void prepare(const void *params, const tru_contact *contact, double work[TRU_LAW_WORK]) {
    const tru_coulomb *p = params;
    stribeck_prepare(work, p->slide, p->slide_static, p->stribeck, contact->stuck);
}

static void section(const double *work, double *memory, tru_section *s) {
    (void)memory;
    disc_section(stribeck_coefficient(work, s->slip), ROW_SLIDE, s);
}

static double support(const double *work, const double u[TRU_FRICTION_ROWS]) {
    const double slip = sqrt(u[0] * u[0] + u[1] * u[1]);
    return stribeck_coefficient(work, slip) * slip;
}

static void caps(const void *params, const tru_contact *contact, double normal, double slip, tru_caps *out) {
    (void)normal;
    double work[TRU_LAW_WORK];
    prepare(params, contact, work);
    out->slide = work[SPEED] > 0.0 ? stribeck_coefficient(work, slip) : work[MU];
    out->slide_static = work[MU_STATIC];
}

static void boundary(const double *work, double angle, double y[TRU_FRICTION_ROWS]) {
    double sine, cosine;
    tru_sincos(angle, &sine, &cosine);
    const double mu = stribeck_coefficient(work, 0.0);
    y[0] = mu * cosine;
    y[1] = mu * sine;
    y[2] = y[3] = y[4] = 0.0;
}

static bool limits(const double *work, double limit[3]) {
    limit[0] = work[MU];
    return work[MU_STATIC] == work[MU];
}

/* Without Stribeck's decay a contact that stuck has one limit, and one that gave way another. */
static bool limits_until(const double *work, double limit[3]) {
    limit[0] = stribeck_coefficient(work, 0.0);
    return work[SPEED] == 0.0;
}

TRU_DEFAULTS(tru_coulomb, tru_default_coulomb, fields)

const tru_law tru_law_coulomb = {
    .name = "coulomb",
    .doc = "Dry sliding friction, with a static coefficient and its Stribeck decay.",
    .fields = fields,
    .size = sizeof(tru_coulomb),
    .check = check,
    .claims = claims,
    .prepare = prepare,
    .section = section,
    .support = support,
    .boundary = boundary,
    .caps = caps,
    .revise = stribeck_revise,
    .limits = limits,
    .limits_until = limits_until,
    .constant = true,
};
