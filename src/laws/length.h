/* length.h: a friction length of a law: given in metres, or as a part of a radius that is named. */
#ifndef TRUNDLE_LAWS_LENGTH_H
#define TRUNDLE_LAWS_LENGTH_H

#include <trundle/plugin.h>

#include <stddef.h>

/* The block of such a field. */
extern const tru_field tru_length_fields[];

/* Such a field of the struct `params`; none by default. Scenes must write its unit or name a radius: other programs
 * take a pure number here, a part of the radius. */
#define LENGTH_FIELD(params, member, doc)                                                                              \
    TRU_ALTERNATIVE(params, member, TRU_UNIT_M, 0.0, TRU_FROM_ZERO, tru_length, tru_length_fields, doc)

static inline bool length_given(const tru_length *l) { return l->length > 0.0 || l->factor > 0.0; }

/* [m] The length itself, or factor times the radius this contact has. */
static inline double length_here(const tru_length *l, const tru_contact *at) {
    if (l->radius == TRU_RADIUS_EFFECTIVE) return l->factor * at->radius_effective;
    if (l->radius == TRU_RADIUS_SMALLER) return l->factor * at->radius_smaller;
    return l->length;
}

#endif
