/* law_constant_torque.c: rolling friction of the oldest kind: a couple of constant size against the rate of the moment, for
 * comparison.
 *
 * | symbol | name | unit |
 * |---|---|---|
 * | mu_r R of M = -mu_r N R w/|w| [FN20 4.2, "legacy"] | roll | m |
 * | the same about the normal | spin | m |
 *
 * It has no memory and knows no rest: at a rate of zero its couple is undefined, and a stepper with steps of h turns the
 * rate round in every one of them, by up to 2 mu_r N R h / I. Stepper track runs it so that this can be seen. */
#include "laws/law.h"
#include "laws/length.h"

static const tru_field fields[] = {
    LENGTH_FIELD(tru_constant_torque, roll, "Roll couple per normal force, whatever the rate."),
    LENGTH_FIELD(tru_constant_torque, spin, "Couple about the normal per normal force, whatever the rate."),
    {.name = NULL},
};

static unsigned claims(const void *params) {
    const tru_constant_torque *p = params;
    return (length_given(&p->roll) ? TRU_KIND_BIT(TRU_KIND_ROLL) : 0u) |
           (length_given(&p->spin) ? TRU_KIND_BIT(TRU_KIND_SPIN) : 0u);
}

static unsigned needs(const void *params) {
    const tru_constant_torque *p = params;
    return p->roll.factor > 0.0 || p->spin.factor > 0.0 ? TRU_NEEDS_RADIUS : 0u;
}

static void prepare(const void *params, const tru_contact *contact, double work[TRU_LAW_WORK]) {
    (void)params, (void)contact, (void)work; /* see caps */
}

static void caps(const void *params, const tru_contact *contact, double normal, double slip, tru_caps *out) {
    const tru_constant_torque *p = params;
    (void)normal, (void)slip;
    out->roll = out->roll_static = length_here(&p->roll, contact);
    out->spin = out->spin_static = length_here(&p->spin, contact);
    out->without_spring |= claims(params);
}

TRU_DEFAULTS(tru_constant_torque, tru_default_constant_torque, fields)

const tru_law tru_law_constant_torque = {
    .name = "constant_torque",
    .doc = "Roll and spin couples of constant size against the rate, without memory: never at rest, for comparison.",
    .fields = fields,
    .size = sizeof(tru_constant_torque),
    .claims = claims,
    .needs = needs,
    .prepare = prepare,
    .caps = caps,
};
