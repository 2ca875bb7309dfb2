/* joint_slider.c: one body slides along an axis of the other. */
#include "joints/joint.h"
#include "joints/joint_ball.h"

static const tru_field fields[] = {{0}};

static int rows(const void *params, const tru_joint_place *p, tru_joint_row *out) {
    (void)params;
    out[0] = row_along(p, m3_column(p->axes_b, 0));
    out[1] = row_along(p, m3_column(p->axes_b, 1));
    return 2 + trui_rows_of_turns(p, out + 2);
}

const tru_joint tru_joint_slider = {
    .name = "slider",
    .doc = "a slides along the axis, which is fixed in b, and does not turn against it.",
    .fields = fields,
    .holds = true,
    .rows = rows,
};
