/* wear.c: mu falls (or rises) linearly with the distance slid at a contact, which the contact remembers. */
#include "wear.h"

#include <math.h>
#include <stddef.h>

static const tru_field fields[] = {
    TRU_REAL(wear, fresh, TRU_UNIT_ONE, TRU_REQUIRED, TRU_FROM_ZERO, "Coefficient of fresh surfaces."),
    TRU_REAL(wear, worn, TRU_UNIT_ONE, TRU_REQUIRED, TRU_FROM_ZERO, "Coefficient of worn surfaces."),
    TRU_REAL(wear, distance, TRU_UNIT_M, 1.0, TRU_POSITIVE, "Sliding distance after which they are worn."),
    {.name = NULL},
};

enum { MU, STEP }; /* places of work */

static unsigned claims(const void *params) {
    const wear *p = params;
    return p->fresh > 0.0 || p->worn > 0.0 ? TRU_KIND_BIT(TRU_KIND_SLIDE) : 0u;
}

/* memory[0]: distance slid so far */
static void prepare(const void *params, const tru_contact *contact, double work[TRU_LAW_WORK]) {
    const wear *p = params;
    const double share = contact->memory ? contact->memory[0] / p->distance : 0.0;
    work[MU] = p->fresh + (p->worn - p->fresh) * (share < 1.0 ? share : 1.0);
    work[STEP] = contact->step;
}

static void section(const double *work, double *memory, tru_section *s) {
    const double radius = work[MU] * s->normal, size = sqrt(s->x[0] * s->x[0] + s->x[1] * s->x[1]);
    const bool inside = size <= radius;
    const double e[2] = {inside ? 0.0 : s->x[0] / size, inside ? 0.0 : s->x[1] / size},
                 k = inside ? 1.0 : radius / size;
    (void)memory;
    for (int i = 0; i < 2; i++) {
        s->y[i] = inside ? s->x[i] : radius * e[i];
        if (s->dn) s->dn[i] = work[MU] * e[i];
        for (int j = 0; s->dx && j < 2; j++)
            s->dx[i * TRU_FRICTION_ROWS + j] = k * ((i == j ? 1.0 : 0.0) - e[i] * e[j]);
    }
    if (inside && radius > 0.0) s->stuck |= TRU_KIND_BIT(TRU_KIND_SLIDE);
}

static double support(const double *work, const double *u) { return work[MU] * sqrt(u[0] * u[0] + u[1] * u[1]); }

static void accept(const double *work, double *memory, const double *y, const double *u, uint32_t stuck) {
    (void)y;
    if (!(stuck & TRU_KIND_BIT(TRU_KIND_SLIDE))) memory[0] += work[STEP] * sqrt(u[0] * u[0] + u[1] * u[1]);
}

const tru_law wear_law = {
    .name = "wear",
    .doc = "Dry sliding whose coefficient changes with the distance slid.",
    .fields = fields,
    .size = sizeof(wear),
    .history = 1,
    .claims = claims,
    .prepare = prepare,
    .section = section,
    .support = support,
    .accept = accept,
};
