/* joint_hinge.c: two bodies turn against each other about one axis. */
#include "joints/joint.h"
#include "joints/joint_ball.h"

static const tru_field fields[] = {{0}};

static int rows(const void *params, const tru_joint_place *p, tru_joint_row *out) {
    (void)params;
    trui_rows_of_points(p, out);
    return 3 + trui_rows_of_axes(p, out + 3);
}

const tru_joint tru_joint_hinge = {
    .name = "hinge",
    .doc = "The bodies turn against each other about the axis, and do nothing else.",
    .fields = fields,
    .holds = true,
    .rows = rows,
};
