/* broad.h: the broad phase finds which of many axis-aligned boxes overlap. */
#ifndef TRUNDLE_DETECT_BROAD_H
#define TRUNDLE_DETECT_BROAD_H

#include "world/pair_list.h"

struct arena;

/* Returns true if two boxes overlap or touch. */
static inline bool broad_overlap(const broad_item *a, const broad_item *b) {
    return (a->lo.x <= b->hi.x) & (b->lo.x <= a->hi.x) & (a->lo.y <= b->hi.y) & (b->lo.y <= a->hi.y) &
           (a->lo.z <= b->hi.z) & (b->lo.z <= a->hi.z);
}

/* Returns a box around both; NaN in b leaves a unchanged. */
static inline broad_item broad_around(const broad_item *a, const broad_item *b) {
    return (broad_item){
        {b->lo.x < a->lo.x ? b->lo.x : a->lo.x, b->lo.y < a->lo.y ? b->lo.y : a->lo.y,
         b->lo.z < a->lo.z ? b->lo.z : a->lo.z},
        {b->hi.x > a->hi.x ? b->hi.x : a->hi.x, b->hi.y > a->hi.y ? b->hi.y : a->hi.y,
         b->hi.z > a->hi.z ? b->hi.z : a->hi.z},
    };
}

/* Finds all pairs of items that overlap or touch, a < b, sorted by a, then b. The array is in `scratch`; NULL if it is empty. Items may have any
 * size and place; the result depends only on the items. */
tru_status trui_broad_pairs(struct arena *scratch, const broad_item *items, size_t n, broad_pair **out, size_t *count,
                            tru_error *err);

/* Returns true if the caller needs this pair of items, which overlap. */
typedef bool broad_filter(const void *context, uint32_t a, uint32_t b);

/* Finds the same pairs in any order, if one of the items is `fresh` (one flag per item; NULL: all are) and `wanted` returns true (NULL: always). */
tru_status trui_broad_find(struct arena *scratch, const broad_item *items, size_t n, const bool *fresh,
                           broad_filter *wanted, const void *context, broad_pair **out, size_t *count, tru_error *err);

/* Sorts pairs of numbers below n by a, then b, in linear time; false if there is no memory. */
bool trui_broad_sort(struct arena *scratch, broad_pair *pairs, size_t count, size_t n);

#endif
