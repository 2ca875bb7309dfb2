/* check_api.h: remarks of a check before a run. */
#ifndef TRUNDLE_API_CHECK_API_H
#define TRUNDLE_API_CHECK_API_H

#include <trundle/trundle.h>

/* Joins an earlier remark with that of status `later` in `err`, or lets it stand alone if `later` is TRU_OK. Returns the more serious
 * status; a failure `later` wins. */
tru_status trui_join_remarks(const tru_error *first, tru_status later, tru_error *err);

#endif
