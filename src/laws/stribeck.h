/* stribeck.h: the sliding coefficient as a function of slip speed, shared by the laws that slide.
 *
 * mu(v) = slide + (slide_static - slide) exp(-v / stribeck) [AS19 with gamma = 1/stribeck]; with stribeck = 0 a contact
 * that stuck holds up to slide_static and one that slides feels slide. */
#ifndef TRUNDLE_LAWS_STRIBECK_H
#define TRUNDLE_LAWS_STRIBECK_H

#include "base/assert.h"
#include "base/error.h"
#include "laws/sets.h"
#include "math/elementary/elementary.h"

enum { MU, MU_STATIC, SPEED, HOLDS, STRIBECK_WORK }; /* first places of a law's work */

/* The three fields at the given offsets of a law's typed struct. */
#define STRIBECK_FIELDS(T)                                                                                             \
    TRU_REAL(T, slide, TRU_UNIT_ONE, 0.0, TRU_FROM_ZERO,                                                               \
             "Sliding friction coefficient: friction force of a sliding contact per normal force."),                   \
        TRU_REAL(T, slide_static, TRU_UNIT_ONE, TRU_DERIVED, TRU_FROM_ZERO,                                            \
                 "Friction coefficient at zero slip, at least slide (default: slide)."),                               \
        TRU_REAL(T, stribeck, TRU_UNIT_M_PER_S, 0.0, TRU_FROM_ZERO,                                                    \
                 "Slip speed over which the coefficient falls exponentially from slide_static to slide; 0: at once.")

static inline tru_status stribeck_check(const char *law, double slide, double fixed, double speed, tru_error *err) {
    const bool given = fixed != TRU_DERIVED;
    if (given && fixed < slide)
        return tru_fail(err, TRU_OUT_OF_RANGE, "law %s: slide_static is %.6g, must be at least slide (%.6g)", law,
                        fixed, slide);
    if (speed > 0.0 && !(given && fixed > slide))
        return tru_fail(err, TRU_CONFLICT,
                        "law %s: stribeck is %.6g m/s but has no effect without slide_static above slide (%.6g)", law,
                        speed, slide);
    return TRU_OK;
}

static inline void stribeck_prepare(double *work, double slide, double fixed, double speed, uint32_t stuck) {
    work[MU] = slide;
    work[MU_STATIC] = fixed == TRU_DERIVED ? slide : fixed;
    TRU_ASSERT(!(slide < 0.0) && work[MU_STATIC] >= slide && !(speed < 0.0));
    work[SPEED] = speed;
    work[HOLDS] = stuck & TRU_KIND_BIT(TRU_KIND_SLIDE) ? 1.0 : 0.0;
}

static inline double stribeck_coefficient(const double *work, double slip) {
    if (work[SPEED] > 0.0) return work[MU] + (work[MU_STATIC] - work[MU]) * tru_exp(-slip / work[SPEED]);
    return work[HOLDS] != 0.0 ? work[MU_STATIC] : work[MU];
}

/* A contact that held up to the static limit and gave way slides with the kinetic one. */
static inline bool stribeck_revise(double *work, uint32_t stuck) {
    const bool gives_way = work[HOLDS] != 0.0 && !(stuck & TRU_KIND_BIT(TRU_KIND_SLIDE)) && work[SPEED] == 0.0 &&
                           work[MU_STATIC] > work[MU];
    if (gives_way) work[HOLDS] = 0.0;
    return gives_way;
}

#endif
