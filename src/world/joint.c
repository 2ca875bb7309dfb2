/* joint.c: places and rates of joints. */
#include "world/joint.h"

tru_joint_place trui_joint_place(const joint *j, const body *a, const body *b) {
    const tru_mat3 axes_a = body_axes(a), axes_b = body_axes(b);
    const tru_vec3 arm_a = m3_apply(axes_a, j->point_a), arm_b = m3_apply(axes_b, j->point_b);
    return (tru_joint_place){.arm_a = arm_a,
                             .arm_b = arm_b,
                             .apart = v3_add(v3_sub(a->x, b->x), v3_sub(arm_a, arm_b)),
                             .axes_a = m3_mul(axes_a, j->axes_a),
                             .axes_b = m3_mul(axes_b, j->axes_b)};
}

double trui_joint_rate(const tru_joint_row *r, const twist *a, const twist *b) {
    return v3_dot(r->lin, v3_sub(a->v, b->v)) + v3_dot(r->ang_a, a->w) - v3_dot(r->ang_b, b->w);
}

void trui_joint_release(memory *m, joint *j) {
    trui_mem_release(m, j->params, j->type->size);
    j->params = NULL;
}
