/* joint_ball.c: a point of one body stays on a point of the other. Holds the rows that other joints share with it. */
#include "joints/joint_ball.h"
#include "joints/joint.h"

int trui_rows_of_points(const tru_joint_place *p, tru_joint_row *out) {
    out[0] = row_meet(p, v3(1.0, 0.0, 0.0));
    out[1] = row_meet(p, v3(0.0, 1.0, 0.0));
    out[2] = row_meet(p, v3(0.0, 0.0, 1.0));
    return 3;
}

int trui_rows_of_axes(const tru_joint_place *p, tru_joint_row *out) {
    const tru_vec3 z = m3_column(p->axes_a, 2);
    out[0] = row_square(z, m3_column(p->axes_b, 0));
    out[1] = row_square(z, m3_column(p->axes_b, 1));
    return 2;
}

int trui_rows_of_turns(const tru_joint_place *p, tru_joint_row *out) {
    trui_rows_of_axes(p, out);
    out[2] = row_square(m3_column(p->axes_a, 1), m3_column(p->axes_b, 0));
    return 3;
}

static const tru_field fields[] = {{0}};

static int rows(const void *params, const tru_joint_place *p, tru_joint_row *out) {
    (void)params;
    return trui_rows_of_points(p, out);
}

const tru_joint tru_joint_ball = {
    .name = "ball",
    .doc = "A point of one body stays on a point of the other; they turn freely.",
    .fields = fields,
    .holds = true,
    .rows = rows,
};
