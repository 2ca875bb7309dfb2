/* joint.h: the rows that joints are made of.
 *
 * With x the centres of mass, P the joint's points, d = P_a - P_b, and e an axis fixed in b:
 *   meet    e.d for an axis that does not turn       rate e.(v_a - v_b) + (arm_a x e).w_a - (arm_b x e).w_b
 *   along   e.d for an axis that turns with b        the same, and w_b.(e x d): the arm of b reaches to P_a
 *   square  a.b for an axis a of A and one b of B    (a x b).(w_a - w_b), zero where they are at right angles
 *   about   the rate about e, without a position     e.(w_a - w_b) */
#ifndef TRUNDLE_JOINTS_JOINT_H
#define TRUNDLE_JOINTS_JOINT_H

#include "base/assert.h"
#include "math/mat.h"
#include "world/world.h"

extern const tru_joint tru_joint_motor;

/* Returns true if e is a unit vector up to round-off, or not finite: the step reports that later. */
static inline bool joint_is_unit(tru_vec3 e) { return !(fabs(v3_norm2(e) - 1.0) > 1e-9); }

/* Returns the row that keeps two points together along a fixed direction e. */
static inline tru_joint_row row_meet(const tru_joint_place *p, tru_vec3 e) {
    TRU_ASSERT(joint_is_unit(e));
    return (tru_joint_row){.lin = e,
                           .ang_a = v3_cross(p->arm_a, e),
                           .ang_b = v3_cross(p->arm_b, e),
                           .apart = v3_dot(e, p->apart),
                           .limit = TRU_UNBOUNDED};
}

/* Returns the row along an axis e that turns with b. */
static inline tru_joint_row row_along(const tru_joint_place *p, tru_vec3 e) {
    tru_joint_row r = row_meet(p, e);
    r.ang_b = v3_cross(v3_add(p->arm_b, p->apart), e);
    return r;
}

/* Returns the row that keeps axis a of A at right angles to axis b of B. */
static inline tru_joint_row row_square(tru_vec3 a, tru_vec3 b) {
    TRU_ASSERT(joint_is_unit(a) && joint_is_unit(b));
    const tru_vec3 c = v3_cross(a, b);
    return (tru_joint_row){.ang_a = c, .ang_b = c, .apart = v3_dot(a, b), .limit = TRU_UNBOUNDED};
}

/* Returns the row of the rate about an axis e. */
static inline tru_joint_row row_about(tru_vec3 e) {
    TRU_ASSERT(joint_is_unit(e));
    return (tru_joint_row){.ang_a = e, .ang_b = e, .limit = TRU_UNBOUNDED};
}

#endif
