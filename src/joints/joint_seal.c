/* joint_seal.c: dry friction of given magnitude along or about an axis, independent of the load: seals, brakes [TA13 6.2]. */
#include "joints/joint.h"

#include "base/error.h"

#include <stddef.h>

static const tru_field fields[] = {
    TRU_REAL(tru_seal, force, TRU_UNIT_N, TRU_DERIVED, TRU_FROM_ZERO,
             "Friction force of a's point along the axis, which is fixed in b."),
    TRU_REAL(tru_seal, torque, TRU_UNIT_NM, TRU_DERIVED, TRU_FROM_ZERO,
             "Instead of force: friction torque about the axis."),
    {.name = NULL},
};

static tru_status check(const void *params, tru_error *err) {
    const tru_seal *s = params;
    const bool slides = s->force != TRU_DERIVED, turns = s->torque != TRU_DERIVED;
    if (slides != turns) return TRU_OK;
    return tru_fail(err, turns ? TRU_CONFLICT : TRU_BAD_ARGUMENT,
                    "joint seal: give force (along the axis) or torque (about it)%s", turns ? ", not both" : "");
}

static int rows(const void *params, const tru_joint_place *p, tru_joint_row *out) {
    const tru_seal *s = params;
    const bool turns = s->torque != TRU_DERIVED;
    const tru_vec3 z = m3_column(p->axes_b, 2);
    out[0] = turns ? row_about(z) : row_along(p, z);
    out[0].apart = 0.0;
    out[0].limit = turns ? s->torque : s->force;
    TRU_ASSERT(out[0].limit >= 0.0);
    return 1;
}

TRU_DEFAULTS(tru_seal, tru_default_seal, fields)

const tru_joint tru_joint_seal = {
    .name = "seal",
    .doc = "Dry friction of known size along or about the axis, whatever the load; it holds nothing else.",
    .fields = fields,
    .size = sizeof(tru_seal),
    .check = check,
    .rates = true,
    .rows = rows,
};
