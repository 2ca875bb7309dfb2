/* law_sample.h: a law with random parameters at a random contact, and points in its rows. */
#ifndef TRUNDLE_IO_LAW_SAMPLE_H
#define TRUNDLE_IO_LAW_SAMPLE_H

#include "draw.h"
#include "law_values.h"

#define LAW_ROW_KIND(row) ((row) < 2 ? TRU_KIND_SLIDE : (row) == 2 ? TRU_KIND_SPIN : TRU_KIND_ROLL)
#define ROWS              TRU_FRICTION_ROWS

typedef struct prepared {
    const tru_law *law;
    law_params params;
    double work[TRU_LAW_WORK];
    double memory[64];
    unsigned claims;
} prepared;

/* Parameters: each field absent or its value times 2^-6..2^6; drawn again until the law accepts them, 1000 times at most.
 * Returns true if it accepted. */
static inline bool prepared_draw(prepared *p, const tru_law *law, draw *d) {
    const law_value_list values = law_values_of(law);
    for (int tries = 0; tries < 1000; tries++) {
        p->params = law_defaults(law);
        for (int i = 0; i < values.count; i++)
            if (draw_int(d, 3) > 0) law_value_set(law, &values.items[i], exp2(draw_in(d, -6.0, 6.0)), &p->params);
        if (law_accepts(law, &p->params)) return true;
    }
    return false;
}

static inline void prepared_at(prepared *p, const tru_law *law, uint32_t stuck, draw *d) {
    tru_contact c = {.normal = {0, 0, 1}, .t1 = {1, 0, 0}, .t2 = {0, 1, 0}, .arm_a = {0, 0, -0.1}, .step = 1e-3};
    p->law = law;
    memset(p->memory, 0, sizeof p->memory);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) c.lever[i][k] = draw_in(d, -0.2, 0.2);
    c.radius_effective = draw_in(d, 0.01, 0.2);
    c.radius_smaller = draw_in(d, 0.01, 0.2);
    c.stuck = stuck;
    c.memory = p->memory;
    p->claims = law->claims(p->params.bytes);
    law->prepare(p->params.bytes, &c, p->work);
}

static inline bool claimed(unsigned claims, int row) { return claims & TRU_KIND_BIT(LAW_ROW_KIND(row)); }

static inline void metric_draw(draw *d, double metric[TRU_KINDS]) {
    for (int k = 0; k < TRU_KINDS; k++) metric[k] = exp(draw_in(d, log(1e-4), log(1e4)));
}

static inline double metric_product(const double metric[TRU_KINDS], const double *a, const double *b) {
    double sum = 0.0;
    for (int r = 0; r < ROWS; r++) sum += a[r] * b[r] / metric[LAW_ROW_KIND(r)];
    return sum;
}

#endif
