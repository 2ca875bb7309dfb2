/* length.c: the fields of a friction length that is given as a part of a radius. */
#include "laws/length.h"

#include <stddef.h>

const tru_field tru_length_fields[] = {
    {.name = "factor",
     .type = TRU_FIELD_REAL,
     .unit = TRU_UNIT_ONE,
     .default_value = 0.0,
     .lowest = 0.0,
     .highest = TRU_UNBOUNDED,
     .doc = "The length in parts of the named radius.",
     .offset = offsetof(tru_length, factor)},
    {.name = "radius",
     .type = TRU_FIELD_CHOICE,
     .default_value = TRU_RADIUS_NONE,
     .words = "none|effective|smaller",
     .doc =
         "Which radius: effective is 1 over the summed curvatures of both surfaces, smaller that of the smaller shape; "
         "where a round body touches a box, disk or hull, both are of the round body.",
     .offset = offsetof(tru_length, radius)},
    {.name = NULL},
};
