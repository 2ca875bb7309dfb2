/* broad.h: broad phase: which of many axis-parallel boxes overlap. */
#ifndef TRUNDLE_DETECT_BROAD_H
#define TRUNDLE_DETECT_BROAD_H

#include "world/pair_list.h"

struct arena;

static inline bool broad_overlap(const broad_item *a, const broad_item *b) {
    return (a->lo.x <= b->hi.x) & (b->lo.x <= a->hi.x) & (a->lo.y <= b->hi.y) & (b->lo.y <= a->hi.y) &
           (a->lo.z <= b->hi.z) & (b->lo.z <= a->hi.z);
}

/* A box around both; numbers that are none change nothing of a. */
static inline broad_item broad_around(const broad_item *a, const broad_item *b) {
    return (broad_item){
        {b->lo.x < a->lo.x ? b->lo.x : a->lo.x, b->lo.y < a->lo.y ? b->lo.y : a->lo.y,
         b->lo.z < a->lo.z ? b->lo.z : a->lo.z},
        {b->hi.x > a->hi.x ? b->hi.x : a->hi.x, b->hi.y > a->hi.y ? b->hi.y : a->hi.y,
         b->hi.z > a->hi.z ? b->hi.z : a->hi.z},
    };
}

/* All pairs of items that overlap or touch, a < b, sorted by a, then b; the array lives in `scratch` (NULL when empty). Items
 * may differ much in size and lie anywhere; the result depends on nothing but the items. */
tru_status trui_broad_pairs(struct arena *scratch, const broad_item *items, size_t n, broad_pair **out, size_t *count,
                            tru_error *err);

/* Is a pair of items that overlap wanted? */
typedef bool broad_filter(const void *context, uint32_t a, uint32_t b);

/* The same pairs in any order: those with an item that is `fresh` (beside items; NULL: all are) that `wanted` (NULL: all)
 * says yes to. */
tru_status trui_broad_find(struct arena *scratch, const broad_item *items, size_t n, const bool *fresh,
                           broad_filter *wanted, const void *context, broad_pair **out, size_t *count, tru_error *err);

/* Sorts pairs of numbers below n by a, then b, in linear time; false: no memory. */
bool trui_broad_sort(struct arena *scratch, broad_pair *pairs, size_t count, size_t n);

#endif
