/* joint_fixed.c: two bodies move as one. */
#include "joints/joint.h"
#include "joints/joint_ball.h"

static const tru_field fields[] = {{0}};

static int rows(const void *params, const tru_joint_place *p, tru_joint_row *out) {
    (void)params;
    trui_rows_of_points(p, out);
    return 3 + trui_rows_of_turns(p, out + 3);
}

const tru_joint tru_joint_fixed = {
    .name = "fixed",
    .doc = "The bodies move as one; the reaction is what it takes.",
    .fields = fields,
    .holds = true,
    .rows = rows,
};
