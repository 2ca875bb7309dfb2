/* limit_picture.h: pictures of limit directions: the flow of small slips, and the map of cases around a state. */
#ifndef TRUNDLE_APP_LIMIT_PICTURE_H
#define TRUNDLE_APP_LIMIT_PICTURE_H

#include "analyze_limit.h"

/* Draws FOLDER/NAME-portrait.svg, the flow of small slips. Returns an exit code. */
int limit_draw_portrait(const limit_view *v, const char *folder);
/* Draws FOLDER/NAME-regions.svg: the case as a function of the slip acceleration without friction, with a mark at the
 * present one. Draws nothing if there are no cases (lift, Painleve, frictionless). */
int limit_draw_regions(const limit_view *v, const char *folder);

#endif
