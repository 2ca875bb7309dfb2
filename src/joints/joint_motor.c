/* joint_motor.c: turns or pushes one body against the other at a prescribed speed, with a largest torque or force. */
#include "joints/joint.h"

#include "base/error.h"

#include <stddef.h>

static const tru_field fields[] = {
    TRU_REAL_WITH_UNIT(tru_motor, speed, TRU_UNIT_RAD_PER_S, TRU_DERIVED, TRU_ANY,
                       "Turns a against b about the axis at this rate."),
    TRU_REAL_WITH_UNIT(tru_motor, velocity, TRU_UNIT_M_PER_S, TRU_DERIVED, TRU_ANY,
                       "Instead of speed: pushes the point of a along the axis, which is fixed in b, at this "
                       "velocity."),
    TRU_REAL(tru_motor, torque, TRU_UNIT_NM, TRU_DERIVED, TRU_POSITIVE,
             "With speed: the most it has; default: whatever it takes."),
    TRU_REAL(tru_motor, force, TRU_UNIT_N, TRU_DERIVED, TRU_POSITIVE,
             "With velocity: the most it has; default: whatever it takes."),
    {.name = NULL},
};

static tru_status check(const void *params, tru_error *err) {
    const tru_motor *m = params;
    const bool turns = m->speed != TRU_DERIVED, pushes = m->velocity != TRU_DERIVED;
    if (turns == pushes)
        return tru_fail(err, turns ? TRU_CONFLICT : TRU_BAD_ARGUMENT,
                        "joint motor: give speed (it turns) or velocity (it pushes)%s", turns ? ", not both" : "");
    if (turns && m->force != TRU_DERIVED)
        return tru_fail(err, TRU_CONFLICT, "joint motor: force limits a velocity; with speed give torque");
    if (pushes && m->torque != TRU_DERIVED)
        return tru_fail(err, TRU_CONFLICT, "joint motor: torque limits a speed; with velocity give force");
    return TRU_OK;
}

static int rows(const void *params, const tru_joint_place *p, tru_joint_row *out) {
    const tru_motor *m = params;
    const bool turns = m->speed != TRU_DERIVED;
    const tru_vec3 z = m3_column(p->axes_b, 2);
    const double limit = turns ? m->torque : m->force;
    out[0] = turns ? row_about(z) : row_along(p, z);
    out[0].apart = 0.0;
    out[0].speed = turns ? m->speed : m->velocity;
    out[0].limit = limit != TRU_DERIVED ? limit : TRU_UNBOUNDED;
    TRU_ASSERT(out[0].limit > 0.0 && (turns || m->velocity != TRU_DERIVED));
    return 1;
}

TRU_DEFAULTS(tru_motor, tru_default_motor, fields)

const tru_joint tru_joint_motor = {
    .name = "motor",
    .doc =
        "Turns or pushes a against b at a prescribed speed; it holds nothing else, so add it alongside a hinge or slider.",
    .fields = fields,
    .size = sizeof(tru_motor),
    .check = check,
    .rates = true,
    .rows = rows,
};
