/* law_projection.h: properties of the functions of a law, each tried on random parameters, contacts and points. */
#ifndef TRUNDLE_IO_LAW_PROJECTION_H
#define TRUNDLE_IO_LAW_PROJECTION_H

#include <trundle/plugin.h>

/* A trial of a property: how many draws, and a sentence about what was found. */
typedef struct law_trial {
    const tru_law *law;
    uint64_t seed;
    int draws;      /* at most; a property that does not apply to the law makes it 0 */
    char text[300]; /* what does not hold; "" if all holds */
} law_trial;

/* Writes what does not hold, and returns false. */
__attribute__((format(printf, 2, 3))) bool trio_law_fails(law_trial *t, const char *format, ...);

/* Each returns true if the property holds in all draws. They need a law that passes tru_law_check. */
bool trio_law_has_values(law_trial *t);     /* values from the field table pass ranges and the law's own check */
bool trio_law_keeps_to_rows(law_trial *t);  /* `section` and `viscosity` write claimed rows only */
bool trio_law_is_idempotent(law_trial *t);  /* projecting twice is projecting once */
bool trio_law_is_nearest(law_trial *t);     /* the projection is the nearest point: flow rule with `support` */
bool trio_law_is_contracting(law_trial *t); /* two projections are not farther apart than their points */
bool trio_law_has_support(law_trial *t);    /* `support` is the largest power of the set */
bool trio_law_has_boundary(law_trial *t);   /* `boundary` lies on the set */
bool trio_law_has_slopes(law_trial *t);     /* `dx` and `dn` against central differences */
bool trio_law_resists(law_trial *t);        /* `viscosity` is symmetric and not negative */

#endif
