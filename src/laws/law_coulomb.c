/* law_coulomb.c: dry sliding friction: the slide impulse lies in the disc of radius mu p_n.
 *
 * | symbol | name | unit |
 * |---|---|---|
 * | mu | slide | - |
 * | mu_0 | slide_static | - |
 * | 1/gamma | stribeck | m/s |
 *
 * [LSLG05 (2.27)]: -gamma_T in the normal cone of {|lambda_T| <= mu lambda_N}. With a Stribeck speed v_s
 * mu(v) = slide + (slide_static - slide) exp(-v / v_s) [AS19 with gamma = 1/v_s]; with v_s = 0 a contact that stuck
 * holds up to slide_static and one that slides feels slide. */
#include "laws/law.h"
#include "laws/sets.h"

#include "base/error.h"
#include "math/elementary.h"

#include <stddef.h>

static const tru_field fields[] = {
    {.name = "slide",
     .type = TRU_FIELD_REAL,
     .unit = TRU_UNIT_ONE,
     .standard = 0.0,
     .lowest = 0.0,
     .highest = TRU_UNBOUNDED,
     .doc = "Sliding friction coefficient: friction force of a sliding contact per normal force.",
     .offset = offsetof(tru_coulomb, slide)},
    {.name = "slide_static",
     .type = TRU_FIELD_REAL,
     .unit = TRU_UNIT_ONE,
     .standard = TRU_DERIVED,
     .lowest = 0.0,
     .highest = TRU_UNBOUNDED,
     .doc = "Friction coefficient at zero slip, at least slide (default: slide).",
     .offset = offsetof(tru_coulomb, slide_static)},
    {.name = "stribeck",
     .type = TRU_FIELD_REAL,
     .unit = TRU_UNIT_M_PER_S,
     .standard = 0.0,
     .lowest = 0.0,
     .highest = TRU_UNBOUNDED,
     .doc = "Slip speed over which the coefficient falls exponentially from slide_static to slide; 0: at once.",
     .offset = offsetof(tru_coulomb, stribeck)},
    {.name = NULL},
};

enum { MU, MU_STATIC, SPEED, HOLDS };

static tru_status check(const void *params, tru_error *err) {
    const tru_coulomb *p = params;
    const bool given = p->slide_static != TRU_DERIVED;
    if (given && p->slide_static < p->slide)
        return tru_fail(err, TRU_OUT_OF_RANGE, "law coulomb: slide_static is %.6g, must be at least slide (%.6g)",
                        p->slide_static, p->slide);
    if (p->stribeck > 0.0 && !(given && p->slide_static > p->slide))
        return tru_fail(err, TRU_CONFLICT,
                        "law coulomb: stribeck is %.6g m/s but has no effect without slide_static above slide (%.6g)",
                        p->stribeck, p->slide);
    return TRU_OK;
}

static unsigned claims(const void *params) {
    const tru_coulomb *p = params;
    return p->slide > 0.0 || p->slide_static > 0.0 ? TRU_KIND_BIT(TRU_KIND_SLIDE) : 0u;
}

static void prepare(const void *params, const tru_contact *contact, double work[TRU_LAW_WORK]) {
    const tru_coulomb *p = params;
    work[MU] = p->slide;
    work[MU_STATIC] = p->slide_static == TRU_DERIVED ? p->slide : p->slide_static;
    work[SPEED] = p->stribeck;
    work[HOLDS] = contact->stuck & TRU_KIND_BIT(TRU_KIND_SLIDE) ? 1.0 : 0.0;
}

static double coefficient(const double *work, double slip) {
    if (work[SPEED] > 0.0) return work[MU] + (work[MU_STATIC] - work[MU]) * tru_exp(-slip / work[SPEED]);
    return work[HOLDS] != 0.0 ? work[MU_STATIC] : work[MU];
}

static void section(const double *work, double *memory, tru_section *s) {
    (void)memory;
    disc_section(coefficient(work, s->slip), ROW_SLIDE, s);
}

static double support(const double *work, const double u[TRU_FRICTION_ROWS]) {
    const double slip = sqrt(u[0] * u[0] + u[1] * u[1]);
    return coefficient(work, slip) * slip;
}

/* A contact that held up to the static limit and gave way slides with the kinetic one. */
static bool revise(double *work, uint32_t stuck) {
    const bool gives_way = work[HOLDS] != 0.0 && !(stuck & TRU_KIND_BIT(TRU_KIND_SLIDE)) && work[SPEED] == 0.0 &&
                           work[MU_STATIC] > work[MU];
    if (gives_way) work[HOLDS] = 0.0;
    return gives_way;
}

static void boundary(const double *work, double angle, double y[TRU_FRICTION_ROWS]) {
    double sine, cosine;
    tru_sincos(angle, &sine, &cosine);
    const double mu = coefficient(work, 0.0);
    y[0] = mu * cosine;
    y[1] = mu * sine;
    y[2] = y[3] = y[4] = 0.0;
}

tru_coulomb tru_default_coulomb(void) {
    tru_coulomb p;
    tru_fields_defaults(fields, &p);
    return p;
}

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
    .revise = revise,
    .boundary = boundary,
};
