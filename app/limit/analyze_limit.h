/* analyze_limit.h: limit directions of a body at a plane, for "trundle analyze". */
#ifndef TRUNDLE_APP_ANALYZE_LIMIT_H
#define TRUNDLE_APP_ANALYZE_LIMIT_H

#include <trundle/analysis.h>
#include <trundle/io.h>

typedef struct limit_view {
    const char *name; /* of the body */
    bool known;       /* otherwise err says why not */
    tru_limit_contact contact;
    tru_limit_problem problem;
    tru_limit limit;
    tru_error err;
} limit_view;

/* Computes the limit directions of a body in its present state. */
limit_view limit_view_of(const tru_world *w, tru_id body, const char *name);
void limit_print(const limit_view *v);
/* Writes the member "limit" of the open object. */
void limit_json(tru_json *json, const limit_view *v);

#endif
