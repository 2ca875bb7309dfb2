/* project_joined.h: closes overlaps of bodies that joints hold together, without opening the joints. */
#ifndef TRUNDLE_STEP_PROJECT_JOINED_H
#define TRUNDLE_STEP_PROJECT_JOINED_H

#include "step/joints.h"

/* The correction of one step while it is found. */
typedef struct joined_shift {
    bool *joined;          /* per body: a joint holds its place; NULL: no joint does, and nothing else is set */
    uint8_t *closes;       /* per contact: SHIFT_* */
    problem_body *inverse; /* per body, as it may move */
    uint32_t *home;        /* per body: the first joint that holds it */
    double *apart;         /* [m] or [rad] TRU_JOINT_ROWS per joint, before the correction */
} joined_shift;

/* Whether a contact of a joined body is to be closed: not, by pushing, or by pushing and pulling. */
enum { SHIFT_NOT, SHIFT_PUSH, SHIFT_HOLD };

/* Finds the joined bodies. Contact places must be those of the end of the step. */
tru_status trui_joined_begin(const step *s, joined_shift *j, tru_error *err);
/* Moves the mechanisms by one correction; *moved is false if nothing is left to close. Contact places do not follow. */
tru_status trui_joined_move(const step *s, joined_shift *j, bool *moved, tru_error *err);

#endif
