/* prepared.h: laws with random parameters at random contacts, and their sets in a random metric, for tests. */
#ifndef TRUNDLE_TESTS_LAWS_PREPARED_H
#define TRUNDLE_TESTS_LAWS_PREPARED_H

#include "check.h"
#include "draw.h"
#include "plugins/law_sample.h"

#include "laws/law.h"

static inline law_use prepared_use(prepared *p) { return (law_use){p->law, p->work, p->memory, p->claims}; }

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

#endif
