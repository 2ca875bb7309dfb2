/* joint_motor.c: turns or pushes one body against the other at a prescribed speed, with as much as it takes or has. */
#include "joints/joint.h"

#include "base/error.h"

#include <stddef.h>

static const tru_field fields[] = {
    {.name = "speed",
     .type = TRU_FIELD_REAL,
     .unit = TRU_UNIT_RAD_PER_S,
     .default_value = TRU_DERIVED,
     .lowest = -TRU_UNBOUNDED,
     .highest = TRU_UNBOUNDED,
     .unit_required = true,
     .doc = "Turns a against b about the axis at this rate.",
     .offset = offsetof(tru_motor, speed)},
    {.name = "velocity",
     .type = TRU_FIELD_REAL,
     .unit = TRU_UNIT_M_PER_S,
     .default_value = TRU_DERIVED,
     .lowest = -TRU_UNBOUNDED,
     .highest = TRU_UNBOUNDED,
     .unit_required = true,
     .doc = "Instead of speed: pushes the point of a along the axis, which is fixed in b, at this velocity.",
     .offset = offsetof(tru_motor, velocity)},
    {.name = "torque",
     .type = TRU_FIELD_REAL,
     .unit = TRU_UNIT_NM,
     .default_value = TRU_DERIVED,
     .lowest = 0.0,
     .lowest_excluded = true,
     .highest = TRU_UNBOUNDED,
     .doc = "With speed: the most it has; default: whatever it takes.",
     .offset = offsetof(tru_motor, torque)},
    {.name = "force",
     .type = TRU_FIELD_REAL,
     .unit = TRU_UNIT_N,
     .default_value = TRU_DERIVED,
     .lowest = 0.0,
     .lowest_excluded = true,
     .highest = TRU_UNBOUNDED,
     .doc = "With velocity: the most it has; default: whatever it takes.",
     .offset = offsetof(tru_motor, force)},
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
    return 1;
}

tru_motor tru_default_motor(void) {
    tru_motor p;
    tru_fields_defaults(fields, &p);
    return p;
}

const tru_joint tru_joint_motor = {
    .name = "motor",
    .doc =
        "Turns or pushes a against b at a prescribed speed; it holds nothing else, so it stands beside a hinge or slider.",
    .fields = fields,
    .size = sizeof(tru_motor),
    .check = check,
    .rates = true,
    .rows = rows,
};
