/* springs_limit.h: the largest step that is stable with the springs of a world. */
#ifndef TRUNDLE_STEPPERS_SPRINGS_SPRINGS_LIMIT_H
#define TRUNDLE_STEPPERS_SPRINGS_SPRINGS_LIMIT_H

#include "steppers/springs/springs.h"

/* [s] Largest stable step for any single contact that a body could have, and for any of its faces on a plane; DBL_MAX: more
 * than twice the present one. */
double trui_springs_limit_of_bodies(const tru_track *o, const tru_world *w);
/* [s] The same, and for all contacts that there are. */
tru_status trui_springs_limit(const tru_track *o, tru_world *w, double *limit, tru_error *err);

#endif
