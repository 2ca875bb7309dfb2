/* joint_distance.c: two points keep their distance, like the ends of a rod without mass. */
#include "joints/joint.h"

#include "base/error.h"

#include <stddef.h>

static const tru_field fields[] = {
    TRU_REAL(tru_distance, length, TRU_UNIT_M, TRU_DERIVED, TRU_POSITIVE,
             "Distance of its point on b from its point on a; default: as they stand at the start."),
    {.name = NULL},
};

/* Derives the length from the poses at the start. */
static void begin(void *params, const tru_joint_place *p) {
    tru_distance *d = params;
    if (d->length == TRU_DERIVED) d->length = v3_norm(p->apart);
}

/* Points that coincide have no direction. Any direction corrects their distance, so the axis of b serves. */
static int rows(const void *params, const tru_joint_place *p, tru_joint_row *out) {
    tru_vec3 n;
    if (!v3_unit(p->apart, &n)) n = m3_column(p->axes_b, 2);
    TRU_ASSERT(((const tru_distance *)params)->length > 0.0);
    out[0] = row_meet(p, n);
    out[0].apart -= ((const tru_distance *)params)->length;
    return 1;
}

TRU_DEFAULTS(tru_distance, tru_default_distance, fields)

const tru_joint tru_joint_distance = {
    .name = "distance",
    .doc = "The two points keep their distance, like the ends of a rod without mass.",
    .fields = fields,
    .size = sizeof(tru_distance),
    .begin = begin,
    .rows = rows,
};
