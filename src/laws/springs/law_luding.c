/* law_luding.c: springs and dashpots for slide, roll and spin whose stretch is the integral of rates, as most programs for
 * granular matter have them (S. Luding, Granular Matter 10, 235, 2008), for comparison.
 *
 * | symbol [Luding 2008, section 2.3] | name | unit |
 * |---|---|---|
 * | mu_d, mu_s | slide, slide_static | - |
 * | mu_r a_ij, mu_o a_ij (reduced radius a_ij) | roll, spin | m |
 * | xi | springs.stretch (world.h), += step times rate | m, rad |
 * | f_0 = -k xi - gamma v | spring and dashpot together, compared with the limit | N, N m |
 *
 * Beyond the static limit f is cut to the kinetic one and xi set to -(f + gamma v)/k, so that the dashpot always acts and
 * both together never exceed the limit. Stiffness and damping are the stepper's. */
#include "laws/law.h"
#include "laws/length.h"
#include "laws/stribeck.h"

#include <stddef.h>

static const tru_field fields[] = {
    TRU_REAL(tru_luding, slide, TRU_UNIT_ONE, 0.0, TRU_FROM_ZERO,
             "Sliding friction coefficient: spring and dashpot of a sliding contact per normal force."),
    TRU_REAL(tru_luding, slide_static, TRU_UNIT_ONE, TRU_DERIVED, TRU_FROM_ZERO,
             "The same of a contact that sticks, at least slide (default: slide)."),
    LENGTH_FIELD(tru_luding, roll, "Largest roll couple per normal force, spring and dashpot together."),
    LENGTH_FIELD(tru_luding, spin, "Largest couple about the normal per normal force, spring and dashpot together."),
    {.name = NULL},
};

static double static_of(const tru_luding *p) { return p->slide_static == TRU_DERIVED ? p->slide : p->slide_static; }

static tru_status check(const void *params, tru_error *err) {
    const tru_luding *p = params;
    return stribeck_check("luding", p->slide, p->slide_static, 0.0, err);
}

static unsigned claims(const void *params) {
    const tru_luding *p = params;
    return (static_of(p) > 0.0 ? TRU_KIND_BIT(TRU_KIND_SLIDE) : 0u) |
           (length_given(&p->roll) ? TRU_KIND_BIT(TRU_KIND_ROLL) : 0u) |
           (length_given(&p->spin) ? TRU_KIND_BIT(TRU_KIND_SPIN) : 0u);
}

static unsigned needs(const void *params) {
    const tru_luding *p = params;
    return p->roll.factor > 0.0 || p->spin.factor > 0.0 ? TRU_NEEDS_RADIUS : 0u;
}

static void prepare(const void *params, const tru_contact *contact, double work[TRU_LAW_WORK]) {
    (void)params, (void)contact, (void)work; /* see caps */
}

static void caps(const void *params, const tru_contact *contact, double normal, double slip, tru_caps *out) {
    const tru_luding *p = params;
    const unsigned own = claims(params);
    (void)normal, (void)slip;
    if (own & TRU_KIND_BIT(TRU_KIND_SLIDE)) {
        out->slide = p->slide;
        out->slide_static = static_of(p);
    }
    if (own & TRU_KIND_BIT(TRU_KIND_ROLL)) out->roll = out->roll_static = length_here(&p->roll, contact);
    if (own & TRU_KIND_BIT(TRU_KIND_SPIN)) out->spin = out->spin_static = length_here(&p->spin, contact);
    out->by_rates |= own;
}

TRU_DEFAULTS(tru_luding, tru_default_luding, fields)

const tru_law tru_law_luding = {
    .name = "luding",
    .doc =
        "Springs and dashpots stretched by rates instead of places, limited together, for comparison with law track.",
    .fields = fields,
    .size = sizeof(tru_luding),
    .check = check,
    .claims = claims,
    .needs = needs,
    .prepare = prepare,
    .caps = caps,
};
