/* mylaw.c: a plug-in for tests/cli/plugin.py: dry sliding and spinning; -DBREAK=N breaks one thing of it. */
#include <trundle/plugin.h>

#include <math.h>
#include <stdlib.h>

#ifndef BREAK
#define BREAK 0
#endif
enum {
    CRASHES_LOADING = 1,
    CRASHES_PREPARING,
    EXITS,
    NOT_IDEMPOTENT,
    NOT_NEAREST,
    WRONG_SUPPORT,
    WRONG_SLOPE,
    WRONG_ROWS,
    WRONG_UNIT,
    DISHONEST,
    GIVES_ENERGY,
    WRONG_DEFAULT,
    WRONG_OFFSET,
    NAMED_COULOMB,
    NO_PREPARE,
    NO_LAWS,
};

typedef struct mylaw {
    double slide;  /* [-] */
    double length; /* [m] */
} mylaw;

static const tru_field fields[] = {
    TRU_REAL(mylaw, slide, TRU_UNIT_ONE, BREAK == WRONG_DEFAULT ? -1.0 : 0.0, TRU_FROM_ZERO, "Slide coefficient."),
    {"length", TRU_FIELD_REAL, BREAK == WRONG_UNIT ? TRU_UNIT_ONE : TRU_UNIT_M, 0.0, TRU_FROM_ZERO, false,
     "Couple per normal force.", offsetof(mylaw, length) + (BREAK == WRONG_OFFSET ? 4 : 0), NULL, NULL, NULL, 0},
    {0},
};

static unsigned claims(const void *params) {
    const mylaw *p = params;
    return (p->slide > 0.0 ? TRU_KIND_BIT(TRU_KIND_SLIDE) : 0u) | (p->length > 0.0 ? TRU_KIND_BIT(TRU_KIND_SPIN) : 0u);
}

static void prepare(const void *params, const tru_contact *contact, double work[TRU_LAW_WORK]) {
    const mylaw *p = params;
    (void)contact;
    if (BREAK == CRASHES_PREPARING) abort();
    if (BREAK == EXITS) exit(3);
    work[0] = p->slide;
    work[1] = BREAK == DISHONEST && p->length > 0.0 ? 1e-3 : p->length;
}

static void put_slide(double radius, double mu, tru_section *s) {
    const double size = sqrt(s->x[0] * s->x[0] + s->x[1] * s->x[1]);
    const bool inside = size <= radius;
    for (int i = 0; i < 2; i++) {
        const double e = inside ? 0.0 : s->x[i] / size;
        s->y[i] = inside ? s->x[i] : radius * e;
        if (s->dn) s->dn[i] = mu * e;
        for (int j = 0; s->dx && j < 2; j++)
            s->dx[i * TRU_FRICTION_ROWS + j] =
                inside ? (i == j)
                       : radius / size * ((i == j) - e * s->x[j] / size) * (BREAK == WRONG_SLOPE ? 1.001 : 1.0);
    }
    if (inside && radius > 0.0) s->stuck |= TRU_KIND_BIT(TRU_KIND_SLIDE);
    if (BREAK == NOT_IDEMPOTENT) s->y[0] *= 0.5, s->y[1] *= 0.5;
    if (BREAK == NOT_NEAREST && !inside) s->y[0] = radius, s->y[1] = 0.0;
    if (BREAK == GIVES_ENERGY) s->y[0] = radius, s->y[1] = 0.0;
}

static void section(const double *work, double *memory, tru_section *s) {
    const double most = work[1] * s->normal, x = s->x[2];
    (void)memory;
    if (work[0] > 0.0) put_slide(work[0] * s->normal, work[0], s);
    if (work[1] > 0.0) {
        s->y[2] = fabs(x) <= most ? x : copysign(most, x);
        if (s->dx) s->dx[2 * TRU_FRICTION_ROWS + 2] = fabs(x) <= most ? 1.0 : 0.0;
        if (s->dn) s->dn[2] = fabs(x) <= most ? 0.0 : copysign(work[1], x);
        if (fabs(x) <= most && most > 0.0) s->stuck |= TRU_KIND_BIT(TRU_KIND_SPIN);
    }
    if (BREAK == WRONG_ROWS) s->y[4] = 0.0;
}

static double support(const double *work, const double *u) {
    return (BREAK == WRONG_SUPPORT ? 1.01 : 1.0) * (work[0] * sqrt(u[0] * u[0] + u[1] * u[1]) + work[1] * fabs(u[2]));
}

static const tru_law law = {
    .name = BREAK == NAMED_COULOMB ? "coulomb" : "mylaw",
    .doc = "Dry sliding and spinning.",
    .fields = fields,
    .size = sizeof(mylaw),
    .claims = claims,
    .prepare = BREAK == NO_PREPARE ? NULL : prepare,
    .section = section,
    .support = support,
};

__attribute__((constructor)) static void begin(void) {
    if (BREAK == CRASHES_LOADING) abort();
}

#ifdef OTHER_INTERFACE
TRU_API const tru_plugin *trundle_plugin(void);
const tru_plugin *trundle_plugin(void) {
    static const tru_law *const laws[] = {&law, NULL};
    static const tru_plugin plugin = {TRU_PLUGIN_INTERFACE + 1, "9.8.7", laws};
    return &plugin;
}
#elif !defined(NO_FUNCTION)
TRU_PLUGIN_EXPORT(BREAK == NO_LAWS ? NULL : &law)
#endif
