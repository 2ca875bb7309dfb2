/* law_rolling.c: independent limits for the spin couple and the roll couple, dry or viscous.
 *
 * | symbol | name | unit |
 * |---|---|---|
 * | rho [TA13], mu_R of classical rolling friction [LSLG05 (2.35)] | roll | m |
 * | sigma [TA13] | spin | m |
 * | c of viscous classical rolling friction [LSLG05 (2.36)] | roll_viscosity | N m s |
 * | | spin_viscosity | N m s |
 *
 * |tau_n| <= sigma p_n, |tau_t| <= rho p_n [TA13 (9), (10)], each opposing its own rate; the viscous couples -c omega
 * add. */
#include "laws/law.h"
#include "laws/length.h"
#include "laws/sets.h"

#include "base/error.h"
#include "math/elementary/elementary.h"

#include <stddef.h>
#include <string.h>

static const tru_field fields[] = {
    LENGTH_FIELD(tru_rolling, roll, "Rolling friction length: largest roll couple per normal force."),
    LENGTH_FIELD(tru_rolling, spin, "Spinning friction length: largest couple about the normal per normal force."),
    TRU_REAL(tru_rolling, roll_viscosity, TRU_UNIT_NMS, 0.0, TRU_FROM_ZERO,
             "Roll couple per roll rate of a closed contact."),
    TRU_REAL(tru_rolling, spin_viscosity, TRU_UNIT_NMS, 0.0, TRU_FROM_ZERO,
             "Couple about the normal per spin rate of a closed contact."),
    {.name = NULL},
};

enum { ROLL, SPIN, ROLL_VISCOSITY, SPIN_VISCOSITY, ROLL_CLAIMED, SPIN_CLAIMED };

static unsigned claims(const void *params) {
    const tru_rolling *p = params;
    const bool roll = p->roll.length > 0.0 || p->roll.factor > 0.0 || p->roll_viscosity > 0.0;
    const bool spin = p->spin.length > 0.0 || p->spin.factor > 0.0 || p->spin_viscosity > 0.0;
    return (roll ? TRU_KIND_BIT(TRU_KIND_ROLL) : 0u) | (spin ? TRU_KIND_BIT(TRU_KIND_SPIN) : 0u);
}

static unsigned needs(const void *params) {
    const tru_rolling *p = params;
    return p->roll.factor > 0.0 || p->spin.factor > 0.0 ? TRU_NEEDS_RADIUS : 0u;
}

static void prepare(const void *params, const tru_contact *contact, double work[TRU_LAW_WORK]) {
    const tru_rolling *p = params;
    work[ROLL] = length_here(&p->roll, contact);
    work[SPIN] = length_here(&p->spin, contact);
    work[ROLL_VISCOSITY] = p->roll_viscosity;
    work[SPIN_VISCOSITY] = p->spin_viscosity;
    work[ROLL_CLAIMED] = claims(params) & TRU_KIND_BIT(TRU_KIND_ROLL) ? 1.0 : 0.0;
    work[SPIN_CLAIMED] = claims(params) & TRU_KIND_BIT(TRU_KIND_SPIN) ? 1.0 : 0.0;
}

static void section(const double *work, double *memory, tru_section *s) {
    (void)memory;
    if (work[SPIN_CLAIMED] != 0.0) interval_section(work[SPIN], ROW_SPIN, s);
    if (work[ROLL_CLAIMED] != 0.0) disc_section(work[ROLL], ROW_ROLL, s);
}

static double support(const double *work, const double u[TRU_FRICTION_ROWS]) {
    return work[SPIN] * fabs(u[ROW_SPIN]) + work[ROLL] * sqrt(u[3] * u[3] + u[4] * u[4]);
}

static void caps(const void *params, const tru_contact *contact, double normal, double slip, tru_caps *out) {
    const tru_rolling *p = params;
    (void)normal, (void)slip;
    out->roll = out->roll_static = length_here(&p->roll, contact);
    out->spin = out->spin_static = length_here(&p->spin, contact);
    out->roll_viscosity = p->roll_viscosity;
    out->spin_viscosity = p->spin_viscosity;
}

static void viscosity(const double *work, double *d) {
    d[ROW_SPIN * (TRU_FRICTION_ROWS + 1)] += work[SPIN_VISCOSITY];
    d[ROW_ROLL * (TRU_FRICTION_ROWS + 1)] += work[ROLL_VISCOSITY];
    d[(ROW_ROLL + 1) * (TRU_FRICTION_ROWS + 1)] += work[ROLL_VISCOSITY];
}

/* The meridian of the cylinder (roll disc) x (spin interval): once round its rim, spin at its limit on the upper half.
 */
static void boundary(const double *work, double angle, double y[TRU_FRICTION_ROWS]) {
    double sine, cosine;
    tru_sincos(angle, &sine, &cosine);
    memset(y, 0, TRU_FRICTION_ROWS * sizeof *y);
    y[ROW_SPIN] = copysign(work[SPIN], sine);
    y[ROW_ROLL] = work[ROLL] * cosine;
    y[ROW_ROLL + 1] = work[ROLL] * sine;
}

static bool limits(const double *work, double limit[3]) {
    limit[1] = work[SPIN];
    limit[2] = work[ROLL];
    return work[SPIN_VISCOSITY] == 0.0 && work[ROLL_VISCOSITY] == 0.0;
}

TRU_DEFAULTS(tru_rolling, tru_default_rolling, fields)

const tru_law tru_law_rolling = {
    .name = "rolling",
    .doc = "Independent limits for the roll couple and the spin couple, dry or viscous.",
    .fields = fields,
    .size = sizeof(tru_rolling),
    .claims = claims,
    .needs = needs,
    .prepare = prepare,
    .section = section,
    .support = support,
    .viscosity = viscosity,
    .boundary = boundary,
    .limits = limits,
    .constant = true,
    .caps = caps,
};
