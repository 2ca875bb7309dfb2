/* length.c: the fields of a friction length that is given as a part of a radius. */
#include "laws/length.h"

#include <stddef.h>

const tru_field tru_length_fields[] = {
    TRU_REAL(tru_length, factor, TRU_UNIT_ONE, 0.0, TRU_FROM_ZERO, "The length in parts of the named radius."),
    TRU_CHOICE(tru_length, radius, "none|effective|smaller", TRU_RADIUS_NONE,
               "Which radius: effective is 1 over the summed curvatures of both surfaces, smaller that of the "
               "smaller shape; where a round body touches a box, disk or hull, both are of the round body."),
    {.name = NULL},
};
