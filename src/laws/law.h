/* law.h: what several laws of one contact do together. */
#ifndef TRUNDLE_LAWS_LAW_H
#define TRUNDLE_LAWS_LAW_H

#include <trundle/plugin.h>

/* The laws that other code names; src/api/registry.def lists all. */
extern const tru_law tru_law_coulomb, tru_law_contensou, tru_law_contour, tru_law_rolling, tru_law_track;

/* One law at one contact, prepared. */
typedef struct law_use {
    const tru_law *law;
    double *work;
    double *memory;
    unsigned claims; /* bits of tru_kind */
} law_use;

#define LAW_KIND_OF_ROW(row)                                                                                           \
    ((row) < 2 ? TRU_KIND_SLIDE : (row) == 2 ? TRU_KIND_SPIN : TRU_KIND_ROLL) /* friction rows */

/* Exact form: every law's rows of s->x onto p_n times its set; rows that no law claims stay untouched in y. */
void trui_laws_section(const law_use *laws, int count, tru_section *s);

/* Relaxed form: (p_n, friction rows) onto the cone { y : y_n >= 0, friction rows in y_n C } in the metric; x and y have
 * TRU_ROWS rows. Returns how many Newton steps it took. */
int trui_laws_cone(const law_use *laws, int count, const double metric[TRU_KINDS], double slip, const double *x,
                   double *y);

/* Sum of the laws' supports: s(u) of De Saxce's form, the separation speed of the relaxed law. [m/s] */
double trui_laws_support(const law_use *laws, int count, const double u[TRU_FRICTION_ROWS]);

#endif
