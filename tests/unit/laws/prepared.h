/* prepared.h: laws with random parameters at random contacts, and their sets in a random metric, for tests. */
#ifndef TRUNDLE_TESTS_LAWS_PREPARED_H
#define TRUNDLE_TESTS_LAWS_PREPARED_H

#include "law_values.h"
#include "draw.h"

#include "laws/law.h"

#define ROWS TRU_FRICTION_ROWS

typedef struct prepared {
    const tru_law *law;
    law_params params;
    double work[TRU_LAW_WORK];
    double memory[64];
    unsigned claims;
} prepared;

/* Parameters: each field absent or its value times 2^-6..2^6; drawn again until the law accepts them, 1000 times at most. */
static inline void prepared_draw(prepared *p, const tru_law *law, draw *d) {
    const law_value_list values = law_values_of(law);
    for (int tries = 0; tries < 1000; tries++) {
        p->params = law_defaults(law);
        for (int i = 0; i < values.count; i++)
            if (draw_int(d, 3) > 0) law_value_set(law, &values.items[i], exp2(draw_in(d, -6.0, 6.0)), &p->params);
        if (law_accepts(law, &p->params)) return;
    }
    printf("law %s refused 1000 random sets of parameters: add values that it accepts to tests/kit/law_values.h\n",
           law->name);
    exit(1);
}

static inline void prepared_at(prepared *p, const tru_law *law, uint32_t stuck, draw *d) {
    tru_contact c = {.normal = {0, 0, 1}, .t1 = {1, 0, 0}, .t2 = {0, 1, 0}, .arm_a = {0, 0, -0.1}, .step = 1e-3};
    p->law = law;
    memset(p->memory, 0, sizeof p->memory);
    check(law->history <= (int)(sizeof p->memory / sizeof *p->memory));
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) c.lever[i][k] = draw_in(d, -0.2, 0.2);
    c.radius_effective = draw_in(d, 0.01, 0.2);
    c.radius_smaller = draw_in(d, 0.01, 0.2);
    c.stuck = stuck;
    c.memory = p->memory;
    p->claims = law->claims(p->params.bytes);
    law->prepare(p->params.bytes, &c, p->work);
}

static inline law_use prepared_use(prepared *p) { return (law_use){p->law, p->work, p->memory, p->claims}; }

static inline bool claimed(unsigned claims, int row) { return claims & TRU_KIND_BIT(LAW_KIND_OF_ROW(row)); }

static inline void metric_draw(draw *d, double metric[TRU_KINDS]) {
    for (int k = 0; k < TRU_KINDS; k++) metric[k] = exp(draw_in(d, log(1e-4), log(1e4)));
}

/* max over C of c.g for coefficients frozen at the slip speed `slip`: support(-g) with g scaled to that slip. */
static inline double frozen_support(const law_use *laws, int count, const double g[ROWS], double slip) {
    const double size = hypot(g[0], g[1]), k = size > 0.0 ? slip / size : 1.0;
    double u[ROWS];
    for (int r = 0; r < ROWS; r++) u[r] = -k * g[r];
    return trui_laws_support(laws, count, u) / k;
}

/* Half width of C along a friction row, at slip speed `slip`. */
static inline double extent(const law_use *laws, int count, int row, double slip) {
    double g[ROWS] = {0};
    g[row] = 1.0;
    return frozen_support(laws, count, g, slip);
}

/* Friction rows of the size of normal * C, inside and outside; zero where no law claims. */
static inline void point_draw(draw *d, const law_use *laws, int count, unsigned claims, double normal, double slip,
                              double x[ROWS]) {
    for (int r = 0; r < ROWS; r++) {
        const double e = extent(laws, count, r, slip);
        x[r] = claimed(claims, r) ? draw_wide(d, -6.0, 4.0) * normal * (e > 0.0 ? e : 1.0) : 0.0;
    }
}

static inline double metric_product(const double metric[TRU_KINDS], const double *a, const double *b) {
    double sum = 0.0;
    for (int r = 0; r < ROWS; r++) sum += a[r] * b[r] / metric[LAW_KIND_OF_ROW(r)];
    return sum;
}

#endif
