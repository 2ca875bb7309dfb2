/* joints_repeat.h: rows of joints that repeat what others hold. */
#ifndef TRUNDLE_STEP_JOINTS_REPEAT_H
#define TRUNDLE_STEP_JOINTS_REPEAT_H

#include "step/step.h"

/* True if the impulses of a joint have limits. */
static inline bool joint_limited(const joint *j) { return j->row[0].limit < TRU_UNBOUNDED; }
/* How many rows the joints have at most. */
static inline size_t joints_row_count(const tru_world *w) {
    size_t n = 0;
    for (size_t i = 0; i < w->joints.count; i++) n += (size_t)w->joints.items[i].rows;
    return n;
}
/* Finds rows that repeat what others hold, into joint.left_out. */
tru_status trui_joints_leave_out(const step *s, tru_error *err);

#endif
