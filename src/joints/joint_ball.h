/* joint_ball.h: rows that several kinds of joints share. */
#ifndef TRUNDLE_JOINTS_JOINT_BALL_H
#define TRUNDLE_JOINTS_JOINT_BALL_H

#include <trundle/plugin.h>

/* Writes the 3 rows of points that coincide; returns 3. */
int trui_rows_of_points(const tru_joint_place *p, tru_joint_row *out);
/* Writes the 2 rows of parallel z axes; returns 2. */
int trui_rows_of_axes(const tru_joint_place *p, tru_joint_row *out);
/* Writes the 3 rows of equal attitudes; returns 3. */
int trui_rows_of_turns(const tru_joint_place *p, tru_joint_row *out);

#endif
