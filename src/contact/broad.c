/* broad.c: broad phase: which of many axis-parallel boxes overlap. */
#include "contact/broad.h"

#include "base/arena.h"
#include "base/error.h"

static bool overlap_along(double lo_a, double hi_a, double lo_b, double hi_b) { return lo_a <= hi_b && lo_b <= hi_a; }

static bool meet(const broad_item *a, const broad_item *b) {
    return overlap_along(a->lo.x, a->hi.x, b->lo.x, b->hi.x) && overlap_along(a->lo.y, a->hi.y, b->lo.y, b->hi.y) &&
           overlap_along(a->lo.z, a->hi.z, b->lo.z, b->hi.z);
}

tru_status broad_pairs(struct arena *scratch, const broad_item *items, size_t n, broad_pair **out, size_t *count,
                       tru_error *err) {
    size_t found = 0;
    *out = NULL;
    *count = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) found += meet(&items[i], &items[j]);
    if (found == 0) return TRU_OK;
    broad_pair *pairs = ARENA_ARRAY(scratch, broad_pair, found);
    if (!pairs) return tru_no_memory(err);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (meet(&items[i], &items[j])) pairs[(*count)++] = (broad_pair){(uint32_t)i, (uint32_t)j};
    *out = pairs;
    return TRU_OK;
}
