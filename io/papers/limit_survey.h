/* limit_survey.h: statistics of the limit directions of many random bodies on a plane. */
#ifndef TRUNDLE_IO_LIMIT_SURVEY_H
#define TRUNDLE_IO_LIMIT_SURVEY_H

#include <stddef.h>
#include <stdint.h>

/* name, what it counts or measures. "above": of the same bodies with the centre of mass straight above the contact, where
 * the normal force does not depend on the direction of slip, as the paper has it. */
#define LIMIT_SURVEY_LIST(X)                                                                                           \
    X(not_two_or_four, "states with another number of limit directions")                                               \
    X(wrong_quadrants, "states without a stable direction in the quadrant of C and an unstable one opposite")          \
    X(radial_residual, "largest relative residual of (lambda + mu N S) e = C")                                         \
    X(wrong_parity, "states where rolling is possible and an odd number repels, or neither")                           \
    X(definite_wrong, "states with sym M negative definite and more than one or an unstable repelling direction")      \
    X(several_repel, "states with more than one repelling direction")                                                  \
    X(roll_and_repel, "states that can roll and have a repelling direction")                                           \
    X(roll_and_repel_definite, "those of them with sym M negative definite")                                           \
    X(unstable_repels, "states with a repelling direction that is angularly unstable")                                 \
    X(mixture_error, "largest relative difference of (56) to the constrained rolling acceleration")                    \
    X(above_wrong_astroid, "states above where the astroid does not tell the number of directions")                    \
    X(above_wrong_ellipse, "states above where the ellipse does not tell whether it rolls")                            \
    X(above_other_cases, "states above in another case than I to IV")                                                  \
    X(share_I, "part of all states in case I")                                                                         \
    X(share_II, "part in case II")                                                                                     \
    X(share_III, "part in case III")                                                                                   \
    X(share_IV, "part in case IV")                                                                                     \
    X(count_V, "states in case V")                                                                                     \
    X(count_VI, "states in case VI")

enum {
#define LIMIT_SURVEY_ENTRY(name, text) SURVEY_##name,
    LIMIT_SURVEY_LIST(LIMIT_SURVEY_ENTRY)
#undef LIMIT_SURVEY_ENTRY
        SURVEY_VALUES
};

/* Names in the order of the values. */
extern const char *const trio_limit_survey_names[SURVEY_VALUES];

/* Examines `states` random contacts that push (N0 > 0), are not Painleve states, and are not within 1e-3 of a fold. */
void trio_limit_survey(size_t states, uint64_t seed, double values[SURVEY_VALUES]);

#endif
