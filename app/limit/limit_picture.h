/* limit_picture.h: pictures of limit directions: the flow of small slips, and the map of cases around a state. */
#ifndef TRUNDLE_APP_LIMIT_PICTURE_H
#define TRUNDLE_APP_LIMIT_PICTURE_H

#include "analyze_limit.h"

/* FOLDER/NAME-portrait.svg: how small slips move. An exit code. */
int limit_draw_portrait(const limit_view *v, const char *folder);
/* FOLDER/NAME-regions.svg: the case as a function of the slip acceleration without friction, the present one marked;
 * nothing where there are no cases (lift, Painleve, frictionless). */
int limit_draw_regions(const limit_view *v, const char *folder);

#endif
