/* overlap.c: the deepest overlap of two solids relative to their size. */
#include "detect/overlap.h"

#include "detect/candidates.h"
#include "detect/narrow/narrow.h"

#include <float.h>

tru_status trui_find_overlap(tru_world *w, double limit, tru_id first, overlap *out, bool *found, tru_error *err) {
    candidate *list = NULL;
    size_t count = 0;
    double worst = limit;
    *found = false;
    const tru_status s = trui_candidates_of_new(w, &(search){.margin = 0.0}, first, &list, &count, err);
    if (s < 0) return s;
    for (size_t i = 0; i < count; i++) {
        const solid *a = &w->solids.items[list[i].a], *b = &w->solids.items[list[i].b];
        if (w->bodies.items[a->body].id < first && w->bodies.items[b->body].id < first) continue;
        if (w->bodies.items[a->body].overlaps || w->bodies.items[b->body].overlaps) continue;
        contact_point m[TRU_TOUCHES];
        const int n = trui_narrow_points(&a->pose, &b->pose, 0.0, NULL, 0, m);
        const double ea = a->shape->bounded ? a->shape->extent(a->params) : DBL_MAX;
        const double eb = b->shape->bounded ? b->shape->extent(b->params) : DBL_MAX;
        /* a disk without thickness has an extent of 0; its radius replaces it */
        const double extent = fmin(ea > 0.0 ? ea : a->radius, eb > 0.0 ? eb : b->radius);
        for (int k = 0; k < n; k++)
            if (-m[k].gap > worst * extent) {
                worst = -m[k].gap / extent;
                *out = (overlap){list[i].a, list[i].b, -m[k].gap, extent};
                *found = true;
            }
    }
    return TRU_OK;
}
