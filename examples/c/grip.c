/* grip.c: a law in one file. own_law.c registers it; compiled with GRIP_PLUGIN it is a plug-in for "trundle run --plugin". */
#include "grip.h"

#include <math.h>
#include <stddef.h>

static const tru_field fields[] = {
    TRU_REAL(grip, length, TRU_UNIT_M, TRU_REQUIRED, TRU_FROM_ZERO,
             "Largest couple about the normal per normal force."),
    {.name = NULL},
};

enum { SPIN = 2 }; /* friction rows: slide 0 and 1, spin 2, roll 3 and 4 */

static unsigned claims(const void *params) {
    return ((const grip *)params)->length > 0.0 ? TRU_KIND_BIT(TRU_KIND_SPIN) : 0u;
}

static void prepare(const void *params, const tru_contact *contact, double work[TRU_LAW_WORK]) {
    (void)contact;
    work[0] = ((const grip *)params)->length;
}

/* Finds the point of the interval [-limit, limit] nearest to x, and its derivatives. */
static void section(const double *work, double *memory, tru_section *s) {
    const double limit = work[0] * s->normal, x = s->x[SPIN], y = fmin(fmax(x, -limit), limit);
    (void)memory;
    s->y[SPIN] = y;
    if (s->dn) s->dn[SPIN] = x > limit ? work[0] : x < -limit ? -work[0] : 0.0;
    if (s->dx) s->dx[SPIN * TRU_FRICTION_ROWS + SPIN] = fabs(x) <= limit ? 1.0 : 0.0;
    if (fabs(x) <= limit && limit > 0.0) s->stuck |= TRU_KIND_BIT(TRU_KIND_SPIN);
}

/* Returns the largest power [W] per normal force that the set takes from the rates u. */
static double support(const double *work, const double *u) { return work[0] * fabs(u[SPIN]); }

const tru_law grip_law = {
    .name = "grip",
    .doc = "Resists spinning about the normal.",
    .fields = fields,
    .size = sizeof(grip),
    .claims = claims,
    .prepare = prepare,
    .section = section,
    .support = support,
};

#ifdef GRIP_PLUGIN
TRU_PLUGIN_EXPORT(&grip_law)
#endif
